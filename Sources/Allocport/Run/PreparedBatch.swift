import Delimited
import Digests
import Importing

/// Rows of prepared classes, written on another thread. What only the run knows (how many equals a row has had, and so
/// whether it is kept and its id) is settled when the batch is handed over; until then each row has the id of a first.
///
/// Keys and ids are made of several rows at once: `finish` makes those that wait.
///
/// One thread at a time uses it, see `RowBatch`; the classes are not changed by anybody any more.
final class PreparedBatch: RowBatch, @unchecked Sendable {
    /// The bytes of the rows.
    let bytes = RowBuffer()
    /// The rows, when they are counted.
    @exclusivity(unchecked) private(set) var rows = BatchRows()
    @exclusivity(unchecked) private(set) var mark = BatchMark()

    private let classes: [PreparedClass]
    /// Whether the input knows a class's account; others are left to the thread of the run.
    private let isKnown: [Bool]
    @exclusivity(unchecked) private var name: SourceName
    /// What the input is called when that is known; nil once the rows have it.
    @exclusivity(unchecked) private(set) var late: LateName?
    private let references: FlatMemory<Unmanaged<PreparedClass>>
    @exclusivity(unchecked) private var times: PlausibleTimes
    @exclusivity(unchecked) private var digests = DigestSteps()
    private let countsRows: Bool
    private let hasIDs: Bool
    @exclusivity(unchecked) private var texts: TextCells
    /// What the keys of the last rows are made of.
    @exclusivity(unchecked) private var waiting = HashGroup()

    /// Places of rows are kept in 32 bits.
    private static let mostBytes = 1 << 31

    init(
        _ classes: [PreparedClass], of input: Int, metaID: [UInt8], late: LateName? = nil, _ checks: RecordChecks,
        _ writer: any TableWriter, countsRows: Bool, hasIDs: Bool
    ) {
        self.late = late
        self.classes = classes
        isKnown = classes.map { $0.input == input && $0.accountText < 0 }
        name = SourceName(metaID)
        references = FlatMemory(classes.map { .passUnretained($0) })
        times = checks.plausible
        self.countsRows = countsRows
        self.hasIDs = hasIDs
        texts = TextCells(writer: writer)
    }

    /// Begins with another input, whose accounts are no matter here.
    func begin(metaID: [UInt8], _ checks: RecordChecks) {
        removeAll()
        name = SourceName(metaID)
        times = checks.plausible
    }

    func use(_ desk: DigestDesk?, isAlone: Bool) {
        digests = DigestSteps(desk)
        bytes.desk = desk
        bytes.isAlone = isAlone
    }

    var needsLines: Bool { countsRows || hasIDs }

    func removeAll() {
        bytes.removeAll()
        rows.removeAll()
        waiting.removeAll()
        mark = BatchMark()
        if let known = late?.known { (name, late) = (known, nil) }
    }

    func take(_ values: RowValues, of index: Int, line: Int) -> Bool {
        // `classes` keeps them for as long as the batch lives.
        isKnown[index] && references[index]._withUnsafeGuaranteedRef { take(values, of: $0, line) }
    }

    @inline(__always)
    func take(_ values: RowValues, of prepared: PreparedClass, _ line: Int) -> Bool {
        guard prepared.position == nil, prepared.accepts(values, times) else { return false }
        if countsRows {
            // A unit is taken as a whole: no row is written before it is clear that all have their keys.
            digests.take()
            guard bytes.count < PreparedBatch.mostBytes, takeKeys(prepared, values) else { return false }
            digests.take()
            write(prepared.first, values, line, endsUnit: prepared.isOne)
            if !prepared.isOne { writeOthers(of: prepared, values, line) }
        } else {
            digests.take()
            prepared.first.template.write(values, line, StableHash.none, name, &texts, to: bytes)
            if !prepared.isOne { writeOthers(of: prepared, values, line) }
        }
        mark.bytes = bytes.count
        mark.rows += 1 + (prepared.isOne ? 0 : prepared.rest.count)
        mark.units += 1
        return true
    }

    @inline(never)
    private func writeOthers(of prepared: PreparedClass, _ values: RowValues, _ line: Int) {
        for (place, row) in prepared.rest.enumerated() {
            if countsRows {
                write(row, values, line, endsUnit: place + 1 == prepared.rest.count)
            } else {
                row.template.write(values, line, StableHash.none, name, &texts, to: bytes)
            }
        }
    }

    /// Notes what the keys of a unit's rows are made of; false when one is too long.
    @inline(__always)
    private func takeKeys(_ prepared: PreparedClass, _ values: RowValues) -> Bool {
        if !waiting.hasRoom(for: prepared.isOne ? 1 : 1 + prepared.rest.count) { finish() }
        guard let count = prepared.first.key.write(values, to: waiting.tail, room: HashGroup.longest) else {
            return false
        }
        waiting.append(count)
        return prepared.isOne || takeOtherKeys(prepared, values)
    }

    @inline(never)
    private func takeOtherKeys(_ prepared: PreparedClass, _ values: RowValues) -> Bool {
        for (place, row) in prepared.rest.enumerated() {
            guard let count = row.key.write(values, to: waiting.tail, room: HashGroup.longest) else {
                for _ in 0...place { waiting.removeLast() }
                return false
            }
            waiting.append(count)
        }
        return true
    }

    @inline(__always)
    private func write(_ row: PreparedClass.Row, _ values: RowValues, _ line: Int, endsUnit: Bool) {
        let start = bytes.count
        bytes.lastID = -1
        row.template.write(values, line, StableHash.none, name, &texts, to: bytes, beside: digests)
        rows.append(
            BatchRows.Place(
                start: UInt32(truncatingIfNeeded: start), id: UInt32(truncatingIfNeeded: bytes.lastID),
                endsUnit: endsUnit))
    }

    /// Gives all rows taken so far their keys and ids.
    @inline(never)
    func finish() {
        if waiting.count == 0 { return }
        let first = rows.keyCount
        digests.take()
        waiting.makeHashes()
        digests.take()
        for place in 0..<waiting.count { rows.append(key: waiting.hash(place)) }
        if hasIDs {
            waiting.makeFirsts()
            digests.take()
            for place in 0..<waiting.count { writeID(of: first + place, waiting.first(place)) }
        }
        waiting.removeAll()
    }

    /// Writes another id than that of a first.
    func writeID(of row: Int, _ id: StableHash) {
        let place = rows.place(row)
        if place.id != BatchRows.Place.noID { bytes.write(id, at: Int(place.id)) }
    }
}
