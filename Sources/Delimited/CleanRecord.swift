/// What a reader of rows asks of a record.
public protocol RecordCells: ~Copyable {
    /// How many cells there are; none on an empty line.
    var count: Int { get }
    /// What was odd.
    var flags: RecordFlags { get }
    /// The physical line on which the record begins, from 1.
    var line: Int { get }
    /// The content of a cell. Empty beyond the last cell.
    func cell(_ index: Int) -> ByteView
    /// The same of a cell that is known to be there: `index` is 0 to `count - 1`.
    func knownCell(_ index: Int) -> ByteView
    /// The source of several cells side by side, with quotes, padding and the delimiters between them.
    func rawCells(_ first: Int, _ last: Int) -> ByteView
    /// A cell, which `cell(_:)` has given, as a number; nil when there is none, or it has another shape than
    /// ``PlainDecimal`` reads.
    func plainDecimal(
        _ index: Int, _ cell: ByteView, mark: UInt8, scratch: UnsafeMutablePointer<UInt8>
    ) -> PlainDecimal?
}

extension RecordView: RecordCells {
    /// The content of a cell.
    @inlinable
    public func knownCell(_ index: Int) -> ByteView { cell(index) }
}

/// A record that is clean and on one line: cells without quotes, or quoted from end to end with no quote or line end
/// within.
///
/// Invariant: `base[start ..< start + length]` is the record; `ends[i]` is where its cell `i` ends, from `base`, and
/// `ends[-1]` is the byte before its start. Behind its bytes `InputBuffer.padding` more are readable. All pointers are the
/// reader's and are valid until the callback returns that got the record.
public struct CleanRecord: ~Copyable, RecordCells {
    @usableFromInline let base: UnsafePointer<UInt8>
    @usableFromInline let ends: UnsafePointer<UInt32>
    @usableFromInline let quote: UInt8
    /// How many cells there are; none on an empty line.
    public let count: Int
    /// The physical line, from 1.
    public let line: Int

    @inlinable
    init(base: UnsafePointer<UInt8>, ends: UnsafePointer<UInt32>, count: Int, quote: UInt8, line: Int) {
        self.base = base
        self.ends = ends
        self.quote = quote
        self.count = count
        self.line = line
    }

    /// Nothing is odd.
    @inlinable
    public var flags: RecordFlags { [] }

    /// The content of a cell: without its quotes, not trimmed. Empty beyond the last cell.
    @inlinable
    @inline(__always)
    public func cell(_ index: Int) -> ByteView {
        guard UInt(bitPattern: index) < UInt(bitPattern: count) else { return ByteView(base: base, count: 0) }
        return knownCell(index)
    }

    /// The same of a cell that is known to be there: `index` is 0 to `count - 1`.
    @inlinable
    @inline(__always)
    public func knownCell(_ index: Int) -> ByteView {
        assert(UInt(bitPattern: index) < UInt(bitPattern: count), "no such cell")
        let start = startOfCell(index)
        let length = Int(ends[index]) &- start
        // Said at once, so that who leaves out empty cells looks no further.
        guard length > 0 else { return ByteView(base: base + start, count: 0) }
        // A clean cell that begins with a quote ends with another one.
        if base[start] == quote { return ByteView(base: base + (start &+ 1), count: length &- 2) }
        return ByteView(base: base + start, count: length)
    }

    /// The first byte of a cell's content; 0 of an empty cell, and beyond the last.
    @inlinable
    @inline(__always)
    public func opening(_ index: Int) -> UInt8 {
        guard UInt(bitPattern: index) < UInt(bitPattern: count) else { return 0 }
        let start = startOfCell(index)
        let length = Int(ends[index]) &- start
        if length == 0 { return 0 }
        return base[start] != quote ? base[start] : length == 2 ? 0 : base[start &+ 1]
    }

    /// Whether of the cells that have content more than a quarter begin with one of some bytes below 64, a bit for each.
    @inlinable
    @inline(__always)
    public func opensOften(with openings: UInt64) -> Bool {
        var (filled, among) = (0, 0)
        // Amounts stand at the end of most rows: with so many of them the rest does not matter.
        for index in stride(from: count &- 1, through: 0, by: -1) {
            let byte = opening(index)
            if byte == 0 { continue }
            filled &+= 1
            among &+= byte < 64 ? Int(truncatingIfNeeded: openings &>> UInt64(byte) & 1) : 0
            if among &* 4 > count { return true }
        }
        return among &* 4 > filled
    }

    /// The source of several cells side by side, with quotes and the delimiters between them.
    @inlinable
    public func rawCells(_ first: Int, _ last: Int) -> ByteView {
        guard first >= 0, first <= last, last < count else { return ByteView(base: base, count: 0) }
        let start = startOfCell(first)
        return ByteView(base: base + start, count: Int(ends[last]) &- start)
    }

    /// A cell, which `cell(_:)` has given, as a number; nil when it has another shape than ``PlainDecimal`` reads.
    @inlinable
    @inline(__always)
    public func plainDecimal(
        _ index: Int, _ cell: ByteView, mark: UInt8, scratch: UnsafeMutablePointer<UInt8>
    ) -> PlainDecimal? {
        // `InputBuffer.padding` is more than what is read behind a cell.
        return PlainDecimal.readBare(cell, mark: mark)
            ?? PlainDecimal.readPadded(cell.content, mark: mark, scratch: scratch)
    }

    @inlinable
    @inline(__always)
    func startOfCell(_ index: Int) -> Int { Int(Int32(bitPattern: ends[index &- 1])) &+ 1 }
}
