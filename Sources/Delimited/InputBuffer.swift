/// The bytes that are decoded and not yet read.
///
/// Invariant: `base` has room for `capacity + padding` bytes, of which those below `end + padding` are initialised; those
/// at `start ..< end` are the input not yet read, `end <= capacity`. The padding lets a block of 64 bytes be loaded that
/// begins before `end`. What lies beyond is not touched: most readers see one small piece and would clear more than that.
struct InputBuffer: ~Copyable {
    static let padding = 64

    private(set) var base: UnsafeMutablePointer<UInt8>
    private(set) var capacity: Int
    var start = 0
    private(set) var end = 0

    init() {
        capacity = 0
        base = .allocate(capacity: Self.padding)
        base.initialize(repeating: 0, count: Self.padding)
    }

    deinit { base.deallocate() }

    var count: Int { end - start }

    /// Moves what is unread to the front and makes room for `needed` more bytes.
    mutating func reserve(_ needed: Int) {
        if capacity - end >= needed { return }
        let unread = count
        if capacity - unread >= needed {
            base.update(from: base + start, count: unread)
            pad(after: unread)
        } else {
            let larger = max(capacity * 2, unread + needed)
            let memory = UnsafeMutablePointer<UInt8>.allocate(capacity: larger + Self.padding)
            memory.initialize(from: base + start, count: unread)
            base.deallocate()
            base = memory
            capacity = larger
            pad(after: unread)
        }
        start = 0
        end = unread
    }

    /// Where to write; `reserve` has made the room.
    var tail: UnsafeMutablePointer<UInt8> { base + end }

    /// Says that `written` bytes now stand at `tail`.
    mutating func advance(by written: Int) {
        precondition(written <= capacity - end, "more written than reserved")
        end += written
        pad(after: end)
    }

    private func pad(after place: Int) { (base + place).initialize(repeating: 0, count: Self.padding) }
}
