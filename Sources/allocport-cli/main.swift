import BuiltInDefinitions
import Delimited
import Importing
import OpenAlloc
import Foundation

final class PrintSink: RecordSink {
    var counts: [String: Int] = [:]
    let verbose: Bool
    init(verbose: Bool) { self.verbose = verbose }
    func accept(_ records: ArraySlice<Record>, from units: [SourceUnit], warnings: [Finding]) {
        counts["accepted", default: 0] += units.count
        if verbose {
            for r in records {
                var s = "L\(units[0].line) \(r.kind)"
                for t in Record.Text.allCases where !r.isBlank(t) { s += " \(t)=\(r.string(t))" }
                for n in Record.Number.allCases { if let v = r[n] { s += " \(n)=\(v)" } }
                for m in Record.Moment.allCases { if let v = r[m] { s += " \(m)=\(v)" } }
                if r.priceUnit != .share { s += " unit=\(r.priceUnit)" }
                print(s)
            }
        }
    }
    func acceptRows(_ rows: [TableRow], from unit: SourceUnit, warnings: [Finding]) {
        counts["accepted", default: 0] += 1
        if verbose { for r in rows { print("L\(unit.line) \(r.schema) \(r.values.map(\.text))") } }
    }
    func reject(_ finding: Finding, from units: [SourceUnit]) {
        counts["rejected", default: 0] += units.count
        print("REJECT L\(units[0].line) \(finding.code.rawValue) col=\(finding.column) value=\(finding.value) \(finding.reason) :: \(units[0].raw.string.prefix(200))")
    }
    func mark(_ unit: SourceUnit, _ outcome: Outcome, code: String) {
        counts[outcome.rawValue, default: 0] += 1
        if verbose, outcome != .blank { print("L\(unit.line) \(outcome.rawValue) \(code) :: \(unit.raw.string.prefix(100))") }
    }
    func warn(_ finding: Finding, line: Int?) { if verbose { print("WARN \(finding.reason)") } }
    func setEnvelope(opening: [UInt8], closing: [UInt8]) {}
}

var importers: [any Importer] = [TabularImporter()]
for (path, text) in Catalogue.definitions {
    do { importers.append(try DefinitionLoader.load(Array(String(describing: text).utf8), file: String(describing: path))) } catch { print("DEFINITION \(error)") }
}
let registry = Registry(importers)
let verbose = CommandLine.arguments.contains("-v")
for file in CommandLine.arguments.dropFirst() where file != "-v" {
    let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: file)))
    let input = MemoryInput(name: (file as NSString).lastPathComponent, bytes: bytes)
    let sample = try InputSample(input)
    switch registry.decide(sample) {
    case .recognised(let c, let others):
        print("\(file): \(c.importer.id) \(c.examination.score)/\(c.examination.specificity) next=\(others.prefix(2).map { "\($0.importer.id) \($0.examination.score)/\($0.examination.specificity)" })")
        if verbose { print(c.examination.evidence, c.examination.drift) }
        let sink = PrintSink(verbose: verbose)
        let context = try c.importer.context(of: input, sample: sample, options: ImportOptions())
        try c.importer.read(input, sample: sample, context: context, options: ImportOptions(), into: sink)
        print("   exported=\(context.exportedAt.map { "\($0)" } ?? "-") \(sink.counts.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }.joined(separator: " "))")
    case .ambiguous(let cs): print("\(file): AMBIGUOUS \(cs.map { $0.importer.id })")
    case .refused(let c): print("\(file): REFUSED \(c.importer.id) \(c.examination.refusal ?? "")")
    case .unknown(let cs): print("\(file): UNKNOWN \(sample.format.name) nearest=\(cs.prefix(2).map { "\($0.importer.id) \($0.examination.score) missing \($0.examination.missing)" })")
    }
}
