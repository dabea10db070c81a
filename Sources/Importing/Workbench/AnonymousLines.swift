import Delimited
import OpenAlloc

/// The lines of an export one after the other, with what the definition's rules make of each: as often as somebody asks,
/// so that nobody needs them all at once.
struct AnonymousLines {
    private let definition: Definition
    private let binder: HeaderBinder
    private let survey: Survey
    private let dialect: Dialect
    private let dates: DateResolver
    private let context: [(slot: Int, text: String)]
    private let text: [UInt8]

    /// - Parameters:
    ///   - survey: becomes what the whole file proves.
    ///   - context: what the file's name says.
    ///   - text: the file, in UTF-8.
    init(
        _ definition: Definition, binder: HeaderBinder, survey: Survey, dialect: Dialect, dates: DateResolver,
        context: [(slot: Int, text: String)], text: [UInt8]
    ) {
        self.definition = definition
        self.binder = binder
        self.survey = survey
        self.dialect = dialect
        self.dates = dates
        self.context = context
        self.text = text
    }

    private func run(_ purpose: DefinitionRun.Purpose, _ sink: any RecordSink) -> DefinitionRun {
        let run = DefinitionRun(
            purpose == .survey ? definition : definition.settled(survey), binder: binder, purpose: purpose,
            survey: survey, dates: dates, options: ImportOptions(),
            sink: sink)
        run.setContext(context)
        return run
    }

    /// Learns what only the whole file proves; to be called first.
    func prepare() {
        let first = run(.survey, NullSink())
        var reader = DelimitedReader(dialect: dialect)
        reader.read(text) { (record: borrowing RecordView) in first.take(record) }
        first.finish()
    }

    /// Gives out each line.
    func forEach(_ body: (AnonymousLine) -> Void) {
        let mark = LastMark()
        let rules = run(.records, mark)
        rules.usesRecipes = false
        let probe = RowProbe(run(.records, NullSink()))
        var reader = DelimitedReader(dialect: dialect)
        reader.read(text) { (record: borrowing RecordView) in
            mark.outcome = nil
            rules.take(record)
            var binding = layoutBinding(record, rules)
            if mark.outcome == .header || record.isBlank { binding = nil }
            // Lines that a rule names are texts, unless they are rows of a table: of names and values, or ones that a
            // rule of the table keeps for the rows below.
            let isText =
                [.footer, .preamble, .section].contains(mark.outcome)
                || mark.outcome == .total && definition.layout == nil
            if isText, binding.map({ definition.tables[$0.table].captures == nil }) ?? true,
                isRuled(DefinitionRun.cells(of: record))
            {
                binding = nil
            }
            body(
                AnonymousLine(
                    record, isKept: mark.outcome == .header || record.isBlank, binding: binding,
                    place: binding.map { probe.look(record, $0) } ?? RowProbe.Place()))
        }
        rules.finish()
    }

    /// The binding of a line; in a file of sections, that of the line's own section.
    private func layoutBinding(_ record: borrowing RecordView, _ run: DefinitionRun) -> TableBinding? {
        guard let layout = definition.layout else { return run.binding }
        guard layout.kinds[foldedWordBytes(record.cell(layout.kind).string)] == .data else { return nil }
        return run.sectionBindings[foldedWordBytes(record.cell(layout.section).string)]
    }

    /// Whether a line is none of a table's: one that a rule for lines may have named, or one beside all tables.
    private func isRuled(_ cells: [String]) -> Bool {
        guard definition.layout == nil else { return true }
        let whole = Self.tidy(cells)
        let first = cells.first { !$0.trimmingSpaces.isEmpty }?.trimmingSpaces ?? ""
        return definition.lines.contains { rule in
            withView(rule.isWhole ? whole : first) { view in rule.patterns.contains { $0.template.matches(view) } }
                || rule.isRest
        }
    }

    /// A line as rules for whole lines see it.
    static func tidy(_ cells: [String]) -> String {
        var cells = cells.map(\.trimmingSpaces)
        while cells.last?.isEmpty ?? false { cells.removeLast() }
        return cells.joined(separator: ",")
    }
}

/// Keeps what a run said of the last line.
private final class LastMark: RecordSink {
    var outcome: Outcome?

    func accept(_ records: ArraySlice<Record>, from units: [SourceUnit], warnings: [Finding]) {}
    func acceptRows(_ rows: [TableRow], from unit: SourceUnit, warnings: [Finding]) {}
    func reject(_ finding: Finding, from units: [SourceUnit]) {}
    func mark(_ unit: SourceUnit, _ outcome: Outcome, code: String) { self.outcome = outcome }
    func warn(_ finding: Finding, line: Int?) {}
}
