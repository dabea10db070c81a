import CCodePages

/// The encodings in which exports come.
public enum TextEncoding: Sendable, Hashable, CaseIterable {
    case utf8
    case utf16LE
    case utf16BE
    case windows1252
    /// The Windows code page of Central Europe: Polish, Czech, Slovak, Hungarian, Croatian, Romanian.
    case windows1250
    /// Japanese: code page 932 of Windows.
    case shiftJIS
    /// Chinese in short characters: code page 936 of Windows, with the pairs that GB 18030 added.
    case gbk
    /// Korean: code page 949 of Windows.
    case eucKR
    /// Chinese in long characters: code page 950 of Windows.
    case big5
    /// The Windows code page of Hebrew.
    case windows1255

    /// The encoding's IANA name.
    public var name: String {
        switch self {
        case .utf8: "UTF-8"
        case .utf16LE: "UTF-16LE"
        case .utf16BE: "UTF-16BE"
        case .windows1252: "windows-1252"
        case .windows1250: "windows-1250"
        case .shiftJIS: "Shift_JIS"
        case .gbk: "GBK"
        case .eucKR: "EUC-KR"
        case .big5: "Big5"
        case .windows1255: "windows-1255"
        }
    }

    /// The byte order mark of the encoding; none for the code pages of Windows.
    public var byteOrderMark: [UInt8] {
        switch self {
        case .utf8: [0xEF, 0xBB, 0xBF]
        case .utf16LE: [0xFF, 0xFE]
        case .utf16BE: [0xFE, 0xFF]
        case .windows1252, .windows1250, .shiftJIS, .gbk, .eucKR, .big5, .windows1255: []
        }
    }

    /// Whether a character takes two or four bytes, so that the text must not be cut anywhere.
    public var isWide: Bool { self == .utf16LE || self == .utf16BE }

    /// The page of pairs of bytes that the encoding is.
    var pairs: DoubleBytePage? {
        switch self {
        case .shiftJIS: .shiftJIS
        case .gbk: .gbk
        case .eucKR: .eucKR
        case .big5: .big5
        case .utf8, .utf16LE, .utf16BE, .windows1252, .windows1250, .windows1255: nil
        }
    }

    /// Encodes UTF-8 text, without a byte order mark. A character that a code page lacks becomes `?`.
    public func encode(_ utf8: [UInt8]) -> [UInt8] {
        switch self {
        case .utf8: return utf8
        case .utf16LE, .utf16BE:
            var result: [UInt8] = []
            result.reserveCapacity(utf8.count * 2)
            for unit in String(decoding: utf8, as: UTF8.self).utf16 {
                let high = UInt8(unit >> 8)
                let low = UInt8(unit & 0xFF)
                result.append(self == .utf16LE ? low : high)
                result.append(self == .utf16LE ? high : low)
            }
            return result
        case .windows1252:
            return String(decoding: utf8, as: UTF8.self).unicodeScalars.map(Windows1252.byte(of:))
        case .windows1250:
            return String(decoding: utf8, as: UTF8.self).unicodeScalars.map(Windows1250.byte(of:))
        case .windows1255:
            return String(decoding: utf8, as: UTF8.self).unicodeScalars.map(Windows1255.byte(of:))
        case .shiftJIS, .gbk, .eucKR, .big5:
            var result: [UInt8] = []
            result.reserveCapacity(utf8.count)
            for scalar in String(decoding: utf8, as: UTF8.self).unicodeScalars { pairs?.append(scalar, to: &result) }
            return result
        }
    }

    /// Encodes text that was decoded from bytes that are no text, so that it is none again: where a replacement character
    /// stands, half a surrogate pair does in UTF-16, a byte without a meaning in a code page that has such bytes.
    public func encodeUndecodable(_ utf8: [UInt8]) -> [UInt8] {
        if Self.rarer.contains(self) {
            let parts = String(decoding: utf8, as: UTF8.self).unicodeScalars.split(
                separator: "\u{FFFD}", omittingEmptySubsequences: false)
            // It has no meaning in any of them.
            return Array(parts.map { encode(Array(String($0).utf8)) }.joined(separator: [0xFF]))
        }
        var bytes = encode(utf8)
        guard self == .utf16LE || self == .utf16BE else { return bytes }
        let high = self == .utf16LE ? 1 : 0
        for index in stride(from: 0, to: bytes.count - 1, by: 2)
        where bytes[index + high] == 0xFF && bytes[index + 1 - high] == 0xFD {
            bytes[index + high] = 0xDC
            bytes[index + 1 - high] = 0
        }
        return bytes
    }
}

/// Windows-1252, of which `CCodePages` has the characters.
enum Windows1252 {
    /// The code point of a byte.
    static func codePoint(of byte: UInt8) -> UInt32 { UInt32(windows_1252_character(byte)) }

    /// The byte of a character, `?` if there is none.
    static func byte(of scalar: Unicode.Scalar) -> UInt8 {
        let value = scalar.value
        if value < 0x80 || (0xA0...0xFF).contains(value) { return UInt8(value) }
        return (0x80...0x9F).first { codePoint(of: $0) == value } ?? 0x3F
    }
}
