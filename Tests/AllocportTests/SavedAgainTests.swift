import Allocport
import Importing
import OpenAlloc
import TestSupport
import Testing

/// What shells and spreadsheets do to downloads loses no row of any sample.
@Suite struct SavedAgainTests {
    private static let delimited = Sample.all.filter {
        !$0.name.hasSuffix("fx") && !$0.name.hasSuffix("FX") && !$0.name.hasSuffix("xml")
            && !$0.bytes.starts(with: [0xFF, 0xFE])
    }

    /// A file appended to itself: each row stands twice, and nothing goes by in silence.
    @Test func appended() async throws {
        let tried = try await timesTried(over: Self.delimited) { try Self.appended($0) }
        #expect(tried > 400)
    }

    /// How often it was tried on a sample.
    private static func appended(_ sample: Sample) throws -> Int {
        let bytes = sample.bytes
        let again = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(bytes.dropFirst(3)) : bytes
        let end: [UInt8] = bytes.last == 0x0A || bytes.last == 0x0D ? [] : [0x0A]
        guard let (once, twice) = try Self.convert(sample, bytes, bytes + end + again) else { return 0 }
        let rows = once.table("transaction").core
        #expect(difference((rows + rows).sorted(), twice.table("transaction").core.sorted()) == [], "\(sample)")
        // A line of the second banner cannot be told from a broken row: it is none of those that say nothing.
        #expect(Self.rejected(twice) >= 2 * Self.rejected(once), "\(sample)")
        #expect(twice.isWhole, "\(sample)")
        return 1
    }

    /// Lines that were sorted, so that rows stand above the header: what is rejected below it stays rejected, though the
    /// same line was above. All is written twice, which gives each such row its double.
    @Test func movedAboveTheHeader() async throws {
        let tried = try await timesTried(over: Self.delimited) { try Self.movedAboveTheHeader($0) }
        #expect(tried > 120)
    }

    /// How often it was tried on a sample.
    private static func movedAboveTheHeader(_ sample: Sample) throws -> Int {
        let before = try convertBuiltIn([(sample.name, sample.bytes)]) {
            $0.columns = .core
            $0.verdicts = true
        }
        let outcomes = before.verdicts
        let rejected = outcomes.filter { $0.outcome == .rejected }.map(\.line)
        let lines = Lines(sample.bytes)
        // Quoted line ends would cut a row.
        guard before.report.inputs.first?.importer != nil, lines.lines.count == outcomes.count else { return 0 }
        var moved: [UInt8] = []
        for line in rejected where line <= lines.lines.count { moved += lines.text(line - 1) + [0x0A] }
        guard !moved.isEmpty else { return 0 }
        let after = try convertBuiltIn([(sample.name, moved + sample.bytes)]) { $0.columns = .core }
        guard after.report.inputs.first?.importer == before.report.inputs.first?.importer else { return 0 }
        #expect(Self.rejected(after) >= rejected.count, "\(sample)")
        return 1
    }

    /// Lines that were sorted: what was a row is none of those that say nothing, wherever it has come to stand.
    @Test(arguments: delimited)
    func sorted(_ sample: Sample) throws {
        let before = try convertBuiltIn([(sample.name, sample.bytes)]) {
            $0.columns = .core
            $0.verdicts = true
        }
        let lines = Lines(sample.bytes)
        // Quoted line ends would cut a row.
        guard let importer = before.report.inputs.first?.importer, lines.lines.count == before.verdicts.count else {
            return
        }
        let accepted = Set(before.verdicts.filter { $0.outcome == .accepted }.map { lines.text($0.line - 1) })
        let sorted = lines.lines.indices.map { lines.text($0) }.sorted { $0.lexicographicallyPrecedes($1) }
        let after = try convertBuiltIn([(sample.name, sorted.flatMap { $0 + [0x0A] })]) {
            $0.columns = .core
            $0.verdicts = true
        }
        // Rows of a second table are not told by the header of the first.
        let headers = before.verdicts.filter { $0.outcome == .header }
        guard after.report.inputs.first?.importer == importer, let header = headers.first, headers.count == 1 else {
            return
        }
        for verdict in after.verdicts where [.preamble, .footer].contains(verdict.outcome) {
            let line = sorted[verdict.line - 1]
            guard accepted.contains(line) else { continue }
            // Lines that are part of an event may be no row by themselves.
            let alone = try convertBuiltIn([(sample.name, lines.text(header.line - 1) + [0x0A] + line + [0x0A])])
            #expect(
                alone.report.outcomes[.accepted] == 0, "\(verdict.outcome): \(String(decoding: line, as: UTF8.self))")
        }
    }

    /// However many rows stand above the header, none is passed over.
    @Test func manyRowsAboveTheHeader() throws {
        let header = "Run Date,Account,Action,Symbol,Description,Type,Quantity,Price ($),Amount ($)\n"
        var rows = ""
        for row in 0..<12_000 {
            rows += "01/\(10 + row % 18)/2024,Roth X1,YOU BOUGHT,ACME,ACME,Cash,\(row + 1),10.00,-\(row * 10 + 10).00\n"
        }
        let below = try convertBuiltIn("h.csv", header + rows)
        #expect(below.report.outcomes[.accepted] == 12_000)
        let above = try convertBuiltIn("h.csv", rows + header) { $0.importerID = below.firstInput?.importer }
        #expect(above.report.outcomes[.rejected] == 12_000)
        let again = try convertBuiltIn("h.csv", above.text("rejects/h.csv") ?? "")
        #expect(again.transactions.core == below.transactions.core)
    }

    /// Dates without their leading zeros are the same days.
    @Test func withoutLeadingZeros() async throws {
        let tried = try await timesTried(over: Self.delimited.filter { $0.bytes.contains(0x2F) }) {
            try Self.withoutLeadingZeros($0)
        }
        #expect(tried > 250)
    }

    /// How often it was tried on a sample.
    private static func withoutLeadingZeros(_ sample: Sample) throws -> Int {
        // There the symbol of an option is made of its date's text.
        if sample.path.contains("tastytrade/legacy") { return 0 }
        let bytes = sample.bytes
        guard let (before, after) = try Self.convert(sample, bytes, Self.withoutZeros(bytes)) else { return 0 }
        let days = (before.table("transaction")["txnTransactedAt"], after.table("transaction")["txnTransactedAt"])
        #expect(difference(days.0.sorted(), days.1.sorted()) == [], "\(sample)")
        #expect(Self.rejected(after) == Self.rejected(before), "\(sample)")
        return 1
    }

    /// The samples are not passed over.
    @Test func hasSamples() throws {
        #expect(Self.delimited.count > 300)
        let text = Array("a,01/02/2024,x 11/09/2023 09:30,1/02/2024,2024/01/02,1101/02/2024".utf8)
        let changed = String(decoding: Self.withoutZeros(text), as: UTF8.self)
        #expect(changed == "a,1/2/2024,x 11/9/2023 09:30,1/02/2024,2024/01/02,1101/02/2024")
    }

    /// Both conversions; nil where the sample alone is not recognised.
    private static func convert(
        _ sample: Sample, _ one: [UInt8], _ other: [UInt8]
    ) throws -> (Converted, Converted)? {
        let before = try convertBuiltIn([(sample.name, one)]) { $0.columns = .core }
        guard before.report.inputs.first?.importer != nil else { return nil }
        let after = try convertBuiltIn([(sample.name, other)]) { $0.columns = .core }
        #expect(after.report.inputs.first?.importer == before.report.inputs.first?.importer)
        return (before, after)
    }

    private static func rejected(_ converted: Converted) -> Int {
        converted.report.inputs.reduce(0) { $0 + $1.outcomes[.rejected] }
    }

    /// `01/02/2024` as `1/2/2024`, wherever it stands.
    private static func withoutZeros(_ bytes: [UInt8]) -> [UInt8] {
        var result: [UInt8] = []
        var place = 0
        func isDigit(_ place: Int) -> Bool { place < bytes.count && (0x30...0x39).contains(bytes[place]) }
        func isDate(_ place: Int) -> Bool {
            let digits = [0, 1, 3, 4, 6, 7, 8, 9].allSatisfy { isDigit(place + $0) }
            let isApart = place == 0 || !isDigit(place - 1) && bytes[place - 1] != 0x2F
            return digits && isApart && bytes[place + 2] == 0x2F && bytes[place + 5] == 0x2F && !isDigit(place + 10)
        }
        while place < bytes.count {
            guard isDate(place) else {
                result.append(bytes[place])
                place += 1
                continue
            }
            for start in [place, place + 3] {
                result += bytes[start..<start + 3].drop { $0 == 0x30 }
            }
            result += bytes[place + 6..<place + 10]
            place += 10
        }
        return result
    }
}
