import Importing
import OpenAlloc

/// Arithmetic of the projection: what does not fit 38 digits is a finding, never rounded.
enum Money {
    static let hundredth = ExactDecimal(coefficient: 1, scale: 2) ?? .zero
    private static let hundred: ExactDecimal = 100

    static func range(_ column: String, _ value: ExactDecimal) -> Finding {
        Finding(
            .numberRange, column: column, value: value.description,
            reason: "the number has more digits than can be kept exactly (38)", suggestion: "Check the line's numbers.")
    }

    static func product(_ left: ExactDecimal, _ right: ExactDecimal, _ column: String) throws(Finding) -> ExactDecimal {
        guard let product = left.multiplied(by: right) else { throw range(column, left) }
        return product
    }

    static func sum(_ left: ExactDecimal, _ right: ExactDecimal, _ column: String) throws(Finding) -> ExactDecimal {
        guard let sum = left.adding(right) else { throw range(column, left) }
        return sum
    }

    /// Exact where it terminates, else 12 decimals, half-even.
    static func quotient(_ left: ExactDecimal, _ right: ExactDecimal, _ column: String) throws(Finding) -> ExactDecimal
    {
        guard let quotient = left.divided(by: right) else { throw range(column, left) }
        return quotient.value
    }

    /// A price of the source as money for one unit in the row's currency.
    static func unitPrice(_ price: ExactDecimal, of record: borrowing Record) throws(Finding) -> ExactDecimal {
        switch record.priceUnit {
        case .share: price
        case .percentOfPar, .minor: try product(price, hundredth, "price")
        case .contract: try product(price, record[.multiplier] ?? hundred, "price")
        }
    }

    /// Commission, fees and tax, positive when paid.
    static func costs(of record: borrowing Record) throws(Finding) -> ExactDecimal {
        var total = ExactDecimal.zero
        if let commission = record[.commission] { total = commission }
        if let fees = record[.fees] { total = try sum(total, fees, "fees") }
        if let tax = record[.tax] { total = try sum(total, tax, "tax") }
        return total
    }
}
