/// Reads a block that begins with a record: those records of it that are clean and on one line (`FastScanner`). It is
/// a guess: whether the block begins with a record, only who reads the input from its start knows.
public struct BlockReader: ~Copyable {
    private let dialect: Dialect
    private let maxRecordBytes: Int
    private var cells = CellStore()

    /// Whether an input can be read in blocks.
    public static func suits(_ dialect: Dialect, _ encoding: TextEncoding) -> Bool {
        encoding == .utf8 && FastScanner.suits(dialect)
    }

    /// A reader of blocks.
    public init(dialect: Dialect, maxRecordBytes: Int = 1 << 20) {
        self.dialect = dialect
        self.maxRecordBytes = maxRecordBytes
    }

    /// Reads a block that ends with a line feed.
    ///
    /// - Parameters:
    ///   - line: the line on which the block begins, from 1.
    ///   - take: gets each clean record; false when it is left to the reader of the whole.
    ///   - leave: gets the part of the block, to the end of a line, that is left to the reader of the whole.
    public mutating func read(
        _ block: ByteBlock, line: Int, take: (borrowing RecordView) -> Bool, leave: (Range<Int>) -> Void
    ) {
        let end = block.count
        let base = block.base
        guard UTF8Check.isValid(block.bytes(0..<end), isWhole: true) else { return leave(0..<end) }
        var line = line
        var position = 0
        var scanner = FastScanner(dialect: dialect, base: base, start: 0, end: end, limit: maxRecordBytes)
        while position < end {
            let start = position
            if scanner.scan(into: &cells) {
                position = scanner.next
                let record = RecordView(
                    base: base + start, length: scanner.length, cells: cells.cells, scratch: cells.scratch,
                    count: cells.count, line: line, lineCount: 1, byteOffset: start, sourceOffset: nil, flags: [])
                if !take(record) { leave(start..<position) }
            } else {
                while position < end, base[position] != Ascii.lineFeed { position += 1 }
                position = min(position + 1, end)
                leave(start..<position)
                scanner.seek(position)
            }
            line += 1
        }
    }
}
