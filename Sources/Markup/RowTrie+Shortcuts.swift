// Shortcuts: rows of a shape mostly differ in few values. What is the same in all that were looked at is compared together
// with the tags around it, as one run of bytes. Where it is not the same, the edges that a shortcut stands for are there.
extension RowTrie {
    /// The way of a row without shortcuts.
    struct Way {
        /// An edge before each value, and the last one.
        var edges: [Int32] = []
        /// The values, and where the edge after each begins: blanks may stand in between.
        var values: [Range<Int>] = []
        var ends: [Int] = []
        var shape = 0
    }

    /// As many as the bits of a word.
    static let maximumShortcuts = 64

    /// Follows a row without shortcuts; the byte after it, or a `Stop`. The quick way must come to the same.
    func way(_ memory: UnsafePointer<UInt8>, from start: Int, limit: Int, root: Int32) -> (way: Way, end: Int) {
        var way = Way()
        var edge = root
        var at = start
        var stop = Stop.unknown
        while edge >= 0 {
            let known = edges[Int(edge)]
            let after = at + Int(known.count)
            if known.foldCount == 0, after > limit { stop = Stop.needsMore }
            if known.foldCount == 0, after <= limit, hasBytes(known, memory + at, Int(known.count)) {
                if known.shape >= 0 {
                    way.edges.append(edge)
                    way.shape = Int(known.shape)
                    return (way, after)
                }
                let end = isQuoted ? Self.quoteEnd(memory, after, limit) : Self.valueEnd(memory, after, limit)
                if end < 0 { return (way, Stop.needsMore) }
                let textEnd = isQuoted ? end : Self.trimmed(memory, after, end)
                if textEnd > after || isQuoted {
                    way.edges.append(edge)
                    way.values.append(after..<textEnd)
                    way.ends.append(end)
                    at = end
                    edge = known.child
                    stop = Stop.unknown
                    continue
                }
            }
            edge = known.sibling
        }
        return (way, stop)
    }

    /// Makes a shortcut past some values of a row, as they stand there; false if there is none to make.
    func addShortcut(
        past values: Range<Int>, of way: Way, _ memory: UnsafePointer<UInt8>, from start: Int, root: inout Int32
    ) -> Bool {
        guard !values.isEmpty, values.count < 256, shortcuts.count < Self.maximumShortcuts, edgeCount < Self.edgeRoom,
            foldCount + values.count <= Self.foldRoom, foldCount <= Int(UInt16.max)
        else { return false }
        let first = values.lowerBound == 0 ? start : way.ends[values.lowerBound - 1]
        let last = way.edges[values.upperBound]
        let lastStart = way.ends[values.upperBound - 1]
        let end = lastStart + Int(edges[Int(last)].count)
        let parent = values.lowerBound == 0 ? -1 : way.edges[values.lowerBound - 1]
        var other = parent < 0 ? root : edges[Int(parent)].child
        while other >= 0 {
            if hasBytes(edges[Int(other)], memory + first, end - first) { return false }
            other = edges[Int(other)].sibling
        }
        let edge = append(memory + first, end - first)
        let new = edges + Int(edge)
        new.pointee.foldCount = UInt8(truncatingIfNeeded: values.count)
        new.pointee.firstFold = UInt16(truncatingIfNeeded: foldCount)
        new.pointee.shortcut = 1 << UInt64(shortcuts.count)
        new.pointee.child = edges[Int(last)].child
        new.pointee.shape = edges[Int(last)].shape
        for value in values {
            let range = way.values[value]
            (folds + foldCount).initialize(
                to: Fold(
                    start: Int32(truncatingIfNeeded: range.lowerBound - first),
                    end: Int32(truncatingIfNeeded: range.upperBound - first)))
            foldCount += 1
        }
        shortcuts.append((edge, last))
        put(edge, behind: parent, root: &root)
        return true
    }
}
