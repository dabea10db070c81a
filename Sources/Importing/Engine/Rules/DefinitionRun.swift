import Delimited
import OpenAlloc

/// One reading of one input by a definition: decides for every record of the file what it is.
final class DefinitionRun {
    /// What is wanted of a reading.
    enum Purpose {
        /// Everything.
        case records
        /// What must be known before the first row: proofs of number styles, values for lookups,
        /// rows that stand anywhere.
        case survey
        /// What the lines around the rows say.
        case context
    }

    let definition: Definition
    let binder: HeaderBinder
    let purpose: Purpose
    let state: RowState
    /// One object, never another.
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
    @exclusivity(unchecked) var fillSource = FillSource()
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
    /// The lane of a section whose header came again, until it is clear that its rows are as before.
    @exclusivity(unchecked) var restingLane: ClassLane?
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
    /// The variable that is a line's first cell.
    var firstCellSlot: Int? { pseudoSlots.first }
    private let pseudoSlots: (first: Int?, line: Int?, cells: Int?)
    let lineFilter: LineFilter
    /// Whether rows say nothing that is wanted, and the column that tells them from headers.
    @exclusivity(unchecked) var passesRows = false
    @exclusivity(unchecked) var telling = 0
    @exclusivity(unchecked) var folded: [UInt8] = []
    let layout: LayoutPlan?
    /// The section of the last row, and what is known of it until the next header.
    @exclusivity(unchecked) var section: [UInt8] = []
    @exclusivity(unchecked) var lastSection: (name: [UInt8], binding: TableBinding)?
    /// Variables that hold numbers: those that fill a number of a record, and what is computed with.
    let numberSlots: [Int]
    var drift = HeaderDrift()
    private(set) var doubled = DoubledLines()
    var strayRows = StrayRows()
    /// What the file's name says.
    var nameContext: [(slot: Int, text: String)] = []
    /// By table: its rules as rows are decided.
    @exclusivity(unchecked) private var plans: [TablePlan?] = []
    /// The one that was asked for last.
    @exclusivity(unchecked) private var lastPlan: TablePlan?
    @exclusivity(unchecked) private var lastPlanTable = -1
    /// By table: its number styles, once all rows were surveyed.
    @exclusivity(unchecked) private var tableStyles: [[NumberStyle]?] = []
    /// The table whose number styles the evaluator has.
    @exclusivity(unchecked) private var styledTable = -1
    /// Headers that were bound, by their section and their line.
    @exclusivity(unchecked) var boundHeaders: [[UInt8]: TableBinding?] = [:]
    /// An object for rows that are held, used again.
    @exclusivity(unchecked) var spareHeld: HeldRow?
    /// How the lines of the input are written.
    @exclusivity(unchecked) var dialect = Dialect.csv
    var encoding = TextEncoding.utf8
    /// What is read.
    var source: (any InputSource)?
    /// What is wrong with a cell of the row, should it become a record.
    @exclusivity(unchecked) var cellFinding: Finding?
    @exclusivity(unchecked) var ragged = RaggedRows()
    /// Cells of the row that is being decided, where it ends before its header; else −1.
    @exclusivity(unchecked) var raggedCells = -1
    @exclusivity(unchecked) private var currentLine = 0

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
        layout = definition.layout.map { LayoutPlan($0) }
        lineFilter = binder.lineFilter
        accountSlot = definition.variables.known("account")
        titleSlot = definition.variables.known("accountTitle")
        pseudoSlots = (
            definition.variables.known(Variables.firstCell), definition.variables.known(Variables.wholeLine),
            definition.variables.known(Variables.cellCount)
        )
    }

    /// A run like another one, by the rules alone, that tells another sink.
    convenience init(trying run: DefinitionRun, _ sink: any RecordSink) {
        self.init(
            run.definition, binder: run.binder, purpose: .records, survey: run.survey, dates: run.builder.dates,
            options: run.builder.options, sink: sink)
        usesRecipes = false
        dialect = run.dialect
        setContext(run.nameContext)
    }

    // MARK: Lines

    func take(_ record: borrowing RecordView) {
        if let laneReference, !isResting, !record.isUnended, contextVersion == state.contextVersion,
            laneReference._withUnsafeGuaranteedRef({ $0.take(record, self) })
        {
            isAfterBlank = false
            return
        }
        if passesRows, !isResting, isPlainRow(record) {
            isAfterBlank = false
            return
        }
        currentLine = record.line
        let unit = SourceUnit(line: record.line, byteOffset: record.byteOffset, raw: record.rawBytes)
        if record.isBlank {
            flushHeld()
            isAfterBlank = true
            mark(unit, .blank, "")
            return
        }
        state.beginRow()
        if let layout {
            takeLayout(record, unit, layout)
        } else if takeHeader(record, unit) {
            isResting = false
        } else if takeWrapped(record, unit) {
        } else if takeLine(record, unit) {
        } else if let binding, !isResting {
            takeRow(record, unit, binding)
        } else {
            takeStray(record, unit)
        }
        isAfterBlank = false
    }

    /// The lane, while rows may take it.
    var openLane: ClassLane? { isResting || contextVersion != state.contextVersion ? nil : lane }

    /// Rows went by that the lane took on another thread.
    func passed() {
        flushGroups()
        isAfterBlank = false
    }

    /// After the last line.
    func finish() {
        flushHeld()
        flushGroups()
        strayRows.settle(self, under: nil) {}
        if purpose == .records, let (finding, line) = ragged.finding { sink.warn(finding, line: line) }
        keepRecipes()
    }

    /// A line that no rule names, outside of a table.
    private func takeStray(_ record: borrowing RecordView, _ unit: SourceUnit) {
        let outcome: Outcome = isResting ? .footer : .preamble
        if purpose == .records {
            if hasSeenHeader, let binding {
                if let finding = strayRows.finding(record, self, binding) { return reject(finding, unit) }
            } else if strayRows.keep(record, unit, outcome) {
                return
            }
        }
        mark(unit, outcome, "")
    }

    /// Takes a row that stands in one pair of quotes with all its delimiters: to rules for lines it is a title of one cell.
    private func takeWrapped(_ record: borrowing RecordView, _ unit: SourceUnit) -> Bool {
        guard record.count == 1, record.isQuoted(0), let binding,
            let finding = strayRows.wrapped(record, self, binding)
        else { return false }
        flushHeld()
        reject(finding, unit)
        return true
    }

    /// Decides a row by itself, of the table that is bound.
    func takeAlone(_ record: borrowing RecordView) {
        guard let binding else { return }
        let unit = SourceUnit(line: record.line, byteOffset: record.byteOffset, raw: record.rawBytes)
        state.beginRow()
        if !takeLine(record, unit) { takeRow(record, unit, binding) }
        flushHeld()
        flushGroups()
        isResting = false
    }

    func mark(_ unit: SourceUnit, _ outcome: Outcome, _ code: String) {
        guard purpose == .records else { return }
        // Rejected lines stand below what stood above them.
        if let groups, groups.hasBroken, outcome == .section || outcome == .preamble { flushGroups() }
        if !hasSeenHeader, strayRows.keep(unit, outcome, code) { return }
        if units.isEmpty { return sink.mark(unit, outcome, code: code) }
        for part in units { sink.mark(part, outcome, code: code) }
    }

    func reject(_ finding: Finding, _ unit: SourceUnit) {
        guard purpose == .records else { return }
        sink.reject(finding, from: units.isEmpty ? [unit] : units)
    }

    // MARK: Headers

    private func takeHeader(_ record: borrowing RecordView, _ unit: SourceUnit) -> Bool {
        if let binding {
            // A header has a name where the rows have a value: look at one cell before looking at all.
            if let first = record.cell(binding.firstRequired ?? 0).trimmed().first, isDigit(first) { return false }
            guard HeaderCells.mayBe(record), binder.hasName(record) else { return false }
        }
        guard HeaderCells.mayBe(record), let found = bindHeader(record) else { return false }
        flushHeld()
        flushGroups()
        use(found)
        doubled.note(header: record.rawBytes, line: record.line)
        strayRows.settle(self, under: found) { mark(unit, .header, "") }
        return true
    }

    func use(_ found: TableBinding) {
        binding = found
        if purpose == .records { tell(found, line: currentLine) }
        hasSeenHeader = true
        telling = found.firstRequired ?? 0
        ragged.begin(headerLine: currentLine)
        let plan = plan(found.table)
        passesRows = purpose == .context && layout == nil && plan.captures == nil
        state.forgetFills()
        fillSource.forget(sink)
        evaluator.binding = found
        for entry in found.currencies { withView(entry.code) { state.setContext(entry.slot, $0) } }
        for entry in plan.anywhere {
            // Another table may have filled the same variable.
            let isPresent = survey.isPresent(table: found.table, slot: entry.slot)
            withView(isPresent ? "yes" : "") { state.setContext(entry.slot, $0) }
        }
        // A survey learns of them as it goes.
        if styledTable != found.table || purpose == .survey { useStyles(plan, found.table) }
        prepareRecipes(found)
    }

    /// What is known of the number styles of a table's columns before its rows are read.
    private func useStyles(_ plan: TablePlan, _ table: Int) {
        styledTable = table
        let style = plan.numbers ?? definition.numbers
        evaluator.provingSlots = style.decimal == nil ? numberSlots : []
        if table < tableStyles.count, let known = tableStyles[table] {
            evaluator.styles = known
            return
        }
        for slot in evaluator.styles.indices {
            evaluator.styles[slot] = style.decimal == nil ? survey.style(table: table, slot: slot) : style
        }
        for slot in plan.points { evaluator.styles[slot] = .us }
        guard purpose == .records else { return }
        while tableStyles.count <= table { tableStyles.append(nil) }
        tableStyles[table] = evaluator.styles
    }

    /// Binds what may be a header; files of several tables or accounts repeat theirs.
    private func bindHeader(_ record: borrowing RecordView) -> TableBinding? {
        // Most files have one.
        if binding == nil { return binder.bind(HeaderCells.of(Self.cells(of: record))) }
        let line = record.rawBytes.array
        if let known = boundHeaders[line] { return known }
        let found = binder.bind(HeaderCells.of(Self.cells(of: record)))
        if boundHeaders.count < 256 { boundHeaders[line] = .some(found) }
        return found
    }

    static func cells(of record: borrowing RecordView) -> [String] {
        var cells: [String] = []
        cells.reserveCapacity(record.count)
        for i in 0..<record.count { cells.append(record.cell(i).unwrappedFormula().string) }
        return cells
    }

    // MARK: Rows

    func takeRow(_ record: borrowing RecordView, _ unit: SourceUnit, _ binding: TableBinding) {
        if purpose == .context, definition.tables[binding.table].captures == nil { return }
        bindCells(record, binding)
        raggedCells = -1
        let cut = record.isUnended && record.count < binding.width ? cutFinding(record, binding) : nil
        if cut == nil, record.count < binding.width, isRagged(record, binding) {
            raggedCells = record.count
        } else if cut == nil, recipes != nil, profile?.isOfState == false, takeByRecipe(record, unit, binding) {
            return
        }
        let plan = plan(binding.table)
        if let captures = plan.captures {
            let key = state.folded(captures.from)
            if let slot = captures.keys[key] { state.setContext(slot, state.text(captures.to)) }
            mark(unit, .section, "")
            return
        }
        if purpose == .context { return }
        if purpose == .records, plan.provides { sink.keepContext(unit) }
        let anomaly = anomaly(record, binding, allowsShort: plan.allowsShortRows) ?? cut
        guard let continuation = plan.continuation else {
            flushHeld()
            return decide(unit, binding, anomaly)
        }
        if continues(unit, binding, continuation, plan, anomaly) { return }
        flushHeld()
        let row = spareHeld ?? HeldRow()
        spareHeld = nil
        row.begin(state, unit, anomaly, binding)
        held = row
    }

    func bindCells(_ record: borrowing RecordView, _ binding: TableBinding) {
        for index in binding.bound.indices {
            let (slot, column) = binding.bound[index]
            guard column < record.count else { continue }
            let cell = record.cell(column).content
            // An empty cell leaves what the lines above said.
            if !cell.isEmpty { state.set(slot, cell) }
        }
        setPseudoVariables(record)
    }

    func setPseudoVariables(_ record: borrowing RecordView) {
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

    /// The rules of a table as rows are decided.
    func plan(_ table: Int) -> TablePlan {
        if table == lastPlanTable, let lastPlan { return lastPlan }
        let found = table < plans.count ? plans[table] : nil
        // What the file decides about dates is in this run's definition alone.
        let isOwn = definition.asksForDayOrder && definition.tables[table].dates != nil
        let plan = found ?? (isOwn ? TablePlan(definition.tables[table]) : binder.plan(table))
        while plans.count <= table { plans.append(nil) }
        plans[table] = plan
        (lastPlan, lastPlanTable) = (plan, table)
        return plan
    }
}
