import Delimited
import OpenAlloc

/// How large a number can be that is worked out of cells of few digits: enough to know that it can be worked out at all.
struct DigitBounds {
    /// It is less than ten to this power.
    private let whole: Int
    /// Its decimals; nil of a quotient, which has as many as it has room for.
    private let scale: Int?

    /// What few digits are: a coefficient below this, and so many decimals.
    static let coefficient: UInt64 = 1_000_000_000, decimals = 6
    private static let digits = 9

    /// Whether a cell has few digits, and is not zero.
    @inline(__always)
    static func hold(_ number: PlainDecimal) -> Bool {
        // Below zero there is nothing: then zero is too much, too.
        number.coefficient.magnitude &- 1 < coefficient - 1 && number.scale <= UInt8(truncatingIfNeeded: decimals)
    }

    /// The most digits of a number, and the decimals of a quotient that does not end (`ExactDecimal.divided`).
    private static let most = 38, decimalsOfQuotient = 12

    /// Nil where it may have more digits than there is room for, or a divisor may be zero though no cell is.
    init?(_ number: RowNumber) {
        switch number {
        case .constant(let value):
            (whole, scale) = (DigitBounds.most - Int(value.scale), Int(value.scale))
        case .cell: (whole, scale) = (DigitBounds.digits, DigitBounds.decimals)
        case .negated(let inner), .magnitude(let inner):
            guard let bounds = DigitBounds(inner) else { return nil }
            (whole, scale) = (bounds.whole, bounds.scale)
        case .binary(let op, let left, let right):
            guard let a = DigitBounds(left), let b = DigitBounds(right), let decimals = a.scale, let others = b.scale
            else { return nil }
            switch op {
            case .add, .subtract: (whole, scale) = (max(a.whole, b.whole) + 1, max(decimals, others))
            case .multiply: (whole, scale) = (a.whole + b.whole, decimals + others)
            case .divide:
                guard DigitBounds.isProduct(right) else { return nil }
                (whole, scale) = (a.whole + others, nil)
            }
            guard whole + (scale ?? DigitBounds.decimalsOfQuotient) <= DigitBounds.most else { return nil }
        }
    }

    /// Whether it is zero only where a cell is.
    private static func isProduct(_ number: RowNumber) -> Bool {
        switch number {
        case .constant(let value): !value.isZero
        case .cell: true
        case .negated(let inner), .magnitude(let inner): isProduct(inner)
        case .binary(let op, let left, let right): op == .multiply && isProduct(left) && isProduct(right)
        }
    }
}
