import Importing
import OpenAlloc

/// A row that is held until all inputs are read: everything but transactions.
struct StoredRow {
    /// Values in the order of the schema's columns, ours after the model's.
    var values: [AllocValue]
    /// The input's place in row order.
    var input: Int
    var line: Int
    /// Place among the rows of one line.
    var ordinal: Int
    /// The unit that it came from, for outcomes that change when a later input supersedes it.
    var unit: Int = -1
    /// Whether it stands as the source has it (an openalloc file), so that nothing is added to it.
    var isVerbatim = false
    /// Rows of an unnamed account never merge with those of another input.
    var isAccountAssumed = false
    /// A position from a list that is whole for its security only, not for its account.
    var coversSecurityOnly = false

    /// Row order: inputs, then lines.
    static func precedes(_ left: StoredRow, _ right: StoredRow) -> Bool {
        (left.input, left.line, left.ordinal) < (right.input, right.line, right.ordinal)
    }
}

/// The rows of a reference table: each key once.
struct StoredTable {
    private(set) var rows: [StoredRow] = []
    private var places: [String: Int] = [:]
    /// How often a row that was there has changed.
    private(set) var changes = 0
    /// What a column is to a row that comes again.
    private enum Role { case key, provenance, moving, other }
    private let roles: [Role]
    private let names: [String]
    private let keyColumns: [Int]
    private let updatedAt: Int?
    private var bytes: [UInt8] = []

    init(_ id: SchemaID) {
        let schema = id.schema
        let columns = schema.allColumns
        names = columns.map(\.name)
        keyColumns = schema.columns.indices.filter { schema.columns[$0].isKey }
        updatedAt = schema.index(of: "updatedAt")
        roles = columns.map { column in
            switch column.name {
            case "sourceMetaID", "sourceLine", "rowID": .provenance
            case _ where column.isKey: .key
            // A newer row may change them without contradicting an older one: prices move.
            case "sharePrice", "updatedAt", "description": .moving
            default: .other
            }
        }
    }

    /// Makes room for so many more rows.
    mutating func reserveCapacity(_ count: Int) {
        rows.reserveCapacity(rows.count + count)
        places.reserveCapacity(rows.count + count)
    }

    /// What came of a row.
    enum Result {
        case added
        /// It says nothing new.
        case merged
        /// It says something else about a key that is there: the newer value stands.
        case conflict(column: String, old: String, new: String, isSameInput: Bool)
    }

    /// Takes a row. Rows come in the order of the inputs, so that a later one is the newer one.
    mutating func take(_ row: StoredRow) -> Result {
        let key = key(of: row)
        guard let place = places[key] else {
            places[key] = rows.count
            rows.append(row)
            return .added
        }
        return merge(row, into: place)
    }

    private mutating func merge(_ row: StoredRow, into place: Int) -> Result {
        var result = Result.merged
        var isNewer = false
        let old = rows[place]
        for index in row.values.indices.prefix(roles.count)
        where roles[index] != .provenance && !row.values[index].isBlank {
            if index >= old.values.count || old.values[index].isBlank {
                set(row.values[index], at: index, of: place)
            } else if roles[index] != .key, old.values[index] != row.values[index] {
                if roles[index] == .moving, isStale(row, old) { continue }
                set(row.values[index], at: index, of: place)
                isNewer = true
                if case .merged = result, roles[index] != .moving {
                    result = .conflict(
                        column: names[index], old: old.values[index].text,
                        new: row.values[index].text, isSameInput: old.input == row.input)
                }
            }
        }
        if isNewer { takeProvenance(of: row, place) }
        return result
    }

    /// Rows that importers make end with the last column that they know; openalloc's own tables have all.
    private mutating func set(_ value: AllocValue, at index: Int, of place: Int) {
        changes += 1
        while rows[place].values.count <= index { rows[place].values.append(.null) }
        rows[place].values[index] = value
    }

    /// A price that is older than the one that is there stays out.
    private func isStale(_ new: StoredRow, _ old: StoredRow) -> Bool {
        guard let index = updatedAt, index < new.values.count, index < old.values.count,
            case .date(let newer) = new.values[index], case .date(let older) = old.values[index]
        else { return false }
        return newer < older
    }

    private mutating func takeProvenance(of row: StoredRow, _ place: Int) {
        for index in row.values.indices.prefix(roles.count) where roles[index] == .provenance {
            set(row.values[index], at: index, of: place)
        }
        rows[place].input = row.input
        rows[place].line = row.line
        rows[place].ordinal = row.ordinal
    }

    /// The key columns, trimmed and case-folded, as the model compares them.
    private mutating func key(of row: StoredRow) -> String {
        bytes.removeAll(keepingCapacity: true)
        for index in keyColumns {
            StoredTable.append(folded: index < row.values.count ? row.values[index] : .null, to: &bytes)
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Appends a key text, trimmed and case-folded, and what parts it from the next.
    static func append(folded value: AllocValue, to bytes: inout [UInt8]) {
        let start = bytes.count
        value.append(to: &bytes)
        if bytes[start...].allSatisfy({ $0 < 0x80 }) {
            while bytes.count > start, isSpace(bytes[bytes.count - 1]) { bytes.removeLast() }
            var first = start
            while first < bytes.count, isSpace(bytes[first]) { first += 1 }
            bytes.removeSubrange(start..<first)
            for index in start..<bytes.count where bytes[index] &- 0x41 < 26 { bytes[index] |= 0x20 }
        } else {
            bytes.removeSubrange(start...)
            bytes.append(contentsOf: foldedUnicode(value.text).utf8)
        }
        bytes.append(0x1F)
    }

    /// A key text, trimmed and case-folded.
    static func folded(_ text: String) -> String {
        var text = text
        return text.withUTF8 { foldedASCII($0) } ?? foldedUnicode(text)
    }

    /// The same of a text of ASCII; nil for others.
    private static func foldedASCII(_ bytes: UnsafeBufferPointer<UInt8>) -> String? {
        var end = bytes.count
        while end > 0, isSpace(bytes[end - 1]) { end -= 1 }
        var start = 0
        while start < end, isSpace(bytes[start]) { start += 1 }
        guard bytes.allSatisfy({ $0 < 0x80 }) else { return nil }
        return String(unsafeUninitializedCapacity: end - start) { target in
            for index in start..<end {
                let byte = bytes[index]
                target[index - start] = byte &- 0x41 < 26 ? byte | 0x20 : byte
            }
            return end - start
        }
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte &- 0x09 < 5 }

    private static func foldedUnicode(_ text: String) -> String {
        var slice = text[...]
        while slice.first?.isWhitespace == true { slice.removeFirst() }
        while slice.last?.isWhitespace == true { slice.removeLast() }
        return slice.lowercased()
    }
}
