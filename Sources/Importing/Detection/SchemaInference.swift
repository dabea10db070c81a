import OpenAlloc

/// Which schemas a definition can fill.
enum SchemaInference {
    static func schemas(of definition: Definition) -> [SchemaID] {
        var found: Set<SchemaID> = []
        for table in definition.tables where definition.refusal == nil {
            for emission in table.emit { found.insert(emission.schema) }
            for record in records(of: table) {
                switch record.kind.shape {
                case .position: found.formUnion([.account, .holding, .security])
                case .security: found.insert(.security)
                case .account: found.insert(.account)
                default: found.formUnion([.account, .transaction])
                }
            }
        }
        if !found.isEmpty { found.insert(.metaSource) }
        return SchemaID.allCases.filter { found.contains($0) }
    }

    /// Whether a row of a definition may become a closed lot.
    static func yieldsClosedLots(_ definition: Definition) -> Bool {
        definition.tables.contains { records(of: $0).contains { $0.kind == .closedLot } }
    }

    /// All that a table's rows may become.
    private static func records(of table: TableDefinition) -> [RecordRule] {
        var rules: [ActionRule] = []
        if let always = table.always { rules.append(always) }
        if let actions = table.actions { rules += actions.allRules }
        for row in table.rows { if case .record(let rule) = row.verdict { rules.append(rule) } }
        return rules.flatMap(\.records)
    }
}
