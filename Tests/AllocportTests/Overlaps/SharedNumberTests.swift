import Allocport
import TestSupport
import Testing

/// Accounts that a bank keeps under one number, told apart by their types.
@Suite struct SharedNumberTests {
    private static func statement(_ type: String, day: Int, balance: String, _ rows: [String]) -> String {
        let list = rows.map { row in
            let words = row.split(separator: " ")
            return "<STMTTRN><TRNTYPE>DEBIT<DTPOSTED>202601\(words[0])<TRNAMT>\(words[1])<FITID>\(words[2])</STMTTRN>\n"
        }
        return """
            <STMTTRNRS><TRNUID>0<STATUS><CODE>0<SEVERITY>INFO</STATUS><STMTRS><CURDEF>USD
            <BANKACCTFROM><BANKID>123<ACCTID>555<ACCTTYPE>\(type)</BANKACCTFROM>
            <BANKTRANLIST><DTSTART>20260101<DTEND>20260131
            \(list.joined())</BANKTRANLIST>
            <LEDGERBAL><BALAMT>\(balance)<DTASOF>202601\(day)</LEDGERBAL></STMTRS></STMTTRNRS>

            """
    }

    private static func file(_ statements: String...) -> [UInt8] {
        Array(
            ("OFXHEADER:100\nDATA:OFXSGML\nVERSION:102\n\n<OFX><BANKMSGSRSV1>" + statements.joined()
                + "</BANKMSGSRSV1></OFX>\n").utf8)
    }

    private static let checking = statement("CHECKING", day: 30, balance: "100.00", ["05 -10.00 1", "19 -30.00 2"])
    private static let savings = statement("SAVINGS", day: 31, balance: "900.00", ["05 -10.00 1"])

    /// In one file or in two, in any order: all rows and both balances stand.
    @Test(arguments: [
        [file(checking, savings)], [file(checking), file(savings)], [file(savings), file(checking)],
        [file(checking, savings), file(savings)],
    ])
    func nothingIsTakenForACopy(_ files: [[UInt8]]) throws {
        let got = try convertBuiltIn(files.enumerated().map { ("\($0).ofx", $1) })
        #expect(got.transactions["txnShareCount"].sorted() == ["-10", "-10", "-30"])
        #expect(Set(got.transactions["rowID"]).count == 3)
        #expect(got.table("holding")["shareCount"].sorted() == ["100", "900"])
        #expect(got.table("account")["accountID"] == ["555"])
        #expect(got.report.isBalanced)
    }

    /// The same account twice is one.
    @Test func copiesAreTold() throws {
        let got = try convertBuiltIn([
            ("a.ofx", Self.file(Self.savings)), ("b.ofx", Self.file(Self.savings, Self.checking)),
        ])
        #expect(got.transactions["txnShareCount"].sorted() == ["-10", "-10", "-30"])
        #expect(got.table("holding")["shareCount"].sorted() == ["100", "900"])
    }

    /// Tables of a run beside the exports that they were made of add nothing.
    @Test func tablesOfARun() throws {
        let files = [("a.ofx", Self.file(Self.savings)), ("b.ofx", Self.file(Self.checking))]
        let table = try #require(convertBuiltIn(files).text("openalloc.transaction.csv"))
        let got = try convertBuiltIn(files + [("openalloc.transaction.csv", Array(table.utf8))])
        #expect(got.transactions["txnShareCount"].sorted() == ["-10", "-10", "-30"])
    }
}
