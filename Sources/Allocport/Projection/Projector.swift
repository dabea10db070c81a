import Importing
import OpenAlloc

/// Record → rows of openalloc/transaction, as section 8 of the design has it.
struct Projector {
    /// Whether costs also become rows of their own.
    let feesAsRows: Bool

    /// Appends the rows of a record that is a transaction; what they cost stands in a column (``splitCosts``).
    ///
    /// - Throws: the finding that rejects the record's unit.
    func project(_ record: borrowing Record, at index: Int, into rows: inout [TransactionRow]) throws(Finding) {
        let first = rows.count
        switch record.kind.shape {
        case .bought, .sold, .traded: rows.append(try trade(record, index))
        case .reinvested: try reinvest(record, index, &rows)
        case .optionClosed: try optionClosed(record, index, &rows)
        case .shares: rows.append(try shares(record, index))
        case .income: rows.append(try flow(record, index, .income))
        case .cash:
            var row = try flow(record, index, .transfer)
            row.hasSecurity = false
            rows.append(row)
        case .misc: rows.append(try flow(record, index, .miscflow))
        case .closedLot: rows.append(try closedLot(record, index))
        case .position, .security, .account: return
        }
        guard first < rows.count else { return }
        try takeCosts(of: record, into: &rows[rows.count - 1])
    }

    // MARK: trades

    private func trade(_ record: borrowing Record, _ index: Int) throws(Finding) -> TransactionRow {
        let stated = try units(of: record)
        let units = try direction(record, stated)
        var row = TransactionRow(.buysell, record.kind, record: index, units: units)
        if let price = record[.price] {
            try checkSign(ofPrice: price, record)
            row.price = try Money.unitPrice(price, of: record)
            row.sourcePrice = record[.sourcePrice] ?? (record.isPriceDerived ? nil : price)
            // Units × price is money in the row's currency, which is the amount's: nothing is converted by a rate.
            if let amount = record[.amount], Projector.isPricedAbroad(record) {
                row.price = try derivedPrice(record, amount: amount, units: units)
            }
        } else if let amount = record[.amount] {
            row.price = try derivedPrice(record, amount: amount, units: units)
            row.sourcePrice = record[.sourcePrice]
        }
        row.amount = try amount(of: record, row)
        return row
    }

    /// The units with the sign that the action has; the sign of the source counts only where the kind allows both.
    private func direction(_ record: borrowing Record, _ units: ExactDecimal) throws(Finding) -> ExactDecimal {
        switch record.kind.shape {
        case .bought:
            if units.isNegative, record[.amount]?.signum == 1, !record.isReversal {
                throw contradiction(record, "buys")
            }
            return record.isReversal ? -units.magnitude : units.magnitude
        case .sold:
            return record.isReversal ? units.magnitude : -units.magnitude
        default:
            return record.isReversal ? -units : units
        }
    }

    /// Nobody is paid for taking a security: contracts alone, such as futures, may have a price below 0.
    private func checkSign(ofPrice price: ExactDecimal, _ record: borrowing Record) throws(Finding) {
        guard price.isNegative, record.priceUnit != .contract, !record.isMarkedToMarket else { return }
        throw Finding(
            .signContradicts, column: "price", value: price.description,
            reason: "a security has no price below 0, and here it is negative",
            suggestion: "Correct the price, or, if the line takes an earlier one back, write that into an "
                + "openalloc.transaction.csv of your own.")
    }

    private func contradiction(_ record: borrowing Record, _ verb: String) -> Finding {
        Finding(
            .signContradicts, column: "units", value: record[.units]?.description ?? "",
            reason: "the line \(verb), but its signs say the opposite",
            suggestion: "If the line takes an earlier one back, write that into an openalloc.transaction.csv of "
                + "your own (in a definition: `reverse`); else correct its signs.")
    }

    /// Whether the price is stated in another currency than the amount.
    static func isPricedAbroad(_ record: borrowing Record) -> Bool {
        // With `sourcePrice` the price was brought into the row's currency already.
        if record[.sourcePrice] != nil || record.isBlank(.priceCurrency) || record.isBlank(.currency) { return false }
        let own = TransactionTable.currency(record.bytes(.currency))
        return !TransactionTable.currency(record.bytes(.priceCurrency)).elementsEqual(own)
    }

    /// |amount before costs| ÷ |units|.
    private func derivedPrice(
        _ record: borrowing Record, amount: ExactDecimal, units: ExactDecimal
    ) throws(Finding) -> ExactDecimal {
        // Nothing comes in for units that come in: such an amount is printed without a sign. That of a sale may have
        // either, as what a small one costs may exceed what it brings.
        let isUnsigned = units.signum > 0 && amount.signum > 0 && !record.isMarkedToMarket
        var gross = isUnsigned ? -amount : amount
        if record.costsInAmount { gross = try Money.sum(gross, Money.costs(of: record), "amount") }
        if let accrued = record[.accruedInterest]?.magnitude {
            gross = try Money.sum(gross, units.isNegative ? -accrued : accrued, "amount")
        }
        return try Money.quotient(gross.magnitude, units.magnitude, "price")
    }

    /// The stated amount; where a source prints it without a sign, the direction of the trade gives it.
    private func amount(of record: borrowing Record, _ row: TransactionRow) throws(Finding) -> ExactDecimal? {
        guard let amount = record[.amount], let price = row.price, !record.isMarkedToMarket else {
            return record[.amount]
        }
        let value = try Money.product(row.units, price, "amount")
        var expected = -value
        if record.costsInAmount { expected = try Money.sum(expected, -Money.costs(of: record), "amount") }
        // Costs may exceed the proceeds of a small sale: only a sign that nothing explains is turned round.
        let isOpposite = amount.signum * expected.signum < 0 && amount.signum * value.signum > 0
        return isOpposite ? -amount : amount
    }

    private func reinvest(
        _ record: borrowing Record, _ index: Int, _ rows: inout [TransactionRow]
    ) throws(Finding) {
        let signed = try units(of: record)
        // Its amount may have either sign, the income's or the purchase's; units that leave undo an earlier line.
        if signed.isNegative, !record.isReversal { throw contradiction(record, "reinvests") }
        let stated = signed.magnitude
        let units = record.isReversal ? -stated : stated
        var bought = TransactionRow(.buysell, record.kind, record: index, units: units)
        var total: ExactDecimal?
        if let price = record[.price] {
            try checkSign(ofPrice: price, record)
            let unitPrice = try Money.unitPrice(price, of: record)
            bought.price = unitPrice
            bought.sourcePrice = price
            total = try Money.product(stated, unitPrice, "amount")
        }
        if let amount = record[.amount], !amount.isZero { total = amount.magnitude }
        guard let total else { throw missing("amount", "a reinvestment needs an amount or a price") }
        if bought.price == nil { bought.price = try Money.quotient(total, stated, "price") }
        bought.amount = record.isReversal ? total : -total
        var income = TransactionRow(.income, record.kind, record: index, units: record.isReversal ? -total : total)
        income.price = .one
        income.amount = income.units
        rows.append(income)
        rows.append(bought)
    }

    private func closedLot(_ record: borrowing Record, _ index: Int) throws(Finding) -> TransactionRow {
        let units = try units(of: record).magnitude
        var row = TransactionRow(.buysell, record.kind, record: index, units: -units)
        if let proceeds = record[.proceeds] {
            row.price = try Money.quotient(proceeds.magnitude, units, "price")
            row.amount = proceeds
        } else if let price = record[.price] {
            row.price = try Money.unitPrice(price, of: record)
            row.sourcePrice = price
        } else {
            throw missing("proceeds", "the line does not say what the lot brought")
        }
        row.gainShort = record[.gainShort]
        row.gainLong = record[.gainLong]
        return row
    }

    // MARK: securities and cash that move

    /// The units that close it; what is settled in cash, or was taken for it, is a flow of its own.
    private func optionClosed(
        _ record: borrowing Record, _ index: Int, _ rows: inout [TransactionRow]
    ) throws(Finding) {
        let units = try units(of: record)
        var row = TransactionRow(.transfer, record.kind, record: index, units: record.isReversal ? -units : units)
        if let amount = record[.amount], !amount.isZero {
            var cash = costRow(.adjustment, index, amount)
            cash.hasSecurity = true
            rows.append(cash)
        } else {
            row.amount = record[.amount]
        }
        rows.append(row)
    }

    private func shares(_ record: borrowing Record, _ index: Int) throws(Finding) -> TransactionRow {
        var units = try units(of: record)
        switch record.kind {
        case .sharesIn:
            if units.isNegative, !record.isReversal { throw contradiction(record, "adds shares") }
            units = record.isReversal ? -units.magnitude : units
        case .sharesOut: units = record.isReversal ? units.magnitude : -units.magnitude
        default: if record.isReversal { units = -units }
        }
        var row = TransactionRow(.transfer, record.kind, record: index, units: units)
        if let price = record[.price], !price.isZero {
            try checkSign(ofPrice: price, record)
            row.price = try Money.unitPrice(price, of: record)
            row.sourcePrice = price
        }
        row.amount = record[.amount]
        return row
    }

    private func flow(
        _ record: borrowing Record, _ index: Int, _ action: TransactionRow.Action
    ) throws(Finding) -> TransactionRow {
        var amount = record[.amount]
        if amount == nil, record.kind.shape == .misc {
            let costs = try Money.costs(of: record)
            if !costs.isZero { amount = -costs }
        }
        guard var amount else { throw missing("amount", "the line moves cash, but says no amount") }
        if record.isReversal { amount = reversed(record.kind, amount) }
        var row = TransactionRow(action, record.kind, record: index, units: amount)
        row.price = .one
        row.amount = amount
        row.hasSecurity = true
        return row
    }

    /// The amount of an event that is undone: the sign opposite to the kind's own; where the kind has none, turned round.
    private func reversed(_ kind: RecordKind, _ amount: ExactDecimal) -> ExactDecimal {
        switch kind {
        case .dividend, .interest, .capitalGainShort, .capitalGainLong, .income, .deposit, .returnOfCapital,
            .cashInLieu:
            -amount.magnitude
        case .withdrawal, .fee, .tax, .marginInterest: amount.magnitude
        default: -amount
        }
    }

    // MARK: what a record must have

    private func units(of record: borrowing Record) throws(Finding) -> ExactDecimal {
        guard let units = record[.units] else { throw missing("units", "the line moves units, but says none") }
        if units.isZero {
            throw Finding(
                .valueInvalid, column: "units", value: "0", reason: "the line moves units, but says 0",
                suggestion: "Complete the line, or remove it if nothing happened.")
        }
        return units
    }

    private func missing(_ column: String, _ reason: String) -> Finding {
        Finding(.fieldMissing, column: column, reason: reason, suggestion: "Complete the line, then convert it again.")
    }
}
