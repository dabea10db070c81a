// A tree that was read, written so that it is had again without a parser: what the build makes of the catalogue.
//
// Every number is written in bytes of six bits, the lowest first; the seventh bit says that more follow, the eighth is
// never set, so that the whole is UTF-8 and may stand in a literal. A node is its kind and count (`count * 8 + kind`),
// its mark (the line, above its 23 bits the number of its text, as a zigzag difference to the mark before, then the
// column), and then its text, its items, or its entries (the key's length and text, its mark, the value).
extension YAML {
    /// The prepared form of a tree.
    public static func prepared(_ node: YAMLNode) -> [UInt8] {
        var writer = PreparedWriter()
        writer.write(node)
        return writer.bytes
    }

    /// Reads the prepared form of a tree.
    ///
    /// - Throws: `encoding` where it is none, or not whole.
    public static func read(prepared bytes: UnsafeBufferPointer<UInt8>) throws(YAMLError) -> YAMLNode {
        var reader = PreparedReader(bytes)
        let node = try reader.node(depth: 0)
        guard reader.isAtEnd else { throw PreparedReader.broken }
        return node
    }
}

private enum PreparedKind: Int {
    case null, plain, quoted, block, sequence, mapping

    /// A text has at most `YAML.maximumBytes` lines and one; 12 bits are left for the number of a text.
    static let lineBits = 23
}

private struct PreparedWriter {
    var bytes: [UInt8] = []
    private var line = 0

    mutating func write(_ node: YAMLNode) {
        switch node.value {
        case .null: open(.null, 0, node.mark)
        case .scalar(let text, let style):
            let kind: PreparedKind =
                switch style {
                case .plain: .plain
                case .quoted: .quoted
                case .block: .block
                }
            open(kind, text.utf8.count, node.mark)
            bytes += text.utf8
        case .sequence(let items):
            open(.sequence, items.count, node.mark)
            for item in items { write(item) }
        case .mapping(let entries):
            open(.mapping, entries.count, node.mark)
            for entry in entries {
                number(entry.key.utf8.count)
                bytes += entry.key.utf8
                mark(entry.keyMark)
                write(entry.value)
            }
        }
    }

    private mutating func open(_ kind: PreparedKind, _ count: Int, _ place: YAMLMark) {
        number(count << 3 | kind.rawValue)
        mark(place)
    }

    private mutating func mark(_ mark: YAMLMark) {
        let place = Int(mark.source) << PreparedKind.lineBits | mark.line
        let step = place - line
        number(step << 1 ^ step >> (Int.bitWidth - 1))
        number(mark.column)
        line = place
    }

    private mutating func number(_ value: Int) {
        var rest = UInt(bitPattern: value)
        while rest >= 0x40 {
            bytes.append(UInt8(rest & 0x3F) | 0x40)
            rest >>= 6
        }
        bytes.append(UInt8(rest))
    }
}

/// Reads within its bytes whatever they are: counts are held against what is left.
private struct PreparedReader {
    static let broken = YAMLError(
        .encoding, "the prepared form is broken", hint: "build again", at: YAMLMark(line: 1, column: 1))

    private let bytes: UnsafeBufferPointer<UInt8>
    private var place = 0
    private var line = 0

    init(_ bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

    var isAtEnd: Bool { place == bytes.count }

    mutating func node(depth: Int) throws(YAMLError) -> YAMLNode {
        let word = try number()
        let count = word >> 3
        // An item takes at least three bytes, and text one for each.
        guard let kind = PreparedKind(rawValue: word & 7), count <= bytes.count - place,
            depth <= YAML.maximumDepth
        else { throw Self.broken }
        let mark = try mark()
        switch kind {
        case .null: return YAMLNode(.null, at: mark)
        case .plain: return YAMLNode(.scalar(try text(count), .plain), at: mark)
        case .quoted: return YAMLNode(.scalar(try text(count), .quoted), at: mark)
        case .block: return YAMLNode(.scalar(try text(count), .block), at: mark)
        case .sequence:
            var items: [YAMLNode] = []
            items.reserveCapacity(count)
            for _ in 0..<count { items.append(try node(depth: depth + 1)) }
            return YAMLNode(.sequence(items), at: mark)
        case .mapping:
            var entries: [YAMLEntry] = []
            entries.reserveCapacity(count)
            for _ in 0..<count {
                let key = try text(try number())
                let keyMark = try self.mark()
                entries.append(YAMLEntry(key: key, keyMark: keyMark, value: try node(depth: depth + 1)))
            }
            return YAMLNode(.mapping(entries), at: mark)
        }
    }

    private mutating func mark() throws(YAMLError) -> YAMLMark {
        let step = try number()
        line &+= step >> 1 ^ -(step & 1)
        return YAMLMark(
            line: line & ((1 << PreparedKind.lineBits) - 1), column: try number(),
            source: UInt16(truncatingIfNeeded: line >> PreparedKind.lineBits))
    }

    private mutating func text(_ count: Int) throws(YAMLError) -> String {
        guard count <= bytes.count - place else { throw Self.broken }
        defer { place += count }
        return String(decoding: UnsafeBufferPointer(rebasing: bytes[place..<place + count]), as: UTF8.self)
    }

    /// At most 36 bits, mostly 6.
    @inline(__always)
    private mutating func number() throws(YAMLError) -> Int {
        guard place < bytes.count, bytes[place] < 0x40 else { return try longNumber() }
        place += 1
        return Int(bytes[place - 1])
    }

    private mutating func longNumber() throws(YAMLError) -> Int {
        var value = 0
        for shift in stride(from: 0, to: 36, by: 6) {
            guard place < bytes.count else { throw Self.broken }
            let byte = bytes[place]
            place += 1
            value |= Int(byte & 0x3F) << shift
            if byte < 0x40 { return value }
        }
        throw Self.broken
    }
}
