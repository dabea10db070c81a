import Delimited
import Importing
import OpenAlloc

// Rows whose class was prepared: cells → bytes.
extension InputSink {
    func prepare(_ recordClass: RecordClass) -> Int? {
        let record = recordClass.examples.0.record
        guard !isTwin, state.verdicts == nil, !state.tracksLots, state.held == nil,
            prepared.count < InputSink.maximumClasses,
            isAccountKnown(record), !record.isAccountAssumed || state.inputCount == 1
        else { return nil }
        // What is wrong with a word of the class is to be said of each row.
        var warnings = Warnings()
        guard (try? checks.names(record, &warnings)) != nil, warnings.findings.isEmpty else { return nil }
        let tools = PreparedClass.Tools(
            projector: state.projector, columns: state.options.columns, writer: state.writer, metaID: metaBytes,
            salt: record.isAccountAssumed ? metaBytes : [])
        guard let new = PreparedClass(recordClass, tools) else { return nil }
        prepared.append(new)
        return prepared.count - 1
    }

    func accept(_ values: RowValues, of index: Int, from unit: SourceUnit) -> Bool {
        guard checks.isPlausible(values.moment(prepared[index].tradedAt).secondsSince1970) else { return false }
        let rows = prepared[index].rows
        for row in rows { if let check = row.check, !check.passes(values) { return false } }
        if state.countsRows { return acceptCounted(rows, values, unit) }
        for row in rows { write(row, values, unit.line, InputSink.noID) }
        state.report.rowsMade += rows.count
        acceptedUnits += 1
        return true
    }

    private static let noID = StableHash([])
    static let maximumClasses = 4096

    /// Writes the rows that no earlier input had; the unit is a duplicate when there are none.
    private func acceptCounted(_ rows: [PreparedClass.Row], _ values: RowValues, _ unit: SourceUnit) -> Bool {
        for place in rows.indices {
            guard let count = rows[place].key.write(values, to: keyMemory, room: InputSink.keyRoom) else {
                // Only the first row can be left to others: the rest are counted already.
                precondition(place == 0 || rows.count == 1, "the rows of a class have keys of one length")
                return false
            }
            keyCounts[place] = StableHash(UnsafeRawBufferPointer(start: keyMemory, count: count))
        }
        var kept = 0
        for place in rows.indices {
            state.report.rowsMade += 1
            let key = keyCounts[place]
            let (occurrence, isKept) = state.count(key, input: input, line: unit.line)
            if !isKept {
                state.report.rowsMerged += 1
                continue
            }
            let id = state.transactions.isExtended ? state.keys.rowID(key, occurrence: occurrence) : InputSink.noID
            write(rows[place], values, unit.line, id)
            kept += 1
        }
        if kept > 0 { acceptedUnits += 1 } else { duplicateUnits += 1 }
        return true
    }

    @inline(__always)
    private func write(_ row: PreparedClass.Row, _ values: RowValues, _ line: Int, _ id: StableHash) {
        guard let spool = state.openTransactions() else { return }
        row.template.write(values, line, id, &state.textCells, to: spool)
        state.transactionRows += 1
    }
}
