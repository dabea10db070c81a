internal import CByteMask

/// The tags of known rows as a tree: each edge is the bytes between two values, from the end of the one to the begin of
/// the other. A row is followed from its first byte to its last by comparing these bytes and passing over values.
///
/// Invariants of the unsafe accesses: `edges` has room for `edgeRoom`, the first `edgeCount` are initialized, and their
/// links are −1 or below that; the constants of an edge lie in the first `constantCount` bytes of `constants`, behind
/// which `padding` more are readable. In a source, a load of eight bytes begins at `limit` at most, where the caller
/// vouches for them, and one of 16 bytes at `limit − 8`. What was learned has no more values than a row has room for, and
/// so no way from a root to a shape has.
final class RowTrie {
    private struct Edge: BitwiseCopyable {
        var start: Int32
        var count: Int32
        /// A bit for each of its first 16 bytes.
        var bits: UInt32
        /// What may stand in its place.
        var sibling: Int32 = -1
        /// What may follow after the value that follows it.
        var child: Int32 = -1
        /// The shape that it completes.
        var shape: Int32 = -1
        /// How many bytes the value after it had last, less the whole sixteens, and the bit of that place. Most values of
        /// one place are of one length: the walk goes on there without waiting for what it finds.
        var expected: Int32 = 0
        var expectedBit: UInt32 = 1
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
    private static let padding = 16
    /// A writer has a few dozen; each keeps its first row.
    private static let maximumShapes = 512
    /// The longest row that is followed.
    static let maximumBytes = 1 << 16

    init(isQuoted: Bool) {
        self.isQuoted = isQuoted
        edges = .allocate(capacity: Self.edgeRoom)
        constants = .allocate(capacity: constantRoom + Self.padding)
        constants.initialize(repeating: 0, count: constantRoom + Self.padding)
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
        isQuoted
            ? followQuoted(memory, from: start, limit: limit, root: root, into: row)
            : followPlain(memory, from: start, limit: limit, root: root, into: row)
    }

    private func followQuoted(
        _ memory: UnsafePointer<UInt8>, from start: Int, limit: Int, root: Int32, into row: MarkupRow
    ) -> Int { walk(memory, start, limit, root, row, isQuoted: true) }

    private func followPlain(
        _ memory: UnsafePointer<UInt8>, from start: Int, limit: Int, root: Int32, into row: MarkupRow
    ) -> Int { walk(memory, start, limit, root, row, isQuoted: false) }

    /// Sums do not overflow: they are places in the source or just behind it.
    @inline(__always)
    private func walk(
        _ memory: UnsafePointer<UInt8>, _ start: Int, _ limit: Int, _ root: Int32, _ row: MarkupRow, isQuoted: Bool
    ) -> Int {
        let (edges, constants, starts, ends) = (edges, constants, row.starts, row.ends)
        let wide = limit &- 8
        var edge = root
        var at = start
        var count = 0
        var stop = Stop.unknown
        while edge >= 0 {
            let known = edges + Int(edge)
            let length = Int(known.pointee.count)
            let after = at &+ length
            if after > limit {
                stop = Stop.needsMore
            } else if Self.isSame(
                memory + at, constants + Int(known.pointee.start), length, known.pointee.bits, isWide: at <= wide)
            {
                if known.pointee.shape >= 0 {
                    row.state.pointee.shapeNumber = Int(known.pointee.shape)
                    row.state.pointee.count = count
                    return after
                }
                let end = Self.quickEnd(memory, after, limit, known, isQuoted: isQuoted)
                if end < 0 { return Stop.needsMore }
                let textEnd = isQuoted ? end : Self.trimmed(memory, after, end)
                if textEnd > after || isQuoted {
                    starts[count] = Int32(truncatingIfNeeded: after &- start)
                    ends[count] = Int32(truncatingIfNeeded: textEnd &- start)
                    count &+= 1
                    at = end
                    edge = known.pointee.child
                    stop = Stop.unknown
                    continue
                }
            }
            edge = known.pointee.sibling
        }
        return stop
    }

    /// Whether bytes are the same; `bits` has one for each of the first 16 of them, and `isWide` vouches for so many,
    /// however few are compared.
    @inline(__always)
    private static func isSame(
        _ left: UnsafePointer<UInt8>, _ right: UnsafePointer<UInt8>, _ count: Int, _ bits: UInt32, isWide: Bool
    ) -> Bool {
        guard isWide else { return isSame(left, right, count) }
        if byte_mask_same(left, right) & bits != bits { return false }
        if count <= 16 { return true }
        var index = 16
        while index &+ 16 < count {
            if byte_mask_same(left + index, right + index) != 0xFFFF { return false }
            index &+= 16
        }
        return byte_mask_same(left + (count &- 16), right + (count &- 16)) == 0xFFFF
    }

    @inline(never)
    private static func isSame(_ left: UnsafePointer<UInt8>, _ right: UnsafePointer<UInt8>, _ count: Int) -> Bool {
        for index in 0..<count where left[index] != right[index] { return false }
        return true
    }

    /// Where a value ends that stands after an edge, 16 bytes at a time; as `quoteEnd` and `valueEnd` say.
    @inline(__always)
    private static func quickEnd(
        _ memory: UnsafePointer<UInt8>, _ start: Int, _ limit: Int, _ edge: UnsafeMutablePointer<Edge>, isQuoted: Bool
    ) -> Int {
        var index = start
        while index <= limit &- 8 {
            let mask = byte_mask_value_end(memory + index, isQuoted ? 0x22 : 0x3E, 0x3C)
            if mask != 0 {
                let bit = edge.pointee.expectedBit
                // The first end is where it was last.
                if mask & (bit | (bit &- 1)) == bit { return index &+ Int(edge.pointee.expected) }
                let place = mask.trailingZeroBitCount
                edge.pointee.expected = Int32(truncatingIfNeeded: place)
                edge.pointee.expectedBit = 1 << UInt32(truncatingIfNeeded: place)
                return index &+ place
            }
            index &+= 16
        }
        return isQuoted ? quoteEnd(memory, index, limit) : valueEnd(memory, index, limit)
    }

    /// Where a value that begins at `start` ends: at a tag or a control character, or at what is no plain text; −1 when
    /// the bytes end before it.
    @inline(never)
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
    @inline(never)
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
            let larger = UnsafeMutablePointer<UInt8>.allocate(capacity: room + Self.padding)
            larger.initialize(repeating: 0, count: room + Self.padding)
            larger.update(from: constants, count: constantCount)
            constants.deallocate()
            constants = larger
            constantRoom = room
        }
        (constants + constantCount).update(from: bytes, count: count)
        (edges + edgeCount).initialize(
            to: Edge(
                start: Int32(truncatingIfNeeded: constantCount), count: Int32(truncatingIfNeeded: count),
                bits: 0xFFFF >> UInt32(16 - min(16, count))))
        constantCount += count
        edgeCount += 1
        return Int32(truncatingIfNeeded: edgeCount - 1)
    }
}
