/// A set of slots: a bit each. A definition has few, and a generic set costs a start its first search for conformances.
struct SlotSet: Sendable, Hashable {
    private var words: [UInt64] = []

    init() {}

    init(_ slots: some Sequence<Int>) { formUnion(slots) }

    /// In order.
    var sorted: [Int] {
        var slots: [Int] = []
        for (place, word) in words.enumerated() {
            var rest = word
            while rest != 0 {
                slots.append(place << 6 + rest.trailingZeroBitCount)
                rest &= rest - 1
            }
        }
        return slots
    }

    /// Negative ones are in no set.
    @inline(__always)
    func contains(_ slot: Int) -> Bool {
        slot >= 0 && slot >> 6 < words.count && words[slot >> 6] >> UInt64(slot & 63) & 1 == 1
    }

    /// Whether the slot was not in the set.
    @discardableResult
    mutating func insert(_ slot: Int) -> Bool {
        guard slot >= 0, !contains(slot) else { return false }
        while words.count <= slot >> 6 { words.append(0) }
        words[slot >> 6] |= 1 << UInt64(slot & 63)
        return true
    }

    mutating func formUnion(_ slots: some Sequence<Int>) { for slot in slots { insert(slot) } }

    func subtracting(_ other: SlotSet) -> SlotSet {
        var result = self
        for place in words.indices where place < other.words.count { result.words[place] &= ~other.words[place] }
        return result
    }

    func subtracting(_ slots: some Sequence<Int>) -> SlotSet { subtracting(SlotSet(slots)) }
}
