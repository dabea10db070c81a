import TestSupport
import Testing

@testable import Allocport

/// Of several lists of an account the one of the latest day counts, whenever it was downloaded.
@Suite struct ListDayTests {
    private static func flex(
        _ name: String, to end: String, made: String, _ positions: [(String, Int)]?, cash: Int? = nil
    ) -> (name: String, bytes: [UInt8]) {
        var text = """
            <FlexQueryResponse queryName="\(name)" type="AF"><FlexStatements count="1">
            <FlexStatement accountId="U1" fromDate="20250101" toDate="\(end)" whenGenerated="\(made);101500">

            """
        if let positions {
            text += "<OpenPositions>\n"
            for (symbol, units) in positions {
                text += """
                    <OpenPosition accountId="U1" currency="USD" assetCategory="STK" symbol="\(symbol)" reportDate="\(end)" \
                    position="\(units)" markPrice="2" positionValue="\(2 * units)" levelOfDetail="SUMMARY"/>

                    """
            }
            text += "</OpenPositions>\n"
        }
        if let cash {
            text += """
                <CashReport><CashReportCurrency accountId="U1" currency="USD" levelOfDetail="Currency" toDate="\(end)" \
                endingCash="\(cash)"/></CashReport>

                """
        }
        return (name + ".xml", Array((text + "</FlexStatement></FlexStatements></FlexQueryResponse>\n").utf8))
    }

    private static func ofx(_ name: String, asOf: String, made: String, units: Int) -> (name: String, bytes: [UInt8]) {
        let text = """
            OFXHEADER:100
            DATA:OFXSGML
            VERSION:102

            <OFX><SIGNONMSGSRSV1><SONRS><STATUS><CODE>0<SEVERITY>INFO</STATUS><DTSERVER>\(made)<LANGUAGE>ENG</SONRS></SIGNONMSGSRSV1>
            <INVSTMTMSGSRSV1><INVSTMTTRNRS><INVSTMTRS><DTASOF>\(asOf)<CURDEF>USD
            <INVACCTFROM><BROKERID>b.test<ACCTID>A1</INVACCTFROM>
            <INVPOSLIST><POSSTOCK><INVPOS><SECID><UNIQUEID>99400GH47<UNIQUEIDTYPE>CUSIP</SECID><HELDINACCT>CASH
            <POSTYPE>LONG<UNITS>\(units)<UNITPRICE>2<MKTVAL>\(2 * units)<DTPRICEASOF>\(asOf)</INVPOS></POSSTOCK></INVPOSLIST>
            </INVSTMTRS></INVSTMTTRNRS></INVSTMTMSGSRSV1></OFX>

            """
        return (name + ".ofx", Array(text.utf8))
    }

    private static func held(_ inputs: [(name: String, bytes: [UInt8])]) throws -> [String] {
        let there = try convertBuiltIn(inputs), back = try convertBuiltIn(inputs.reversed())
        #expect(there.report.isBalanced && there.holdings.core.sorted() == back.holdings.core.sorted())
        return there.holdings.shown("holdingSecurityID", "shareCount").sorted()
    }

    /// The report of last year was downloaded after the one of March.
    @Test func flexByItsPeriod() throws {
        let year = Self.flex("year", to: "20251231", made: "20260601", [("AAA", 150), ("OLD", 4)])
        let march = Self.flex("march", to: "20260331", made: "20260401", [("AAA", 99)])
        #expect(try Self.held([year, march]) == ["AAA|99"])
    }

    @Test func ofxByItsDay() throws {
        let old = Self.ofx("old", asOf: "20251231120000", made: "20260601120000", units: 150)
        let new = Self.ofx("new", asOf: "20260331120000", made: "20260401120000", units: 99)
        #expect(try Self.held([old, new]) == ["99400GH47|99"])
    }

    /// Of one day, the one that was made last; a day that has not come is that of the export.
    @Test(arguments: [("20260331120000", "20260331120000"), ("20260430120000", "20260331120000")])
    func ofxOfOneDay(_ first: String, _ second: String) throws {
        let old = Self.ofx("old", asOf: first, made: "20260331130000", units: 150)
        let new = Self.ofx("new", asOf: second, made: "20260331150000", units: 99)
        #expect(try Self.held([old, new]) == ["99400GH47|99"])
    }

    /// A report without the section says nothing of securities; one whose section is empty says that there are none.
    @Test func cashAlone() throws {
        let list = Self.flex("list", to: "20251231", made: "20260101", [("AAA", 150)], cash: 10)
        let cash = Self.flex("cash", to: "20260331", made: "20260401", nil, cash: 25)
        #expect(try Self.held([list, cash]) == ["AAA|150", "CORE|25"])
        let sold = Self.flex("sold", to: "20260430", made: "20260501", [], cash: 75)
        #expect(try Self.held([list, cash, sold]) == ["CORE|75"])
    }

    /// Corrected cash stands beside the rest, though its file alone has no list of positions.
    @Test func correctedCash() throws {
        let list = Self.flex("list", to: "20251231", made: "20260101", [("AAA", 150)], cash: 10)
        let row = "<CashReportCurrency accountId=\"U1\" currency=\"EUR\" toDate=\"20251231\" endingCash=\"2x5\"/>"
        let text = String(decoding: list.bytes, as: UTF8.self).replacing("</CashReport>", with: row + "\n</CashReport>")
        let broken = (name: "list.xml", bytes: Array(text.utf8))
        let rejects = try #require(try convertBuiltIn([broken]).text("rejects/list.xml"))
        let mended = (name: "mended.xml", bytes: Array(rejects.replacing("2x5", with: "25").utf8))
        #expect(try Self.held([broken, mended]) == ["AAA|150", "CORE|10", "CORE|25"])
    }

    /// IBKR's statements are of the period's last day.
    @Test func statementByItsPeriod() throws {
        func statement(_ name: String, _ period: String, made: String, _ units: Int) -> (name: String, bytes: [UInt8]) {
            let text = """
                Statement,Header,Field Name,Field Value
                Statement,Data,Period,"\(period)"
                Statement,Data,WhenGenerated,"\(made), 10:15:00 EDT"
                Account Information,Header,Field Name,Field Value
                Account Information,Data,Account,U1
                Open Positions,Header,DataDiscriminator,Asset Category,Currency,Symbol,Quantity,Mult,Cost Price,Cost Basis,Close Price,Value
                Open Positions,Data,Summary,Stocks,USD,AAA,\(units),1,1,\(units),2,\(2 * units)

                """
            return (name + ".csv", Array(text.utf8))
        }
        let year = statement("year", "January 1, 2025 - December 31, 2025", made: "2026-06-01", 150)
        let march = statement("march", "January 1, 2026 - March 31, 2026", made: "2026-04-01", 99)
        #expect(try Self.held([year, march]) == ["AAA|99"])
    }
}
