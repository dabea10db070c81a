import Delimited
import Digests
import Importing

/// Rows of prepared classes, written on another thread. What only the run knows (how many equals a row has had, and so
/// whether it is kept and its id) is settled when the batch is handed over; until then each row has the id of a first.
///
/// One thread at a time uses it, see `RowBatch`; the classes and the checks are not changed by anybody any more.
final class PreparedBatch: RowBatch, @unchecked Sendable {
    /// A row whose equals are counted.
    struct Row: BitwiseCopyable {
        var key: StableHash
        var line: Int
        var start: Int
        /// Where its id stands; below 0 when it has none.
        var id: Int
        /// Whether it is the last row of its unit.
        var endsUnit: Bool
    }

    /// The bytes of the rows.
    let bytes = RowBuffer()
    /// The rows, when they are counted.
    @exclusivity(unchecked) private(set) var rows = FlatMemory<Row>([])
    @exclusivity(unchecked) private(set) var mark = BatchMark()

    private let classes: [PreparedClass]
    /// Whether the input knows a class's account; others are left to the thread of the run.
    private let isKnown: [Bool]
    @exclusivity(unchecked) private var metaMemory: FlatMemory<UInt8>
    private let references: FlatMemory<Unmanaged<PreparedClass>>
    @exclusivity(unchecked) private var checks: RecordChecks
    private let desk: DigestDesk?
    private let digests: DigestSteps
    private let countsRows: Bool
    private let hasIDs: Bool
    @exclusivity(unchecked) private var texts: TextCells
    private let keyMemory = UnsafeMutablePointer<UInt8>.allocate(capacity: PreparedBatch.keyRoom + 8)
    private static let keyRoom = 4096

    init(
        _ classes: [PreparedClass], of input: Int, metaID: [UInt8], _ checks: RecordChecks, _ writer: any TableWriter,
        countsRows: Bool, hasIDs: Bool, desk: DigestDesk? = nil
    ) {
        self.classes = classes
        isKnown = classes.map { $0.input == input && $0.accountText < 0 }
        metaMemory = FlatMemory(metaID)
        references = FlatMemory(classes.map { .passUnretained($0) })
        self.checks = checks
        self.countsRows = countsRows
        self.hasIDs = hasIDs
        self.desk = desk
        digests = DigestSteps(desk)
        texts = TextCells(writer: writer)
    }

    deinit { keyMemory.deallocate() }

    /// Begins with another input, whose accounts are no matter here.
    func begin(metaID: [UInt8], _ checks: RecordChecks) {
        removeAll()
        metaMemory = FlatMemory(bytes: metaID)
        self.checks = checks
    }

    var needsLines: Bool { countsRows || hasIDs }

    func removeAll() {
        bytes.removeAll()
        rows.removeAll()
        mark = BatchMark()
    }

    func take(_ values: RowValues, of index: Int, line: Int) -> Bool {
        // `classes` keeps them for as long as the batch lives.
        isKnown[index] && references[index]._withUnsafeGuaranteedRef { take(values, of: $0, line) }
    }

    @inline(__always)
    func take(_ values: RowValues, of prepared: PreparedClass, _ line: Int) -> Bool {
        guard prepared.accepts(values, checks) else { return false }
        if countsRows {
            // A unit is taken as a whole: no row is written before all have their keys.
            guard let key = key(prepared.first, values) else { return false }
            digests.take()
            if let second = prepared.second {
                guard let other = self.key(second, values) else { return false }
                write(prepared.first, values, line, key, endsUnit: false)
                write(second, values, line, other, endsUnit: true)
            } else {
                write(prepared.first, values, line, key, endsUnit: true)
            }
        } else {
            let metaID = metaMemory.view(0, metaMemory.count)
            digests.take()
            prepared.first.template.write(values, line, StableHash.none, metaID, &texts, to: bytes)
            if let second = prepared.second {
                second.template.write(values, line, StableHash.none, metaID, &texts, to: bytes)
            }
        }
        mark.bytes = bytes.count
        mark.rows += prepared.second == nil ? 1 : 2
        mark.units += 1
        return true
    }

    @inline(__always)
    private func key(_ row: PreparedClass.Row, _ values: RowValues) -> StableHash? {
        guard let count = row.key.write(values, to: keyMemory, room: PreparedBatch.keyRoom) else { return nil }
        return StableHash(padded: keyMemory, count: count)
    }

    @inline(__always)
    private func write(
        _ row: PreparedClass.Row, _ values: RowValues, _ line: Int, _ key: StableHash, endsUnit: Bool
    ) {
        let start = bytes.count
        bytes.lastID = -1
        let id = hasIDs ? key.numbered(1) : StableHash.none
        digests.take()
        row.template.write(
            values, line, id, metaMemory.view(0, metaMemory.count), &texts,
            to: bytes)
        rows.append(Row(key: key, line: line, start: start, id: bytes.lastID, endsUnit: endsUnit))
    }
}

// Rows that other threads have written.
extension InputSink {
    func makeBatch() -> (any RowBatch)? {
        let classes = state.classes.all
        // Units that are held against positions are counted by the run's thread.
        if isTwin || classes.isEmpty || state.held != nil { return nil }
        // A desk is the run's thread's.
        let batch = PreparedBatch(
            classes, of: input, metaID: metaBytes, checks, state.writer, countsRows: state.countsRows,
            hasIDs: state.transactions.isExtended, desk: state.options.jobs > 1 ? nil : desk)
        batch.bytes.mayLend = true
        return batch
    }

    /// So many rows ahead of the one that is counted the table is told of.
    private static let rowsAhead = 12

    func accept(_ batch: any RowBatch, from start: BatchMark, to end: BatchMark) {
        if let batch = batch as? AheadBatch { return accept(batch, from: start, to: end) }
        guard let batch = batch as? PreparedBatch, let spool = state.openTransactions() else { return }
        state.report.rowsMade += end.rows - start.rows
        state.report.batchedUnits += end.units - start.units
        guard state.countsRows else {
            spool.append(start.bytes..<end.bytes, of: batch.bytes)
            state.transactionRows += end.rows - start.rows
            acceptedUnits += end.units - start.units
            return
        }
        var isKept = false
        var (accepted, merged) = (0, 0)
        /// Bytes from here on are not yet written.
        var written = start.bytes
        let (occurrences, hasNoCorrections) = (state.occurrences, state.corrections.isEmpty)
        for index in start.rows..<min(start.rows + InputSink.rowsAhead, end.rows) {
            occurrences.prefetch(batch.rows[index].key)
        }
        for index in start.rows..<end.rows {
            if index + InputSink.rowsAhead < end.rows {
                occurrences.prefetch(batch.rows[index + InputSink.rowsAhead].key)
            }
            let row = batch.rows[index]
            let (occurrence, isNew) =
                hasNoCorrections
                ? occurrences.count(row.key, input: input) : state.countCorrected(row.key, input: input)
            if isNew {
                if occurrence != 1, row.id >= 0 {
                    batch.bytes.replace(idAt: row.id, with: row.key.numbered(occurrence))
                }
                isKept = true
            } else {
                spool.append(written..<row.start, of: batch.bytes)
                written = index + 1 < end.rows ? batch.rows[index + 1].start : end.bytes
                merged += 1
            }
            if row.endsUnit {
                if isKept { accepted += 1 }
                isKept = false
            }
        }
        if state.inputCount > 1 {
            state.memory.note(rows: end.rows - start.rows, merged: merged, input: input)
        }
        state.transactionRows += end.rows - start.rows - merged
        state.report.rowsMerged += merged
        acceptedUnits += accepted
        duplicateUnits += end.units - start.units - accepted
        spool.append(written..<end.bytes, of: batch.bytes)
    }
}
