extension ExactDecimal {
    /// Why a text is no ``ExactDecimal``.
    public enum ParseError: Error, Sendable, Hashable {
        /// There is no text.
        case empty
        /// The text is not `[+-]?digits[.digits]`.
        case malformed
        /// The text is a number, but needs more than 38 significant digits or 76 decimals.
        case outOfRange
    }

    /// Reads `[+-]?digits[.digits]` and nothing else: no exponent, blank, grouping, hexadecimal or `NaN`.
    ///
    /// - Throws: ``ParseError``. A number that does not fit is an error, never rounded.
    @inlinable
    public static func parse(_ bytes: UnsafeBufferPointer<UInt8>) throws(ParseError) -> ExactDecimal {
        let end = bytes.count
        if end == 0 { throw .empty }
        let sign = bytes[0]
        let start = sign == 0x2D || sign == 0x2B ? 1 : 0
        // Nineteen digits fit 64 bits unsigned, eighteen fit signed: that is nearly every number there is.
        guard end - start <= 18 else { return try parseLong(bytes, from: start) }
        var value: Int64 = 0
        var index = start
        while index < end {
            let digit = bytes[index] &- 0x30
            if digit > 9 { break }
            value = value &* 10 &+ Int64(digit)
            index += 1
        }
        if index == start { throw .malformed }
        guard index < end else {
            return ExactDecimal(unchecked: Int128(sign == 0x2D ? -value : value), scale: 0)
        }
        // What ends the whole part must be a point with a digit after it. Zeros at the end are dropped as text, which
        // spares the divisions that would drop them from the number.
        let point = index
        var last = end
        while last > point + 2, bytes[last - 1] == 0x30 { last -= 1 }
        if bytes[point] != 0x2E || point + 1 == end { throw .malformed }
        if last == point + 2, bytes[point + 1] == 0x30 { last = point }
        index = point + 1
        while index < last {
            let digit = bytes[index] &- 0x30
            if digit > 9 { throw .malformed }
            value = value &* 10 &+ Int64(digit)
            index += 1
        }
        let decimals = value == 0 || last == point ? 0 : last - 1 - point
        return ExactDecimal(
            unchecked: Int128(sign == 0x2D ? -value : value), scale: UInt8(truncatingIfNeeded: decimals))
    }

    /// Reads a span of bytes; see ``parse(_:)-(UnsafeBufferPointer<UInt8>)``.
    @inlinable
    public static func parse(_ bytes: Span<UInt8>) throws(ParseError) -> ExactDecimal {
        try bytes.withUnsafeBufferPointer { (buffer) throws(ParseError) in try parse(buffer) }
    }

    /// The number that the whole text is, or `nil`: `[+-]?digits[.digits]`, up to 38 significant digits.
    public init?(exactly text: some StringProtocol) {
        var copy = String(text)
        let parsed = copy.withUTF8 { try? ExactDecimal.parse($0) }
        guard let parsed else { return nil }
        self = parsed
    }

    /// The number that a JSON number token is, or `nil` when it needs more than 38 digits.
    ///
    /// JSON allows an exponent; it moves the point and the value stays exact.
    public init?(jsonNumber token: String) {
        var copy = token
        let parsed = copy.withUTF8 { (bytes) -> ExactDecimal? in
            guard let mark = bytes.firstIndex(where: { $0 | 0x20 == 0x65 }) else {
                return try? ExactDecimal.parse(bytes)
            }
            let head = UnsafeBufferPointer(rebasing: bytes[..<mark])
            let tail = UnsafeBufferPointer(rebasing: bytes[(mark + 1)...])
            guard let mantissa = try? ExactDecimal.parse(head), let power = try? ExactDecimal.parse(tail) else {
                return nil
            }
            if mantissa.isZero { return .zero }
            // Beyond a thousand places no mantissa of 38 digits can come back into range.
            guard let places = power.asInt, places.magnitude < 1000 else { return nil }
            return ExactDecimal(coefficient: mantissa.coefficient, scale: Int(mantissa.scale) - places)
        }
        guard let parsed else { return nil }
        self = parsed
    }

    /// The general reader: any length. Zeros before the first and after the last digit that counts cost no digits.
    @usableFromInline
    static func parseLong(_ bytes: UnsafeBufferPointer<UInt8>, from start: Int) throws(ParseError) -> ExactDecimal {
        let shape = try NumberShape(bytes, from: start)
        var value: UInt128 = 0
        var digits = 0
        var index = shape.firstDigit
        while index < shape.end {
            let byte = bytes[index]
            index += 1
            if byte == 0x2E { continue }
            // At most 38 digits get here, so that the sum stays below 10^38.
            if digits == maximumDigits { throw .outOfRange }
            value = value &* 10 &+ UInt128(byte &- 0x30)
            if value != 0 { digits += 1 }
        }
        guard let result = ExactDecimal(wide: value, isNegative: bytes[0] == 0x2D, scale: shape.decimals) else {
            throw .outOfRange
        }
        return result
    }
}

/// Where the digits that count stand in a well-formed number.
private struct NumberShape {
    /// Index of the first digit.
    var firstDigit: Int
    /// Index after the last byte that counts: zeros that end the decimals are left out.
    var end: Int
    /// Digits between the point and `end`.
    var decimals: Int

    init(_ bytes: UnsafeBufferPointer<UInt8>, from start: Int) throws(ExactDecimal.ParseError) {
        var point = -1
        for index in start..<bytes.count where bytes[index] &- 0x30 >= 10 {
            guard bytes[index] == 0x2E, point < 0, index > start else { throw .malformed }
            point = index
        }
        if start == bytes.count || point == bytes.count - 1 { throw .malformed }
        firstDigit = start
        end = bytes.count
        decimals = 0
        guard point >= 0 else { return }
        while bytes[end - 1] == 0x30 { end -= 1 }
        decimals = end - 1 - point
    }
}
