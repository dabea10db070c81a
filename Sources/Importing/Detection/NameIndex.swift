import Delimited

/// What the build wrote of a definition (`DefinitionIndex.swift` in Sources/embed-definitions says how): its aliases,
/// the lines of which one must be there, and the names of required columns, hashed, for every input is held against
/// every definition. Nothing of it is read before it is asked for.
struct NameIndex: Sendable {
    private let index: StaticString

    init(_ index: StaticString) { self.index = index }

    /// Other ids of the importer.
    var aliases: [String] { index.withUTF8Buffer { IndexCursor($0).texts() } }

    /// Patterns of lines of which one must be there.
    var lines: [String] {
        index.withUTF8Buffer { bytes in
            var cursor = IndexCursor(bytes)
            cursor.skipTexts()
            return cursor.texts()
        }
    }

    /// Where lines say what they are: 0-based columns of section and kind, and the words, folded, of headers; nil when
    /// they do not.
    var layout: (section: Int, kind: Int, words: [[UInt8]])? {
        index.withUTF8Buffer { bytes in
            var cursor = IndexCursor(bytes)
            cursor.skipTexts()
            cursor.skipTexts()
            let section = cursor.number()
            guard section > 0 else { return nil }
            let kind = cursor.number()
            return (section - 1, kind - 1, cursor.texts().map { foldedWordBytes($0) })
        }
    }

    /// Whether a header has all required names of a table.
    func mayFit(_ header: HeaderCells) -> Bool {
        overTables { cursor, _ in
            let count = cursor.number()
            for column in 0..<count where !cursor.takeColumn(header) {
                for _ in column + 1..<count { cursor.skipColumn() }
                return false
            }
            return true
        }
    }

    /// The table of which a header has the largest share, when it has some of it: what it lacks.
    func nearest(_ header: HeaderCells) -> (missing: Int, required: Int, table: Int)? {
        var best: (missing: Int, required: Int, table: Int)?
        _ = overTables { cursor, place in
            let count = cursor.number()
            var missing = 0
            for _ in 0..<count where !cursor.takeColumn(header) { missing += 1 }
            if missing < count, best.map({ missing * $0.required < $0.missing * count }) ?? true {
                best = (missing, count, place)
            }
            return false
        }
        return best
    }

    /// The names of a table's columns that a header lacks.
    func missing(_ header: HeaderCells, table: Int) -> [String] {
        var names: [String] = []
        _ = overTables { cursor, place in
            for _ in 0..<cursor.number() {
                var column = cursor
                if !cursor.takeColumn(header), place == table { names.append(HeaderName(column.text()).key) }
            }
            return place == table
        }
        return names
    }

    /// Walks the tables until one is what `body` looks for; the cursor stands at its columns, and `body` leaves it
    /// behind them.
    @inline(__always)
    private func overTables(_ body: (inout IndexCursor, Int) -> Bool) -> Bool {
        index.withUTF8Buffer { bytes in
            var cursor = IndexCursor(bytes)
            cursor.skipTexts()
            cursor.skipTexts()
            if cursor.number() > 0 {
                _ = cursor.number()
                cursor.skipTexts()
            }
            for place in 0..<cursor.number() where body(&cursor, place) { return true }
            return false
        }
    }
}

/// A place in an index. Beyond its end stand zeros.
private struct IndexCursor {
    private let bytes: UnsafeBufferPointer<UInt8>
    private var place = 0

    init(_ bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

    @inline(__always)
    mutating func number() -> Int {
        guard bytes.count - place >= 2 else { return 0 }
        defer { place += 2 }
        return Int(bytes[place]) | Int(bytes[place + 1]) << 7
    }

    @inline(__always)
    private mutating func bytes(_ count: Int) -> UnsafeBufferPointer<UInt8> {
        let end = min(place + count, bytes.count)
        defer { place = end }
        return UnsafeBufferPointer(rebasing: bytes[place..<end])
    }

    mutating func text() -> String { String(decoding: bytes(number()), as: UTF8.self) }

    func texts() -> [String] {
        var cursor = self
        return (0..<cursor.number()).map { _ in cursor.text() }
    }

    mutating func skipTexts() { for _ in 0..<number() { place += number() } }

    /// Whether a header has one of the names of the column that stands here; goes behind it.
    @inline(__always)
    mutating func takeColumn(_ header: HeaderCells) -> Bool {
        place += number()
        var isThere = false
        for _ in 0..<number() {
            let length = number()
            if length > 0 {
                let name = bytes(length)
                if !isThere { isThere = Self.hasUnfolded(header, name) }
            } else if bytes.count - place >= 8 {
                if !isThere { isThere = header.hashes.has(hash()) }
                place += 8
            }
        }
        return isThere
    }

    mutating func skipColumn() {
        place += number()
        for _ in 0..<number() {
            let length = number()
            place += length > 0 ? length : 8
        }
    }

    @inline(__always)
    private func hash() -> UInt64 {
        var hash: UInt64 = 0
        for byte in 0..<8 { hash |= UInt64(bytes[place + byte]) << UInt64(8 * byte) }
        return hash
    }

    @inline(never)
    private static func hasUnfolded(_ header: HeaderCells, _ name: UnsafeBufferPointer<UInt8>) -> Bool {
        header.hashes.mayBegin(name) && header.hashes.has(NameHash.ofName(name))
    }
}

/// The hashes of a header's names; so few are searched one by one, after a filter of 64 bits.
struct NameHash: Sendable, Hashable {
    private var filter: UInt64 = 0
    /// The first two bytes of every name, where both are letters or digits.
    private var openings: [UInt16] = []
    private var hashes: [UInt64] = []
    private static let textBits: UInt64 = 0x7F7F_7F7F_7F7F_7F7F

    init(_ names: [HeaderName]) {
        hashes.reserveCapacity(names.count)
        for name in names {
            var key = name.key
            let hash = key.withUTF8 { NameHash.of($0) }
            if let opening = key.withUTF8({ NameHash.opening($0) }) { openings.append(opening) }
            filter |= 1 << (hash & 63)
            hashes.append(hash)
        }
    }

    @inline(__always)
    func has(_ hash: UInt64) -> Bool { filter >> (hash & 63) & 1 == 1 && hashes.contains(hash) }

    /// Whether a name of the header begins as this one; true where that cannot be told by two bytes.
    func mayBegin(_ name: UnsafeBufferPointer<UInt8>) -> Bool {
        NameHash.opening(name).map { openings.contains($0) } ?? true
    }

    /// Two ASCII letters or digits in front are never markup, space or decoration: they fold byte by byte.
    private static func opening(_ name: UnsafeBufferPointer<UInt8>) -> UInt16? {
        guard name.count >= 2, isLetter(name[0]) || isDigit(name[0]), isLetter(name[1]) || isDigit(name[1]) else {
            return nil
        }
        return UInt16(asciiLower(name[0])) << 8 | UInt16(asciiLower(name[1]))
    }

    /// FNV-1a of a folded name, without the highest bit of every byte: the build writes it into text.
    private static func of(_ key: UnsafeBufferPointer<UInt8>) -> UInt64 {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in key { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        return hash & textBits
    }

    /// The hash of a name as a definition writes it. A plain name folds byte by byte.
    static func ofName(_ name: UnsafeBufferPointer<UInt8>) -> UInt64 {
        guard HeaderName.isPlain(name) else {
            var key = HeaderName(String(decoding: name, as: UTF8.self)).key
            return key.withUTF8 { of($0) }
        }
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in name { hash = (hash ^ UInt64(asciiLower(byte))) &* 0x100_0000_01B3 }
        return hash & textBits
    }
}
