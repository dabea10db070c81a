/// What the first bytes of an input say that it is.
public enum ContentKind: Sendable, Hashable {
    /// Text, after a byte order mark of so many bytes.
    case text(TextEncoding, bomLength: Int)
    /// No text.
    case binary(BinaryKind)
}

/// Kinds of files that are not text, for messages.
public enum BinaryKind: String, Sendable, Hashable, CaseIterable {
    /// Also what is zipped within: `.xlsx`, `.ods`, `.numbers`.
    case zip
    case pdf
    case gzip
    case bzip2
    case xz
    case zstandard
    case sevenZip
    /// The container of old Office files: `.xls`, `.doc`.
    case compoundFile
    case png
    case jpeg
    case gif
    case sqlite
    case binaryPropertyList
    case appleDouble
    /// Recognised by its control bytes only.
    case unknown
}

/// Tells the encoding of an input from its first bytes.
public enum EncodingDetector {
    /// Tells the encoding: by byte order mark, by the NULs of UTF-16, by UTF-8 (strict, or with few bytes
    /// that are none), else Windows-1252, or Windows-1250 where words prove it.
    ///
    /// A prefix that looks like UTF-8 does not prove the rest; `TextDecoder` copes with later bytes that are not.
    ///
    /// - Parameters:
    ///   - prefix: the first bytes, some thousand if there are so many.
    ///   - isWhole: whether they are all; if not, a character may be cut off at the end.
    public static func detect(_ prefix: [UInt8], isWhole: Bool = false) -> ContentKind {
        prefix.withUnsafeBytes { detect($0, isWhole: isWhole) }
    }

    /// The same for bytes that somebody else owns.
    public static func detect(_ prefix: UnsafeRawBufferPointer, isWhole: Bool = false) -> ContentKind {
        for encoding in [TextEncoding.utf8, .utf16LE, .utf16BE] where prefix.starts(with: encoding.byteOrderMark) {
            return .text(encoding, bomLength: encoding.byteOrderMark.count)
        }
        for (signature, kind) in signatures where prefix.starts(with: signature) { return .binary(kind) }
        if let encoding = utf16(prefix) { return .text(encoding, bomLength: 0) }
        if isBinary(prefix) { return .binary(.unknown) }
        if UTF8Check.isValid(prefix, isWhole: isWhole) || UTF8Check.isDamaged(prefix) {
            return .text(.utf8, bomLength: 0)
        }
        return .text(Windows1250.isProven(prefix) ? .windows1250 : .windows1252, bomLength: 0)
    }

    private static let signatures: [([UInt8], BinaryKind)] = [
        (Array("PK\u{3}\u{4}".utf8), .zip), (Array("PK\u{5}\u{6}".utf8), .zip), (Array("%PDF-".utf8), .pdf),
        ([0x1F, 0x8B], .gzip), (Array("BZh".utf8), .bzip2), ([0xFD, 0x37, 0x7A, 0x58, 0x5A, 0x00], .xz),
        ([0x28, 0xB5, 0x2F, 0xFD], .zstandard), ([0x37, 0x7A, 0xBC, 0xAF, 0x27, 0x1C], .sevenZip),
        ([0xD0, 0xCF, 0x11, 0xE0, 0xA1, 0xB1, 0x1A, 0xE1], .compoundFile), ([0x89, 0x50, 0x4E, 0x47], .png),
        ([0xFF, 0xD8, 0xFF], .jpeg), (Array("GIF8".utf8), .gif), (Array("SQLite format 3\u{0}".utf8), .sqlite),
        (Array("bplist0".utf8), .binaryPropertyList), ([0x00, 0x05, 0x16, 0x07], .appleDouble),
    ]

    /// UTF-16 without a byte order mark: Western text has a NUL in most units, always on the same side.
    private static func utf16(_ bytes: UnsafeRawBufferPointer) -> TextEncoding? {
        let units = min(bytes.count, 4096) / 2
        guard units >= 2, hasNul(bytes, 2 * units) else { return nil }
        var even = 0
        var odd = 0
        for unit in 0..<units {
            if bytes[2 * unit] == 0 { even += 1 }
            if bytes[2 * unit + 1] == 0 { odd += 1 }
        }
        if odd * 10 >= units * 7, even * 20 <= units { return .utf16LE }
        if even * 10 >= units * 7, odd * 20 <= units { return .utf16BE }
        return nil
    }

    /// Whether one of the first bytes is NUL; eight are looked at at once.
    private static func hasNul(_ bytes: UnsafeRawBufferPointer, _ length: Int) -> Bool {
        var position = 0
        while position + 8 <= length {
            let word = bytes.loadUnaligned(fromByteOffset: position, as: UInt64.self)
            if (word &- 0x0101_0101_0101_0101) & ~word & 0x8080_8080_8080_8080 != 0 { return true }
            position += 8
        }
        while position < length {
            if bytes[position] == 0 { return true }
            position += 1
        }
        return false
    }

    /// More than one in sixteen bytes is a control byte that text does not have.
    private static func isBinary(_ bytes: UnsafeRawBufferPointer) -> Bool {
        let length = min(bytes.count, 4096)
        var odd = 0
        var position = 0
        while position < length {
            // Eight bytes of which none is below 0x20: each one's high bit stays what it was when that is taken away.
            if position + 8 <= length {
                let word = bytes.loadUnaligned(fromByteOffset: position, as: UInt64.self)
                if (word &- 0x2020_2020_2020_2020) & ~word & 0x8080_8080_8080_8080 == 0 {
                    position += 8
                    continue
                }
            }
            let byte = bytes[position]
            if byte < 0x20, !(0x09...0x0D).contains(byte), byte != 0x1A, byte != 0x1B { odd += 1 }
            position += 1
        }
        return odd * 16 > length
    }
}
