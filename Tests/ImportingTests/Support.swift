import Delimited
import OpenAlloc
import Testing

@testable import Importing

/// One call of a sink.
struct Event: Sendable, Hashable, CustomStringConvertible {
    enum Kind: String, Sendable { case accept, rows, reject, mark }
    var kind: Kind
    var lines: [Int]
    /// Outcome and code of a mark, code of a reject.
    var code = ""
    /// What the records say, one line each.
    var records: [String] = []
    var rows: [TableRow] = []

    var description: String { "\(lines) \(kind.rawValue) \(code) \(records.joined(separator: " | "))" }
}

/// Keeps what an importer hands over.
final class RecordingSink: RecordSink {
    var events: [Event] = []
    var warnings: [Finding] = []
    /// Where they are.
    var warningLines: [Int?] = []
    var findings: [Finding] = []
    /// Byte offset of every unit that was handed over, in order.
    var offsets: [Int] = []
    var raws: [String] = []

    func accept(_ records: ArraySlice<Record>, from units: [SourceUnit], warnings: [Finding]) {
        note(units)
        events.append(Event(kind: .accept, lines: units.map(\.line), records: records.map(describe)))
    }
    func acceptRows(_ rows: [TableRow], from unit: SourceUnit, warnings: [Finding]) {
        note([unit])
        events.append(Event(kind: .rows, lines: [unit.line], rows: rows))
    }
    func reject(_ finding: Finding, from units: [SourceUnit]) {
        note(units)
        findings.append(finding)
        events.append(Event(kind: .reject, lines: units.map(\.line), code: finding.code.rawValue))
    }
    func mark(_ unit: SourceUnit, _ outcome: Outcome, code: String) {
        note([unit])
        events.append(
            Event(
                kind: .mark, lines: [unit.line], code: code.isEmpty ? outcome.rawValue : outcome.rawValue + ":" + code))
    }
    func warn(_ finding: Finding, line: Int?) {
        warnings.append(finding)
        warningLines.append(line)
    }

    private func note(_ units: [SourceUnit]) {
        for unit in units {
            offsets.append(unit.byteOffset)
            raws.append(unit.raw.string)
        }
    }

    /// What became of each line, by line.
    var outcomes: [String] {
        var found: [(line: Int, word: String)] = []
        for event in events {
            let word = event.kind == .mark || event.kind == .reject ? event.code : event.kind.rawValue
            for line in event.lines { found.append((line, word)) }
        }
        found.sort { $0.line < $1.line }
        return found.map(\.word)
    }

    var records: [String] { events.flatMap(\.records) }
    var rows: [TableRow] { events.flatMap(\.rows) }
}

/// Everything that a record says, in a fixed order, as one line.
func describe(_ record: Record) -> String {
    var parts = [record.kind.rawValue]
    for text in Record.Text.allCases where !record.isBlank(text) { parts.append("\(text)=\(record.string(text))") }
    for number in Record.Number.allCases { if let value = record[number] { parts.append("\(number)=\(value)") } }
    for moment in Record.Moment.allCases { if let value = record[moment] { parts.append("\(moment)=\(value)") } }
    if record.priceUnit != .share { parts.append("per=\(record.priceUnit.rawValue)") }
    if record.isReversal { parts.append("reversal") }
    if record.isAccountAssumed { parts.append("assumed") }
    if !record.costsInAmount { parts.append("costsOutside") }
    if record.isMarkedToMarket { parts.append("daily") }
    if let isTaxable = record.isTaxable { parts.append("isTaxable=\(isTaxable)") }
    if let canTrade = record.canTrade { parts.append("canTrade=\(canTrade)") }
    return parts.joined(separator: " ")
}

/// An importer of a definition's text.
func importer(_ yaml: String, file: String = "test.yaml") throws -> DefinitionImporter {
    try DefinitionLoader.load(Array(yaml.utf8), file: file)
}

/// The head that every definition needs, so that the tables stand alone in a test.
func definition(_ body: String, head: String = "") -> String {
    let fixed = [
        "importer": "acme.history", "version": "1", "title": "Acme", "zone": "America/New_York",
        "dates": "[YYYY-MM-DD]",
    ]
    let given = Set(head.split(separator: "\n").compactMap { $0.split(separator: ":").first.map(String.init) })
    let rest = fixed.filter { !given.contains($0.key) }.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)\n" }
        .joined()
    return rest + (head.isEmpty || head.hasSuffix("\n") ? head : head + "\n") + body
}

/// Reads a text by a definition.
func run(
    _ importer: some Importer, _ text: String, name: String = "test.csv", options: ImportOptions = ImportOptions()
) throws -> RecordingSink {
    try run(importer, Array(text.utf8), name: name, options: options)
}

func run(
    _ importer: some Importer, _ bytes: [UInt8], name: String = "test.csv", options: ImportOptions = ImportOptions()
) throws -> RecordingSink {
    let input = MemoryInput(name: name, bytes: bytes)
    let sample = try InputSample(input)
    let sink = RecordingSink()
    let context = try importer.context(of: input, sample: sample, options: options)
    try importer.read(input, sample: sample, context: context, options: options, into: sink)
    return sink
}

func run(_ yaml: String, _ text: String, name: String = "test.csv") throws -> RecordingSink {
    try run(importer(yaml), text, name: name)
}

/// The byte offset of every record of a file, as the reader of delimited text splits it.
func recordOffsets(_ bytes: [UInt8], _ sample: InputSample) -> [Int] {
    var offsets: [Int] = []
    var reader = DelimitedReader(dialect: sample.dialect, encoding: sample.encoding)
    reader.read(bytes) { (record: borrowing RecordView) in offsets.append(record.byteOffset) }
    return offsets
}

func decimal(_ text: String) -> ExactDecimal? { ExactDecimal(exactly: text) }

/// A value of a test's table, with a name that a failure shows.
struct Case<Value: Sendable>: Sendable, CustomTestStringConvertible {
    let name: String
    let value: Value
    init(_ name: String, _ value: Value) {
        self.name = name
        self.value = value
    }
    var testDescription: String { name }
}
