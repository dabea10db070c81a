import Delimited
import Dispatch
import Synchronization

/// A slot on its way between the thread that fills and reads it and the thread of the run, which has it from `finish` to
/// `free`.
final class SplitSlot: @unchecked Sendable {
    let slot: LaneSlot
    /// Its place among the slots of all threads.
    private let index: Int
    /// How many line feeds the block has; 0 where that does not matter.
    private(set) var lineFeeds = 0
    /// Whether the block is guessed, or left to the thread of the run.
    private(set) var isGuessed = false
    /// Which copy of the classes it is guessed by.
    private var frozen = 0
    private let isDone = Atomic<Bool>(false)
    private let done = DispatchSemaphore(value: 0)
    private let isFree = DispatchSemaphore(value: 1)

    init(_ index: Int, capacity: Int) {
        self.index = index
        slot = LaneSlot(capacity: capacity)
    }

    // MARK: its thread

    /// Waits until the thread of the run is done with it.
    func waitUntilFree() { isFree.wait() }

    /// Takes it, if the thread of the run is done with it.
    func takeIfFree() -> Bool { isFree.wait(timeout: .now()) == .success }

    /// The block is there, and is to be guessed by classes, if there are some.
    func begin(_ lane: FrozenLane?, line: Int) {
        slot.line = line
        isGuessed = lane != nil
        if let lane, lane.number != frozen {
            frozen = lane.number
            slot.use(lane.table, lane.batches[index], lane.lane)
        }
        lineFeeds = slot.needsLines ? slot.block.lineFeeds : 0
    }

    /// Reads the block, and hands it over to the thread of the run.
    func finish(_ reader: SlotReader) {
        if isGuessed { slot.guess(reader) }
        isDone.store(true, ordering: .releasing)
        done.signal()
    }

    // MARK: the thread of the run

    /// Whether `wait` would not wait.
    var isFinished: Bool { isDone.load(ordering: .acquiring) }

    /// Waits for its thread.
    func wait() { done.wait() }

    /// Gives it back to its thread.
    func free() {
        slot.batch?.removeAll()
        isDone.store(false, ordering: .relaxed)
        isFree.signal()
    }
}
