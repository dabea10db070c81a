import Delimited
import Digests
import Dispatch
import Synchronization

/// Reads one large input in blocks, on one thread or several. They guess: they read blocks as if each began with a
/// record and every row were of a class that the lane knows. The thread of the run goes through the blocks in order,
/// takes what was guessed right, and reads the rest itself; so the outcome is that of reading line by line.
///
/// A guess counts only if the reader of the whole stands at a record on the line that was guessed, and the lane is still
/// the one that it was made for. Lines that a guess left out are read here, each at its place; when one of them changes
/// the state (a header, a cell that spans lines), the rest of its block is read here too.
struct SplitFeed: ~Copyable {
    private let run: DefinitionRun
    private let input: any InputSource
    private var reader: DelimitedReader
    private let slots: [LaneSlot]
    /// One for each thread besides the run's.
    private let queues: [DispatchQueue]
    /// What each of them reads with, and what the run's thread does: a reader knows dates.
    private let readers: [SlotReader]
    private let here: SlotReader
    /// Slots in the order of their blocks, from `first` on.
    private var first = 0
    private var waiting = 0
    private var spare: ByteBlock
    private var isAtEnd = false
    /// Whether another thread makes the digest of the input.
    private var hashesAside = false
    /// The line on which the next block is thought to begin.
    private var line = 1
    private var frozen: (table: ClassTable, lane: ClassLane, batches: Int, taken: Int)?

    /// Inputs of fewer blocks are not worth the threads.
    private static let leastBlocks = 16

    /// Whether an input is to be read in this way.
    static func suits(
        _ input: any InputSource, _ reader: borrowing DelimitedReader, _ encoding: TextEncoding,
        _ options: ImportOptions
    ) -> Bool {
        input.byteCount >= leastBlocks * options.blockBytes
            && BlockReader.suits(reader.dialect, encoding)
    }

    init(_ input: any InputSource, _ run: DefinitionRun, _ reader: consuming DelimitedReader, _ options: ImportOptions)
    {
        self.run = run
        self.input = input
        queues = (1..<max(1, options.jobs)).map { DispatchQueue(label: "lane \($0)") }
        readers = queues.map { _ in SlotReader(reader.dialect) }
        here = SlotReader(reader.dialect)
        slots = (0..<(options.jobs > 1 ? 4 * options.jobs : 1)).map { _ in
            LaneSlot(capacity: options.blockBytes)
        }
        spare = ByteBlock(capacity: options.blockBytes)
        self.reader = reader
    }

    /// Reads the input to its end.
    mutating func read() throws(InputError) {
        let stream = try input.open()
        let digested = stream as? any DigestedStream
        if let desk = run.sink.desk {
            here.desk = desk
            if queues.isEmpty {
                // A block stays as it is until the next one is read.
                digested?.putOff(to: desk)
            } else if let hash = digested?.handOver() {
                readers[0].hash = hash
                hashesAside = true
            }
        }
        do throws(InputError) {
            while true {
                while waiting < slots.count, !isAtEnd { try fill(stream) }
                if waiting == 0 { break }
                merge()
            }
        } catch {
            // Nobody may work on a block that is given back.
            while waiting > 0 { _ = next() }
            endBatches()
            throw error
        }
        endBatches()
        if hashesAside { digested?.conclude() }
        feed(spare.bytes(0..<spare.count), isLast: true)
    }

    // MARK: blocks

    /// Fills the next slot and sets a thread on it.
    private mutating func fill(_ stream: any ByteStream) throws(InputError) {
        let slot = slots[(first + waiting) % slots.count]
        if hashesAside { slot.waitForHash() }
        slot.block.removeAll()
        // The line that the former block has begun.
        swap(&slot.block, &spare)
        let start = slot.block.count
        while slot.block.count < slot.block.capacity {
            let count = try stream.read(into: slot.block.tail)
            if count == 0 {
                isAtEnd = true
                break
            }
            slot.block.advance(by: count)
        }
        if hashesAside { slot.hash(slot.block.bytes(start..<slot.block.count)) }
        spare.removeAll()
        let isWhole = slot.block.moveUnfinishedLine(to: spare)
        if waiting == 0 { line = reader.lineCount + 1 }
        slot.line = line
        slot.isGuessed = isWhole && prepare(slot)
        if countsLines(slot) { line += slot.block.lineFeeds }
        if slot.isGuessed { slot.offer() }
        if !queues.isEmpty, slot.isGuessed || hashesAside {
            let queue = (first + waiting) % queues.count
            queues[queue].async { [readers] in slot.workAside(readers[queue]) }
        }
        waiting += 1
    }

    /// Gives a slot what it needs to guess; false when there is nothing to go by.
    private mutating func prepare(_ slot: LaneSlot) -> Bool {
        guard let lane = run.openLane, lane.table.count > 0 else { return false }
        let known = frozen?.lane === lane ? frozen?.table.count ?? 0 : 0
        // Copies cost: a few rows of unknown classes are worked off here.
        if lane.table.count > known + known / 8
            || lane.table.count > known && lane.taken - (frozen?.taken ?? 0) > lane.table.count / 4
        {
            frozen = (lane.table.frozen(), lane, (frozen?.batches ?? 0) + 1, lane.taken)
        }
        guard let frozen else { return false }
        // Rows of it may still have to be hashed, which no other thread may do.
        if !queues.isEmpty { slot.batch?.removeAll() }
        if slot.batches != frozen.batches {
            guard let batch = run.sink.makeBatch() else { return false }
            // Rows of one block are hashed beside the reading of the next one.
            slot.use(frozen.table, batch, lane, other: slots.count > 1 ? nil : run.sink.makeBatch())
            slot.batches = frozen.batches
        }
        return true
    }

    private mutating func next() -> LaneSlot {
        let slot = slots[first]
        first = (first + 1) % slots.count
        waiting -= 1
        if !slot.isGuessed || slot.work(here) { return slot }
        // While another thread is at it, this one goes ahead.
        for ahead in 0..<waiting where !slot.isDone {
            let other = slots[(first + ahead) % slots.count]
            if other.isGuessed { _ = other.work(here) }
        }
        slot.wait()
        return slot
    }

    /// No other thread is at work any more, and no row waits to be hashed.
    private func endBatches() {
        for slot in slots {
            if hashesAside { slot.waitForHash() }
            slot.giveUpBatch()
        }
    }

    // MARK: merging

    private mutating func merge() {
        let slot = next()
        let start = reader.lineCount
        var position = 0
        var mark = BatchMark()
        if slot.isGuessed, isRight(slot), !slot.needsLines || slot.line == start + 1 {
            for part in slot.left {
                accept(slot, position..<part.bytes.lowerBound, from: mark, to: part.mark)
                mark = part.mark
                position = part.bytes.upperBound
                feed(slot.block.bytes(part.bytes), isLast: false)
                if !isRight(slot) { break }
            }
            if isRight(slot) {
                accept(slot, position..<slot.block.count, from: mark, to: slot.end)
                position = slot.block.count
            }
        }
        feed(slot.block.bytes(position..<slot.block.count), isLast: false)
        // What follows was guessed from the number of line feeds.
        if countsLines(slot) { line += reader.lineCount - start - slot.block.lineFeeds }
    }

    /// Whether the block after this one is filled before it is read, and its line matters.
    private func countsLines(_ slot: LaneSlot) -> Bool { slots.count > 1 && slot.needsLines }

    private func isRight(_ slot: LaneSlot) -> Bool {
        guard reader.isAtRecord, let lane = run.openLane else { return false }
        return slot.isOf(lane)
    }

    private mutating func accept(_ slot: LaneSlot, _ bytes: Range<Int>, from start: BatchMark, to end: BatchMark) {
        let count = end.units - start.units
        if count == 0 { return }
        run.passed()
        if let batch = slot.batch { run.sink.accept(batch, from: start, to: end) }
        reader.pass(bytes: bytes.count, lines: count, records: count)
    }

    private mutating func feed(_ bytes: UnsafeRawBufferPointer, isLast: Bool) {
        if bytes.isEmpty, !isLast { return }
        let run = run
        reader.feed(bytes, isLast: isLast) { (record: borrowing RecordView) in run.take(record) }
    }
}

/// A block, and what a thread has guessed of it.
///
/// The thread that reads the whole fills it before `work` is set off, and looks at it again only after `done`.
final class LaneSlot: @unchecked Sendable {
    /// Bytes that were not guessed, and what the batch had taken before them.
    struct Left {
        var bytes: Range<Int>
        var mark: BatchMark
    }

    var block: ByteBlock
    /// The line on which it is thought to begin.
    var line = 1
    var isGuessed = false
    /// Which copy of the classes it has.
    var batches = 0
    private enum State {
        static let offered = 0, taken = 1, doneAside = 2, doneHere = 3
    }
    private let state = Atomic<Int>(State.doneHere)
    private let done = DispatchSemaphore(value: 0)
    /// What of the block comes after the former one, and whether another thread is to hash it.
    private(set) var fresh = UnsafeRawBufferPointer(start: nil, count: 0)
    private var isHashing = false
    private let hashed = DispatchSemaphore(value: 0)
    private(set) var left: [Left] = []
    private(set) var end = BatchMark()
    private(set) var batch: (any RowBatch)?
    private var otherBatch: (any RowBatch)?
    private var classes: (table: ClassTable, lane: ClassLane)?

    init(capacity: Int) { block = ByteBlock(capacity: capacity) }

    /// - Parameter other: a batch that takes turns with the first.
    func use(_ table: ClassTable, _ batch: any RowBatch, _ lane: ClassLane, other: (any RowBatch)? = nil) {
        classes = (table, lane)
        self.batch = batch
        otherBatch = other
    }

    /// Nobody has rows of it any more.
    func giveUpBatch() {
        batch?.removeAll()
        otherBatch?.removeAll()
    }

    /// Says what another thread is to hash.
    func hash(_ bytes: UnsafeRawBufferPointer) {
        fresh = bytes
        isHashing = true
    }

    func isOf(_ lane: ClassLane) -> Bool { classes?.lane === lane }

    /// Whether the line on which its block begins must be right.
    var needsLines: Bool { batch?.needsLines ?? true }

    /// Says that the block is there for the first thread that takes it.
    func offer() { state.store(State.offered, ordering: .releasing) }

    /// Whether the block was read.
    var isDone: Bool { state.load(ordering: .acquiring) >= State.doneAside }

    /// Reads the block on the thread of the run; false when another one has taken it.
    func work(_ reader: SlotReader) -> Bool {
        if !take() { return state.load(ordering: .acquiring) == State.doneHere }
        guess(reader)
        state.store(State.doneHere, ordering: .releasing)
        return true
    }

    /// Reads the block on another thread, if it is still to be read, and hashes it, if that thread does.
    func workAside(_ reader: SlotReader) {
        reader.hash?.putOff(fresh)
        if take() {
            guess(reader)
            state.store(State.doneAside, ordering: .releasing)
            done.signal()
        }
        guard let hash = reader.hash else { return }
        hash.settle()
        hashed.signal()
    }

    /// Waits until the block is hashed, since it is to be filled again or no more.
    func waitForHash() {
        if isHashing { hashed.wait() }
        isHashing = false
    }

    /// Waits for the thread that has taken the block.
    func wait() { done.wait() }

    private func take() -> Bool {
        state.compareExchange(expected: State.offered, desired: State.taken, ordering: .acquiringAndReleasing).exchanged
    }

    /// Reads the block; the thread that has it does.
    func guess(_ reader: SlotReader) {
        left.removeAll(keepingCapacity: true)
        if otherBatch != nil { swap(&batch, &otherBatch) }
        guard let batch, let classes else { return }
        batch.removeAll()
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
