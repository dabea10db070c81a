import Digests
import Importing

// Rows that other threads have written.
extension InputSink {
    func workAside() -> (@Sendable () -> Void)? {
        guard let late else { return nil }
        return { late.work() }
    }

    func passedBlock() {
        if let late, late.isCaughtUp { settleName() }
    }

    func makeBatch() -> (any RowBatch)? {
        let classes = state.classes.all
        // Units that are held against positions are counted by the run's thread.
        if isTwin || classes.isEmpty || state.looksAtRows { return nil }
        return PreparedBatch(
            classes, of: input, metaID: metaBytes, late: late, checks, state.writer,
            countsRows: state.countsRows, hasIDs: state.transactions.isExtended)
    }

    func accept(_ batch: any RowBatch, from start: BatchMark, to end: BatchMark) {
        if let batch = batch as? AheadBatch { return accept(batch, from: start, to: end) }
        guard let batch = batch as? PreparedBatch, let spool = state.openTransactions() else { return }
        // No more stand-ins are taken.
        if late == nil, batch.late != nil { batch.bytes.put(name, into: start.bytes..<end.bytes) }
        let (rows, units) = (end.rows - start.rows, end.units - start.units)
        state.report.rowsMade += rows
        state.report.batchedUnits += units
        guard state.countsRows else {
            spool.append(start.bytes..<end.bytes, of: batch.bytes)
            state.transactionRows += rows
            acceptedUnits += units
            return
        }
        batch.finish()
        let (merged, duplicates) = count(batch, from: start, to: end, spool)
        if state.inputCount > 1 { state.memory.note(rows: rows, merged: merged, input: input) }
        state.transactionRows += rows - merged
        state.report.rowsMerged += merged
        acceptedUnits += units - duplicates
        duplicateUnits += duplicates
    }

    /// Counts rows and writes those that are kept: how many are not, and how many units are left without any.
    private func count(_ batch: PreparedBatch, from start: BatchMark, to end: BatchMark, _ spool: Spool) -> (
        merged: Int, duplicates: Int
    ) {
        let (occurrences, hasNoCorrections) = (state.occurrences, state.corrections.isEmpty)
        var (merged, duplicates) = (0, 0)
        /// Bytes from here on are not yet written.
        var written = start.bytes
        var lastKept = -1
        var row = start.rows
        while row < end.rows {
            if hasNoCorrections {
                let next = occurrences.countFirsts(batch.rows, row..<end.rows, input: input)
                if next > row { lastKept = next - 1 }
                row = next
                if row == end.rows { break }
            }
            let key = batch.rows.key(row)
            let (occurrence, isKept) =
                hasNoCorrections ? occurrences.count(key, input: input) : state.countCorrected(key, input: input)
            if isKept {
                lastKept = row
                if occurrence != 1 { batch.writeID(of: row, key.numbered(occurrence)) }
            } else {
                let place = batch.rows.place(row)
                spool.append(written..<Int(place.start), of: batch.bytes)
                written = row + 1 < end.rows ? Int(batch.rows.place(row + 1).start) : end.bytes
                merged += 1
                if place.endsUnit, lastKept < batch.rows.unitStart(row, from: start.rows) { duplicates += 1 }
            }
            row += 1
        }
        spool.append(written..<end.bytes, of: batch.bytes)
        return (merged, duplicates)
    }
}
