import Delimited
import Importing
import OpenAlloc

/// Whether units × price and costs come to the amount, for rows of a prepared class: `RecordChecks` itself, on the row's
/// numbers. For those whose price is not the cell's own, and where `PriceCheck` says no.
struct ExactCheck {
    private struct Number {
        /// Where a row has it; its sign is that of the class.
        var place = -1
        var isNegative = false
        /// The number, where all rows of the class have the same.
        var constant: [ExactDecimal] = []

        func value(_ values: RowValues) -> ExactDecimal? {
            guard place >= 0 else { return constant.first }
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
    private let allowsGross: Bool

    /// Nil where a number of the row is none that its values have.
    init?(_ rows: (TransactionRow, TransactionRow), _ recordClass: RecordClass, _ values: ExampleValues) {
        func number(_ value: ExactDecimal?, _ other: ExactDecimal?) -> Number? {
            guard let value, let other, !value.isZero else { return nil }
            if let place = values.number(value) { return Number(place: place, isNegative: value.isNegative) }
            return value == other ? Number(constant: [value]) : nil
        }
        let (row, second) = rows
        guard let units = number(row.units, second.units), let price = number(row.price, second.price),
            let source = number(row.sourcePrice, second.sourcePrice), let amount = number(row.amount, second.amount)
        else { return nil }
        let (example, other) = (recordClass.examples.0.record, recordClass.examples.1.record)
        allowsGross = RecordChecks.allowsGross(example.kind)
        (self.units, self.price, self.source, self.amount) = (units, price, source, amount)
        for field in [Record.Number.commission, .fees, .tax] {
            guard let cost = example[field], !cost.isZero else { continue }
            guard let found = number(cost, other[field]) else { return nil }
            costs.append(found)
        }
        if let value = example[.accruedInterest], !value.isZero {
            guard let found = number(value, other[.accruedInterest]) else { return nil }
            accrued = found
        }
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
            units: units, price: price, source: source, amount: amount, costs: total, accrued: interest,
            allowsGross: allowsGross)
        return difference == nil ? .addsUp : .differs
    }
}
