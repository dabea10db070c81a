import Importing
import OpenAlloc

// What a record costs: in columns of its last row and, where that is asked for, as rows.
extension Projector {
    /// The costs stand in one row of a record only, so that a sum over rows is right. Those that a source states beside
    /// its amount come out of it: the row's amount is all that was paid or received. Where nothing but costs is paid for
    /// what moves in kind, they are the amount.
    func takeCosts(of record: borrowing Record, into row: inout TransactionRow) throws(Finding) {
        row.commission = record[.commission]
        row.fees = record[.fees]
        row.tax = record[.tax]
        row.accruedInterest = record[.accruedInterest]
        guard Projector.areCostsBeside(record), row.amount != nil || row.action == .transfer else { return }
        // A cost alone is the flow already.
        if record.kind.shape == .misc, record[.amount] == nil { return }
        let costs = try Money.costs(of: record)
        if !costs.isZero { row.amount = try Money.sum(row.amount ?? .zero, -costs, "amount") }
    }

    /// Whether the costs are not part of the stated amount. An option is closed for nothing: no amount, or one of
    /// nothing, holds what that cost.
    private static func areCostsBeside(_ record: borrowing Record) -> Bool {
        if !record.costsInAmount { return true }
        return record.kind.shape == .optionClosed && record[.amount].map(\.isZero) ?? true
    }

    /// Costs as rows of their own, if that is asked for. What these have comes out of the amounts of the record's other
    /// rows, so that a sum over amounts is the same, and each row's amount is what it alone moves.
    ///
    /// - Parameter first: where the rows of the record begin; they were checked with their whole amounts.
    func splitCosts(
        _ record: borrowing Record, at index: Int, _ rows: inout [TransactionRow], from first: Int
    ) throws(Finding) {
        guard feesAsRows, let lead = rows.last, first < rows.count else { return }
        let shape = record.kind.shape
        let costs = try Money.costs(of: record)
        let isTrade = lead.action == .buysell
        if !costs.isZero, isTrade || shape == .optionClosed || Projector.areCostsBeside(record),
            shape != .misc || record[.amount] != nil
        {
            if shape == .optionClosed {
                try takeFromClosing(-costs, record, &rows, from: first)
            } else if lead.action == .transfer, record[.amount] == nil {
                // Nothing but costs was paid.
                rows[rows.count - 1].amount = nil
            } else if let amount = lead.amount, shape != .closedLot || !record.costsInAmount {
                // What a lot brought is its price by its units: nothing is taken out of that.
                rows[rows.count - 1].amount = try Money.sum(amount, costs, "amount")
            }
            rows.append(costRow(.fee, index, -costs))
        }
        guard isTrade, shape != .reinvested, shape != .closedLot, let amount = lead.amount, let price = lead.price,
            lead.sourcePrice != nil || lead.accruedInterest != nil
        else { return }
        let value = try Money.product(lead.units, price, "amount")
        let rest = try Money.sum(Money.sum(amount, value, "amount"), costs, "amount")
        guard !rest.isZero else { return }
        rows[costs.isZero ? rows.count - 1 : rows.count - 2].amount = -value
        rows.append(costRow(.adjustment, index, rest))
    }

    /// The same for an option that is closed: what it was settled for is a row, which has the costs inside the amount.
    private func takeFromClosing(
        _ cost: ExactDecimal, _ record: borrowing Record, _ rows: inout [TransactionRow], from first: Int
    ) throws(Finding) {
        let isSettled = record[.amount].map { !$0.isZero } ?? false
        rows[rows.count - 1].amount = isSettled ? nil : record[.amount]
        guard isSettled, record.costsInAmount else { return }
        let rest = try Money.sum(rows[first].units, -cost, "amount")
        if rest.isZero {
            rows.remove(at: first)
        } else {
            (rows[first].units, rows[first].amount) = (rest, rest)
        }
    }

    /// A row of money alone.
    func costRow(_ kind: RecordKind, _ index: Int, _ amount: ExactDecimal) -> TransactionRow {
        var row = TransactionRow(.miscflow, kind, record: index, units: amount)
        row.price = .one
        row.amount = amount
        return row
    }
}
