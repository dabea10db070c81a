import Delimited
import Digests
import Dispatch

/// A thread besides the run's, which reads blocks in slots of its own.
final class LaneWorker: @unchecked Sendable {
    private let slots: [SplitSlot]
    private let source: BlockSource
    private let reader: SlotReader
    /// Makes the digest of the input beside the rows, if this thread does.
    private let digest: DigestReader?
    private let ended = DispatchSemaphore(value: 0)

    init(_ slots: [SplitSlot], _ source: BlockSource, _ dialect: Dialect, _ digest: DigestReader?, _ desk: DigestDesk?)
    {
        self.slots = slots
        self.source = source
        self.digest = digest
        reader = SlotReader(dialect)
        reader.desk = desk
    }

    /// Begins to read.
    func start(_ index: Int) {
        DispatchQueue(label: "lane \(index)").async { [self] in
            read()
            ended.signal()
        }
    }

    private func read() {
        while true {
            for slot in slots {
                slot.waitUntilFree()
                digest?.follow()
                if !source.fill(slot) { return }
                slot.finish(reader)
            }
        }
    }

    /// Waits until it has stopped, when the source has nothing more.
    func join() {
        // It may wait for a slot.
        for slot in slots { slot.free() }
        ended.wait()
    }
}
