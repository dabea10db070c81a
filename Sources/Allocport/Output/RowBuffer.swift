import Digests

/// Rows in memory that grows with them.
///
/// Invariant: `memory` has `room` bytes, the first `count` of them initialised.
final class RowBuffer: RowTarget {
    @exclusivity(unchecked) private var memory: UnsafeMutablePointer<UInt8>
    @exclusivity(unchecked) private var room = 1 << 16
    /// How many bytes there are.
    @exclusivity(unchecked) private(set) var count = 0
    /// Where the id of the row that was written last goes; below 0 when it has none.
    @exclusivity(unchecked) var lastID = -1

    /// Where its thread makes digests; it stays the same while bytes are lent.
    @exclusivity(unchecked) var desk: DigestDesk?
    /// Whether that is the desk of whoever writes files, since no other thread does.
    @exclusivity(unchecked) var isAlone = false
    /// What takes bytes that were lent before they change, and their number there.
    @exclusivity(unchecked) private var borrower: (chain: DigestChain?, number: Int)?

    init() { memory = .allocate(capacity: room) }

    deinit {
        takeBack()
        memory.deallocate()
    }

    /// The desk takes what stands here later, as what was put off with this number, or as a piece of a chain.
    func lend(to chain: DigestChain?, as number: Int) {
        if let borrower, borrower.chain !== chain { takeBack() }
        borrower = (chain, number)
    }

    private func takeBack() {
        guard let (chain, number) = borrower else { return }
        if let chain { desk?.settle(number, of: chain) } else { desk?.settle(number) }
        borrower = nil
    }

    @inline(__always)
    func tail(_ needed: Int) -> UnsafeMutablePointer<UInt8> {
        if count + needed > room { grow(needed) }
        return memory + count
    }

    @inline(__always)
    func advance(by written: Int) { count += written }

    /// Ids are written when they are known.
    @inline(__always)
    func place(_ id: StableHash, at offset: Int, _ target: UnsafeMutablePointer<UInt8>) { lastID = count &+ offset }

    func append(_ bytes: [UInt8]) {
        bytes.withUnsafeBytes { bytes in
            guard let address = bytes.baseAddress else { return }
            UnsafeMutableRawPointer(tail(bytes.count)).copyMemory(from: address, byteCount: bytes.count)
        }
        count += bytes.count
    }

    /// Forgets everything, keeps the memory.
    func removeAll() {
        takeBack()
        count = 0
    }

    /// Forgets what stands after so many bytes.
    func remove(after end: Int) {
        takeBack()
        count = min(count, end)
    }

    /// A part, valid until more is written.
    func bytes(_ range: Range<Int>) -> UnsafeRawBufferPointer {
        precondition(range.lowerBound >= 0 && range.upperBound <= count, "range outside the rows")
        return UnsafeRawBufferPointer(start: memory + range.lowerBound, count: range.count)
    }

    /// Puts the input's name into a part that nobody has yet.
    func put(_ name: SourceName, into range: Range<Int>) {
        precondition(range.lowerBound >= 0 && range.upperBound <= count, "range outside the rows")
        LateName.put(name, into: UnsafeMutableRawBufferPointer(start: memory + range.lowerBound, count: range.count))
    }

    /// Writes the id of a row.
    @inline(__always)
    func write(_ id: StableHash, at offset: Int) {
        precondition(offset >= 0 && offset + 32 <= count, "no id there")
        id.writeHex(to: memory + offset)
    }

    @inline(never)
    private func grow(_ needed: Int) {
        takeBack()
        let larger = max(room * 2, count + needed)
        let moved = UnsafeMutablePointer<UInt8>.allocate(capacity: larger)
        moved.moveInitialize(from: memory, count: count)
        memory.deallocate()
        memory = moved
        room = larger
    }
}
