import Importing
import OpenAlloc
import Testing

/// What a report leaves out or says of nobody is told, and never counts twice.
@Suite struct FlexGapTests {
    private func collected(_ sections: String) throws -> Collector {
        try collect(
            "<FlexQueryResponse queryName=\"q\" type=\"AF\"><FlexStatements count=\"1\"><FlexStatement accountId=\"U1\">"
                + sections + "</FlexStatement></FlexStatements></FlexQueryResponse>", FlexImporter())
    }

    private static let option =
        #"accountId="U1" currency="USD" assetCategory="OPT" symbol="XIX C" conid="7" multiplier="100" tradePrice="0""#

    /// What is delivered takes the cost with it; where the end realises something else, cash was paid.
    @Test(arguments: [
        ("Ex", "-1430.81", "", 1), ("A", "25", "", 1), ("A", "0", "", 0), ("Ep", "-441.18", "", 0),
        (
            "Ex", "-1430.81",
            #"<OptionEAE><OptionEAE accountId="U1" currency="USD" assetCategory="OPT" symbol="XIX C" conid="7" date="20260119" transactionType="Cash Settlement" quantity="1" proceeds="1872"/></OptionEAE>"#,
            0
        ),
    ])
    func optionsThatEndInCash(code: String, gain: String, events: String, told: Int) throws {
        let sink = try collected(
            """
            <Trades><Trade \(Self.option) tradeID="1" dateTime="20260119;161000" transactionType="BookTrade" \
            buySell="SELL" quantity="-1" proceeds="0" ibCommission="0" netCash="0" cost="-441.18" \
            fifoPnlRealized="\(gain)" notes="\(code)" openCloseIndicator="C" levelOfDetail="EXECUTION"/></Trades>
            """ + events)
        #expect(sink.warnings.count { $0.code == "field.missing" && $0.reason.contains("settled in cash") } == told)
    }

    /// A row of account "-" beside named ones is a sum over accounts.
    @Test(arguments: [(["U1", "-"], ["123.45"]), (["-"], ["123.45"])])
    func cashOfNoAccount(accounts: [String], units: [String]) throws {
        let rows = accounts.map {
            "<CashReportCurrency accountId=\"\($0)\" currency=\"USD\" levelOfDetail=\"Currency\" toDate=\"20260331\" "
                + "endingCash=\"123.45\"/>"
        }
        let sink = try collected("<CashReport>\(rows.joined())</CashReport>")
        #expect(sink.records.compactMap { $0.kind == .position ? $0[.units]?.description : nil } == units)
        #expect(sink.codes == [])
    }

    @Test(arguments: [
        (#"source="STANDALONE""#, ["tax"], []), (#"source="TRADE""#, [], []), (#"source="""#, [], []),
        ("", [], ["field.missing"]),
    ])
    func taxesOfWhich(source: String, kinds: [String], codes: [String]) throws {
        let sink = try collected(
            """
            <TransactionTaxes><TransactionTax accountId="U1" currency="GBP" symbol="AAA" date="20260116" \
            taxDescription="Stamp duty" taxAmount="-1.25" \(source)/></TransactionTaxes>
            """)
        #expect(sink.records.filter { $0.kind != .account }.map(\.kind.rawValue) == kinds && sink.codes == codes)
    }

    @Test(arguments: [("0", ["units.zero"], []), ("-1.5", [], ["value.invalid"])])
    func tradesOfNoUnits(cash: String, skipped: [String], codes: [String]) throws {
        let sink = try collected(
            """
            <Trades><Trade accountId="U1" currency="USD" assetCategory="STK" symbol="AAA" tradeID="1" \
            dateTime="20260119;161000" buySell="BUY" quantity="0" tradePrice="1" netCash="\(cash)" \
            levelOfDetail="EXECUTION"/></Trades>
            """)
        #expect(sink.units.filter { $0.outcome == .skipped }.map(\.code) == skipped && sink.codes == codes)
    }

    /// Confirmations say among their codes whether they open or close.
    @Test(arguments: [
        ("O;P", "BUY", RecordKind.buyToOpen), ("C", "SELL", .sellToClose), ("", "BUY", .buy), ("C;O", "SELL", .sell),
    ])
    func confirmationsOpenAndClose(code: String, side: String, kind: RecordKind) throws {
        let units = side == "BUY" ? "1" : "-1"
        let sink = try collected(
            """
            <TradeConfirms><TradeConfirm accountId="U1" currency="USD" assetCategory="OPT" symbol="XIX C" conid="7" \
            multiplier="100" tradeID="1" dateTime="20260119;161000" buySell="\(side)" quantity="\(units)" price="2" \
            amount="200" netCash="200" code="\(code)" levelOfDetail="EXECUTION"/></TradeConfirms>
            """)
        #expect(sink.records.filter { $0.kind != .account }.map(\.kind) == [kind])
    }
}
