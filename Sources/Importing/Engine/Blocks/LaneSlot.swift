import Delimited
import Digests

/// A block, and what a thread has guessed of it.
///
/// One thread at a time uses it.
final class LaneSlot: @unchecked Sendable {
    let block: ByteBlock
    /// The line on which it is thought to begin.
    var line = 1
    private(set) var left: [LeftBytes] = []
    private(set) var end = BatchMark()
    /// How many rows were guessed.
    private(set) var rows = 0
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
        guard let batch, let classes else { return }
        batch.use(reader.desk, isAlone: reader.isAlone)
        rows = reader.read(block, line: line, by: classes, into: batch, leaving: &left)
        end = batch.mark
    }
}
