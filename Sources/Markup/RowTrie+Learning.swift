// Rows that were read element by element become edges.
extension RowTrie {
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
                put(edge, behind: parent, root: &root)
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
        (edge.shape >= 0) == isLast && edge.foldCount == 0 && hasBytes(edge, bytes, count)
    }
}
