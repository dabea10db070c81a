/// The records of a small text, read once and looked at several times.
///
/// Invariant: `bytes` ends in `InputBuffer.padding` bytes that belong to no record, once `seal` was called; an entry's
/// spans are `spans[firstSpan ..< firstSpan + count]`, and lie in its bytes or its scratch as `RecordView` has them.
public struct RecordTape: Sendable {
    private struct Entry: Sendable {
        var start: Int
        var length: Int
        var firstSpan: Int
        var count: Int
        var firstScratch: Int
        var line: Int
        var lineCount: Int
        var byteOffset: Int
        var sourceOffset: Int?
        var flags: RecordFlags
    }

    private var entries: [Entry] = []
    private var spans: [CellSpan] = []
    private var bytes: [UInt8] = []
    private var scratch: [UInt8] = []

    /// An empty tape with room for a text of so many bytes.
    public init(room: Int) {
        bytes.reserveCapacity(room + InputBuffer.padding)
        spans.reserveCapacity(room / 8)
        entries.reserveCapacity(room / 96)
    }

    /// Keeps a record.
    public mutating func append(_ record: borrowing RecordView) {
        var scratchEnd = 0
        for index in 0..<record.count where record.cells[index].isInScratch {
            scratchEnd = max(scratchEnd, Int(record.cells[index].end))
        }
        entries.append(
            Entry(
                start: bytes.count, length: record.length, firstSpan: spans.count, count: record.count,
                firstScratch: scratch.count, line: record.line, lineCount: record.lineCount,
                byteOffset: record.byteOffset, sourceOffset: record.sourceOffset, flags: record.flags))
        spans.append(contentsOf: UnsafeBufferPointer(start: record.cells, count: record.count))
        bytes.append(contentsOf: UnsafeBufferPointer(start: record.base, count: record.length))
        scratch.append(contentsOf: UnsafeBufferPointer(start: record.scratch, count: scratchEnd))
    }

    /// Ends the tape: all records are there.
    public mutating func seal() {
        bytes.append(contentsOf: repeatElement(0, count: InputBuffer.padding))
        // Empty memory has no address.
        spans.append(CellSpan(start: 0, end: 0, rawEnd: 0, marks: 0))
        scratch.append(0)
    }

    /// How many records there are.
    public var count: Int { entries.count }

    /// Hands out the records in order for as long as `body` returns true; of a sealed tape.
    public func forEachWhile(_ body: (borrowing RecordView) -> Bool) {
        bytes.withUnsafeBufferPointer { bytes in
            spans.withUnsafeBufferPointer { spans in
                scratch.withUnsafeBufferPointer { scratch in
                    guard let base = bytes.baseAddress, let cells = spans.baseAddress, let undone = scratch.baseAddress
                    else { return }
                    for entry in entries {
                        let record = RecordView(
                            base: base + entry.start, length: entry.length, cells: cells + entry.firstSpan,
                            scratch: undone + entry.firstScratch, count: entry.count, line: entry.line,
                            lineCount: entry.lineCount, byteOffset: entry.byteOffset,
                            sourceOffset: entry.sourceOffset, flags: entry.flags)
                        guard body(record) else { return }
                    }
                }
            }
        }
    }
}
