import Delimited

/// The classes of rows that were met, by what makes them alike: shape, words, signs.
///
/// Invariant: `words` of a class are copies in `memory`, which lives as long as the table.
struct RowClasses: ~Copyable {
    /// A class that was met.
    struct Known: BitwiseCopyable {
        var hash: UInt64
        var shape: UInt64
        var signs: UInt64
        /// Its words from here on, in `words`.
        var firstWord: Int32
        var wordCount: Int32
        /// How often it was met; below 0 when it is refused for good.
        var visits: Int32 = 0
        /// What the sink calls it; −1 before it is prepared.
        var prepared: Int32 = -1
        /// Rows must be asked whether their words say what they are.
        var asksWords = false
    }

    private var classes = FlatMemory<Known>([])
    /// The classes by open addressing: −1 is a free slot.
    private var places = FlatMemory<Int32>(repeating: -1, count: 64)
    private var words = FlatMemory<ByteView>([])
    private let memory = ByteArena()
    /// The words of the row at hand.
    var cells: FlatMemory<ByteView>

    private static let maximum = 8192
    /// Words are kept: longer ones make no class.
    static let maximumWord = 256
    /// A class is prepared when it was met so often: preparing costs as much as some rows. Of a small file, most classes
    /// end before they have made up for it.
    static func visitsBefore(inBytes count: Int) -> Int32 { count >= 1 << 19 ? 3 : 12 }

    /// Classes of rows of at most so many words.
    init(words: Int) { cells = FlatMemory(repeating: .empty, count: words) }

    subscript(_ index: Int) -> Known {
        @inline(__always) get { classes[index] }
        @inline(__always) set { classes[index] = newValue }
    }

    /// The class of the row whose words are the first of `cells`; nil when it is new and there are too many.
    @inline(__always)
    mutating func find(_ hash: UInt64, _ shape: UInt64, _ signs: UInt64, _ wordCount: Int) -> Int? {
        let mask = places.count - 1
        var place = Int(truncatingIfNeeded: hash) & mask
        while true {
            let index = Int(places[place])
            if index < 0 { return meet(hash, shape, signs, wordCount) }
            let known = classes[index]
            if known.hash == hash, known.shape == shape, known.signs == signs, hasWords(Int(known.firstWord), wordCount)
            {
                return index
            }
            place = (place + 1) & mask
        }
    }

    @inline(__always)
    private func hasWords(_ first: Int, _ count: Int) -> Bool {
        for place in 0..<count where words[first + place] != cells[place] { return false }
        return true
    }

    @inline(never)
    private mutating func meet(_ hash: UInt64, _ shape: UInt64, _ signs: UInt64, _ wordCount: Int) -> Int? {
        guard classes.count < Self.maximum else { return nil }
        if classes.count * 2 >= places.count { grow() }
        let index = classes.count
        classes.append(
            Known(
                hash: hash, shape: shape, signs: signs, firstWord: Int32(truncatingIfNeeded: words.count),
                wordCount: Int32(truncatingIfNeeded: wordCount)))
        for place in 0..<wordCount { words.append(memory.copy(cells[place])) }
        put(Int32(truncatingIfNeeded: index), hash)
        return index
    }

    private mutating func put(_ index: Int32, _ hash: UInt64) {
        let mask = places.count - 1
        var place = Int(truncatingIfNeeded: hash) & mask
        while places[place] >= 0 { place = (place + 1) & mask }
        places[place] = index
    }

    private mutating func grow() {
        places = FlatMemory(repeating: -1, count: places.count * 2)
        for index in 0..<classes.count { put(Int32(truncatingIfNeeded: index), classes[index].hash) }
    }
}
