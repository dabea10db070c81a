import Allocport
import Delimited
import Importing
import OpenAlloc
import TestSupport

/// Reads lines such as `txn kind=buy account=A1 date=2024-03-01 symbol=VTI units=10 price=5`, one unit each.
///
/// Other first words: an outcome (`header`, `footer`, …) marks the line, `bad` rejects it, `pair` makes its record and
/// a second one without an account. `# exported=2024-03-02` names the export's date.
struct LineImporter: Importer {
    let id = "fake.lines"
    let title = "Lines"
    let aliases = ["lines"]
    let schemas: [SchemaID] = [.transaction, .holding, .security, .account]

    func examine(_ sample: InputSample) -> Examination? {
        sample.head.starts(with: Array("# ".utf8)) ? Examination(score: 1, specificity: 1) : nil
    }

    func context(
        of input: any InputSource, sample: InputSample, options: ImportOptions
    ) throws(InputError) -> InputContext {
        var context = InputContext()
        let text = String(decoding: try input.bytes(at: 0, count: 200), as: UTF8.self)
        let first = text.split(separator: "\n").first.map(String.init) ?? ""
        if let date = Self.fields(first)["exported"] { context.exportedAt = Instant(rfc3339: date) }
        return context
    }

    func read(
        _ input: any InputSource, sample: InputSample, context: InputContext, options: ImportOptions,
        into sink: any RecordSink
    ) throws(InputError) {
        let stream = try input.open()
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 64)
        while true {
            let got: Result<Int, InputError> = piece.withUnsafeMutableBytes { buffer in
                do throws(InputError) { return .success(try stream.read(into: buffer)) } catch {
                    return .failure(error)
                }
            }
            let count = try got.get()
            if count == 0 { break }
            bytes += piece[..<count]
        }
        for (index, line) in bytes.split(separator: 0x0A).enumerated() {
            ByteView.with(Array(line)) { view in
                take(view, SourceUnit(line: index + 1, byteOffset: 0, raw: view), options, sink)
            }
        }
    }

    private func take(_ view: ByteView, _ unit: SourceUnit, _ options: ImportOptions, _ sink: any RecordSink) {
        let text = view.string
        let word = text.split(separator: " ").first.map(String.init) ?? ""
        if word == "#" { return sink.mark(unit, .header, code: "") }
        if let outcome = Outcome(rawValue: word) { return sink.mark(unit, outcome, code: "test") }
        if word == "bad" { return sink.reject(Finding(.actionUnknown, value: text, reason: "unknown"), from: [unit]) }
        var record = Self.record(Self.fields(text))
        if record.isBlank(.account) {
            record.set(.account, options.account ?? "fake")
            record.isAccountAssumed = options.account == nil
        }
        var records = [record]
        if word == "pair" { records.append(Self.record(["kind": "buy", "date": "2024-01-01"])) }
        sink.accept(records[...], from: [unit], warnings: [])
    }

    static func fields(_ line: String) -> [String: String] {
        var fields: [String: String] = [:]
        for word in line.split(separator: " ") {
            let parts = word.split(separator: "=", maxSplits: 1)
            if parts.count == 2 { fields[String(parts[0])] = String(parts[1]) }
        }
        return fields
    }

    static let texts: [String: Record.Text] = [
        "account": .account, "accountTitle": .accountTitle, "symbol": .symbol, "isin": .isin, "cusip": .cusip,
        "currency": .currency, "priceCurrency": .priceCurrency, "lot": .lot, "id": .sourceTxnID,
        "description": .description,
    ]
    static let numbers: [String: Record.Number] = [
        "units": .units, "price": .price, "amount": .amount, "commission": .commission, "fees": .fees, "tax": .tax,
        "accrued": .accruedInterest, "marketValue": .marketValue, "costBasis": .costBasis, "proceeds": .proceeds,
        "gainShort": .gainShort, "gainLong": .gainLong, "multiplier": .multiplier, "unitCost": .unitCost,
        "exchangeRate": .exchangeRate,
    ]

    static func record(_ fields: [String: String]) -> Record {
        var record = Record()
        record.kind = fields["kind"].flatMap(RecordKind.init) ?? .adjustment
        record.priceUnit = fields["unit"].flatMap(PriceUnit.init) ?? .share
        record.isReversal = fields["reverse"] != nil
        record.costsInAmount = fields["outside"] == nil
        record.covers = fields["covers"].flatMap(Record.Coverage.init) ?? .account
        for (name, text) in texts { if let value = fields[name] { record.set(text, value) } }
        for (name, number) in numbers { if let value = fields[name] { record[number] = ExactDecimal(exactly: value) } }
        record[.tradedAt] = fields["date"].flatMap { Instant(rfc3339: $0) }
        record[.pricedAt] = fields["priced"].flatMap { Instant(rfc3339: $0) }
        record[.acquiredAt] = fields["acquired"].flatMap { Instant(rfc3339: $0) }
        return record
    }
}

let catalog = Registry([LineImporter()])

/// Converts texts in memory; the files are in the folder.
func convert(
    _ inputs: [(String, String)], into folder: TemporaryFolder, _ change: (inout RunOptions) -> Void = { _ in }
) throws -> RunReport {
    var options = RunOptions(outputFolder: folder.path + "/out")
    options.columns = .core
    change(&options)
    var found = FoundInputs()
    found.inputs = inputs.map { MemoryInput(name: $0.0, bytes: Array($0.1.utf8)) }
    return try Run(options: options, catalog: catalog).convert(found)
}

/// The rows of a table, its header left out.
func rows(_ folder: TemporaryFolder, _ schema: String = "transaction") -> [String] {
    folder.text("out/openalloc.\(schema).csv").split(separator: "\n").dropFirst().map(String.init)
}
