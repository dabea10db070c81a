/// Finds the variables of a table that rules only copy into texts of a record, as they stand or as the first of several
/// that says something: ids of orders and trades, notes.
///
/// Most of their cells are found once in a file. Their words need not make the class of a row: only whether there are any.
struct CopiedTexts {
    private var copies: [(to: Int, from: [Int])] = []
    /// Variables of which rules read more.
    private var read = SlotSet()

    /// - Parameter isTarget: whether a variable is a text of a record that decides nothing.
    static func slots(of table: TableDefinition, isTarget: (Int) -> Bool) -> SlotSet {
        var walk = CopiedTexts()
        walk.add(table, isTarget)
        // What is read of a copy is read of what was copied.
        for _ in walk.copies.indices {
            for copy in walk.copies where walk.read.contains(copy.to) { walk.read.formUnion(copy.from) }
        }
        return SlotSet(walk.copies.flatMap(\.from)).subtracting(walk.read)
    }

    private mutating func add(_ table: TableDefinition, _ isTarget: (Int) -> Bool) {
        read.formUnion(table.securitySlots + table.fill + (table.group?.by ?? []) + (table.actions?.on ?? []))
        if let lookup = table.lookup { read.insert(lookup.by) }
        for repair in table.repairs {
            read.formUnion(repair.condition.slots)
            read.formUnion(repair.sets.flatMap { $0.expression.slots + [$0.slot] })
        }
        for rule in table.extracts {
            add(rule.condition)
            read.insert(rule.from)
            read.formUnion(rule.patterns.flatMap(\.slots))
        }
        add(table.continuation)
        add(table.sets, isTarget)
        for row in table.rows {
            add(row.condition)
            add(row.sets, isTarget)
            if case .record(let rule) = row.verdict { add(rule, isTarget) }
        }
        if let always = table.always { add(always, isTarget) }
        for rule in table.priceUnits { add(rule.condition) }
        guard let actions = table.actions else { return }
        actions.forEachRule { add($0, isTarget) }
        read.formUnion(actions.patterns.flatMap(\.template.slots))
    }

    private mutating func add(_ rule: ActionRule, _ isTarget: (Int) -> Bool) {
        add(rule.condition)
        for record in rule.records {
            add(record.condition)
            add(record.sets, isTarget)
        }
    }

    private mutating func add(_ sets: [Assignment], _ isTarget: (Int) -> Bool) {
        for set in sets {
            add(set.condition)
            if isTarget(set.slot), let slots = set.expression.choices {
                copies.append((set.slot, slots))
            } else {
                read.formUnion(set.expression.slots)
            }
        }
    }

    private mutating func add(_ condition: Condition?) {
        switch condition {
        case .all(let parts), .any(let parts): for part in parts { add(part) }
        case .not(let inner): add(inner)
        case .test(_, .blank), .test(_, .present), nil: break
        case .isOneOf, .matches, .isSame, .lies, .test: read.formUnion(condition?.slots ?? [])
        }
    }
}
