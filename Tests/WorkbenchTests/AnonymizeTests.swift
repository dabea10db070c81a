import Delimited
import OpenAlloc
import TestSupport
import Testing

@testable import Importing

struct AnonymizeTests {
    private static func importer(_ input: MemoryInput) throws -> (any Importer)? {
        guard
            case .recognised(let best, _) = Registry(Known.importers + CodeImporters.all).decide(try InputSample(input))
        else { return nil }
        return best.importer
    }

    /// The first copy that its proof accepts; the last one's differences when none is.
    private static func copy(_ input: MemoryInput, _ importer: any Importer) throws -> (Anonymizer.Copy, [String])? {
        var last: (Anonymizer.Copy, [String])?
        for attempt in 0..<Anonymizer.attempts {
            guard
                let made = try ProvenCopy.make(
                    input, by: importer, vocabulary: Known.vocabulary, attempt: attempt)
            else { return nil }
            last = (made.copy, made.proof.differences)
            if made.proof.holds { break }
        }
        return last
    }

    /// Every sample of every format: none is refused.
    @Test func everyLineHasTheSameOutcome() async throws {
        let tried = try await timesTried(over: Repository.exports) { try Self.everyLineHasTheSameOutcome($0) }
        #expect(tried > 450)
    }

    /// How often it was tried on an export.
    private static func everyLineHasTheSameOutcome(_ path: String) throws -> Int {
        let input = try Repository.input(path)
        // Look-alikes are recognised as what no importer reads.
        guard let importer = try Self.importer(input) else { return 0 }
        let (copy, differences) = try #require(try Self.copy(input, importer))
        #expect(differences == [], "\(path)")
        #expect(copy.days < 0 && copy.days.isMultiple(of: 7) && copy.factor > 1, "\(path)")
        let original = try input.bytes(at: 0, count: input.byteCount)
        // An export without rows has nothing to replace.
        let hasRows = original.count(where: { $0 == 0x0A }) > 1
        #expect(!hasRows || copy.bytes != original, "\(path)")
        let again = try Self.copy(input, importer)
        #expect(again?.0.bytes == copy.bytes, "\(path)")
        return 1
    }

    /// Neither accounts nor ids nor the names of the invented owners come through, in any format.
    @Test func keepsNothingOfTheOwner() async throws {
        let tried = try await timesTried(over: Repository.exports) { try Self.keepsNothingOfTheOwner($0) }
        #expect(tried > 130)
    }

    /// How often it was tried on an export.
    private static func keepsNothingOfTheOwner(_ path: String) throws -> Int {
        let input = try Repository.input(path)
        guard let importer = try Self.importer(input), let (copy, _) = try Self.copy(input, importer) else { return 0 }
        let made = String(decoding: copy.bytes, as: UTF8.self)
        for name in ["Robin", "Jane", "Ms Ada", "Ada Sample", "ADA SAMPLE"] {
            #expect(!made.contains(name), "\(path): \(name)")
        }
        let secrets = Secrets()
        let sample = try InputSample(input)
        let context = try importer.context(of: input, sample: sample, options: ImportOptions())
        try importer.read(input, sample: sample, context: context, options: ImportOptions(), into: secrets)
        let words = made.split { !$0.isLetter && !$0.isNumber }
        let parts = Set(words.map(String.init))
        let survivors = secrets.runs.filter { parts.contains($0) || copy.name.contains($0) }
        #expect(survivors.isEmpty, "\(path): \(survivors.sorted().prefix(5))")
        return secrets.runs.isEmpty ? 0 : 1
    }

    /// No line of a copy has an amount of the line that it stands for, in whichever column.
    @Test func keepsNoAmount() async throws {
        let tried = try await timesTried(over: Repository.exports) { try Self.keepsNoAmount($0) }
        #expect(tried > 430)
    }

    /// How often it was tried on an export.
    private static func keepsNoAmount(_ path: String) throws -> Int {
        let input = try Repository.input(path)
        guard let importer = try Self.importer(input), let (copy, _) = try Self.copy(input, importer) else { return 0 }
        let amounts = Amounts()
        let sample = try InputSample(input)
        let context = try importer.context(of: input, sample: sample, options: ImportOptions())
        try importer.read(input, sample: sample, context: context, options: ImportOptions(), into: amounts)
        func lines(_ bytes: [UInt8]) -> [[String: Int]] {
            let text = String(decoding: TextDecoder.decode(bytes, as: sample.encoding), as: UTF8.self)
            return text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).map(Amounts.counts)
        }
        let made = lines(copy.bytes)
        let original = lines(try input.bytes(at: 0, count: input.byteCount))
        for (line, digits) in amounts.digits where made.indices.contains(line - 1) {
            // A price may have the same digits, and stays.
            let survivors = digits.filter { made[line - 1][$0] ?? 0 >= original[line - 1][$0] ?? 1 }
            #expect(survivors.isEmpty, "\(path), line \(line): \(survivors.sorted())")
        }
        return amounts.digits.isEmpty ? 0 : 1
    }

    /// A name and a number in any free text are replaced, also in a row that is about a security.
    @Test func replacesWhoGaveOrTook() async throws {
        let tried = try await timesTried(over: Repository.exports) { try Self.replacesWhoGaveOrTook($0) }
        #expect(tried > 60)
    }

    /// How often it was tried on an export.
    private static func replacesWhoGaveOrTook(_ path: String) throws -> Int {
        let input = try Repository.input(path)
        let sample = try InputSample(input)
        guard let importer = try Self.importer(input), sample.format == .delimited, sample.encoding == .utf8 else {
            return 0
        }
        let bytes = try input.bytes(at: 0, count: input.byteCount)
        let text = String(decoding: bytes, as: UTF8.self)
        let delimiter = Character(Unicode.Scalar(sample.dialect.delimiter))
        // What stays as it is names a security, a section, an action.
        let base = try Anonymizer.copy(input, by: importer, vocabulary: Known.vocabulary, attempt: 0)
        let kept = Set(
            String(decoding: base?.bytes ?? [], as: UTF8.self).split { $0 == delimiter || $0.isNewline })
        let addition = " from Zelda Zimmerwald 99887766"
        var lines: [String] = []
        for line in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
            let cells = line.split(separator: delimiter, omittingEmptySubsequences: false).map { cell in
                let isText =
                    cell.count > 12 && !kept.contains(cell) && cell.contains(" ")
                    && cell.allSatisfy { $0.isLetter || $0 == " " }
                return isText && line.contains(where: \.isNumber) ? cell + addition : String(cell)
            }
            lines.append(cells.joined(separator: String(delimiter)))
        }
        let changed = memory(input.name, lines.joined(separator: "\n"))
        guard
            let copy = try Anonymizer.copy(changed, by: importer, vocabulary: Known.vocabulary, attempt: 0)
        else { return 0 }
        let made = String(decoding: copy.bytes, as: UTF8.self)
        for secret in ["Zelda", "Zimmerwald", "99887766"] { #expect(!made.contains(secret), "\(path): \(secret)") }
        return changed.byteCount > bytes.count ? 1 : 0
    }

    @Test func replacesWhatIsSomebodys() throws {
        let text = """
            "Run Date","Account","Account Number","Action","Symbol","Description","Type","Price ($)","Quantity","Commission ($)","Fees ($)","Accrued Interest ($)","Amount ($)","Settlement Date"
            "07/30/2021","JANE EXAMPLE - ROTH IRA","Z71234567","YOU BOUGHT ACME ROBOTICS (ACME) (Cash)","ACME","ACME ROBOTICS","Cash","10.50","4","","","","-42.00","08/03/2021"
            "07/29/2021","JANE EXAMPLE - ROTH IRA","Z71234567","Electronic Funds Transfer Received from JANE EXAMPLE Z71234567 (Cash)","","No Description","Cash","","0.000","","","","100.00",""
            """
        let input = memory("Accounts_History.csv", text)
        guard case .recognised(let best, _) = Known.registry.decide(try InputSample(input)) else {
            Issue.record("not recognised")
            return
        }
        let copy = try #require(try Anonymizer.copy(input, by: best.importer, vocabulary: Known.vocabulary, attempt: 0))
        let made = String(decoding: copy.bytes, as: UTF8.self)
        for secret in ["JANE", "EXAMPLE", "71234567", "07/30/2021", "-42.00", "100.00"] {
            #expect(!made.contains(secret), "\(secret)")
        }
        for kept in [
            "ROTH IRA", "YOU BOUGHT ACME ROBOTICS (ACME)", "10.50", "\"ACME\"", "Electronic Funds Transfer Received",
        ] {
            #expect(made.contains(kept), "\(kept)")
        }
    }

    /// Amounts, days and ids in columns of another meaning, and in lines beside the rows.
    @Test(arguments: [
        ("binance/orders/with_fills_2018/orders.csv", ["2018-03-01 10:00:01"]),
        ("vanguard_uk/cash", ["1354.85", "1700.00"]), ("trading212/history/era-2020-gbp", ["****1234"]),
        ("etoro/activity", ["1,000.00 EUR"]), ("degiro/transactions/current-autofx", ["2302,22", "2293,72"]),
        ("ofx/statement/", ["5.326,43", "1.234,56"]), ("consorsbank/positions", ["688,91"]),
    ]) func replacesWhatStandsElsewhere(_ folder: String, _ secrets: [String]) throws {
        var found = 0
        for path in Repository.exports where path.contains("SampleData/" + folder) {
            let input = try Repository.input(path)
            let importer = try #require(try Self.importer(input))
            let (copy, _) = try #require(try Self.copy(input, importer))
            let original = String(decoding: try input.bytes(at: 0, count: input.byteCount), as: UTF8.self)
            let made = String(decoding: copy.bytes, as: UTF8.self)
            for secret in secrets where original.contains(secret) {
                found += 1
                #expect(!made.contains(secret), "\(secret)")
            }
        }
        #expect(found >= secrets.count)
    }

    @Test func tellsAWrongCopyFromARightOne() throws {
        let input = try Repository.input("SampleData/coinbase/fills/pounds-and-coins/fills.csv")
        let importer = try #require(Known.registry.importer("coinbase.fills"))
        let copy = try #require(try Anonymizer.copy(input, by: importer, vocabulary: Known.vocabulary, attempt: 0))
        let wrong = String(decoding: copy.bytes, as: UTF8.self).replacing("SELL", with: "BUY")
        let proof = try AnonymityProof(
            input, memory(copy.name, wrong), by: importer, days: copy.days, factor: copy.factor)
        #expect(!proof.holds)
    }

    @Test(arguments: [
        ("$1,234.56", "us", "$8,641.92"), ("-0.14", "us", "-0.98"), ("(999.00)", "us", "(6993.00)"),
        ("1.234,5", "eu", "8.641,5"),
        ("1 234,50 EUR", "eu", "8 641,50 EUR"), ("0.000", "us", "0.000"), (".5", "us", "3.5"),
        ("1'234.50", "us", "8'641.50"),
    ])
    func multipliesNumbersAsTheyAreWritten(_ text: String, _ style: String, _ wanted: String) throws {
        let scale = NumberScale(factor: 7)
        let style = try #require(NumberStyle.named(style))
        #expect(scale.scale(text, NumberReader(blanks: ["--"]), style, mayGroup: false) == wanted)
    }

    @Test(arguments: [
        ("03/11/2025", "MM/DD/YYYY", "03/04/2025"), ("3/1/2025", "M/D/YYYY", "2/22/2025"),
        ("01.03.25", "DD.MM.YY", "22.02.25"),
        ("2025-03-01T10:11:12Z", "iso", "2025-02-22T10:11:12Z"),
        ("Mar-01-2025 8:24 p.m ET", "MMM-DD-YYYY h:mm a zzz", "Feb-22-2025 8:24 p.m ET"),
        ("1 MAR 2025", "D MMM YYYY", "22 FEB 2025"), ("20250301", "YYYYMMDD", "20250222"),
    ])
    func movesDatesAsTheyAreWritten(_ text: String, _ pattern: String, _ wanted: String) throws {
        let shift = DateShift(days: -7, patterns: [try DatePattern(pattern)])
        #expect(shift.shift(text) == wanted)
    }

    /// Whatever is written reads as what was meant, for any number and any factor.
    @Test func scalingIsExact() throws {
        var random = SplitMix64(seed: 7)
        let reader = NumberReader(blanks: [])
        for _ in 0..<2000 {
            let whole = Int.random(in: 0..<10_000_000, using: &random)
            let text = "\(whole).\(Int.random(in: 10..<100, using: &random))"
            let factor = Int.random(in: 2..<40, using: &random)
            let made = try #require(
                NumberScale(factor: factor).scale(text, reader, .us, mayGroup: Bool.random(using: &random)))
            let old = try #require(ExactDecimal(exactly: text))
            guard case .value(let new, _) = withView(made, { reader.read($0, .us) }) else {
                Issue.record("\(made)")
                return
            }
            #expect(new == old.multiplied(by: ExactDecimal(factor)))
        }
    }
}

/// Collects the numbers of accounts and ids.
private final class Secrets: RecordSink {
    private(set) var runs: Set<String> = []

    private func note(_ record: Record) {
        for field in [Record.Text.account, .sourceTxnID] {
            let text = String(decoding: record.bytes(field), as: UTF8.self)
            for part in text.split(whereSeparator: { !$0.isLetter && !$0.isNumber }) {
                // Zeros stay, and a number of one digit has too few others to become.
                let digits = part.filter { ("1"..."9").contains($0) }
                if part.count >= 5, digits.count >= 3 { runs.insert(String(part)) }
            }
        }
    }

    func accept(_ records: ArraySlice<Record>, from units: [SourceUnit], warnings: [Finding]) {
        for record in records { note(record) }
    }
    func note(account record: Record, line: Int) { note(record) }
    func acceptRows(_ rows: [TableRow], from unit: SourceUnit, warnings: [Finding]) {}
    func reject(_ finding: Finding, from units: [SourceUnit]) {}
    func mark(_ unit: SourceUnit, _ outcome: Outcome, code: String) {}
    func warn(_ finding: Finding, line: Int?) {}
}

/// Collects the digits of amounts, without zeros at either end.
private final class Amounts: RecordSink {
    private(set) var digits: [Int: Set<String>] = [:]

    static func digits(_ text: String) -> String {
        let digits = text.filter(\.isNumber).drop { $0 == "0" }
        return String(String(digits.reversed().drop { $0 == "0" }).reversed())
    }

    /// How often a line has numbers of these digits, by any of the marks between them.
    static func counts(_ line: Substring) -> [String: Int] {
        let runs = line.split { !$0.isNumber && !".,' ".contains($0) }
        let numbers = runs.flatMap { run in [String(run)] + run.split { ", ".contains($0) }.map(String.init) }
        return Dictionary(numbers.map { (digits($0), 1) }, uniquingKeysWith: +)
    }

    func accept(_ records: ArraySlice<Record>, from units: [SourceUnit], warnings: [Finding]) {
        guard let line = units.first?.line, units.count == 1 else { return }
        func all(_ fields: [Record.Number]) -> Set<String> {
            Set(records.flatMap { record in fields.compactMap { record[$0].map { Self.digits($0.description) } } })
        }
        let kept: [Record.Number] = [.price, .sourcePrice, .unitCost, .multiplier, .exchangeRate]
        let found = all(Record.Number.allCases.filter { !kept.contains($0) }).subtracting(all(kept))
        // Fewer digits are too easily another number's.
        digits[line, default: []].formUnion(found.filter { $0.count > 3 })
    }
    func acceptRows(_ rows: [TableRow], from unit: SourceUnit, warnings: [Finding]) {}
    func reject(_ finding: Finding, from units: [SourceUnit]) {}
    func mark(_ unit: SourceUnit, _ outcome: Outcome, code: String) {}
    func warn(_ finding: Finding, line: Int?) {}
}
