/// A decimal number of up to 38 significant digits, held exactly.
///
/// The value is `coefficient / 10^scale`, always in normal form: no trailing zero after the point, zero at scale 0.
/// Two equal numbers therefore have equal fields, and hash alike. Nothing here ever goes through a binary float.
public struct ExactDecimal: Sendable, Hashable {
    /// All digits as one integer, with the sign. Its magnitude is below 10^38.
    public let coefficient: Int128
    /// How many of the digits stand after the point, 0 to ``maximumScale``.
    public let scale: UInt8

    /// The most significant digits that a value may have.
    public static let maximumDigits = 38
    /// The most digits after the point that a value may have.
    ///
    /// Twice ``maximumDigits``, so that the product of two numbers below one has room for its leading zeros.
    public static let maximumScale = 76
    /// The number 0.
    public static let zero = ExactDecimal(unchecked: 0, scale: 0)
    /// The number 1.
    public static let one = ExactDecimal(unchecked: 1, scale: 0)

    /// Takes fields that are known to be in normal form and in range.
    @inlinable
    init(unchecked coefficient: Int128, scale: UInt8) {
        self.coefficient = coefficient
        self.scale = scale
    }

    /// The value `coefficient / 10^scale`, brought to normal form; `nil` when it needs more than 38 digits or 76 decimals.
    ///
    /// - Parameter scale: digits after the point; a negative scale multiplies by a power of ten.
    @inlinable
    public init?(coefficient: Int128, scale: Int) {
        if scale >= 0, scale <= 18, let small = Int64(exactly: coefficient) {
            self.init(normalizing: small, scale: scale)
        } else {
            self.init(wide: coefficient.magnitude, isNegative: coefficient < 0, scale: scale)
        }
    }

    /// A whole number.
    @inlinable
    public init(_ value: Int) {
        self.init(unchecked: Int128(value), scale: 0)
    }

    /// The fast half of the normalizing initializer: 64-bit division only. `scale` is 0 to 18, so it always fits.
    @inlinable
    init(normalizing coefficient: Int64, scale: Int) {
        var digits = coefficient
        var decimals = digits == 0 ? 0 : scale
        while decimals > 0 {
            let (quotient, remainder) = digits.quotientAndRemainder(dividingBy: 10)
            if remainder != 0 { break }
            digits = quotient
            decimals -= 1
        }
        self.init(unchecked: Int128(digits), scale: UInt8(truncatingIfNeeded: decimals))
    }

    /// The general half of the normalizing initializer: any magnitude, any scale.
    @usableFromInline
    init?(wide magnitude: UInt128, isNegative: Bool, scale: Int) {
        if magnitude == 0 {
            self = .zero
            return
        }
        var digits = magnitude
        var decimals = scale
        while decimals > 0 {
            let (quotient, remainder) = digits.quotientAndRemainder(dividingBy: 10)
            if remainder != 0 { break }
            digits = quotient
            decimals -= 1
        }
        if decimals < 0 {
            guard let power = powerOfTen(-decimals) else { return nil }
            let (product, overflow) = digits.multipliedReportingOverflow(by: power)
            if overflow { return nil }
            digits = product
            decimals = 0
        }
        guard digits < coefficientLimit, decimals <= ExactDecimal.maximumScale else { return nil }
        let signed = Int128(digits)
        self.init(unchecked: isNegative ? -signed : signed, scale: UInt8(decimals))
    }
}

/// 10^38: the first magnitude that has too many digits.
let coefficientLimit: UInt128 = 100_000_000_000_000_000_000_000_000_000_000_000_000

/// 10^`exponent`, or `nil` for more than 38 (10^39 is beyond 128 bits).
func powerOfTen(_ exponent: Int) -> UInt128? {
    guard exponent >= 0, exponent <= 38 else { return nil }
    if exponent <= 19 { return UInt128(smallPowerOfTen(exponent)) }
    return UInt128(smallPowerOfTen(19)) * UInt128(smallPowerOfTen(exponent - 19))
}

/// 10^`exponent` for 0 to 19.
func smallPowerOfTen(_ exponent: Int) -> UInt64 {
    var power: UInt64 = 1
    for _ in 0..<exponent { power &*= 10 }
    return power
}

extension ExactDecimal: ExpressibleByIntegerLiteral {
    /// A whole number written in source code.
    @inlinable
    public init(integerLiteral value: Int64) {
        self.init(unchecked: Int128(value), scale: 0)
    }
}

extension ExactDecimal {
    /// Whether this is 0.
    @inlinable
    public var isZero: Bool { coefficient == 0 }

    /// −1, 0 or 1.
    @inlinable
    public var signum: Int { coefficient == 0 ? 0 : (coefficient < 0 ? -1 : 1) }

    /// Whether this is below 0.
    @inlinable
    public var isNegative: Bool { coefficient < 0 }

    /// Whether nothing stands after the point.
    @inlinable
    public var isInteger: Bool { scale == 0 }

    /// The number without its sign.
    @inlinable
    public var magnitude: ExactDecimal { coefficient < 0 ? negated : self }

    /// The number with the other sign; always fits, because the range is symmetric.
    @inlinable
    public var negated: ExactDecimal { ExactDecimal(unchecked: -coefficient, scale: scale) }

    /// The number as a machine integer, or `nil` when it has decimals or does not fit.
    @inlinable
    public var asInt: Int? { scale == 0 ? Int(exactly: coefficient) : nil }

    /// The other sign.
    @inlinable
    public static prefix func - (value: ExactDecimal) -> ExactDecimal { value.negated }
}

extension ExactDecimal: Comparable {
    /// Compares by value.
    @inlinable
    public static func < (left: ExactDecimal, right: ExactDecimal) -> Bool {
        if left.scale == right.scale { return left.coefficient < right.coefficient }
        return left.isLessAcrossScales(than: right)
    }

    @usableFromInline
    func isLessAcrossScales(than other: ExactDecimal) -> Bool {
        let signs = (signum, other.signum)
        if signs.0 != signs.1 { return signs.0 < signs.1 }
        let smaller = hasSmallerMagnitude(than: other)
        return isNegative ? !smaller : smaller
    }

    /// Whether |self| < |other|; the scales differ, and so do the numbers, as both are in normal form.
    private func hasSmallerMagnitude(than other: ExactDecimal) -> Bool {
        if scale < other.scale {
            // What does not fit after scaling up is beyond every coefficient, so it is the larger one.
            guard let mine = scaledUp(by: Int(other.scale - scale)) else { return false }
            return mine < other.coefficient.magnitude
        }
        guard let theirs = other.scaledUp(by: Int(scale - other.scale)) else { return true }
        return coefficient.magnitude < theirs
    }

    /// |coefficient| × 10^places, or `nil` when it is beyond 128 bits.
    func scaledUp(by places: Int) -> UInt128? {
        guard let power = powerOfTen(places) else { return nil }
        let (product, overflow) = coefficient.magnitude.multipliedReportingOverflow(by: power)
        return overflow ? nil : product
    }
}

extension ExactDecimal: Codable {
    /// Reads the canonical text.
    ///
    /// - Throws: `DecodingError.dataCorrupted` when the text is no number of at most 38 digits.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        guard let value = ExactDecimal(exactly: text) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "not an exact decimal: \(text)")
        }
        self = value
    }

    /// Writes the canonical text, as a string: a coder's own number could be a binary float.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}
