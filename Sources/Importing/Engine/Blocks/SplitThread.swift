import Delimited
import Digests
import Dispatch

/// One of the threads that read an input in blocks: it fills, guesses and merges blocks in slots of its own.
///
/// Invariant: one thread uses it.
final class SplitThread: @unchecked Sendable {
    private let slots: [SplitSlot]
    private let source: BlockSource
    private let merger: SplitMerger
    private let reader: SlotReader
    private let ended = DispatchSemaphore(value: 0)

    init(_ slots: [SplitSlot], _ source: BlockSource, _ merger: SplitMerger, _ reader: SlotReader) {
        self.slots = slots
        self.source = source
        self.merger = merger
        self.reader = reader
    }

    /// Begins to read, after other work.
    func start(_ index: Int, after work: @escaping @Sendable () -> Void = {}) {
        let processor = Processor.current
        DispatchQueue(label: "lane \(index)").async { [self] in
            processor.leave()
            work()
            read()
            ended.signal()
        }
    }

    /// Waits until it has stopped.
    func join() { ended.wait() }

    /// Reads blocks until there are no more, and merges them in their turns.
    func read() {
        var (filled, merged) = (0, 0)
        while true {
            while merged < filled, merger.mergeIfNext(slots[merged % slots.count], reader.desk) { merged += 1 }
            if filled - merged == slots.count {
                merger.mergeInTurn(slots[merged % slots.count], reader.desk)
                merged += 1
                continue
            }
            let split = slots[filled % slots.count]
            guard source.fill(split, reader.desk) else { break }
            filled += 1
            split.guess(reader)
        }
        for place in merged..<filled { merger.mergeInTurn(slots[place % slots.count], reader.desk) }
        for split in slots {
            split.settle(reader.desk)
            split.slot.giveUpBatch()
        }
    }
}
