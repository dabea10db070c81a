import Allocport
import Importing
import OpenAlloc
import Testing

/// Rows that the predecessor lost without a word (D1, D4 to D11).
@Suite struct DataLossTests {
    /// D1: everything vanished above 111,109 rows, or 95,236 in one block.
    @Test func d01EverySizeComesOut() throws {
        var sizes = [111_110]
        if Sample.environment("ALLOCPORT_LARGE") == "1" { sizes.append(1_000_000) }
        for count in sizes {
            let rows = (0..<count).map { Exports.fidelityRow(units: "\($0 % 97 + 1)", price: "2", amount: "-\(($0 % 97 + 1) * 2)") }
            let got = try convertBuiltIn("Accounts_History.csv", Exports.fidelity(rows)) { $0.columns = .core }
            #expect(got.report.tables.first { $0.schema == .transaction }?.rows == count)
            #expect(got.report.exitCode == 0 && got.report.outcomes[.accepted] == count)
        }
        let rows = (0..<95_237).map { Exports.schwabRow(units: "\($0 % 97 + 1)", amount: "-$\(($0 % 97 + 1) * 5)") }
        let got = try convertBuiltIn("t.csv", Exports.schwab(rows)) { $0.columns = .core }
        #expect(got.report.tables.first { $0.schema == .transaction }?.rows == 95_237)
        #expect(got.isWhole && got.report.exitCode == 0)
    }

    /// D4: a block whose account has a title was skipped.
    @Test(arguments: ["Joint Tenant ...234", "General Investing ...234", "...234"])
    func d04AccountLinesWithTitles(_ account: String) throws {
        let text = Exports.schwab(
            [Exports.schwabRow()], banner: "Transactions  for account \(account) as of 09/27/2021 09:01:02 AM ET")
        let got = try convertBuiltIn("XX234_Transactions_20210927.csv", text)
        #expect(got.transactions.shown("txnAccountID", "txnSecurityID", "txnShareCount") == ["...234|SCHB|10"])
        #expect(got.isWhole && got.report.exitCode == 0)
    }

    /// D5: a blank line ended the table.
    @Test func d05BlankLines() throws {
        let rows = [Exports.fidelityRow(), "", Exports.fidelityRow(units: "20", amount: "-100"), "", "", Exports.fidelityRow()]
        let got = try convertBuiltIn("Accounts_History.csv", Exports.fidelity(rows))
        #expect(got.transactions["txnShareCount"] == ["10", "20", "10"])
        #expect(got.isWhole)
        let schwab = try convertBuiltIn("t.csv", Exports.schwab([Exports.schwabRow(), "", Exports.schwabRow()]))
        #expect(schwab.transactions.rows.count == 2)
    }

    /// D6: a blank line within a quoted cell cut the table.
    @Test func d06BlankLinesInQuotes() throws {
        let rows = [Exports.schwabRow(description: "two\n\nlines"), Exports.schwabRow(symbol: "VOO")]
        let got = try convertBuiltIn("t.csv", Exports.schwab(rows))
        #expect(got.transactions.shown("txnSecurityID", "description") == ["SCHB|two\n\nlines", "VOO|SCHWAB US BROAD MARKET ETF"])
        #expect(got.report.exitCode == 0 && got.isWhole)
    }

    /// D7: without a line end the last row was lost.
    @Test(arguments: ["", "\n", "\r\n", "\r", " "]) func d07NoLineEnd(_ ending: String) throws {
        let text = Exports.smart(["EFA,International Equities,5%,0", "GLD,Gold,6%,0"], ending: ending)
        let got = try convertBuiltIn("Allocate Smartly Model Portfolio.csv", text)
        #expect(got.table("allocation").rows == [["20M", "Intl", "0.05", "false"], ["20M", "Gold", "0.06", "false"]])
        let table = try convertBuiltIn("t.csv", Exports.table(["income,2021-03-01,A,,,1"]).dropLast() + ending)
        #expect(table.report.outcomes[.rejected] + table.transactions.rows.count == 1)
    }

    /// D8: rejects showed only in a second run that suppressed the rest.
    @Test func d08RejectsStandBesideRows() throws {
        let got = try convertBuiltIn("t.csv", Exports.schwab([Exports.schwabRow(date: "bad"), Exports.schwabRow()]))
        #expect(got.transactions.rows.count == 1)
        #expect(got.rejects.shown("file", "line", "column", "code", "value") == ["t.csv|3|Date|date.invalid|bad"])
        #expect(got.report.exitCode == 1)
        #expect(got.text("rejects/t.csv")?.contains(#""bad","Buy""#) == true)
        let input = MemoryInput(name: "t.csv", bytes: Array(Exports.schwab([Exports.schwabRow(date: "bad"), Exports.schwabRow()]).utf8))
        let result = try Run(options: RunOptions(), catalog: BuiltIn.registry()).transform(input, schema: .transaction)
        #expect(Table(result.table).rows.count == 1 && Table(result.rejects).rows.count == 1)
    }

    /// D10: a time within the hour that daylight saving skips rejected the row.
    @Test(arguments: ["03/14/2021", "11/07/2021"]) func d10SkippedHours(_ date: String) throws {
        let text = Exports.fidelity([Exports.fidelityRow(date: date)])
        for time in [nil, 2 * 3600 + 1800, 3600 + 1800, 0, 86_399] {
            let got = try convertBuiltIn("Accounts_History.csv", text) {
                $0.timeZone = "America/New_York"
                $0.secondOfDay = time
            }
            #expect(got.report.exitCode == 0)
            let moment = Instant(rfc3339: got.transactions["txnTransactedAt"].first ?? "")
            // The day in New York is the file's, whatever the hour: the hours from UTC are four or five.
            let day = moment?.adding(seconds: -5 * 3600)?.civil.date.description
            let summerDay = moment?.adding(seconds: -4 * 3600)?.civil.date.description
            let wanted = date == "03/14/2021" ? "2021-03-14" : "2021-11-07"
            #expect([day, summerDay].contains(wanted), "\(String(describing: moment))")
        }
        let noon = try convertBuiltIn("Accounts_History.csv", text)
        #expect(noon.transactions["txnTransactedAt"].first?.hasSuffix(date == "03/14/2021" ? "16:00:00Z" : "17:00:00Z") == true)
    }

    /// D11: cash positions, which have no quantity, were lost.
    @Test func d11CashInPositions() throws {
        let rows = [
            Exports.position("X11110000", "RVBK"),
            "X11110000,Core Portfolio,SPAXX**,HELD IN MONEY MARKET,,,,$800.00 ,,,,,100.00%,,,Cash,",
        ]
        let got = try convertBuiltIn("Portfolio_Positions_Nov-14-2025.csv", Exports.positions(rows))
        #expect(got.holdings.shown("holdingAccountID", "holdingSecurityID", "shareCount", "marketValue").last == "X11110000|SPAXX|800|800")
        #expect(got.report.exitCode == 0)
    }
}
