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

        init(_ schema: Schema) {
            columns = schema.allColumns
            dates = columns.indices.filter { [columns] in columns[$0].type == .date }
            isin = schema.index(of: "isin")
            cusip = schema.index(of: "cusip")
            names = columns.indices.filter { [columns] in
                let name = columns[$0].name.lowercased()
                return name.hasSuffix("accountid") || name.hasSuffix("securityid")
            }
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
    }

    private mutating func plan(of schema: SchemaID) -> RowPlan {
        if let plan = rowPlans[schema] { return plan }
        let plan = RowPlan(schema.schema)
        rowPlans[schema] = plan
        return plan
    }
}
