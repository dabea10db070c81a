public import Importing
public import OpenAlloc

/// What a run did: everything that `report.json` says, and the exit code.
public struct RunReport: Sendable, Hashable {
    /// Whether every input was recognised and no more units were rejected than allowed.
    public var isValid: Bool { exitCode == 0 }
    /// The smallest code other than 0 that applies; 0 when none does.
    public var exitCode: Int32 = 0
    /// One entry an input, in row order; inputs that could not be opened come first.
    public var inputs: [InputReport] = []
    /// The tables written.
    public var tables: [TableReport] = []
    /// The reject files written, in the order of inputs.
    public var rejectFiles: [RejectFileReport] = []
    /// Given, and no input.
    public var passedOver: [PassedOver] = []
    /// Rows made from units, written to tables, and merged away.
    public var rowsMade = 0, rowsWritten = 0, rowsMerged = 0
    /// Units that went from cells to rows without a record; not in `report.json`.
    var preparedUnits = 0
    /// Units that another thread has made into rows; not in `report.json`.
    var batchedUnits = 0
    /// Inputs that were read whole before their turn; not in `report.json`.
    var rehearsedInputs = 0
    /// Whether the input was read anew after a wrong guess.
    var wasTakenBack = false
    /// Rejected units by code.
    public var rejectsByCode: [String: Int] = [:]
    /// Whether the sums are right in every input and for all rows.
    public var isBalanced: Bool { inputs.allSatisfy(\.isBalanced) && rowsMade == rowsWritten + rowsMerged }

    /// Units by outcome over all inputs.
    public var outcomes: OutcomeCounts {
        var sum = OutcomeCounts()
        for index in inputs.indices { sum.add(inputs[index].outcomes) }
        return sum
    }
}

/// How many units ended in each outcome.
public struct OutcomeCounts: Sendable, Hashable {
    private var counts = [Int](repeating: 0, count: Outcome.allCases.count)

    /// None.
    public init() {}

    /// The number of units with an outcome.
    public subscript(outcome: Outcome) -> Int {
        get { counts[OutcomeCounts.index(outcome)] }
        set { counts[OutcomeCounts.index(outcome)] = newValue }
    }

    /// All units.
    public var total: Int { counts.reduce(0, +) }

    /// Adds those of another input.
    mutating func add(_ other: OutcomeCounts) {
        for place in counts.indices { counts[place] += other.counts[place] }
    }

    private static func index(_ outcome: Outcome) -> Int {
        switch outcome {
        case .preamble: 0
        case .header: 1
        case .section: 2
        case .blank: 3
        case .footer: 4
        case .total: 5
        case .accepted: 6
        case .rejected: 7
        case .skipped: 8
        case .duplicate: 9
        }
    }
}

/// What became of one input.
public struct InputReport: Sendable, Hashable {
    /// The file name alone.
    public var name: String
    /// SHA-256 of its bytes in hex; empty when it could not be read.
    public var sha256 = ""
    /// How many bytes it has.
    public var bytes = 0
    /// What is known of the importer; thousands of inputs of a folder have it together.
    var recognition = InputRecognition.none
    /// Units that were read.
    public var units = 0
    /// Where they ended.
    public var outcomes = OutcomeCounts()
    /// The first errors (see ``InputReport/maximumIssues``); `rejects.csv` has all.
    public var errors: [Issue] = []
    /// The first warnings of each code.
    public var warnings: [Issue] = []
    /// Rows of an unnamed account that would have merged if `--account` had named it.
    public var wouldMerge = 0
    /// How many of its rejected lines another input has as they were corrected; they are rejected here all the same.
    public internal(set) var corrected = 0
    /// The name of the input whose rejected lines this one has as they were corrected; nil for other inputs.
    public internal(set) var corrects: String?
    /// The exit code that the input alone calls for, rejects apart.
    public var exitCode: Int32 = 0
    /// So many issues of one code are kept an input; one more says how many there were.
    public static let maximumIssues = 100

    /// Whether every unit ended in exactly one outcome.
    public var isBalanced: Bool { outcomes.total == units }
    /// The first 32 hex digits of the SHA-256: the row's `sourceMetaID`.
    public var sourceMetaID: String { InputReport.sourceMetaID(sha256) }

    static func sourceMetaID(_ sha256: String) -> String { String(Substring(sha256.utf8.prefix(32))) }

    /// How many issues of each code there were, also those that are not kept.
    var errorCounts: [String: Int] = [:]
    var warningCounts: [String: Int] = [:]

    init(name: String) { self.name = name }
}

/// One thing to report about an input.
public struct Issue: Sendable, Hashable, CustomStringConvertible {
    /// A stable code: that of a ``FindingCode``, or an ``InputCode`` for what concerns the whole input.
    public var code: String
    /// The line, if it concerns one.
    public var line: Int?
    /// The column's name, if it concerns one.
    public var column = ""
    /// The value as the source writes it.
    public var value = ""
    /// What is wrong, in one sentence.
    public var message: String
    /// What to do next.
    public var suggestion = ""

    /// `code: line 7, Price ‘1O’: message suggestion`, of which what is not known is left out.
    public var description: String {
        var place = line.map { "line \($0)" } ?? ""
        if !column.isEmpty { place += (place.isEmpty ? "" : ", ") + column }
        if !value.isEmpty { place += (place.isEmpty ? "" : " ") + "‘\(value)’" }
        return [code, place, [message, suggestion].filter { !$0.isEmpty }.joined(separator: " ")]
            .filter { !$0.isEmpty }.joined(separator: ": ")
    }

    init(_ code: InputCode, message: String, suggestion: String = "") {
        self.code = code.rawValue
        self.message = message
        self.suggestion = suggestion
    }

    /// What is said of all issues of a code that was reported before.
    init(reported code: String, message: String) {
        self.code = code
        self.message = message
    }

    init(_ finding: Finding, line: Int?) {
        code = finding.code.rawValue
        self.line = line
        column = finding.column
        value = finding.value
        message = finding.reason
        suggestion = finding.suggestion
    }
}

/// One table that was written.
public struct TableReport: Sendable, Hashable {
    /// The schema.
    public var schema: SchemaID
    /// The file name in the output folder.
    public var file: String
    /// How many rows it has.
    public var rows: Int
    /// SHA-256 of its bytes in hex.
    public var sha256: String
}

/// One reject file that was written.
public struct RejectFileReport: Sendable, Hashable {
    /// The file name in the output folder.
    public var file: String
    /// SHA-256 of its bytes in hex: a file that has another one by now was corrected since.
    public var sha256: String
}

/// How an input was recognised, in a place that reports have together until one of them is changed.
struct InputRecognition: Sendable, Hashable {
    fileprivate struct Values: Sendable, Hashable {
        var format = ""
        var encoding = ""
        var importer: String?
        var exportedAt: Instant?
        var score = 0.0
        var evidence: [String] = []
        var drift: [String] = []
        var runnersUp: [ConsideredImporter] = []
        var likelier: ConsideredImporter?
    }

    private final class Place: Sendable {
        let values: Values
        init(_ values: Values) { self.values = values }
    }

    private var place: Place
    fileprivate var values: Values {
        get { place.values }
        set { place = Place(newValue) }
    }

    /// The importer's id.
    var importer: String? { place.values.importer }

    /// Of an input that was not looked at.
    static let none = InputRecognition(place: Place(Values()))

    static func == (left: Self, right: Self) -> Bool {
        left.place === right.place || left.place.values == right.place.values
    }

    func hash(into hasher: inout Hasher) { hasher.combine(place.values) }
}

extension InputReport {
    /// `csv`, `ofx`, …; empty when it could not be read.
    public var format: String {
        get { recognition.values.format }
        set { recognition.values.format = newValue }
    }
    /// The encoding's IANA name.
    public var encoding: String {
        get { recognition.values.encoding }
        set { recognition.values.encoding = newValue }
    }
    /// The importer's id; nil when none was found.
    public var importer: String? {
        get { recognition.values.importer }
        set { recognition.values.importer = newValue }
    }
    /// When the brokerage made the export.
    public var exportedAt: Instant? {
        get { recognition.values.exportedAt }
        set { recognition.values.exportedAt = newValue }
    }
    /// How well the importer fits, 0 to 1.
    public var score: Double {
        get { recognition.values.score }
        set { recognition.values.score = newValue }
    }
    /// What speaks for it.
    public var evidence: [String] {
        get { recognition.values.evidence }
        set { recognition.values.evidence = newValue }
    }
    /// What differs from its definition.
    public var drift: [String] {
        get { recognition.values.drift }
        set { recognition.values.drift = newValue }
    }
    /// The importer that has likely read such files before their columns were renamed, where a fallback reads this one.
    var likelier: ConsideredImporter? {
        get { recognition.values.likelier }
        set { recognition.values.likelier = newValue }
    }
    /// The other importers that came close.
    public var runnersUp: [ConsideredImporter] {
        get { recognition.values.runnersUp }
        set { recognition.values.runnersUp = newValue }
    }
}
