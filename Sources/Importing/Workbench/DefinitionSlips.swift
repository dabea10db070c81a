import NearWords
import StrictYAML

/// Slips of the pen in a definition that loads: what they say means something, and never what was meant.
struct DefinitionSlips {
    /// What is unusual, where, and what to do.
    struct Slip {
        let mark: YAMLMark
        let message: String
        let hint: String
    }

    private let definition: Definition
    private(set) var found: [Slip] = []

    /// Looks through a definition and the tree that it was read from.
    init(_ definition: Definition, _ root: YAMLNode) {
        self.definition = definition
        guard let tables = try? root.mapping()["tables"]?.sequence() else { return }
        lookForQuotes(root)
        for table in tables {
            lookForConditions(table)
            guard let map = try? table.mapping() else { continue }
            if let kind = map["kind"], map["actions"] != nil {
                add(kind.mark, "‘kind’ counts only in a table without ‘actions’", "remove one of the two")
            }
            if let actions = try? map["actions"]?.mapping() { lookForIdleRules(actions) }
        }
        lookForVariables(tables)
        found.sort { ($0.mark.line, $0.mark.column) < ($1.mark.line, $1.mark.column) }
    }

    private mutating func add(_ mark: YAMLMark, _ message: String, _ hint: String) {
        found.append(Slip(mark: mark, message: message, hint: hint))
    }

    // MARK: Variables

    /// Variables that are read and that nothing gives: they are blank in every row.
    private mutating func lookForVariables(_ tables: [YAMLNode]) {
        let variables = definition.variables
        let engine: Set<String> = [
            Variables.firstCell, Variables.wholeLine, Variables.cellCount, "exported",
        ]
        let given = Self.given(definition)
        let names = given.map { variables.names[$0] }.sorted()
        for slot in Self.read(definition).subtracting(given).sorted() {
            let name = variables.names[slot]
            guard !engine.contains(name), let mark = tables.lazy.compactMap({ Self.mark(of: name, in: $0) }).first
            else { continue }
            add(mark, "nothing gives the variable ‘\(name)’: it is blank in every row", hint(for: name, given: names))
        }
    }

    private func hint(for name: String, given: [String]) -> String {
        let key = HeaderName(name).key
        for column in definition.tables.flatMap(\.columns) {
            if case .names(let names) = column.place, names.contains(where: { $0.text == key }) {
                return "it is the header of ‘\(definition.variables.names[column.slot])’: write that instead"
            }
        }
        if let near = NearWords.nearest(to: name, among: given + RecordField.all.sorted()) {
            return given.contains(near) ? "did you mean ‘\(near)’?" : "did you mean ‘\(near)’? Then give it a column"
        }
        return "give it a column, or write a text with quotes of its own: \"'\(name)'\""
    }

    /// Where a name first stands as a key, or as a word of a value.
    private static func mark(of name: String, in node: YAMLNode) -> YAMLMark? {
        switch node.value {
        case .null: return nil
        case .scalar(let text, _): return hasWord(name, text) ? node.mark : nil
        case .sequence(let items): return items.lazy.compactMap { mark(of: name, in: $0) }.first
        case .mapping(let entries):
            for entry in entries where !["columns", "why", "name", "known", "forbid", "matches"].contains(entry.key) {
                if entry.key == name { return entry.keyMark }
                if let mark = mark(of: name, in: entry.value) { return mark }
            }
            return nil
        }
    }

    private static func hasWord(_ word: String, _ text: String) -> Bool {
        if text == word { return true }
        return text.split { !($0.isLetter || $0.isNumber || $0 == "_") }.contains { $0 == word }
    }

    // MARK: Rules

    /// Rules of a word that come after one that always holds.
    private mutating func lookForIdleRules(_ actions: YAMLMapping) {
        let words = (try? actions["words"]?.mapping().entries) ?? []
        for case .sequence(let rules) in words.map(\.value.value) + [actions["else"]?.value].compactMap({ $0 }) {
            let always = rules.firstIndex { rule in (try? rule.mapping()["when"]) == nil }
            if let always, always + 1 < rules.count {
                add(
                    rules[always + 1].mark, "this rule is never reached: the one before it holds for every row",
                    "put a ‘when’ into the one before it")
            }
        }
    }

    /// Texts of conditions that have the name of a test.
    private mutating func lookForConditions(_ node: YAMLNode) {
        switch node.value {
        case .null, .scalar: return
        case .sequence(let items): for item in items { lookForConditions(item) }
        case .mapping(let entries):
            for entry in entries {
                if entry.key == "when" { lookForBareTests(entry.value) } else { lookForConditions(entry.value) }
            }
        }
    }

    private mutating func lookForBareTests(_ node: YAMLNode) {
        switch node.value {
        case .null: return
        case .scalar(let text, .plain) where Condition.Test(rawValue: text) != nil:
            add(node.mark, "‘\(text)’ is compared as a text", "the test is ‘(\(text))’")
        case .scalar: return
        case .sequence(let items): for item in items { lookForBareTests(item) }
        case .mapping(let entries):
            for entry in entries where entry.key != "same" { lookForBareTests(entry.value) }
        }
    }

    /// Texts in the quotation marks that word processors and telephones write.
    private mutating func lookForQuotes(_ node: YAMLNode) {
        switch node.value {
        case .null: return
        case .scalar(let text, let style):
            guard style == .plain, text.count > 2, let first = text.first, let last = text.last,
                "“”„‘’«".contains(first), "“”‘’»".contains(last)
            else { return }
            add(node.mark, "the marks \(first) and \(last) are part of the text", "put it in \" or ' instead")
        case .sequence(let items): for item in items { lookForQuotes(item) }
        case .mapping(let entries): for entry in entries { lookForQuotes(entry.value) }
        }
    }
}

// MARK: - What is read and what is given

extension DefinitionSlips {
    /// The slots that rules read.
    static func read(_ definition: Definition) -> Set<Int> {
        var slots: Set<Int> = []
        for table in definition.tables {
            for condition in conditions(table) { slots.formUnion(condition.slots) }
            for assignment in assignments(table) { slots.formUnion(assignment.expression.slots) }
            slots.formUnion(table.extracts.map(\.from) + table.fill)
            slots.formUnion(table.actions?.on ?? [])
            slots.formUnion(table.group?.by ?? [])
            if let lookup = table.lookup { slots.insert(lookup.by) }
            if let provides = table.provides { slots.formUnion([provides.key] + provides.values) }
        }
        return slots
    }

    /// The slots that something of the definition fills.
    static func given(_ definition: Definition) -> Set<Int> {
        var slots: Set<Int> = []
        for bound in definition.lines.flatMap(\.patterns) + definition.files { slots.formUnion(bound.slots) }
        for table in definition.tables {
            for column in table.columns {
                slots.insert(column.slot)
                if let currency = column.currencySlot { slots.insert(currency) }
                if case .names(let list) = column.place {
                    for case .template(let bound) in list { slots.formUnion(bound.slots) }
                }
            }
            slots.formUnion(assignments(table).map(\.slot))
            slots.formUnion(table.extracts.flatMap(\.patterns).flatMap(\.slots))
            slots.formUnion(table.actions?.patterns.flatMap(\.template.slots) ?? [])
            slots.formUnion(conditions(table).flatMap(captured))
            slots.formUnion(table.captures?.keys.values.map { $0 } ?? [])
            slots.formUnion(table.provides?.values ?? [])
            slots.formUnion(table.anywhere.map(\.slot))
        }
        return slots
    }

    private static func records(_ table: TableDefinition) -> [ActionRule] {
        var rules = table.actions?.allRules ?? []
        if let always = table.always { rules.append(always) }
        for row in table.rows { if case .record(let rule) = row.verdict { rules.append(rule) } }
        return rules
    }

    private static func assignments(_ table: TableDefinition) -> [Assignment] {
        table.sets + table.rows.flatMap(\.sets) + table.repairs.flatMap(\.sets)
            + records(table).flatMap(\.records).flatMap(\.sets)
    }

    private static func conditions(_ table: TableDefinition) -> [Condition] {
        var all = table.rows.map(\.condition) + table.repairs.map(\.condition) + table.priceUnits.map(\.condition)
        all += table.extracts.compactMap(\.condition) + assignments(table).compactMap(\.condition)
        all += records(table).compactMap(\.condition) + records(table).flatMap(\.records).compactMap(\.condition)
        all += table.emit.compactMap(\.condition)
        if let continuation = table.continuation { all.append(continuation) }
        return all + table.anywhere.map(\.condition)
    }

    private static func captured(_ condition: Condition) -> [Int] {
        switch condition {
        case .all(let parts), .any(let parts): parts.flatMap(captured)
        case .not(let inner): captured(inner)
        case .matches(_, let templates): templates.flatMap(\.slots)
        default: []
        }
    }
}
