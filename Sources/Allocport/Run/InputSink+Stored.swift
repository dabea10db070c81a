import Importing
import OpenAlloc

// Rows of other tables than transactions, and rows that stand as they are.
extension InputSink {
    /// Stores the rows of the unit in hand; without a late unit, its only holding is it.
    func storePending(_ line: Int, unit: Int?) {
        for (ordinal, row) in pendingStored.rows.enumerated() {
            let cells = pendingStored.cells(of: row)
            if state.verdicts != nil { verdict(row.schema, cells) }
            var head = RowHead(input: input, line: line, ordinal: ordinal, flags: row.flags)
            if row.schema == .holding {
                if unit == nil { head.flags.insert(.isUnit) }
                state.store(position: head, cells, unit: unit ?? -1)
            } else {
                state.store(row.schema, head, cells)
            }
        }
    }

    /// Stores the row of an account that a record names.
    func storeAccount(_ record: borrowing Record, _ line: Int) {
        accountRow.removeAll()
        ReferenceProjection(exportedAt: exportedAt).account(record, into: &accountRow)
        state.store(.account, RowHead(input: input, line: line, ordinal: 0), accountRow.cells.cells)
    }

    func commit(_ rows: [TableRow], _ unit: SourceUnit) {
        verdictRows.removeAll(keepingCapacity: true)
        pendingStored.removeAll()
        var kept = 0
        let late = state.lateUnits.count
        let isUnit = rows.count == 1 && state.verdicts == nil
        var lateRows = 0
        for (ordinal, row) in rows.enumerated() {
            if row.schema == .transaction {
                let values = completed(row, line: unit.line)
                verdict(row.schema, values)
                if write(verbatim: values, of: row, line: unit.line) { kept += 1 }
                continue
            }
            pendingStored.removeAll()
            let layout = row.schema == .holding ? state.positions.layout : state.stored.table(row.schema).layout
            layout.append(row.values, to: &pendingStored.cells)
            let cells = pendingStored.cells.cells
            if state.verdicts != nil { verdict(row.schema, cells) }
            var head = RowHead(input: input, line: unit.line, ordinal: ordinal, flags: .verbatim)
            if row.schema == .holding {
                lateRows += 1
                if isUnit { head.flags.insert(.isUnit) }
                state.store(position: head, cells, unit: late)
            } else {
                state.store(row.schema, head, cells)
            }
            kept += 1
        }
        let marks = settle([unit], kept == 0 && !rows.isEmpty ? .duplicate : .accepted, isLate: lateRows > 0)
        if lateRows > 0, !isUnit {
            state.lateUnits.append(LateUnit(input: input, unitCount: 1, rowsLeft: kept, verdicts: marks))
        }
    }

    /// A transaction with all columns, ours said anew.
    private func completed(_ row: TableRow, line: Int) -> [AllocValue] {
        let schema = row.schema.schema
        var values = row.values
        let missing = schema.allColumns.count - values.count
        if missing > 0 { values += [AllocValue](repeating: .null, count: missing) }
        if let place = schema.index(of: "sourceMetaID") {
            values[place] = .string(String(decoding: metaDigits, as: UTF8.self))
        }
        if let place = schema.index(of: "sourceLine") { values[place] = .int(line) }
        return values
    }

    /// - Parameter row: the row as its table has it.
    private func write(verbatim values: [AllocValue], of row: TableRow, line: Int) -> Bool {
        state.report.rowsMade += 1
        var values = values
        if state.countsRows {
            let stated = Schema.transaction.index(of: "rowID") ?? values.count
            let written = state.keys.key(written: row.values) { state.sourceIDs.contains($0) }
            let key = written ?? state.keys.key(values.prefix(stated))
            let (occurrence, isKept) = state.count(key, input: input, line: line)
            state.told?.take(cells: values, input: input, isMerged: !isKept)
            if !isKept {
                state.report.rowsMerged += 1
                return false
            }
            if stated < values.count {
                values[stated] = .string(key.numbered(occurrence).hex)
            }
        }
        state.transactions.build(verbatim: values)
        _ = state.writeTransaction()
        return true
    }
}
