import CCodePages

/// The encodings that markup comes in. ASCII is UTF-8; ISO 8859-1 is read as its superset Windows-1252. Other code pages
/// count where a file declares them: bytes alone do not tell them apart.
public enum MarkupEncoding: String, Sendable, Hashable {
    /// UTF-8, with or without a byte-order mark.
    case utf8 = "UTF-8"
    /// Windows-1252; its five unassigned bytes become the C1 control of the same number.
    case windows1252 = "windows-1252"
    /// Central Europe.
    case windows1250 = "windows-1250"
    /// Cyrillic.
    case windows1251 = "windows-1251"
    /// Greek.
    case windows1253 = "windows-1253"
    /// Turkish; ISO 8859-9 is read as it, being its superset.
    case windows1254 = "windows-1254"
    /// Baltic.
    case windows1257 = "windows-1257"
    /// Central Europe, before Windows.
    case latin2 = "ISO-8859-2"
    /// Western Europe with a euro sign.
    case latin9 = "ISO-8859-15"
    /// UTF-16, least significant byte first.
    case utf16LE = "UTF-16LE"
    /// UTF-16, most significant byte first.
    case utf16BE = "UTF-16BE"

    /// The name of an encoding that a file declares; nil for none that is read so.
    static func named(_ name: String) -> MarkupEncoding? {
        var name = name.lowercased().filter { $0.isLetter || $0.isNumber }
        for prefix in ["windows", "cp", "iso", "xcp"] where name.hasPrefix(prefix) { name.removeFirst(prefix.count) }
        return switch name {
        case "1250": .windows1250
        case "1251": .windows1251
        case "1253": .windows1253
        case "1254", "88599", "latin5": .windows1254
        case "1257": .windows1257
        case "88592", "latin2": .latin2
        case "885915", "latin9": .latin9
        default: nil
        }
    }

    /// The page of `CCodePages`; nil for the encodings that have none.
    fileprivate var page: single_byte_page? {
        switch self {
        case .windows1250: single_byte_page_is_windows_1250
        case .windows1251: single_byte_page_is_windows_1251
        case .windows1253: single_byte_page_is_windows_1253
        case .windows1254: single_byte_page_is_windows_1254
        case .windows1257: single_byte_page_is_windows_1257
        case .latin2: single_byte_page_is_iso_8859_2
        case .latin9: single_byte_page_is_iso_8859_15
        case .utf8, .windows1252, .utf16LE, .utf16BE: nil
        }
    }

    /// The text of bytes of a code page, as UTF-8; nil for the Unicode encodings.
    public func decoded(_ bytes: [UInt8]) -> [UInt8]? {
        if isUTF16 || self == .utf8 { return nil }
        var transcoder = Transcoder(encoding: self, skip: 0)
        var text: [UInt8] = []
        bytes.withUnsafeBufferPointer { transcoder.convert($0, into: &text) }
        return text
    }

    var isUTF16: Bool { self == .utf16LE || self == .utf16BE }

    /// UTF-16 and byte-order marks show in the first bytes: the encoding (nil: 8 bits, still to be decided) and the
    /// mark's length.
    static func mark(_ prefix: UnsafeBufferPointer<UInt8>) -> (encoding: MarkupEncoding?, skip: Int) {
        func at(_ index: Int) -> Int { index < prefix.count ? Int(prefix[index]) : -1 }
        if at(0) == 0xEF && at(1) == 0xBB && at(2) == 0xBF { return (nil, 3) }
        if at(0) == 0xFF && at(1) == 0xFE { return (.utf16LE, 2) }
        if at(0) == 0xFE && at(1) == 0xFF { return (.utf16BE, 2) }
        if at(0) > 0 && at(1) == 0 && at(2) > 0 && at(3) == 0 { return (.utf16LE, 0) }
        if at(0) == 0 && at(1) > 0 && at(2) == 0 && at(3) > 0 { return (.utf16BE, 0) }
        return (nil, 0)
    }
}

/// Strict UTF-8 over a stream of chunks (no overlong forms, no surrogates, nothing above U+10FFFF).
struct UTF8Validator {
    private var needed = 0
    private var low: UInt8 = 0x80
    private var high: UInt8 = 0xBF
    private var failed = false

    /// Whether all bytes so far are whole characters.
    var isValid: Bool { !failed && needed == 0 }
    var hasFailed: Bool { failed }

    mutating func feed(_ bytes: UnsafeBufferPointer<UInt8>) {
        var index = 0
        while index < bytes.count, !failed {
            if needed == 0 {
                // 32 ASCII bytes at a time, then eight; `index + 32 <= count` keeps the unaligned loads inside the buffer.
                while index &+ 32 <= bytes.count, Self.isASCII(bytes, index) { index &+= 32 }
                while index + 8 <= bytes.count,
                    UnsafeRawPointer(bytes.baseAddress.unsafelyUnwrapped + index)
                        .loadUnaligned(as: UInt64.self) & 0x8080_8080_8080_8080 == 0
                {
                    index += 8
                }
                guard index < bytes.count else { return }
            }
            step(bytes[index])
            index += 1
        }
    }

    @inline(__always)
    private static func isASCII(_ bytes: UnsafeBufferPointer<UInt8>, _ index: Int) -> Bool {
        let address = UnsafeRawPointer(bytes.baseAddress.unsafelyUnwrapped + index)
        let first =
            address.loadUnaligned(as: UInt64.self) | address.loadUnaligned(fromByteOffset: 8, as: UInt64.self)
        let last =
            address.loadUnaligned(fromByteOffset: 16, as: UInt64.self)
            | address.loadUnaligned(fromByteOffset: 24, as: UInt64.self)
        return (first | last) & 0x8080_8080_8080_8080 == 0
    }

    private mutating func step(_ byte: UInt8) {
        if needed > 0 {
            if byte < low || byte > high { failed = true }
            needed -= 1
            low = 0x80
            high = 0xBF
            return
        }
        switch byte {
        case 0...0x7F: break
        case 0xC2...0xDF: needed = 1
        case 0xE0...0xEF:
            needed = 2
            if byte == 0xE0 { low = 0xA0 }
            if byte == 0xED { high = 0x9F }
        case 0xF0...0xF4:
            needed = 3
            if byte == 0xF0 { low = 0x90 }
            if byte == 0xF4 { high = 0x8F }
        default: failed = true
        }
    }
}

/// Source bytes → UTF-8, chunk by chunk.
struct Transcoder {
    private let encoding: MarkupEncoding
    private var skip: Int
    private var odd: UInt8?
    private var highSurrogate: UInt16?

    init(encoding: MarkupEncoding, skip: Int) {
        self.encoding = encoding
        self.skip = skip
    }

    /// Appends the UTF-8 of a chunk. Lone surrogates become U+FFFD.
    mutating func convert(_ chunk: UnsafeBufferPointer<UInt8>, into output: inout [UInt8]) {
        let drop = min(skip, chunk.count)
        skip -= drop
        let bytes = UnsafeBufferPointer(rebasing: chunk[drop...])
        switch encoding {
        case .utf8: output.append(contentsOf: bytes)
        case .utf16LE, .utf16BE: convert16(bytes, into: &output)
        case .windows1252: for byte in bytes { UTF8Writer.append(UInt32(windows_1252_character(byte)), to: &output) }
        default:
            guard let page = (encoding.page?.rawValue).map(UInt8.init(truncatingIfNeeded:)) else { return }
            for byte in bytes { UTF8Writer.append(UInt32(single_byte_character(page, byte)), to: &output) }
        }
    }

    private mutating func convert16(_ bytes: UnsafeBufferPointer<UInt8>, into output: inout [UInt8]) {
        for byte in bytes {
            guard let first = odd else {
                odd = byte
                continue
            }
            odd = nil
            let unit =
                encoding == .utf16LE ? UInt16(first) | UInt16(byte) << 8 : UInt16(byte) | UInt16(first) << 8
            if let high = highSurrogate {
                highSurrogate = nil
                if unit & 0xFC00 == 0xDC00 {
                    let scalar = 0x10000 + (UInt32(high & 0x3FF) << 10) + UInt32(unit & 0x3FF)
                    UTF8Writer.append(scalar, to: &output)
                    continue
                }
                UTF8Writer.append(0xFFFD, to: &output)
            }
            if unit & 0xFC00 == 0xD800 {
                highSurrogate = unit
            } else {
                UTF8Writer.append(unit & 0xFC00 == 0xDC00 ? 0xFFFD : UInt32(unit), to: &output)
            }
        }
    }
}

enum UTF8Writer {
    /// Appends a scalar value (the caller keeps surrogates out).
    static func append(_ scalar: UInt32, to output: inout [UInt8]) {
        switch scalar {
        case 0..<0x80: output.append(UInt8(scalar))
        case 0x80..<0x800:
            output.append(UInt8(0xC0 | scalar >> 6))
            output.append(UInt8(0x80 | scalar & 0x3F))
        case 0x800..<0x10000:
            output.append(UInt8(0xE0 | scalar >> 12))
            output.append(UInt8(0x80 | scalar >> 6 & 0x3F))
            output.append(UInt8(0x80 | scalar & 0x3F))
        default:
            output.append(UInt8(0xF0 | scalar >> 18 & 0x07))
            output.append(UInt8(0x80 | scalar >> 12 & 0x3F))
            output.append(UInt8(0x80 | scalar >> 6 & 0x3F))
            output.append(UInt8(0x80 | scalar & 0x3F))
        }
    }
}
