import Delimited
import OpenAlloc

/// An importer written as data: one YAML file of the catalogue, compiled to slots. See Importers/README.md.
struct Definition: Sendable {
    var id = ""
    var title = ""
    var institution = ""
    var aliases: [String] = []
    var zone = "UTC"
    /// Seconds after midnight for dates without a time.
    var secondOfDay = 12 * 3600
    var currency: String?
    var numbers = NumberStyle.us
    var blanks: [String] = ["-", "--", "n/a"]
    var dates: [DatePattern] = []
    /// Whether the dates of the file itself must tell if the day or the month stands first.
    var asksForDayOrder = false
    /// Date patterns that could be meant, where the file's dates do not tell which.
    var undecidedDates: [DatePattern] = []
    var times: [DatePattern] = []
    var files: [BoundTemplate] = []
    var fileDates: [DatePattern] = []
    var exported: [DatePattern] = []
    var layout: Layout?
    /// Lines of which one must be there for the definition to fit.
    var detectLines: [BoundTemplate] = []
    var refusal: String?
    /// Whether any other definition that fits goes before it.
    var isFallback = false
    var lines: [LineRule] = []
    /// Header names that are known and not used, in every table: no drift.
    var known: [HeaderPattern] = []
    var tables: [TableDefinition] = []
    var maps: [ValueMap] = []
    var variables = Variables()
    /// Where the definition came from, for messages.
    var origin = ""

    /// Variables that hold numbers: those that fill a number of a record, and those that expressions compute with.
    var numberSlots: [Int] {
        var slots = SlotSet(RecordField.numbers.keys.compactMap { variables.known($0) })
        func add(_ sets: [Assignment]) { for set in sets { slots.formUnion(set.expression.computedSlots) } }
        for table in tables {
            add(table.sets)
            for row in table.rows { add(row.sets) }
            table.actions?.forEachRule { rule in for record in rule.records { add(record.sets) } }
        }
        return slots.sorted
    }

    /// Whether a header name is listed as known and not used, for one table or for all.
    func knows(_ name: String, in table: TableDefinition) -> Bool {
        guard !known.isEmpty || !table.known.isEmpty else { return false }
        let header = HeaderName(name)
        return table.known.contains { $0.matches(header, name) } || known.contains { $0.matches(header, name) }
    }

    /// Whether a header name is that of a column, or one that is known and not used, of any table.
    func names(_ name: String) -> Bool {
        let header = HeaderName(name)
        return known.contains { $0.matches(header, name) }
            || tables.contains { table in
                table.known.contains { $0.matches(header, name) }
                    || table.columns.contains { column in
                        guard case .names(let names) = column.place else { return false }
                        return names.contains { $0.matches(header, name) }
                    }
            }
    }

    /// The brokerage's slug: the part of the id before the point.
    var slug: String { String(id.prefix { $0 != "." }) }
}

/// A named value table.
struct ValueMap: Sendable {
    let name: String
    /// Folded key → value.
    let values: WordTable<[UInt8]>
    /// Keys with wild cards, in order.
    let patterns: [(template: Template, value: [UInt8])]
}

/// A file whose rows name their section and their kind in columns.
struct Layout: Sendable, Hashable {
    enum RowKind: String, Sendable, CaseIterable { case header, data, total, skipped, section, preamble, footer, blank }
    /// 0-based columns.
    var section = 0
    var kind = 1
    /// Folded word → kind.
    var kinds = WordTable<RowKind>()
    /// Folded names of sections that are known and not wanted.
    var ignored: Set<[UInt8]> = []
    /// Cells before the first that belongs to the table.
    var width: Int { max(section, kind) + 1 }
}

/// A rule for lines outside the rows.
struct LineRule: Sendable {
    enum Place: String, Sendable, CaseIterable { case any, preamble, table, end }
    var patterns: [BoundTemplate] = []
    /// Nil for a row, whose cells are what the pattern captures.
    var outcome: Outcome? = .preamble
    var why = ""
    var isRest = false
    var isWhole = false
    var cells: ClosedRange<Int>?
    var place = Place.any
}

/// One table of a file.
struct TableDefinition: Sendable {
    var name = ""
    /// Folded section names, with `layout`.
    var sections: Set<[UInt8]> = []
    var columns: [ColumnDefinition] = []
    /// Slots whose columns must be there.
    var required: [Int] = []
    /// Header names that must not be there.
    var forbidden: [String] = []
    /// Header names that are known and not used: no drift.
    var known: [HeaderPattern] = []
    var fill: [Int] = []
    /// Variables whose numbers have a decimal point, whatever the style of the table.
    var points: [Int] = []
    var rows: [RowRule] = []
    var repairs: [RepairRule] = []
    var extracts: [ExtractRule] = []
    var sets: [Assignment] = []
    var actions: ActionTable?
    /// What every row is when there are no actions.
    var always: ActionRule?
    var defaults = RecordRules()
    var priceUnits: [PriceUnitRule] = []
    var securitySlots: [Int] = []
    var continuation: Condition?
    /// Variables to which a continuing line adds its text instead of replacing it.
    var joined: [Int] = []
    var group: GroupRule?
    var lookup: LookupRule?
    var provides: ProvideRule?
    /// Variables that say whether any row of the table, wherever in the file, is one of those.
    var anywhere: [(slot: Int, condition: Condition)] = []
    var captures: CaptureRule?
    var emit: [RowEmission] = []
    var emitsNothing = false
    var allowsShortRows = false
    /// What its list of positions is whole for.
    var covers = Record.Coverage.account
    var numbers: NumberStyle?
    var dates: [DatePattern]?
}

/// How a variable finds its column.
struct ColumnDefinition: Sendable {
    enum Place: Sendable, Hashable {
        /// Header names, compared by their key.
        case names([HeaderPattern])
        /// The column right after another variable's.
        case after(Int)
        /// 0-based position.
        case position(Int)
    }
    var slot: Int
    var place: Place
    /// The first of its names, as it is written.
    var title = ""
    /// 1-based occurrence among columns of the same name.
    var occurrence = 1
    /// Takes the currency that the header's decoration names.
    var currencySlot: Int?
}

/// A rule for single rows.
struct RowRule: Sendable {
    enum Verdict: Sendable {
        /// Only the variables change.
        case goOn
        case mark(Outcome, why: String)
        case record(ActionRule)
    }
    var condition: Condition
    var verdict: Verdict
    var sets: [Assignment] = []
}

/// `variable: expression`.
struct Assignment: Sendable {
    let slot: Int
    let expression: Expression
    var condition: Condition?
}

/// Cells that stand in the wrong columns: all values are read before any is written.
struct RepairRule: Sendable {
    var condition: Condition
    var sets: [Assignment]
}

/// Variables cut out of a cell.
struct ExtractRule: Sendable {
    var from: Int
    var patterns: [BoundTemplate]
    var condition: Condition?
    /// Captures only fill variables that are blank.
    var onlyBlank = false
}

/// What a row is by its action word.
struct ActionTable: Sendable {
    var on: [Int] = []
    /// Folded word → rules, tried in order.
    var words = WordTable<[ActionRule]>()
    var patterns: [(template: BoundTemplate, rules: [ActionRule])] = []
    var otherwise: [ActionRule] = []

    var allRules: [ActionRule] {
        var rules: [ActionRule] = []
        forEachRule { rules.append($0) }
        return rules
    }

    /// Without an array of them.
    func forEachRule(_ body: (ActionRule) -> Void) {
        for rules in words.values { for rule in rules { body(rule) } }
        for pattern in patterns { for rule in pattern.rules { body(rule) } }
        for rule in otherwise { body(rule) }
    }
}

/// One thing that a row may be. An object: what is worked out of rules when a definition is first used walks over them
/// many times, and would copy each of them.
final class ActionRule: Sendable {
    let condition: Condition?
    /// The row is skipped, for this reason.
    let skip: String?
    /// The row is known, and cannot be taken.
    let reject: RejectRule?
    let records: [RecordRule]

    init(condition: Condition? = nil, skip: String? = nil, reject: RejectRule? = nil, records: [RecordRule] = []) {
        self.condition = condition
        self.skip = skip
        self.reject = reject
        self.records = records
    }
}

/// Why a row that is known cannot be taken, in the definition's own words.
struct RejectRule: Sendable {
    var code = FindingCode.actionUnknown
    /// The variable whose cell is to blame; nil blames the whole line.
    var column: Int?
    /// Why, in one sentence for a person.
    var why: String
    /// What to do next, in one sentence for a person.
    var advice = "Correct the line, or write the event into an openalloc.transaction.csv of your own."
}

/// One record that a row becomes.
final class RecordRule: Sendable {
    let kind: RecordKind
    let condition: Condition?
    let sets: [Assignment]
    let rules: RecordRules

    init(kind: RecordKind, condition: Condition? = nil, sets: [Assignment] = [], rules: RecordRules = RecordRules()) {
        self.kind = kind
        self.condition = condition
        self.sets = sets
        self.rules = rules
    }
}

/// A value on the heap: keeps the 16-byte alignment of decimals out of the structs of a definition, whose
/// stack copies the compiler (6.3) does not always align.
final class Boxed<Value: Sendable>: Sendable {
    let value: Value
    init(_ value: Value) { self.value = value }
}

/// Sign and unit rules; nil takes the table's.
struct RecordRules: Sendable {
    var isReversal = false
    var amountsAreSigned: Bool?
    var unitsAreSigned: Bool?
    var costsInside: Bool?
    /// Costs are negative when paid, and positive when given back; else either sign is a cost.
    var paidIsNegative: Bool?
    /// Amounts are cash effects with signs of their own, whatever units × price is.
    var isMarkedToMarket: Bool?
    var priceUnit: PriceUnit?
    var multiplier: Boxed<ExactDecimal>?
}

/// Which rows state their price in another unit.
struct PriceUnitRule: Sendable {
    var condition: Condition
    var unit: PriceUnit
    var multiplier: Boxed<ExactDecimal>?
    var currency: String?
}

/// Rows that belong together.
struct GroupRule: Sendable {
    var by: [Int]
    var leaders: Set<RecordKind>
    /// Kind of a leader that found no amount.
    var alone: [RecordKind: RecordKind] = [:]
    /// Kinds folded into a number of the leader.
    var folds: [RecordKind: Record.Number]
}

/// Values from another table of the file.
struct LookupRule: Sendable {
    var table: String
    var by: Int
}

/// The table that gives them.
struct ProvideRule: Sendable {
    var key: Int
    var values: [Int]
}

/// A row of an openalloc schema made of variables.
struct RowEmission: Sendable {
    var schema: SchemaID
    /// One expression per column of the schema; nil leaves it blank.
    var values: [Expression?]
    var condition: Condition?
    /// The same row again within one input is no news (block rows such as a strategy's name).
    var isOnce = false
}

/// A table of names and values whose rows set variables for the rest of the file.
struct CaptureRule: Sendable {
    var from: Int
    var to: Int
    /// Folded name → slot.
    var keys: WordTable<Int>
}
