import Importing
import OpenAlloc

/// The tables of a run that are held back until all inputs are read, but holdings.
struct StoredTables {
    private let isExtended: Bool
    private var tables: [SchemaID: StoredTable] = [:]
    /// The ones that every position has a row of, and another one that the last row was of.
    private var securities: StoredTable?
    private var accounts: StoredTable?
    private var last: StoredTable?

    init(isExtended: Bool) { self.isExtended = isExtended }

    /// A table that has rows.
    subscript(_ schema: SchemaID) -> StoredTable? { tables[schema] }

    /// A table for rows.
    @inline(__always)
    mutating func table(_ schema: SchemaID) -> StoredTable {
        if schema == .security, let securities { return securities }
        if schema == .account, let accounts { return accounts }
        if let last, last.layout.id == schema { return last }
        return other(schema)
    }

    @inline(never)
    private mutating func other(_ schema: SchemaID) -> StoredTable {
        if let known = tables[schema] {
            last = known
            return known
        }
        let table = StoredTable(schema, isExtended: isExtended)
        tables[schema] = table
        if schema == .security { securities = table }
        if schema == .account { accounts = table }
        return table
    }
}

/// The rows of a unit before it is known whether all of it stands: other rows than transactions.
struct PendingRows: ~Copyable {
    /// A row without its place among the inputs.
    struct Row {
        let schema: SchemaID
        let start: Int
        let end: Int
        let flags: RowHead.Flags
    }

    var cells = CellBuffer()
    private(set) var rows: [Row] = []
    private(set) var holdings = 0

    var count: Int { rows.count }

    mutating func removeAll() {
        cells.removeAll()
        rows.removeAll(keepingCapacity: true)
        holdings = 0
    }

    /// Says that the cells of a row stand behind those of the last one.
    mutating func finishRow(_ schema: SchemaID, _ flags: RowHead.Flags = []) {
        rows.append(Row(schema: schema, start: rows.last?.end ?? 0, end: cells.count, flags: flags))
        if schema == .holding { holdings += 1 }
    }

    func cells(of row: Row) -> Cells { cells.cells(row.start, row.end) }
}
