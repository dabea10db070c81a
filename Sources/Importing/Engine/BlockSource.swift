import Delimited
import Synchronization

/// The classes that threads guess by, as they were when it was made; nobody changes it any more.
struct FrozenLane: @unchecked Sendable {
    let table: ClassTable
    let lane: ClassLane
    /// One for each slot.
    let batches: [any RowBatch]
    /// Which copy of the classes it is, from 1.
    let number: Int
}

/// An input in blocks, for whichever thread comes next: it fills a slot of its own, so that the bytes are in the memory
/// nearest to the processor that works on them.
///
/// Invariant: `stream`, `spare` and `line` are touched by who has `gate`, what is in `state` by who has that; who has the
/// gate may ask for the state.
final class BlockSource: @unchecked Sendable {
    private struct State: @unchecked Sendable {
        /// Slots in the order of their blocks; the place of a block is its number, modulo the count.
        var filled: [SplitSlot?]
        var count = 0
        var lane: FrozenLane?
        /// So many lines further down than was thought begin the blocks that are still to be filled.
        var shift = 0
        var isAtEnd = false
        var failure: InputError?
    }

    private let gate = Mutex(())
    private let stream: any ByteStream
    /// The line that the last block has begun.
    private let spare: ByteBlock
    /// The line on which the next block is thought to begin.
    private var line = 1
    private let state: Mutex<State>
    /// How many bytes were read.
    let position = Atomic<Int>(0)

    init(_ stream: any ByteStream, slots: Int, blockBytes: Int) {
        self.stream = stream
        spare = ByteBlock(capacity: blockBytes)
        state = Mutex(State(filled: Array(repeating: nil, count: slots)))
    }

    /// What slots are guessed by from now on; nil when there is nothing to go by.
    func use(_ lane: FrozenLane?) { state.withLock { $0.lane = lane } }

    /// Fills a free slot with the next block; false when there is none.
    func fill(_ slot: SplitSlot) -> Bool {
        gate.withLock { _ in
            if state.withLock({ $0.isAtEnd || $0.failure != nil }) { return false }
            let block = slot.slot.block
            block.copy(spare)
            spare.removeAll()
            var isAtEnd = false
            do throws(InputError) { isAtEnd = try read(into: block) } catch {
                state.withLock { $0.failure = error }
                return false
            }
            let isWhole = block.moveUnfinishedLine(to: spare)
            let (lane, shift) = state.withLock { state in
                defer { state.shift = 0 }
                return (state.lane, state.shift)
            }
            line += shift
            slot.begin(isWhole ? lane : nil, line: line)
            line += slot.lineFeeds
            state.withLock { state in
                state.filled[state.count % state.filled.count] = slot
                state.count += 1
                if isAtEnd { state.isAtEnd = true }
            }
            return true
        }
    }

    /// Fills a block; whether the input has no more.
    private func read(into block: ByteBlock) throws(InputError) -> Bool {
        while block.count < block.capacity {
            let got = try stream.read(into: block.tail)
            if got == 0 { return true }
            block.advance(by: got)
            position.add(got, ordering: .relaxed)
        }
        return false
    }

    /// The slot that has a block; nil when nobody has filled it yet.
    func slot(_ number: Int) throws(InputError) -> SplitSlot? {
        let (slot, failure) = state.withLock { state in
            (number < state.count ? state.filled[number % state.filled.count] : nil, state.failure)
        }
        if let failure { throw failure }
        return slot
    }

    /// Whether there are so many blocks and no more.
    func ends(at number: Int) -> Bool { state.withLock { $0.isAtEnd && number == $0.count } }

    /// Blocks that are still to be filled begin so many lines further down than was thought.
    func shift(lines: Int) {
        if lines != 0 { state.withLock { $0.shift += lines } }
    }

    /// Nothing is to be read any more.
    func close() { state.withLock { $0.isAtEnd = true } }

    /// What stands behind the last line feed of the input; to be called when nobody fills slots any more.
    var rest: UnsafeRawBufferPointer { spare.bytes(0..<spare.count) }
}
