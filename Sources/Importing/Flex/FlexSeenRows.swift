import Delimited

/// The rows that a report has stated, by their keys, in 16 bytes a place.
final class FlexSeenRows {
    @exclusivity(unchecked) private var places = FlatMemory<FlexKey>(repeating: .none, count: 64)
    @exclusivity(unchecked) private var count = 0

    @inline(__always)
    func contains(_ key: FlexKey) -> Bool { places[place(of: key)] == key }

    /// Whether it was new.
    func insert(_ key: FlexKey) -> Bool {
        let place = place(of: key)
        if places[place] == key { return false }
        places[place] = key
        count += 1
        if count * 3 > places.count * 2 { grow() }
        return true
    }

    /// Where a key stands, or the free place where it would.
    @inline(__always)
    private func place(of key: FlexKey) -> Int {
        let mask = places.count - 1
        var place = key.place & mask
        while places[place] != key, places[place] != .none { place = (place + 1) & mask }
        return place
    }

    @inline(never)
    private func grow() {
        var old = FlatMemory<FlexKey>(repeating: .none, count: places.count * 2)
        swap(&old, &places)
        for index in 0..<old.count where old[index] != .none { places[place(of: old[index])] = old[index] }
    }
}

/// Two independent 64-bit hashes, for tables in memory: they never leave the process.
struct FlexKey: Hashable, Sendable, BitwiseCopyable {
    private var first: UInt64 = 0xcbf2_9ce4_8422_2325
    private var second: UInt64 = 0x9e37_79b9_7f4a_7c15

    init() {}

    /// The key of an element of which no attribute was added.
    init(element: String) { ByteView.with(Array(element.utf8)) { add($0, at: -1) } }

    /// The key of a statement of which no attribute was added.
    init(statement: Int) { first ^= UInt64(truncatingIfNeeded: statement) &* 0xd6e8_feb8_6659_fd93 }

    private init(_ first: UInt64, _ second: UInt64) { (self.first, self.second) = (first, second) }

    /// The key of nothing.
    static let none = FlexKey(0, 0)

    /// Where it may stand in a table.
    var place: Int { Int(truncatingIfNeeded: first) }

    /// Adds the value that stands at a place among those that make the key; what is blank leaves it as it is.
    @inline(__always)
    mutating func add(_ view: ByteView, at place: Int) {
        if view.isEmpty { return }
        let salt = UInt64(truncatingIfNeeded: place &+ 2) &* 0xff51_afd7_ed55_8ccd
        first = view.mix(into: first ^ salt)
        second = view.mix(into: second ^ salt)
    }
}
