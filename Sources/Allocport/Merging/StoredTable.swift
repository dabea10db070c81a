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
    let schema: Schema
    private(set) var rows: [StoredRow] = []
    private var places: [String: Int] = [:]
    /// How often a row that was there has changed.
    private(set) var changes = 0
    /// Columns that a newer row may change without contradicting an older one: prices move.
    private let moving: Set<Int>
    private let provenance: Set<Int>

    init(_ id: SchemaID) {
        schema = id.schema
        moving = Set(["sharePrice", "updatedAt", "description"].compactMap { [schema] in schema.index(of: $0) })
        provenance = Set(["sourceMetaID", "sourceLine", "rowID"].compactMap { [schema] in schema.index(of: $0) })
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
        let key = StoredTable.key(of: row, schema)
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
        for index in row.values.indices where !provenance.contains(index) && !row.values[index].isBlank {
            if index >= old.values.count || old.values[index].isBlank {
                set(row.values[index], at: index, of: place)
            } else if old.values[index] != row.values[index], !schema.allColumns[index].isKey {
                if moving.contains(index), isStale(row, old) { continue }
                set(row.values[index], at: index, of: place)
                isNewer = true
                if case .merged = result, !moving.contains(index) {
                    result = .conflict(
                        column: schema.allColumns[index].name, old: old.values[index].text,
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
        guard let index = schema.index(of: "updatedAt"), index < new.values.count, index < old.values.count,
            case .date(let newer) = new.values[index], case .date(let older) = old.values[index]
        else { return false }
        return newer < older
    }

    private mutating func takeProvenance(of row: StoredRow, _ place: Int) {
        for index in provenance where index < row.values.count { set(row.values[index], at: index, of: place) }
        rows[place].input = row.input
        rows[place].line = row.line
        rows[place].ordinal = row.ordinal
    }

    /// The key columns, trimmed and case-folded, as the model compares them.
    static func key(of row: StoredRow, _ schema: Schema) -> String {
        var key = ""
        for (index, column) in schema.columns.enumerated() where column.isKey {
            key += folded(index < row.values.count ? row.values[index].text : "")
            key += "\u{1F}"
        }
        return key
    }

    /// A key text, trimmed and case-folded.
    static func folded(_ text: String) -> String {
        // Of most no end is white space, or takes a look at what characters are.
        if let first = text.utf8.first, let last = text.utf8.last, 0x21..<0x7F ~= first, 0x21..<0x7F ~= last {
            return text.lowercased()
        }
        var slice = text[...]
        while slice.first?.isWhitespace == true { slice.removeFirst() }
        while slice.last?.isWhitespace == true { slice.removeLast() }
        return slice.lowercased()
    }
}
