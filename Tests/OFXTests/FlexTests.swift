import Importing
import OpenAlloc
import Testing

/// A Flex report with every section that counts, and by hand what each row must become.
@Suite struct FlexTests {
    private static let shared = [
        "account=U0000042", "accountTitle=Main", "institution=Interactive Brokers", "currency=USD",
    ]
    private static let stock = "symbol=SMPL isin=US99400GH473 cusip=99400GH47"
    private static let name = "description=SAMPLE & DAUGHTERS securityKind=STK"
    private static let option = "symbol=SMPL  250117C00150000 description=SMPL 17JAN25 150 C securityKind=OPT"
    private static let bond = "symbol=EXW 4 06/15/31 description=Example Water 4 2031 securityKind=BOND"
    private static let booked = "tradedAt=2025-01-16T01:20:00Z settledAt=2025-01-16T17:00:00Z"
    private static let asOf = "pricedAt=2025-01-31T17:00:00Z"
    private static let exchanged = "tradedAt=2025-01-13T15:15:00Z"

    private static let expected: [String] =
        [
            "account accountKind=IRA Traditional New",
            "position symbol=CORE securityKind=CASH lot=USD units=1000.25 price=1 unitCost=1 \(asOf)",
            "position symbol=CORE securityKind=CASH currency=EUR lot=EUR units=-2.9 price=1 unitCost=1 \(asOf)",
            "buy \(stock) \(name) sourceAction=BUY sourceTxnID=1 units=10 price=150.5 amount=-1506 commission=1 tax=0 "
                + "tradedAt=2025-01-06T14:30:15Z settledAt=2025-01-07T17:00:00Z",
            "sell \(stock) \(name) sourceAction=SELL sourceTxnID=2 units=-4 price=151 amount=603.98 tax=0.02 "
                + "tradedAt=2025-01-07T14:30:15Z settledAt=2025-01-08T17:00:00Z",
            "fee \(stock) \(name) currency=EUR sourceAction=SELL sourceTxnID=2 amount=-0.9 tradedAt=2025-01-07T14:30:15Z "
                + "settledAt=2025-01-08T17:00:00Z",
            "buy reversal \(stock) \(name) sourceAction=BUY (Ca.) sourceTxnID=3 units=-10 price=150.5 amount=1505 commission=0 tax=0 "
                + "tradedAt=2025-01-08T14:30:15Z",
            "sellToOpen unit=contract \(option) sourceAction=SELL sourceTxnID=4 units=-2 price=1.55 amount=308.7 commission=1.3 tax=0 "
                + "multiplier=100 tradedAt=2025-01-09T17:00:00Z",
            "expired unit=contract \(option) sourceAction=BUY sourceTxnID=5 units=2 multiplier=100 tradedAt=2025-01-17T21:20:00Z",
            "buy unit=percentOfPar \(bond) sourceAction=BUY sourceTxnID=6 units=5000 price=98.5 amount=-4927 commission=2 tax=0 "
                + "accruedInterest=12.5 tradedAt=2025-01-10T17:00:00Z",
            "currencyExchange description=EUR.USD currency=EUR sourceAction=SELL sourceTxnID=7 amount=-1000 \(exchanged)",
            "currencyExchange description=EUR.USD sourceAction=SELL sourceTxnID=7 amount=1100 \(exchanged)",
            "fee description=EUR.USD currency=EUR sourceAction=SELL sourceTxnID=7 amount=-2 \(exchanged)",
            "assigned unit=contract symbol=SMPL  250117P00100000 description=SMPL 17JAN25 150 C securityKind=OPT sourceAction=Assignment "
                + "units=1 multiplier=100 tradedAt=2025-01-17T17:00:00Z",
            "dividend \(stock) description=SMPL CASH DIVIDEND securityKind=STK sourceAction=Dividends sourceTxnID=200 amount=24 \(booked)",
            "tax \(stock) description=SMPL US TAX securityKind=STK sourceAction=Withholding Tax sourceTxnID=201 amount=-3.6 \(booked)",
            "income \(stock) description=PIL securityKind=STK sourceAction=Payment In Lieu Of Dividends sourceTxnID=202 amount=1 \(booked)",
            "interest description=USD CREDIT INT sourceAction=Broker Interest Received sourceTxnID=203 amount=0.5 \(booked)",
            "marginInterest description=USD DEBIT INT sourceAction=Broker Interest Paid sourceTxnID=204 amount=-0.7 \(booked)",
            "fee description=MARKET DATA sourceAction=Other Fees sourceTxnID=205 amount=-10 \(booked)",
            "cash description=WIRE sourceAction=Deposits/Withdrawals sourceTxnID=206 amount=500 \(booked)",
            "cash description=WIRE OUT sourceAction=Deposits & Withdrawals sourceTxnID=207 amount=-50 \(booked)",
        ] + holdings

    private static let holdings = [
        "sharesIn \(stock) \(name) sourceAction=ACATS sourceTxnID=301 units=3 tradedAt=2025-01-20T17:00:00Z",
        "cash description=INTERNAL sourceAction=INTERNAL sourceTxnID=302 amount=-25 tradedAt=2025-01-21T17:00:00Z",
        "split \(stock) description=SMPL SPLIT 2 FOR 1 securityKind=STK sourceAction=FS sourceTxnID=401 units=6 tradedAt=2025-01-23T01:25:00Z",
        "redemption symbol=OLDCO description=OLDCO MERGED FOR USD 2.86 securityKind=STK sourceAction=TC sourceTxnID=402 units=-12 "
            + "amount=34.32 tradedAt=2025-01-24T01:25:00Z",
        "position \(stock) \(name) lot=101 units=4 price=155 marketValue=620 costBasis=602.4 unitCost=150.6 "
            + "acquiredAt=2025-01-06T14:30:15Z \(asOf)",
        "position \(stock) \(name) lot=99 units=2 price=155 marketValue=310 costBasis=301.2 unitCost=150.6 "
            + "acquiredAt=2025-01-07T14:30:15Z \(asOf)",
        "position unit=percentOfPar \(bond) units=5000 price=99 marketValue=4950 costBasis=4927 unitCost=98.54 \(asOf)",
        "security \(stock) \(name)",
    ]

    @Test func mapsEveryRow() throws {
        let sink = try collect(sample("ibkr/flex_xml/activity_2025/flex_2025.xml"), FlexImporter())
        let got = brief(sink, dropping: Self.shared)
        #expect(got.count == Self.expected.count)
        for (got, expected) in zip(got, Self.expected) { #expect(got == expected) }
        #expect(sink.codes == ["action.unknown"])
        #expect(
            sink.units.filter { $0.outcome == .skipped }.map(\.code) == [
                "level.base", "row.repeated", "level.notExecution", "row.repeated", "level.notDetail",
                "position.inLots",
                "position.inSummary", "section.informational", "section.unknown",
            ])
        #expect(sink.records.first?.isTaxable == false)
    }

    @Test func theRejectFileConvertsByItself() throws {
        let first = try collect(sample("ibkr/flex_xml/activity_2025/flex_2025.xml"), FlexImporter())
        let again = try collect(first.rejectFile, FlexImporter())
        #expect(again.codes == first.codes)
        let mended = String(decoding: first.rejectFile, as: UTF8.self).replacing("Teleports", with: "Other Fees")
        let whole = try collect(mended, FlexImporter())
        #expect(whole.codes.isEmpty && whole.records.map(\.kind) == [.fee])
    }

    @Test func explainsErrorAnswers() throws {
        let sink = try collect(sample("ibkr/flex_xml/error_answer/answer.xml"), FlexImporter())
        #expect(sink.units.isEmpty)
        #expect(sink.warnings.first?.reason.contains("Statement generation in progress") == true)
    }

    @Test(arguments: [
        ("20250102;093000", "2025-01-02T14:30:00Z"), ("2025-01-02;09:30:00", "2025-01-02T14:30:00Z"),
        ("2025-01-02;093000", "2025-01-02T14:30:00Z"), ("2025-01-02, 09:30:00", "2025-01-02T14:30:00Z"),
        ("2025-01-02 09:30:00", "2025-01-02T14:30:00Z"), ("20250102", "2025-01-02T17:00:00Z"),
        ("2025-01-02", "2025-01-02T17:00:00Z"),
        ("20250102;093000 EST", "2025-01-02T14:30:00Z"), ("31/01/2025;093000", "2025-01-31T14:30:00Z"),
    ])
    func readsDates(text: String, value: String) throws {
        let sink = try collect(
            document(#"<CashTransaction currency="USD" type="Other Fees" amount="1" dateTime="\#(text)"/>"#),
            FlexImporter())
        #expect(sink.records.last?[.tradedAt]?.description == value)
    }

    @Test(arguments: ["", "20250231", "05/06/2025", "2025010", "20250102;256000", "20250102 soon"])
    func rejectsDates(text: String) throws {
        let sink = try collect(
            document(#"<CashTransaction currency="USD" type="Other Fees" amount="1" dateTime="\#(text)"/>"#),
            FlexImporter())
        #expect(sink.codes == [text.isEmpty ? "field.missing" : "date.invalid"])
    }

    /// A query with orders and no executions still has its trades.
    @Test func readsOrdersWhereThereIsNothingElse() throws {
        let order =
            #"<Order currency="USD" assetCategory="STK" symbol="A" tradeDate="20250102" tradeTime="093000" quantity="1" "#
            + #"tradePrice="2" buySell="BUY" levelOfDetail="ORDER"/>"#
        let sink = try collect(document(order, list: "Trades"), FlexImporter())
        #expect(sink.records.map(\.kind) == [.buy])
        #expect(sink.records.first?[.tradedAt]?.description == "2025-01-02T14:30:00Z")
    }

    @Test func keepsWhatStandsBeforeABreak() throws {
        let row = #"<CashTransaction currency="USD" type="Other Fees" amount="1" dateTime="20250102"/>"#
        let text = document(row + "\n" + row)
        let cut = try #require(text.ranges(of: "amount").last)
        let sink = try collect(String(text[..<cut.upperBound]), FlexImporter())
        #expect(sink.records.count == 1)
        #expect(sink.codes == ["markup.truncated"])
        #expect(sink.units.last?.raw == #"<CashTransaction currency="USD" type="Other Fees" amount"#)
        #expect(sink.warnings.contains { $0.code == "markup.malformed" })
    }

    /// In bytes that are not UTF-8, the text of a cut tag still begins at its `<`.
    @Test(arguments: [false, true]) func aCutTagKeepsItsPlace(isWide: Bool) throws {
        let row = #"<CashTransaction currency="USD" type="Other Fees" amount="1" dateTime="20250102" note="éééééééé"/>"#
        let text = document(row + row)
        let cut = String(text[..<(try #require(text.ranges(of: "amount").last)).upperBound])
        let bytes: [UInt8] =
            isWide
            ? [0xFF, 0xFE] + cut.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
            : cut.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) }
        let sink = try collect(bytes, FlexImporter())
        #expect(sink.records.count == 1 && sink.codes == ["markup.truncated"])
        #expect(sink.units.last?.raw == #"<CashTransaction currency="USD" type="Other Fees" amount"#)
    }

    @Test func readsPastDamage() throws {
        let row = #"<CashTransaction currency="USD" type="Other Fees" amount="1" dateTime="20250102"/>"#
        let sink = try collect(
            document(row + "\n<Oops>\n" + row.replacing("Other Fees", with: "R&D Fees") + "\n" + row), FlexImporter())
        #expect(sink.records.count == 2)
        // An element that nobody knows might be a row, as a type that nobody knows is.
        #expect(sink.codes == ["action.unknown", "action.unknown"])
    }

    /// Every element with attributes below a statement is one unit, in one outcome.
    @Test func countsEveryElement() throws {
        let bytes = try sample("ibkr/flex_xml/activity_2025/flex_2025.xml")
        let sink = try collect(bytes, FlexImporter())
        let elements = Self.elements(of: bytes)
        let outcomes: [Outcome] = [.accepted, .skipped, .rejected]
        #expect(sink.units.count == elements.values.reduce(0, +))
        #expect(sink.count(.section) == elements["FlexStatement"])
        for (name, count) in elements where name != "FlexStatement" {
            let units = sink.units.filter { $0.raw.hasPrefix("<\(name) ") || $0.raw.hasPrefix("<\(name)\n") }
            #expect(units.count == count, "\(name)")
            #expect(units.allSatisfy { outcomes.contains($0.outcome) }, "\(name)")
            #expect(units.filter { $0.outcome != .accepted }.allSatisfy { !$0.code.isEmpty }, "\(name)")
        }
        // What counts, by kind: each trade and each cash row that is not a record of its own says why.
        let trades = sink.units.filter { $0.raw.hasPrefix("<Trade ") }
        #expect(trades.count { $0.outcome == .accepted } == trades.count - trades.count { $0.outcome == .skipped })
        #expect((elements["Trade"] ?? 0) > 5 && (elements["CashTransaction"] ?? 0) > 5)
    }

    /// Start tags with attributes by name, without the frames, found by looking for `<` and `=` alone.
    static func elements(of bytes: [UInt8]) -> [String: Int] {
        var counts: [String: Int] = [:]
        var inComment = false
        for part in String(decoding: bytes, as: UTF8.self).split(separator: "<") {
            if part.hasPrefix("!--") { inComment = true }
            if inComment {
                if part.contains("-->") { inComment = false }
                continue
            }
            let name = String(part.prefix { $0.isLetter })
            guard !name.isEmpty, part.prefix(while: { $0 != ">" }).contains("=") else { continue }
            if ["FlexQueryResponse", "FlexStatements"].contains(name) { continue }
            counts[name, default: 0] += 1
        }
        return counts
    }

    private func document(_ rows: String, list: String = "CashTransactions") -> String {
        """
        <FlexQueryResponse queryName="q" type="AF">
        <FlexStatements count="1"><FlexStatement accountId="U1" fromDate="20250101" toDate="20250131">
        <\(list)>
        \(rows)
        </\(list)></FlexStatement></FlexStatements></FlexQueryResponse>
        """
    }
}
