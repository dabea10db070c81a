import Importing
import OpenAlloc

/// Whether what a position states of one unit and of the whole agrees: a number that was damaged shows there.
enum HoldingCheck {
    /// What is stated of one unit, and what of the whole.
    static let pairs: [(unit: Record.Number, whole: Record.Number)] = [(.price, .marketValue), (.unitCost, .costBasis)]

    /// A fiftieth: a price may be of another minute than the value, and interest or costs may be in one of them alone.
    private static let share = ExactDecimal(coefficient: 2, scale: 2) ?? .zero

    /// What does not agree, in a row of a position.
    static func findings(_ record: borrowing Record) -> [Finding] {
        var findings: [Finding] = []
        for pair in pairs where applies(pair, record) {
            guard let units = record[.units], let stated = record[pair.unit], let whole = record[pair.whole],
                let price = try? Money.unitPrice(stated, of: record), !agree(units, price, whole),
                let product = units.magnitude.multiplied(by: price.magnitude)
            else { continue }
            findings.append(
                Finding(
                    .amountMismatch, column: pair.whole == .marketValue ? "marketValue" : "costBasis",
                    value: whole.description,
                    reason: "units × \(pair.unit == .price ? "price" : "cost of one") is \(product)",
                    suggestion: "Check the three numbers on the brokerage's page."))
        }
        return findings
    }

    /// Whether units × price must come to the whole. Contracts that are settled daily have a value of their own, bonds of a
    /// factor too, and what is converted is of two currencies.
    static func applies(_ pair: (unit: Record.Number, whole: Record.Number), _ record: borrowing Record) -> Bool {
        guard record.kind.shape == .position, !record.isMarkedToMarket, !record.isPriceDerived,
            record.priceUnit != .percentOfPar, record[.exchangeRate] == nil,
            record.isBlank(.priceCurrency) || record.bytes(.priceCurrency) == record.bytes(.currency)
        else { return false }
        return record[.units] != nil && record[pair.unit] != nil && record[pair.whole] != nil
    }

    /// Whether units × the price of one come to the whole, whatever their signs; a zero says nothing.
    static func agree(_ units: ExactDecimal, _ price: ExactDecimal, _ whole: ExactDecimal) -> Bool {
        if units.isZero || price.isZero || whole.isZero { return true }
        guard let product = units.magnitude.multiplied(by: price.magnitude),
            let difference = product.subtracting(whole.magnitude)?.magnitude,
            let allowed = share.multiplied(by: max(product, whole.magnitude))
        else { return false }
        return difference <= allowed
            || difference <= RecordChecks.tolerance(units, price: price.magnitude, source: price.magnitude)
    }

    /// Where a row of a class has the three numbers among its values.
    struct Product {
        /// The price of one: a number of the row, divided by a power of ten, or the same in all rows.
        enum One {
            case place(Int, shift: Int)
            case constant(ExactDecimal)
        }

        var units: Int
        var one: One
        var whole: Int

        /// Whether they agree, where that can be told of the values.
        func comesOut(_ values: RowValues) -> Bool {
            let price: ExactDecimal? =
                switch one {
                case .place(let place, let shift): PositionClass.magnitude(values.number(place), shiftedBy: shift)
                case .constant(let price): price
                }
            guard let units = PositionClass.magnitude(values.number(units)), let price,
                let whole = PositionClass.magnitude(values.number(whole))
            else { return false }
            return HoldingCheck.agree(units, price, whole)
        }
    }
}
