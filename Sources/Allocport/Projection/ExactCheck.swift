import Delimited
import Importing
import OpenAlloc

/// Whether units × price and costs come to the amount, for rows of a prepared class: `RecordChecks` itself, on the row's
/// numbers. For those whose price is not the cell's own, and where `PriceCheck` says no.
struct ExactCheck {
    private struct Number {
        var place: Int
        var isNegative: Bool

        func value(_ values: RowValues) -> ExactDecimal? {
            let number = values.number(place)
            let magnitude = Int128(truncatingIfNeeded: number.coefficient.magnitude)
            return ExactDecimal(coefficient: isNegative ? -magnitude : magnitude, scale: Int(number.scale))
        }
    }

    private let units: Number
    private let price: Number
    private let source: Number
    private let amount: Number
    private var costs: [Number] = []
    private var accrued: Number?
    private let rules: RecordChecks.AddUpRules

    /// Nil where a number of the row is none that its values have.
    init?(_ row: TransactionRow, _ example: RecordClass.Example, _ values: ExampleValues) {
        func number(_ value: ExactDecimal?) -> Number? {
            guard let value, !value.isZero, let place = values.number(value) else { return nil }
            return Number(place: place, isNegative: value.isNegative)
        }
        guard let units = number(row.units), let price = number(row.price), let source = number(row.sourcePrice),
            let amount = number(row.amount)
        else { return nil }
        (self.units, self.price, self.source, self.amount) = (units, price, source, amount)
        for field in [Record.Number.commission, .fees, .tax] {
            guard let cost = example.record[field], !cost.isZero else { continue }
            guard let found = number(cost) else { return nil }
            costs.append(found)
        }
        if let value = example.record[.accruedInterest], !value.isZero {
            guard let found = number(value) else { return nil }
            accrued = found
        }
        rules = RecordChecks.AddUpRules(example.record)
    }

    /// What a row's numbers say.
    enum Verdict { case addsUp, differs, unknown }

    /// Whether a row adds up.
    func passes(_ values: RowValues) -> Bool { verdict(values) == .addsUp }

    /// Whether a row adds up, where that can be told here.
    func verdict(_ values: RowValues) -> Verdict {
        guard let units = units.value(values), let price = price.value(values), let source = source.value(values),
            let amount = amount.value(values)
        else { return .unknown }
        var total = ExactDecimal.zero
        for cost in costs {
            guard let value = cost.value(values), let sum = total.adding(value) else { return .unknown }
            total = sum
        }
        var interest = ExactDecimal.zero
        if let accrued {
            guard let value = accrued.value(values) else { return .unknown }
            interest = value.magnitude
        }
        let difference = RecordChecks.mismatch(
            units: units, price: price, source: source, amount: amount, costs: total, accrued: interest, rules)
        return difference == nil ? .addsUp : .differs
    }
}
