extension Schema {
    /// The texts of an object's members by column name, as ``decode(_:)`` takes them; `null` is left out.
    ///
    /// Numbers keep their digits; an exponent, which JSON allows and cells do not, is written out.
    ///
    /// - Throws: ``RowError`` for what is no object, and for a value that no cell can be.
    public func rawRow(of node: JSONNode) throws(RowError) -> [String: String] {
        guard case .object(let members) = node.kind else { throw RowError(.valueInvalid, column: "", value: "") }
        var row: [String: String] = [:]
        for member in members {
            row[member.name] = try text(of: member.value, in: column(member.name), named: member.name)
        }
        return row
    }

    /// Types the values of an object; members that the schema does not have are passed over.
    ///
    /// - Throws: ``RowError``, the first thing that is wrong.
    public func decode(_ node: JSONNode) throws(RowError) -> [String: AllocValue] {
        try decode(try rawRow(of: node))
    }

    private func text(of node: JSONNode, in column: Column?, named name: String) throws(RowError) -> String? {
        switch node.kind {
        case .null: return nil
        case .string(let text): return text
        case .number(let token):
            // In a text column a bare number is an id such as 123; its digits are its text.
            if column?.type == .string || !token.utf8.contains(where: { $0 | 0x20 == 0x65 }) { return token }
            return ExactDecimal(jsonNumber: token)?.description ?? token
        case .bool(let flag):
            if column?.type == .string { throw RowError(.valueInvalid, column: name, value: flag ? "true" : "false") }
            return flag ? "true" : "false"
        case .array, .object:
            if column == nil { return nil }
            throw RowError(.valueInvalid, column: name, value: "")
        }
    }
}

extension AllocRow {
    /// Appends the row as a JSON object, in column order.
    public func appendJSON(to bytes: inout [UInt8]) {
        let table = Self.table
        for index in table.getters.indices {
            bytes.append(contentsOf: table.jsonHeads[index])
            JSONWriter.append(table.getters[index](self), to: &bytes)
        }
        bytes.append(0x7D)
    }

    /// Reads a row from a JSON object.
    ///
    /// - Throws: ``RowError``, the first thing that is wrong.
    public init(json node: JSONNode) throws(RowError) {
        try self.init(from: try Self.schema.decode(node))
    }
}
