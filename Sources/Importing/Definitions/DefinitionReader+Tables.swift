import NearWords
import OpenAlloc
import StrictYAML

extension DefinitionReader {
    static let tableKeys = [
        "name", "parts", "section", "columns", "require", "forbid", "known", "fill", "rows", "repair", "extract", "set",
        "actions",
        "kind",
        "amounts", "units", "costs", "paid", "priceUnit", "multiplier", "reverse", "priceUnits", "security",
        "continuation",
        "group", "lookup", "provides", "schema", "emit", "short", "numbers", "dates", "captures",
        "covers", "points", "anywhere",
    ]

    mutating func table(_ node: YAMLNode) throws(YAMLError) -> TableDefinition {
        let map = try node.mapping(allowed: Self.tableKeys)
        if let parts = map["parts"] {
            throw parts.wrongValue("no parts are there", hint: "add the part's file to the folder of the definition")
        }
        var table = TableDefinition()
        table.name = try map.string("name") ?? "table"
        table.sections = Set(try map.stringList("section").map { foldedWordBytes($0) })
        for entry in try map.required("columns").mapping().entries {
            table.columns.append(try column(entry))
        }
        table.required = try slots(map["require"])
        guard !table.required.isEmpty || definition.layout != nil else {
            throw (map["columns"] ?? node).wrongValue(
                "the table ‘\(table.name)’ requires no column", hint: "add ‘require: […]’")
        }
        for slot in table.required where !table.columns.contains(where: { $0.slot == slot }) {
            let name = definition.variables.names[slot]
            throw (map["require"] ?? node).wrongValue(
                "‘\(name)’ is required but is no column of the table", hint: hint(forRequired: name, table))
        }
        table.forbidden = try map.stringList("forbid").map { HeaderName($0).key }
        if let node = map["known"] { table.known = try headerPatterns(node) }
        table.fill = try slots(map["fill"])
        table.numbers = try numberStyle(map["numbers"])
        table.points = try slots(map["points"])
        if map["dates"] != nil { table.dates = try datePatterns(map["dates"]) }
        table.allowsShortRows = try map.bool("short") ?? false
        if let node = map["covers"] {
            table.covers =
                Record.Coverage(rawValue: try node.word(of: Record.Coverage.allCases.map(\.rawValue))) ?? .account
        }
        signSlots = try signSlots(map)
        table.defaults = try recordRules(map, reversal: signSlots == nil ? nil : false)
        for node in try map["repair"]?.sequence() ?? [] { table.repairs.append(try repair(node)) }
        for node in try map["extract"]?.sequence() ?? [] { table.extracts.append(try extract(node)) }
        table.sets = try assignments(map["set"])
        for node in try map["rows"]?.sequence() ?? [] { table.rows += withReversal(try rowRule(node)) }
        if let node = map["actions"] { table.actions = try actions(node) }
        if let kind = try map.enum("kind", of: RecordKind.self) {
            table.always = ActionRule(records: [RecordRule(kind: kind)])
        }
        for node in try map["priceUnits"]?.sequence() ?? [] { table.priceUnits.append(try priceUnitRule(node)) }
        table.securitySlots =
            map["security"] == nil
            ? ["symbol", "isin", "cusip"].map { definition.variables.slot($0) } : try slots(map["security"])
        if let node = map["continuation"] {
            let entries = try node.mapping()
            table.joined = try slots(entries["join"])
            let rest = YAMLNode(.mapping(entries.entries.filter { $0.key != "join" }), at: node.mark)
            table.continuation = try condition(rest)
        }
        if let node = map["group"] { table.group = try group(node) }
        if let node = map["lookup"] {
            let lookup = try node.mapping(allowed: ["from", "by"])
            table.lookup = LookupRule(
                table: try lookup.required("from").string(),
                by: definition.variables.slot(try lookup.required("by").string()))
        }
        if let node = map["provides"] {
            let provides = try node.mapping(allowed: ["key", "values"])
            table.provides = ProvideRule(
                key: definition.variables.slot(try provides.required("key").string()),
                values: try slots(provides["values"]))
        }
        for entry in try map["anywhere"]?.mapping().entries ?? [] {
            let slot = definition.variables.slot(entry.key)
            table.anywhere.append((slot: slot, condition: try condition(entry.value)))
        }
        if let node = map["captures"] { table.captures = try captures(node) }
        try emission(map, &table)
        return table
    }

    /// Required are variables; who names a header there means the variable that it belongs to.
    private func hint(forRequired name: String, _ table: TableDefinition) -> String {
        let header = HeaderName(name).key
        let meant = table.columns.first { column in
            if case .names(let names) = column.place { names.contains { $0.text == header } } else { false }
        }
        if let meant { return "it is the header of ‘\(definition.variables.names[meant.slot])’: write that instead" }
        let names = table.columns.map { definition.variables.names[$0.slot] }
        if let near = NearWords.nearest(to: name, among: names) { return "did you mean ‘\(near)’?" }
        return "add it under ‘columns:’"
    }

    private mutating func captures(_ node: YAMLNode) throws(YAMLError) -> CaptureRule {
        let map = try node.mapping(allowed: ["from", "to", "keys"])
        var keys = WordTable<Int>()
        for entry in try map.required("keys").mapping().entries {
            keys.updateValue(
                definition.variables.slot(try entry.value.string()), forKey: foldedWordBytes(entry.key))
        }
        return CaptureRule(
            from: definition.variables.slot(try map.required("from").string()),
            to: definition.variables.slot(try map.required("to").string()), keys: keys)
    }

    private mutating func emission(_ map: YAMLMapping, _ table: inout TableDefinition) throws(YAMLError) {
        if let node = map["schema"] {
            table.emit.append(try rowEmission(schema: try node.enum(of: SchemaID.self), set: nil))
        }
        guard let node = map["emit"] else { return }
        if case .scalar(let word, _) = node.value, word == "none" {
            table.emitsNothing = true
            return
        }
        for item in try node.sequence() {
            let entry = try item.mapping(allowed: ["schema", "set", "when", "once"])
            var row = try rowEmission(schema: try entry.required("schema").enum(of: SchemaID.self), set: entry["set"])
            if let when = entry["when"] { row.condition = try condition(when) }
            row.isOnce = try entry.bool("once") ?? false
            table.emit.append(row)
        }
    }

    private mutating func rowEmission(schema: SchemaID, set: YAMLNode?) throws(YAMLError) -> RowEmission {
        var given: [String: Expression] = [:]
        for entry in try set?.mapping().entries ?? [] {
            guard schema.schema.columns.contains(where: { $0.name == entry.key }) else {
                throw entry.value.wrongValue(
                    "\(schema.rawValue) has no column ‘\(entry.key)’",
                    hint: "its columns are \(schema.schema.columns.map(\.name).joined(separator: ", "))")
            }
            given[entry.key] = try expression(entry.value)
        }
        let values = schema.schema.columns.map { column -> Expression? in
            given[column.name] ?? .variable(definition.variables.slot(column.name))
        }
        return RowEmission(schema: schema, values: values)
    }

    private mutating func column(_ entry: YAMLEntry) throws(YAMLError) -> ColumnDefinition {
        let slot = definition.variables.slot(entry.key)
        guard case .mapping = entry.value.value else {
            let title = try entry.value.oneOrMany().first?.string() ?? ""
            return ColumnDefinition(slot: slot, place: .names(try headerPatterns(entry.value)), title: title)
        }
        let map = try entry.value.mapping(allowed: ["names", "nth", "after", "column", "currency"])
        var place: ColumnDefinition.Place
        if let after = try map.string("after") {
            place = .after(definition.variables.slot(after))
        } else if let position = try map.int("column", in: 1...4096) {
            place = .position(position - 1)
        } else {
            place = .names(try headerPatterns(try map.required("names")))
        }
        var column = ColumnDefinition(slot: slot, place: place)
        column.title = try map["names"]?.oneOrMany().first?.string() ?? ""
        column.occurrence = try map.int("nth", in: 1...64) ?? 1
        if let currency = try map.string("currency") { column.currencySlot = definition.variables.slot(currency) }
        return column
    }

    mutating func headerPatterns(_ node: YAMLNode) throws(YAMLError) -> [HeaderPattern] {
        var patterns: [HeaderPattern] = []
        for item in try node.oneOrMany() {
            let text = try item.string()
            let isTemplate = text.utf8.contains(UInt8(ascii: "{"))
            patterns.append(isTemplate ? .template(try template(text, at: item)) : .name(HeaderName(text)))
        }
        return patterns
    }

    mutating func slots(_ node: YAMLNode?) throws(YAMLError) -> [Int] {
        try node?.stringList().map { definition.variables.slot($0) } ?? []
    }

    private mutating func repair(_ node: YAMLNode) throws(YAMLError) -> RepairRule {
        let map = try node.mapping(allowed: ["when", "set"])
        return RepairRule(
            condition: try condition(try map.required("when")), sets: try assignments(try map.required("set")))
    }

    private mutating func extract(_ node: YAMLNode) throws(YAMLError) -> ExtractRule {
        let map = try node.mapping(allowed: ["from", "patterns", "when", "if"])
        var rule = ExtractRule(from: definition.variables.slot(try map.required("from").string()), patterns: [])
        for pattern in try map.required("patterns").oneOrMany() { rule.patterns.append(try template(pattern)) }
        if let when = map["when"] { rule.condition = try condition(when) }
        if let only = map["if"] {
            _ = try only.word(of: ["(blank)"])
            rule.onlyBlank = true
        }
        return rule
    }

    private mutating func priceUnitRule(_ node: YAMLNode) throws(YAMLError) -> PriceUnitRule {
        let map = try node.mapping(allowed: ["when", "unit", "multiplier", "currency"])
        return PriceUnitRule(
            condition: try condition(try map.required("when")), unit: try map.required("unit").enum(of: PriceUnit.self),
            multiplier: try decimal(map["multiplier"]).map { Boxed($0) }, currency: try map.string("currency"))
    }

    private mutating func group(_ node: YAMLNode) throws(YAMLError) -> GroupRule {
        let map = try node.mapping(allowed: ["by", "lead", "fold", "alone"])
        var leaders: Set<RecordKind> = []
        for item in try map.required("lead").oneOrMany() { leaders.insert(try item.enum(of: RecordKind.self)) }
        var folds: [RecordKind: Record.Number] = [:]
        for entry in try map.required("fold").mapping().entries {
            guard let kind = RecordKind(rawValue: entry.key) else {
                throw entry.value.wrongValue(
                    "‘\(entry.key)’ is no record kind", hint: "see section 4 of the language reference")
            }
            let word = try entry.value.word(of: ["commission", "fees", "tax", "accrued", "amount"])
            folds[kind] = RecordField.numbers[word]
        }
        var rule = GroupRule(by: try slots(try map.required("by")), leaders: leaders, folds: folds)
        for entry in try map["alone"]?.mapping().entries ?? [] {
            guard let kind = RecordKind(rawValue: entry.key) else {
                throw entry.value.wrongValue(
                    "‘\(entry.key)’ is no record kind", hint: "see section 4 of the language reference")
            }
            rule.alone[kind] = try entry.value.enum(of: RecordKind.self)
        }
        return rule
    }

    func decimal(_ node: YAMLNode?) throws(YAMLError) -> ExactDecimal? {
        guard let node else { return nil }
        let text = try node.string()
        guard let value = ExactDecimal(exactly: text) else {
            throw node.wrongValue("‘\(text)’ is no number", hint: "write digits only, for example 100")
        }
        return value
    }
}
