public import Delimited

/// Check digits of security identifiers: ISIN (ISO 6166, mod 10) and CUSIP (ANSI X9.6).
public enum CheckDigit {
    /// The check digit that an ISIN's first eleven characters call for; nil when it has not the form of an ISIN.
    public static func isin(_ text: ByteView) -> UInt8? {
        guard text.count == 12, isLetter(text[0]), isLetter(text[1]), isDigit(text[11]) else { return nil }
        var digits: [UInt8] = []
        for i in 0..<11 {
            guard let value = value(text[i]) else { return nil }
            if value >= 10 { digits.append(value / 10) }
            digits.append(value % 10)
        }
        var sum = 0
        for (index, digit) in digits.reversed().enumerated() {
            let doubled = index.isMultiple(of: 2) ? Int(digit) * 2 : Int(digit)
            sum += doubled / 10 + doubled % 10
        }
        return UInt8(ascii: "0") + UInt8((10 - sum % 10) % 10)
    }

    /// The check digit that a CUSIP's first eight characters call for; nil when it has not the form of a CUSIP.
    public static func cusip(_ text: ByteView) -> UInt8? {
        guard text.count == 9, isDigit(text[8]) else { return nil }
        var sum = 0
        for i in 0..<8 {
            guard let value = value(text[i]) else { return nil }
            let doubled = i.isMultiple(of: 2) ? Int(value) : Int(value) * 2
            sum += doubled / 10 + doubled % 10
        }
        return UInt8(ascii: "0") + UInt8((10 - sum % 10) % 10)
    }

    /// Whether a text is a CUSIP with its right check digit.
    static func isCUSIP(_ text: ByteView) -> Bool { cusip(text).map { $0 == text[8] } ?? false }

    private static func value(_ byte: UInt8) -> UInt8? {
        if isDigit(byte) { return byte &- 0x30 }
        if isLetter(byte) { return (byte & 0xDF) &- 0x41 + 10 }
        switch byte {
        case UInt8(ascii: "*"): return 36
        case UInt8(ascii: "@"): return 37
        case UInt8(ascii: "#"): return 38
        default: return nil
        }
    }
}
