/// The tags of known rows as a tree: each edge is the bytes between two values, from the end of the one to the begin of
/// the other. A row is followed from its first byte to its last by comparing these bytes and passing over values.
///
/// Invariants of the unsafe accesses: `edges` has room for `edgeRoom`, the first `edgeCount` are initialized, and their
/// links are −1 or below that; the constants of an edge lie in the first `constantCount` bytes of `constants`, behind
/// which eight more are readable. In a source, a load of eight bytes begins at `limit` at most, where the caller vouches
/// for them.
final class RowTrie {
    private struct Edge: BitwiseCopyable {
        var start: Int32
        var count: Int32
        /// What may stand in its place.
        var sibling: Int32 = -1
        /// What may follow after the value that follows it.
        var child: Int32 = -1
        /// The shape that it completes.
        var shape: Int32 = -1
    }

    /// Whether values stand in double quotes, and not between tags.
    private let isQuoted: Bool
    private let edges: UnsafeMutablePointer<Edge>
    @exclusivity(unchecked) private var edgeCount = 0
    @exclusivity(unchecked) private var constants: UnsafeMutablePointer<UInt8>
    @exclusivity(unchecked) private var constantCount = 0
    @exclusivity(unchecked) private var constantRoom = 4096
    @exclusivity(unchecked) private(set) var shapeCount = 0

    private static let edgeRoom = 4096
    /// A writer has a few dozen; each keeps its first row.
    private static let maximumShapes = 512
    /// The longest row that is followed.
    static let maximumBytes = 1 << 16

    init(isQuoted: Bool) {
        self.isQuoted = isQuoted
        edges = .allocate(capacity: Self.edgeRoom)
        constants = .allocate(capacity: constantRoom + 8)
        constants.initialize(repeating: 0, count: constantRoom + 8)
    }

    deinit {
        edges.deallocate()
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
        var edge = root
        var at = start
        var count = 0
        var stop = Stop.unknown
        while edge >= 0 {
            let known = edges[Int(edge)]
            let after = at + Int(known.count)
            if after > limit {
                stop = Stop.needsMore
            } else if Self.isSame(memory + at, constants + Int(known.start), Int(known.count)) {
                if known.shape >= 0 {
                    row.state.pointee.shapeNumber = Int(known.shape)
                    row.state.pointee.count = count
                    return after
                }
                let end = isQuoted ? Self.quoteEnd(memory, after, limit) : Self.valueEnd(memory, after, limit)
                if end < 0 { return Stop.needsMore }
                let textEnd = isQuoted ? end : Self.trimmed(memory, after, end)
                if textEnd > after || isQuoted, count < MarkupRow.capacity {
                    row.starts[count] = Int32(truncatingIfNeeded: after - start)
                    row.ends[count] = Int32(truncatingIfNeeded: textEnd - start)
                    count += 1
                    at = end
                    edge = known.child
                    stop = Stop.unknown
                    continue
                }
            }
            edge = known.sibling
        }
        return stop
    }

    @inline(__always)
    private static func isSame(
        _ left: UnsafePointer<UInt8>, _ right: UnsafePointer<UInt8>, _ count: Int
    ) -> Bool {
        if count < 8 {
            return Words.prefix(Words.load(left) ^ Words.load(right), count) == 0
        }
        var index = 0
        while index + 8 < count {
            if Words.load(left + index) != Words.load(right + index) { return false }
            index += 8
        }
        return Words.load(left + (count - 8)) == Words.load(right + (count - 8))
    }

    /// Where a value that begins at `start` ends: at a tag or a control character, or at what is no plain text; −1 when
    /// the bytes end before it.
    @inline(__always)
    private static func valueEnd(_ memory: UnsafePointer<UInt8>, _ start: Int, _ limit: Int) -> Int {
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
    @inline(__always)
    private static func quoteEnd(_ memory: UnsafePointer<UInt8>, _ start: Int, _ limit: Int) -> Int {
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
    private static func trimmed(_ memory: UnsafePointer<UInt8>, _ start: Int, _ end: Int) -> Int {
        if end == start || memory[start] == 0x20 { return start }
        var last = end
        while memory[last - 1] == 0x20 { last -= 1 }
        return last
    }

    // MARK: learning

    /// Learns the row `bytes`, which was read as `store`. Its tags must be plain, and what is read of it here must be
    /// what was read there.
    ///
    /// - Parameters:
    ///   - root: where rows of its list begin; −1 for none yet.
    ///   - readable: how many bytes after the row's first may be read.
    /// - Returns: the number of the shape and the element of each value; nil when it is no row to learn, or known.
    func learn(
        _ bytes: UnsafeBufferPointer<UInt8>, readable: Int, as store: AggregateStore, _ names: NameTable,
        root: inout Int32
    ) -> [Int]? {
        guard let memory = bytes.baseAddress, bytes.count <= Self.maximumBytes else { return nil }
        var segments: [Range<Int>] = []
        var elements: [Int] = []
        var element = 0
        var constant = 0
        var at = 0
        while at < bytes.count {
            guard memory[at] == 0x3C else { return nil }
            let closes = at + 1 < bytes.count && memory[at + 1] == 0x2F
            let name = at + (closes ? 2 : 1)
            var after = name
            while after < bytes.count, NameByte.isName(memory[after]) { after += 1 }
            guard after > name, after < bytes.count, memory[after] == 0x3E, NameByte.starts(memory[name]) else {
                return nil
            }
            let word = UnsafeBufferPointer(start: memory + name, count: after - name)
            after += 1
            var next = after
            if !closes {
                guard element < store.count, names.intern(word) == store.entries[element].name else { return nil }
                let text = store.text(element)
                let end = Self.valueEnd(memory, after, readable - 8)
                guard end >= after, end <= bytes.count else { return nil }
                let textEnd = Self.trimmed(memory, after, end)
                guard text.elementsEqual(UnsafeBufferPointer(start: memory + after, count: textEnd - after)) else {
                    return nil
                }
                if textEnd > after {
                    guard elements.count < MarkupRow.capacity else { return nil }
                    segments.append(constant..<after)
                    elements.append(element)
                    constant = end
                    next = end
                }
                element += 1
            }
            while next < bytes.count, Self.isBlank(memory[next]) { next += 1 }
            at = next
        }
        guard element == store.count, at == bytes.count else { return nil }
        segments.append(constant..<bytes.count)
        return insert(segments, memory, &root) ? elements : nil
    }

    /// Learns a row that is one tag `<NAME name="value" … />`, which was read as `attributes`.
    func learn(
        _ bytes: UnsafeBufferPointer<UInt8>, readable: Int, as element: ElementName,
        _ attributes: borrowing MarkupAttributes, _ names: NameTable, root: inout Int32
    ) -> Bool {
        guard let memory = bytes.baseAddress, bytes.count <= Self.maximumBytes, bytes.count > 3, memory[0] == 0x3C,
            attributes.count > 0, attributes.count <= MarkupRow.capacity
        else { return false }
        /// The name at a place, and the byte after it.
        func name(at start: Int) -> (ElementName, Int)? {
            var end = start
            while end < bytes.count, NameByte.isName(memory[end]) { end += 1 }
            guard end > start, end < bytes.count else { return nil }
            return (names.intern(UnsafeBufferPointer(start: memory + start, count: end - start)), end)
        }
        guard let (own, after) = name(at: 1), own == element else { return false }
        var segments: [Range<Int>] = []
        var constant = 0
        var at = after
        for index in 0..<attributes.count {
            let start = at
            while at < bytes.count, Self.isBlank(memory[at]) { at += 1 }
            guard at > start, let (known, end) = name(at: at), known == attributes.name(at: index),
                end + 2 < bytes.count, memory[end] == 0x3D, memory[end + 1] == 0x22
            else { return false }
            let value = end + 2
            let valueEnd = Self.quoteEnd(memory, value, readable - 8)
            guard valueEnd >= value, valueEnd < bytes.count, memory[valueEnd] == 0x22 else { return false }
            let text = UnsafeBufferPointer(start: memory + value, count: valueEnd - value)
            guard attributes.withValue(at: index, { $0.withUnsafeBufferPointer { $0.elementsEqual(text) } }) else {
                return false
            }
            segments.append(constant..<value)
            constant = valueEnd
            at = valueEnd + 1
        }
        while at < bytes.count, Self.isBlank(memory[at]) { at += 1 }
        guard at + 2 == bytes.count, memory[at] == 0x2F, memory[at + 1] == 0x3E else { return false }
        segments.append(constant..<bytes.count)
        return insert(segments, memory, &root)
    }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 }

    /// Whether it was new.
    private func insert(_ segments: [Range<Int>], _ memory: UnsafePointer<UInt8>, _ root: inout Int32) -> Bool {
        guard edgeCount + segments.count <= Self.edgeRoom, shapeCount < Self.maximumShapes else { return false }
        var parent: Int32 = -1
        var first = root
        for (index, segment) in segments.enumerated() {
            let isLast = index == segments.count - 1
            var edge = first
            while edge >= 0, !isEdge(edges[Int(edge)], memory + segment.lowerBound, segment.count, isLast) {
                edge = edges[Int(edge)].sibling
            }
            if edge < 0 {
                edge = append(memory + segment.lowerBound, segment.count)
                // What was met last is tried first.
                edges[Int(edge)].sibling = first
                if parent < 0 { root = edge } else { edges[Int(parent)].child = edge }
            } else if isLast {
                return false
            }
            parent = edge
            first = edges[Int(edge)].child
        }
        edges[Int(parent)].shape = Int32(truncatingIfNeeded: shapeCount)
        shapeCount += 1
        return true
    }

    private func isEdge(_ edge: Edge, _ bytes: UnsafePointer<UInt8>, _ count: Int, _ isLast: Bool) -> Bool {
        guard Int(edge.count) == count, (edge.shape >= 0) == isLast else { return false }
        for index in 0..<count where constants[Int(edge.start) + index] != bytes[index] { return false }
        return true
    }

    private func append(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> Int32 {
        if constantCount + count > constantRoom {
            let room = max(constantRoom * 2, constantCount + count)
            let larger = UnsafeMutablePointer<UInt8>.allocate(capacity: room + 8)
            larger.initialize(repeating: 0, count: room + 8)
            larger.update(from: constants, count: constantCount)
            constants.deallocate()
            constants = larger
            constantRoom = room
        }
        (constants + constantCount).update(from: bytes, count: count)
        (edges + edgeCount).initialize(
            to: Edge(start: Int32(truncatingIfNeeded: constantCount), count: Int32(truncatingIfNeeded: count)))
        constantCount += count
        edgeCount += 1
        return Int32(truncatingIfNeeded: edgeCount - 1)
    }
}

/// The rows of a source that go the short way: those whose tags are the same bytes as those of a row that was read
/// element by element, in the same list. What the readers make of a row depends on its tags, on which values are empty,
/// and on where it stands; so they would make the same of it, but for the values.
public final class RowLane {
    let trie: RowTrie
    let row = MarkupRow()
    /// A row has just been read element by element: others may follow, and it may be learned.
    @exclusivity(unchecked) public var isAfterRow = false
    /// Something was read around since the last row.
    @exclusivity(unchecked) var hadIssue = false
    /// The handler has refused the row, which is known.
    @exclusivity(unchecked) var isKnown = false
    /// Where rows begin, by the element that they stand in and how deep.
    @exclusivity(unchecked) private var roots: [(parent: ElementName, depth: Int, root: Int32)] = []
    @exclusivity(unchecked) private var current = -1
    /// Rows that could not be learned, one after the other.
    @exclusivity(unchecked) private var failures = 0

    private static let maximumFailures = 256
    private static let maximumRoots = 64

    /// A lane for rows that are elements with values between tags, or one tag with values in quotes.
    public init(isQuoted: Bool = false) { trie = RowTrie(isQuoted: isQuoted) }

    /// Where rows within `parent` begin; −1 when none is known.
    @inline(__always)
    func root(_ parent: ElementName, _ depth: Int) -> Int32 {
        if current >= 0, roots[current].parent == parent, roots[current].depth == depth {
            return roots[current].root
        }
        return otherRoot(parent, depth)
    }

    @inline(never)
    private func otherRoot(_ parent: ElementName, _ depth: Int) -> Int32 {
        current = roots.firstIndex { $0.parent == parent && $0.depth == depth } ?? -1
        if current < 0, roots.count < Self.maximumRoots {
            current = roots.count
            roots.append((parent, depth, -1))
        }
        return current < 0 ? -1 : roots[current].root
    }

    /// Whether the row that was read last is to be learned.
    var wantsToLearn: Bool { !isKnown && !hadIssue && failures < Self.maximumFailures }

    /// Learns a row of the list that `root` was asked for last.
    func learn(
        _ bytes: UnsafeBufferPointer<UInt8>, readable: Int, as store: AggregateStore, _ names: NameTable,
        lastHoisted: ElementName, endsLine: Bool
    ) {
        guard current >= 0, !store.isIncomplete, !store.isTruncated,
            let elements = trie.learn(bytes, readable: readable, as: store, names, root: &roots[current].root)
        else {
            failures += 1
            return
        }
        failures = 0
        row.shapes.append(
            RowShape(
                example: MarkupAggregate(store: store).copy(), elements: elements, lineCount: Self.lineCount(bytes),
                lastHoisted: lastHoisted, endsLine: endsLine))
    }

    /// Learns a row that is one tag.
    func learn(
        _ bytes: UnsafeBufferPointer<UInt8>, readable: Int, as element: ElementName,
        _ attributes: borrowing MarkupAttributes, _ names: NameTable
    ) {
        guard current >= 0,
            trie.learn(bytes, readable: readable, as: element, attributes, names, root: &roots[current].root)
        else {
            failures += 1
            return
        }
        failures = 0
        row.shapes.append(
            RowShape(
                element: element, attributes: (0..<attributes.count).map { attributes.name(at: $0) },
                lineCount: Self.lineCount(bytes)))
    }

    /// Whether rows are known or may still be learned.
    var isUseful: Bool { trie.shapeCount > 0 || failures < Self.maximumFailures }

    private static func lineCount(_ bytes: UnsafeBufferPointer<UInt8>) -> Int {
        var tracker = PositionTracker(encoding: .utf8, skipped: 0)
        tracker.advance(bytes)
        return tracker.position.line - 1
    }
}
