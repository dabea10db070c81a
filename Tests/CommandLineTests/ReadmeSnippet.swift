// The example of the README, compiled and run by ReadmeTests.
// snippet:
import Allocport
import Importing
import OpenAlloc

func convert(_ text: String) throws -> [String] {
    // A definition of your own, besides those that come with the library.
    let mine = try DefinitionLoader.load(Array(myDefinition.utf8), file: "acme.yaml")

    var options = RunOptions()
    options.columns = .core
    options.account = "A1"
    let run = Run(options: options, catalog: Registry.builtIn(and: [mine, Diary()]))
    let input = MemoryInput(name: "export.csv", bytes: Array(text.utf8))
    let (table, _, report) = try run.transform(input, schema: .transaction)

    for input in report.inputs {
        print(input.name, input.importer ?? "unknown", input.outcomes[.accepted], input.outcomes[.rejected])
    }
    return String(decoding: table, as: UTF8.self).split(separator: "\n").map(String.init)
}

/// Row by row, typed; when the task is cancelled, reading stops. Lines that were rejected are no rows: the report has them.
func trades(_ input: MemoryInput) async throws -> [MTransaction] {
    let run = Run(options: RunOptions(), catalog: Registry.builtIn())
    let rows = run.rows(of: input, as: MTransaction.self) { report in
        for error in report.inputs.flatMap(\.errors) { print(error) }
    }
    var trades: [MTransaction] = []
    for try await row in rows where row.txnAction == .buysell { trades.append(row) }
    return trades
}
// end of snippet

// importer snippet:
/// Reads lines such as `2026-01-05 RVBK 4 10.5`: a purchase each.
struct Diary: Importer {
    let id = "mine.diary"
    let title = "My trading diary"
    let aliases: [String] = []
    let schemas: [SchemaID] = [.account, .transaction]

    func examine(_ sample: InputSample) -> Examination? {
        sample.name.hasSuffix(".diary") ? Examination(score: 1, specificity: 1) : nil
    }

    func context(
        of input: any InputSource, sample: InputSample, options: ImportOptions
    ) throws(InputError) -> InputContext { InputContext() }

    func read(
        _ input: any InputSource, sample: InputSample, context: InputContext, options: ImportOptions,
        into sink: any RecordSink
    ) throws(InputError) {
        let bytes = try input.bytes(at: 0, count: input.byteCount)
        let lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false)
        var record = Record()
        for (index, line) in lines.enumerated() {
            // Each line goes to the sink once: accepted, rejected, or marked as what it is.
            SourceUnit.with(line: index + 1, line) { unit in
                if line.isEmpty { return sink.mark(unit, .blank) }
                let words = unit.text.split(separator: " ").map(String.init)
                guard words.count == 4, let day = Instant(rfc3339: words[0] + "T12:00:00Z"),
                    let units = ExactDecimal(exactly: words[2]), let price = ExactDecimal(exactly: words[3])
                else {
                    let why = Finding(.rowUnplaced, reason: "this is no purchase", suggestion: "Write day, security, …")
                    return sink.reject(why, from: [unit])
                }
                record.reset()
                record.kind = .buy
                record.set(.account, options.account ?? "diary")
                record.set(.symbol, words[1])
                record.set(.currency, "USD")
                (record[.tradedAt], record[.units], record[.price]) = (day, units, price)
                sink.accept([record], from: [unit], warnings: [])
            }
        }
        sink.hasRead(units: lines.count)
    }
}
// end of importer snippet

let myDefinition = Fixture.definition
