import OpenAlloc

/// Which columns of a schema stored rows have as cells, and where the others come from.
struct TableLayout {
    /// Where a column of the output comes from.
    enum Source {
        case cell
        /// The row's id.
        case rowID
        /// What names its input.
        case metaID
        case line
    }

    /// What a column is to a row that comes again.
    enum Role {
        case key
        /// It goes with the row that says the newest.
        case provenance
        /// A newer row may change it without contradicting an older one: prices move.
        case moving
        case other
    }

    let id: SchemaID
    /// All columns that rows which stand as they are have.
    private let sources: [Source]
    /// The columns of the output, in order.
    let columns: [(column: Column, source: Source)]
    /// The columns of the cells.
    let names: [String]
    let roles: [Role]
    /// The cell that says when the moving ones were true.
    let updatedAt: Int?
    /// The cell behind the columns in which a holding may say of which day it is.
    var pricedAt: Int { names.count }
    /// How many cells from the first on hold all keys.
    let keyEnd: Int

    /// - Parameter isExtended: whether the output has our own columns. Holdings have no cells for them otherwise; what is
    ///   merged has, as contradictions in them are told of.
    init(_ id: SchemaID, isExtended: Bool) {
        self.id = id
        let schema = id.schema
        let all = schema.allColumns
        sources = all.map { TableLayout.source($0.name, id) }
        let output = isExtended ? all.count : schema.columns.count
        columns = Array(zip(all, sources).prefix(output).map { (column: $0, source: $1) })
        let stored = zip(all, sources).prefix(id == .holding ? output : all.count).filter { $0.1 == .cell }.map(\.0)
        names = stored.map(\.name)
        roles = stored.map(TableLayout.role)
        updatedAt = names.firstIndex(of: "updatedAt")
        let keys = Set(schema.keyColumns.map(\.name))
        keyEnd = (names.lastIndex(where: keys.contains) ?? -1) + 1
        isKey = names.map(keys.contains)
    }

    /// Of each cell, whether it is part of the key.
    let isKey: [Bool]

    private static func source(_ name: String, _ id: SchemaID) -> Source {
        switch name {
        case _ where id == .metaSource: .cell
        case "sourceMetaID": .metaID
        case "sourceLine": .line
        case "rowID": .rowID
        default: .cell
        }
    }

    private static func role(_ column: Column) -> Role {
        switch column.name {
        case "sourceMetaID": .provenance
        case _ where column.isKey: .key
        case "sharePrice", "updatedAt", "description": .moving
        default: .other
        }
    }

    /// Appends the cells of a row that stands as it is.
    func append(_ values: [AllocValue], to cells: inout CellBuffer) {
        var left = names.count
        for (index, source) in sources.enumerated() where source == .cell && left > 0 {
            cells.value(index < values.count ? values[index] : .null)
            left -= 1
        }
    }
}
