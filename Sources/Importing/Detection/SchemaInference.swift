import OpenAlloc

/// Which schemas a definition can fill.
enum SchemaInference {
    static func schemas(of definition: Definition) -> [SchemaID] {
        var found = Found()
        for table in definition.tables where definition.refusal == nil {
            for emission in table.emit { found.insert(emission.schema) }
            forEachRecord(of: table) { record in
                switch record.kind.shape {
                case .position: found.hasPosition = true
                case .security: found.insert(.security)
                case .account: found.insert(.account)
                default: found.hasTransaction = true
                }
            }
        }
        return found.schemas
    }

    /// Schemas that rules name one by one, and those that come with positions and transactions.
    private struct Found {
        var hasPosition = false
        var hasTransaction = false
        private var others: [SchemaID] = []

        mutating func insert(_ schema: SchemaID) {
            if !others.contains(schema) { others.append(schema) }
        }

        /// In the order of the schemas.
        var schemas: [SchemaID] {
            if !hasPosition, !hasTransaction, others.isEmpty { return [] }
            return SchemaID.allCases.filter { schema in
                switch schema {
                case .account: hasPosition || hasTransaction || others.contains(schema)
                case .holding, .security: hasPosition || others.contains(schema)
                case .transaction: hasTransaction || others.contains(schema)
                case .metaSource: true
                default: others.contains(schema)
                }
            }
        }
    }

    /// Whether a row of a definition may become a closed lot.
    static func yieldsClosedLots(_ definition: Definition) -> Bool {
        definition.tables.contains { table in
            var yields = false
            forEachRecord(of: table) { yields = yields || $0.kind == .closedLot }
            return yields
        }
    }

    /// All that a table's rows may become.
    private static func forEachRecord(of table: TableDefinition, _ body: (RecordRule) -> Void) {
        for record in table.always?.records ?? [] { body(record) }
        table.actions?.forEachRule { for record in $0.records { body(record) } }
        for row in table.rows {
            if case .record(let rule) = row.verdict { for record in rule.records { body(record) } }
        }
    }
}
