import Importing
import OpenAlloc

/// Positions, securities and accounts → cells of openalloc/holding, security and account, as `TableLayout` has them.
struct ReferenceProjection {
    let exportedAt: Instant?

    /// Appends the rows of a record that is no transaction.
    ///
    /// - Parameter extended: whether holdings have our own columns.
    /// - Throws: the finding that rejects the record's unit.
    func project(
        _ record: borrowing Record, extended: Bool, into rows: inout PendingRows
    ) throws(Finding) {
        switch record.kind.shape {
        case .position:
            try holding(record, extended: extended, into: &rows)
            try security(record, into: &rows)
            account(record, into: &rows)
        case .security: try security(record, into: &rows)
        case .account: account(record, into: &rows)
        default: break
        }
    }

    private func holding(
        _ record: borrowing Record, extended: Bool, into rows: inout PendingRows
    ) throws(Finding) {
        try requireSecurity(record)
        guard let units = record[.units] else {
            throw Finding(
                .fieldMissing, column: "units", reason: "the position has no number of units",
                suggestion: "Complete the line, then convert it again.")
        }
        var basis: ExactDecimal?
        if let unitCost = record[.unitCost] {
            basis = try Money.unitPrice(unitCost, of: record)
        } else if let cost = record[.costBasis], !units.isZero {
            basis = try Money.quotient(cost, units, "costBasis").magnitude
        }
        rows.cells.text(record.bytes(.account))
        rows.cells.text(TransactionTable.security(of: record))
        rows.cells.text(record.bytes(.lot))
        rows.cells.number(units)
        rows.cells.number(basis)
        rows.cells.moment(record[.acquiredAt])
        if extended {
            rows.cells.text(TransactionTable.currency(of: record))
            rows.cells.number(record[.marketValue])
            rows.cells.number(record[.costBasis])
            rows.cells.text(record.bytes(.isin))
            rows.cells.text(record.bytes(.cusip))
            rows.cells.text(record.bytes(.description))
        }
        // It stands behind the columns, for where the newest list is looked for (`TableLayout.pricedAt`).
        if exportedAt == nil || record.covers == .days { rows.cells.moment(record[.pricedAt]) }
        var flags: RowHead.Flags = record.isAccountAssumed ? .accountAssumed : []
        flags.formUnion(RowHead.Flags(record.accountPart))
        switch record.covers {
        case .account: break
        case .security: flags.insert(.coversSecurityOnly)
        case .days: flags.insert(.coversDays)
        }
        rows.finishRow(.holding, flags)
    }

    private func security(_ record: borrowing Record, into rows: inout PendingRows) throws(Finding) {
        try requireSecurity(record)
        var price: ExactDecimal?
        if let stated = record[.price] {
            price = try Money.unitPrice(stated, of: record)
        } else if let value = record[.marketValue], let units = record[.units], !units.isZero {
            price = try Money.quotient(value, units, "marketValue").magnitude
        }
        rows.cells.text(TransactionTable.security(of: record))
        rows.cells.text(record.bytes(.assetID))
        rows.cells.number(price)
        rows.cells.moment(record[.pricedAt] ?? (price == nil ? nil : exportedAt))
        rows.cells.null()
        rows.cells.text(TransactionTable.currency(of: record))
        rows.cells.text(record.bytes(.description))
        rows.cells.text(record.bytes(.isin))
        rows.cells.text(record.bytes(.cusip))
        rows.cells.text(record.bytes(.securityKind))
        rows.finishRow(.security)
    }

    /// Appends the row of the account that a record names.
    func account(_ record: borrowing Record, into rows: inout PendingRows) {
        rows.cells.text(record.bytes(.account))
        rows.cells.text(record.bytes(.accountTitle))
        rows.cells.flag(record.isTaxable)
        rows.cells.flag(record.canTrade)
        rows.cells.null()
        if record.kind.shape == .account {
            rows.cells.text(TransactionTable.currency(of: record))
        } else {
            rows.cells.null()
        }
        rows.cells.text(record.bytes(.institution))
        rows.cells.text(record.bytes(.accountKind))
        // Whether it is in use, only an openalloc table says.
        rows.cells.null()
        rows.finishRow(.account)
    }

    private func requireSecurity(_ record: borrowing Record) throws(Finding) {
        if TransactionTable.security(of: record).isEmpty {
            throw Finding(
                .securityMissing, column: "symbol", reason: "the line names no security",
                suggestion: "Fill in its symbol.")
        }
    }
}
