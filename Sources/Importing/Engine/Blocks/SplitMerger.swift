import Delimited
import Digests
import Synchronization

/// Takes what was guessed of blocks, in their order, and reads the rest: each block is merged by the thread that has
/// guessed it, in its turn, so that rows do not travel from one processor to another.
///
/// Invariant: only the thread whose turn it is uses anything but `turns`.
final class SplitMerger: @unchecked Sendable {
    private let run: DefinitionRun
    private let source: BlockSource
    private var reader: DelimitedReader
    private let slotCount: Int
    /// Whose turn it is; the place of a block is its number, modulo the count, which no two blocks in hand share.
    private let turns: [Baton]
    private var frozen: (lane: FrozenLane, taken: Int)?
    private var frozenCount = 0
    /// Called once, in a turn, when there is something to go by.
    private var onFirst: (() -> Void)?

    init(_ run: DefinitionRun, _ source: BlockSource, _ reader: consuming DelimitedReader, slotCount: Int) {
        self.run = run
        self.source = source
        self.reader = reader
        self.slotCount = slotCount
        turns = (0...slotCount).map { _ in Baton() }
        turns[0].give()
    }

    /// Has somebody called, in a turn, when there is something to guess by.
    func whenFirst(_ body: @escaping () -> Void) { onFirst = body }

    /// Merges a block if its turn has come.
    func mergeIfNext(_ split: SplitSlot, _ desk: DigestDesk?) -> Bool {
        guard turns[split.number % turns.count].takeIfHere() else { return false }
        merge(split, desk)
        return true
    }

    /// Waits for a block's turn, and merges it.
    func mergeInTurn(_ split: SplitSlot, _ desk: DigestDesk?) {
        let turn = turns[split.number % turns.count]
        if !turn.takeIfHere() {
            desk?.letGo()
            turn.take()
        }
        merge(split, desk)
    }

    private func merge(_ split: SplitSlot, _ desk: DigestDesk?) {
        read(split, desk)
        run.sink.passedBlock()
        // There is work for others as soon as there is something to go by.
        if freeze(), let first = onFirst {
            onFirst = nil
            first()
        }
        turns[(split.number + 1) % turns.count].give()
    }

    /// Reads what stands behind the last line feed, when all blocks are merged, and tells how many records there were.
    func finish() -> Int {
        feed(source.rest, nil, isLast: true)
        return reader.recordCount
    }

    /// Has the slots that are still to be filled guessed by what the lane knows now; false when there is nothing to go by.
    private func freeze() -> Bool {
        guard let lane = run.openLane, lane.table.count > 0 else {
            if frozen != nil { source.use(nil) }
            frozen = nil
            return false
        }
        let isSame = frozen?.lane.lane === lane
        let known = isSame ? frozen?.lane.table.count ?? 0 : 0
        // Copies cost: a few rows of unknown classes are worked off here.
        let count = lane.table.count
        guard count > known + known / 8 || count > known && lane.taken - (frozen?.taken ?? 0) > count / 4 else {
            return true
        }
        var batches: [any RowBatch] = []
        while batches.count < slotCount {
            guard let batch = run.sink.makeBatch() else { return false }
            batches.append(batch)
        }
        frozenCount += 1
        let frozen = FrozenLane(table: lane.table.frozen(), lane: lane, batches: batches, number: frozenCount)
        self.frozen = (frozen, lane.taken)
        source.use(frozen)
        return true
    }

    private func read(_ split: SplitSlot, _ desk: DigestDesk?) {
        let slot = split.slot
        let start = reader.lineCount
        var position = 0
        var mark = BatchMark()
        var rows = 0
        if split.isGuessed, isRight(slot), !slot.needsLines || slot.line == start + 1 {
            var isRight = true
            for part in slot.left {
                accept(slot, position..<part.bytes.lowerBound, part.rows - rows, from: mark, to: part.mark)
                mark = part.mark
                rows = part.rows
                position = part.bytes.upperBound
                let (bytes, line) = (slot.block.bytes(part.bytes), reader.lineCount)
                feed(bytes, desk)
                // Rows below it were guessed to stand as many lines further down as it has line feeds.
                isRight =
                    self.isRight(slot)
                    && (!slot.needsLines || reader.lineCount - line == ByteBlock.lineFeeds(in: bytes))
                if !isRight { break }
            }
            if isRight {
                accept(slot, position..<slot.block.count, slot.rows - rows, from: mark, to: slot.end)
                position = slot.block.count
            }
        }
        feed(slot.block.bytes(position..<slot.block.count), desk)
        // What follows was guessed from the number of line feeds.
        if split.countsLines { source.shift(lines: reader.lineCount - start - split.lineFeeds) }
    }

    private func isRight(_ slot: LaneSlot) -> Bool {
        guard reader.isAtRecord, let lane = run.openLane else { return false }
        return slot.isOf(lane)
    }

    /// Takes rows that were guessed, each of which is a line: how many they are, the batch is not asked.
    private func accept(
        _ slot: LaneSlot, _ bytes: Range<Int>, _ rows: Int, from start: BatchMark, to end: BatchMark
    ) {
        if rows == 0 { return }
        run.passed()
        if let batch = slot.batch { run.sink.accept(batch, from: start, to: end) }
        reader.pass(bytes: bytes.count, lines: rows, records: rows)
    }

    private func feed(_ bytes: UnsafeRawBufferPointer, _ desk: DigestDesk?, isLast: Bool = false) {
        if bytes.isEmpty, !isLast { return }
        // What comes of it may be hashed at once, after what others hold.
        desk?.letGo()
        let run = run
        reader.feed(bytes, isLast: isLast) { (record: borrowing RecordView) in run.take(record) }
    }
}
