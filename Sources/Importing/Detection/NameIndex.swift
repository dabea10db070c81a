import Delimited

/// The names of required columns of an embedded definition's tables, as what the build wrote of them: hashed, for
/// every input is held against every definition.
struct NameIndex: Sendable {
    /// A required column: its names' hashes, and its first name as the definition writes it.
    private struct Column: Sendable {
        let hashes: Range<Int>
        /// Names whose folding takes more than ASCII: worked out only for headers that may have them.
        let unfolded: Range<Int>
        let name: Range<Int>
    }

    private let index: StaticString
    private var hashes: [UInt64] = []
    private var unfolded: [Range<Int>] = []
    private var columns: [Column] = []
    /// For each table its columns.
    private var tables: [Range<Int>] = []

    init(_ index: StaticString) { self.index = index }

    mutating func beginTable() { tables.append(columns.count..<columns.count) }

    /// Takes the names of a column; `range` is where they stand in the index, parted by U+001F: the first for people,
    /// then each as a hash, or itself.
    mutating func addColumn(_ bytes: UnsafeBufferPointer<UInt8>, _ range: Range<Int>) {
        guard let table = tables.popLast() else { return }
        let first = hashes.count
        let firstUnfolded = unfolded.count
        var name: Range<Int>?
        var start = range.lowerBound
        for place in range.lowerBound...range.upperBound where place == range.upperBound || bytes[place] == 0x1F {
            if name == nil {
                name = start..<place
            } else if place > start {
                if let hash = NameHash.written(UnsafeBufferPointer(rebasing: bytes[start..<place])) {
                    hashes.append(hash)
                } else {
                    unfolded.append(start..<place)
                }
            }
            start = place + 1
        }
        columns.append(
            Column(
                hashes: first..<hashes.count, unfolded: firstUnfolded..<unfolded.count, name: name ?? range))
        tables.append(table.lowerBound..<columns.count)
    }

    /// Whether a header has all required names of a table.
    func mayFit(_ header: HeaderCells) -> Bool {
        tables.contains { table in table.allSatisfy { has(header, columns[$0]) } }
    }

    /// The table of which a header has the largest share, when it has some of it: what it lacks.
    func nearest(_ header: HeaderCells) -> (missing: Int, required: Int, table: Int)? {
        var best: (missing: Int, required: Int, table: Int)?
        for (place, table) in tables.enumerated() where !table.isEmpty {
            var missing = 0
            for column in table where !has(header, columns[column]) { missing += 1 }
            guard missing < table.count else { continue }
            if let best, best.missing * table.count <= missing * best.required { continue }
            best = (missing, table.count, place)
        }
        return best
    }

    /// The names of a table's columns that a header lacks.
    func missing(_ header: HeaderCells, table: Int) -> [String] {
        tables[table].filter { !has(header, columns[$0]) }.map { column in
            index.withUTF8Buffer { HeaderName(String(decoding: $0[columns[column].name], as: UTF8.self)).key }
        }
    }

    @inline(__always)
    private func has(_ header: HeaderCells, _ column: Column) -> Bool {
        for place in column.hashes where header.hashes.has(hashes[place]) { return true }
        return !column.unfolded.isEmpty && hasUnfolded(header, column)
    }

    @inline(never)
    private func hasUnfolded(_ header: HeaderCells, _ column: Column) -> Bool {
        index.withUTF8Buffer { bytes in
            column.unfolded.contains { place in
                let name = UnsafeBufferPointer(rebasing: bytes[unfolded[place]])
                return header.hashes.mayBegin(name) && header.hashes.has(NameHash.ofName(name))
            }
        }
    }
}

/// The hashes of a header's names; so few are searched one by one, after a filter of 64 bits.
struct NameHash: Sendable, Hashable {
    private var filter: UInt64 = 0
    /// The first two bytes of every name, where both are letters or digits.
    private var openings: [UInt16] = []
    private var hashes: [UInt64] = []

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

    /// A hash as the build writes it: `=` and 16 hex digits.
    static func written(_ bytes: UnsafeBufferPointer<UInt8>) -> UInt64? {
        guard bytes.count == 17, bytes[0] == UInt8(ascii: "=") else { return nil }
        var hash: UInt64 = 0
        for place in 1..<17 {
            let digit = bytes[place]
            if digit &- 0x30 < 10 {
                hash = hash << 4 | UInt64(digit &- 0x30)
            } else if digit &- 0x61 < 6 {
                hash = hash << 4 | UInt64(digit &- 0x61 &+ 10)
            } else {
                return nil
            }
        }
        return hash
    }

    /// FNV-1a of a folded name.
    private static func of(_ key: UnsafeBufferPointer<UInt8>) -> UInt64 {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in key { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        return hash
    }

    /// The hash of a name as a definition writes it. A plain name folds byte by byte.
    static func ofName(_ name: UnsafeBufferPointer<UInt8>) -> UInt64 {
        guard HeaderName.isPlain(name) else {
            var key = HeaderName(String(decoding: name, as: UTF8.self)).key
            return key.withUTF8 { of($0) }
        }
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in name { hash = (hash ^ UInt64(asciiLower(byte))) &* 0x100_0000_01B3 }
        return hash
    }
}
