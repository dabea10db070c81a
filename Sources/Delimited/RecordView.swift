/// What was odd about a record. None of it stops the reading; the layer above judges.
public struct RecordFlags: OptionSet, Sendable, Hashable {
    /// The bits.
    public let rawValue: UInt8

    /// Makes a set from its bits.
    @inlinable
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// A quote opened a cell and did not close it in a credible place; it was taken as a plain byte.
    @inlinable public static var unclosedQuote: RecordFlags { RecordFlags(rawValue: 1) }
    /// Text stands between a closing quote and the end of its cell; the cell keeps its quotes.
    @inlinable public static var textAfterQuote: RecordFlags { RecordFlags(rawValue: 2) }
    /// A quote stands inside a cell that is not quoted; it was taken as a plain byte.
    @inlinable public static var strayQuote: RecordFlags { RecordFlags(rawValue: 4) }
    /// The line is longer than `maxRecordBytes`; the record has its beginning only.
    @inlinable public static var tooLong: RecordFlags { RecordFlags(rawValue: 8) }
    /// A byte was not valid in the declared encoding and was read as Windows-1252, or became U+FFFD in UTF-16.
    @inlinable public static var invalidEncoding: RecordFlags { RecordFlags(rawValue: 16) }
    /// The record has a NUL byte; it was kept.
    @inlinable public static var nul: RecordFlags { RecordFlags(rawValue: 32) }
    /// Cells that go over lines have as many delimiters as the record, and numbers between them: two quotes may have been
    /// left open, and the lines between them be records.
    @inlinable public static var hidesRecords: RecordFlags { RecordFlags(rawValue: 64) }
    /// With any of these a record is no row: `tooLong`, `unclosedQuote`, `invalidEncoding`, `nul`, `hidesRecords`.
    @inlinable public static var anyDamage: RecordFlags {
        RecordFlags(
            rawValue: tooLong.rawValue | unclosedQuote.rawValue | invalidEncoding.rawValue | nul.rawValue
                | hidesRecords.rawValue)
    }
}

/// One record as the reader found it.
///
/// Invariant: all pointers are the reader's and are valid until the callback returns that got the view. Being
/// non-copyable, a record cannot be kept; copy what is needed from its cells. Behind a record's bytes
/// `InputBuffer.padding` more are readable, of which ``PlainDecimal/textRoom`` are read; none behind the scratch bytes.
public struct RecordView: ~Copyable {
    @usableFromInline let base: UnsafePointer<UInt8>
    @usableFromInline let length: Int
    @usableFromInline let cells: UnsafePointer<CellSpan>
    @usableFromInline let scratch: UnsafePointer<UInt8>
    /// How many cells there are; none on an empty line.
    public let count: Int
    /// The physical line on which the record begins, from 1.
    public let line: Int
    /// How many physical lines the record takes; more than 1 only when a quoted cell has line ends.
    public let lineCount: Int
    /// Where the record begins in the decoded stream, in bytes from 0, the byte order mark not counted.
    public let byteOffset: Int
    /// Where the record begins in the input itself, byte order mark included; `nil` once transcoding has moved bytes.
    public let sourceOffset: Int?
    /// What was odd.
    public let flags: RecordFlags
    /// Whether the input ends within the record's line: nothing ends it.
    public let isUnended: Bool

    @inlinable
    init(
        base: UnsafePointer<UInt8>, length: Int, cells: UnsafePointer<CellSpan>, scratch: UnsafePointer<UInt8>,
        count: Int, line: Int, lineCount: Int, byteOffset: Int, sourceOffset: Int?, flags: RecordFlags,
        isUnended: Bool = false
    ) {
        self.base = base
        self.length = length
        self.cells = cells
        self.scratch = scratch
        self.count = count
        self.line = line
        self.lineCount = lineCount
        self.byteOffset = byteOffset
        self.sourceOffset = sourceOffset
        self.flags = flags
        self.isUnended = isUnended
    }

    /// The record's bytes in UTF-8 with its quotes and without its line end.
    @inlinable
    public var rawBytes: ByteView { ByteView(base: base, count: length) }

    /// The content of a cell: without its quotes, doubled quotes undone, not trimmed. Empty beyond the last cell.
    @inlinable
    public func cell(_ index: Int) -> ByteView {
        guard UInt(bitPattern: index) < UInt(bitPattern: count) else { return ByteView(base: base, count: 0) }
        let span = cells[index]
        let from = span.isInScratch ? scratch : base
        return ByteView(base: from + Int(span.start), count: Int(span.end) - Int(span.start))
    }

    /// The content of a cell; the same as `cell(_:)`.
    @inlinable
    public subscript(_ index: Int) -> ByteView { cell(index) }

    /// A cell as it stands in the source, with quotes and padding. Empty beyond the last cell.
    @inlinable
    public func rawCell(_ index: Int) -> ByteView {
        guard UInt(bitPattern: index) < UInt(bitPattern: count) else { return ByteView(base: base, count: 0) }
        let start = rawStart(index)
        return ByteView(base: base + start, count: Int(cells[index].rawEnd) - start)
    }

    /// The source of several cells side by side, with quotes, padding and the delimiters between them.
    @inlinable
    public func rawCells(_ first: Int, _ last: Int) -> ByteView {
        guard first >= 0, first <= last, last < count else { return ByteView(base: base, count: 0) }
        let start = rawStart(first)
        return ByteView(base: base + start, count: Int(cells[last].rawEnd) - start)
    }

    /// Whether the cell is quoted in the source.
    @inlinable
    public func isQuoted(_ index: Int) -> Bool {
        UInt(bitPattern: index) < UInt(bitPattern: count) && cells[index].isQuoted
    }

    /// Whether every cell is empty or white space; true of an empty line and of `,,,`.
    @inlinable
    public var isBlank: Bool {
        for index in 0..<count where !cell(index).isBlank { return false }
        return true
    }

    @inlinable
    func rawStart(_ index: Int) -> Int { index == 0 ? 0 : Int(cells[index - 1].rawEnd) + 1 }
}
