/// Where a cell's content lies, relative to its record, or to the scratch bytes when its quotes had to be undone.
@usableFromInline
struct CellSpan: BitwiseCopyable, Sendable {
    @usableFromInline var start: UInt32
    @usableFromInline var end: UInt32
    /// Where the cell ends in the record, quotes and padding included.
    @usableFromInline var rawEnd: UInt32
    @usableFromInline var marks: UInt32

    @usableFromInline static let quoted: UInt32 = 1
    @usableFromInline static let scratched: UInt32 = 2

    @inlinable
    init(start: Int, end: Int, rawEnd: Int, marks: UInt32) {
        self.start = UInt32(truncatingIfNeeded: start)
        self.end = UInt32(truncatingIfNeeded: end)
        self.rawEnd = UInt32(truncatingIfNeeded: rawEnd)
        self.marks = marks
    }

    @inlinable
    var isInScratch: Bool { marks & Self.scratched != 0 }

    @inlinable
    var isQuoted: Bool { marks & Self.quoted != 0 }
}

/// The cells of the record at hand, in memory that is used again for the next one.
///
/// Invariant: `cells` has room for `capacity` spans of which the first `count` are initialised; `scratch` has room for
/// `scratchCapacity` bytes of which the first `scratchCount` are. Spans are bitwise-copyable, so nothing is deinitialised.
struct CellStore: ~Copyable {
    private(set) var cells: UnsafeMutablePointer<CellSpan>
    private(set) var capacity: Int
    private(set) var count = 0
    private(set) var scratch: UnsafeMutablePointer<UInt8>
    private var scratchCapacity: Int
    private(set) var scratchCount = 0

    init() {
        capacity = 64
        cells = .allocate(capacity: capacity)
        scratchCapacity = 256
        scratch = .allocate(capacity: scratchCapacity)
    }

    deinit {
        cells.deallocate()
        scratch.deallocate()
    }

    /// Forgets the cells, keeps the memory.
    mutating func removeAll() {
        count = 0
        scratchCount = 0
    }

    @inline(__always)
    mutating func append(_ span: CellSpan) {
        if count == capacity { growCells() }
        (cells + count).initialize(to: span)
        count += 1
    }

    /// Forgets the cells, and lends the memory to somebody who appends many.
    @inline(__always)
    mutating func refill() -> SpanWriter {
        removeAll()
        return SpanWriter(base: cells, room: capacity)
    }

    /// Takes what was written to the lent memory.
    @inline(__always)
    mutating func keep(_ writer: SpanWriter) { count = writer.count }

    /// Appends a quoted cell, undoing its doubled quotes in the scratch bytes.
    mutating func appendUndoubled(_ content: UnsafeBufferPointer<UInt8>, quote: UInt8, rawEnd: Int) {
        if scratchCapacity - scratchCount < content.count { growScratch(by: content.count) }
        let start = scratchCount
        var position = 0
        while position < content.count {
            let byte = content[position]
            scratch[scratchCount] = byte
            scratchCount += 1
            // Within a quoted cell every quote is the first of a pair.
            position += byte == quote ? 2 : 1
        }
        append(
            CellSpan(start: start, end: scratchCount, rawEnd: rawEnd, marks: CellSpan.quoted | CellSpan.scratched))
    }

    @inline(never)
    private mutating func growCells() {
        let larger = UnsafeMutablePointer<CellSpan>.allocate(capacity: capacity * 2)
        larger.moveInitialize(from: cells, count: count)
        cells.deallocate()
        cells = larger
        capacity *= 2
    }

    @inline(never)
    private mutating func growScratch(by needed: Int) {
        let larger = max(scratchCapacity * 2, scratchCount + needed)
        let memory = UnsafeMutablePointer<UInt8>.allocate(capacity: larger)
        memory.moveInitialize(from: scratch, count: scratchCount)
        scratch.deallocate()
        scratch = memory
        scratchCapacity = larger
    }
}

/// The memory of a cell store while a record is read.
///
/// Invariant: `base` has room for `room` spans, the first `count` of them initialised; `CellStore` does not move its
/// memory before it has the writer back.
struct SpanWriter {
    fileprivate let base: UnsafeMutablePointer<CellSpan>
    fileprivate let room: Int
    fileprivate(set) var count = 0

    /// Appends a cell without quotes; false when there is no room: the store must grow first.
    @inline(__always)
    mutating func append(_ start: Int, _ end: Int) -> Bool {
        append(CellSpan(start: start, end: end, rawEnd: end, marks: 0))
    }

    /// Appends a cell; false when there is no room.
    @inline(__always)
    mutating func append(_ span: CellSpan) -> Bool {
        if count == room { return false }
        (base + count).initialize(to: span)
        count += 1
        return true
    }
}
