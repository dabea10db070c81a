import Importing
import TestSupport
import Testing

@testable import Allocport

/// Lines, columns and accounts that were passed over or taken as they stood are told.
@Suite struct ToldLinesTests {
    private static func statement(_ account: String) -> (name: String, bytes: [UInt8]) {
        let text = """
            OFXHEADER:100
            DATA:OFXSGML
            VERSION:102

            <OFX><BANKMSGSRSV1><STMTTRNRS><STMTRS><CURDEF>USD<BANKACCTFROM><BANKID>1<ACCTID>\(account)<ACCTTYPE>CHECKING
            </BANKACCTFROM><BANKTRANLIST><STMTTRN><TRNTYPE>DEBIT<DTPOSTED>20240115<TRNAMT>-1<FITID>\(account)</STMTTRN>
            </BANKTRANLIST></STMTRS></STMTTRNRS></BANKMSGSRSV1></OFX>

            """
        return (account + ".ofx", Array(text.utf8))
    }

    @Test(arguments: [("XXX417", "...417", 1), ("XXX417", "...418", 0), ("55417", "66417", 0)])
    func accountsMaskedInTwoWays(_ one: String, _ other: String, _ told: Int) throws {
        let result = try convertBuiltIn([Self.statement(one), Self.statement(other)])
        #expect(result.report.inputs.flatMap(\.warnings).count { $0.code == "account.masked" } == told)
        #expect(result.table("account").rows.count == 2)
    }

    private static let header =
        "txnAction,txnTransactedAt,txnAccountID,txnSecurityID,txnLotID,txnShareCount,txnSharePrice,realizedGainShort,realizedGainLong"
    private static func row(_ units: Int) -> String { "buysell,2024-01-15T12:00:00Z,A1,VTI,,\(units),5,,\n" }

    /// A spreadsheet that has sorted a table may have put its header anywhere.
    @Test func rowsAboveTheHeaderOfATable() throws {
        let sorted = Self.row(1) + Self.row(2) + Self.header + "\n" + Self.row(3)
        let result = try convertBuiltIn("transactions.csv", "My trades\n" + sorted)
        #expect(result.report.outcomes[.preamble] == 1 && result.report.outcomes[.accepted] == 1)
        #expect(result.isWhole && result.rejects["code"] == ["row.unplaced", "row.unplaced"])
        let again = try convertBuiltIn("transactions.csv", result.text("rejects/transactions.csv") ?? "")
        #expect(again.transactions["txnShareCount"] == ["1", "2"])
    }

    /// Tables that were put together have their header once more.
    @Test func headersOfTables() throws {
        let twice = try convertBuiltIn(
            "transactions.csv", Self.header + "\n" + Self.row(1) + Self.header + "\n" + Self.row(2))
        #expect(twice.report.outcomes[.header] == 2 && twice.report.outcomes[.accepted] == 2)
        let second = try convertBuiltIn(
            "transactions.csv", Self.header + ",txnShareCount\nbuysell,2024-01-15T12:00:00Z,A1,VTI,,1,5,,,999\n")
        #expect(second.transactions["txnShareCount"] == ["1"])
        #expect(second.firstInput?.warnings.contains { $0.code == "header.drift" } == true)
    }

    /// What somebody has written by hand is held to what an export's rows are held to.
    @Test(arguments: [
        ("USD", "-50", [], []), ("4711", "-50", ["currency.unknown"], []), ("USD", "-5000", [], ["amount.mismatch"]),
        ("USD", "", [], []),
    ])
    func tablesByHand(_ currency: String, _ amount: String, _ rejects: [String], _ warnings: [String]) throws {
        let result = try convertBuiltIn(
            "transactions.csv",
            Self.header + ",kind,currency,amount\n"
                + "buysell,2024-01-15T12:00:00Z,A1,VTI,,10,5,,,buy,\(currency),\(amount)\n")
        #expect(result.rejects["code"] == rejects)
        #expect(result.firstInput?.warnings.map(\.code).filter { $0 == "amount.mismatch" } == warnings)
    }

    /// A price below nothing of what is sent is as odd as one of what is sold.
    @Test(arguments: [("$90000.00", []), ("-$90000.00", ["sign.contradicts"])])
    func pricesOfWhatIsSent(_ price: String, _ rejects: [String]) throws {
        let result = try convertBuiltIn(
            "coinbase.csv",
            "ID,Timestamp,Transaction Type,Asset,Quantity Transacted,Price Currency,Price at Transaction,Subtotal,"
                + "Total (inclusive of fees and/or spread),Fees and/or Spread,Notes\n"
                + "a1,2025-06-13 10:00:00 UTC,Send,BTC,-0.0005,USD,\(price),-$45.00,-$45.00,$0.00,Sent\n")
        #expect(result.rejects["code"] == rejects)
    }

    /// What a sale takes where its costs are undeclared stays paid, also where many rows go the short way.
    @Test func salesThatTakeMoney() throws {
        let rows = (0..<400).map { row in
            let isCostly = row % 4 == 3
            return "<SELLSTOCK><INVSELL><INVTRAN><FITID>X\(row)<DTTRADE>20240115</INVTRAN><SECID><UNIQUEID>99400GH47"
                + "<UNIQUEIDTYPE>CUSIP</SECID><UNITS>-10<UNITPRICE>\(isCostly ? "0.1" : "2")<TOTAL>-"
                + "\(isCostly ? "\(8 + row % 5).95" : "20")<SUBACCTSEC>CASH<SUBACCTFUND>CASH</INVSELL><SELLTYPE>SELL</SELLSTOCK>"
        }
        let text =
            "OFXHEADER:100\nDATA:OFXSGML\nVERSION:102\n\n<OFX><INVSTMTMSGSRSV1><INVSTMTTRNRS><INVSTMTRS>"
            + "<DTASOF>20240131<CURDEF>USD<INVACCTFROM><BROKERID>b.test<ACCTID>A1</INVACCTFROM><INVTRANLIST>"
            + "<DTSTART>20240101<DTEND>20240131\n" + rows.joined(separator: "\n")
            + "</INVTRANLIST></INVSTMTRS></INVSTMTTRNRS></INVSTMTMSGSRSV1></OFX>\n"
        let table = try convertBuiltIn("sales.ofx", text).transactions
        let wanted = (0..<400).map { $0 % 4 == 3 ? "0.1|-\(8 + $0 % 5).95|\(9 + $0 % 5).95" : "2|20|" }
        #expect(table.shown("txnSharePrice", "amount", "fees") == wanted)
    }
}
