import Delimited
import OpenAlloc

/// Works out the recipe of a class: runs the rules on its first row, and follows which values come from words of the
/// class and which from the row. Where a rule asks more of the row than the class fixes, the recipe holds only for rows
/// that answer as this one does (`RecipeGuard`). Gives up (`Recipe.Verdict.rules`) where even that does not decide.
struct RecipeWriter {
    /// Where a variable's value comes from.
    enum Source {
        /// The same for all rows of the class; `state` has it.
        case constant
        /// The row's own cell of this variable.
        case cell(Int)
        case computed(RowNumber)
        /// A text that is made of cells.
        case opaque
    }

    /// A rule depends on more than the class, in a way that nothing can be asked about.
    struct Undecided: Error {}

    /// What the class says of the cells, and the row's numbers.
    struct Cells {
        var isNumber: [Bool]
        var isMoment: [Bool]
        var isCopied: [Bool]
        var isBlank: [Bool]
        var numbers: [ExactDecimal]
    }

    let run: DefinitionRun
    let profile: RecipeProfile
    let binding: TableBinding
    let cells: Cells
    var sources: [Source]
    /// Cells whose variable has another value in `state` by now.
    var overwritten = SlotSet()
    var guards: [RecipeGuard] = []
    private var recipe = Recipe()
    var state: RowState { run.state }

    init(_ run: DefinitionRun, _ profile: RecipeProfile, _ binding: TableBinding) {
        self.run = run
        self.profile = profile
        self.binding = binding
        let count = run.state.count
        var cells = Cells(
            isNumber: .init(repeating: false, count: count), isMoment: .init(repeating: false, count: count),
            isCopied: .init(repeating: false, count: count),
            isBlank: .init(repeating: false, count: count), numbers: .init(repeating: .zero, count: count))
        sources = .init(repeating: .constant, count: count)
        for slot in profile.numbers {
            sources[slot] = .cell(slot)
            cells.isNumber[slot] = true
            cells.isBlank[slot] = run.evaluator.isBlank(slot)
            switch run.evaluator.number(slot) {
            case .value(let value, _): cells.numbers[slot] = value
            case .blank: break
            default:
                // The class has its words.
                sources[slot] = .constant
                cells.isNumber[slot] = false
            }
        }
        for slot in profile.moments {
            sources[slot] = .cell(slot)
            cells.isMoment[slot] = true
            cells.isBlank[slot] = run.evaluator.isBlank(slot)
        }
        for slot in profile.others { sources[slot] = .cell(slot) }
        for slot in profile.copied {
            cells.isCopied[slot] = true
            cells.isBlank[slot] = run.evaluator.isBlank(slot)
        }
        for slot in profile.pseudo { sources[slot] = .cell(slot) }
        // Rows of the class name no account, or each its own.
        if let account = profile.account {
            sources[account] = run.evaluator.isBlank(account) ? .constant : .cell(account)
        }
        self.cells = cells
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
        }
        recipe.guards = guards
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

    func isConstant(_ slot: Int) -> Bool {
        if case .constant = sources[slot] { true } else { false }
    }

    func mustBeConstant(_ slot: Int) throws(Undecided) {
        guard isConstant(slot) else { throw Undecided() }
    }

    /// Notes a question, unless another has the same answer.
    mutating func ask(_ question: RecipeGuard) {
        if case .works(let number) = question, guards.contains(where: { $0.number?.contains(number) ?? false }) {
            return
        }
        if guards.contains(question) { return }
        // What is asked of a number asks whether there is one.
        if let number = question.number {
            guards.removeAll { if case .works(let part) = $0 { number.contains(part) } else { false } }
        }
        guards.append(question)
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
            let before = (sources, overwritten)
            for slot in bound.slots { makeConstant(slot) }
            if let rule = try first(of: rules) { return rule }
            // As in `DefinitionRun`: what a pattern without a rule captured was never there.
            (sources, overwritten) = before
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
        if rule.reject != nil { throw Undecided() }
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
        for slot in table.group?.by ?? [] { try group(slot) }
        recipe.verdict = recipe.parts.isEmpty ? .mark(.skipped, why: "row.noEffect") : .records
    }

    /// The group of a row is told by this variable.
    private func group(_ slot: Int) throws(Undecided) {
        switch sources[slot] {
        case .constant:
            if overwritten.contains(slot) { recipe.groupWords.append((slot, state.text(slot).array)) }
        case .cell(let cell):
            guard !overwritten.contains(cell) else { throw Undecided() }
            if cell != slot { recipe.groupCells.append((slot, cell)) }
        case .computed, .opaque: throw Undecided()
        }
    }

    /// Records of one row, each with its own variables.
    private mutating func each(of rules: [RecordRule], _ table: TableDefinition) throws(Undecided) {
        let saved = (sources, overwritten)
        for rule in rules {
            if let condition = rule.condition, !(try holds(condition)) { continue }
            let texts = rule.sets.map { state.saved($0.slot) }
            try make(rule, table)
            (sources, overwritten) = saved
            for text in texts { state.restore(text) }
        }
    }

    private mutating func make(_ rule: RecordRule, _ table: TableDefinition) throws(Undecided) {
        for set in rule.sets { try assign(set) }
        try part(rule, table)
    }

    private mutating func part(_ rule: RecordRule, _ table: TableDefinition) throws(Undecided) {
        let part = Recipe.Part()
        part.amountsAreSigned = rule.rules.amountsAreSigned ?? table.defaults.amountsAreSigned ?? true
        part.unitsAreSigned = rule.rules.unitsAreSigned ?? table.defaults.unitsAreSigned ?? true
        part.paid = RecordBuilder.paid(rule.rules, table.defaults, rule.kind)
        let unitRule = try rule.rules.priceUnit == nil ? unitRule(table) : nil
        // Variables that the row brings are blank while the record takes the words of the class.
        let brought = sources.indices.filter { !isConstant($0) }
        let saved = brought.map { state.saved($0) }
        for slot in brought { state.set(slot, .empty) }
        part.numbers.reserveCapacity(8)
        var record = Record()
        do throws(Finding) {
            try run.builder.build(
                &record, rule, table, binding, &run.evaluator, ofClass: RecordBuilder.ClassRules(priceUnit: unitRule))
        } catch {
            throw Undecided()
        }
        for value in saved { state.restore(value) }
        for slot in brought { try bring(slot, part, &record) }
        part.textMark = record.textBytes
        part.priceUnit = record.priceUnit
        part.pricedAt = record[.pricedAt]
        if let price = record[.price] { part.price = [price] }
        recipe.parts.append(part)
        recipe.records.append(record)
    }

    /// The rule that says in which unit the price is.
    private mutating func unitRule(_ table: TableDefinition) throws(Undecided) -> PriceUnitRule? {
        for rule in table.priceUnits where try holds(rule.condition) { return rule }
        return nil
    }

    /// A variable that the row brings fills its field from the row.
    private mutating func bring(_ slot: Int, _ part: Recipe.Part, _ record: inout Record) throws(Undecided) {
        let use = run.builder.fields.uses[slot]
        switch sources[slot] {
        case .constant: return
        case .cell(let cell):
            switch use {
            case .number(let field):
                // Where rows of the class state no size of a contract, a rule may have given it.
                if field == .multiplier, cells.isBlank[cell], record[.multiplier] != nil { return }
                part.numbers.append((field, cell))
            case .moment(let field):
                // The date is read with the time as it stands in the row, not as a rule has set it.
                if field == .tradedAt, let time = run.builder.timeSlot, overwritten.contains(time) { throw Undecided() }
                part.moments.append((field, cell))
            case .text(let field):
                let isAccount = field == .account && profile.account == cell
                guard isAccount || ![.account, .currency, .priceCurrency].contains(field) else { throw Undecided() }
                part.texts.append((field, cell))
                if isAccount { record.isAccountAssumed = false }
            case .decision: throw Undecided()
            case .engine, .nothing: break
            }
        case .computed(let number):
            switch use {
            case .number(let field):
                part.computed.append(Recipe.Computed(field: field, number: number, sign: try sign(of: number)))
            case .nothing: break
            default: throw Undecided()
            }
        case .opaque: if case .nothing = use {} else { throw Undecided() }
        }
    }

    /// The sign of a number, which all rows of the recipe have.
    mutating func sign(of number: RowNumber) throws(Undecided) -> Int {
        if let sign = number.sign({ cells.numbers[$0].signum }) {
            if number.mayFail { ask(.works(number)) }
            return sign
        }
        guard let value = number.value({ cells.numbers[$0] }) else { throw Undecided() }
        ask(.sign(number, value.signum))
        return value.signum
    }
}
