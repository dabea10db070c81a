import OpenAlloc

/// Which schemas a definition can fill.
enum SchemaInference {
    static func schemas(of definition: Definition) -> [SchemaID] {
        var found: [SchemaID] = []
        for table in definition.tables where definition.refusal == nil {
            for emission in table.emit { found.append(emission.schema) }
            forEachRecord(of: table) { record in
                switch record.kind.shape {
                case .position: found += [.account, .holding, .security]
                case .security: found.append(.security)
                case .account: found.append(.account)
                default: found += [.account, .transaction]
                }
            }
        }
        if !found.isEmpty { found.append(.metaSource) }
        return SchemaID.allCases.filter { found.contains($0) }
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
