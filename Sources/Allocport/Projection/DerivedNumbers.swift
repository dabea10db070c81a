import Importing
import OpenAlloc

/// Numbers that the projection works out of a row's: a price of the amount and the units, a price of another unit, what
/// is left of an amount after its costs. A row of a prepared class has them worked out in the same way, beside its own.
///
/// Which it is, is found by the examples of the class: nothing else comes out the same for both of them.
struct DerivedNumbers {
    private var outputs: [(number: RowNumber, place: Int, sign: Int)] = []
    private var first: RecordClass.Example
    private var second: RecordClass.Example

    init(_ recordClass: RecordClass) { (first, second) = recordClass.examples }

    /// The same row has become another record, too.
    mutating func use(_ recordClass: RecordClass) { (first, second) = recordClass.examples }

    /// What is to be worked out for each row; nil for nothing.
    var program: RowProgram? { outputs.isEmpty ? nil : RowProgram(outputs: outputs) }

    /// Finds how a number of both examples came about, unless it is one of theirs; then it gets a place beside them.
    mutating func find(_ left: ExactDecimal?, _ right: ExactDecimal?, _ values: inout ExampleValues) {
        guard let left, let right, left != right, values.number(left) == nil else { return }
        let place = values.numberCount
        guard place < RowValues.capacity, left.signum == right.signum else { return }
        for candidate in candidates(values) {
            guard let one = candidate.value({ first.numbers[$0] }), let other = candidate.value({ second.numbers[$0] }),
                one == left, other == right
            else { continue }
            outputs.append((candidate, place, left.signum))
            values.append(left, right)
            return
        }
    }

    private func candidates(_ values: ExampleValues) -> [RowNumber] {
        func field(_ field: Record.Number) -> RowNumber? {
            guard let value = first.record[field], let other = second.record[field] else { return nil }
            if value == other { return .constant(value) }
            guard let place = values.number(value), place < first.numbers.count else { return nil }
            return value.isNegative ? .negated(.magnitude(.cell(place))) : .magnitude(.cell(place))
        }
        var result: [RowNumber] = []
        let units = field(.units)
        var prices = [field(.price)].compactMap { $0 }
        // A price in another currency becomes one in the row's by the row's own rate.
        if let source = field(.sourcePrice), let rate = field(.exchangeRate) {
            prices.append(.binary(.divide, source, rate))
        }
        for price in prices {
            switch first.record.priceUnit {
            case .share: result.append(price)
            case .percentOfPar, .minor: result.append(.binary(.multiply, price, .constant(Money.hundredth)))
            case .contract:
                if let multiplier = first.record[.multiplier] == nil ? .constant(100) : field(.multiplier) {
                    result.append(.binary(.multiply, price, multiplier))
                }
            }
        }
        if let proceeds = field(.proceeds), let units { result.append(quotient(proceeds, units)) }
        guard let amount = field(.amount), let units else { return result }
        result.append(quotient(amount, units))
        // The amount of a purchase may be printed without its sign.
        for amount in [amount, .negated(amount)] {
            var gross = amount
            var net = amount
            for cost in [Record.Number.commission, .fees, .tax] where first.record[cost] != nil {
                guard let cost = field(cost) else { return result }
                gross = .binary(.add, gross, cost)
                net = .binary(.subtract, net, cost)
            }
            result.append(quotient(gross, units))
            // What is left where costs come out of it, and where they are rows of their own.
            result.append(net)
            result.append(gross)
            guard let accrued = field(.accruedInterest) else { continue }
            result.append(quotient(.binary(.add, gross, .magnitude(accrued)), units))
            result.append(quotient(.binary(.subtract, gross, .magnitude(accrued)), units))
        }
        return result
    }

    private func quotient(_ amount: RowNumber, _ units: RowNumber) -> RowNumber {
        .binary(.divide, .magnitude(amount), .magnitude(units))
    }
}
