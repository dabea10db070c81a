import Allocport
import Importing
import TestSupport
import Testing

/// Lists of several days of which newer rows were rejected.
@Suite struct StalePositionTests {
    private static let header = "date,symbol,quantity,avgCost,currency\n"
    private static let old = "2026-05-31,NORD,10,41.5,EUR\n2026-05-31,OLDCO,4,12,EUR\n"

    private static func run(_ files: [(name: String, rows: String)], account: String? = nil) throws
        -> (report: RunReport, holdings: [String], rejects: String)
    {
        let folder = try TemporaryFolder()
        var found = FoundInputs()
        found.inputs = files.map { MemoryInput(name: $0.name, bytes: Array((header + $0.rows).utf8)) }
        var options = RunOptions(outputFolder: folder.path + "/out")
        options.account = account
        let report = try Run(options: options, catalog: BuiltIn.registry()).convert(found)
        let holdings = rows(folder, "holding").map { row in
            let cells = row.split(separator: ",", omittingEmptySubsequences: false)
            return "\(cells[1])\(cells[2]) \(cells[3])"
        }
        return (report, holdings, folder.text("out/rejects/\(files[0].name)"))
    }

    private static let lost: [(rows: String, line: Int, says: String)] = [
        ("2026-06-30,NORD,x14,43.1,EUR\n", 4, "1 row of 2026-06-30 was rejected"),
        ("2026-06-30,NORD,14,43.1,€U\n2026-06-30,SUDA,1,x,EUR\n", 4, "2 rows of 2026-06-30 were rejected"),
        ("2026-06-30,NORD,x,43.1,EUR\n2026-07-31,SUDA,y,2,EUR\n", 5, "1 row of 2026-07-31 was rejected"),
        ("2026-06-31,NORD,14,43.1,EUR\n", 4, "1 row whose day cannot be read was rejected"),
    ]

    @Test(arguments: lost, [nil, "A1"]) func saysSo(
        _ lost: (rows: String, line: Int, says: String), _ account: String?
    ) throws {
        let run = try Self.run([("h.csv", Self.old + lost.rows)], account: account)
        #expect(run.holdings == ["NORD 10", "OLDCO 4"])
        let warnings = run.report.inputs[0].warnings.filter { $0.code == "position.stale" }
        #expect(warnings.map(\.line) == [lost.line])
        let message = try #require(warnings.first?.message)
        #expect(message.hasPrefix(lost.says) && message.contains("2026-05-31"), "\(message)")
        #expect(message.contains(account ?? "wealthfolio"))
        #expect(run.report.isBalanced)
    }

    @Test(arguments: [
        // Of the day that stands, of an earlier day, of cash alone, and what is no position.
        "2026-05-31,SUDA,x,2,EUR\n", "2026-04-30,NORD,x,2,EUR\n", "2026-06-30,$CASH-EUR,x,1,EUR\n",
        "2026-06-30,,5,1,EUR\n",
    ])
    func saysNothingWhereNothingIsStale(_ row: String) throws {
        let run = try Self.run([("h.csv", Self.old + row)])
        #expect(run.report.inputs[0].outcomes[.rejected] == 1)
        #expect(!run.report.inputs[0].warnings.contains { $0.code == "position.stale" })
    }

    @Test(
        arguments: [nil, "A1"],
        [("2026-06-30,NORD,x14,43.1,EUR\n", "x14", "14"), ("2026-06-31,NORD,14,43.1,EUR\n", "31", "30")])
    func isSilentOnceCorrected(_ account: String?, _ change: (row: String, from: String, to: String)) throws {
        let first = try Self.run([("h.csv", Self.old + change.row)], account: account)
        let mended = first.rejects.replacing(change.from, with: change.to).dropFirst(Self.header.count)
        let run = try Self.run([("h.csv", Self.old + change.row), ("h (2).csv", String(mended))], account: account)
        #expect(run.holdings == ["NORD 14"])
        #expect(!run.report.inputs.flatMap(\.warnings).contains { $0.code == "position.stale" })
        #expect(run.report.isBalanced)
    }
}

/// Positions of an export whose time only its file's name says, corrected under another name.
@Suite struct CorrectedPositionTests {
    @Test(arguments: [nil, "A1"], ["Portfolio_2026-06-19.csv", "Portfolio_2026-06-19 (2).csv", "fixed.csv"])
    func standsBesideTheOthers(_ account: String?, _ name: String) throws {
        let header = "Product,Symbol/ISIN,Amount,Closing,Local value,,Value in EUR\n"
        let broken = "POLDER 2030,NL0000000214,1x0,\"98,50\",EUR,\"98,50\",\"98,50\"\n"
        let sound = "POLDER CALL,NL0000001220,1,\"5,00\",EUR,\"5,00\",\"5,00\"\n"
        let folder = try TemporaryFolder()
        var found = FoundInputs()
        found.inputs = [
            MemoryInput(name: "Portfolio_2026-06-19.csv", bytes: Array((header + sound + broken).utf8)),
            MemoryInput(name: name, bytes: Array((header + broken.replacing("1x0", with: "1")).utf8)),
        ]
        var options = RunOptions(outputFolder: folder.path + "/out")
        options.account = account
        let report = try Run(options: options, catalog: BuiltIn.registry()).convert(found)
        #expect(rows(folder, "holding").count == 2)
        #expect(!report.inputs.flatMap(\.warnings).contains { $0.code.hasPrefix("position.") })
    }
}
