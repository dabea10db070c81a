import Delimited
import OpenAlloc

/// The shortest road of a table: a row whose class a sink has prepared goes from cells to the sink without a record.
///
/// A row's class is what its words say (in this way of quoting them), the signs of its numbers, and which dates it has.
/// What the rules make of a class was worked out by its recipe; whatever is not plain here (a number in a rare shape, a
/// date not met before that has a time, a line that may be no row) is left to the recipe and the rules, which are the
/// oracle in tests.
final class ClassLane {
    let rules: LaneRules
    let table: ClassTable
    let profile: RecipeProfile
    let reader: LaneReader
    private let dates: DateResolver
    /// How many rows it has taken.
    @exclusivity(unchecked) private(set) var taken = 0
    /// What becomes of rows of classes that are no records, by `-(number + firstMark)`.
    @exclusivity(unchecked) private var marks: [(outcome: Outcome, why: String)] = []
    /// Whether the row at hand is plain and of no class of the table.
    @exclusivity(unchecked) var isWanted = false
    /// What its classes have in common.
    let forms = LaneForms()

    /// Nil for tables whose rows are not plain.
    init?(_ run: DefinitionRun, _ profile: RecipeProfile, _ binding: TableBinding) {
        guard let rules = LaneRules(run, profile, binding) else { return nil }
        self.rules = rules
        self.profile = profile
        dates = run.builder.dates
        reader = LaneReader(rules, dates: dates)
        table = ClassTable(wordCount: rules.wordColumns.count)
    }

    /// A reader for another thread.
    func makeReader() -> LaneReader { LaneReader(rules, dates: DateResolver(copying: dates)) }

    /// Numbers of classes that are no records: this one and below, which no answer of `ClassTable` is.
    private static let firstMark = -16

    /// Learns the class of the row at hand, all rows of which become no record.
    func learn(_ outcome: Outcome, _ why: String) {
        guard table.count < ClassTable.maximum else { return }
        let index = marks.firstIndex { $0 == (outcome, why) } ?? marks.count
        if index == marks.count { marks.append((outcome, why)) }
        table.insert(reader.hash, reader.shape, prepared: ClassLane.firstMark - index) { reader.cells[$0] }
        isWanted = false
    }

    /// Takes a row, if it is plain and of a prepared class.
    func take(_ record: borrowing RecordView, _ run: DefinitionRun) -> Bool {
        isWanted = false
        guard let id = reader.classify(record, table) else { return false }
        guard id >= 0 else {
            isWanted = id == ClassTable.unknown
            // A line of blanks has the words of a row that says nothing, and is none.
            guard id <= ClassLane.firstMark, !record.isBlank else { return false }
            let mark = marks[ClassLane.firstMark - id]
            let unit = SourceUnit(line: record.line, byteOffset: record.byteOffset, raw: record.rawBytes)
            run.mark(unit, mark.outcome, mark.why)
            return true
        }
        let unit = SourceUnit(line: record.line, byteOffset: record.byteOffset, raw: record.rawBytes)
        if run.groups != nil { run.flushGroups() }
        guard run.sink.accept(reader.values, of: id, from: unit) else { return false }
        taken &+= 1
        return true
    }
}
