internal import CByteMask
import Digests

/// The tags of known rows as a tree: each edge is the bytes between two values, from the end of the one to the begin of
/// the other. A row is followed from its first byte to its last by comparing these bytes and passing over values.
///
/// Where values of a shape mostly are the same, a shortcut (`RowTrie+Shortcuts`) leads past them: an edge whose bytes hold
/// these values and the tags around them, and which ends where the edges that it stands for end.
///
/// Invariants of the unsafe accesses: `edges` has room for `edgeRoom`, the first `edgeCount` are initialized, and their
/// links are −1 or below that; the constants of an edge lie in the first `constantCount` bytes of `constants`, behind
/// which `padding` more are readable, and its folds among the first `foldCount` of `folds`. In a source, a load of eight
/// bytes begins at `limit` at most, where the caller vouches for them, and one of 16 bytes at `limit − 8`. What was
/// learned has no more values than a row has room for, and so no way from a root to a shape has.
final class RowTrie {
    struct Edge: BitwiseCopyable {
        /// Its first 16 bytes, and a bit for each that there is.
        var opening: (UInt64, UInt64)
        var bits: UInt32
        var start: Int32
        var count: Int32
        /// What may stand in its place.
        var sibling: Int32 = -1
        /// What may follow after the value that follows it.
        var child: Int32 = -1
        /// The shape that it completes.
        var shape: Int32 = -1
        /// How many bytes the value after it had last, less the whole sixteens, and the bit of that place. Most values of
        /// one place are of one length: the walk goes on there without waiting for what it finds.
        var expectedBit: UInt32 = 1
        var expected: UInt8 = 0
        /// How many values its bytes hold, in `folds` from `firstFold` on: more than 0 in a shortcut alone.
        var foldCount: UInt8 = 0
        var firstFold: UInt16 = 0
        /// Its bit, if it is a shortcut.
        var shortcut: UInt64 = 0
    }

    /// Where a value stands among the bytes of an edge.
    struct Fold: BitwiseCopyable {
        var start: Int32
        var end: Int32
    }

    /// Whether values stand in double quotes, and not between tags.
    let isQuoted: Bool
    let edges: UnsafeMutablePointer<Edge>
    @exclusivity(unchecked) var edgeCount = 0
    @exclusivity(unchecked) private var constants: UnsafeMutablePointer<UInt8>
    @exclusivity(unchecked) private var constantCount = 0
    @exclusivity(unchecked) private var constantRoom = 4096
    @exclusivity(unchecked) var shapeCount = 0
    let folds: UnsafeMutablePointer<Fold>
    @exclusivity(unchecked) var foldCount = 0
    /// The edges that are shortcuts, by their numbers, and those where they end.
    @exclusivity(unchecked) var shortcuts: [(edge: Int32, end: Int32)] = []
    /// Digests that are made beside the walk.
    @exclusivity(unchecked) var digests = DigestSteps()

    static let edgeRoom = 4096
    static let foldRoom = 1024
    private static let padding = 16
    /// A writer has a few dozen; each keeps its first row.
    static let maximumShapes = 512
    /// The longest row that is followed.
    static let maximumBytes = 1 << 16

    init(isQuoted: Bool) {
        self.isQuoted = isQuoted
        edges = .allocate(capacity: Self.edgeRoom)
        folds = .allocate(capacity: Self.foldRoom)
        constants = .allocate(capacity: constantRoom + Self.padding)
        constants.initialize(repeating: 0, count: constantRoom + Self.padding)
    }

    deinit {
        edges.deallocate()
        folds.deallocate()
        constants.deallocate()
    }

    // MARK: following

    /// Why a row was not followed to its end.
    enum Stop {
        static let unknown = -1
        /// The bytes end before the row does.
        static let needsMore = -2
    }

    /// Follows the row at `start`: the byte after it, and its values in `row`; or a `Stop`.
    @inline(__always)
    func follow(
        _ memory: UnsafePointer<UInt8>, from start: Int, limit: Int, root: Int32, into row: MarkupRow
    ) -> Int {
        // Not near the end, where the loads of the quick way would lie behind it.
        let wide = limit &- 8 &- start
        let end =
            isQuoted
            ? followQuoted(memory + start, wide: wide, root: root, into: row)
            : followPlain(memory + start, wide: wide, root: root, into: row)
        return end >= 0 ? start &+ end : followSlowly(memory, from: start, limit: limit, root: root, into: row)
    }

    @inline(never)
    private func followQuoted(
        _ base: UnsafePointer<UInt8>, wide: Int, root: Int32, into row: MarkupRow
    ) -> Int { walk(base, wide, root, row, isQuoted: true) }

    @inline(never)
    private func followPlain(
        _ base: UnsafePointer<UInt8>, wide: Int, root: Int32, into row: MarkupRow
    ) -> Int { walk(base, wide, root, row, isQuoted: false) }

    /// The same without shortcuts, byte by byte.
    @inline(never)
    private func followSlowly(
        _ memory: UnsafePointer<UInt8>, from start: Int, limit: Int, root: Int32, into row: MarkupRow
    ) -> Int {
        let (way, end) = way(memory, from: start, limit: limit, root: root)
        guard end >= 0 else { return end }
        for (index, value) in way.values.enumerated() {
            row.places[index] = MarkupRow.Place(
                start: Int32(truncatingIfNeeded: value.lowerBound - start),
                end: Int32(truncatingIfNeeded: value.upperBound - start))
        }
        row.state.pointee.shapeNumber = way.shape
        row.state.pointee.count = way.values.count
        row.state.pointee.shortcuts = 0
        return end
    }

    /// Follows a row from its first byte, as long as no more than `wide` bytes are behind; below 0 if that does not lead to
    /// its end. Sums do not overflow: they are places in the source or just behind it.
    @inline(__always)
    private func walk(
        _ base: UnsafePointer<UInt8>, _ wide: Int, _ root: Int32, _ row: MarkupRow, isQuoted: Bool
    ) -> Int {
        let edges = edges
        var edge = root
        var at = 0
        var place = row.places
        var shortcuts: UInt64 = 0
        while edge >= 0 {
            let known = edges + Int(edge)
            let after = at &+ Int(known.pointee.count)
            if after > wide { return Stop.unknown }
            if byte_mask_same(base + at, Self.opening(known)) & known.pointee.bits == known.pointee.bits,
                known.pointee.count <= 16 || isSame(base + at, known)
            {
                var next = place
                if known.pointee.foldCount > 0 { next = fold(known, at, next) }
                if known.pointee.shape >= 0 {
                    row.state.pointee.shapeNumber = Int(known.pointee.shape)
                    row.state.pointee.count = next - row.places
                    row.state.pointee.shortcuts = shortcuts | known.pointee.shortcut
                    return after
                }
                let end = Self.valueEnd(base, after, wide, known, isQuoted: isQuoted)
                if end < 0 { return Stop.unknown }
                let textEnd = isQuoted ? end : Self.trimmed(base, after, end)
                if isQuoted || textEnd > after {
                    next.pointee = MarkupRow.Place(
                        start: Int32(truncatingIfNeeded: after), end: Int32(truncatingIfNeeded: textEnd))
                    place = next + 1
                    shortcuts |= known.pointee.shortcut
                    at = end
                    edge = known.pointee.child
                    continue
                }
            }
            edge = known.pointee.sibling
        }
        return Stop.unknown
    }

    /// Notes where the values stand that a shortcut's bytes hold, which begin so many bytes after the row does.
    @inline(never)
    private func fold(
        _ edge: UnsafePointer<Edge>, _ at: Int, _ place: UnsafeMutablePointer<MarkupRow.Place>
    ) -> UnsafeMutablePointer<MarkupRow.Place> {
        digests.take()
        let first = folds + Int(edge.pointee.firstFold)
        let at = Int32(truncatingIfNeeded: at)
        let count = Int(edge.pointee.foldCount)
        for index in 0..<count {
            place[index] = MarkupRow.Place(start: at &+ first[index].start, end: at &+ first[index].end)
        }
        return place + count
    }

    /// The first 16 bytes of an edge.
    @inline(__always)
    private static func opening(_ edge: UnsafePointer<Edge>) -> UnsafePointer<UInt8> {
        UnsafeRawPointer(edge).assumingMemoryBound(to: UInt8.self)
    }

    /// Whether the bytes of an edge of more than 16, of which the first are the same, are the same.
    @inline(__always)
    private func isSame(_ bytes: UnsafePointer<UInt8>, _ edge: UnsafePointer<Edge>) -> Bool {
        let constant = constants + Int(edge.pointee.start)
        let last = Int(edge.pointee.count) &- 16
        var index = 16
        while index < last {
            if byte_mask_same(bytes + index, constant + index) != 0xFFFF { return false }
            index &+= 16
        }
        return byte_mask_same(bytes + last, constant + last) == 0xFFFF
    }

    /// Where a value ends that stands after an edge, 16 bytes at a time; as `quoteEnd` and `valueEnd` say. Below 0 when
    /// that is too far.
    @inline(__always)
    private static func valueEnd(
        _ base: UnsafePointer<UInt8>, _ start: Int, _ wide: Int, _ edge: UnsafeMutablePointer<Edge>, isQuoted: Bool
    ) -> Int {
        var index = start
        while true {
            let mask = byte_mask_value_end(base + index, isQuoted ? 0x22 : 0x3E, 0x3C)
            if mask != 0 {
                let bit = edge.pointee.expectedBit
                // The first end is where it was last.
                if mask & (bit | (bit &- 1)) == bit { return index &+ Int(edge.pointee.expected) }
                let place = mask.trailingZeroBitCount
                edge.pointee.expected = UInt8(truncatingIfNeeded: place)
                edge.pointee.expectedBit = 1 &<< UInt32(truncatingIfNeeded: place)
                return index &+ place
            }
            index &+= 16
            if index > wide { return Stop.unknown }
        }
    }

    /// Where a value that begins at `start` ends: at a tag or a control character, or at what is no plain text; −1 when
    /// the bytes end before it.
    @inline(never)
    static func valueEnd(_ memory: UnsafePointer<UInt8>, _ start: Int, _ limit: Int) -> Int {
        var index = start
        while index <= limit {
            let word = Words.load(memory + index)
            let marks = Words.ends(word)
            if marks != 0 { return index + Words.first(marks) }
            index += 8
        }
        return -1
    }

    /// The same of a value in double quotes.
    @inline(never)
    static func quoteEnd(_ memory: UnsafePointer<UInt8>, _ start: Int, _ limit: Int) -> Int {
        var index = start
        while index <= limit {
            let marks = Words.quoteEnds(Words.load(memory + index))
            if marks != 0 { return index + Words.first(marks) }
            index += 8
        }
        return -1
    }

    /// The end of a value without blanks; `start` for one that begins with a blank or has nothing else.
    @inline(__always)
    static func trimmed(_ memory: UnsafePointer<UInt8>, _ start: Int, _ end: Int) -> Int {
        if end == start || memory[start] == 0x20 { return start }
        var last = end
        while memory[last &- 1] == 0x20 { last &-= 1 }
        return last
    }

    // MARK: edges

    /// Whether an edge has these bytes.
    func hasBytes(_ edge: Edge, _ bytes: UnsafePointer<UInt8>, _ count: Int) -> Bool {
        guard Int(edge.count) == count else { return false }
        for index in 0..<count where constants[Int(edge.start) + index] != bytes[index] { return false }
        return true
    }

    /// Appends an edge that no other leads to yet.
    func append(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> Int32 {
        if constantCount + count > constantRoom {
            let room = max(constantRoom * 2, constantCount + count)
            let larger = UnsafeMutablePointer<UInt8>.allocate(capacity: room + Self.padding)
            larger.initialize(repeating: 0, count: room + Self.padding)
            larger.update(from: constants, count: constantCount)
            constants.deallocate()
            constants = larger
            constantRoom = room
        }
        (constants + constantCount).update(from: bytes, count: count)
        // Behind the constants are so many bytes.
        let opening = UnsafeRawPointer(constants + constantCount).loadUnaligned(as: (UInt64, UInt64).self)
        (edges + edgeCount).initialize(
            to: Edge(
                opening: opening, bits: 0xFFFF >> UInt32(16 - min(16, count)),
                start: Int32(truncatingIfNeeded: constantCount), count: Int32(truncatingIfNeeded: count)))
        constantCount += count
        edgeCount += 1
        return Int32(truncatingIfNeeded: edgeCount - 1)
    }

    /// Puts an edge before those that may stand in its place: behind `parent`, or at the root where that is −1.
    func put(_ edge: Int32, behind parent: Int32, root: inout Int32) {
        edges[Int(edge)].sibling = parent < 0 ? root : edges[Int(parent)].child
        guard parent >= 0 else {
            root = edge
            return
        }
        edges[Int(parent)].child = edge
        // Shortcuts go on where their ends do.
        for shortcut in shortcuts where shortcut.end == parent { edges[Int(shortcut.edge)].child = edge }
    }
}
