import Digests

/// Memory for bytes that a thread appends to a spool, until they are written; and such that were written and wait to be
/// hashed beside the thread's other work.
///
/// Invariant: `base` has `room` bytes; `lent` are bytes of `other`, which stay as they are until they are taken back.
struct SpoolMemory: ~Copyable {
    /// So many bytes, unless a row needs more.
    static let size = 1 << 18

    private(set) var base: UnsafeMutablePointer<UInt8>
    private(set) var room: Int
    /// Where its thread makes digests, if it is the only one that appends.
    let desk: DigestDesk?
    private var other: UnsafeMutablePointer<UInt8>?
    /// Their number at the desk.
    private var lent: Int?

    init(_ desk: DigestDesk? = nil, room: Int = SpoolMemory.size) {
        base = .allocate(capacity: room)
        self.room = room
        self.desk = desk
    }

    deinit {
        settle()
        base.deallocate()
        other?.deallocate()
    }

    /// Makes room for a row; what stands there is forgotten.
    mutating func grow(to needed: Int) {
        base.deallocate()
        base = .allocate(capacity: needed)
        room = needed
    }

    /// Gives the memory for other memory of the same size.
    mutating func exchange(_ memory: inout UnsafeMutablePointer<UInt8>) { swap(&base, &memory) }

    /// Whether bytes that it has can be hashed while others take their place.
    var lends: Bool { desk != nil && room == SpoolMemory.size }

    /// Goes on elsewhere, since the desk takes what it has later, as what was put off with this number.
    mutating func lend(as number: Int) {
        settle()
        let next = other ?? .allocate(capacity: SpoolMemory.size)
        (base, other) = (next, base)
        lent = number
    }

    /// Sees to it that nothing of it is lent.
    private func settle() {
        if let lent { desk?.settle(lent) }
    }
}
