import Importing
import OpenAlloc
import Testing

/// The statement of funds, which is read for what no other section of a report has.
@Suite struct FlexFundsTests {
    private func report(_ lines: String, _ more: String = "") throws -> Collector {
        try collect(
            """
            <FlexQueryResponse queryName="q" type="AF"><FlexStatements count="1"><FlexStatement accountId="U1">
            <AccountInformation accountId="U1" currency="EUR"/>\(more)
            <StmtFunds>\(lines)</StmtFunds></FlexStatement></FlexStatements></FlexQueryResponse>
            """, FlexImporter())
    }

    private func line(_ code: String, _ amount: String, _ more: String = "", level: String = "Currency") -> String {
        """
        <StatementOfFundsLine accountId="U1" currency="USD" activityCode="\(code)" date="20250102" \
        settleDate="20250103" amount="\(amount)" levelOfDetail="\(level)" \(more)/>
        """
    }

    private func kinds(_ sink: Collector) -> [RecordKind] { sink.records.map(\.kind).filter { $0 != .account } }

    private static let trades = """
        <Trades><Trade accountId="U1" currency="USD" assetCategory="STK" symbol="SMPL" dateTime="20250102;110805" \
        buySell="BUY" quantity="1" tradePrice="10" proceeds="-10" netCash="-10" levelOfDetail="EXECUTION"/></Trades>
        """
    private static let cash = """
        <CashTransactions><CashTransaction accountId="U1" currency="USD" type="Other Fees" amount="1" \
        dateTime="20250102"/></CashTransactions>
        """

    @Test(arguments: [
        ("DIV", "", "2", RecordKind.dividend), ("DIV", "ABC Return of Capital", "2", .returnOfCapital),
        ("DIV", "ABC (InterimLiquidation)", "2", .returnOfCapital),
        ("PIL", "", "2", .income), ("FRTAX", "", "-2", .tax), ("CINT", "", "2", .interest),
        ("DINT", "", "-2", .marginInterest), ("INTR", "", "2", .interest), ("INTP", "", "-2", .interest),
        ("DEP", "", "2", .cash), ("WITH", "", "-2", .cash), ("", "Electronic Fund Transfer", "2", .cash),
        ("OFEE", "", "-2", .fee), ("MFEE", "", "-2", .fee), ("STAX", "", "-2", .tax), ("TTAX", "", "-2", .tax),
        ("ADJ", "", "2", .adjustment), ("", "SMPL Cash Dividend USD 0.25 per Share", "2", .dividend),
        ("", "SMPL Cash Dividend USD 0.25 per Share - US Tax", "-2", .tax),
        ("", "SMPL Payment in Lieu of Dividend", "2", .income),
        ("", "USD Credit Interest for Jan-2025", "2", .interest),
        ("", "USD Debit Interest for Jan-2025", "-2", .marginInterest),
        ("", "Withholding @ 20% on Credit Interest for Jan-2025", "-2", .tax),
        ("", "Cash Transfer", "2", .cash), ("", "Disbursement Initiated by A B", "-2", .cash),
        ("", "Bond Coupon Payment (SMPL 1 08/15/34 - SAMPLE BOND)", "2", .interest),
        ("", "Purchase Accrued Interest SMPL 1 08/15/34", "-2", .interest),
        ("", "Commission from Forex Trade", "-2", .fee),
        ("", "Traded Currency Leg from Forex Trade", "2", .currencyExchange),
        ("", "Net Amount in Base Currency from Forex Trade: -1,000 EUR.USD", "-2", .currencyExchange),
        ("FOREX", "Net Currency Leg from Forex Trade", "-2", .currencyExchange),
        ("FOREX", "Commission from Forex Trade", "-2", .fee),
    ])
    func says(code: String, words: String, amount: String, kind: RecordKind) throws {
        let sink = try report(line(code, amount, #"activityDescription="\#(words)""#))
        #expect(sink.codes.isEmpty && kinds(sink) == [kind])
        #expect(sink.records.last?[.amount]?.description == amount)
        #expect(sink.warnings.map(\.code) == ["field.missing"])
    }

    @Test(arguments: [
        ("CORP", "field.missing"), ("NEW", "action.unknown"), ("", "field.missing"), ("BUY", "field.missing"),
    ])
    func rejects(code: String, finding: String) throws {
        #expect(try report(line(code, "2")).codes == [finding])
    }

    @Test(arguments: [
        ("Starting Balance", "balance.informational"), ("Ending Balance", "balance.informational"),
        ("FX Translations P&amp;L", "section.informational"),
    ])
    func passesOver(words: String, code: String) throws {
        let sink = try report(line("ADJ", "2", #"activityDescription="\#(words)""#))
        #expect(sink.units.last?.code == code && kinds(sink).isEmpty)
    }

    /// A report of several accounts has each line once more, of the account "-". Where all lines are so, they count.
    @Test(arguments: [("U1", ["", "level.notDetail"]), ("-", ["", ""])])
    func sumsOverAccounts(account: String, codes: [String]) throws {
        let fee = line("OFEE", "-2", #"activityDescription="Snapshot""#)
        let first = fee.replacing("U1", with: account)
        let sink = try report(first + fee.replacing("U1", with: "-").replacing("\"-2\"", with: "\"-3\""))
        #expect(sink.units.suffix(2).map(\.code) == codes)
        #expect(kinds(sink).count == codes.count { $0.isEmpty })
    }

    private func trade(_ code: String, _ values: String, _ more: String = "", level: String = "Currency") -> String {
        let parts = values.split(separator: " ").map(String.init)
        return line(
            code, parts[3],
            """
            symbol="SMPL" tradeQuantity="\(parts[0])" tradePrice="\(parts[1])" tradeGross="\(parts[2])" \
            tradeCommission="-1" tradeTax="0" \(more)
            """, level: level)
    }

    /// The price is stated where it makes the gross amount; else the amount gives it.
    @Test(arguments: [
        ("BUY", "10 20 -200 -201", #"assetCategory="STK""#, "10", "20"),
        ("SELL", "-10 20 200 199", #"assetCategory="STK""#, "-10", "20"),
        ("SELL", "-10 0 200 199", #"assetCategory="STK""#, "-10", nil),
        ("BUY", "10 25 -200 -201", #"assetCategory="STK""#, "10", nil),
        ("BUY", "5000 97.65 -4882.5 -4883.5", #"assetCategory="BOND""#, "5000", "97.65"),
        ("BUY", "2 1.5 -300 -301", #"assetCategory="OPT" multiplier="100""#, "2", "1.5"),
        ("BUY", "-10 20 200 199", #"assetCategory="STK""#, "-10", "20"),
        ("SELL", "10 20 -200 -201", #"assetCategory="STK""#, "10", "20"),
    ])
    func trades(code: String, values: String, more: String, units: String, price: String?) throws {
        let sink = try report(trade(code, values, more))
        let record = try #require(sink.records.last)
        #expect(sink.codes.isEmpty && record[.units]?.description == units && record[.price]?.description == price)
        #expect(record[.amount]?.description == values.split(separator: " ").last.map(String.init))
        #expect(record.isReversal == ((code == "BUY") == units.hasPrefix("-")))
    }

    /// Of futures and contracts for difference the costs alone are paid, whichever way they go.
    @Test(arguments: [("FUT", true), ("CFD", true), ("FXCFD", true), ("STK", false)])
    func costsAlone(category: String, areAlone: Bool) throws {
        for gross in ["200", "0"] {
            let row = trade("SELL", "-10 20 \(gross) -1", #"assetCategory="\#(category)" multiplier="1""#)
            let record = try #require(try report(row).records.last)
            #expect(record.isMarkedToMarket == areAlone && record[.amount] == -1 && record[.price] == 20)
        }
    }

    /// Short sales, what becomes of options, and what they deliver.
    @Test(arguments: [
        ("SHORT", "-10 20 200 199", "STK", [RecordKind.sellShort]), ("COVER", "10 20 -200 -201", "STK", [.buyToCover]),
        ("SHORT", "-2 1.5 300 299", "OPT", [.sellToOpen]), ("COVER", "2 1.5 -300 -301", "OPT", [.buyToClose]),
        ("EXE", "-2 0 0 -1", "OPT", [.exercised]), ("ASSIGN", "2 0 0 -1", "OPT", [.assigned]),
        ("EXP", "-2 0 0 -1", "FOP", [.expired]), ("EXE", "-2 0 0 499", "OPT", [.exercised, .adjustment]),
        ("EXP", "-2 0 0 -1", "WAR", [.expired]), ("EXE", "-2 0 0 -1", "IOPT", [.exercised]),
        ("ASSIGN", "200 50 -10000 -10001", "STK", [.buy]), ("EXE", "-200 50 10000 9999", "STK", [.sell]),
    ])
    func shortSalesAndOptions(code: String, values: String, category: String, wanted: [RecordKind]) throws {
        let row = trade(code, values, #"assetCategory="\#(category)" multiplier="\#(category == "STK" ? 1 : 100)""#)
        let sink = try report(row)
        #expect(sink.codes.isEmpty && kinds(sink) == wanted)
        let record = try #require(sink.records.first { $0.kind == wanted[0] })
        #expect(record[.units]?.description == values.split(separator: " ").first.map(String.init))
        #expect(record[.commission] == 1 && record.costsInAmount == (record[.amount] != nil))
        if wanted.count == 2 { #expect(sink.records.last?[.amount] == 500) }
        #expect(kinds(try report(row, Self.trades + Self.cash)) == [.buy, .fee])
    }

    /// The section of options repeats what becomes of them.
    @Test func closingsOnce() throws {
        let event = """
            <OptionEAE accountId="U1" currency="USD" assetCategory="OPT" symbol="SMPL" multiplier="100" \
            date="20250102" transactionType="Expiration" quantity="-2"/>
            """
        let row = trade("EXP", "-2 0 0 -1", #"assetCategory="OPT" multiplier="100""#)
        #expect(kinds(try report(row, event)) == [.expired])
    }

    /// Each section that is there has what the statement of funds repeats.
    @Test(arguments: [
        ("", "", [RecordKind.buy, .dividend]), ("trades", "", [.buy, .dividend]), ("", "cash", [.fee, .buy]),
        ("trades", "cash", [.buy, .fee]),
    ])
    func standsInForWhatIsMissing(_ trades: String, _ cash: String, _ wanted: [RecordKind]) throws {
        let more = (trades.isEmpty ? "" : Self.trades) + (cash.isEmpty ? "" : Self.cash)
        let sink = try report(trade("BUY", "10 20 -200 -201") + line("DIV", "2"), more)
        #expect(kinds(sink) == wanted && sink.codes.isEmpty)
        #expect(sink.warnings.count == (trades.isEmpty || cash.isEmpty ? 1 : 0))
    }

    /// What is delivered for an option stands among the trades; cash that came from another account among the transfers.
    @Test func otherSections() throws {
        let delivered = """
            <OptionEAE><OptionEAE accountId="U1" currency="USD" assetCategory="STK" symbol="SMPL" date="20250102" \
            transactionType="Buy" quantity="10" tradePrice="20" proceeds="-200"/></OptionEAE>
            """
        #expect(kinds(try report(trade("BUY", "10 20 -200 -201"), delivered)) == [.buy])
        #expect(kinds(try report(line("DIV", "1"), delivered)) == [.buy, .dividend])
        let moved = """
            <Transfers><Transfer accountId="U1" currency="USD" assetCategory="CASH" direction="OUT" cashTransfer="-5" \
            quantity="0" date="20250102"/></Transfers>
            """
        let sink = try report(line("WITH", "-5") + line("WITH", "-5.0") + line("DEP", "5"), moved)
        #expect(sink.records.filter { $0.kind == .cash }.compactMap { $0[.amount]?.description } == ["-5", "-5", "5"])
        let tax = #"<SalesTaxes><SalesTax accountId="U1" currency="USD" date="20250102" salesTax="-1"/></SalesTaxes>"#
        #expect(kinds(try report(line("STAX", "-1"), tax)) == [.tax])
    }

    /// Lines in the base currency repeat the others, and stand where there are none.
    @Test func levels() throws {
        let base = trade("BUY", "10 20 -180 -181", level: "BaseCurrency")
        let both = try report(base + trade("BUY", "10 20 -200 -201"))
        #expect(both.units.map(\.outcome).suffix(2) == [.skipped, .accepted])
        let alone = try report(base)
        #expect(alone.records.last?[.amount] == -181 && alone.records.last?[.price] == nil)
        #expect(alone.warnings.first?.reason.contains("base currency") == true)
        let mixed = ["USD", "EUR"].map {
            #"<StatementOfFundsLine accountId="U1" transactionID="7" currency="\#($0)" amount="1"/>"#
        }
        let sink = try report(mixed.joined())
        #expect(kinds(sink).isEmpty && sink.units.last?.code == "level.missing" && sink.warnings.count == 1)
    }

    @Test func debitsAndCredits() throws {
        let sink = try report(line("CINT", "", #"credit="2""#) + line("DINT", "", #"debit="-3" credit="""#))
        #expect(sink.records.suffix(2).compactMap { $0[.amount]?.description } == ["2", "-3"])
        #expect(try report(line("CINT", "")).codes == ["field.missing"])
    }

    /// What a stock's indicator of opening and closing says.
    @Test(arguments: [
        ("SELL", "O", RecordKind.sellShort), ("BUY", "C", .buyToCover), ("SELL", "C", .sell), ("BUY", "O", .buy),
        ("SELL", "C;O", .sell),
    ])
    func shortSales(side: String, indicator: String, kind: RecordKind) throws {
        let row = Self.trades.replacing(#""BUY""#, with: "\"\(side)\" openCloseIndicator=\"\(indicator)\"")
        #expect(kinds(try report("", row)) == [kind])
    }

    @Test(arguments: [("CD", RecordKind.dividend), ("CP", .interest), ("FA", .fee), ("RS", .cashInLieu)])
    func cashOfCorporateActions(type: String, kind: RecordKind) throws {
        let row = """
            <CorporateActions><CorporateAction accountId="U1" currency="USD" symbol="SMPL" dateTime="20250102" \
            quantity="0" proceeds="5" type="\(type)"/></CorporateActions>
            """
        #expect(kinds(try report("", row)) == [kind])
    }
}
