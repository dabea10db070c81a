import Delimited
import OpenAlloc

/// One reading of one input by a definition: decides for every record of the file what it is.
final class DefinitionRun {
    /// What is wanted of a reading.
    enum Purpose {
        /// Everything.
        case records
        /// What must be known before the first row: proofs of number styles, values for lookups.
        case survey
        /// What the lines around the rows say.
        case context
    }

    let definition: Definition
    let binder: HeaderBinder
    let purpose: Purpose
    let state: RowState
    @exclusivity(unchecked) var evaluator: Evaluator
    let builder: RecordBuilder
    let sink: any RecordSink
    let survey: Survey

    @exclusivity(unchecked) var binding: TableBinding?
    var sectionBindings: [[UInt8]: TableBinding] = [:]
    @exclusivity(unchecked) var isResting = false
    @exclusivity(unchecked) var isAfterBlank = false
    @exclusivity(unchecked) var hasSeenHeader = false
    @exclusivity(unchecked) var held: HeldRow?
    /// The lines of the row that is being decided, when it has several.
    @exclusivity(unchecked) var units: [SourceUnit] = []
    @exclusivity(unchecked) var groups: GroupQueue?
    @exclusivity(unchecked) var records: [Record] = []
    var onceKeys: Set<TableRow> = []
    /// Recipes of the current table; nil when its rows must be run through the rules one by one.
    @exclusivity(unchecked) var recipes: RecipeTable?
    @exclusivity(unchecked) var profile: RecipeProfile?
    /// The road for rows whose class the sink has prepared.
    @exclusivity(unchecked) var lane: ClassLane? { didSet { laneReference = lane.map { .passUnretained($0) } } }
    /// The same without counting references for every row; `lane` keeps it.
    @exclusivity(unchecked) private var laneReference: Unmanaged<ClassLane>?
    @exclusivity(unchecked) var contextVersion = 0
    /// What earlier inputs have left.
    let memory: ImportMemory?
    /// What the recipes of the current table rest on.
    @exclusivity(unchecked) var ground = RecipeGround()
    /// Off in tests that hold the recipes to the rules.
    @exclusivity(unchecked) var usesRecipes = true
    /// Off in tests that hold the lane to the recipes.
    @exclusivity(unchecked) var usesLane = true
    /// The array that hands one unit to the sink, used again for every row.
    @exclusivity(unchecked) var oneUnit: [SourceUnit]
    let accountSlot: Int?
    let titleSlot: Int?
    private let pseudoSlots: (first: Int?, line: Int?, cells: Int?)
    let lineFilter: LineFilter
    /// Whether rows say nothing that is wanted, and the column that tells them from headers.
    @exclusivity(unchecked) var passesRows = false
    @exclusivity(unchecked) var telling = 0
    @exclusivity(unchecked) var folded: [UInt8] = []
    /// Variables that hold numbers: those that fill a number of a record, and what is computed with.
    let numberSlots: [Int]
    var firstBinding: TableBinding?
    /// By table: variables that rules hold against zero or bounds.
    private var tested: [NumericTests?] = []
    /// What is wrong with a cell of the row, should it become a record.
    private var cellFinding: Finding?

    init(
        _ definition: Definition, binder: HeaderBinder, purpose: Purpose, survey: Survey, dates: DateResolver,
        options: ImportOptions, exportedAt: Instant? = nil, sink: any RecordSink, memory: ImportMemory? = nil
    ) {
        self.definition = definition
        self.binder = binder
        self.purpose = purpose
        self.survey = survey
        self.sink = sink
        self.memory = memory
        oneUnit = [SourceUnit(line: 0, byteOffset: 0, raw: .empty)]
        state = RowState(count: definition.variables.names.count)
        evaluator = Evaluator(
            state: state, reader: binder.numberReader, maps: definition.maps,
            style: definition.numbers)
        builder = RecordBuilder(
            definition: definition, fields: binder.fields, dates: dates, options: options, exportedAt: exportedAt)
        numberSlots = binder.numberSlots
        lineFilter = binder.lineFilter
        accountSlot = definition.variables.known("account")
        titleSlot = definition.variables.known("accountTitle")
        pseudoSlots = (
            definition.variables.known(Variables.firstCell), definition.variables.known(Variables.wholeLine),
            definition.variables.known(Variables.cellCount)
        )
    }

    // MARK: Lines

    func take(_ record: borrowing RecordView) {
        if let laneReference, !isResting, contextVersion == state.contextVersion,
            laneReference._withUnsafeGuaranteedRef({ $0.take(record, self) })
        {
            isAfterBlank = false
            return
        }
        if passesRows, !isResting, isPlainRow(record) {
            isAfterBlank = false
            return
        }
        let unit = SourceUnit(line: record.line, byteOffset: record.byteOffset, raw: record.rawBytes)
        if record.isBlank {
            flushHeld()
            isAfterBlank = true
            mark(unit, .blank, "")
            return
        }
        state.beginRow()
        if let layout = definition.layout {
            takeLayout(record, unit, layout)
        } else if takeHeader(record, unit) {
            isResting = false
        } else if takeLine(record, unit) {
        } else if isResting {
            mark(unit, .footer, "")
        } else if let binding {
            takeRow(record, unit, binding, cellOffset: 0)
        } else {
            mark(unit, .preamble, "")
        }
        isAfterBlank = false
    }

    /// The lane, while rows may take it.
    var openLane: ClassLane? { isResting || contextVersion != state.contextVersion ? nil : lane }

    /// Rows went by that the lane took on another thread.
    func passed() { isAfterBlank = false }

    /// After the last line.
    func finish() {
        flushHeld()
        flushGroups()
        keepRecipes()
    }

    func mark(_ unit: SourceUnit, _ outcome: Outcome, _ code: String) {
        guard purpose == .records else { return }
        for part in units.isEmpty ? [unit] : units { sink.mark(part, outcome, code: code) }
    }

    func reject(_ finding: Finding, _ unit: SourceUnit) {
        if purpose == .records { sink.reject(finding, from: units.isEmpty ? [unit] : units) }
    }

    // MARK: Headers

    private func takeHeader(_ record: borrowing RecordView, _ unit: SourceUnit) -> Bool {
        if let binding {
            // A header has a name where the rows have a value: look at one cell before looking at all.
            if let first = record.cell(binding.firstRequired ?? 0).trimmed().first, isDigit(first) { return false }
            guard binder.hasName(record) else { return false }
        }
        guard HeaderCells.mayBe(record), let found = binder.bind(HeaderCells.of(Self.cells(of: record))) else {
            return false
        }
        flushHeld()
        flushGroups()
        use(found)
        mark(unit, .header, "")
        return true
    }

    func use(_ found: TableBinding) {
        binding = found
        if firstBinding == nil { firstBinding = found }
        hasSeenHeader = true
        telling = found.firstRequired ?? 0
        passesRows =
            purpose == .context && definition.layout == nil && definition.tables[found.table].captures == nil
        state.forgetFills()
        for entry in found.currencies { withView(entry.code) { state.setContext(entry.slot, $0) } }
        let table = definition.tables[found.table]
        let style = table.numbers ?? definition.numbers
        evaluator.provingSlots = style.decimal == nil ? numberSlots : []
        for slot in evaluator.styles.indices {
            evaluator.styles[slot] =
                style.decimal == nil ? survey.style(table: found.table, slot: slot) : style
        }
        prepareRecipes(found)
    }

    static func cells(of record: borrowing RecordView) -> [String] {
        var cells: [String] = []
        cells.reserveCapacity(record.count)
        for i in 0..<record.count { cells.append(record.cell(i).unwrappedFormula().string) }
        return cells
    }

    // MARK: Rows

    func takeRow(_ record: borrowing RecordView, _ unit: SourceUnit, _ binding: TableBinding, cellOffset: Int) {
        if purpose == .context, definition.tables[binding.table].captures == nil { return }
        bindCells(record, binding)
        if recipes != nil, profile?.isOfState == false, takeByRecipe(record, unit, binding) { return }
        let table = definition.tables[binding.table]
        if let captures = table.captures {
            let key = state.folded(captures.from)
            if let slot = captures.keys[key] { state.setContext(slot, state.text(captures.to)) }
            mark(unit, .section, "")
            return
        }
        if purpose == .context { return }
        if purpose == .records, table.provides != nil { sink.keepContext(unit) }
        let anomaly = anomaly(record, binding, table)
        if let continuation = table.continuation, continues(unit, binding, continuation, anomaly) { return }
        flushHeld()
        if table.continuation != nil {
            held = HeldRow(state: state, unit: unit, anomaly: anomaly, binding: binding, sink: sink)
            return
        }
        decide(unit, binding, anomaly)
    }

    func bindCells(_ record: borrowing RecordView, _ binding: TableBinding) {
        for slot in 0..<binding.columns.count {
            let column = binding.columns[slot]
            guard column >= 0, column < record.count else { continue }
            let cell = record.cell(column).unwrappedFormula().trimmed()
            // An empty cell leaves what the lines above said.
            if !cell.isEmpty { state.set(slot, cell) }
        }
        if let slot = pseudoSlots.first {
            for i in 0..<record.count where !record.cell(i).isBlank {
                state.set(slot, record.cell(i).trimmed())
                break
            }
        }
        if let slot = pseudoSlots.line { state.set(slot, record.rawBytes) }
        if let slot = pseudoSlots.cells {
            var filled = 0
            for i in 0..<record.count where !record.cell(i).isBlank { filled += 1 }
            state.set(slot, ExactDecimal(filled))
        }
    }

    /// Decides what the row in `state` is.
    func decide(_ unit: SourceUnit, _ binding: TableBinding, _ anomaly: Finding?) {
        let table = definition.tables[binding.table]
        fill(table)
        if anomaly == nil, recipes != nil, decideByRecipe(unit, binding, table) { return }
        for repair in table.repairs where evaluator.holds(repair.condition) { apply(repair) }
        for rule in table.extracts { extract(rule) }
        if purpose == .survey {
            surveyRow(table, binding)
            return
        }
        cellFinding = unreadable(numericTests(binding).cells, binding)
        if let lookup = table.lookup { survey.fill(lookup, state, evaluator) }
        var finding = anomaly
        do throws(Finding) {
            for assignment in table.sets { try evaluator.assign(assignment) }
        } catch {
            finding = finding ?? error
        }
        for rule in table.rows where evaluator.holds(rule.condition) {
            switch rule.verdict {
            case .goOn:
                do throws(Finding) {
                    for assignment in rule.sets { try evaluator.assign(assignment) }
                } catch {
                    finding = finding ?? error
                }
            case .mark(let outcome, let why):
                mark(unit, outcome, why)
                if outcome == .section { for set in rule.sets { keepSection(set) } }
                return
            case .record(let action):
                if let finding { return reject(finding, unit) }
                return emit(action, unit, table, binding)
            }
        }
        if let finding { return reject(finding, unit) }
        if !table.emit.isEmpty { return emitRows(table, unit, binding) }
        if table.emitsNothing { return mark(unit, .skipped, "table.informational") }
        guard let actions = table.actions else {
            if let always = table.always { return emit(always, unit, table, binding) }
            if table.provides != nil { return mark(unit, .skipped, "table.informational") }
            return reject(
                Finding(
                    .rowUnplaced,
                    reason: "the definition \(definition.id) has no rule for this row, so its meaning is not guessed.",
                    suggestion: "Add a rule for it to the definition's rows, or a kind for all others."), unit)
        }
        guard let rule = choose(actions) else { return reject(unknownAction(actions, binding), unit) }
        emit(rule, unit, table, binding)
    }

    private func keepSection(_ set: Assignment) {
        if (try? evaluator.assign(set)) != nil { state.setContext(set.slot, state.text(set.slot)) }
    }

    // MARK: Actions

    /// The action words of the row as one text.
    func actionText(_ actions: ActionTable) -> ByteView {
        if actions.on.count == 1 { return state.text(actions.on[0]) }
        return ByteView.with(actionKey(actions)) { state.keep($0) }
    }

    private func actionKey(_ actions: ActionTable) -> [UInt8] {
        var key: [UInt8] = []
        for (index, slot) in actions.on.enumerated() {
            if index > 0 { key += [0x20, 0x2F, 0x20] }
            key += state.folded(slot)
        }
        // "a / b" with a blank part keeps its slash; white space at the ends never counts.
        while key.last == 0x20 { key.removeLast() }
        return key
    }

    /// The rules of the row's exact action word, and all patterns that come after.
    func candidates(_ actions: ActionTable) -> ([ActionRule]?, [(template: BoundTemplate, rules: [ActionRule])]) {
        (actions.words[actionKey(actions)], actions.patterns)
    }

    private func choose(_ actions: ActionTable) -> ActionRule? {
        let (exact, patterns) = candidates(actions)
        if let exact, let rule = first(of: exact) { return rule }
        let whole = actionText(actions)
        let opening = Template.opening(of: whole)
        for index in patterns.indices where patterns[index].template.template.mayMatch(textWithOpening: opening) {
            let bound = patterns[index].template
            let rules = patterns[index].rules
            // What a pattern captured belongs to its rules: when none of them holds, it was never there.
            let saved = rules.contains { $0.condition == nil } ? [] : bound.slots.map { state.saved($0) }
            guard evaluator.capture(bound, whole) else { continue }
            if let rule = first(of: rules) { return rule }
            for value in saved { state.restore(value) }
        }
        return first(of: actions.otherwise)
    }

    private func first(of rules: [ActionRule]) -> ActionRule? {
        for rule in rules {
            guard let condition = rule.condition else { return rule }
            if evaluator.holds(condition) { return rule }
        }
        return nil
    }

    // MARK: Output

    /// A value that rules took for a number and that is none.
    private func unreadable(_ slots: [Int], _ binding: TableBinding) -> Finding? {
        for slot in slots {
            let reading = evaluator.number(slot)
            switch reading {
            case .value, .blank: continue
            default:
                return NumberFinding.make(
                    reading, column: binding.columnName(slot), value: state.text(slot).string)
            }
        }
        return nil
    }

    private func numericTests(_ binding: TableBinding) -> NumericTests {
        if binding.table < tested.count, let known = tested[binding.table] { return known }
        let made = NumericTests.of(definition.tables[binding.table])
        while tested.count <= binding.table { tested.append(nil) }
        tested[binding.table] = made
        return made
    }

    private func emit(_ rule: ActionRule, _ unit: SourceUnit, _ table: TableDefinition, _ binding: TableBinding) {
        if let finding = cellFinding ?? unreadable(numericTests(binding).all, binding) { return reject(finding, unit) }
        if let why = rule.skip { return mark(unit, .skipped, why) }
        var count = 0
        do throws(Finding) {
            for recordRule in rule.records {
                if let condition = recordRule.condition, !evaluator.holds(condition) { continue }
                let saved = rule.records.count > 1 ? recordRule.sets.map { state.saved($0.slot) } : []
                for set in recordRule.sets { try evaluator.assign(set) }
                if records.count == count { records.append(Record()) }
                try builder.build(&records[count], recordRule, table, binding, &evaluator)
                count += 1
                for value in saved { state.restore(value) }
            }
        } catch {
            return reject(error, unit)
        }
        guard count > 0 else { return mark(unit, .skipped, "row.noEffect") }
        if let group = table.group {
            queue(records[0..<count], units.isEmpty ? [unit] : units, group)
        } else {
            flushGroups()
            sink.accept(records[0..<count], from: units.isEmpty ? [unit] : units, warnings: [])
        }
    }
}
