import Delimited
import OpenAlloc

/// What rules have asked of the row of which a recipe was made, beyond what its class fixes, and what it answered. A row
/// of the class that answers otherwise has another recipe.
enum RecipeGuard: Sendable, Hashable {
    /// Whether something holds of cells as they stand.
    case cells(Condition, Bool)
    /// The sign of a number.
    case sign(RowNumber, Int)
    /// Whether a number lies within bounds.
    case lies(RowNumber, above: ExactDecimal?, below: ExactDecimal?, Bool)
    /// A number has a value.
    case works(RowNumber)

    /// The number that is asked of.
    var number: RowNumber? {
        switch self {
        case .cells: nil
        case .sign(let number, _), .lies(let number, _, _, _), .works(let number): number
        }
    }

    /// Whether a number lies within bounds, as conditions have it.
    static func lies(_ value: ExactDecimal, above: ExactDecimal?, below: ExactDecimal?) -> Bool {
        if let above, value <= above { return false }
        if let below, value >= below { return false }
        return true
    }
}

extension Evaluator {
    /// Whether the row, whose cells are bound and as they stand, answers a recipe's question as its first row did.
    func answers(_ question: RecipeGuard) -> Bool {
        switch question {
        case .cells(let condition, let answer): return holds(condition) == answer
        case .sign(let number, let sign):
            guard let value = value(of: number) else { return false }
            return value.signum == sign
        case .lies(let number, let above, let below, let answer):
            guard let value = value(of: number) else { return false }
            return RecipeGuard.lies(value, above: above, below: below) == answer
        case .works(let number): return value(of: number) != nil
        }
    }

    /// The value of a number of the row.
    func value(of number: RowNumber) -> ExactDecimal? {
        // Not by a closure, which would copy the evaluator.
        switch number {
        case .constant(let value): return value
        case .cell(let slot):
            guard case .value(let value, _) = self.number(slot) else { return nil }
            return value
        case .negated(let inner):
            guard let value = value(of: inner) else { return nil }
            return value.negated
        case .magnitude(let inner):
            guard let value = value(of: inner) else { return nil }
            return value.magnitude
        case .binary(let op, let left, let right):
            guard let a = value(of: left), let b = value(of: right) else { return nil }
            return RowNumber.combine(op, a, b)
        }
    }
}
