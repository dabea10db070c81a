package import OpenAlloc

/// A number that rules work out of a row's cells. What the class of the row fixes is worked in already: no cell in it is
/// blank.
package indirect enum RowNumber: Sendable, Hashable {
    case constant(ExactDecimal)
    /// The number that the row has in the cell of a variable.
    case cell(Int)
    case binary(Operator, RowNumber, RowNumber)
    case negated(RowNumber)
    case magnitude(RowNumber)

    /// What is done with two numbers.
    package enum Operator: UInt8, Sendable { case add, subtract, multiply, divide }

    /// Its value; nil where the evaluator would reject the row: a division by zero, or more than 38 digits.
    ///
    /// - Parameter cell: the number of a cell; nil when it has none.
    package func value(_ cell: (Int) -> ExactDecimal?) -> ExactDecimal? {
        switch self {
        case .constant(let number): return number
        case .cell(let slot): return cell(slot)
        case .negated(let inner):
            guard let value = inner.value(cell) else { return nil }
            return value.negated
        case .magnitude(let inner):
            guard let value = inner.value(cell) else { return nil }
            return value.magnitude
        case .binary(let op, let left, let right):
            guard let a = left.value(cell), let b = right.value(cell) else { return nil }
            return RowNumber.combine(op, a, b)
        }
    }

    /// The result of an operator, as the evaluator has it.
    static func combine(_ op: Operator, _ a: ExactDecimal, _ b: ExactDecimal) -> ExactDecimal? {
        switch op {
        case .add: return a.adding(b)
        case .subtract: return a.subtracting(b)
        case .multiply: return a.multiplied(by: b)
        case .divide:
            guard let quotient = a.divided(by: b) else { return nil }
            return quotient.value
        }
    }

    /// Its sign, where those of the cells decide it. A quotient may be rounded to zero.
    func sign(_ cell: (Int) -> Int) -> Int? {
        switch self {
        case .constant(let number): return number.signum
        case .cell(let slot): return cell(slot)
        case .negated(let inner): return inner.sign(cell).map { 0 - $0 }
        case .magnitude(let inner): return inner.sign(cell).map { $0 == 0 ? 0 : 1 }
        case .binary(let op, let left, let right):
            guard let a = left.sign(cell), var b = right.sign(cell) else { return nil }
            switch op {
            case .multiply: return a * b
            case .divide: return nil
            case .add, .subtract:
                if op == .subtract { b = 0 - b }
                if a == 0 || b == 0 || a == b { return a == 0 ? b : a }
                return nil
            }
        }
    }

    /// The cell whose magnitude is its own.
    var cellOfMagnitude: Int? {
        switch self {
        case .cell(let slot): slot
        case .negated(let inner), .magnitude(let inner): inner.cellOfMagnitude
        case .constant, .binary: nil
        }
    }

    /// Whether some rows have no value.
    var mayFail: Bool {
        switch self {
        case .constant, .cell: false
        case .negated(let inner), .magnitude(let inner): inner.mayFail
        case .binary: true
        }
    }

    /// Whether another number is part of this one, so that it has a value where this has.
    func contains(_ other: RowNumber) -> Bool {
        if self == other { return true }
        switch self {
        case .constant, .cell: return false
        case .negated(let inner), .magnitude(let inner): return inner.contains(other)
        case .binary(_, let left, let right): return left.contains(other) || right.contains(other)
        }
    }
}
