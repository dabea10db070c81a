import Importing
import OpenAlloc
import Testing

/// Flex reports of other kinds and settings than the usual one.
@Suite struct FlexReportTests {
    private func report(_ list: String, _ rows: String, dates: String = "", more: String = "") throws -> Collector {
        try collect(
            """
            <FlexQueryResponse queryName="q" type="TCF"><FlexStatements count="1"><FlexStatement accountId="U1" \(dates)>
            \(more)<\(list)>\(rows)</\(list)></FlexStatement></FlexStatements></FlexQueryResponse>
            """, FlexImporter())
    }

    private func confirm(_ element: String, _ level: String, _ more: String = "") -> String {
        """
        <\(element) accountId="U1" currency="USD" assetCategory="STK" symbol="SMPL" multiplier="1" tradeID="" \
        dateTime="2025-01-02;11:08:05 EST" settleDate="2025-01-03" tradeDate="2025-01-02" buySell="BUY" quantity="3" \
        price="10.5" amount="31.5" proceeds="-31.5" netCash="-32.6" commission="-1" commissionCurrency="USD" \
        tax="-0.1" levelOfDetail="\(level)" \(more)/>
        """
    }

    private static let bought =
        "buy account=U1 institution=Interactive Brokers currency=USD symbol=SMPL securityKind=STK sourceAction=BUY "
        + "units=3 price=10.5 amount=-32.6 commission=1 tax=0.1 "
        + "tradedAt=2025-01-02T16:08:05Z settledAt=2025-01-03T17:00:00Z"

    /// What returns capital is told by the words of a dividend, on the short road, too.
    @Test(arguments: [
        ("(Ordinary Dividend)", RecordKind.dividend), ("(RETURN OF CAPITAL)", .returnOfCapital),
        ("(InterimLiquidation)", .returnOfCapital), ("(LiquidationDividend)", .returnOfCapital),
        ("(Interim Dividend)", .dividend), ("interimliquidatio", .dividend),
    ])
    func capitalIsReturned(words: String, kind: RecordKind) throws {
        func row(_ id: Int, _ words: String) -> String {
            """
            <CashTransaction accountId="U1" currency="USD" assetCategory="STK" symbol="SMPL" type="Dividends" \
            description="SMPL(US0000000001) CASH DIVIDEND USD 0.25 PER SHARE \(words)" dateTime="20250102;202000" \
            amount="\(id)" transactionID="90\(id)"/>
            """
        }
        let plain = (0..<30).map { row(100 + $0, "(Ordinary Dividend)") }.joined(separator: "\n")
        let sink = try report("CashTransactions", plain + row(7, words) + plain.replacing("ID=\"90", with: "ID=\"91"))
        #expect(sink.codes.isEmpty)
        #expect(sink.records.filter { $0[.amount]?.description == "7" }.map(\.kind) == [kind])
        #expect(sink.records.count { $0.kind == .dividend } == (kind == .dividend ? 61 : 60))
    }

    /// Of a future or a contract for difference only the commission is cash on the day of the trade, unless the report
    /// has its net cash.
    @Test(arguments: [("FUT", "", "-2"), ("CFD", "", "-2"), ("FUT", #"netCash="-7""#, "-7"), ("STK", "", "-502")])
    func gainsOfFuturesArePaidDayByDay(_ category: String, _ cash: String, _ amount: String) throws {
        let row = """
            <Trade accountId="U1" currency="USD" assetCategory="\(category)" symbol="SMPL" multiplier="50" \
            dateTime="20250102;110805" buySell="BUY" quantity="1" tradePrice="10" proceeds="-500" ibCommission="-2" \
            ibCommissionCurrency="USD" levelOfDetail="EXECUTION" \(cash)/>
            """
        let sink = try report("Trades", row)
        let record = try #require(sink.records.first { $0.kind == .buy })
        #expect(record[.amount]?.description == amount && sink.codes.isEmpty)
    }

    /// A transfer that is cancelled turns its sign, also where the query leaves its code out.
    @Test(arguments: [
        ("OUT", "-10", "", "-10"), ("OUT", "10", "", "10"), ("OUT", "10", "Ca", "10"), ("IN", "10", "", "10"),
        ("IN", "-10", "P;Ca", "-10"),
    ])
    func cancelledTransfers(_ direction: String, _ quantity: String, _ code: String, _ units: String) throws {
        let row = """
            <Transfer accountId="U1" currency="USD" assetCategory="STK" symbol="SMPL" date="20250102" type="FOP" \
            direction="\(direction)" quantity="\(quantity)" cashTransfer="0" code="\(code)"/>
            """
        let sink = try report("Transfers", row)
        #expect(sink.records.map { $0[.units]?.description } == [units] && sink.codes.isEmpty)
    }

    /// Units against cash are bought or redeemed; with cash that goes their way an event says nothing of it.
    @Test(arguments: [
        ("10", "-100", RecordKind.buy), ("-10", "100", .redemption), ("10", "0", .merger), ("10", "5", nil),
    ])
    func eventsWithCash(_ quantity: String, _ proceeds: String, _ kind: RecordKind?) throws {
        let row = """
            <CorporateAction accountId="U1" currency="USD" assetCategory="STK" symbol="SMPL" dateTime="20250102" \
            quantity="\(quantity)" proceeds="\(proceeds)" type="TC"/>
            """
        let sink = try report("CorporateActions", row)
        #expect(sink.records.map(\.kind) == (kind.map { [$0] } ?? []))
        #expect(sink.codes == (kind == nil ? ["sign.contradicts"] : []))
    }

    @Test func tradeConfirmations() throws {
        let sink = try report(
            "TradeConfirms",
            confirm("SymbolSummary", "SYMBOL_SUMMARY") + confirm("Order", "ORDER")
                + confirm("TradeConfirm", "EXECUTION"))
        #expect(sink.flat.map { brief($0) } == [brief(Self.bought)] && sink.codes.isEmpty)
        #expect(
            sink.units.filter { $0.outcome == .skipped }.map(\.code) == ["level.notExecution", "level.notExecution"])
        let orders = try report("TradeConfirms", confirm("Order", "ORDER"))
        #expect(orders.flat.map { brief($0) } == [brief(Self.bought)])
    }

    /// The words of a record in any order.
    private func brief(_ text: String) -> Set<String> { Set(text.split(separator: " ").map(String.init)) }

    @Test func confirmedExpiry() throws {
        let row = confirm("TradeConfirm", "EXECUTION", "code=\"C;Ep\"").replacing("STK", with: "OPT")
            .replacing("proceeds=\"-31.5\"", with: "proceeds=\"0\"")
        #expect(try report("TradeConfirms", row).records.map(\.kind) == [.expired])
    }

    /// Trades at the level of orders count where there are no executions.
    @Test func ordersAsTrades() throws {
        let order = confirm("Trade", "ORDER")
        #expect(try report("Trades", order).records.map(\.kind) == [.buy])
        let both = try report("Trades", order + confirm("Trade", "EXECUTION") + confirm("Trade", "CLOSED_LOT"))
        #expect(both.records.map(\.kind) == [.buy])
        #expect(both.units.map(\.outcome) == [.section, .skipped, .accepted, .skipped])
    }

    @Test(arguments: ["Trade", "Lot", "SymbolSummary"]) func onlySums(element: String) throws {
        let sink = try report("Trades", confirm(element, "CLOSED_LOT"))
        #expect(sink.records.isEmpty && sink.warnings.map(\.code) == ["field.missing"])
    }

    @Test func unknownSections() throws {
        let sink = try report("Novelties", #"<Novelty amount="1"/><Novelty amount="2"/>"#)
        #expect(sink.warnings.map(\.code) == ["section.unknown"])
        #expect(sink.warnings.first?.reason.contains("2 rows") == true)
    }

    private func fee(_ date: String) -> String {
        #"<CashTransaction currency="USD" type="Other Fees" amount="1" dateTime="\#(date)"/>"#
    }

    @Test(arguments: [
        ("02-Jan-25", "2025-01-02T17:00:00Z"), ("02-Jan-25;09:30:00", "2025-01-02T14:30:00Z"),
        ("02-JAN-2025 09:30:00", "2025-01-02T14:30:00Z"), ("20250102093000", "2025-01-02T14:30:00Z"),
        ("2025-01-0209:30:00", "2025-01-02T14:30:00Z"), ("31/01/25;093000", "2025-01-31T14:30:00Z"),
        ("31/01/25093000", "2025-01-31T14:30:00Z"), ("31/01/2509:30:00", "2025-01-31T14:30:00Z"),
        ("31/01/2025093000", "2025-01-31T14:30:00Z"), ("31/01/202509:30:00", "2025-01-31T14:30:00Z"),
        ("31/01/202009:30:00", "2020-01-31T14:30:00Z"), ("31/01/2009:30:00", "2020-01-31T14:30:00Z"),
        ("31/01/20093045", "2020-01-31T14:30:45Z"), ("02-Jan-25093000", "2025-01-02T14:30:00Z"),
    ])
    func readsDates(text: String, value: String) throws {
        let sink = try report("CashTransactions", fee(text))
        #expect(sink.records.last?[.tradedAt]?.description == value)
    }

    @Test(arguments: ["18991231", "31/12/1899;093000", "1899-12-31"]) func saysThatDatesAreOld(text: String) throws {
        let sink = try report("CashTransactions", fee(text))
        #expect(sink.codes == ["date.invalid"] && sink.units.contains { $0.reason.contains("before 1900") })
    }

    @Test(arguments: [
        "02-Jam-25", "31-Feb-25", "2025010209300", "01/02/25", "45/01/25", "02-Jan-2", "01/02/2x", "31/01/20101502",
        "18991231",
    ])
    func rejectsDates(text: String) throws {
        #expect(try report("CashTransactions", fee(text)).codes == ["date.invalid"])
    }

    /// One date that can be read in one way only shows how all are meant.
    @Test(arguments: [
        ("toDate=\"31/12/2025\"", "", "2025-02-01T17:00:00Z"), ("toDate=\"12/31/2025\"", "", "2025-01-02T17:00:00Z"),
        ("fromDate=\"12/31/25\"", "", "2025-01-02T17:00:00Z"),
        ("toDate=\"01/02/2025\"", "28/02/2025;120000", "2025-02-01T17:00:00Z"),
        ("", "02/28/2025", "2025-01-02T17:00:00Z"),
    ])
    func provesTheOrderOfDates(dates: String, other: String, value: String) throws {
        let rows = fee("01/02/2025") + (other.isEmpty ? "" : fee(other))
        let sink = try report("CashTransactions", rows, dates: dates)
        #expect(sink.codes.isEmpty && sink.records.first?[.tradedAt]?.description == value)
    }

    @Test func contradictoryDatesProveNothing() throws {
        let sink = try report("CashTransactions", ["01/02/2025", "31/01/2025", "01/31/2025"].map(fee).joined())
        #expect(sink.codes == ["date.invalid"])
    }

    @Test func currencyPositions() throws {
        let lot =
            #"<FxLot accountId="U1" fxCurrency="EUR" quantity="3.5" reportDate="20250131" levelOfDetail="SUMMARY"/>"#
        let sink = try report("FxPositions", lot)
        #expect(
            sink.records.map { $0[.units]?.description } == ["3.5"]
                && sink.records.map { $0.string(.currency) } == ["EUR"])
    }

    /// A cash report of nothing but the sum is the account's cash in its base currency, where that is named.
    @Test func cashInBaseCurrency() throws {
        func cash(_ currency: String) -> String {
            #"<CashReportCurrency accountId="U1" currency="\#(currency)" endingCash="7" toDate="20250131"/>"#
        }
        let account = #"<AccountInformation accountId="U1" currency="CHF"/>"#
        let sum = try report("CashReport", cash("BASE_SUMMARY"), more: account)
        #expect(sum.records.map { $0.string(.currency) } == ["CHF", "CHF"])
        let both = try report("CashReport", cash("BASE_SUMMARY") + cash("EUR"), more: account)
        #expect(both.records.map { $0.string(.currency) } == ["CHF", "EUR"])
        #expect(try report("CashReport", cash("BASE_SUMMARY")).records.isEmpty)
    }

    @Test func chargesAndCards() throws {
        let charges = try report(
            "CFDCharges", #"<CFDCharge accountId="U1" currency="USD" symbol="X" date="20250102" total="-1.25"/>"#)
        #expect(charges.records.map(\.kind) == [.fee] && charges.records.map { $0[.amount]?.description } == ["-1.25"])
        for (parts, amount) in [
            ("received=\"2.05\" paid=\"-1.15\"", "0.9"), ("received=\"0\" paid=\"-1.15\"", "-1.15"),
            ("paid=\"-1.15\"", nil),
            ("received=\"2.05\" paid=\"1.15\"", nil), ("", nil),
        ] {
            let row = "<CFDCharge accountId=\"U1\" currency=\"USD\" symbol=\"X\" date=\"20250102\" \(parts)/>"
            let sink = try report("CFDCharges", row)
            #expect(
                sink.records.first?[.amount]?.description == amount
                    && sink.codes == (amount == nil ? ["field.missing"] : []))
        }
        func card(_ currency: String, _ status: String) -> String {
            """
            <DebitCardActivity accountId="U1" currency="\(currency)" status="\(status)" reportDate="20250102" \
            merchantNameLocation="Shop" amount="-5"/>
            """
        }
        let cards = try report(
            "DebitCardActivities", card("USD", "Settled") + card("USD", "Authorized") + card("BASE_SUMMARY", "Settled"))
        #expect(cards.records.map(\.kind) == [.cash] && cards.codes == ["currency.unknown"])
        #expect(cards.units.filter { $0.outcome == .skipped }.map(\.code) == ["transaction.pending"])
    }
}
