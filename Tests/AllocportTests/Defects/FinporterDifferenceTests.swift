import Allocport
import Foundation
import TestSupport
import Testing

/// Where `transform` with FINporter's ids differs from FINporter on purpose: the table of `Importers/FINPORTER.md`.
@Suite struct FinporterDifferenceTests {
    struct Case: Sendable, CustomTestStringConvertible {
        /// The name of the difference in the table.
        let testDescription: String
        let importer: String
        var schema = "transaction"
        var file = "export.csv"
        let text: String
        /// The model's columns, joined by `|`; empty for no row.
        let ours: String
        let finporter: String
        var rejected = ""
    }

    private static let transactionHeader =
        "txnAction,txnTransactedAt,txnAccountID,txnSecurityID,txnLotID,txnSharePrice,txnShareCount\n"

    private static func fidelity(_ action: String, _ rest: String) -> String {
        "Brokerage\n\n" + Exports.fidelityHeader + "\n03/01/2021,CASH X0000000A,\(action),\(rest)\n"
    }

    private static func schwab(_ row: String) -> String {
        "\"Transactions  for account XXXX-5678 as of 10/01/2021 22:00:26 ET\"\n" + Exports.schwabHeader + "\n" + row
            + "\n"
    }

    static let cases = [
        Case(
            testDescription: "as-of date", importer: "chuck_history",
            text: schwab(#""08/16/2021 as of 08/15/2021","Bank Interest","","BANK INT","","","","$0.51""#),
            ours: "income|2021-08-15T16:00:00Z|XXXX-5678|||0.51|1||",
            finporter: "income|2021-08-16T16:00:00Z|XXXX-5678|||0.51|1||"),
        Case(
            testDescription: "cash moved", importer: "fido_history",
            text: fidelity("DEBIT CARD PURCHASE", ",No Description,Cash,,,,,,-12.50,"),
            ours: "transfer|2021-03-01T17:00:00Z|X0000000A|||-12.5|1||",
            finporter: "miscflow|2021-03-01T17:00:00Z|X0000000A|||-12.5|1||"),
        Case(
            testDescription: "unknown word", importer: "fido_history",
            text: fidelity("EXCHANGED FOR SOMETHING", "NWTM,NORTHWIND,Cash,-8,1,,,,-8,"), ours: "",
            finporter: "miscflow|2021-03-01T17:00:00Z|X0000000A|NWTM||-8|1||", rejected: "action.unknown"),
        Case(
            testDescription: "sign of a purchase", importer: "fido_history",
            text: fidelity("REINVESTMENT NORTHWIND (NWTM) (Cash)", "NWTM,NORTHWIND,Cash,-8,1,,,,-8,"),
            ours: "buysell|2021-03-01T17:00:00Z|X0000000A|NWTM||8|1||",
            finporter: "buysell|2021-03-01T17:00:00Z|X0000000A|NWTM||-8|1||"),
        Case(
            testDescription: "sign of a price", importer: "chuck_history",
            text: schwab(#""08/16/2021","Security Transfer","NWTM","ACAT 0001","100.0","120.0010","","-$12000.10""#),
            ours: "transfer|2021-08-16T16:00:00Z|XXXX-5678|NWTM||-100|120.001||",
            finporter: "transfer|2021-08-16T16:00:00Z|XXXX-5678|NWTM||100|-120.001||"),
        Case(
            testDescription: "short line", importer: "fido_history",
            text: fidelity("YOU SOLD NORTHWIND (NWTM) (Cash)", "NWTM,NORTHWIND,Cash,-8,10,,0.08,80,03/05/2021"),
            ours: "",
            finporter: "buysell|2021-03-01T17:00:00Z|X0000000A|NWTM||-8|10||", rejected: "row.short"),
        Case(
            testDescription: "price's time", importer: "fido_positions", schema: "security",
            file: "Portfolio_Positions_Jun-30-2021.csv",
            text: Exports.positionsHeader
                + "\nZ00000000,Mine,NWTM,NORTHWIND,9,$50.25,,$452.25,,,,,50%,$400.00,$44.44,Cash\n",
            ours: "NWTM||50.25|2021-06-30T16:00:00Z|", finporter: "NWTM||50.25||"),
        Case(
            testDescription: "no account", importer: "tabular",
            text: transactionHeader + "buysell,2020-12-31,   ,NWTM,,1,1\n", ours: "",
            finporter: "buysell|2020-12-31T00:00:00Z||NWTM||1|1||", rejected: "field.missing"),
        Case(
            testDescription: "no price", importer: "tabular",
            text: transactionHeader + "buysell,2020-12-31,1,NWTM,,xxx,1\n", ours: "",
            finporter: "buysell|2020-12-31T00:00:00Z|1|NWTM||1|||", rejected: "number.invalid"),
        Case(
            testDescription: "no units", importer: "tabular",
            text: transactionHeader + "buysell,2020-12-31,1,NWTM,,1,xxx\n", ours: "",
            finporter: "buysell|2020-12-31T00:00:00Z|1|NWTM||0|1||", rejected: "number.invalid"),
    ]

    @Test(arguments: cases) func differs(_ wanted: Case) throws {
        let got = try convertBuiltIn(wanted.file, wanted.text) {
            $0.importerID = wanted.importer
            $0.timeZone = "America/New_York"
            $0.columns = .core
        }
        let rows = got.table(wanted.schema).rows.map { $0.joined(separator: "|") }
        #expect(rows == (wanted.ours.isEmpty ? [] : [wanted.ours]))
        #expect(!rows.contains(wanted.finporter))
        #expect(got.rejects["code"] == (wanted.rejected.isEmpty ? [] : [wanted.rejected]))
        #expect(got.report.exitCode == (wanted.rejected.isEmpty ? 0 : 1) && got.isWhole)
    }

    /// The table lists these, all of them, and no others.
    @Test func theTableIsComplete() throws {
        let text = try String(contentsOfFile: Repository.root + "/Importers/FINPORTER.md", encoding: .utf8)
        let section = text.split(separator: "## Where the rows differ").last ?? ""
        let rows = section.split(separator: "\n").filter { $0.hasPrefix("| ") }.dropFirst().map { line in
            line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
        }
        #expect(rows.map { $0[0] } == Self.cases.map(\.testDescription))
        for (row, wanted) in zip(rows, Self.cases) where !wanted.rejected.isEmpty {
            #expect(row[2].contains("`\(wanted.rejected)`"))
        }
        let tests = try Self.names(of: Repository.root + "/Tests/AllocportTests/Defects")
        for row in rows {
            let number = row[3].dropFirst()
            let name = "func d\(number.count < 2 ? "0" : "")\(number)"
            #expect(tests.contains(name), "no test of \(row[3])")
        }
    }

    private static func names(of folder: String) throws -> String {
        try FileManager.default.contentsOfDirectory(atPath: folder).map {
            try String(contentsOfFile: folder + "/" + $0, encoding: .utf8)
        }.joined()
    }
}
