/// The key of a row: the values of its key columns, texts trimmed and case-folded so that ` vti` is `VTI`.
public struct RowKey<Row: AllocRow>: Hashable, Sendable {
    /// The values, in the order of the schema's key columns.
    public let values: [AllocValue]

    /// The key of a row.
    public init(_ row: Row) {
        values = Row.table.keyGetters.map { folded($0(row)) }
    }

    /// The key of typed values; those left out are blank.
    ///
    /// - Throws: ``RowError`` when a value has the wrong type.
    public init(_ row: AllocRowed.DecodedRow) throws(RowError) {
        var copy = Row()
        for field in Row.table.keyFields {
            guard let value = row[field.column.name] else { continue }
            if !field.set(&copy, value) { throw RowError(.valueInvalid, column: field.column.name, value: value.text) }
        }
        self.init(copy)
    }

    /// The folded value of a key column; `nil` when the column is not part of the key.
    public subscript(column: String) -> AllocValue? {
        Row.table.keyFields.firstIndex { $0.column.name == column }.map { values[$0] }
    }
}

private func folded(_ value: AllocValue) -> AllocValue {
    if case .string(let text) = value { return .string(foldedKeyText(text)) }
    return value
}

/// Text as keys compare it: without white space at either end, in lower case.
func foldedKeyText(_ text: String) -> String {
    if isFoldedASCII(text) { return text }
    guard let first = text.firstIndex(where: { !$0.isWhitespace }),
        let last = text.lastIndex(where: { !$0.isWhitespace })
    else { return "" }
    return text[first...last].lowercased()
}

/// Whether folding would change nothing: no capital, nothing beyond ASCII, no blank or control.
private func isFoldedASCII(_ text: String) -> Bool {
    text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && !(0x41...0x5A).contains($0) }
}
