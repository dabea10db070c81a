import Delimited

/// The classes of rows that a sink has prepared, by their words and shape.
///
/// One thread adds to a table; what other threads read is a copy that nobody changes any more (`frozen`).
final class ClassTable: @unchecked Sendable {
    /// A class lies where it is looked for: each step to another place waits for memory.
    struct Slot: BitwiseCopyable {
        var hash: UInt64 = 0
        var shape: UInt64 = 0
        /// The first of its words.
        var word = ByteView.empty
        /// The sink's number of it.
        var prepared: Int32 = 0
        /// Its number here; −1 of a free slot.
        var index: Int32 = -1
    }

    /// Open addressing.
    @exclusivity(unchecked) private var slots: FlatMemory<Slot>
    /// How many classes there are.
    @exclusivity(unchecked) private(set) var count = 0
    /// The words of class `i` from `i * wordCount`.
    @exclusivity(unchecked) private var words = FlatMemory<ByteView>([])
    /// What is looked at besides in rows of some classes, by the sink's number of them.
    @exclusivity(unchecked) private var extras: [ClassExtras?] = []
    /// Whether there is any.
    @exclusivity(unchecked) private(set) var hasExtras = false
    private let wordCount: Int
    private let memory = ByteArena()

    /// The most classes.
    static let maximum = 1 << 15
    /// Answers of `find` that are no class.
    static let unknown = -1, crowded = -2
    /// A row that answers otherwise than its class.
    static let otherwise = -3
    /// Up to so many slots few are taken: each that is costs a branch that nobody could guess.
    private static let fewSlots = 1 << 13

    init(wordCount: Int) {
        self.wordCount = wordCount
        slots = FlatMemory(repeating: Slot(), count: 32)
    }

    private init(copying other: ClassTable) {
        wordCount = other.wordCount
        slots = FlatMemory(repeating: Slot(), count: other.slots.count)
        for place in 0..<other.slots.count where other.slots[place].index >= 0 {
            let slot = other.slots[place]
            insert(slot.hash, slot.shape, prepared: Int(slot.prepared)) {
                other.words[Int(slot.index) * other.wordCount + $0]
            }
        }
        (extras, hasExtras) = (other.extras, other.hasExtras)
    }

    /// A copy for other threads.
    func frozen() -> ClassTable { ClassTable(copying: self) }

    /// Keeps what is to be looked at in rows of a class.
    func keep(_ new: ClassExtras, of id: Int) {
        while extras.count <= id { extras.append(nil) }
        extras[id] = new
        hasExtras = true
    }

    /// What is to be looked at in rows of a class; nil for nothing.
    func extras(of id: Int) -> ClassExtras? { id >= 0 && id < extras.count ? extras[id] : nil }

    /// The hash of a class from that of its words.
    @inline(__always)
    static func hash(words: UInt64, shape: UInt64) -> UInt64 {
        let wide = (words ^ shape).multipliedFullWidth(by: 0x9E37_79B9_7F4A_7C15)
        return wide.high ^ wide.low
    }

    /// The sink's number of a class, or why there is none.
    @inline(__always)
    func find(_ hash: UInt64, _ shape: UInt64, _ cells: borrowing FlatMemory<ByteView>) -> Int {
        let mask = slots.count &- 1
        var place = Int(truncatingIfNeeded: hash) & mask
        // Words that were made to collide are left to the recipes.
        for _ in 0..<32 {
            let slot = slots[place]
            if slot.index < 0 { return ClassTable.unknown }
            if slot.hash == hash, slot.shape == shape, hasWords(slot, cells) { return Int(slot.prepared) }
            place = (place &+ 1) & mask
        }
        return ClassTable.crowded
    }

    @inline(__always)
    private func hasWords(_ slot: Slot, _ cells: borrowing FlatMemory<ByteView>) -> Bool {
        if wordCount == 0 { return true }
        guard slot.word == cells[0] else { return false }
        let first = Int(slot.index) &* wordCount
        for place in 1..<wordCount where words[first &+ place] != cells[place] { return false }
        return true
    }

    /// Adds a class that `find` does not know.
    func insert(_ hash: UInt64, _ shape: UInt64, prepared id: Int, word: (Int) -> ByteView) {
        guard let id = Int32(exactly: id), let index = Int32(exactly: count) else { return }
        if count * (slots.count < ClassTable.fewSlots ? 4 : 2) >= slots.count { grow() }
        var slot = Slot(hash: hash, shape: shape, prepared: id, index: index)
        for place in 0..<wordCount {
            let copy = memory.copy(word(place))
            if place == 0 { slot.word = copy }
            words.append(copy)
        }
        put(slot)
        count += 1
    }

    private func put(_ slot: Slot) {
        let mask = slots.count - 1
        var place = Int(truncatingIfNeeded: slot.hash) & mask
        while slots[place].index >= 0 { place = (place + 1) & mask }
        slots[place] = slot
    }

    private func grow() {
        var old = FlatMemory(repeating: Slot(), count: slots.count * 2)
        swap(&old, &slots)
        for place in 0..<old.count where old[place].index >= 0 { put(old[place]) }
    }
}
