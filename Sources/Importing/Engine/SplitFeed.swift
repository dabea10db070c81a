import Delimited
import Digests

/// Reads one large input in blocks, on one thread or several. They guess: they read blocks as if each began with a
/// record and every row were of a class that the lane knows. The thread of the run goes through the blocks in order,
/// takes what was guessed right, and reads the rest itself; so the outcome is that of reading line by line. While others
/// are at the next block in order, it works on one of its own.
///
/// A guess counts only if the reader of the whole stands at a record on the line that was guessed, and the lane is still
/// the one that it was made for. Lines that a guess left out are read here, each at its place; when one of them changes
/// the state (a header, a cell that spans lines), the rest of its block is read here too.
struct SplitFeed: ~Copyable {
    private let run: DefinitionRun
    private let input: any InputSource
    private let options: ImportOptions
    private var reader: DelimitedReader
    /// The run's thread's own slots, and what it reads them with.
    private let slots: [SplitSlot]
    private let here: SlotReader
    private var filled = 0
    private var merged = 0
    private var frozen: (lane: FrozenLane, taken: Int)?
    private var frozenCount = 0
    /// Slots that were merged, whose rows may still have to be hashed by this thread.
    private var lent: [SplitSlot] = []

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
        self.options = options
        here = SlotReader(reader.dialect)
        slots = SplitFeed.slots(of: 0, options)
        self.reader = reader
    }

    /// Rows of one block are hashed beside the reading of the next one; several threads do not wait for each other at
    /// every block.
    private static func slotsEach(_ options: ImportOptions) -> Int { options.jobs > 1 ? 4 : 2 }

    private static func slots(of thread: Int, _ options: ImportOptions) -> [SplitSlot] {
        (0..<slotsEach(options)).map { SplitSlot(thread * slotsEach(options) + $0, capacity: options.blockBytes) }
    }

    /// Reads the input to its end.
    mutating func read() throws(InputError) {
        let stream = try input.open()
        let digested = run.sink.desk == nil ? nil : stream as? any DigestedStream
        here.desk = run.sink.desk
        let jobs = max(1, options.jobs)
        let source = BlockSource(stream, slots: jobs * SplitFeed.slotsEach(options), blockBytes: options.blockBytes)
        let asideDesk = jobs > 1 ? DigestDesk() : nil
        var aside: DigestReader?
        if let asideDesk {
            aside = try digested?.handOver().map { DigestReader($0.stream, $0.hash, asideDesk, source) }
        } else if let desk = here.desk {
            // A block stays as it is until the next one is read.
            digested?.putOff(to: desk)
        }
        var workers: [LaneWorker] = []
        let result: Result<Void, InputError>
        do throws(InputError) {
            while let slot = try next(source) {
                merge(slot, source)
                // There is work for others as soon as there is something to go by.
                if freeze(source), workers.isEmpty, jobs > 1 {
                    for index in 1..<jobs {
                        let worker = LaneWorker(
                            SplitFeed.slots(of: index, options), source, reader.dialect, index == 1 ? aside : nil,
                            index == 1 ? asideDesk : nil)
                        worker.start(index)
                        workers.append(worker)
                    }
                }
            }
            result = .success(())
        } catch { result = .failure(error) }
        source.close()
        release(all: true)
        for worker in workers { worker.join() }
        try result.get()
        if let aside {
            aside.finish()
            if aside.isWhole { digested?.conclude() }
        }
        feed(source.rest, isLast: true)
    }

    // MARK: blocks

    /// The next block in order, when it was read; nil at the end.
    private mutating func next(_ source: BlockSource) throws(InputError) -> SplitSlot? {
        while true {
            if let slot = try source.slot(merged) {
                // While another thread is at it, this one goes ahead.
                if !slot.isFinished, fill(source) { continue }
                slot.wait()
                merged += 1
                return slot
            }
            if !fill(source), source.ends(at: merged) { return nil }
        }
    }

    /// Reads a block into the next slot of this thread; false when that has still to be merged, or nothing is left.
    private mutating func fill(_ source: BlockSource) -> Bool {
        let slot = slots[filled % slots.count]
        release(all: false)
        guard slot.takeIfFree() else { return false }
        guard source.fill(slot) else {
            slot.free()
            return false
        }
        filled += 1
        slot.finish(here)
        return true
    }

    /// Gives slots back whose rows are hashed, in any case all but a few.
    private mutating func release(all: Bool) {
        var count = 0
        for slot in lent {
            if !all, lent.count - count <= slots.count / 2, !slot.slot.isTaken { break }
            slot.free()
            count += 1
        }
        lent.removeFirst(count)
    }

    /// Has the slots that are still to be filled guessed by what the lane knows now; false when there is nothing to go by.
    private mutating func freeze(_ source: BlockSource) -> Bool {
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
        while batches.count < max(1, options.jobs) * slots.count {
            guard let batch = run.sink.makeBatch() else { return false }
            batches.append(batch)
        }
        frozenCount += 1
        let frozen = FrozenLane(table: lane.table.frozen(), lane: lane, batches: batches, number: frozenCount)
        self.frozen = (frozen, lane.taken)
        source.use(frozen)
        return true
    }

    // MARK: merging

    private mutating func merge(_ split: SplitSlot, _ source: BlockSource) {
        let slot = split.slot
        let start = reader.lineCount
        var position = 0
        var mark = BatchMark()
        if split.isGuessed, isRight(slot), !slot.needsLines || slot.line == start + 1 {
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
        if slot.needsLines { source.shift(lines: reader.lineCount - start - split.lineFeeds) }
        lent.append(split)
        release(all: false)
    }

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
