import Importing
import OpenAlloc
import Testing

/// What rows of trades and corporate actions come to where fields are missing or words are rare.
@Suite struct FlexTradeTests {
    private func records(_ section: String, _ rows: String) throws -> [Record] {
        let sink = try collect(
            """
            <FlexQueryResponse queryName="q" type="AF"><FlexStatements count="1"><FlexStatement accountId="U1">
            <\(section)>\(rows)</\(section)></FlexStatement></FlexStatements></FlexQueryResponse>
            """, FlexImporter())
        #expect(sink.codes == [])
        return sink.records.filter { $0.kind != .account }
    }

    private func trade(_ more: String) -> String {
        "<Trade accountId=\"U1\" symbol=\"SMPL\" tradeDate=\"20250102\" buySell=\"BUY\" quantity=\"2\" \(more)/>"
    }

    @Test(arguments: [
        // The gains of futures are paid day by day: the price is what a contract comes to, the amount what it cost.
        ("currency=\"JPY\" assetCategory=\"FUT\" proceeds=\"-27000000\" ibCommission=\"-700\"", "13500000", "-700"),
        ("currency=\"USD\" assetCategory=\"FUT\" multiplier=\"5\" tradePrice=\"7\" ibCommission=\"-1\"", "7", "-1"),
        (
            "currency=\"USD\" assetCategory=\"FXCFD\" tradePrice=\"1500\" proceeds=\"-3000\" ibCommission=\"-1\"",
            "1500", "-1"
        ),
        // Taxes are paid with it.
        ("currency=\"EUR\" assetCategory=\"CFD\" tradePrice=\"7\" ibCommission=\"-1\" taxes=\"-0.5\"", "7", "-1.5"),
        ("currency=\"USD\" assetCategory=\"FUT\" tradePrice=\"40\" tradeMoney=\"4000\" netCash=\"-2\"", "2000", "-2"),
        ("currency=\"USD\" assetCategory=\"FSOPT\" multiplier=\"0\" tradePrice=\"3\" proceeds=\"-60\"", "30", "-60"),
        (
            "currency=\"USD\" assetCategory=\"FOP\" tradePrice=\"20\" ibCommission=\"-2\" netCash=\"-2002\"", "1000",
            "-2002"
        ),
        // A commission in the only currency that is named is in the amount.
        (
            "assetCategory=\"STK\" tradePrice=\"5\" netCash=\"-11\" ibCommission=\"-1\" ibCommissionCurrency=\"USD\"",
            "5", "-11"
        ),
    ])
    func whatATradeComesTo(more: String, price: String, amount: String) throws {
        let found = try records("Trades", trade(more))
        #expect(found.count == 1)
        #expect(found.first?[.price]?.description == price && found.first?[.amount]?.description == amount, "\(found)")
    }

    /// A trade that is cancelled and booked again keeps its id; without ids of transactions nothing else tells the two apart.
    @Test(arguments: [
        (["BUY", "BUY (Ca.)", "BUY"], ["2", "-2", "2"]), (["BUY", "BUY", "BUY (Ca.)"], ["2", "2", "-2"]),
        (["BUY", "BUY"], ["2"]), (["BUY", "BUY (Ca.)", "BUY", "BUY"], ["2", "-2", "2"]),
        (["BUY", "BUY (Ca.)", "BUY (Ca.)", "BUY", "BUY"], ["2", "-2", "2"]),
    ])
    func aCancelledTradeIsBookedAgain(_ sides: [String], _ units: [String]) throws {
        let rows = sides.map { side in
            let quantity = side == "BUY" ? "2" : "-2"
            return trade("tradePrice=\"1\" currency=\"USD\" tradeID=\"7\" ibExecID=\"E1\"")
                .replacing("\"BUY\"", with: "\"\(side)\"").replacing("quantity=\"2\"", with: "quantity=\"\(quantity)\"")
        }
        // Rows of which nothing is to be told before and after, so that some take the short road.
        let others = (0..<20).map { trade("tradePrice=\"1\" currency=\"USD\" tradeID=\"9\($0)\" ibExecID=\"F\($0)\"") }
        let found = try records("Trades", (others + rows).joined())
        #expect(found.dropFirst(20).map { $0[.units]?.description } == units)
    }

    /// A code says it too, where the sign is not that of the side.
    @Test(arguments: [
        ("BUY", "-2", "Ca", true), ("SELL", "2", "Ca;P", true), ("BUY", "2", "Ca", false), ("BUY", "-2", "P", false),
    ])
    func cancelledByACode(_ side: String, _ quantity: String, _ notes: String, _ isReversal: Bool) throws {
        let row = trade("tradePrice=\"1\" currency=\"USD\" notes=\"\(notes)\"")
            .replacing("\"BUY\"", with: "\"\(side)\"").replacing("quantity=\"2\"", with: "quantity=\"\(quantity)\"")
        #expect(try records("Trades", row).map(\.isReversal) == [isReversal])
    }

    /// What is bought for a dividend says so by a code, among rows that differ in nothing else, too.
    @Test(arguments: [
        ("BUY", "2", "R", RecordKind.reinvest), ("BUY", "2", "P;R", .reinvest), ("BUY (Ca.)", "-2", "Ca;R", .reinvest),
        ("BUY", "2", "RI", .buy), ("SELL", "-2", "R", .sell),
    ])
    func boughtForADividend(side: String, quantity: String, notes: String, kind: RecordKind) throws {
        func row(_ id: Int, _ side: String, _ quantity: String, _ notes: String) -> String {
            let cash = quantity == "2" ? "-2" : "2"
            let more = "tradePrice=\"1\" proceeds=\"\(cash)\" currency=\"USD\" notes=\"\(notes)\" tradeID=\"\(id)\""
            return trade(more)
                .replacing("\"BUY\"", with: "\"\(side)\"")
                .replacing("quantity=\"2\"", with: "quantity=\"\(quantity)\"")
        }
        let rows = (0..<24).map { $0 % 5 == 3 ? row($0, side, quantity, notes) : row($0, "BUY", "2", "P") }
        let found = try records("Trades", rows.joined())
        #expect(found.map(\.kind) == (0..<24).map { $0 % 5 == 3 ? kind : .buy })
        #expect(found.allSatisfy { $0[.units] == ($0.kind == .sell || $0.isReversal ? -2 : 2) })
    }

    /// A movement of cash that stands in two sections is one; its id says so.
    @Test(arguments: [
        ("X1", "50", ["cash 50"]), ("X2", "50", ["cash 50", "cash 50"]), ("X1", "60", ["cash 60", "cash 50"]),
    ])
    func cashOfATransferCountsOnce(_ id: String, _ amount: String, _ wanted: [String]) throws {
        func row(_ id: String, _ amount: String) -> String {
            "<CashTransaction type=\"Deposits/Withdrawals\" currency=\"USD\" amount=\"\(amount)\" "
                + "dateTime=\"20250102\" transactionID=\"\(id)\"/>"
        }
        let others = (0..<20).map { row("Y\($0)", "1") }.joined()
        let found = try records(
            "CashTransactions",
            others + row(id, amount)
                + "</CashTransactions><Transfers><Transfer type=\"INTERNAL\" direction=\"IN\" assetCategory=\"CASH\" "
                + "currency=\"USD\" cashTransfer=\"50\" quantity=\"0\" date=\"20250102\" transactionID=\"X1\"/>"
                + "</Transfers><CashTransactions>")
        #expect(found.dropFirst(20).map { "\($0.kind) \($0[.amount]?.description ?? "")" } == wanted)
    }

    @Test(arguments: [("Ex", RecordKind.exercised), ("AEx", .exercised), ("MEx;P", .exercised), ("C", .buyToClose)])
    func automaticExercises(code: String, kind: RecordKind) throws {
        let more = "currency=\"USD\" assetCategory=\"OPT\" tradePrice=\"0\" netCash=\"0\" openCloseIndicator=\"C\" "
        #expect(try records("Trades", trade(more + "notes=\"\(code)\"")).map(\.kind) == [kind])
    }

    @Test(arguments: [
        ("2025-01-02;10:30:00 -0500", "2025-01-02T15:30:00Z"), ("2025-01-02T10:30:00+01:00", "2025-01-02T09:30:00Z"),
        ("2025-01-02T10:30:00", "2025-01-02T15:30:00Z"),
    ])
    func timesWithAnOffset(text: String, value: String) throws {
        let found = try records("Trades", trade("tradePrice=\"1\" currency=\"USD\" dateTime=\"\(text)\""))
        #expect(found.first?[.tradedAt]?.description == value)
    }

    @Test func anOffsetThatIsNoneIsNoDate() throws {
        for text in ["2025-01-02T10:30:00+1", "2025-01-02T10:30:00-05:0", "2025-01-02T10:30:00+9900"] {
            let row = trade("tradePrice=\"1\" currency=\"USD\" dateTime=\"\(text)\"")
            let sink = try collect(
                "<FlexQueryResponse><FlexStatements><FlexStatement accountId=\"U1\"><Trades>\(row)</Trades>"
                    + "</FlexStatement></FlexStatements></FlexQueryResponse>", FlexImporter())
            #expect(sink.codes == ["date.invalid"], "\(text)")
        }
    }

    /// Rights are given up and paid on: the shares come in a row of their own.
    @Test(arguments: [("-10", "30", "-30", "-10"), ("10", "-30", "30", "10")])
    func rightsThatAreSubscribed(quantity: String, amount: String, proceeds: String, units: String) throws {
        let found = try records(
            "CorporateActions",
            "<CorporateAction accountId=\"U1\" currency=\"USD\" symbol=\"SMPL.RT\" type=\"SR\" dateTime=\"20250102\" "
                + "reportDate=\"20250102\" quantity=\"\(quantity)\" amount=\"\(amount)\" proceeds=\"\(proceeds)\"/>")
        #expect(found.map(\.kind) == [.shares, .adjustment], "\(found)")
        #expect(found.first?[.units]?.description == units && found.last?[.amount]?.description == proceeds)
    }

    /// Only levels that others sum up or explain are passed over, an order only where there are executions.
    @Test(arguments: [
        ("EXECUTION", "", 1), ("ORDER", "", 1), ("CLOSED_LOT", "", 0), ("EXECUTON", "value.invalid", 0),
        ("", "", 1),
    ])
    func levelsOfTrades(level: String, code: String, count: Int) throws {
        let row = trade("tradePrice=\"1\" currency=\"USD\" levelOfDetail=\"\(level)\"")
        let sink = try collect(
            "<FlexQueryResponse><FlexStatements><FlexStatement accountId=\"U1\"><Trades>\(row)</Trades>"
                + "</FlexStatement></FlexStatements></FlexQueryResponse>", FlexImporter())
        #expect(sink.codes == (code.isEmpty ? [] : [code]))
        #expect(sink.records.filter { $0.kind == .buy }.count == count)
    }

    /// The sign says where units go: what is cancelled comes back, whatever the direction says.
    @Test(arguments: [
        ("OUT", "-58", RecordKind.sharesOut, "-58"), ("OUT", "58", .shares, "58"), ("IN", "58", .sharesIn, "58"),
        ("IN", "-58", .shares, "-58"),
    ])
    func transfersGoByTheirSign(direction: String, quantity: String, kind: RecordKind, units: String) throws {
        let found = try records(
            "Transfers",
            "<Transfer accountId=\"U1\" currency=\"USD\" symbol=\"SMPL\" date=\"20250102\" type=\"ACATS\" "
                + "direction=\"\(direction)\" quantity=\"\(quantity)\" cashTransfer=\"0\"/>")
        #expect(found.map(\.kind) == [kind] && found.first?[.units]?.description == units, "\(found)")
    }

    private func collected(_ section: String, _ rows: String) throws -> Collector {
        try collect(
            "<FlexQueryResponse><FlexStatements><FlexStatement accountId=\"U1\"><\(section)>\(rows)</\(section)>"
                + "</FlexStatement></FlexStatements></FlexQueryResponse>", FlexImporter())
    }

    /// Some queries have neither a price nor an amount of trades, but their cost, with the commission in it.
    @Test(arguments: [
        ("BUY", "2", "cost=\"101\"", "-101"), ("BUY", "2", "cost=\"101\" openCloseIndicator=\"O\"", "-101"),
        ("SELL", "-2", "cost=\"-99\" openCloseIndicator=\"O\"", "99"), ("SELL", "-2", "cost=\"-99\"", nil),
        ("SELL", "-2", "cost=\"-80\" fifoPnlRealized=\"19\"", "99"),
        ("BUY", "2", "cost=\"120\" fifoPnlRealized=\"19\"", "-101"),
        ("BUY", "2", "cost=\"101\" openCloseIndicator=\"C\"", nil), ("BUY", "2", "", nil),
        ("BUY", "2", "cost=\"-101\"", nil),
    ])
    func whatTradesCost(side: String, quantity: String, more: String, amount: String?) throws {
        func row(_ id: Int) -> String {
            "<Trade accountId=\"U1\" symbol=\"SMPL\" currency=\"USD\" tradeDate=\"20250102\" buySell=\"\(side)\" "
                + "quantity=\"\(quantity)\" ibCommission=\"-1\" tradeID=\"\(id)\" \(more)/>"
        }
        let sink = try collected("Trades", (0..<20).map(row).joined())
        #expect(Set(sink.codes) == (amount == nil ? ["field.missing"] : []))
        let found = sink.records.filter { $0[.units] != nil }
        #expect(found.allSatisfy { $0[.amount]?.description == amount } && found.count == (amount == nil ? 0 : 20))
        #expect(sink.warnings.contains { $0.reason.contains("from their cost") } == (amount != nil))
    }

    /// Pence are a currency of their own in Flex: the amount is in it.
    @Test(arguments: [("GBX", "138.00", "GBP", "1.38"), ("GBP", "138.00", "GBP", "138"), ("GBp", "5", "GBP", "0.05")])
    func penceArePounds(currency: String, amount: String, wanted: String, pounds: String) throws {
        func row(_ id: Int, _ currency: String, _ amount: String) -> String {
            "<CashTransaction accountId=\"U1\" currency=\"\(currency)\" type=\"Dividends\" amount=\"\(amount)\" "
                + "dateTime=\"20250102\" transactionID=\"\(id)\"/>"
        }
        let rows = (0..<20).map { row($0, currency, "2") } + [row(99, currency, amount)]
        let found = try records("CashTransactions", rows.joined())
        #expect(found.count == 21 && found.allSatisfy { $0.string(.currency) == wanted })
        #expect(found.last?[.amount]?.description == pounds)
    }

    /// A cost of nothing beside a gain of nothing is no cost.
    @Test(arguments: [("0", "0", ""), ("0", "50", "0"), ("40", "10", "40")])
    func costsThatAreNotStated(cost: String, gain: String, stated: String) throws {
        let sink = try collected(
            "OpenPositions",
            "<OpenPosition accountId=\"U1\" currency=\"USD\" symbol=\"SMPL\" assetCategory=\"STK\" position=\"10\" "
                + "markPrice=\"5\" positionValue=\"50\" costBasisMoney=\"\(cost)\" fifoPnlUnrealized=\"\(gain)\" "
                + "reportDate=\"20250102\"/>")
        let position = try #require(sink.records.first { $0.kind == .position })
        #expect(position[.costBasis]?.description ?? "" == stated)
    }

    /// A price below nothing is one where the money says so; else its sign is a slip.
    @Test(arguments: [
        ("proceeds=\"75.26\"", "-37.63"), ("tradeMoney=\"-75.26\"", "-37.63"), ("proceeds=\"-75.26\"", "37.63"),
        ("", "37.63"),
    ])
    func pricesBelowNothing(more: String, price: String) throws {
        let sink = try collected(
            "Trades", trade("tradePrice=\"-37.63\" currency=\"USD\" assetCategory=\"FUT\" multiplier=\"1000\" \(more)"))
        #expect(sink.codes == [] && sink.records.last?[.price]?.description == price)
    }

    /// Some write the amounts of an exchange without signs: the side says which currency goes.
    @Test(arguments: [
        ("BUY", "100", "", ["100", "-130"]), ("SELL", "100", "", ["-100", "130"]),
        ("SELL", "-100", "", ["-100", "130"]),
        ("SELL", "100", "proceeds=\"130\"", ["-100", "130"]), ("", "-100", "proceeds=\"130\"", ["-100", "130"]),
        ("SELL (Ca.)", "100", "proceeds=\"-130\"", ["100", "-130"]),
    ])
    func exchangesGoByTheirSide(side: String, quantity: String, more: String, amounts: [String]) throws {
        let row =
            "<Trade accountId=\"U1\" symbol=\"GBP.USD\" currency=\"USD\" tradeDate=\"20250102\" "
            + "buySell=\"\(side)\" quantity=\"\(quantity)\" tradePrice=\"1.3\" \(more)/>"
        let sink = try collected("Trades", row)
        #expect(sink.records.filter { $0.kind == .currencyExchange }.map { $0[.amount]?.description } == amounts)
        #expect(sink.codes == [])
    }

    /// Fractions that are sold and taken back, where the query has no word beside the side.
    @Test func aFractionIsTakenBack() throws {
        let others = (0..<20).map { trade("tradePrice=\"1\" currency=\"USD\" tradeID=\"\($0)\"") }.joined()
        let row = trade("tradePrice=\"1\" currency=\"USD\" transactionType=\"FracShareCancel\"")
            .replacing("quantity=\"2\"", with: "quantity=\"-2\"")
        let found = try records("Trades", others + row)
        #expect(found.last?.isReversal == true && found.last?[.units] == -2)
    }

    /// Trades that were made with another brokerage stand in a section of their own, unless the trades have them.
    @Test(arguments: [
        ("10", "netCash=\"-43\"", "", ["buy 10 -43"], ""), ("-10", "netCash=\"37\"", "", ["sell -10 37"], ""),
        ("10", "proceeds=\"-42\"", "", ["buy 10 -43"], ""), ("10", "netCash=\"43\"", "", [], "sign.contradicts"),
        ("0", "netCash=\"0\"", "", [], ""), ("10", "netCash=\"-43\"", "DvpTrade", ["buy 10 -43"], ""),
        ("10", "netCash=\"-43\"", "ExchTrade", ["buy 10 -43", "buy 10 -43"], ""),
    ])
    func tradesWithOthers(
        quantity: String, money: String, beside: String, wanted: [String], code: String
    ) throws {
        let row =
            "accountId=\"U1\" currency=\"USD\" assetCategory=\"STK\" symbol=\"SMPL\" conid=\"7\" tradeID=\"70\" "
            + "tradeDate=\"20250102\" tradeTime=\"202000\" quantity=\"\(quantity)\" tradePrice=\"4\" ibCommission=\"-1\" "
            + "awayBrokerCommission=\"2\" regulatoryFee=\"0\" \(money)"
        let trades = beside.isEmpty ? "" : "<Trades><Trade \(row) transactionType=\"\(beside)\"/></Trades>"
        let sink = try collected(
            "TradeTransfers",
            "<TradeTransfer \(row) transactionType=\"DvpTrade\"/></TradeTransfers>\(trades)<TradeTransfers>")
        let found = sink.records.filter { $0[.units] != nil }
        #expect(
            found.map { "\($0.kind) \($0[.units]?.description ?? "") \($0[.amount]?.description ?? "")" } == wanted)
        #expect(sink.codes == (code.isEmpty ? [] : [code]) && sink.warnings.isEmpty)
        if beside.isEmpty { #expect(found.allSatisfy { $0[.commission] == 1 && $0[.fees] == 2 }) }
    }

    /// What is redeemed and taken back undoes the redemption.
    @Test(arguments: [
        ("BM", "-10", "30", "", RecordKind.maturity), ("BM", "10", "-30", "Ca", .maturity),
        ("TM", "-10", "30", "", .maturity), ("TC", "-10", "30", "", .redemption),
        ("TC", "10", "-30", "Ca", .redemption), ("TC", "10", "-30", "", .buy),
        ("TC", "-10", "30", "Ca", .buy),
    ])
    func actionsForCash(type: String, quantity: String, proceeds: String, code: String, kind: RecordKind) throws {
        let found = try records(
            "CorporateActions",
            "<CorporateAction accountId=\"U1\" currency=\"USD\" symbol=\"SMPL\" type=\"\(type)\" dateTime=\"20250102\" "
                + "quantity=\"\(quantity)\" proceeds=\"\(proceeds)\" code=\"\(code)\"/>")
        #expect(found.map(\.kind) == [kind] && found.first?.isReversal == (code == "Ca"))
        #expect(found.first?[.units]?.description == quantity && found.first?[.amount]?.description == proceeds)
    }

    /// What a tender costs is paid for without units; a fraction brings money.
    @Test(arguments: [("-30", RecordKind.adjustment), ("30", .cashInLieu)])
    func cashOfAnActionWithoutUnits(proceeds: String, kind: RecordKind) throws {
        let found = try records(
            "CorporateActions",
            "<CorporateAction accountId=\"U1\" currency=\"USD\" symbol=\"SMPL\" type=\"TO\" dateTime=\"20250102\" "
                + "reportDate=\"20250102\" quantity=\"0\" amount=\"0\" proceeds=\"\(proceeds)\"/>")
        #expect(found.map(\.kind) == [kind] && found.first?[.amount]?.description == proceeds)
    }

    /// A future's price is one of a piece: without its size and its money nothing tells what a contract comes to.
    @Test(arguments: [
        ("assetCategory=\"FUT\" tradePrice=\"4000\" netCash=\"-2\"", ["field.missing"]),
        ("assetCategory=\"FUT\" tradePrice=\"4000\" tradeMoney=\"0\" netCash=\"-2\"", ["field.missing"]),
        ("assetCategory=\"FUT\" multiplier=\"0\" tradePrice=\"4000\"", ["field.missing"]),
        ("assetCategory=\"FUT\" multiplier=\"1\" tradePrice=\"4000\"", []),
    ])
    func contractsOfUnknownSize(more: String, codes: [String]) throws {
        let rows = (0..<30).map { trade("currency=\"USD\" tradeID=\"\($0)\" \(more)") }.joined(separator: "\n")
        #expect(Set(try collected("Trades", rows).codes) == Set(codes))
    }

    /// … nor what is held of them.
    @Test(arguments: [
        ("positionValue=\"-520000\" costBasisPrice=\"5100\" costBasisMoney=\"-510000\"", "50", []),
        ("costBasisPrice=\"5100\" costBasisMoney=\"-510000\"", "50", []),
        ("multiplier=\"5\" positionValue=\"-520000\"", "5", []),
        ("costBasisPrice=\"5100\"", nil, ["field.missing"]), ("", nil, ["field.missing"]),
    ])
    func positionsOfUnknownSize(more: String, size: String?, codes: [String]) throws {
        let sink = try collected(
            "OpenPositions",
            "<OpenPosition accountId=\"U1\" currency=\"USD\" assetCategory=\"FUT\" symbol=\"ESM4\" position=\"-2\" "
                + "markPrice=\"5200\" \(more)/>")
        #expect(sink.codes == codes)
        let position = sink.records.first { $0.kind == .position }
        #expect(position?[.multiplier]?.description == size && (size == nil) == (position == nil))
        #expect(position == nil || position?.priceUnit == .contract)
    }

    /// Contracts of which the class is left out are read as shares, and not without a word.
    @Test(arguments: [
        ("multiplier=\"50\"", true), ("multiplier=\"1\"", false), ("", false),
        ("multiplier=\"100\" assetCategory=\"OPT\"", false),
    ])
    func tradesOfNoClass(more: String, warns: Bool) throws {
        let sink = try collected("Trades", trade("tradePrice=\"1\" currency=\"USD\" \(more)"))
        #expect(sink.warnings.contains { $0.reason.contains("options or futures") } == warns && sink.codes == [])
    }
}
