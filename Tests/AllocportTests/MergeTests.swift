import Allocport
import Importing
import OpenAlloc
import TestSupport
import Testing

@Suite struct MergeTests {
    static func buy(_ day: Int, _ units: Int = 1, account: String = "account=A1") -> String {
        "txn kind=buy \(account) date=2024-03-0\(day) symbol=VTI units=\(units) price=5\n"
    }

    /// Twins stay, overlaps vanish; the order and names of the inputs change nothing.
    @Test func multisetUnion() throws {
        let first = "# one\n" + Self.buy(1) + Self.buy(2) + Self.buy(2)
        let second = "# two\n" + Self.buy(2) + Self.buy(2) + Self.buy(2) + Self.buy(3)
        var outputs: Set<String> = []
        for inputs in [[("a.txt", first), ("b.txt", second)], [("b.txt", second), ("a.txt", first)]] {
            let folder = try TemporaryFolder()
            let report = try convert(inputs, into: folder) { $0.columns = .extended }
            #expect(report.tables.first { $0.schema == .transaction }?.rows == 5)
            #expect(report.outcomes[.duplicate] == 2 && report.outcomes[.accepted] == 5)
            #expect(report.isBalanced && report.exitCode == 0)
            outputs.insert(
                (folder.text("out/openalloc.transaction.csv")) + (folder.text("out/report.json")))
        }
        #expect(outputs.count == 1)
    }

    /// A row's id does not depend on the file that it came from.
    @Test func rowIDsAreStable() throws {
        func ids(_ inputs: [(String, String)]) throws -> Set<String> {
            let folder = try TemporaryFolder()
            _ = try convert(inputs, into: folder) { $0.columns = .extended }
            let place = Schema.transaction.index(of: "rowID") ?? 0
            return Set(rows(folder).map { String($0.split(separator: ",", omittingEmptySubsequences: false)[place]) })
        }
        let all = "# \n" + Self.buy(1) + Self.buy(2) + Self.buy(2)
        let parts = [("a.txt", "# a\n" + Self.buy(1) + Self.buy(2)), ("b.txt", "# b\n" + Self.buy(2) + Self.buy(2))]
        let whole = try ids([("all.txt", all)])
        #expect(whole.count == 3)
        #expect(try ids(parts) == whole)
    }

    @Test func sameBytesCountOnce() throws {
        let folder = try TemporaryFolder()
        let text = "# \n" + Self.buy(1) + "bad line\nfooter\n"
        let report = try convert([("a.txt", text), ("b.txt", text)], into: folder)
        #expect(report.inputs.map { $0.outcomes[.duplicate] } == [0, 2])
        #expect(report.inputs.map(\.units) == [4, 4])
        #expect(rows(folder).count == 1 && rows(folder, "meta.source").count == 1)
        #expect(report.isBalanced)
    }

    @Test func unnamedAccountsNeverMerge() throws {
        let inputs = [
            ("a.txt", "# a\n" + Self.buy(1, account: "")), ("b.txt", "# b\n" + Self.buy(1, account: "")),
        ]
        let folder = try TemporaryFolder()
        let report = try convert(inputs, into: folder)
        #expect(rows(folder).count == 2)
        #expect(report.inputs.map(\.wouldMerge).reduce(0, +) == 1)
        #expect(report.inputs.allSatisfy { $0.warnings.map(\.code) == ["account.assumed"] })
        let named = try TemporaryFolder()
        _ = try convert(inputs, into: named) { $0.account = "A9" }
        #expect(rows(named).count == 1)
    }

    @Test func newestPositionsWin() throws {
        func positions(_ date: String, _ units: Int) -> String {
            """
            # exported=\(date)
            txn kind=position account=A1 symbol=VTI units=\(units) price=5
            txn kind=position account=A1 symbol=BND units=1 price=7 costBasis=6

            """
        }
        let folder = try TemporaryFolder()
        let inputs = [("new.txt", positions("2024-03-02", 20)), ("old.txt", positions("2024-03-01", 10))]
        let report = try convert(inputs, into: folder)
        #expect(rows(folder, "holding") == ["A1,VTI,,20,,", "A1,BND,,1,6,"])
        #expect(report.inputs.map(\.name) == ["old.txt", "new.txt"])
        #expect(report.inputs.map { $0.outcomes[.duplicate] } == [2, 0])
        #expect(report.inputs[0].warnings.map(\.code) == ["position.superseded"])
        #expect(rows(folder, "account").count == 1 && rows(folder, "security").count == 2)
        #expect(report.isBalanced)
    }

    @Test func equalPositionsAreToldApart() throws {
        let folder = try TemporaryFolder()
        let line = "txn kind=position account=A1 symbol=VTI units=5 price=5\n"
        let report = try convert([("a.txt", "# \n" + line + line)], into: folder)
        #expect(rows(folder, "holding") == ["A1,VTI,,5,,", "A1,VTI,#2,5,,"])
        #expect(report.outcomes[.accepted] == 2)
    }

    static let lotCases: [(lots: [Int], rows: [String], warnings: Int)] = [
        ([4, 6], ["-4", "-6"], 0), ([4, 5], ["-10", "-4", "-5"], 1), ([], ["-10"], 0),
    ]

    @Test(arguments: lotCases) func lotsTakeTheSalesPlace(_ lots: [Int], _ expected: [String], _ warnings: Int) throws {
        let sale =
            "# exported=2024-03-02\ntxn kind=sell account=A1 date=2024-03-01 symbol=VTI units=10 price=5 amount=50\n"
        var text = "# exported=2024-03-03\n"
        for lot in lots {
            text +=
                "txn kind=closedLot account=A1 date=2024-03-01 symbol=VTI units=\(lot) proceeds=\(lot * 5) gainLong=1\n"
        }
        for format in [RunOptions.Format.csv, .json] {
            let folder = try TemporaryFolder()
            let report = try convert([("sale.txt", sale), ("lots.txt", text)], into: folder) {
                $0.format = format
                $0.verdicts = true
            }
            let isReplaced = !lots.isEmpty && warnings == 0
            #expect(report.inputs[0].outcomes[.duplicate] == (isReplaced ? 1 : 0))
            #expect(report.inputs[1].warnings.filter { $0.code == "lot.mismatch" }.count == warnings)
            #expect(report.isBalanced)
            #expect(folder.text("out/rows.ndjson").contains(#""outcome":"duplicate""#) == isReplaced)
            if format == .csv {
                #expect(
                    rows(folder).map { String($0.split(separator: ",", omittingEmptySubsequences: false)[5]) }
                        == expected)
            } else {
                let json = folder.text("out/openalloc.transaction.json")
                #expect(json.hasPrefix("[\n{") && json.hasSuffix("}\n]\n"))
                #expect(json.split(separator: "\n").filter { $0.hasSuffix("},") }.count == expected.count - 1)
            }
        }
    }

    /// A name that is only spelled otherwise contradicts nothing, and hides nothing that does.
    @Test(arguments: [
        ("description=NORTHWIND-MKT", "description=Northwind-Market-ETF", []),
        ("description=Northwind", "description=Contoso", ["title"]),
        ("description=NORTHWIND isin=US0378331005", "description=Northwind isin=US5949181045", ["isin"]),
    ]) func spellingsAreNone(_ old: String, _ new: String, _ columns: [String]) throws {
        let folder = try TemporaryFolder()
        let same = "account=A1 symbol=NWTM units=1 price=1"
        let inputs = [
            ("a.txt", "# exported=2024-03-01\ntxn kind=position \(same) \(old)\n"),
            ("b.txt", "# exported=2024-03-02\ntxn kind=position \(same) \(new)\n"),
        ]
        let report = try convert(inputs, into: folder) { $0.columns = .extended }
        let conflicts = report.inputs[1].warnings.filter { $0.code == "reference.conflict" }
        #expect(conflicts.map(\.column) == columns)
    }

    @Test func contradictingReferencesAreReported() throws {
        let folder = try TemporaryFolder()
        let inputs = [
            ("a.txt", "# exported=2024-03-01\ntxn kind=account account=A1 accountTitle=Old\n"),
            ("b.txt", "# exported=2024-03-02\ntxn kind=account account=A1 accountTitle=New\n"),
        ]
        let report = try convert(inputs, into: folder)
        #expect(rows(folder, "account") == ["A1,New,,,"])
        #expect(report.inputs[1].warnings.map(\.code) == ["reference.conflict"])
    }
}
