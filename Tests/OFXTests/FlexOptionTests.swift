import Importing
import OpenAlloc
import Testing

/// How options end in a Flex report, and rows that leave out what others say.
@Suite struct FlexOptionTests {
    private func report(_ sections: String, _ more: String = "") throws -> Collector {
        try collect(
            """
            <FlexQueryResponse queryName="q" type="AF"><FlexStatements count="1"><FlexStatement accountId="U1">
            \(more)\(sections)</FlexStatement></FlexStatements></FlexQueryResponse>
            """, FlexImporter())
    }

    private func kinds(_ sink: Collector) -> [RecordKind] { sink.records.map(\.kind).filter { $0 != .account } }

    private func event(_ type: String, _ quantity: String, _ proceeds: String) -> String {
        """
        <OptionEAE accountId="U1" currency="USD" assetCategory="OPT" symbol="XIX C" conid="7" multiplier="100" \
        date="20260116" transactionType="\(type)" quantity="\(quantity)" tradePrice="0" proceeds="\(proceeds)"/>
        """
    }

    private func booking(_ notes: String = "", commission: String = "0", _ more: String = "") -> String {
        """
        <Trade accountId="U1" currency="USD" assetCategory="OPT" symbol="XIX C" conid="7" multiplier="100" \
        dateTime="20260116;162000" transactionType="BookTrade" buySell="SELL" quantity="-2" tradePrice="0" \
        proceeds="0" ibCommission="\(commission)" ibCommissionCurrency="USD" netCash="\(commission)" \
        openCloseIndicator="C" notes="\(notes)" levelOfDetail="EXECUTION" \(more)/>
        """
    }

    private func funds(_ code: String, _ amount: String, _ words: String) -> String {
        """
        <StatementOfFundsLine accountId="U1" currency="USD" assetCategory="OPT" symbol="XIX C" conid="7" \
        multiplier="100" date="20260116" activityCode="\(code)" activityDescription="\(words)" amount="\(amount)" \
        levelOfDetail="Currency"/>
        """
    }

    private static let cash = """
        <CashTransaction accountId="U1" currency="USD" type="Other Fees" amount="1" dateTime="20260102"/>
        """

    /// The cash of a settlement is an effect of its own; a row without cash only says that there was one.
    @Test func cashSettlements() throws {
        let sink = try report(event("Exercise", "-2", "0") + event("Cash Settlement", "0", "500"))
        #expect(kinds(sink) == [.exercised, .adjustment] && sink.codes.isEmpty)
        #expect(sink.records.last?[.amount] == 500)
        let none = try report(event("Cash Settlement", "0", "0"))
        #expect(kinds(none).isEmpty && none.units.last?.code == "settlement.informational")
    }

    /// The statement of funds has it where that section is not, whatever other sections there are.
    @Test func settlementsOfFunds() throws {
        let line = funds("ADJ", "500", "Option Cash Settlement for: XIX")
        let sections = booking("Ex") + Self.cash
        let sink = try report(sections + line)
        #expect(kinds(sink) == [.exercised, .fee, .adjustment] && sink.codes.isEmpty && sink.warnings.isEmpty)
        let both = try report(sections + event("Cash Settlement", "0", "500") + line)
        #expect(kinds(both) == [.exercised, .fee, .adjustment])
        #expect(both.units.last?.code == "section.informational")
        let other = try report(sections + funds("ADJ", "500", "Anything else"))
        #expect(kinds(other) == [.exercised, .fee])
    }

    /// What ended for money was closed at a price, whatever the row calls it and whatever stood before it.
    @Test(arguments: ["Ex", "A;C", "MEx", "Ep", "C;Ep"]) func endingsForMoney(notes: String) throws {
        let paid = booking(notes).replacing("tradePrice=\"0\"", with: "tradePrice=\"15.5\"")
            .replacing("proceeds=\"0\"", with: "proceeds=\"3100\"").replacing("netCash=\"0\"", with: "netCash=\"3100\"")
        let sink = try report(booking(notes) + paid)
        let trade = try #require(sink.records.first { $0.kind == .sellToClose })
        #expect(trade[.units] == -2 && trade[.amount] == 3100)
        #expect(sink.records.count { $0.kind.shape == .optionClosed } == 1)
    }

    /// Costs of a closing are cash; those in another currency are an effect of their own.
    @Test func costsOfClosings() throws {
        let sink = try report(booking("Ex", commission: "-1.5"))
        let record = try #require(sink.records.last)
        #expect(record.kind == .exercised && record[.commission]?.description == "1.5" && !record.costsInAmount)
        let row = booking("Ex", commission: "-1.5").replacing(#"Currency="USD""#, with: #"Currency="CHF""#)
        let other = try report(row)
        #expect(kinds(other) == [.exercised, .fee] && other.records.last?.string(.currency) == "CHF")
    }

    /// The section of such events has costs and taxes in one, misspelt.
    @Test(arguments: ["commisionsAndTax", "commissionsAndTax"]) func costsOfEvents(name: String) throws {
        let costs = "proceeds=\"0\" \(name)=\"-1.5\""
        let closed = try report(event("Assignment", "2", "0").replacing("proceeds=\"0\"", with: costs))
        let record = try #require(closed.records.last)
        #expect(record.kind == .assigned && record[.commission]?.description == "1.5" && !record.costsInAmount)
        let delivered = try report(
            """
            <OptionEAE accountId="U1" currency="USD" assetCategory="STK" symbol="XIX" date="20260116" \
            transactionType="Sell" quantity="-200" tradePrice="20" proceeds="4,000.00" \(name)="-0.77"/>
            """)
        let sale = try #require(delivered.records.last)
        #expect(sale.kind == .sell && sale[.commission]?.description == "0.77")
        #expect(sale[.amount]?.description == "3999.23" && delivered.codes.isEmpty)
    }

    /// An option whose class is left out is known by its symbol, or by its end, which does not say what it was.
    @Test(arguments: [("XIX   260116C06000000", true), ("XIX260116P06000000", true), ("XIX 260116", false)])
    func optionsOfNoClass(symbol: String, isClear: Bool) throws {
        let row = booking("Ex").replacing("assetCategory=\"OPT\" symbol=\"XIX C\"", with: "symbol=\"\(symbol)\"")
        let sink = try report(row)
        #expect(kinds(sink) == [.exercised])
        #expect(sink.warnings.isEmpty == isClear)
    }

    /// What has a price is a trade, whatever code it has: shares are delivered so.
    @Test func whatIsDeliveredIsATrade() throws {
        let row = booking("Ex").replacing("assetCategory=\"OPT\" symbol=\"XIX C\"", with: "symbol=\"XIX\"")
            .replacing("tradePrice=\"0\"", with: "tradePrice=\"20\"").replacing(
                "proceeds=\"0\"", with: "proceeds=\"40\""
            )
            .replacing("multiplier=\"100\"", with: "multiplier=\"1\"")
        #expect(kinds(try report(row)) == [.sell])
    }

    /// A booking that does not say why takes it from the section of such events, where that has one answer.
    @Test(arguments: [
        (["Exercise"], RecordKind.exercised), (["Assignment"], .assigned), (["Expiration"], .expired),
        ([], .sellToClose), (["Exercise", "Expiration"], .sellToClose),
    ])
    func kindsOfBookings(events: [String], kind: RecordKind) throws {
        let sink = try report(booking() + events.map { event($0, "-2", "0") }.joined())
        #expect(kinds(sink) == [kind] && sink.codes.isEmpty)
    }

    /// A trade that says by a code alone how its contract ended is the one that the section of such events repeats.
    @Test(arguments: [
        ("Ex", "Exercise", RecordKind.exercised), ("AEx", "Exercise", .exercised), ("MEx", "Exercise", .exercised),
        ("AEx;C", "Exercise", .exercised), ("A", "Assignment", .assigned), ("Ep", "Expiration", .expired),
    ])
    func endingsStandOnce(notes: String, type: String, kind: RecordKind) throws {
        let trade = booking(notes).replacing("transactionType=\"BookTrade\" ", with: "")
        let sink = try report(trade + event(type, "-2", "0"))
        #expect(kinds(sink) == [kind] && sink.codes.isEmpty)
        #expect(sink.units.last?.code == "row.repeated")
    }

    /// A blank number of units is no nought.
    @Test(arguments: [("", "field.missing"), ("0", nil)])
    func blankUnits(_ quantity: String, _ code: String?) throws {
        let moved = """
            <Transfer accountId="U1" currency="USD" assetCategory="STK" symbol="SMPL" date="20250102" type="FOP" \
            direction="IN" quantity="\(quantity)" cashTransfer="0"/>
            """
        let event = """
            <CorporateAction accountId="U1" currency="USD" symbol="SMPL" dateTime="20250102" quantity="\(quantity)" \
            proceeds="0" type="FS"/>
            """
        for row in [moved, event] {
            let sink = try report(row)
            #expect(kinds(sink).isEmpty && sink.codes == (code.map { [$0] } ?? []))
        }
    }

    /// Without proceeds the amount has the sign of the units that it is for.
    @Test(arguments: [("-20", "-240", "240"), ("20", "240", "-240"), ("20", "-240", nil)])
    func amountsOfCorporateActions(_ quantity: String, _ amount: String, _ cash: String?) throws {
        let sink = try report(
            """
            <CorporateAction accountId="U1" currency="USD" symbol="SMPL" dateTime="20250102" quantity="\(quantity)" \
            amount="\(amount)" type="TC"/>
            """)
        #expect(sink.codes == (cash == nil ? ["field.missing"] : []))
        #expect(sink.records.last { $0.kind != .account }?[.amount]?.description == cash)
    }

    /// What a row that does not name its class is paid for says whether it is a future.
    @Test(arguments: [("15.86", "-2.14", true), ("-33969.64", "-2.14", false)])
    func classesLeftOut(_ net: String, _ commission: String, _ isFuture: Bool) throws {
        let sink = try report(
            """
            <Trade accountId="U1" currency="USD" symbol="M6BM6" multiplier="6250" dateTime="20260105;101500" \
            buySell="BUY" quantity="1" tradePrice="5.4348" proceeds="-33967.5" ibCommission="\(commission)" \
            ibCommissionCurrency="USD" netCash="\(net)"/>
            """)
        let record = try #require(sink.records.last)
        #expect(record.isMarkedToMarket == isFuture && record[.amount]?.description == net)
    }

    @Test(arguments: [("USD.JPY", "JPY", true), ("USD.JPY", "USD", false), ("usd.jpy", "JPY", false)])
    func pairsLeftOut(_ symbol: String, _ currency: String, _ isPair: Bool) throws {
        let sink = try report(
            """
            <Trade accountId="U1" currency="\(currency)" symbol="\(symbol)" dateTime="20260105;101500" buySell="SELL" \
            quantity="-100" tradePrice="150" proceeds="15000" ibCommission="0"/>
            """)
        #expect(kinds(sink).first == (isPair ? .currencyExchange : .sell))
    }

    /// Sums repeat rows that do not say of what detail they are.
    @Test func sumsOfDetails() throws {
        func row(_ account: String, _ level: String) -> String {
            """
            <CashTransaction accountId="\(account)" currency="USD" type="Other Fees" amount="1" dateTime="20260102" \
            levelOfDetail="\(level)"/>
            """
        }
        #expect(kinds(try report(row("U1", "") + row("-", "SUMMARY"))) == [.fee])
        #expect(kinds(try report(row("U1", "SUMMARY"))) == [.fee])
    }

    /// A card's row of all currencies is in the base currency of its account.
    @Test func cardsInBaseCurrency() throws {
        let row = """
            <DebitCardActivity accountId="U1" currency="BASE_SUMMARY" status="Settled" amount="-5" \
            transactionDateTime="20260102"/>
            """
        #expect(try report(row).codes == ["currency.unknown"])
        let sink = try report(row, #"<AccountInformation accountId="U1" currency="CHF"/>"#)
        #expect(sink.codes.isEmpty && sink.records.last?.string(.currency) == "CHF")
    }

    /// Beside trades, a line of the statement of funds is the cash of a settlement alone, whatever its code.
    @Test func settlementsMoveNoUnitsTwice() throws {
        let line = funds("EXE", "500", "Option Cash Settlement for: XIX")
            .replacing("levelOfDetail", with: "tradeQuantity=\"-2\" levelOfDetail")
        let sink = try report(booking("Ex") + Self.cash + line)
        #expect(kinds(sink) == [.exercised, .fee, .adjustment] && sink.codes.isEmpty)
        #expect(sink.records.last?[.amount] == 500)
    }

    /// Taxes of an option that was closed are costs of its own, like its commission.
    @Test func closingsKeepTheirTaxes() throws {
        let sink = try report(booking("Ex", commission: "-1.5", "taxes=\"-3\""))
        #expect(sink.records.last?[.tax] == 3 && sink.records.last?[.commission] == ExactDecimal(exactly: "1.5"))
    }

    /// Of an option in the style of futures the commission alone is paid, unless the money says otherwise: also among rows
    /// that differ in nothing else.
    @Test func optionsInTheStyleOfFutures() throws {
        func trade(_ id: Int, _ net: String) -> String {
            """
            <Trade accountId="U1" currency="EUR" assetCategory="FSFOP" symbol="P BUND 130" conid="1" multiplier="1000" \
            tradeID="\(id)" dateTime="20260415;100000" transactionType="ExchTrade" buySell="BUY" quantity="1" \
            tradePrice="0.25" proceeds="-250" ibCommission="-1.5" ibCommissionCurrency="EUR" netCash="\(net)"/>
            """
        }
        let nets = (0..<24).map { $0 % 5 == 3 ? "-1.5" : "-251.5" }
        let sink = try report("<Trades>" + nets.enumerated().map { trade($0, $1) }.joined() + "</Trades>")
        let trades = sink.records.filter { $0.kind != .account }
        #expect(sink.codes.isEmpty && trades.count == nets.count)
        #expect(trades.map { $0[.amount]?.description } == nets)
        #expect(trades.map(\.isMarkedToMarket) == nets.map { $0 == "-1.5" })
    }
}
