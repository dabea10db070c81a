import Delimited
import Digests
import Synchronization

/// An input in blocks, for whichever thread comes next: it fills a slot of its own, so that the bytes are in the memory
/// nearest to the processor that works on them.
///
/// Invariant: `stream`, `spare`, `line` and `count` are touched by who has `gate`.
final class BlockSource: @unchecked Sendable {
    private struct State {
        var lane: FrozenLane?
        /// So many lines further down than was thought begin the blocks that are still to be filled.
        var shift = 0
        var isAtEnd = false
        var failure: InputError?
    }

    private let gate = Mutex(())
    private let stream: any ByteStream
    /// The digest of the input, if those who fill slots make it.
    private let digest: DigestChain?
    /// The line that the last block has begun.
    private let spare: ByteBlock
    /// The line on which the next block is thought to begin.
    private var line = 1
    private var count = 0
    /// Who has the gate may ask for it.
    private let state = Mutex(State())
    init(_ stream: any ByteStream, _ digest: DigestChain?, blockBytes: Int) {
        self.stream = stream
        self.digest = digest
        spare = ByteBlock(capacity: blockBytes)
    }

    /// What slots are guessed by from now on; nil when there is nothing to go by.
    func use(_ lane: FrozenLane?) { state.withLock { $0.lane = lane } }

    /// Fills a free slot with the next block, on the thread of a desk; false when there is none.
    func fill(_ split: SplitSlot, _ desk: DigestDesk?) -> Bool {
        split.settle(desk)
        return gate.withLock { _ in
            if state.withLock({ $0.isAtEnd || $0.failure != nil }) { return false }
            let block = split.slot.block
            block.copy(spare)
            spare.removeAll()
            let start = block.count
            do throws(InputError) {
                if try read(into: block) { state.withLock { $0.isAtEnd = true } }
            } catch {
                state.withLock { $0.failure = error }
                return false
            }
            if let digest, let desk { split.hash(from: start, digest, desk) }
            let isWhole = block.moveUnfinishedLine(to: spare)
            let (lane, shift) = state.withLock { state in
                defer { state.shift = 0 }
                return (state.lane, state.shift)
            }
            line += shift
            split.begin(count, isWhole ? lane : nil, line: line)
            line += split.lineFeeds
            count += 1
            return true
        }
    }

    /// Fills a block; whether the input has no more.
    private func read(into block: ByteBlock) throws(InputError) -> Bool {
        while block.count < block.capacity {
            let got = try stream.read(into: block.tail)
            if got == 0 { return true }
            block.advance(by: got)
        }
        return false
    }

    /// Why the input could not be read on.
    var failure: InputError? { state.withLock { $0.failure } }

    /// Blocks that are still to be filled begin so many lines further down than was thought.
    func shift(lines: Int) {
        if lines != 0 { state.withLock { $0.shift += lines } }
    }

    /// What stands behind the last line feed of the input; to be called when nobody fills slots any more.
    var rest: UnsafeRawBufferPointer { spare.bytes(0..<spare.count) }
}
