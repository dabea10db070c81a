// Rows that are one tag each: `<Trade a="…" b="…" />`. Those whose names and quotes are the same bytes as those of a row
// that libxml2 has read are not given to it: a document without such an element is as well-formed as with it.
extension XMLReader {
    /// Gives libxml2 one tag after the other, so that rows can be taken in between.
    func feedRows(_ bytes: UnsafeBufferPointer<UInt8>, _ lane: RowLane, isFinal: Bool) {
        var rest = bytes
        var size = MarkupPass.joinedBytes
        // A row that has begun is put together with what follows it, not with the whole chunk.
        while !pending.isEmpty {
            let count = min(size, rest.count)
            let isAll = count == rest.count
            var work: [UInt8] = []
            swap(&work, &pending)
            work.append(contentsOf: rest[..<count])
            work.withUnsafeBufferPointer { take($0, lane, isFinal: isFinal && isAll) }
            if isAll { return }
            if pending.count <= count {
                rest = UnsafeBufferPointer(rebasing: rest[(count - pending.count)...])
                pending.removeAll(keepingCapacity: true)
            } else {
                rest = UnsafeBufferPointer(rebasing: rest[count...])
                size *= 2
            }
        }
        take(rest, lane, isFinal: isFinal)
    }

    private func take(_ bytes: UnsafeBufferPointer<UInt8>, _ lane: RowLane, isFinal: Bool) {
        var index = 0
        while index < bytes.count, error == nil {
            // libxml2 must be where the row has ended.
            if lane.isAfterRow, consumed == fed {
                let (end, waits) = takeRows(bytes, from: index, lane, isFinal: isFinal)
                index = end
                if waits {
                    pending = Array(bytes[index...])
                    return
                }
                if index == bytes.count { return }
            }
            var end = index
            while end < bytes.count, bytes[end] != 0x3E, end - index < 1 << 16 { end += 1 }
            if end < bytes.count { end += 1 }
            if !lane.isUseful { end = min(bytes.count, index + 1 << 16) }
            feedPart(UnsafeBufferPointer(rebasing: bytes[index..<end]), isFinal: false)
            index = end
        }
    }

    /// Takes as many rows as there are, each at the begin of a line; of the others, lines would have to be counted.
    ///
    /// Invariant of the unsafe accesses: `follow` loads no byte behind `limit + 8`.
    private func takeRows(
        _ bytes: UnsafeBufferPointer<UInt8>, from index: Int, _ lane: RowLane, isFinal: Bool
    ) -> (index: Int, waits: Bool) {
        guard let memory = bytes.baseAddress else { return (index, false) }
        let base = fed - index
        _ = lane.root(.none, depth)
        if !lane.isKnown { learn(bytes, to: index, base, lane) }
        lane.isKnown = false
        let root = lane.root(.none, depth)
        guard root >= 0 else {
            lane.isAfterRow = false
            return (index, false)
        }
        locator.hold(bytes, from: base)
        var endLine = locator.position(at: base + index).line
        let state = lane.row.state
        let limit = bytes.count - 8
        var at = index
        var waits = false
        while true {
            var start = at
            let line = endLine + ElementStack<HandlerBox>.skipBlanks(memory, &start, bytes.count)
            let end =
                start > limit
                ? RowTrie.Stop.needsMore
                : lane.trie.follow(memory, from: start, limit: limit, root: root, into: lane.row)
            guard end >= 0 else {
                waits = end == RowTrie.Stop.needsMore && !isFinal && bytes.count - start < RowTrie.maximumBytes
                break
            }
            var lineStart = start
            while lineStart > at, !Self.endsLine(memory[lineStart - 1]) { lineStart -= 1 }
            guard lineStart > at else { break }
            state.pointee.bytes = UnsafeBufferPointer(start: memory + start, count: end - start)
            state.pointee.readable = bytes.count - end
            state.pointee.offset = locator.source(base + start)
            state.pointee.line = line
            state.pointee.column = start - lineStart + 1
            guard stack.row(lane.row) else {
                lane.isKnown = true
                break
            }
            endLine = line + lane.row.shape.lineCount
            at = end
            lane.look(memory, from: start, end: end, limit: limit)
        }
        if at > index { passed(bytes, index..<at, base, line: endLine) }
        locator.release(at: base + at)
        if !waits { lane.isAfterRow = false }
        return (at, waits)
    }

    private static func endsLine(_ byte: UInt8) -> Bool { byte == 0x0A || byte == 0x0D }

    /// After rows that were taken, of which `line` is the last line that begins in them.
    private func passed(_ bytes: UnsafeBufferPointer<UInt8>, _ range: Range<Int>, _ base: Int, line: Int) {
        var start = range.upperBound
        while start > range.lowerBound, !Self.endsLine(bytes[start - 1]) { start -= 1 }
        locator.jump(to: base + start, line: line)
        pass(range.count)
    }

    private func learn(_ bytes: UnsafeBufferPointer<UInt8>, to end: Int, _ base: Int, _ lane: RowLane) {
        let start = lastStart.offset - base
        guard lane.wantsToLearn, lastEvent == fed, start >= 0, start < end else { return }
        lane.learn(
            UnsafeBufferPointer(rebasing: bytes[start..<end]), readable: bytes.count - start, as: lastStart.name,
            stack.attributes, stack.table)
    }
}
