import TestSupport
import Testing

/// OFX and Flex of which a part is missing, as of a download that stopped.
struct CutMarkupTests {
    static let card = """
        OFXHEADER:100
        DATA:OFXSGML

        <OFX><CREDITCARDMSGSRSV1><CCSTMTTRNRS><CCSTMTRS><CURDEF>USD
        <CCACCTFROM><ACCTID>A1</CCACCTFROM>
        <BANKTRANLIST>
        <STMTTRN><TRNTYPE>DEBIT<DTPOSTED>20240103<TRNAMT>-1<FITID>F1</STMTTRN>
        <STMTTRN><TRNTYPE>DEBIT<DTPOSTED>20240104<TRNAMT>-2<FITID>F2</STMTTRN>
        </BANKTRANLIST></CCSTMTRS></CCSTMTTRNRS></CREDITCARDMSGSRSV1></OFX>

        """

    /// A download that stops between two rows has no line to reject: the exit code says that rows are missing.
    @Test(arguments: ["convert", "transform"]) func aFileCutBetweenRowsIsNoSuccess(_ verb: String) throws {
        let folder = try TemporaryFolder()
        let cut = try #require(Self.card.firstRange(of: "</STMTTRN>\n"))
        try folder.write("card.ofx", String(Self.card[..<cut.upperBound]))
        let rest = verb == "convert" ? ["-o", "out", "-q"] : ["--output-schema", "openalloc/transaction"]
        let result = try BuiltProgram.run([verb, "card.ofx"] + rest, folder: folder.path)
        #expect(result.code == 65)
        #expect(result.standardError.contains("the file ends inside this element"))
        let table = verb == "convert" ? folder.text("out/openalloc.transaction.csv") : result.standardOutput
        #expect(table.split(separator: "\n").count == 2)
        if verb == "convert" { #expect(folder.text("out/report.json").contains("\"valid\": false")) }
    }

    /// The same of a Flex report, all of whose tags close.
    @Test func aFlexReportCutBetweenRowsIsNoSuccess() throws {
        let folder = try TemporaryFolder()
        let whole = try Repository.text("SampleData/ibkr/flex_xml/ended_without_class_2026/trades.xml")
        let cut = try #require(whole.firstRange(of: "/>\n"))
        try folder.write("cut.xml", String(whole[..<cut.upperBound]))
        let result = try BuiltProgram.run(["convert", "cut.xml", "-o", "out"], folder: folder.path)
        #expect(result.code == 65 && result.standardError.contains("markup.truncated"))
        #expect(folder.text("out/openalloc.transaction.csv").split(separator: "\n").count == 2)
        #expect(folder.text("out/report.json").contains("\"valid\": false"))
    }

    /// Some programs forget the last tag.
    @Test(arguments: [["convert", "-o", "out"], ["transform", "--output-schema", "openalloc/transaction"]])
    func theLastTagAloneMayBeMissing(_ words: [String]) throws {
        let folder = try TemporaryFolder()
        try folder.write("card.ofx", Self.card.replacing("</OFX>", with: ""))
        let result = try BuiltProgram.run(words + ["card.ofx"], folder: folder.path)
        #expect(result.code == 0 && result.standardError.contains("1 × markup.truncated  "))
    }

    /// What follows the statements may be another set of them, or the securities.
    @Test(arguments: ["<", "</OF", "<SECLISTMSGSRSV1", "<BANKMSGSRSV1>"])
    func aFileCutBehindItsStatementsIsNoSuccess(_ end: String) throws {
        let folder = try TemporaryFolder()
        try folder.write("card.ofx", Self.card.replacing("</OFX>\n", with: end))
        let result = try BuiltProgram.run(["convert", "card.ofx", "-o", "out"], folder: folder.path)
        #expect(result.code == 65 && result.standardError.contains("markup.truncated"))
        #expect(folder.text("out/openalloc.transaction.csv").split(separator: "\n").count == 3)
    }

    /// Rows name securities, and the list of them is not there.
    @Test(arguments: [("<SECLIST></SECLIST></OFX>", 0), ("</OFX>", 0), ("", 65)])
    func aFileCutBeforeItsSecuritiesIsNoSuccess(_ end: String, _ code: Int32) throws {
        let folder = try TemporaryFolder()
        try folder.write(
            "sale.ofx",
            """
            OFXHEADER:100
            DATA:OFXSGML

            <OFX><INVSTMTMSGSRSV1><INVSTMTTRNRS><INVSTMTRS><DTASOF>20240131<CURDEF>USD
            <INVACCTFROM><BROKERID>broker.example<ACCTID>A1</INVACCTFROM><INVTRANLIST>
            <SELLSTOCK><INVSELL><INVTRAN><FITID>F1<DTTRADE>20240103</INVTRAN>
            <SECID><UNIQUEID>000000000<UNIQUEIDTYPE>CUSIP</SECID><UNITS>-2<UNITPRICE>3<TOTAL>6
            <SUBACCTSEC>CASH<SUBACCTFUND>CASH</INVSELL><SELLTYPE>SELL</SELLSTOCK>
            </INVTRANLIST></INVSTMTRS></INVSTMTTRNRS></INVSTMTMSGSRSV1>

            """ + end)
        let result = try BuiltProgram.run(["convert", "sale.ofx", "-o", "out"], folder: folder.path)
        #expect(result.code == code, "\(result.standardError)")
        #expect(folder.text("out/openalloc.transaction.csv").split(separator: "\n").count == 2)
    }

    /// Before the first statement no row can be told to be missing.
    @Test(arguments: [
        "<OFX>", "<OFX>\n<SIGNONMSGSRSV1>\n<SONRS>\n<STATUS>\n<CODE>0\n", "<OFX><SIGNONMSGSRSV1></SIGNONMSGSRSV1>\n",
        "<SIGNONMSGSRSV1><SONRS><STATUS><CODE>0</STATUS></SONRS></SIGNONMSGSRSV1>\n",
        "<OFC>\n<ACCTSTMT>\n<ACCTFROM>\n<ACCTID>1\n<ACCTTYPE>0\n</ACCTFROM>\n",
    ])
    func aFileCutBeforeItsStatementsIsNoSuccess(_ text: String) throws {
        let folder = try TemporaryFolder()
        try folder.write("cut.ofx", "OFXHEADER:100\nDATA:OFXSGML\n\n" + text)
        let result = try BuiltProgram.run(["convert", "cut.ofx", "-o", "out"], folder: folder.path)
        #expect(result.code == 65, "\(result.standardError)")
    }

    /// A bank that closes no element at all ends its file with the balance.
    @Test(arguments: [("<LEDGERBAL>\n<BALAMT>1.00\n<DTASOF>20240131\n", 0), ("", 65)])
    func aFileWithoutCloseTagsEndsWithTheBalance(_ end: String, _ code: Int32) throws {
        let folder = try TemporaryFolder()
        try folder.write(
            "open.ofx",
            """
            OFXHEADER:100
            DATA:OFXSGML

            <OFX>
            <SIGNONMSGSRSV1>
            <SONRS>
            <STATUS>
            <CODE>0
            <SEVERITY>INFO
            <DTSERVER>20240131
            <BANKMSGSRSV1>
            <STMTTRNRS>
            <TRNUID>1
            <STATUS>
            <CODE>0
            <STMTRS>
            <CURDEF>USD
            <BANKACCTFROM>
            <BANKID>1
            <ACCTID>A1
            <ACCTTYPE>CHECKING
            <BANKTRANLIST>
            <STMTTRN>
            <TRNTYPE>DEBIT
            <DTPOSTED>20240103
            <TRNAMT>-1.00
            <FITID>F1
            <STMTTRN>
            <TRNTYPE>DEBIT
            <DTPOSTED>20240117
            <TRNAMT>-2.00
            <FITID>F2

            """ + end)
        let result = try BuiltProgram.run(["convert", "open.ofx", "-o", "out"], folder: folder.path)
        #expect(result.code == code, "\(result.standardError)")
        #expect(folder.text("out/openalloc.transaction.csv").split(separator: "\n").count == 3)
    }
}
