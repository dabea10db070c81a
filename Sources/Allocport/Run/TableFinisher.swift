import Importing
import OpenAlloc

/// Settles what had to wait for the last input, and writes the tables that were held back.
struct TableFinisher {
    let state: RunState
    let plans: [InputPlan]

    /// Finishes all tables, in the model's order of schemas.
    func finish() throws(RunError) {
        storeSources()
        settleLots()
        settleHeld()
        let holdings = settlePositions()
        for schema in SchemaID.allCases {
            switch schema {
            case .transaction: try finishTransactions()
            case .holding: try write(schema, holdings)
            default: try write(schema, TableFinisher.sorted(state.stored[schema]?.rows ?? []))
            }
        }
    }

    /// Rows in row order; mostly they came in it.
    private static func sorted(_ rows: [StoredRow]) -> [StoredRow] {
        let areSorted = rows.indices.dropFirst().allSatisfy { !StoredRow.precedes(rows[$0], rows[$0 - 1]) }
        return areSorted ? rows : rows.sorted(by: StoredRow.precedes)
    }

    /// One row an input of openalloc/meta/source.
    private func storeSources() {
        var table = state.stored.removeValue(forKey: .metaSource) ?? StoredTable(.metaSource)
        defer { state.stored[.metaSource] = table }
        table.reserveCapacity(state.sources.count)
        for (row, isTwin) in state.sources {
            state.report.rowsMade += 1
            if !isTwin, case .added = table.take(row) { continue }
            state.report.rowsMerged += 1
        }
    }

    private func settleLots() {
        let (replaced, warnings) = state.lots.settle()
        for sale in replaced {
            state.transactionSpool?.patch(offset: sale.offset, length: sale.length)
            state.transactionRows -= 1
            state.dropRow(ofUnit: sale.unit)
        }
        for (input, line, finding) in warnings { state.inputs[input].warn(Issue(finding, line: line)) }
    }

    private func settleHeld() {
        let warnings = state.held?.settle(
            positions: state.positions.rows, exportedAt: plans.map(\.context.exportedAt))
        for (input, line, finding) in warnings ?? [] { state.inputs[input].warn(Issue(finding, line: line)) }
    }

    private func settlePositions() -> [StoredRow] {
        let (kept, dropped) = state.positions.settle(
            exportedAt: plans.map(\.context.exportedAt), corrected: state.corrections.roots)
        var counts: [Int: Int] = [:]
        for row in dropped {
            counts[row.input, default: 0] += 1
            state.dropRow(ofUnit: row.unit)
        }
        for (input, count) in counts.sorted(by: { $0.key < $1.key }) {
            state.inputs[input].warn(
                Issue(
                    "position.superseded",
                    message: "\(count) positions stand in another export of the account, of the same time or newer"))
        }
        return kept
    }

    private func finishTransactions() throws(RunError) {
        guard let spool = state.transactionSpool else { return }
        let hash = try spool.finish(
            rowsFrom: state.transactionOpening, separator: state.writer.separator, closing: state.writer.closing)
        add(.transaction, rows: state.transactionRows, hash)
    }

    private func write(_ schema: SchemaID, _ rows: [StoredRow]) throws(RunError) {
        if rows.isEmpty { return }
        let columns = state.options.columns == .core ? schema.schema.columns : schema.schema.allColumns
        let spool = try state.folder.spool(state.fileName(schema))
        let opening = state.writer.opening(columns)
        spool.append(opening)
        var bytes: [UInt8] = []
        for row in rows {
            bytes.removeAll(keepingCapacity: true)
            state.writer.row(columns, row.values, &bytes)
            spool.append(bytes)
        }
        let hash = try spool.finish(
            rowsFrom: opening.count, separator: state.writer.separator, closing: state.writer.closing)
        add(schema, rows: rows.count, hash)
    }

    private func add(_ schema: SchemaID, rows: Int, _ hash: String) {
        state.report.rowsWritten += rows
        state.report.tables.append(
            TableReport(schema: schema, file: state.fileName(schema), rows: rows, sha256: hash))
    }
}
