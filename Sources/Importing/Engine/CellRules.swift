import Delimited

/// What a table's rules do with cells whose words do not make the class of a row: numbers and dates. Rows whose cells
/// say more than a number or a date go by the rules, where a rule would read it.
struct CellRules {
    /// Variables whose words are held against others, in their own or in another variable.
    let readNumbers: SlotSet
    /// Variables that rules set.
    let assigned: SlotSet
    /// What is cut out of dates, by their variable.
    private let extracts: [(slot: Int, templates: [Template])]
    /// Which variable's value may come from which.
    private let flows: [(to: Int, from: Int)]

    init(_ table: TableDefinition, moments: [Int]) {
        var walk = Walk()
        walk.add(table)
        assigned = walk.assigned
        flows = walk.flows
        readNumbers = CellRules.sources(of: walk.matched, walk.flows)
        extracts = table.extracts.filter { moments.contains($0.from) }
            .map { ($0.from, $0.patterns.map(\.template)) }
    }

    /// Whether rules cut something out of a date.
    func cuts(_ moment: Int) -> Bool { extracts.contains { $0.slot == moment } }

    /// Whether a rule would cut something out of a date's text: no class knows what it would be.
    func cuts(_ text: ByteView, of moment: Int) -> Bool {
        guard !extracts.isEmpty, text.contains(where: isSpace) else { return false }
        return extracts.contains { $0.slot == moment && $0.templates.contains { $0.matches(text) } }
    }

    /// The variables from which some may have their values, those themselves among them.
    func sources(of slots: SlotSet) -> SlotSet { CellRules.sources(of: slots, flows) }

    private static func sources(of slots: SlotSet, _ flows: [(to: Int, from: Int)]) -> SlotSet {
        var found = slots
        var isGrowing = true
        while isGrowing {
            isGrowing = false
            for flow in flows where found.contains(flow.to) {
                if found.insert(flow.from) { isGrowing = true }
            }
        }
        return found
    }

    /// Collects what all rules of a table say.
    private struct Walk {
        var assigned = SlotSet()
        var matched = SlotSet()
        var flows: [(to: Int, from: Int)] = []

        mutating func add(_ table: TableDefinition) {
            for repair in table.repairs {
                add(repair.condition)
                add(repair.sets)
            }
            for extract in table.extracts {
                add(extract.condition)
                for pattern in extract.patterns { add(pattern, from: extract.from) }
            }
            add(table.sets)
            for row in table.rows {
                add(row.condition)
                add(row.sets)
                if case .record(let action) = row.verdict { add(action) }
            }
            if let actions = table.actions {
                for pattern in actions.patterns {
                    for slot in actions.on { add(pattern.template, from: slot) }
                }
                actions.forEachRule { add($0) }
            }
            if let always = table.always { add(always) }
            for rule in table.priceUnits { add(rule.condition) }
        }

        private mutating func add(_ rule: ActionRule) {
            add(rule.condition)
            for record in rule.records {
                add(record.condition)
                add(record.sets)
            }
        }

        private mutating func add(_ sets: [Assignment]) {
            for set in sets {
                add(set.condition)
                assigned.insert(set.slot)
                for slot in set.expression.slots { flows.append((set.slot, slot)) }
            }
        }

        private mutating func add(_ condition: Condition?) {
            switch condition {
            case .all(let parts), .any(let parts): for part in parts { add(part) }
            case .not(let inner): add(inner)
            case .matches(let slot, let templates):
                matched.insert(slot)
                for template in templates { add(template, from: slot) }
            case .isOneOf(let slot, _), .test(let slot, .date): matched.insert(slot)
            case .isSame(let slot, let other):
                matched.insert(slot)
                matched.insert(other)
            case .test, .lies, nil: break
            }
        }

        private mutating func add(_ template: BoundTemplate, from slot: Int) {
            for captured in template.slots {
                assigned.insert(captured)
                flows.append((captured, slot))
            }
        }
    }
}
