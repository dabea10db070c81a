import Importing
import OpenAlloc
import Testing

/// Several statements of one account in a file: what the latest one says is held.
@Suite struct LatestHoldingsTests {
    private func card(_ account: String, _ balance: String, _ day: String, currency: String = "USD") -> String {
        "<CCSTMTTRNRS><CCSTMTRS><CURDEF>\(currency)</CURDEF><CCACCTFROM><ACCTID>\(account)</ACCTID></CCACCTFROM><BANKTRANLIST>"
            + "<STMTTRN><TRNTYPE>DEBIT</TRNTYPE><DTPOSTED>20250101</DTPOSTED><TRNAMT>-1.00</TRNAMT><FITID>\(day)</FITID></STMTTRN>"
            + "</BANKTRANLIST><LEDGERBAL><BALAMT>\(balance)</BALAMT><DTASOF>\(day)</DTASOF></LEDGERBAL></CCSTMTRS></CCSTMTTRNRS>\n"
    }

    private func cards(_ statements: String...) throws -> Collector {
        try collect("<OFX><CREDITCARDMSGSRSV1>\(statements.joined())</CREDITCARDMSGSRSV1></OFX>")
    }

    private func held(_ sink: Collector) -> [String] {
        sink.records.filter { $0.kind == .position }.map { "\($0.string(.account)) \($0[.units]?.description ?? "")" }
    }

    @Test func balances() throws {
        let sink = try cards(
            card("1", "-5.00", "20250301"), card("1", "-5.00", "20250301"), card("2", "-9.00", "20250101"),
            card("1", "-7.00", "20250401"), card("1", "-6.00", "20250201"))
        #expect(held(sink) == ["2 -9", "1 -7"])
        // The second statement is the first once more, and so is its transaction.
        #expect(
            sink.units.filter { $0.outcome == .skipped }.map(\.code)
                == ["balance.superseded", "row.repeated", "balance.superseded", "balance.superseded"])
        #expect(sink.records.filter { $0[.amount] != nil && $0.kind != .position }.count == 4)
    }

    /// Of one day, only what says the same is the same.
    @Test func numbersInCommon() throws {
        let one = card("1", "-5.00", "20250301")
        #expect(held(try cards(one, card("1", "-6.00", "20250301"), one)) == ["1 -5", "1 -6"])
        func bank(_ type: String) -> String {
            "<STMTRS><CURDEF>USD</CURDEF><BANKACCTFROM><ACCTID>1</ACCTID><ACCTTYPE>\(type)</ACCTTYPE></BANKACCTFROM>"
                + "<LEDGERBAL><BALAMT>4</BALAMT><DTASOF>20250301</DTASOF></LEDGERBAL></STMTRS>"
        }
        let sink = try collect("<OFX>" + bank("CHECKING") + bank("SAVINGS") + bank("CHECKING") + "</OFX>")
        #expect(held(sink) == ["1 4", "1 4"])
    }

    @Test func otherCurrenciesAndUnknownDays() throws {
        let sink = try cards(
            card("1", "-5.00", "20250301"), card("1", "-3.00", "20250201", currency: "CAD"), card("1", "-2.00", ""))
        #expect(held(sink) == ["1 -5", "1 -3", "1 -2"])
    }

    @Test func positions() throws {
        func statement(_ day: String, _ units: String, hasPosition: Bool = true) -> String {
            let position =
                "<INVPOSLIST><POSSTOCK><INVPOS><SECID><UNIQUEID>X</UNIQUEID></SECID><UNITS>\(units)</UNITS>"
                + "<UNITPRICE>2</UNITPRICE></INVPOS></POSSTOCK></INVPOSLIST>"
            return "<INVSTMTTRNRS><INVSTMTRS><DTASOF>\(day)</DTASOF><CURDEF>USD</CURDEF><INVACCTFROM><ACCTID>7</ACCTID>"
                + "</INVACCTFROM>\(hasPosition ? position : "")<INVBAL><AVAILCASH>1\(units)</AVAILCASH></INVBAL>"
                + "</INVSTMTRS></INVSTMTTRNRS>"
        }
        let text =
            statement("20250201", "10") + statement("20250301", "12") + statement("20250401", "99", hasPosition: false)
        let sink = try collect("<OFX><INVSTMTMSGSRSV1>\(text)</INVSTMTMSGSRSV1></OFX>")
        #expect(held(sink) == ["7 12", "7 199"])
    }

    private func day(_ date: String, _ units: String, account: String = "U1") -> String {
        """
        <FlexStatement accountId="\(account)" toDate="\(date)"><CashReport>
        <CashReportCurrency accountId="\(account)" currency="USD" endingCash="1\(units)" toDate="\(date)"/></CashReport>
        <OpenPositions>
        <OpenPosition accountId="\(account)" symbol="A" conid="1" position="\(units)" levelOfDetail="SUMMARY"/>
        <OpenPosition accountId="\(account)" symbol="A" conid="1" position="\(units)" levelOfDetail="LOT" openDateTime="20240101"/>
        </OpenPositions></FlexStatement>
        """
    }

    @Test(arguments: [["20250102", "20250103"], ["31/01/2025", "01/02/2025"]]) func flexDays(dates: [String]) throws {
        let text = day(dates[0], "10") + day(dates[1], "12") + day(dates[0], "5", account: "U2")
        let sink = try collect(
            "<FlexQueryResponse><FlexStatements count=\"3\">\(text)</FlexStatements></FlexQueryResponse>",
            FlexImporter())
        #expect(held(sink) == ["U1 112", "U1 12", "U2 15", "U2 5"])
        #expect(
            sink.units.filter { $0.code.hasSuffix("superseded") }.map(\.code) == [
                "balance.superseded", "position.superseded", "position.superseded",
            ])
    }

    @Test func cashTransfersWithoutAmount() throws {
        let row =
            #"<Transfer accountId="U1" type="INTERNAL" currency="CHF" direction="IN" quantity="0" symbol="--" date="20250630"/>"#
        let sink = try collect(
            "<FlexQueryResponse><FlexStatements><FlexStatement accountId=\"U1\"><Transfers>\(row)</Transfers></FlexStatement>"
                + "</FlexStatements></FlexQueryResponse>", FlexImporter())
        #expect(sink.codes == ["field.missing"])
    }
}
