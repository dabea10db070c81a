import OpenAlloc

/// Which variables of a table make the class of a row, and which only bring values.
final class RecipeProfile: Sendable {
    let words: [Int]
    let numbers: [Int]
    /// Those whose words make the class where they are none: they fill no number of a record themselves.
    let mayBeText: SlotSet
    let moments: [Int]
    /// Texts that are only copied, of which counts whether they are blank.
    let copied: [Int]
    /// Words that rules hold against zero or bounds: a row in which one is no number goes by the rules.
    let tested: [Int]
    /// Those, and what rules make of other variables.
    let allTested: [Int]
    /// Bound variables that no rule reads: they are copied.
    let others: [Int]
    /// Variables of the line as such that rules of the table read, and which of them counts its cells.
    let pseudo: [Int]
    let cellCount: Int?
    /// The account, where it is copied, too: then it only counts whether a row names one.
    let account: Int?
    /// Whether classes have the account all the same, and only their recipes do not.
    let namesAccount: Bool
    /// What rules do with cells that do not make the class.
    let cellRules: CellRules
    /// How many cells a row must have at least: those left out at its end are blank.
    let cellsNeeded: Int
    /// The currency that all rows have; empty where they name their own.
    let home: String

    /// Whether a row is more than its line: its cells may come from other lines, and it may be part of a group. Its class
    /// is that of what it says once all is known.
    let isOfState: Bool

    /// A lane has a bit for each.
    static let mostCopied = 12

    /// Nil for tables whose rows depend on each other. `freesAccount` says that rows of many accounts shall be one class,
    /// `isShared` that its classes are those of other inputs, too.
    init?(
        _ binder: HeaderBinder, _ binding: TableBinding, freesAccount: Bool = false, isShared: Bool,
        hasContext: (Int) -> Bool
    ) {
        let definition = binder.definition
        let plan = binder.plan(binding.table)
        let table = plan.table
        guard table.captures == nil, table.provides == nil, table.emit.isEmpty, !table.emitsNothing,
            let given = Self.given(table, definition)
        else { return nil }
        let names = definition.variables
        let bound = binding.columns.indices.filter { binding.columns[$0] >= 0 }
        let looksUp = table.lookup.map { isShared || !bound.contains($0.by) || given.contains(where: bound.contains) }
        isOfState = table.continuation != nil || table.group != nil || looksUp ?? false || !table.fill.isEmpty
        let stated = SlotSet(binder.numberSlots)
        var dated = SlotSet((Array(RecordField.moments.keys) + ["time"]).compactMap { names.known($0) })
        dated.formUnion(Self.datesOf(dated, table).subtracting(stated).sorted.filter { !hasContext($0) })
        // A number or date that a line above has set would have to be part of the class.
        guard !bound.contains(where: { (stated.contains($0) || dated.contains($0)) && hasContext($0) }) else {
            return nil
        }
        let numeric = NumericFlow.numbers(of: table, stated) {
            RecordField.isNone(names.names[$0]) && !dated.contains($0) && !hasContext($0)
        }
        let read = Self.slotsRead(table, definition)
        cellCount = names.known(Variables.cellCount)
        pseudo = [Variables.firstCell, Variables.wholeLine, Variables.cellCount].compactMap { names.known($0) }
        guard !table.securitySlots.contains(where: pseudo.contains) else { return nil }
        numbers = bound.filter { numeric.contains($0) }
        mayBeText = SlotSet(numbers).subtracting(stated).subtracting(plan.tests.all)
        moments = bound.filter { dated.contains($0) && !numeric.contains($0) }
        cellRules = CellRules(table, moments: moments) { slot in
            !read.contains(slot) && !bound.contains(slot) && RecordField.isNone(names.names[slot])
        }
        let assigned = cellRules.assigned
        let namesCurrency = names.known("currency").map { slot in
            binding.columns[slot] >= 0 || hasContext(slot) || assigned.contains(slot)
        }
        home = namesCurrency ?? false ? "" : definition.currency ?? ""
        cellsNeeded = table.allowsShortRows ? 0 : (bound.map { binding.columns[$0] }.max() ?? -1) + 1
        account = names.known("account").flatMap { slot in
            let isFree =
                bound.contains(slot) && !numeric.contains(slot) && !dated.contains(slot)
                && !hasContext(slot) && AccountUse.isPlain(slot, table)
            return isFree ? slot : nil
        }
        // What says which security or account it is is the class's; there are few.
        let decides = SlotSet(
            RecordField.texts.compactMap { name, field in
                ClassLane.freeTexts.contains(field) ? nil : names.known(name)
            })
        let found = CopiedTexts.slots(of: table) { slot in
            RecordField.texts[names.names[slot]].map(ClassLane.freeTexts.contains) ?? false
        }
        copied = Array(
            bound.filter { slot in
                found.contains(slot) && !numeric.contains(slot) && !dated.contains(slot) && !hasContext(slot)
                    && !decides.contains(slot) && !given.contains(slot)
            }.prefix(RecipeProfile.mostCopied))
        let free = account
        let copied = SlotSet(copied)
        namesAccount = account != nil && !freesAccount
        var words = bound.filter { slot in
            slot != free && !numeric.contains(slot) && !dated.contains(slot) && !copied.contains(slot)
                && (read.contains(slot) || hasContext(slot) || decides.contains(slot) || slot == table.lookup?.by)
        }
        words += given.filter { !bound.contains($0) }
        // What another table gives is the class's where the row's key is.
        if let lookup = table.lookup, !isOfState, !words.contains(lookup.by) { return nil }
        allTested = plan.tests.all
        tested = allTested.filter(SlotSet(words).contains)
        self.words = words
        let others = SlotSet(bound).subtracting(numbers).subtracting(moments).subtracting(words)
        self.others = (namesAccount ? others.subtracting(CollectionOfOne(account ?? -1)) : others).sorted
    }

    /// The variables that another table gives to rows of this one; nil where rules may have changed a cell before.
    private static func given(_ table: TableDefinition, _ definition: Definition) -> [Int]? {
        guard let lookup = table.lookup else { return [] }
        let given = definition.tables.filter { $0.name == lookup.table }.flatMap { $0.provides?.values ?? [] }
        var changed = SlotSet(table.extracts.flatMap { $0.patterns.flatMap(\.slots) + [$0.from] })
        changed.formUnion(table.extracts.flatMap { $0.condition?.slots ?? [] })
        for repair in table.repairs {
            changed.formUnion(repair.condition.slots)
            changed.formUnion(repair.sets.flatMap { $0.expression.slots + [$0.slot] })
        }
        return changed.contains(lookup.by) || given.contains(where: changed.contains) ? nil : given
    }

    /// The variables that rules of a table read.
    static func slotsRead(_ table: TableDefinition, _ definition: Definition) -> SlotSet {
        var slots = SlotSet(table.securitySlots)
        func read(_ sets: [Assignment]) {
            for set in sets {
                slots.formUnion(set.expression.slots)
                slots.formUnion(set.condition?.slots ?? [])
            }
        }
        func read(_ rule: ActionRule) {
            slots.formUnion(rule.condition?.slots ?? [])
            for record in rule.records {
                slots.formUnion(record.condition?.slots ?? [])
                read(record.sets)
            }
        }
        for repair in table.repairs {
            slots.formUnion(repair.condition.slots)
            read(repair.sets)
        }
        for extract in table.extracts {
            slots.insert(extract.from)
            slots.formUnion(extract.condition?.slots ?? [])
        }
        read(table.sets)
        for row in table.rows {
            slots.formUnion(row.condition.slots)
            read(row.sets)
            if case .record(let rule) = row.verdict { read(rule) }
        }
        if let actions = table.actions {
            slots.formUnion(actions.on)
            actions.forEachRule { read($0) }
        }
        for rule in table.priceUnits { slots.formUnion(rule.condition.slots) }
        for name in ["currency", "priceCurrency", "account", "accountTitle", "accountKind", "isTaxable", "canTrade"] {
            if let slot = definition.variables.known(name) { slots.insert(slot) }
        }
        return slots
    }

    /// Variables that are dates because one of these variables is set to them, and nothing else is made of them.
    private static func datesOf(_ dates: SlotSet, _ table: TableDefinition) -> SlotSet {
        var found = SlotSet()
        var others = SlotSet(table.securitySlots)
        others.formUnion(table.actions?.on ?? [])
        others.formUnion(table.extracts.flatMap { $0.patterns.flatMap(\.slots) + [$0.from] })
        others.formUnion(table.repairs.flatMap { $0.sets.flatMap { $0.expression.slots + [$0.slot] } })
        func look(_ sets: [Assignment]) {
            for set in sets {
                if dates.contains(set.slot), let slots = set.expression.choices {
                    found.formUnion(slots)
                } else {
                    others.formUnion(set.expression.slots)
                    others.insert(set.slot)
                }
            }
        }
        func look(_ rule: ActionRule) { for record in rule.records { look(record.sets) } }
        look(table.sets)
        for row in table.rows {
            look(row.sets)
            if case .record(let rule) = row.verdict { look(rule) }
        }
        if let always = table.always { look(always) }
        table.actions?.forEachRule { look($0) }
        return found.subtracting(others)
    }
}

extension Expression {
    /// The variables of which it is one as it stands; nil for what is more than that.
    var choices: [Int]? {
        switch self {
        case .variable(let slot): [slot]
        case .call(.first, let operands):
            operands.allSatisfy { if case .variable = $0 { true } else { false } } ? operands.flatMap(\.slots) : nil
        default: nil
        }
    }
}
