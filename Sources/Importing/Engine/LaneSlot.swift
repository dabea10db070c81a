import Delimited
import Digests

/// A block, and what a thread has guessed of it.
///
/// One thread at a time uses it.
final class LaneSlot: @unchecked Sendable {
    /// Bytes that were not guessed, and what the batch had taken before them.
    struct Left {
        var bytes: Range<Int>
        var mark: BatchMark
    }

    let block: ByteBlock
    /// The line on which it is thought to begin.
    var line = 1
    private(set) var left: [Left] = []
    private(set) var end = BatchMark()
    private(set) var batch: (any RowBatch)?
    private var classes: (table: ClassTable, lane: ClassLane)?

    init(capacity: Int) { block = ByteBlock(capacity: capacity) }

    /// Has it guessed by these classes from now on.
    func use(_ table: ClassTable, _ batch: any RowBatch, _ lane: ClassLane) {
        classes = (table, lane)
        self.batch = batch
    }

    /// Nobody has rows of it any more.
    func giveUpBatch() {
        batch?.removeAll()
        batch = nil
        classes = nil
    }

    func isOf(_ lane: ClassLane) -> Bool { classes?.lane === lane }

    /// Whether the line on which its block begins must be right.
    var needsLines: Bool { batch?.needsLines ?? true }

    /// Reads the block.
    func guess(_ reader: SlotReader) {
        left.removeAll(keepingCapacity: true)
        guard let batch, let classes else { return }
        batch.removeAll()
        batch.use(reader.desk, isAlone: reader.isAlone)
        let rows = reader.rows(of: classes.lane)
        reader.blocks.read(block, line: line) { (record: borrowing CleanRecord) -> Bool in
            guard let id = rows.classify(record, classes.table), id >= 0 else { return false }
            return batch.take(rows.values, of: id, line: record.line)
        } leave: { bytes in
            if let last = left.last, last.bytes.upperBound == bytes.lowerBound {
                left[left.count - 1].bytes = last.bytes.lowerBound..<bytes.upperBound
            } else {
                left.append(Left(bytes: bytes, mark: batch.mark))
            }
        }
        end = batch.mark
    }
}
