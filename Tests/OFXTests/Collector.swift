import Delimited
import Importing
import OpenAlloc

/// A unit as it came to the sink.
struct Unit: Equatable {
    var line: Int
    var outcome: Outcome
    var code = ""
    var records: [Flat] = []
    var raw = ""
    var reason = ""
    var column = ""
    var warnings: [String] = []
}

/// A record as words, so that an expectation can be written by hand: `kind key=value …`, in a fixed order.
struct Flat: Equatable, CustomStringConvertible {
    var description: String

    init(_ text: String) { description = text }

    init(_ record: Record) {
        var parts = [record.kind.rawValue]
        if record.priceUnit != .share { parts.append("unit=\(record.priceUnit.rawValue)") }
        if record.isReversal { parts.append("reversal") }
        if record.isAccountAssumed { parts.append("assumed") }
        for text in Record.Text.allCases where !record.isBlank(text) { parts.append("\(text)=\(record.string(text))") }
        for number in Record.Number.allCases {
            if let value = record[number] { parts.append("\(number)=\(value)") }
        }
        for moment in Record.Moment.allCases {
            if let value = record[moment] { parts.append("\(moment)=\(value)") }
        }
        description = parts.joined(separator: " ")
    }
}

/// Keeps all that an importer hands over.
final class Collector: RecordSink {
    var units: [Unit] = []
    var warnings: [(code: String, reason: String, line: Int?)] = []
    private var envelope = MarkupEnvelope([])
    private var nesting = MarkupNesting()
    private var isCutOff = false
    /// The reject file that the sink of a run would write.
    var rejectFile: [UInt8] = []
    var records: [Record] = []

    func accept(_ records: ArraySlice<Record>, from units: [SourceUnit], warnings: [Finding]) {
        self.records += records
        for unit in units {
            self.units.append(
                Unit(
                    line: unit.line, outcome: .accepted, records: records.map(Flat.init), raw: unit.raw.string,
                    warnings: warnings.map(\.code.rawValue)))
        }
    }
    func acceptRows(_ rows: [TableRow], from unit: SourceUnit, warnings: [Finding]) {}
    func reject(_ finding: Finding, from units: [SourceUnit]) {
        for unit in units {
            self.units.append(
                Unit(
                    line: unit.line, outcome: .rejected, code: finding.code.rawValue, raw: unit.raw.string,
                    reason: finding.reason, column: finding.column))
            isCutOff = finding.code == .markupTruncated
            rejectFile += nesting.enter(envelope, isCutOff: isCutOff)
            rejectFile += Array(unit.raw.string.utf8) + [0x0A]
        }
    }
    func mark(_ unit: SourceUnit, _ outcome: Outcome, code: String) {
        units.append(Unit(line: unit.line, outcome: outcome, code: code, raw: unit.raw.string))
    }
    func warn(_ finding: Finding, line: Int?) { warnings.append((finding.code.rawValue, finding.reason, line)) }
    func setEnvelope(_ envelope: MarkupEnvelope) {
        self.envelope = envelope
        isCutOff = false
    }
    func close() { if !isCutOff { rejectFile += nesting.leave() } }

    /// The records of all accepted units, as words.
    var flat: [String] { units.flatMap { $0.records.map(\.description) } }
    func count(_ outcome: Outcome) -> Int { units.filter { $0.outcome == outcome }.count }
    var codes: [String] { units.filter { $0.outcome == .rejected }.map(\.code) }
}

/// Reads bytes with an importer.
func collect(
    _ bytes: [UInt8], _ importer: any Importer = OFXImporter(), options: ImportOptions = ImportOptions(),
    name: String = "test.ofx"
) throws -> Collector {
    let input = MemoryInput(name: name, bytes: bytes)
    let sample = try InputSample(input)
    let context = try importer.context(of: input, sample: sample, options: options)
    let sink = Collector()
    try importer.read(input, sample: sample, context: context, options: options, into: sink)
    sink.close()
    return sink
}

func collect(_ text: String, _ importer: any Importer = OFXImporter(), options: ImportOptions = ImportOptions()) throws
    -> Collector
{
    try collect(Array(text.utf8), importer, options: options)
}
