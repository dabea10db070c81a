import Delimited
import Digests

/// What one thread reads blocks with. One thread at a time uses it.
public final class SlotReader: @unchecked Sendable {
    var blocks: BlockReader
    private var dialect: Dialect
    /// The readers of the lanes that were met last; each knows the dates that it has read.
    private var known: [(lane: ClassLane, reader: LaneReader)] = []
    private static let most = 8
    /// Whether its thread is the only one that reads the input.
    var isAlone = false
    /// Digests that are made beside the reading.
    var desk: DigestDesk? {
        didSet { blocks.digests = DigestSteps(desk) }
    }

    /// A reader of no lane yet.
    public convenience init() { self.init(.csv) }

    init(_ dialect: Dialect) {
        self.dialect = dialect
        blocks = BlockReader(dialect: dialect)
    }

    /// Reads another dialect from now on.
    func use(_ dialect: Dialect) {
        if self.dialect == dialect { return }
        self.dialect = dialect
        blocks = BlockReader(dialect: dialect)
        blocks.digests = DigestSteps(desk)
    }

    /// The reader of a lane's rows.
    func rows(of lane: ClassLane) -> LaneReader {
        if let index = known.firstIndex(where: { $0.lane === lane }) { return known[index].reader }
        if known.count == SlotReader.most { known.removeFirst() }
        let reader = lane.makeReader()
        reader.digests = DigestSteps(desk)
        known.append((lane, reader))
        return reader
    }

    /// Reads a block, of a guess: rows of known classes go to a batch that is emptied before.
    ///
    /// - Parameter left: becomes what was not guessed.
    /// - Returns: how many rows the batch was given, as they were cut: what it has of them is not asked.
    func read(
        _ block: ByteBlock, line: Int, by classes: (table: ClassTable, lane: ClassLane), into batch: any RowBatch,
        leaving left: inout [LeftBytes]
    ) -> Int {
        left.removeAll(keepingCapacity: true)
        batch.removeAll()
        let rows = rows(of: classes.lane)
        var count = 0
        blocks.read(block, line: line) { (record: borrowing CleanRecord) -> Bool in
            guard let id = rows.classify(record, classes.table), id >= 0 else { return false }
            guard batch.take(rows.values, of: id, line: record.line) else { return false }
            count &+= 1
            return true
        } leave: { bytes in
            if let last = left.last, last.bytes.upperBound == bytes.lowerBound {
                left[left.count - 1].bytes = last.bytes.lowerBound..<bytes.upperBound
            } else {
                left.append(LeftBytes(bytes: bytes, mark: batch.mark, rows: count))
            }
        }
        return count
    }
}

/// Bytes of a block that were not guessed, and what the batch had taken before them, and been given.
struct LeftBytes {
    var bytes: Range<Int>
    var mark: BatchMark
    var rows: Int
}
