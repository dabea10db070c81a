import CByteMask

/// Texts that wait to be hashed side by side: eight hashes take little more time than one. `StableHash` says of each text
/// alone what comes out.
///
/// Invariant: `memory` has `room` bytes, all initialised; text `n` of `count` takes `words[n]` words from `starts[n]` on,
/// below `used`; from each start on `longest` bytes and a word are within the memory.
struct HashGroup: ~Copyable {
    /// How many texts there is room for.
    static var size: Int { 8 }
    /// The most bytes of a text.
    static var longest: Int { 4096 }
    private static var room: Int { 5 * (longest + 8) }

    /// How many texts wait.
    private(set) var count = 0
    private var used = 0
    private let memory: UnsafeMutablePointer<UInt8>
    private let starts: UnsafeMutablePointer<UInt32>
    private let words: UnsafeMutablePointer<UInt32>
    private let hashes: UnsafeMutablePointer<UInt64>
    private let ids: UnsafeMutablePointer<UInt64>

    init() {
        memory = .allocate(capacity: HashGroup.room)
        memory.initialize(repeating: 0, count: HashGroup.room)
        starts = .allocate(capacity: HashGroup.size)
        starts.initialize(repeating: 0, count: HashGroup.size)
        words = .allocate(capacity: HashGroup.size)
        words.initialize(repeating: 0, count: HashGroup.size)
        hashes = .allocate(capacity: 2 * HashGroup.size)
        hashes.initialize(repeating: 0, count: 2 * HashGroup.size)
        ids = .allocate(capacity: 2 * HashGroup.size)
        ids.initialize(repeating: 0, count: 2 * HashGroup.size)
    }

    deinit {
        memory.deallocate()
        starts.deallocate()
        words.deallocate()
        hashes.deallocate()
        ids.deallocate()
    }

    /// Whether there is room for so many texts more, however long; at least for four when none waits.
    @inline(__always)
    func hasRoom(for texts: Int) -> Bool {
        count &+ texts <= HashGroup.size && used &+ (texts &+ 1) &* (HashGroup.longest &+ 8) <= HashGroup.room
    }

    /// Where the next text goes; there is room for `longest` bytes and 8 more, which are undefined.
    var tail: UnsafeMutablePointer<UInt8> { memory + used }

    /// Takes the text of so many bytes that stands at `tail`; `hasRoom` was true.
    @inline(__always)
    mutating func append(_ byteCount: Int) {
        precondition(byteCount >= 0 && byteCount <= HashGroup.longest && hasRoom(for: 1), "no room for the text")
        let whole = byteCount & ~7
        let last = UnsafeMutableRawPointer(memory + used + whole)
        let isRest = (UInt64(1) &<< UInt64(truncatingIfNeeded: 8 &* (byteCount &- whole))) &- 1
        let rest = UInt64(littleEndian: last.loadUnaligned(as: UInt64.self)) & isRest
        last.storeBytes(
            of: (rest | UInt64(truncatingIfNeeded: byteCount) &<< 56).littleEndian, as: UInt64.self)
        starts[count] = UInt32(truncatingIfNeeded: used)
        words[count] = UInt32(truncatingIfNeeded: whole / 8 &+ 1)
        used &+= whole &+ 8
        count &+= 1
    }

    /// Forgets the last text.
    mutating func removeLast() {
        precondition(count > 0, "no text")
        count -= 1
        used = Int(starts[count])
    }

    /// Forgets the texts.
    mutating func removeAll() { (count, used) = (0, 0) }

    /// Makes the hashes of the texts.
    mutating func makeHashes() {
        for unused in count..<HashGroup.size { (starts[unused], words[unused]) = (0, 1) }
        row_hash_texts(memory, starts, words, hashes)
    }

    /// Makes the ids of the first rows of the hashes.
    func makeFirsts() { row_hash_firsts(hashes, ids) }

    /// The hash of a text.
    @inline(__always)
    func hash(_ place: Int) -> StableHash { HashGroup.read(hashes, place) }

    /// The id of the first row of a text's hash.
    @inline(__always)
    func first(_ place: Int) -> StableHash { HashGroup.read(ids, place) }

    @inline(__always)
    private static func read(_ words: UnsafeMutablePointer<UInt64>, _ place: Int) -> StableHash {
        precondition(place >= 0 && place < size, "no such text")
        return StableHash(high: words[2 &* place], low: words[2 &* place &+ 1])
    }
}
