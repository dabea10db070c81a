import Digests

/// Rows of prepared classes on their way from markup to a sink, many at a time: while one batch is written down, the
/// rows of the one before are hashed, and the sink is told ahead of the rows that it is to count.
///
/// What the sink gets in any other way comes after the rows before it only if `settle` is called in between.
final class RowQueue {
    /// A batch; of a constant no reference is counted for a row.
    private final class Turn {
        let batch: any RowBatch
        init(_ batch: any RowBatch) { self.batch = batch }
    }

    private let sink: any RecordSink
    /// Two that take turns.
    @exclusivity(unchecked) private var turns: (Turn, Turn)?
    /// The first of them.
    @exclusivity(unchecked) private var current: Unmanaged<Turn>?
    /// Classes from this number on are newer than the batches, and from `newest` on none was met.
    @exclusivity(unchecked) private var known = 0
    @exclusivity(unchecked) private var newest = 0
    /// Rows that could not be queued since the batches were made.
    @exclusivity(unchecked) private var strangers = 0
    /// What the sink has of the batch, and how many rows it has not.
    @exclusivity(unchecked) private var settled = BatchMark()
    @exclusivity(unchecked) private var waiting = 0
    @exclusivity(unchecked) private var isRefused = false

    /// Batches are not worth their memory for fewer rows.
    private static let leastRows = 128
    /// So many bytes are handed over at once; they are looked at after every few rows.
    private static let batchBytes = 1 << 16
    private static let looksAfter = 32

    init(_ sink: any RecordSink) { self.sink = sink }

    deinit { giveUp() }

    /// Takes a row; false when it must be handed to the sink by itself, after `settle`.
    @inline(__always)
    func take(_ values: RowValues, of prepared: Int, line: Int) -> Bool {
        guard let current, prepared < known else { return meet(prepared) }
        // `turns` keeps it.
        guard current._withUnsafeGuaranteedRef({ $0.batch.take(values, of: prepared, line: line) }) else {
            return false
        }
        waiting &+= 1
        if waiting & (RowQueue.looksAfter &- 1) == 0 { look() }
        return true
    }

    /// Hands over what waits.
    @inline(__always)
    func settle() { if waiting > 0 { handOver() } }

    /// Forgets what waits; nothing is taken any more.
    func giveUp() {
        turns?.0.batch.removeAll()
        turns?.1.batch.removeAll()
        (turns, current, known, waiting) = (nil, nil, 0, 0)
        isRefused = true
    }

    @inline(never)
    private func handOver() {
        guard let batch = turns?.0.batch else { return }
        let end = batch.mark
        sink.accept(batch, from: settled, to: end)
        settled = end
        waiting = 0
    }

    @inline(never)
    private func look() {
        guard let batch = turns?.0.batch, batch.mark.bytes >= RowQueue.batchBytes else { return }
        handOver()
        turn()
    }

    /// Goes on with the other batch, whose rows must be hashed by now.
    private func turn() {
        guard let (one, other) = turns else { return }
        turns = (other, one)
        current = .passUnretained(other)
        other.batch.removeAll()
        settled = BatchMark()
    }

    /// A row of a class that the batches do not know. Making them costs: a few such rows go by themselves.
    @inline(never)
    private func meet(_ prepared: Int) -> Bool {
        strangers += 1
        newest = max(newest, prepared + 1)
        guard !isRefused, strangers > max(RowQueue.leastRows, known / 4) else { return false }
        settle()
        giveUp()
        strangers = 0
        guard let one = sink.makeBatch(), let other = sink.makeBatch() else { return false }
        one.use(sink.desk, isAlone: true)
        other.use(sink.desk, isAlone: true)
        let new = (Turn(one), Turn(other))
        turns = new
        current = .passUnretained(new.0)
        settled = BatchMark()
        known = newest
        isRefused = false
        return false
    }
}
