import Delimited

/// Values by words, compared byte by byte, in the order in which they came; a word that comes again takes its new value.
///
/// A dictionary of byte arrays costs a start two searches for conformances, and hashes slower than words are long.
struct WordTable<Value> {
    private(set) var words: [[UInt8]] = []
    private(set) var values: [Value] = []
    /// Open addressing: 1 + the place of a word, or 0; a power of two, at most half full.
    private var slots: [Int32] = []

    init() {}

    var isEmpty: Bool { words.isEmpty }

    /// The value of a word; nil when it has none.
    subscript(word: [UInt8]) -> Value? { place(word).map { values[$0] } }

    /// Sets the value of a word, and gives the one it had.
    @discardableResult
    mutating func updateValue(_ value: Value, forKey word: [UInt8]) -> Value? {
        if let place = place(word) {
            let old = values[place]
            values[place] = value
            return old
        }
        words.append(word)
        values.append(value)
        if words.count * 2 > slots.count {
            slots = [Int32](repeating: 0, count: max(8, slots.count * 2))
            for place in words.indices { enter(place) }
        } else {
            enter(words.count - 1)
        }
        return nil
    }

    private mutating func enter(_ place: Int) {
        var slot = start(words[place])
        while slots[slot] != 0 { slot = (slot + 1) & (slots.count - 1) }
        slots[slot] = Int32(place + 1)
    }

    private func place(_ word: [UInt8]) -> Int? {
        guard !slots.isEmpty else { return nil }
        var slot = start(word)
        while slots[slot] != 0 {
            let place = Int(slots[slot]) - 1
            if words[place] == word { return place }
            slot = (slot + 1) & (slots.count - 1)
        }
        return nil
    }

    /// The place of a word among `words`.
    func place(_ word: ByteView) -> Int? {
        guard !slots.isEmpty else { return nil }
        let hash = word.stableHash
        var slot = Int(truncatingIfNeeded: hash ^ hash >> 32) & (slots.count - 1)
        while slots[slot] != 0 {
            let place = Int(slots[slot]) - 1
            if word == words[place] { return place }
            slot = (slot + 1) & (slots.count - 1)
        }
        return nil
    }

    /// FNV-1a, its upper half folded in; see `ByteView.stableHash`.
    private func start(_ word: [UInt8]) -> Int {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in word { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        return Int(truncatingIfNeeded: hash ^ hash >> 32) & (slots.count - 1)
    }
}

extension WordTable: Sendable where Value: Sendable {}
extension WordTable: Equatable where Value: Equatable {}
extension WordTable: Hashable where Value: Hashable {}
