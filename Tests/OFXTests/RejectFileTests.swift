import Importing
import OpenAlloc
import Testing

/// What is rejected of many statements is one document, as long as what was rejected, with the securities once.
@Suite struct RejectFileTests {
    /// Two trades and a position a statement, all in one security; the first trade and the position cannot be read.
    private static func investments(_ count: Int, isXML: Bool, isMended: Bool = false) -> String {
        func leaf(_ name: String, _ value: String) -> String { "<\(name)>\(value)" + (isXML ? "</\(name)>" : "\n") }
        func id(_ number: Int) -> String {
            "<SECID>" + leaf("UNIQUEID", "\(100_000_000 + number)") + leaf("UNIQUEIDTYPE", "PRIVATE") + "</SECID>"
        }
        func trade(_ statement: Int, _ number: Int, _ units: String) -> String {
            "<BUYSTOCK><INVBUY><INVTRAN>" + leaf("FITID", "\(statement)-\(number)") + leaf("DTTRADE", "20240103120000")
                + "</INVTRAN>" + id(statement) + leaf("UNITS", units) + leaf("UNITPRICE", "2.5") + leaf("TOTAL", "-25")
                + "</INVBUY></BUYSTOCK>\n"
        }
        var text =
            isXML
            ? "<?xml version=\"1.0\"?>\n<?OFX OFXHEADER=\"200\" VERSION=\"211\"?>\n"
            : "OFXHEADER:100\nDATA:OFXSGML\nVERSION:102\n\n"
        text += "<OFX><SIGNONMSGSRSV1><SONRS>" + leaf("DTSERVER", "20240105") + "</SONRS></SIGNONMSGSRSV1>"
        text += "<INVSTMTMSGSRSV1>\n"
        for number in 0..<count {
            text += "<INVSTMTTRNRS><INVSTMTRS>" + leaf("CURDEF", "USD") + "<INVACCTFROM>" + leaf("ACCTID", "A\(number)")
            text += "</INVACCTFROM><INVTRANLIST>" + trade(number, 1, isMended ? "10" : "1O") + trade(number, 2, "10")
            text += "</INVTRANLIST><INVPOSLIST><POSSTOCK><INVPOS>" + id(number) + leaf("UNITS", isMended ? "10" : "1O")
            text += leaf("UNITPRICE", "2.5") + "</INVPOS></POSSTOCK></INVPOSLIST></INVSTMTRS></INVSTMTTRNRS>\n"
        }
        text += "</INVSTMTMSGSRSV1><SECLISTMSGSRSV1><SECLIST>\n"
        for number in 0..<count {
            text += "<STOCKINFO><SECINFO>" + id(number) + leaf("TICKER", "T\(number)") + "</SECINFO></STOCKINFO>\n"
        }
        return text + "</SECLIST></SECLISTMSGSRSV1></OFX>\n"
    }

    private static func mended(_ rejectFile: [UInt8]) -> String {
        String(decoding: rejectFile, as: UTF8.self).replacing("1O", with: "10")
    }

    @Test(arguments: [true, false]) func manyStatements(isXML: Bool) throws {
        let first = try collect(Self.investments(40, isXML: isXML))
        #expect(first.codes == [String](repeating: "number.invalid", count: 80))
        let file = String(decoding: first.rejectFile, as: UTF8.self)
        for (word, count) in [("<OFX>", 1), ("<SONRS>", 1), ("<SECLIST>", 1), ("<TICKER>", 40), ("<ACCTID>", 40)] {
            #expect(file.ranges(of: word).count == count, "\(word)")
        }
        let again = try collect(first.rejectFile)
        #expect(again.codes == first.codes && again.warnings.isEmpty)

        let whole = try collect(Self.mended(first.rejectFile))
        let all = try collect(Self.investments(40, isXML: isXML, isMended: true))
        #expect(whole.codes.isEmpty && whole.warnings.isEmpty)
        let left = all.flat.filter { !$0.contains("-2 units") }
        #expect(whole.flat == left && left.contains { $0.contains("symbol=T39") && $0.hasPrefix("buy ") })
    }

    @Test func growsWithTheInput() throws {
        let few = try collect(Self.investments(100, isXML: false)).rejectFile.count
        let many = try collect(Self.investments(3000, isXML: false)).rejectFile.count
        #expect(many < 32 * few)
    }

    /// What a file that ends inside a row lacks behind it stands before it.
    @Test func aCutFileKeepsItsSecurities() throws {
        var text = Self.investments(3, isXML: false)
        let list = try #require(text.ranges(of: "<SECLISTMSGSRSV1>").first).lowerBound
        let end = try #require(text.ranges(of: "</OFX>").first).lowerBound
        let securities = text[list..<end]
        text.removeSubrange(list..<end)
        let set = try #require(text.ranges(of: "<INVSTMTMSGSRSV1>").first).lowerBound
        text.insert(contentsOf: securities, at: set)
        let cut = try #require(text.ranges(of: "<FITID>2-2").first).upperBound
        let first = try collect(String(text[..<cut]))
        #expect(first.codes.count == 6 && first.codes.last == "markup.truncated")
        let whole = try collect(Self.mended(first.rejectFile))
        #expect(whole.codes == ["markup.truncated"])
        #expect(whole.flat.filter { $0.contains("symbol=T") && $0.hasPrefix("buy ") }.count == 3)
    }

    /// A security that is rejected itself is not written twice.
    @Test func rejectedSecurities() throws {
        var text = Self.investments(3, isXML: false)
        let other = "<STOCKINFO><SECINFO><SECID><UNIQUEID>9</SECID><TICKER>T9\n<UNITPRICE>n.n\n</SECINFO></STOCKINFO>"
        text = text.replacing("<TICKER>T1\n", with: "<TICKER>T1\n<UNITPRICE>n.n\n")
        text = text.replacing("</SECLIST>", with: other + "</SECLIST>")
        let first = try collect(text)
        #expect(first.codes.count == 7)
        let again = try collect(first.rejectFile)
        #expect(again.codes == first.codes)
        let blank = try collect(text.replacing("<UNIQUEID>100000001\n", with: ""))
        #expect(try collect(blank.rejectFile).codes == blank.codes)
    }

    /// What is cut off, and a sign-on without an end, stand in what they need to be known again.
    @Test func cutOffFlex() throws {
        let text =
            "<FlexQueryResponse type=\"AF\"><FlexStatements count=\"1\"><FlexStatement accountId=\"U1\"><Trades>\n"
            + "<Trade accountId=\"U1\" symbol=\"A\" quant"
        let first = try collect(text, FlexImporter())
        #expect(first.codes == ["markup.truncated"])
        let file = String(decoding: first.rejectFile, as: UTF8.self)
        #expect(file.hasPrefix("<FlexQueryResponse") && file.contains("<Trades>") && !file.contains("</"))
        #expect(try collect(first.rejectFile, FlexImporter()).codes == first.codes)
    }

    @Test func openSignOn() throws {
        let text = Self.investments(1, isXML: true).replacing("</SONRS></SIGNONMSGSRSV1>", with: "")
            .replacing("</OFX>", with: "</SONRS></SIGNONMSGSRSV1></OFX>")
        let first = try collect(text)
        #expect(first.codes == ["markup.malformed"])
        #expect(first.rejectFile.count < text.utf8.count + 200)
        #expect(try collect(first.rejectFile).codes == first.codes)
    }

    /// A currency that is none stays as it is written.
    @Test func oddCurrencies() throws {
        let text = Self.investments(1, isXML: true).replacing("<CURDEF>USD", with: "<CURDEF>U&amp;S")
        let file = String(decoding: try collect(text).rejectFile, as: UTF8.self)
        #expect(file.contains("<CURDEF>U&amp;S</CURDEF>"))
    }

    @Test func flexStatements() throws {
        let rows = (0..<3).map { number in
            "<FlexStatement accountId=\"U\(number)\"><CashTransactions>\n"
                + "<CashTransaction currency=\"USD\" type=\"Other Fees\" amount=\"1x\" dateTime=\"20250102\"/>\n"
                + "</CashTransactions><Trades>\n<Trade symbol=\"A\" quantity=\"1y\" dateTime=\"20250102\"/>\n"
                + "</Trades></FlexStatement>"
        }
        let text =
            "<FlexQueryResponse type=\"AF\"><FlexStatements count=\"3\">" + rows.joined()
            + "</FlexStatements></FlexQueryResponse>"
        let first = try collect(text, FlexImporter())
        #expect(first.codes.count == 6)
        let file = String(decoding: first.rejectFile, as: UTF8.self)
        #expect(file.ranges(of: "<FlexQueryResponse").count == 1 && file.ranges(of: "<FlexStatement ").count == 3)
        let again = try collect(first.rejectFile, FlexImporter())
        #expect(again.codes == first.codes && again.warnings.isEmpty)
    }
}
