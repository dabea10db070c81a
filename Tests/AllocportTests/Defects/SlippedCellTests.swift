import Allocport
import TestSupport
import Testing

/// Cells that have slipped, lines that a spreadsheet has moved, and days that it has written anew.
struct SlippedCellTests {
    private static func purchase(of symbol: String) throws -> Converted {
        let text = """
            Account Number,Trade Date,Settlement Date,Transaction Type,Transaction Description,Investment Name,Symbol,\
            Shares,Share Price,Principal Amount,Commission Fees,Net Amount,Accrued Interest,Account Type,
            1,01/05/2026,01/08/2026,Buy,Buy,SAMPLE CORP,"\(symbol)",10.000,50.00,-500.00,7.00,-507.00,0.0,CASH,

            """
        return try convertBuiltIn([("OfxDownload.csv", Array(text.utf8))])
    }

    @Test(arguments: ["430,50", "1,234.56", "12.5", "+12.50%", "$5", "(3)", "-2", "3/31/26", "2026-03-31"])
    func aNumberOrADayNamesNoSecurity(_ symbol: String) throws {
        let input = try #require(try Self.purchase(of: symbol).firstInput)
        #expect(input.errors.map(\.code) == ["value.invalid"] && input.errors.first?.value == symbol)
    }

    @Test(arguments: ["0700", "005930", "BRK/B", "BRK.B", "7203.T", "4-5", "12-34-567890", "1X"])
    func codesDo(_ symbol: String) throws {
        let run = try Self.purchase(of: symbol)
        #expect(run.firstInput?.errors == [] && run.transactions["txnSecurityID"] == [symbol])
    }

    /// A column of one's own in front of all others moves the lines above the table, too.
    @Test func linesOutsideTheTableAreKnownBehindAnEmptyCell() throws {
        let name = "AccountHoldings.csv"
        let text = try Repository.text("SampleData/cibc/holdings/one-currency/AccountHoldings.csv")
        let moved = text.split(separator: "\n", omittingEmptySubsequences: false)
            .map { $0.isEmpty || $0 == "\r" ? String($0) : ",\($0)" }.joined(separator: "\n")
        let (whole, other) = (
            try convertBuiltIn([(name, Array(text.utf8))]), try convertBuiltIn([(name, Array(moved.utf8))])
        )
        for column in ["holdingAccountID", "holdingSecurityID", "shareCount"] {
            #expect(whole.table("holding")[column] == other.table("holding")[column])
        }
    }

    /// Of two lists of holdings the newer one counts: where the day of one cannot be read, that is said.
    @Test func aDayOfTheExportThatCannotBeReadIsTold() throws {
        let name = "account-summary.csv"
        let text = try Repository.text("SampleData/hargreaveslansdown/positions/2026/\(name)")
        for (day, codes) in [("18-09-2026 19:11", []), ("18.09.2026 19:11", ["date.invalid"])] {
            let saved = text.replacing("18-09-2026 19:11", with: day)
            let run = try convertBuiltIn([(name, Array(saved.utf8))])
            #expect(run.firstInput?.warnings.map(\.code).filter { $0 == "date.invalid" } == codes)
        }
    }
}
