// Rows that go the short way: what stands between two rows is blank, and the next one's tags are known.
extension ElementStack {
    /// Whether a row of a list has just ended.
    @inline(__always)
    var isAfterRow: Bool { lane?.isAfterRow ?? false }

    /// Takes as many rows as there are from `index` on, all of them in `bytes`, which begin at `base` of the stream.
    /// Where it stops the row is to be read element by element; if it `waits`, with more bytes than these.
    ///
    /// Invariant of the unsafe accesses: `follow` loads no byte behind `limit + 8`.
    func takeRows(
        _ bytes: UnsafeBufferPointer<UInt8>, from index: Int, stream base: Int, isFinal: Bool
    ) -> (index: Int, waits: Bool) {
        guard let lane, let memory = bytes.baseAddress, wantsMore, count > 0, !isGathering,
            frames[count - 1].kind == .aggregate
        else {
            lane?.isAfterRow = false
            return (index, false)
        }
        let parent = frames + (count - 1)
        _ = lane.root(parent.pointee.name, count)
        if lane.isAfterRow {
            lane.isAfterRow = false
            learn(bytes, to: index, base, lane)
        }
        let root = lane.root(parent.pointee.name, count)
        guard root >= 0 else { return (index, false) }
        let countsLines = locator.countsLines
        var line = countsLines ? locator.position(at: base + index).line : 0
        let row = lane.row
        let limit = bytes.count - 8
        var at = index
        var waits = false
        while true {
            var start = at
            let breaks = Self.skipBlanks(memory, &start, bytes.count)
            let end =
                start > limit
                ? RowTrie.Stop.needsMore : lane.trie.follow(memory, from: start, limit: limit, root: root, into: row)
            guard end >= 0 else {
                waits = end == RowTrie.Stop.needsMore && !isFinal && bytes.count - start < RowTrie.maximumBytes
                break
            }
            row.state.pointee.bytes = UnsafeBufferPointer(start: memory + start, count: end - start)
            row.state.pointee.readable = bytes.count - end
            row.state.pointee.offset = locator.source(base + start)
            row.state.pointee.line = countsLines ? line + breaks : 0
            guard handler.row(row) else {
                lane.isKnown = true
                break
            }
            line = row.line + row.shape.lineCount
            at = end
            row.taken = row.shapeNumber
            lane.look(memory, from: start, end: end, limit: limit)
        }
        if at > index { passed(bytes, index..<at, base, line: line, row.shapes[row.taken]) }
        return (at, waits)
    }

    /// Hands on a row that is one tag.
    func row(_ row: MarkupRow) -> Bool { handler.row(row) }

    /// Passes over blanks; how many lines end in them.
    @inline(__always)
    static func skipBlanks(_ memory: UnsafePointer<UInt8>, _ index: inout Int, _ end: Int) -> Int {
        var breaks = 0
        var previous: UInt8 = 0
        while index < end {
            let byte = memory[index]
            if byte == 0x0A {
                if previous != 0x0D { breaks += 1 }
            } else if byte == 0x0D {
                breaks += 1
            } else if byte != 0x20, byte != 0x09 {
                break
            }
            previous = byte
            index += 1
        }
        return breaks
    }

    /// What is known after rows that went the short way is what would be known after the last of them.
    private func passed(
        _ bytes: UnsafeBufferPointer<UInt8>, _ range: Range<Int>, _ base: Int, line: Int, _ shape: RowShape
    ) {
        frames[count - 1].hasChildren = true
        closesAggregates = true
        lastHoisted = shape.lastHoisted
        endsLine = shape.endsLine
        guard locator.countsLines else { return }
        var start = range.upperBound
        while start > range.lowerBound, bytes[start - 1] != 0x0A, bytes[start - 1] != 0x0D { start -= 1 }
        // Without a line's end, the locator counts the characters of the line itself.
        if start > range.lowerBound { locator.jump(to: base + start, line: line) }
    }

    /// Learns the row that ends before `end`, if all of it is at hand.
    private func learn(_ bytes: UnsafeBufferPointer<UInt8>, to end: Int, _ base: Int, _ lane: RowLane) {
        defer {
            lane.isKnown = false
            lane.hadIssue = false
        }
        guard lane.wantsToLearn, let aggregate = handler.ended else { return }
        let start = aggregate.position.offset - locator.source(base)
        guard start >= 0, start < end, locator.source(base + end) == aggregate.endOffset else { return }
        lane.learn(
            UnsafeBufferPointer(rebasing: bytes[start..<end]), readable: bytes.count - start, as: aggregate.store,
            table, lastHoisted: lastHoisted, endsLine: endsLine)
    }

    // MARK: - Text of plain tags

    /// Text without the blanks around it, if what is left stands for itself; nil if it holds references, CRs or NULs.
    ///
    /// Invariant of the unsafe loads: a tag follows the text, so that at least 18 bytes behind it are readable.
    @inline(__always)
    static func plain(_ text: UnsafeBufferPointer<UInt8>) -> UnsafeBufferPointer<UInt8>? {
        guard let memory = text.baseAddress else { return text }
        var first = 0
        var end = text.count
        while end > 0, memory[end - 1] <= 0x20 { end -= 1 }
        while first < end, memory[first] <= 0x20 { first += 1 }
        var index = first
        while index < end {
            let word = Words.load(memory + index)
            let marks = Words.marks(word, 0x26) | Words.marks(word, 0x0D) | Words.marks(word, 0)
            if marks != 0, index + Words.first(marks) < end { return nil }
            index += 8
        }
        return UnsafeBufferPointer(start: memory + first, count: end - first)
    }
}
