import Importing
import OpenAlloc

/// Positions, securities and accounts → rows of openalloc/holding, security and account.
struct ReferenceProjection {
    let exportedAt: Instant?
    let input: Int
    let line: Int
    let metaID: String

    /// Appends the rows of a record that is no transaction.
    ///
    /// - Throws: the finding that rejects the record's unit.
    func project(
        _ record: borrowing Record, ordinal: Int, extended: Bool, into rows: inout [(SchemaID, StoredRow)]
    ) throws(Finding) {
        switch record.kind.shape {
        case .position:
            var holding = try holding(record, ordinal: ordinal)
            holding.coversSecurityOnly = record.coversSecurityOnly
            rows.append((.holding, holding))
            rows.append((.security, try security(record, ordinal: ordinal + 1)))
            rows.append((.account, account(record, ordinal: ordinal + 2)))
        case .security: rows.append((.security, try security(record, ordinal: ordinal)))
        case .account: rows.append((.account, account(record, ordinal: ordinal)))
        default: break
        }
    }

    private func holding(_ record: borrowing Record, ordinal: Int) throws(Finding) -> StoredRow {
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
        return row(
            [
                text(record, .account), .string(securityID(record)), text(record, .lot), .decimal(units), number(basis),
                record[.acquiredAt].map { .date($0) } ?? .null,
                currency(record), number(record[.marketValue]), number(record[.costBasis]), text(record, .isin),
                text(record, .cusip), text(record, .description), .null, .string(metaID), .int(line),
            ], ordinal, isAssumed: record.isAccountAssumed)
    }

    private func security(_ record: borrowing Record, ordinal: Int) throws(Finding) -> StoredRow {
        try requireSecurity(record)
        var price: ExactDecimal?
        if let stated = record[.price] {
            price = try Money.unitPrice(stated, of: record)
        } else if let value = record[.marketValue], let units = record[.units], !units.isZero {
            price = try Money.quotient(value, units, "marketValue").magnitude
        }
        let updated = record[.pricedAt] ?? (price == nil ? nil : exportedAt)
        return row(
            [
                .string(securityID(record)), text(record, .assetID), number(price),
                updated.map { .date($0) } ?? .null, .null,
                currency(record), text(record, .description), text(record, .isin), text(record, .cusip),
                text(record, .securityKind), .string(metaID), .int(line),
            ], ordinal, isAssumed: false)
    }

    /// The account that a record names.
    func account(_ record: borrowing Record, ordinal: Int) -> StoredRow {
        let ownCurrency: AllocValue = record.kind.shape == .account ? currency(record) : .null
        return row(
            [
                text(record, .account), text(record, .accountTitle),
                record.isTaxable.map { .bool($0) } ?? .null, record.canTrade.map { .bool($0) } ?? .null, .null,
                ownCurrency, text(record, .institution), text(record, .accountKind), .string(metaID), .int(line),
            ], ordinal, isAssumed: record.isAccountAssumed)
    }

    private func row(_ values: [AllocValue], _ ordinal: Int, isAssumed: Bool) -> StoredRow {
        var row = StoredRow(values: values, input: input, line: line, ordinal: ordinal)
        row.isAccountAssumed = isAssumed
        return row
    }

    private func requireSecurity(_ record: borrowing Record) throws(Finding) {
        if TransactionTable.security(of: record).isEmpty {
            throw Finding(
                .securityMissing, column: "symbol", reason: "the line names no security",
                suggestion: "Fill in its symbol.")
        }
    }

    private func securityID(_ record: borrowing Record) -> String {
        String(decoding: TransactionTable.security(of: record), as: UTF8.self)
    }

    private func currency(_ record: borrowing Record) -> AllocValue {
        let code = TransactionTable.currency(of: record)
        return code.isEmpty ? .null : .string(String(decoding: code, as: UTF8.self))
    }

    private func text(_ record: borrowing Record, _ text: Record.Text) -> AllocValue {
        record.isBlank(text) ? .null : .string(record.string(text))
    }

    // `map` over an optional number of 128 bits crashes in unoptimized builds of Swift 6.3.1.
    private func number(_ number: ExactDecimal?) -> AllocValue {
        guard let number else { return .null }
        return .decimal(number)
    }
}
