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
        settlePositions()
        warnOfZeros()
        warnOfMasks()
        warnOfRepeats()
        for schema in SchemaID.allCases {
            switch schema {
            case .transaction: try finishTransactions()
            case .holding: try writePositions()
            default: if let table = state.stored[schema] { try write(table) }
            }
        }
    }

    /// One row an input of openalloc/meta/source.
    private func storeSources() {
        let table = state.stored.table(.metaSource)
        var cells = CellBuffer()
        for (input, values, isTwin) in state.sources {
            state.report.rowsMade += 1
            cells.removeAll()
            table.layout.append(values, to: &cells)
            let head = RowHead(input: input, line: 0, ordinal: 0)
            if !isTwin, table.take(head, cells.cells, onConflict: { _ in }) { continue }
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

    /// When each input's positions were listed. A correction under another name is of the time of the input that it
    /// corrects.
    private var listTimes: [ListTime?] {
        plans.indices.map { input in
            let root = state.corrections.roots[input]
            return (plans[input].context.exportedAt ?? plans[root].context.exportedAt).map {
                ListTime(listedAt: state.listedAt[input] ?? state.listedAt[root], exportedAt: $0)
            }
        }
    }

    private func settleHeld() {
        let warnings = state.held?.settle(
            positions: state.positions, days: listTimes.map { $0?.day })
        for (input, line, finding) in warnings ?? [] { state.inputs[input].warn(Issue(finding, line: line)) }
    }

    private func settlePositions() {
        var superseded: [Int: Int] = [:]
        var past: [Int: Int] = [:]
        let conflicts = state.positions.settle(
            times: listTimes, corrected: state.corrections.roots
        ) { row, reason in
            if reason == .laterDay { past[row.input, default: 0] += 1 } else { superseded[row.input, default: 0] += 1 }
            state.drop(row)
        }
        func tell(_ counts: [Int: Int], _ why: String, _ suggestion: String) {
            for (input, count) in counts.sorted(by: { $0.key < $1.key }) {
                let positions = count == 1 ? "1 position stands" : "\(count) positions stand"
                state.inputs[input].warn(
                    Issue(.positionSuperseded, message: positions + why, suggestion: suggestion))
            }
        }
        tell(
            superseded, " in another export of the account, of the same time or newer",
            "Leave it so: the newest list counts. Of two accounts, convert one file by itself with --account.")
        tell(
            past, " in the same file with a later day, whose positions count",
            "Leave it so, or convert the lines of the earlier day by themselves.")
        for conflict in conflicts { warn(of: conflict) }
        if !state.lostPositions.isEmpty { warnOfStale() }
    }

    private func warnOfStale() {
        let roots = state.corrections.roots
        let stale = state.lostPositions.stale(
            standing: state.positions.lastDays(corrected: roots), corrected: roots)
        for loss in stale {
            let rows = loss.count == 1 ? "1 row" : "\(loss.count) rows"
            let day = loss.day.map { "of \($0.civil.date)" } ?? "whose day cannot be read"
            var issue = Issue(
                .positionStale,
                message: "\(rows) \(day) \(loss.count == 1 ? "was" : "were") rejected, so that in \(loss.account) the "
                    + "positions of \(loss.standing.civil.date) stand, which may be out of date",
                suggestion: "Correct the rejected rows, then convert them together with this file.")
            issue.line = loss.line
            state.inputs[loss.input].warn(issue)
        }
    }

    private func warn(of conflict: PositionConflicts.Conflict) {
        let shown = conflict.securities.prefix(3).joined(separator: ", ")
        let more = conflict.securities.count - 3
        state.inputs[conflict.input].warn(
            Issue(
                .positionConflict,
                message: "\(shown)\(more > 0 ? " and \(more) more" : "") in \(conflict.account): not held alike in "
                    + "\(state.inputs[conflict.other].name), an export of the same account, and neither says that it is "
                    + "the newer one: both count",
                suggestion: "Convert only the newer one."))
    }

    private func warnOfZeros() {
        guard let accounts = state.stored[.account] else { return }
        for pair in AccountZeros.found(in: accounts) {
            state.inputs[pair.input].warn(
                Issue(
                    .accountZeros,
                    message: "the account \(pair.short) is \(pair.full) but for zeros in front, which a spreadsheet "
                        + "takes away when it saves a file: they count as two accounts",
                    suggestion: "Convert the file as it was downloaded. If it was, these are two accounts."))
        }
    }

    /// Exports of one brokerage mask an account in two ways, `...417` and `XXX417`: positions and trades do not meet.
    private func warnOfMasks() {
        guard let accounts = state.stored[.account] else { return }
        for pair in AccountMasks.found(in: accounts) {
            state.inputs[pair.input].warn(
                Issue(
                    .accountMasked,
                    message: "the accounts \(pair.one) and \(pair.other) may be one, masked in two ways: they count as "
                        + "two accounts, so that trades and holdings do not meet",
                    suggestion: "If they are one, convert the files apart, each with --account."))
        }
    }

    private func finishTransactions() throws(RunError) {
        guard let spool = state.transactionSpool else { return }
        let hash = try spool.finish(
            rowsFrom: state.transactionOpening, separator: state.writer.separator, closing: state.writer.closing)
        add(.transaction, rows: state.transactionRows, hash)
    }

    private func writePositions() throws(RunError) {
        let table = state.positions
        let hasIDs = table.layout.columns.contains { $0.source == .rowID }
        try write(table.layout, count: table.count) { writer, spool in
            table.forEachInOrder(hasIDs: hasIDs) { row, lot, rowID in
                writer.write(row, StoredRowWriter.Additions(lot: lot, rowID: rowID), to: spool)
            }
        }
    }

    private func write(_ table: StoredTable) throws(RunError) {
        try write(table.layout, count: table.count) { writer, spool in
            table.forEachInOrder { writer.write($0, to: spool) }
        }
    }

    private func write(
        _ layout: TableLayout, count: Int, _ rows: (StoredRowWriter, Spool) -> Void
    ) throws(RunError) {
        if count == 0 { return }
        let spool = try state.folder.spool(state.fileName(layout.id))
        let opening = state.writer.opening(layout.columns.map(\.column))
        spool.append(opening)
        let names = layout.columns.contains { $0.source == .metaID } ? state.inputs.map(\.sourceMetaID) : []
        rows(StoredRowWriter(layout, state.writer, metaIDs: names.map { Array($0.utf8) }), spool)
        let hash = try spool.finish(
            rowsFrom: opening.count, separator: state.writer.separator, closing: state.writer.closing)
        add(layout.id, rows: count, hash)
    }

    private func add(_ schema: SchemaID, rows: Int, _ hash: String) {
        state.report.rowsWritten += rows
        state.report.tables.append(
            TableReport(schema: schema, file: state.fileName(schema), rows: rows, sha256: hash))
    }
}
