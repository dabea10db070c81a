import OpenAlloc

/// Which schemas a definition can fill.
enum SchemaInference {
    static func schemas(of definition: Definition) -> [SchemaID] {
        var found: Set<SchemaID> = []
        for table in definition.tables where definition.refusal == nil {
            for emission in table.emit { found.insert(emission.schema) }
            var rules: [ActionRule] = []
            if let always = table.always { rules.append(always) }
            if let actions = table.actions {
                rules += actions.words.values.joined()
                rules += actions.patterns.flatMap(\.rules)
                rules += actions.otherwise
            }
            for row in table.rows { if case .record(let rule) = row.verdict { rules.append(rule) } }
            for record in rules.flatMap(\.records) {
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
}
