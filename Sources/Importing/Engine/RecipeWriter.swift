import Delimited
import OpenAlloc

/// Works out the recipe of a class: runs the rules on its first row, and follows which values come from words of the
/// class and which from the row. Gives up (`Recipe.Verdict.rules`) where a rule depends on more than the class.
struct RecipeWriter {
    /// Where a variable's value comes from.
    enum Source {
        /// The same for all rows of the class; `state` has it.
        case constant
        /// The row's own cell of this variable.
        case cell(Int)
        case computed(Expression)
    }

    /// A rule depends on more than the class.
    struct Undecided: Error {}

    let run: DefinitionRun
    let profile: RecipeProfile
    let binding: TableBinding
    var sources: [Source]
    private var recipe = Recipe()
    private var state: RowState { run.state }

    init(_ run: DefinitionRun, _ profile: RecipeProfile, _ binding: TableBinding) {
        self.run = run
        self.profile = profile
        self.binding = binding
        sources = .init(repeating: .constant, count: run.state.count)
        for slot in profile.numbers { sources[slot] = .cell(slot) }
        for slot in profile.moments { sources[slot] = .cell(slot) }
        for slot in profile.others { sources[slot] = .cell(slot) }
        // Rows of the class name no account, or each its own.
        if let account = profile.account {
            sources[account] = run.evaluator.isBlank(account) ? .constant : .cell(account)
        }
    }

    /// Writes the recipe of the class of the row that is in `state`. Leaves other values in `state`.
    mutating func write(into recipe: Recipe) {
        self.recipe = recipe
        do throws(Undecided) {
            try rules()
        } catch {
            recipe.verdict = .rules
            recipe.parts = []
            recipe.records = []
            recipe.constants = []
        }
    }

    private mutating func rules() throws(Undecided) {
        let table = run.definition.tables[binding.table]
        for repair in table.repairs where try holds(repair.condition) { throw Undecided() }
        for rule in table.extracts { try extract(rule) }
        for set in table.sets { try assign(set) }
        for rule in table.rows where try holds(rule.condition) {
            switch rule.verdict {
            case .goOn: for set in rule.sets { try assign(set) }
            case .mark(let outcome, let why):
                guard outcome != .section else { throw Undecided() }
                recipe.verdict = .mark(outcome, why: why)
                return
            case .record(let action): return try records(of: action, table)
            }
        }
        guard let actions = table.actions else {
            // A row that no rule knows is for the rules to reject.
            guard let always = table.always else { throw Undecided() }
            return try records(of: always, table)
        }
        for slot in actions.on { try mustBeConstant(slot) }
        try records(of: try choose(actions), table)
    }

    // MARK: conditions

    private mutating func holds(_ condition: Condition) throws(Undecided) -> Bool {
        switch condition {
        case .all(let parts):
            for part in parts where !(try holds(part)) { return false }
            return true
        case .any(let parts):
            for part in parts where try holds(part) { return true }
            return false
        case .not(let inner): return !(try holds(inner))
        case .isOneOf(let slot, _), .lies(let slot, _, _):
            try mustBeConstant(slot)
            return run.evaluator.holds(condition)
        case .isSame(let slot, let other):
            try mustBeConstant(slot)
            try mustBeConstant(other)
            return run.evaluator.holds(condition)
        case .matches(let slot, let templates): return try matches(slot, templates)
        case .test(let slot, let test): return try passes(slot, test)
        }
    }

    private mutating func matches(_ slot: Int, _ templates: [BoundTemplate]) throws(Undecided) -> Bool {
        if case .constant = sources[slot] {
            for template in templates where run.evaluator.capture(template, state.text(slot)) {
                for captured in template.slots { sources[captured] = .constant }
                return true
            }
            return false
        }
        guard case .cell(let cell) = sources[slot], profile.numbers.contains(cell) else { throw Undecided() }
        if run.evaluator.isBlank(cell) {
            // Rows of the class say nothing there, or one of the words for it.
            let blanks = run.evaluator.reader.blanks
            let words = [[]] + blanks + blanks.map { $0.map { $0 &- 0x61 < 26 ? $0 & 0xDF : $0 } }
            let matches = words.contains { word in
                ByteView.with(word) { view in templates.contains { $0.template.matches(view) } }
            }
            if matches { throw Undecided() }
            return false
        }
        // A plain number has no letters: a template that needs some matches no row of the class.
        guard templates.allSatisfy(\.template.needsLetters) else { throw Undecided() }
        return false
    }

    private func passes(_ slot: Int, _ test: Condition.Test) throws(Undecided) -> Bool {
        switch sources[slot] {
        case .constant: break
        case .cell(let cell):
            // The class fixes the sign of a number, and whether a date is blank.
            let isSignKnown = profile.numbers.contains(cell) && cell == slot && test != .date
            let isBlankKnown =
                (profile.moments.contains(cell) || profile.account == cell) && cell == slot
                && (test == .blank || test == .present)
            guard isSignKnown || isBlankKnown else { throw Undecided() }
        case .computed: throw Undecided()
        }
        return run.evaluator.holds(.test(slot, test))
    }

    private func isConstant(_ slot: Int) -> Bool {
        if case .constant = sources[slot] { true } else { false }
    }

    private func mustBeConstant(_ slot: Int) throws(Undecided) {
        guard isConstant(slot) else { throw Undecided() }
    }

    // MARK: variables

    private mutating func extract(_ rule: ExtractRule) throws(Undecided) {
        if let condition = rule.condition, !(try holds(condition)) { return }
        if case .constant = sources[rule.from] {
            var captures: [ByteView] = []
            let text = state.text(rule.from)
            for pattern in rule.patterns where pattern.template.matches(text, captures: &captures) {
                for (index, slot) in pattern.slots.enumerated() {
                    if rule.onlyBlank {
                        if case .constant = sources[slot] {
                            if !run.evaluator.isBlank(slot) { continue }
                        } else {
                            throw Undecided()
                        }
                    }
                    state.set(slot, captures[index])
                    sources[slot] = .constant
                }
                return
            }
            return
        }
        // The row guards that such a cell has no white space; see `DefinitionRun.takeByRecipe`.
        guard case .cell(let cell) = sources[rule.from], profile.moments.contains(cell),
            rule.patterns.allSatisfy(\.template.needsSpace)
        else { throw Undecided() }
    }

    private mutating func assign(_ set: Assignment) throws(Undecided) {
        if let condition = set.condition, !(try holds(condition)) { return }
        let expression = simplified(set.expression)
        if case .variable(let slot) = expression {
            switch sources[slot] {
            case .constant: try store(set, .constant)
            default: sources[set.slot] = sources[slot]
            }
            return
        }
        if !expression.reads({ !isConstant($0) }) {
            return try store(Assignment(slot: set.slot, expression: expression), .constant)
        }
        for slot in expression.slots {
            switch sources[slot] {
            case .constant: keep(slot)
            case .cell(let cell) where cell == slot && slot != set.slot: break
            case .cell(let cell) where cell == slot: break
            default: throw Undecided()
            }
        }
        sources[set.slot] = .computed(expression)
    }

    /// `first(a, b)` with a blank word in front is `b`.
    private func simplified(_ expression: Expression) -> Expression {
        guard case .call(.first, let operands) = expression else { return expression }
        var rest = operands[...]
        while let operand = rest.first, rest.count > 1 {
            guard case .variable(let slot) = operand else {
                let slots = operand.slots
                let isBlank = slots.contains { slot in
                    if case .constant = sources[slot] { run.evaluator.isBlank(slot) } else { isBlankCell(slot) }
                }
                // Arithmetic with a blank is blank.
                if !slots.isEmpty, !operand.computedSlots.isEmpty, isBlank {
                    rest = rest.dropFirst()
                    continue
                }
                break
            }
            if case .constant = sources[slot] {
                if !run.evaluator.isBlank(slot) { return operand }
            } else if !isBlankCell(slot) {
                if case .cell(let cell) = sources[slot], cell == slot,
                    profile.numbers.contains(slot) || profile.moments.contains(slot) || profile.account == slot
                {
                    return operand
                }
                break
            }
            rest = rest.dropFirst()
        }
        return rest.count == 1 ? (rest.first ?? expression) : .call(.first, Array(rest))
    }

    /// Whether the class says that the row's cell is blank.
    private func isBlankCell(_ slot: Int) -> Bool {
        guard case .cell(let cell) = sources[slot], cell == slot,
            profile.numbers.contains(slot) || profile.moments.contains(slot)
        else { return false }
        return run.evaluator.isBlank(slot)
    }

    private mutating func store(_ set: Assignment, _ source: Source) throws(Undecided) {
        do throws(Finding) {
            try run.evaluator.assign(Assignment(slot: set.slot, expression: set.expression))
        } catch {
            throw Undecided()
        }
        sources[set.slot] = source
    }

    private func keep(_ slot: Int) {
        guard !recipe.constants.contains(where: { $0.slot == slot }) else { return }
        recipe.constants.append((slot, state.text(slot).array))
    }

    // MARK: actions and records

    private mutating func choose(_ actions: ActionTable) throws(Undecided) -> ActionRule {
        let (rules, patterns) = run.candidates(actions)
        if let rules, let rule = try first(of: rules) { return rule }
        let whole = run.actionText(actions)
        let opening = Template.opening(of: whole)
        for index in patterns.indices where patterns[index].template.template.mayMatch(textWithOpening: opening) {
            let bound = patterns[index].template
            let texts = bound.slots.map { state.saved($0) }
            guard run.evaluator.capture(bound, whole) else { continue }
            let rules = patterns[index].rules
            let before = sources
            for slot in bound.slots { sources[slot] = .constant }
            if let rule = try first(of: rules) { return rule }
            // As in `DefinitionRun`: what a pattern without a rule captured was never there.
            sources = before
            for text in texts { state.restore(text) }
        }
        if let rule = try first(of: actions.otherwise) { return rule }
        throw Undecided()
    }

    private mutating func first(of rules: [ActionRule]) throws(Undecided) -> ActionRule? {
        for rule in rules {
            guard let condition = rule.condition else { return rule }
            if try holds(condition) { return rule }
        }
        return nil
    }

    private mutating func records(of rule: ActionRule, _ table: TableDefinition) throws(Undecided) {
        // What is no number where rules take it for one is for the rules to reject.
        for slot in profile.allTested {
            guard case .constant = sources[slot] else { continue }
            switch run.evaluator.number(slot) {
            case .blank, .value: continue
            default: throw Undecided()
            }
        }
        if let why = rule.skip {
            recipe.verdict = .mark(.skipped, why: why)
            return
        }
        if rule.records.count > 1 {
            try each(of: rule.records, table)
        } else if let only = rule.records.first {
            var isMade = true
            if let condition = only.condition { isMade = try holds(condition) }
            if isMade { try make(only, table) }
        }
        recipe.verdict = recipe.parts.isEmpty ? .mark(.skipped, why: "row.noEffect") : .records
    }

    /// Records of one row, each with its own variables.
    private mutating func each(of rules: [RecordRule], _ table: TableDefinition) throws(Undecided) {
        let saved = sources
        for rule in rules {
            if let condition = rule.condition, !(try holds(condition)) { continue }
            let texts = rule.sets.map { state.saved($0.slot) }
            try make(rule, table)
            sources = saved
            for text in texts { state.restore(text) }
        }
    }

    private mutating func make(_ rule: RecordRule, _ table: TableDefinition) throws(Undecided) {
        for set in rule.sets { try assign(set) }
        try part(rule, table)
    }

    private mutating func part(_ rule: RecordRule, _ table: TableDefinition) throws(Undecided) {
        var part = Recipe.Part()
        part.amountsAreSigned = rule.rules.amountsAreSigned ?? table.defaults.amountsAreSigned ?? true
        part.unitsAreSigned = rule.rules.unitsAreSigned ?? table.defaults.unitsAreSigned ?? true
        // Variables that the row brings are blank while the record takes the words of the class.
        let brought = sources.indices.filter { !isConstant($0) }
        let saved = brought.map { state.saved($0) }
        for rule in table.priceUnits where rule.condition.reads({ !isConstant($0) }) {
            // Only a condition that fails on the words of the class alone is decided.
            if try holds(rule.condition) { throw Undecided() }
        }
        for slot in brought { state.set(slot, .empty) }
        part.numbers.reserveCapacity(8)
        var record = Record()
        do throws(Finding) {
            try run.builder.build(&record, rule, table, binding, &run.evaluator, isClass: true)
        } catch {
            throw Undecided()
        }
        for value in saved { state.restore(value) }
        for slot in brought { try bring(slot, &part, &record) }
        part.textMark = record.textBytes
        part.priceUnit = record.priceUnit
        part.pricedAt = record[.pricedAt]
        recipe.parts.append(part)
        recipe.records.append(record)
    }

    /// A variable that the row brings fills its field from the row.
    private func bring(_ slot: Int, _ part: inout Recipe.Part, _ record: inout Record) throws(Undecided) {
        let use = run.builder.fields.uses[slot]
        switch sources[slot] {
        case .constant: return
        case .cell(let cell):
            switch use {
            case .number(let field): part.numbers.append((field, cell))
            case .moment(let field): part.moments.append((field, cell))
            case .text(let field):
                let isAccount = field == .account && profile.account == cell
                guard isAccount || ![.account, .currency, .priceCurrency].contains(field) else { throw Undecided() }
                part.texts.append((field, cell))
                if isAccount { record.isAccountAssumed = false }
            case .decision: throw Undecided()
            case .engine, .nothing: break
            }
        case .computed(let expression):
            switch use {
            case .number(let field): part.computed.append((field, expression))
            case .nothing: break
            default: throw Undecided()
            }
        }
    }
}
