public import Digests

/// Reads a block that begins with a record: those records of it that are clean and on one line. It is a guess: whether
/// the block begins with a record, only who reads the input from its start knows.
public struct BlockReader: ~Copyable {
    private let dialect: Dialect
    private let maxRecordBytes: Int
    private var index: SeparatorIndex
    private var cells = CellStore()
    /// The ends of a record that is read alone, after the place before its start.
    private var ends: [UInt32] = []
    /// Digests that are made beside the reading.
    public var digests = DigestSteps()

    /// Whether an input can be read in blocks.
    public static func suits(_ dialect: Dialect, _ encoding: TextEncoding) -> Bool {
        encoding == .utf8 && FastScanner.suits(dialect)
    }

    /// A reader of blocks.
    public init(dialect: Dialect, maxRecordBytes: Int = 1 << 20) {
        self.dialect = dialect
        self.maxRecordBytes = maxRecordBytes
        index = SeparatorIndex(dialect)
    }

    /// Reads a block that ends with a line feed.
    ///
    /// - Parameters:
    ///   - line: the line on which the block begins, from 1.
    ///   - take: gets each clean record; false when it is left to the reader of the whole.
    ///   - leave: gets the part of the block, to the end of a line, that is left to the reader of the whole.
    public mutating func read(
        _ block: ByteBlock, line: Int, take: (borrowing CleanRecord) -> Bool, leave: (Range<Int>) -> Void
    ) {
        let end = block.count
        var line = line
        var position = 0
        while position < end {
            index.read(block.base + position, count: end - position, beside: digests)
            if index.lineCount == 0 {
                position = readAlone(block, position, line, take, leave)
                line += 1
                continue
            }
            let next = position + Int(index.lineEnds[index.lineCount - 1]) + 1
            if index.hasHigh, !UTF8Check.isValid(block.bytes(position..<next), isWhole: true) {
                leave(position..<next)
            } else {
                readWindow(block, position, line, take, leave)
            }
            line += index.lineCount
            position = next
        }
    }

    /// Gives out the records of the window that the index has.
    private mutating func readWindow(
        _ block: ByteBlock, _ window: Int, _ line: Int, _ take: (borrowing CleanRecord) -> Bool,
        _ leave: (Range<Int>) -> Void
    ) {
        let base = block.base + window
        let (separators, lineEnds, found) = (index.separators, index.lineEnds, index.separatorCount)
        var start = 0
        var first = 0
        var width = 1
        for number in 0..<index.lineCount {
            let feed = Int(lineEnds[number])
            // Most lines have as many cells as the one before.
            var last = first &+ width &- 1
            if last >= found || Int(separators[last]) != feed {
                last = first
                while Int(separators[last]) != feed { last &+= 1 }
                width = last &- first &+ 1
            }
            let end = feed > start && base[feed &- 1] == Ascii.carriageReturn ? feed &- 1 : feed
            separators[last] = UInt32(truncatingIfNeeded: end)
            digests.take()
            if number & 7 == 0 { digests.turn() }
            let record = CleanRecord(
                base: base, ends: UnsafePointer(separators + first), count: end == start ? 0 : width,
                quote: dialect.quote, line: line &+ number)
            if end &- start > maxRecordBytes || !take(record) { leave(window + start..<window + feed + 1) }
            separators[last] = UInt32(truncatingIfNeeded: feed)
            first = last &+ 1
            start = feed &+ 1
        }
    }

    /// Reads a record that is not clean, or longer than a window; returns where the next one begins.
    @inline(never)
    private mutating func readAlone(
        _ block: ByteBlock, _ start: Int, _ line: Int, _ take: (borrowing CleanRecord) -> Bool,
        _ leave: (Range<Int>) -> Void
    ) -> Int {
        let (base, end) = (block.base, block.count)
        var scanner = FastScanner(dialect: dialect, base: base, start: start, end: end, limit: maxRecordBytes)
        if scanner.scan(into: &cells), UTF8Check.isValid(block.bytes(start..<scanner.next), isWhole: true) {
            ends.removeAll(keepingCapacity: true)
            ends.append(.max)
            for cell in 0..<cells.count { ends.append(cells.cells[cell].rawEnd) }
            let isTaken = ends.withUnsafeBufferPointer { ends in
                guard let first = ends.baseAddress else { return false }
                let record = CleanRecord(
                    base: base + start, ends: first + 1, count: cells.count, quote: dialect.quote, line: line)
                return take(record)
            }
            if !isTaken { leave(start..<scanner.next) }
            return scanner.next
        }
        var position = start
        while position < end, base[position] != Ascii.lineFeed { position += 1 }
        position = min(position + 1, end)
        leave(start..<position)
        return position
    }
}
