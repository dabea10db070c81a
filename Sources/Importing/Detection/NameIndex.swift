import Delimited

/// What the build wrote of a definition (`DefinitionIndex.swift` in Sources/embed-definitions says how): its aliases,
/// the lines of which one must be there, and the names of required columns, hashed, for every input is held against
/// every definition. Nothing of it is read before it is asked for.
struct NameIndex: Sendable {
    private let index: StaticString

    init(_ index: StaticString) { self.index = index }

    /// Whether the importer reads only what no other fits.
    var isFallback: Bool {
        index.withUTF8Buffer { bytes in
            var cursor = IndexCursor(bytes)
            return cursor.number() == 1
        }
    }

    /// Other ids of the importer.
    var aliases: [String] {
        index.withUTF8Buffer { bytes in
            var cursor = IndexCursor(bytes)
            _ = cursor.number()
            return cursor.texts()
        }
    }

    /// Patterns of lines of which one must be there.
    var lines: [String] {
        index.withUTF8Buffer { bytes in
            var cursor = IndexCursor(bytes)
            _ = cursor.number()
            cursor.skipTexts()
            return cursor.texts()
        }
    }

    /// Where lines say what they are: 0-based columns of section and kind, and the words, folded, of headers; nil when
    /// they do not.
    var layout: (section: Int, kind: Int, words: [[UInt8]])? {
        index.withUTF8Buffer { bytes in
            var cursor = IndexCursor(bytes)
            _ = cursor.number()
            cursor.skipTexts()
            cursor.skipTexts()
            let section = cursor.number()
            guard section > 0 else { return nil }
            let kind = cursor.number()
            return (section - 1, kind - 1, cursor.texts().map { foldedWordBytes($0) })
        }
    }

    /// Whether one of the headers has all required names of a table.
    func mayFit(_ names: HeaderNames) -> Bool {
        overTables { cursor, _ in
            let count = cursor.number()
            var fitting = names.all
            for _ in 0..<count { fitting.formIntersection(cursor.takeColumn(names)) }
            return !fitting.isEmpty
        }
    }

    /// How much of what a table requires a header has, of the header and the table of which that is the largest share;
    /// nil when no header has anything.
    func nearest(_ names: HeaderNames) -> (missing: Int, required: Int, table: Int, header: Int)? {
        // Of each header its nearest table.
        var nearest: [(missing: Int, required: Int, table: Int)?] = []
        _ = overTables { cursor, place in
            let count = cursor.number()
            // How many of the columns each of the first headers has.
            var found = InlineArray<20, UInt16>(repeating: 0)
            var some: UInt64 = 0
            for _ in 0..<count {
                var rest = cursor.takeColumn(names).low & names.near
                some |= rest
                while rest != 0 {
                    found[rest.trailingZeroBitCount] += 1
                    rest &= rest - 1
                }
            }
            while some != 0 {
                let header = some.trailingZeroBitCount
                some &= some - 1
                let missing = count - Int(found[header])
                while nearest.count <= header { nearest.append(nil) }
                if let best = nearest[header], best.missing * count <= missing * best.required { continue }
                nearest[header] = (missing, count, place)
            }
            return false
        }
        var best: (missing: Int, required: Int, table: Int, header: Int)?
        for (header, found) in nearest.enumerated() {
            guard let found else { continue }
            if let best, best.missing * found.required <= found.missing * best.required { continue }
            best = (found.missing, found.required, found.table, header)
        }
        return best
    }

    /// The names of a table's columns that a header lacks.
    func missing(_ names: HeaderNames, header: Int, table: Int) -> [String] {
        var missing: [String] = []
        _ = overTables { cursor, place in
            for _ in 0..<cursor.number() {
                var column = cursor
                if !cursor.takeColumn(names).contains(header), place == table {
                    missing.append(column.text())
                }
            }
            return place == table
        }
        return missing
    }

    /// Walks the tables until one is what `body` looks for; the cursor stands at its columns, and `body` leaves it
    /// behind them.
    @inline(__always)
    private func overTables(_ body: (inout IndexCursor, Int) -> Bool) -> Bool {
        index.withUTF8Buffer { bytes in
            var cursor = IndexCursor(bytes)
            _ = cursor.number()
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

    /// Which headers have one of the names of the column that stands here; goes behind it.
    @inline(__always)
    mutating func takeColumn(_ names: HeaderNames) -> HeaderNames.Mask {
        place += number()
        var mask = HeaderNames.Mask()
        for _ in 0..<number() {
            let length = number()
            if length > 0 {
                mask.formUnion(names.mask(ofName: bytes(length)))
            } else if bytes.count - place >= 8 {
                mask.formUnion(names.mask(of: hash()))
                place += 8
            }
        }
        return mask
    }

    @inline(__always)
    private func hash() -> UInt64 {
        var hash: UInt64 = 0
        for byte in 0..<8 { hash |= UInt64(bytes[place + byte]) << UInt64(8 * byte) }
        return hash
    }
}
