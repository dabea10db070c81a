import CByteMask

/// Tells eight bytes at a time which are a delimiter, a quote or a control byte; the first two are ASCII.
enum SpecialBytes {
    /// A byte in all eight places.
    @inline(__always)
    static func repeated(_ byte: UInt8) -> UInt64 { UInt64(byte) &* 0x0101_0101_0101_0101 }

    /// Bit 0 of each byte of the result tells whether the byte there is special.
    @inline(__always)
    static func flags(_ word: UInt64, delimiters: UInt64, quotes: UInt64) -> UInt64 {
        let low: UInt64 = 0x7F7F_7F7F_7F7F_7F7F
        let quote = word ^ quotes
        let delimiter = word ^ delimiters
        // In each sum the high bit of a byte tells "not a quote", "not a delimiter", "0x20 or more" for ASCII; bytes
        // from 0x80 have it in `word` itself and are never special. No sum carries into the next byte.
        let plain =
            ((quote & low) &+ low) & ((delimiter & low) &+ low) & ((word & 0x6060_6060_6060_6060) &+ low) | word
        return (~plain >> 7) & 0x0101_0101_0101_0101
    }
}

/// Finds the bytes that the grammar cares about, 64 at a time: delimiters, quotes and control bytes.
///
/// Invariant: `base ..< base + end` is readable, and 64 bytes beyond it (`InputBuffer.padding`). A block begins before
/// `end`, so its 64 bytes are readable; what it finds at or after `end` is not input, and the caller compares with `end`.
struct BlockIndex {
    private var base: UnsafePointer<UInt8>
    private(set) var end: Int
    private var block = 0
    /// The special bytes of the block that are not yet given out, one bit each, the first in bit 0.
    private var mask: UInt64 = 0
    private let delimiter: UInt8
    private let quote: UInt8

    init(dialect: Dialect, base: UnsafePointer<UInt8>, start: Int, end: Int) {
        self.base = base
        self.end = end
        delimiter = dialect.delimiter
        quote = dialect.quote
        seek(start)
    }

    /// Goes to a position, at most `end`.
    mutating func seek(_ position: Int) {
        block = position
        mask = position < end ? find(position) : 0
    }

    /// The position of the next special byte; at or after `end` when there is none.
    @inline(__always)
    mutating func next() -> Int {
        while mask == 0 {
            block += 64
            if block >= end { return end }
            mask = find(block)
        }
        let position = block + mask.trailingZeroBitCount
        mask &= mask &- 1
        return position
    }

    /// The special bytes among the 64 at a position.
    @inline(__always)
    private func find(_ position: Int) -> UInt64 { byte_mask_special(base + position, delimiter, quote) }
}

/// Reads the records that are clean and on one line: cells without quotes, or quoted from end to end with no quote or
/// line end within. Of any other it says so, and the scalar grammar reads it; so the two cannot differ in doubt.
///
/// Invariant: as of `BlockIndex`; every byte read is below `end`.
struct FastScanner {
    private let base: UnsafePointer<UInt8>
    private var index: BlockIndex
    private let dialect: Dialect
    private let limit: Int
    private(set) var length = 0
    private(set) var next: Int

    /// A scanner of the bytes at `start ..< end`, which begin with a record.
    init(dialect: Dialect, base: UnsafePointer<UInt8>, start: Int, end: Int, limit: Int) {
        self.base = base
        self.dialect = dialect
        self.limit = limit
        next = start
        index = BlockIndex(dialect: dialect, base: base, start: start, end: end)
    }

    /// Whether a dialect can be read this way: the delimiter and the quote are ASCII, and different.
    static func suits(_ dialect: Dialect) -> Bool {
        dialect.delimiter < 0x80 && dialect.quote < 0x80 && dialect.delimiter != dialect.quote
            && !Ascii.isLineEnd(dialect.delimiter) && dialect.delimiter != 0 && dialect.quote >= 0x20
    }

    /// Says that the index no longer stands at a record; `seek` is due before the next scan.
    mutating func lose() { next = -1 }

    /// Continues at another record.
    mutating func seek(_ position: Int) {
        next = position
        index.seek(position)
    }

    /// Reads the record at `next` into `cells`; false when it is not clean or not all there. Then it is lost.
    @inline(__always)
    mutating func scan(into cells: inout CellStore) -> Bool {
        // Copies that live in registers.
        var index = self.index
        var spans = cells.refill()
        defer {
            self.index = index
            cells.keep(spans)
        }
        let base = self.base
        let record = next
        let end = index.end
        let delimiter = dialect.delimiter
        let quote = dialect.quote
        var start = record
        while true {
            var position = index.next()
            if position >= end { return false }
            var byte = base[position]
            if byte == delimiter {
                guard spans.append(start - record, position - record) else { return false }
                start = position + 1
                continue
            }
            if Ascii.isLineEnd(byte) {
                if position > record {
                    guard spans.append(start - record, position - record) else { return false }
                }
                return finish(&index, record: record, at: position)
            }
            if byte == quote {
                guard position == start, let close = closing(&index), close + 1 < end else { return false }
                position = close + 1
                byte = base[position]
                guard byte == delimiter || Ascii.isLineEnd(byte) else { return false }
                _ = index.next()
                let span = CellSpan(
                    start: start + 1 - record, end: close - record, rawEnd: position - record, marks: CellSpan.quoted)
                guard spans.append(span) else { return false }
                if byte != delimiter { return finish(&index, record: record, at: position) }
                start = position + 1
                continue
            }
            // Other control bytes are content; a NUL is for the scalar grammar to report.
            if byte == 0 { return false }
        }
    }

    /// The next quote, if no line end or NUL stands before it.
    @inline(__always)
    private func closing(_ index: inout BlockIndex) -> Int? {
        while true {
            let position = index.next()
            if position >= index.end { return nil }
            let byte = base[position]
            if byte == dialect.quote { return position }
            if Ascii.isLineEnd(byte) || byte == 0 { return nil }
        }
    }

    /// Ends the record at a line end whose length is certain.
    @inline(__always)
    private mutating func finish(_ index: inout BlockIndex, record: Int, at position: Int) -> Bool {
        length = position - record
        if length > limit { return false }
        next = position + 1
        if base[position] == Ascii.lineFeed { return true }
        let ending = LineEnd.length(at: base + position, available: index.end - position, isEnd: false)
        if ending == 0 { return false }
        for _ in 1..<ending { _ = index.next() }
        next = position + ending
        return true
    }
}
