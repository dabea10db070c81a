import Allocport
import Importing
import OpenAlloc
import TestSupport
import Testing

/// What spreadsheets and broken downloads do to a file is told as such, and not as slips in single cells.
struct SpoiledFileTests {
    private static let header =
        "Account Number,Trade Date,Settlement Date,Transaction Type,Transaction Description,Investment Name,Symbol,"
        + "Shares,Share Price,Principal Amount,Commission Fees,Net Amount,Accrued Interest,Account Type,\n"

    private static func row(account: String, price: String = "50.00") -> String {
        "\(account),01/05/2026,01/08/2026,Buy,Buy,SAMPLE CORP,ZZSC,10.000,\(price),-500.00,7.00,-507.00,0.0,CASH,\n"
    }

    private static func convert(_ texts: String...) throws -> Converted {
        try convertBuiltIn(texts.enumerated().map { ("OfxDownload \($0.offset).csv", Array($0.element.utf8)) })
    }

    private static func zeros(_ run: Converted) -> [String] {
        run.report.inputs.flatMap(\.warnings).filter { $0.code == "account.zeros" }.map(\.message)
    }

    // MARK: zeros in front of an account

    @Test func accountsThatLostTheirZerosAreNamed() throws {
        let whole = Self.header + Self.row(account: "00012345")
        let saved = Self.header + Self.row(account: "12345").replacing("10.000", with: "10")
        for run in [try Self.convert(whole, saved), try Self.convert(saved, whole)] {
            let found = Self.zeros(run)
            #expect(found.map { $0.prefix(43) } == ["the account 12345 is 00012345 but for zeros"])
            let short = run.report.inputs.filter { $0.warnings.contains { $0.code == "account.zeros" } }
            #expect(short.map(\.bytes) == [saved.utf8.count])
            #expect(run.transactions.rows.count == 2 && run.report.exitCode == 0)
        }
    }

    /// Other accounts are nobody's business: of another length without zeros, with letters, of another brokerage.
    @Test func otherAccountsAreNot() throws {
        let one = Self.header + Self.row(account: "00012345") + Self.row(account: "123450") + Self.row(account: "0")
        #expect(Self.zeros(try Self.convert(one, Self.header + Self.row(account: "X12345"))) == [])
        let other = "accountID,title,institution\n12345,Joint,Elsewhere\n"
        let run = try convertBuiltIn([("OfxDownload.csv", Array(one.utf8)), ("accounts.csv", Array(other.utf8))])
        #expect(run.table("account").rows.count == 4)
        #expect(Self.zeros(run) == [])
    }

    // MARK: decimal marks of another country

    @Test(arguments: [("1234,56", "comma"), ("1.234,56", "comma"), ("41,2", "comma"), ("5o", nil), ("1,2,3.4.5", nil)])
    func aForeignDecimalMarkIsNamed(_ price: String, _ mark: String?) throws {
        let run = try Self.convert(Self.header + Self.row(account: "1", price: "\"\(price)\""))
        let error = try #require(run.firstInput?.errors.first)
        #expect(error.code == "number.invalid" && error.column == "Share Price" && error.value == price)
        if let mark {
            #expect(error.message.hasPrefix("the decimal mark is a \(mark), which the format does not have"))
            #expect(error.suggestion == "Convert the file as it was downloaded, or write the number as 1234.56.")
        } else {
            #expect(error.message == "this is not wholly a number.")
        }
    }

    // MARK: half a download

    @Test(arguments: [
        ("1,01/05/2026,01/08/2026,Buy,Bu", "row.short"), ("1,01/05/2026,01/08/2026,Buy,\"Bu", "quote.malformed"),
    ]) func aLineThatTheFileEndsInIsNamed(_ rest: String, _ code: String) throws {
        let run = try Self.convert(Self.header + Self.row(account: "1") + rest)
        let error = try #require(run.firstInput?.errors.first)
        #expect(error.code == code)
        #expect(error.message.hasPrefix("the file ends within this line, as after half a download: "))
        #expect(error.suggestion.hasPrefix("Download the file again"))
        #expect(run.rejects["raw"] == [rest] && run.rejects["suggestion"] == [error.suggestion])
        // With its line end it is a slip of one line.
        let whole = try Self.convert(Self.header + Self.row(account: "1") + rest + "\n")
        let other = try #require(whole.firstInput?.errors.first)
        #expect(other.code == code && !other.message.contains("the file ends"), "\(other)")
    }

    /// Of two lines that stop short the last one alone is the file's end.
    @Test func aShortLineAboveIsNone() throws {
        let run = try Self.convert(Self.header + "1,01/05/2026\n" + Self.row(account: "1") + "1,01/05/2026,01")
        let messages = try #require(run.firstInput).errors.map { $0.message.hasPrefix("the file ends") }
        #expect(messages == [false, true])
    }

    // MARK: headers that are not found

    @Test func twoByteOrderMarksAreNoPartOfTheHeader() throws {
        let text = Self.header + Self.row(account: "1")
        let wanted = try Self.convert(text).transactions.rows.count
        #expect(try Self.convert("\u{FEFF}\u{FEFF}" + text).transactions.rows.count == wanted && wanted == 1)
    }

    /// The rows of a table whose header has a new name in it are told, though another table of the file is known.
    @Test func rowsUnderNoKnownHeaderAreRejected() throws {
        let row = Self.row(account: "1")
        let positions =
            "Account Number,Investment Name,Symbol,Shares,Share Price,Total Value,\n1,SAMPLE CORP,ZZSC,10,50,500,\n"
        let run = try Self.convert(Self.header.replacing("Trade Date", with: "Day") + row + "\n" + positions)
        #expect(run.rejects["code"] == ["row.unplaced"] && run.rejects["raw"] == [String(row.dropLast())])
    }
}
