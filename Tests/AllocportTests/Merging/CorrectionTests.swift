import Allocport
import Importing
import TestSupport
import Testing

/// A corrected reject file and the file that it came from give together what a clean file would have given, twins of a
/// broken line included.
@Suite struct CorrectionTests {
    static let buy = "txn kind=buy account=A1 date=2024-03-01 symbol=VTI units=1 price=5 id=1\n"
    static let other = "txn kind=buy account=A1 date=2024-03-02 symbol=VTI units=2 price=5 id=2\n"

    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let files: [String]
        /// How many rows the clean file has.
        let rows: Int
    }

    static func broken(_ line: String) -> String { "bad" + line.dropFirst(3) }

    static let damaged = broken(buy)
    static let cases = [
        Case(testDescription: "a twin was broken", files: ["# \n" + buy + damaged, "# \n" + buy], rows: 2),
        Case(
            testDescription: "one of three, and another row",
            files: ["# \n" + buy + damaged + other + buy, "# \n" + buy], rows: 4),
        Case(
            testDescription: "two of three", files: ["# \n" + buy + damaged + other + damaged, "# \n" + buy + buy],
            rows: 4),
        Case(
            testDescription: "one of two corrected, then the other",
            files: [
                "# \n" + buy + damaged + other + broken(other),
                "# \n" + buy + broken(other), "# \n" + other,
            ], rows: 4),
        Case(
            testDescription: "a twin that was corrected in the second round",
            files: [
                "# \n" + buy + damaged + other + broken(other), "# \n" + buy + broken(other), "# \n" + other,
            ], rows: 4),
        Case(
            testDescription: "what is still broken corrects nothing",
            files: ["# \n" + buy + damaged + other, "# \n" + damaged], rows: 2),
        Case(
            testDescription: "an overlapping export besides",
            files: ["# \n" + buy + damaged + other, "# \n" + buy, "# x\n" + other + buy + buy], rows: 3),
        Case(
            testDescription: "an overlapping export has every twin",
            files: ["# \n" + buy + damaged + other, "# x\n" + buy + buy], rows: 3),
        Case(
            testDescription: "a line that is no correction is an overlap",
            files: ["# \n" + buy + "bad something else altogether\n", "# x\n" + buy], rows: 1),
        Case(
            testDescription: "more lines than were rejected are an overlap",
            files: ["# \n" + buy + damaged + other, "# x\n" + buy + other], rows: 2),
    ]

    @Test(arguments: cases) func togetherTheyAreTheCleanFile(_ wanted: Case) throws {
        var outputs: Set<String> = []
        for rotation in wanted.files.indices {
            let folder = try TemporaryFolder()
            let order = Array(wanted.files[rotation...] + wanted.files[..<rotation])
            let inputs = order.enumerated().map { ("\($0).txt", $1) }
            let report = try convert(inputs, into: folder) {
                $0.columns = .extended
                $0.verdicts = true
            }
            #expect(report.isBalanced)
            let got = rows(folder)
            #expect(got.count == wanted.rows, "\(got)")
            #expect(Set(got.compactMap { $0.split(separator: ",").first { $0.count == 32 } }).count == wanted.rows)
            outputs.insert(got.sorted().joined(separator: "\n"))
        }
        #expect(outputs.count == 1)
    }

    /// A small export could be taken for a correction: where that makes a difference and its name is none of a reject file,
    /// the report says so.
    @Test(arguments: [
        ("h.txt", true, []), ("h.0a1b2c3d.txt", true, []), ("h.0a1b2c3d.0a1b2c3e.txt", true, []),
        ("new.txt", true, ["input.correction"]), ("h.new.txt", true, ["input.correction"]), ("new.txt", false, []),
    ]) func saysWhereItCouldBeAnExport(_ name: String, _ hasTwin: Bool, _ codes: [String]) throws {
        let first = "# \n" + (hasTwin ? Self.buy : "") + Self.damaged + Self.other
        for order in [true, false] {
            let folder = try TemporaryFolder()
            let inputs = [("h.txt", first), (name, "# \n" + Self.buy)]
            let report = try convert(order ? inputs : inputs.reversed(), into: folder)
            #expect(report.isBalanced && report.exitCode == 1)
            #expect(rows(folder).count == (hasTwin ? 3 : 2))
            #expect(report.inputs.flatMap(\.warnings).map(\.code) == codes)
            #expect(report.inputs.map(\.corrected).max() == 1)
        }
    }

    /// Positions, too: two equal ones of which one was broken.
    @Test func twinPositions() throws {
        let line = "txn kind=position account=A1 symbol=VTI units=5 price=5 id=1\n"
        let first = "# exported=2024-03-01\n" + line + Self.broken(line) + line.replacing("VTI", with: "BND")
        let corrected = "# exported=2024-03-01\n" + line
        for inputs in [[("a", first), ("b", corrected)], [("b", first), ("a", corrected)]] {
            let folder = try TemporaryFolder()
            let report = try convert(inputs, into: folder)
            #expect(report.isBalanced && report.outcomes[.duplicate] == 0)
            #expect(rows(folder, "holding").sorted() == ["A1,BND,,5,,", "A1,VTI,#2,5,,", "A1,VTI,,5,,"])
            let evidence: [String] = report.inputs.flatMap(\.evidence)
            #expect(evidence.filter { $0.contains("rejected lines") }.count == 1)
        }
    }

    /// Rows of Flex are attributes: one of two equal payments was broken.
    @Test(arguments: [("a.xml", "b.xml"), ("b.xml", "a.xml")])
    func twinOfFlex(_ first: String, _ second: String) throws {
        func report(_ amounts: [String]) -> String {
            let rows = amounts.map { amount in
                """
                <CashTransaction accountId="U1" currency="USD" symbol="" description="CASH RECEIPTS" type="Deposits/Withdrawals"
                  dateTime="20250210" reportDate="20250210" amount='\(amount)' levelOfDetail="DETAIL"/>

                """
            }
            return """
                <FlexQueryResponse queryName="q" type="AF"><FlexStatements count="1">
                <FlexStatement accountId="U1" fromDate="20250101" toDate="20251231" whenGenerated="20260101;101500">
                <CashTransactions>
                \(rows.joined())</CashTransactions>
                </FlexStatement></FlexStatements></FlexQueryResponse>

                """
        }
        let clean = try convertBuiltIn([(first, Array(report(["500", "500", "20"]).utf8))])
        let broken = Array(report(["500", "5x0", "20"]).utf8)
        let rejects = try #require(try convertBuiltIn([(first, broken)]).text("rejects/" + first))
        let corrected = Array(rejects.replacing("5x0", with: "500").utf8)
        let joined = try convertBuiltIn([(first, broken), (second, corrected)])
        #expect(joined.isWhole && clean.transactions.rows.count == 3)
        #expect(difference(clean.transactions.content, joined.transactions.content) == [])
        #expect(difference(clean.transactions["rowID"], joined.transactions["rowID"]) == [])
    }

    private static let savedHeader =
        "Run Date,Account,Action,Symbol,Security Description,Security Type,Quantity,Price ($),Commission ($),Fees ($),"
        + "Accrued Interest ($),Amount ($),Settlement Date\n"

    /// A purchase as the brokerage writes it.
    private static func bought(_ symbol: String, on day: String = "05/14/2021", units: String = "12.50") -> String {
        "\(day),BROKERAGE 411000001, YOU BOUGHT \(symbol) TRUST (Cash), \(symbol), \(symbol) TRUST,Cash,\(units),40.20,,,,"
            + "-502.50,05/18/2021\n"
    }

    /// Ways in which a spreadsheet or a hand writes the corrected lines.
    enum SavedAs: CaseIterable {
        case semicolons, tabs, quoted, withoutZeros, withoutOne, withBlankCells

        func text(_ lines: [String]) -> String {
            var lines = lines
            if self == .withoutOne { lines.remove(at: 1) }
            return lines.map(line).joined()
        }

        private func line(_ line: String) -> String {
            switch self {
            case .semicolons: line.replacing(",", with: ";")
            case .tabs: line.replacing(",", with: "\t")
            case .quoted:
                line.dropLast().split(separator: ",", omittingEmptySubsequences: false).map { "\"\($0)\"" }
                    .joined(separator: ",") + "\r\n"
            case .withoutZeros:
                line.replacing("05/", with: "5/").replacing("0,", with: ",")
            case .withBlankCells: line.dropLast() + ",,\n"
            case .withoutOne: line
            }
        }
    }

    /// What a spreadsheet makes of a reject file is still its correction: the twin of a broken line counts.
    @Test(arguments: SavedAs.allCases) func savedByASpreadsheet(_ form: SavedAs) throws {
        let damaged = Self.bought("LKBD", units: "12 shares")
        let first =
            Self.savedHeader + Self.bought("NWTM", on: "05/13/2021") + Self.bought("LKBD")
            + Self.bought("NWTM", on: "13/13/2021") + damaged
        let corrected = form.text([Self.savedHeader, Self.bought("NWTM", on: "05/13/2021"), Self.bought("LKBD")])
        let clean = try convertBuiltIn([
            (
                "h.csv",
                Array(
                    (Self.savedHeader + Self.bought("NWTM", on: "05/13/2021") + Self.bought("LKBD")
                        + (form == .withoutOne ? "" : Self.bought("NWTM", on: "05/13/2021")) + Self.bought("LKBD")).utf8
                )
            )
        ])
        for names in [("a.csv", "b.csv"), ("b.csv", "a.csv")] {
            let joined = try convertBuiltIn([(names.0, Array(first.utf8)), (names.1, Array(corrected.utf8))])
            #expect(joined.isWhole)
            #expect(difference(clean.transactions.content, joined.transactions.content) == [])
            #expect(difference(clean.transactions["rowID"], joined.transactions["rowID"]) == [])
        }
    }

    /// Over the samples: a row is there twice, one of the two is broken, comes back, is corrected.
    @Test func twinsOfBrokenLinesStay() async throws {
        let tried = try await timesTried(over: Sample.all) { try Self.twinsOfBrokenLinesStay($0) }
        #expect(tried > 250)
    }

    /// How often it was tried on a sample.
    private static func twinsOfBrokenLinesStay(_ sample: Sample) throws -> Int {
        guard let plain = try Dissected(sample) else { return 0 }
        var tried = 0
        var random = SplitMix64(seed: UInt64(plain.lines.lines.count) &* 77)
        let candidates = plain.records.indices.filter { index in
            let verdict = plain.records[index].verdict
            return verdict.outcome == .accepted && verdict.rows.contains("openalloc/transaction")
        }
        for index in candidates.shuffled(using: &random).prefix(Sample.effort) {
            let lines = plain.records[index].lines
            let good = Array(plain.lines.lines[lines].joined())
            guard good.last == 0x0A || good.last == 0x0D else { continue }
            let twice = RoundTripTests.text(plain, replacing: lines, by: good + good)
            let clean = try RoundTripTests.convert(plain, [twice])
            // Where rows of one event are told together, or a balance runs along, a line cannot simply stand twice.
            let added = clean.transactions.rows.count - plain.whole.transactions.rows.count
            guard added == 1, clean.report.exitCode == plain.whole.report.exitCode else { continue }
            for cell in 0..<12 {
                guard let broken = RoundTripTests.broken(plain, lines, cell: cell, &random) else { continue }
                let first = RoundTripTests.text(plain, replacing: lines, by: good + broken)
                guard let rejects = try RoundTripTests.convert(plain, [first]).bytes("rejects/" + plain.name),
                    let place = rejects.firstRange(of: Lines.text(broken))
                else { continue }
                var corrected = rejects
                corrected.replaceSubrange(place, with: Lines.text(good))
                for pair in [[first, corrected], [corrected, first]] {
                    let joined = try RoundTripTests.convert(plain, pair)
                    #expect(
                        difference(clean.transactions.content, joined.transactions.content) == [],
                        "\(sample), line \(lines.lowerBound + 1): \(String(decoding: broken, as: UTF8.self))")
                    #expect(difference(clean.transactions["rowID"], joined.transactions["rowID"]) == [], "\(sample)")
                }
                tried += 1
                break
            }
        }
        return tried
    }
}
