extension AllocRow {
    /// The schema, as ``table`` declares it.
    public static var schema: Schema { table.schema }
    /// The schema's own columns, in order.
    public static var attributes: [Column] { table.schema.columns }
    /// The key.
    public var primaryKey: RowKey<Self> { RowKey(self) }
    /// The key.
    public var id: RowKey<Self> { RowKey(self) }
    /// The key of a row that says nothing.
    public static var emptyKey: RowKey<Self> { RowKey(Self()) }

    /// A row that `set` fills in: `MAsset { $0.assetID = "Bond" }`.
    public init(_ set: (inout Self) -> Void) {
        self.init()
        set(&self)
    }

    /// The values of the schema's own columns, in order.
    public var values: [AllocValue] { Self.table.getters.map { $0(self) } }

    /// Appends the text of the cell of one of the schema's own columns, by its place, without any quoting.
    ///
    /// - Precondition: `column` is a place in ``attributes``.
    public func appendCell(_ column: Int, to bytes: inout [UInt8]) {
        Self.table.getters[column](self).append(to: &bytes)
    }

    /// The values by column name; blank ones are left out.
    public var decodedRow: [String: AllocValue] {
        var row: [String: AllocValue] = [:]
        for field in Self.table.fields {
            let value = field.get(self)
            if !value.isBlank { row[field.column.name] = value }
        }
        return row
    }

    /// Makes a row of typed values; columns that the schema does not have are passed over.
    ///
    /// - Throws: ``RowError`` when a required value is missing or a value has the wrong type.
    public init(from row: [String: AllocValue]) throws(RowError) {
        self.init()
        for field in Self.table.fields {
            let value = row[field.column.name] ?? .null
            do throws(RowCode) {
                try field.column.check(value)
            } catch {
                throw RowError(error, column: field.column.name, value: value.text)
            }
        }
        try update(from: row)
    }

    /// Takes over every value that `row` has; what it leaves out or blank stays as it is.
    ///
    /// - Throws: ``RowError`` when a value has the wrong type; nothing is changed then.
    public mutating func update(from row: [String: AllocValue]) throws(RowError) {
        var copy = self
        for field in Self.table.fields {
            guard let value = row[field.column.name], !value.isBlank else { continue }
            if !field.set(&copy, value) { throw RowError(.valueInvalid, column: field.column.name, value: value.text) }
        }
        self = copy
    }

    /// The key of typed values.
    ///
    /// - Throws: ``RowError`` when a value has the wrong type.
    public static func getPrimaryKey(_ row: [String: AllocValue]) throws(RowError) -> RowKey<Self> {
        try RowKey(row)
    }

    /// Types the values of rows of text: the schema's own columns and the extended ones.
    ///
    /// Rows that cannot be are added to `rejectedRows`, each with the first thing that is wrong with it.
    public static func decode(_ rawRows: [[String: String]], rejectedRows: inout [RejectedRow]) -> [[String:
        AllocValue]]
    {
        schema.decode(rawRows, rejectedRows: &rejectedRows)
    }
}

extension Schema {
    /// Types the values of one row of text; columns that the schema does not have are passed over.
    ///
    /// - Throws: ``RowError``, the first thing that is wrong in column order.
    public func decode(_ rawRow: [String: String]) throws(RowError) -> [String: AllocValue] {
        var row: [String: AllocValue] = [:]
        for column in allColumns {
            let text = rawRow[column.name] ?? ""
            do throws(RowCode) {
                let value = try column.parse(text)
                if !value.isBlank { row[column.name] = value }
            } catch {
                throw RowError(error, column: column.name, value: text)
            }
        }
        return row
    }

    /// Types the values of rows of text; those that cannot be are added to `rejectedRows`.
    public func decode(_ rawRows: [[String: String]], rejectedRows: inout [RejectedRow]) -> [[String: AllocValue]] {
        var rows: [[String: AllocValue]] = []
        rows.reserveCapacity(rawRows.count)
        for (index, rawRow) in rawRows.enumerated() {
            do throws(RowError) {
                rows.append(try decode(rawRow))
            } catch {
                rejectedRows.append(RejectedRow(rawRow: rawRow, index: index, error: error))
            }
        }
        return rows
    }
}
