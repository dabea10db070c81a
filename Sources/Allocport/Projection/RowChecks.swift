import Delimited
import Importing
import OpenAlloc

/// What a row that stands as it is must pass: its schema, and the rules of section 11 where it has the columns.
extension RecordChecks {
    /// Which columns of a schema are looked at.
    struct RowPlan {
        let columns: [Column]
        let dates: [Int]
        let isin: Int?
        let cusip: Int?
        /// The accounts and securities.
        let names: [Int]
        /// What a trade's numbers are checked by; nil for other schemas.
        let trade: TradePlaces?

        init(_ schema: Schema) {
            columns = schema.allColumns
            dates = columns.indices.filter { [columns] in columns[$0].type == .date }
            isin = schema.index(of: "isin")
            cusip = schema.index(of: "cusip")
            names = columns.indices.filter { [columns] in
                let name = columns[$0].name.lowercased()
                return name.hasSuffix("accountid") || name.hasSuffix("securityid")
            }
            trade = schema.index(of: "txnShareCount") == nil ? nil : TradePlaces(schema)
        }
    }

    /// Where the numbers of a transaction's row stand.
    struct TradePlaces {
        let action, units, price, kind, currency, amount, sourcePrice, priceUnit, accrued: Int?
        let costs: [Int]

        init(_ schema: Schema) {
            action = schema.index(of: "txnAction")
            units = schema.index(of: "txnShareCount")
            price = schema.index(of: "txnSharePrice")
            kind = schema.index(of: "kind")
            currency = schema.index(of: "currency")
            amount = schema.index(of: "amount")
            sourcePrice = schema.index(of: "sourcePrice")
            priceUnit = schema.index(of: "priceUnit")
            accrued = schema.index(of: "accruedInterest")
            costs = ["commission", "fees", "tax"].compactMap { schema.index(of: $0) }
        }
    }

    /// Checks a row.
    ///
    /// - Throws: the finding that rejects it.
    mutating func check(_ row: TableRow, _ warnings: inout Warnings) throws(Finding) {
        let plan = plan(of: row.schema)
        for (column, value) in zip(plan.columns, row.values) {
            do throws(RowCode) {
                try column.check(value)
            } catch {
                throw Finding(
                    FindingCode(rawValue: error.rawValue) ?? .valueInvalid, column: column.name, value: value.text,
                    reason: error.reason, suggestion: "Correct the cell, then convert the line again.")
            }
        }
        if row.values.count < row.schema.schema.columns.count,
            let missing = row.schema.schema.columns.dropFirst(row.values.count).first(where: { !$0.mayBeBlank })
        {
            throw Finding(
                .fieldMissing, column: missing.name, reason: RowCode.fieldMissing.reason,
                suggestion: "Complete the line.")
        }
        for place in plan.dates where place < row.values.count {
            guard case .date(let date) = row.values[place] else { continue }
            try judge(date, column: plan.columns[place].name, &warnings)
        }
        if let place = plan.isin, place < row.values.count, case .string(let text) = row.values[place], !text.isEmpty {
            isin(Array(text.utf8)[...], &warnings)
        }
        if let place = plan.cusip, place < row.values.count, case .string(let text) = row.values[place], !text.isEmpty {
            cusip(Array(text.utf8)[...], &warnings)
        }
        for place in plan.names where place < row.values.count {
            guard case .string(let text) = row.values[place] else { continue }
            rounded(Array(text.utf8)[...], column: plan.columns[place].name, &warnings)
        }
        if let places = plan.trade { try trade(row, places, &warnings) }
    }

    /// What a trade of a table that somebody may have written by hand needs, as one of an export does.
    private mutating func trade(
        _ row: TableRow, _ places: TradePlaces, _ warnings: inout Warnings
    ) throws(Finding) {
        func value(_ place: Int?) -> AllocValue {
            guard let place, place < row.values.count else { return .null }
            return row.values[place]
        }
        func number(_ place: Int?) -> ExactDecimal? {
            if case .decimal(let number) = value(place) { return number }
            return nil
        }
        if case .string(let code) = value(places.currency), !code.isEmpty {
            try currency(Array(code.utf8)[...], &warnings)
        }
        guard value(places.action).text == "buysell", let units = number(places.units),
            let price = number(places.price), let amount = number(places.amount)
        else { return }
        // Lots and contracts that are paid day by day have other sums.
        if value(places.kind).text == "closedLot" || value(places.priceUnit).text == "contract" {
            return
        }
        var costs = ExactDecimal.zero
        for place in places.costs { costs = number(place).flatMap { costs.adding($0) } ?? costs }
        guard
            let difference = RecordChecks.mismatch(
                units: units, price: price, source: number(places.sourcePrice) ?? price, amount: amount, costs: costs,
                accrued: number(places.accrued)?.magnitude ?? .zero, allowsGross: true)
        else { return }
        warnings.add(
            .amountMismatch,
            Finding(
                .amountMismatch, column: "amount", value: amount.description,
                reason: "units × price and costs differ from the amount by \(difference)",
                suggestion: "Check the numbers of the line."))
    }

    private mutating func plan(of schema: SchemaID) -> RowPlan {
        if let plan = rowPlans[schema] { return plan }
        let plan = RowPlan(schema.schema)
        rowPlans[schema] = plan
        return plan
    }
}
