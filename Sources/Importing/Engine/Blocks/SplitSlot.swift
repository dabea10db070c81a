import Delimited
import Digests

/// The classes that threads guess by, as they were when it was made; nobody changes it any more.
struct FrozenLane: @unchecked Sendable {
    let table: ClassTable
    let lane: ClassLane
    /// One for each slot.
    let batches: [any RowBatch]
    /// Which copy of the classes it is, from 1.
    let number: Int
}

/// A slot of one of the threads that read an input in blocks; only that thread uses it.
final class SplitSlot: @unchecked Sendable {
    let slot: LaneSlot
    /// Its place among the slots of all threads.
    private let index: Int
    /// The number of its block, from 0.
    private(set) var number = 0
    /// How many line feeds the block has; 0 where that does not matter.
    private(set) var lineFeeds = 0
    private(set) var countsLines = true
    /// What the block is guessed by; nil when it is left to who merges it.
    private var lane: FrozenLane?
    var isGuessed: Bool { lane != nil }
    /// Which copy of the classes it is guessed by.
    private var frozen = 0
    /// The block's piece of the input's digest.
    private var piece: (chain: DigestChain, number: Int)?

    init(_ index: Int, capacity: Int) {
        self.index = index
        slot = LaneSlot(capacity: capacity)
    }

    /// Has what stands in the block from a place on hashed beside the reading of its thread.
    func hash(from start: Int, _ chain: DigestChain, _ desk: DigestDesk) {
        piece = (chain, desk.add(slot.block.bytes(start..<slot.block.count), to: chain))
    }

    /// Sees to it that what stands in the block is hashed.
    func settle(_ desk: DigestDesk?) {
        if let piece { desk?.settle(piece.number, of: piece.chain) }
        piece = nil
    }

    /// The block is there, and is to be guessed by classes, if there are some.
    func begin(_ number: Int, _ lane: FrozenLane?, line: Int) {
        self.number = number
        self.lane = lane
        slot.line = line
        countsLines = (lane?.batches[index] ?? slot.batch)?.needsLines ?? true
        lineFeeds = countsLines ? slot.block.lineFeeds : 0
    }

    /// Reads the block. Rows that were made before must be hashed first: that may mean to wait for another thread, which
    /// nobody may do who has anything that others wait for.
    func guess(_ reader: SlotReader) {
        guard let lane else { return }
        if lane.number != frozen {
            frozen = lane.number
            // Other slots may keep the batches of this one alive, and give them up on their threads.
            slot.batch?.removeAll()
            slot.use(lane.table, lane.batches[index], lane.lane)
        }
        slot.guess(reader)
    }
}
