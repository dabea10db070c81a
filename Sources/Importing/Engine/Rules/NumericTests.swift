/// Variables whose cells a table's rules hold against zero or bounds.
///
/// A cell of theirs that is no number would pass every such test as false, and the row would become something else
/// without a word: it is rejected. Where a rule asks whether the cell is a number at all, the definition knows better.
struct NumericTests {
    let all: [Int]
    /// Those whose cells must be numbers as they stand.
    let cells: [Int]

    static func of(_ table: TableDefinition) -> NumericTests {
        var tested = SlotSet()
        var mayBeText = SlotSet()
        func add(_ condition: Condition?) {
            switch condition {
            case .all(let parts), .any(let parts): for part in parts { add(part) }
            case .not(let inner): add(inner)
            case .test(let slot, let test):
                switch test {
                case .zero, .nonzero, .positive, .negative: tested.insert(slot)
                case .number, .date: mayBeText.insert(slot)
                case .blank, .present: break
                }
            case .lies(let slot, _, _): tested.insert(slot)
            case .isOneOf(let slot, let words):
                if words.contains(where: { !$0.allSatisfy { isDigit($0) } }) { mayBeText.insert(slot) }
            case .matches(let slot, let patterns):
                // `+*` asks for a sign, and its cell is a number all the same.
                if patterns.contains(where: { !$0.template.source.allSatisfy { "+-*".contains($0) } }) {
                    mayBeText.insert(slot)
                }
            case .isSame, nil: break
            }
        }
        func add(_ rule: ActionRule) {
            add(rule.condition)
            for record in rule.records {
                add(record.condition)
                for set in record.sets { add(set.condition) }
            }
        }
        for rule in table.rows {
            add(rule.condition)
            for set in rule.sets { add(set.condition) }
            if case .record(let action) = rule.verdict { add(action) }
        }
        for set in table.sets { add(set.condition) }
        for rule in table.priceUnits { add(rule.condition) }
        for rule in table.extracts { add(rule.condition) }
        for rule in table.repairs { add(rule.condition) }
        table.actions?.forEachRule { add($0) }
        // Words of actions are texts, also where a rule looks at their sign.
        let all = tested.subtracting(mayBeText).subtracting(table.actions?.on ?? [])
        return NumericTests(all: all.sorted, cells: all.subtracting(made(table)).sorted)
    }

    /// Variables that get another value than none: their cells may be written otherwise than as numbers.
    private static func made(_ table: TableDefinition) -> SlotSet {
        var slots = SlotSet(table.extracts.flatMap(\.patterns).flatMap(\.slots))
        for set in table.sets + table.rows.flatMap(\.sets) {
            if case .text(let bytes) = set.expression, bytes.isEmpty { continue }
            slots.insert(set.slot)
        }
        return slots
    }
}
