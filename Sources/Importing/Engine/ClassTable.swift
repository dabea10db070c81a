import Delimited

/// The classes of rows that a sink has prepared, by their words and shape.
///
/// One thread adds to a table; what other threads read is a copy that nobody changes any more (`frozen`).
final class ClassTable: @unchecked Sendable {
    struct Entry: BitwiseCopyable {
        var hash: UInt64
        var shape: UInt64
        /// The sink's number of it.
        var prepared: Int
    }

    /// Open addressing: -1 in `places` is a free slot.
    @exclusivity(unchecked) private var places = FlatMemory<Int32>(repeating: -1, count: 32)
    @exclusivity(unchecked) private var entries = FlatMemory<Entry>([])
    /// The words of class `i` from `i * wordCount`.
    @exclusivity(unchecked) private var words = FlatMemory<ByteView>([])
    private let wordCount: Int
    private let memory = ByteArena()

    /// The most classes.
    static let maximum = 1 << 15
    /// Answers of `find` that are no class.
    static let unknown = -1, crowded = -2

    init(wordCount: Int) { self.wordCount = wordCount }

    /// How many classes there are.
    var count: Int { entries.count }

    /// A copy for other threads.
    func frozen() -> ClassTable {
        let copy = ClassTable(wordCount: wordCount)
        for index in 0..<count {
            let entry = entries[index]
            copy.insert(entry.hash, entry.shape, prepared: entry.prepared) { words[index * wordCount + $0] }
        }
        return copy
    }

    /// The sink's number of a class, or why there is none.
    @inline(__always)
    func find(_ hash: UInt64, _ shape: UInt64, _ cells: borrowing FlatMemory<ByteView>) -> Int {
        let mask = places.count &- 1
        var place = Int(truncatingIfNeeded: hash) & mask
        // Words that were made to collide are left to the recipes.
        for _ in 0..<32 {
            let index = Int(places[place])
            if index < 0 { return ClassTable.unknown }
            let entry = entries[index]
            if entry.hash == hash, entry.shape == shape, hasWords(index, cells) { return entry.prepared }
            place = (place &+ 1) & mask
        }
        return ClassTable.crowded
    }

    @inline(__always)
    private func hasWords(_ index: Int, _ cells: borrowing FlatMemory<ByteView>) -> Bool {
        let first = index &* wordCount
        for place in 0..<wordCount where words[first &+ place] != cells[place] { return false }
        return true
    }

    /// Adds a class that `find` does not know.
    func insert(_ hash: UInt64, _ shape: UInt64, prepared id: Int, word: (Int) -> ByteView) {
        // A place that is taken costs a branch that nobody could guess.
        if count * 4 >= places.count { grow() }
        place(Int32(truncatingIfNeeded: count), hash)
        entries.append(Entry(hash: hash, shape: shape, prepared: id))
        for index in 0..<wordCount { words.append(memory.copy(word(index))) }
    }

    private func place(_ index: Int32, _ hash: UInt64) {
        let mask = places.count - 1
        var place = Int(truncatingIfNeeded: hash) & mask
        while places[place] >= 0 { place = (place + 1) & mask }
        places[place] = index
    }

    private func grow() {
        places = FlatMemory(repeating: -1, count: places.count * 2)
        for index in 0..<count { place(Int32(truncatingIfNeeded: index), entries[index].hash) }
    }
}
