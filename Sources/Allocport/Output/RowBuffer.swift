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

    /// Where its thread makes digests.
    @exclusivity(unchecked) var desk: DigestDesk?
    /// Whether bytes may be lent to that desk: only its thread writes files.
    @exclusivity(unchecked) var mayLend = false
    /// The desk that bytes were lent to, and their number there; it takes them before they change.
    @exclusivity(unchecked) private var borrower: (desk: DigestDesk, number: Int)?

    init() { memory = .allocate(capacity: room) }

    deinit {
        takeBack()
        memory.deallocate()
    }

    /// A desk may take what stands here later, as what was put off with this number.
    func lend(to desk: DigestDesk, as number: Int) {
        if let borrower, borrower.desk !== desk { takeBack() }
        borrower = (desk, number)
    }

    private func takeBack() {
        if let (desk, number) = borrower { desk.settle(number) }
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
