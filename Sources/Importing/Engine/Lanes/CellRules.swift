import Delimited

/// What a table's rules do with cells whose words do not make the class of a row: numbers and dates. Rows whose cells
/// say more than a number or a date go by the rules, where a rule would read it.
struct CellRules {
    /// Variables whose words are held against others, in their own or in another variable.
    let readNumbers: SlotSet
    /// Variables that rules set.
    let assigned: SlotSet
    /// What is cut out of dates.
    private let extracts: [Extract]
    /// Which variable's value may come from which.
    private let flows: [(to: Int, from: Int)]

    /// A rule that cuts something out of a date.
    private struct Extract {
        let slot: Int
        let templates: [Template]
        /// Which capture of each is the date itself.
        let places: [Int]
        /// Whether nobody asks for what else it captures, nor for the date's text before.
        var isPlain: Bool
    }

    /// - Parameter isIdle: whether nothing reads a variable.
    init(_ table: TableDefinition, moments: [Int], isIdle: (Int) -> Bool) {
        var walk = Walk()
        walk.add(table)
        assigned = walk.assigned
        flows = walk.flows
        readNumbers = CellRules.sources(of: walk.matched, walk.flows)
        let read = readNumbers
        extracts = table.extracts.filter { moments.contains($0.from) }.map { rule in
            let slot = rule.from
            let isAlone =
                table.extracts.filter { $0.from == slot || $0.patterns.contains { $0.slots.contains(slot) } }.count == 1
            return Extract(
                slot: slot, templates: rule.patterns.map(\.template),
                places: rule.patterns.map { $0.slots.firstIndex(of: slot) ?? -1 },
                isPlain: isAlone && rule.condition == nil && !rule.onlyBlank && table.repairs.isEmpty
                    && !read.contains(slot)
                    && rule.patterns.allSatisfy { pattern in
                        pattern.template.needsSpace && pattern.slots.contains(slot)
                            && pattern.slots.allSatisfy { $0 == slot || isIdle($0) }
                    })
        }
    }

    /// The dates out of which rules cut something.
    var cutMoments: [Int] { extracts.map(\.slot) }

    /// The part of a date's text that is the date; nil where the text is left as it is, or a rule makes more of it.
    func date(in text: ByteView, of moment: Int) -> ByteView? {
        guard !extracts.isEmpty, text.contains(where: isSpace) else { return nil }
        var captures: [ByteView] = []
        for extract in extracts where extract.slot == moment && extract.isPlain {
            for (template, place) in zip(extract.templates, extract.places)
            where template.matches(text, captures: &captures) {
                let date = captures[place]
                return date.contains(where: isSpace) ? nil : date
            }
        }
        return nil
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
