/// The rows of a batch whose equals are counted: where they stand, and their keys, which come later.
///
/// Invariant: `places` and `keys` have room for `room` rows; the first `count` places and `keyCount` keys are initialised.
struct BatchRows: ~Copyable {
    /// Where a row stands among the bytes of its batch.
    struct Place: BitwiseCopyable {
        var start: UInt32
        /// Its id; `noID` when it has none.
        var id: UInt32
        /// Whether it is the last row of its unit.
        var endsUnit: Bool

        static var noID: UInt32 { .max }
    }

    private(set) var count = 0
    private(set) var keyCount = 0
    private var room = 256
    private var places: UnsafeMutablePointer<Place>
    private var keys: UnsafeMutablePointer<StableHash>

    init() {
        places = .allocate(capacity: room)
        keys = .allocate(capacity: room)
    }

    deinit {
        places.deallocate()
        keys.deallocate()
    }

    /// Forgets the rows, keeps the memory.
    mutating func removeAll() { (count, keyCount) = (0, 0) }

    @inline(__always)
    mutating func append(_ place: Place) {
        if count == room { grow() }
        (places + count).initialize(to: place)
        count &+= 1
    }

    /// Appends the key of the first row that has none.
    @inline(__always)
    mutating func append(key: StableHash) {
        precondition(keyCount < count, "a key without a row")
        (keys + keyCount).initialize(to: key)
        keyCount &+= 1
    }

    /// Where a row stands; traps outside the rows.
    @inline(__always)
    func place(_ row: Int) -> Place {
        precondition(row >= 0 && row < count, "no such row")
        return places[row]
    }

    /// The key of a row; traps outside the rows that have one.
    @inline(__always)
    func key(_ row: Int) -> StableHash {
        precondition(row >= 0 && row < keyCount, "no such key")
        return keys[row]
    }

    /// The first row, from a certain one on, of the unit that a row belongs to.
    func unitStart(_ row: Int, from first: Int) -> Int {
        var start = row
        while start > first, !place(start - 1).endsUnit { start -= 1 }
        return start
    }

    @inline(never)
    private mutating func grow() {
        let (oldPlaces, oldKeys) = (places, keys)
        room *= 2
        places = .allocate(capacity: room)
        keys = .allocate(capacity: room)
        places.moveInitialize(from: oldPlaces, count: count)
        keys.moveInitialize(from: oldKeys, count: keyCount)
        oldPlaces.deallocate()
        oldKeys.deallocate()
    }
}
