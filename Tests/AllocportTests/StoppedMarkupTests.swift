import Allocport
import Importing
import TestSupport
import Testing

/// Markup that cannot be read to its end is never taken for whole.
@Suite struct StoppedMarkupTests {
    private static func flex(_ declaration: String = "", _ attributes: String = "") -> String {
        func trade(_ id: Int, _ more: String = "") -> String {
            """
            <Trade accountId="U7" currency="USD" assetCategory="STK" symbol="RVBK" tradeID="\(id)" transactionID="\(id)" \
            dateTime="20250102;093000" buySell="BUY" quantity="1" tradePrice="10" proceeds="-10" netCash="-10" \
            transactionType="ExchTrade" levelOfDetail="EXECUTION"\(more)/>
            """
        }
        return """
            \(declaration)<FlexQueryResponse queryName="q" type="AF"><FlexStatements count="1">
            <FlexStatement accountId="U7" fromDate="20250101" toDate="20250131" whenGenerated="20250201;101010">
            <Trades>\(trade(1))\(trade(2, attributes))\(trade(3))</Trades>
            </FlexStatement></FlexStatements></FlexQueryResponse>
            """
    }

    @Test func asItIs() throws {
        let got = try convertBuiltIn("f.xml", Self.flex())
        #expect(got.transactions.rows.count == 3 && got.rejects.rows.isEmpty)
    }

    /// Declarations are not read, and the rows are.
    @Test func declarations() throws {
        let got = try convertBuiltIn("f.xml", Self.flex("<!DOCTYPE x [<!ENTITY a \"b\"><!ENTITY c \"&a;&a;\">]>"))
        #expect(got.transactions.rows.count == 3 && got.rejects.rows.isEmpty && got.report.isBalanced)
        #expect(got.text("report.json")?.contains("markup.malformed") == true)
    }

    /// What stands behind a bound is not read, and said to be missing.
    @Test(arguments: [
        " x=\"\(String(repeating: "x", count: 2 << 20))\"",
        (0..<40_000).map { " a\($0)=\"1\"" }.joined(),
    ]) func bounds(_ attributes: String) throws {
        let got = try convertBuiltIn("f.xml", Self.flex("", attributes))
        #expect(got.transactions.rows.count >= 1 && got.rejects.rows.count >= 1)
        #expect(got.rejects["code"].allSatisfy { $0.hasPrefix("markup.") })
        #expect(got.report.exitCode == 1 && got.report.isBalanced)
    }

    /// A tag that fits is read whatever stands in it.
    @Test func longTags() throws {
        let got = try convertBuiltIn("f.xml", Self.flex("", " x=\"\(String(repeating: "x", count: 400_000))\""))
        #expect(got.transactions.rows.count == 3 && got.rejects.rows.isEmpty)
    }

    @Test func tooDeep() throws {
        let text =
            "<?xml version=\"1.0\"?><?OFX OFXHEADER=\"200\" VERSION=\"211\"?><OFX>"
            + String(repeating: "<A>", count: 1000) + String(repeating: "</A>", count: 1000) + "</OFX>"
        let got = try convertBuiltIn("f.ofx", text)
        #expect(got.rejects["code"] == ["markup.malformed"] && got.report.exitCode == 1 && got.report.isBalanced)
    }

    private static let noTexts: [[UInt8]] = [
        [0xFF, 0xFE] + Array("<OFX><STMTTRN>".utf8).flatMap { [$0, 0, 0, 0] },
        [0xFF, 0xFE] + Array(repeating: [0xAC, 0x20, 0, 0], count: 3000).joined(),
    ]

    /// What is no text of the encoding is shown as text all the same, and no character of it is cut.
    @Test(arguments: noTexts) func noText(_ bytes: [UInt8]) throws {
        let got = try convertBuiltIn([("f.ofx", bytes)]) { $0.importerID = "ofx.statement" }
        #expect(got.rejects["code"] == ["markup.malformed"] && got.report.isBalanced)
        let written = try #require(got.folder.bytes("out/rejects.csv"))
        #expect(String(validating: written, as: UTF8.self)?.contains("\u{FFFD}") == false)
    }

    /// Transactions without what should stand around them, in Windows-1252.
    @Test(arguments: ["<STMTRS><CURDEF>EUR", ""]) func withoutRoot(_ before: String) throws {
        let text = before + "<STMTTRN><TRNTYPE>DEBIT<DTPOSTED>20260102<TRNAMT>-1.5<FITID>1<NAME>Caf#</STMTTRN>\n"
        let got = try convertBuiltIn([("f.ofx", text.utf8.map { $0 == UInt8(ascii: "#") ? 0xE9 : $0 })])
        #expect(got.transactions["description"] == ["Café"] && got.transactions["txnShareCount"] == ["-1.5"])
    }
}
