import Importing
import OpenAlloc
import Testing

/// A document with every aggregate, and by hand what each must become.
@Suite struct StatementTests {
    static let shared = [
        "account=EX-1001", "accountTitle=EXAMPLE example.test", "accountKind=INVESTMENT", "institution=EXAMPLE",
        "currency=USD",
        "tradedAt=2024-01-10T14:30:00Z",
    ]
    static let bond = "symbol=99100AB15 cusip=99100AB15"
    static let fund = "symbol=SMPLX cusip=99200CD26"
    static let option = "symbol=SMPL250117C00150000 cusip=99300EF37"
    static let stock = "symbol=SMPL cusip=99400GH47"
    static let money = "symbol=EXMXX cusip=99500JK53"
    static let swiss = "symbol=99600LM63 cusip=99600LM63"
    static let bondName = "description=Example Water Bond 2031"
    static let fundName = "description=Sample Index Fund"
    static let stockName = "description=Sample & Daughters Inc"
    static let day = "tradedAt=2024-01-12T17:00:00Z"
    static let priced = "pricedAt=2024-01-31T21:00:00Z"

    static let expected: [String] =
        [
            "account",
            "buy unit=percentOfPar \(bond) \(bondName) sourceAction=BUYDEBT sourceTxnID=T01 units=10000 price=98.5 amount=-9860 commission=10",
            "interest \(bond) \(bondName) sourceAction=BUYDEBT sourceTxnID=T01 amount=-12.34 accruedInterest=12.34",
            "buy \(fund) \(fundName) lot=ROTH sourceAction=BUYMF sourceTxnID=T02 units=12.5 price=20 amount=-250",
            "buyToOpen unit=contract \(option) description=SMPL Jan 2025 150 Call sourceAction=BUYOPT sourceTxnID=T03 units=2 price=1.55 "
                + "amount=-311.3 commission=1.3 multiplier=100",
            "buy \(money) description=Example Money Fund sourceAction=BUYOTHER sourceTxnID=T04 units=500 price=1 amount=-500",
            "buy \(stock) description=YOU BOUGHT sourceAction=BUYSTOCK sourceTxnID=T05 units=10 price=150.25 amount=-1507.45 commission=4.95",
            "buyToCover \(stock) \(stockName) sourceAction=BUYSTOCK sourceTxnID=T06 units=5 price=140 amount=-700",
            "expired unit=contract \(option) description=EXPIRED sourceAction=CLOSUREOPT sourceTxnID=T07 units=-2 multiplier=100",
            "assigned unit=contract \(option) description=ASSIGNED sourceAction=CLOSUREOPT sourceTxnID=T08 units=1 multiplier=100",
            "dividend \(stock) description=DIVIDEND sourceAction=INCOME sourceTxnID=T09 amount=24 tax=3.6",
            "capitalGainLong \(fund) \(fundName) sourceAction=INCOME sourceTxnID=T10 amount=50",
            "capitalGainShort \(fund) \(fundName) sourceAction=INCOME sourceTxnID=T11 amount=7",
            "interest \(bond) \(bondName) sourceAction=INCOME sourceTxnID=T12 amount=100",
            "income \(stock) \(stockName) sourceAction=INCOME sourceTxnID=T13 amount=1",
            "returnOfCapital \(stock) description=RETURN OF CAPITAL sourceAction=INCOME sourceTxnID=T14 amount=3",
            "dividend \(stock) description=DIVIDEND REVERSED sourceAction=INCOME sourceTxnID=T15 amount=-24",
            "fee \(stock) description=ADR FEE sourceAction=INVEXPENSE sourceTxnID=T16 amount=-1.25",
            "marginInterest sourceAction=MARGININTEREST sourceTxnID=T19 amount=-8.88",
            "reinvestedIncome \(fund) \(fundName) sourceAction=REINVEST sourceTxnID=T20 units=1.665 price=20 amount=33.3",
            "reinvestedIncome \(fund) \(fundName) sourceAction=REINVEST sourceTxnID=T21 units=2 amount=40",
            "returnOfCapital \(stock) \(stockName) sourceAction=RETOFCAP sourceTxnID=T22 amount=15",
            "maturity unit=percentOfPar \(bond) \(bondName) sourceAction=SELLDEBT sourceTxnID=T23 units=-10000 price=100 amount=10000",
            "sell \(fund) \(fundName) lot=MATCH sourceAction=SELLMF sourceTxnID=T24 units=-2 price=21 amount=42",
            "sellToOpen unit=contract \(option) description=SMPL Jan 2025 150 Call sourceAction=SELLOPT sourceTxnID=T25 units=-1 price=2 "
                + "amount=198.95 commission=0.65 fees=0.4 multiplier=100",
            "sell unit=percentOfPar \(bond) description=REDEMPTION sourceAction=SELLOTHER sourceTxnID=T26 units=-1000 price=100 amount=1000",
            "sell \(stock) \(stockName) sourceAction=SELLSTOCK sourceTxnID=T27 units=-3 price=155 amount=464.98 fees=0.02",
            "sellShort \(stock) \(stockName) sourceAction=SELLSTOCK sourceTxnID=T28 units=-5 price=160 amount=800",
            "sell \(swiss) description=Muster AG priceCurrency=CHF sourceAction=SELLSTOCK sourceTxnID=T29 units=-1 sourcePrice=200 amount=170",
            "buy \(swiss) description=Muster AG currency=CHF sourceAction=BUYSTOCK sourceTxnID=T30 units=1 price=200 amount=-200 "
                + "exchangeRate=1.15",
            "split \(stock) \(stockName) sourceAction=SPLIT sourceTxnID=T31 units=21",
            "cashInLieu \(stock) \(stockName) sourceAction=SPLIT sourceTxnID=T31 amount=0.42",
            "sharesIn \(fund) \(fundName) sourceAction=TRANSFER sourceTxnID=T32 units=20 price=19 unitCost=18.5 acquiredAt=2020-01-02T17:00:00Z",
            "sharesOut \(fund) \(fundName) sourceAction=TRANSFER sourceTxnID=T33 units=-4",
            "sharesOut \(fund) \(fundName) sourceAction=TRANSFER sourceTxnID=T34 units=-1",
            "shares \(stock) \(stockName) sourceAction=TRANSFER sourceTxnID=T35 units=-6",
        ] + cash + positions + securities

    static let cash = [
        "cash description=EFT IN sourceAction=CREDIT sourceTxnID=T37 amount=1000 \(day)",
        "cash description=EFT OUT sourceAction=DEBIT sourceTxnID=T38 amount=-250 \(day)",
        "interest sourceAction=INT sourceTxnID=T39 amount=1.11 \(day)",
        "fee description=ANNUAL FEE sourceAction=FEE sourceTxnID=T40 amount=-25 \(day)",
        "dividend sourceAction=DIV sourceTxnID=T41 amount=2.22 \(day)",
        "interest description=INTEREST EARNED sourceAction=DEP sourceTxnID=T42 amount=0.77 \(day)",
        "adjustment description=MISC Adjusted sourceAction=OTHER sourceTxnID=T43 amount=-9 \(day)",
    ]

    static let positions = [
        "position unit=percentOfPar \(bond) \(bondName) securityKind=bond assetID=Bond units=11000 price=99.125 marketValue=10903.75 \(priced)",
        "position \(fund) \(fundName) securityKind=fund assetID=LC units=10.5 price=21 marketValue=220.5 unitCost=19.75 \(priced)",
        "position unit=contract \(option) description=SMPL Jan 2025 150 Call securityKind=option units=-1 price=2.1 marketValue=-210 "
            + "multiplier=100 \(priced)",
        "position \(money) description=Example Money Fund securityKind=other assetID=Cash units=500 price=1 marketValue=500 \(priced)",
        "position \(stock) \(stockName) securityKind=stock assetID=SC lot=CASH units=28 price=40 marketValue=1120 \(priced)",
        "position \(stock) \(stockName) securityKind=stock assetID=SC lot=SHORT units=-5 price=40 marketValue=-200 \(priced)",
        "position \(swiss) description=Muster AG securityKind=stock assetID=Intl currency=CHF units=3 price=205 marketValue=615 "
            + "exchangeRate=1.15 \(priced)",
        "position symbol=CORE securityKind=cash units=1234.56 price=1 marketValue=1234.56 unitCost=1 \(priced)",
    ]

    static let securities = [
        "security unit=percentOfPar \(bond) \(bondName) securityKind=bond assetID=Bond",
        "security \(fund) \(fundName) securityKind=fund assetID=LC",
        "security unit=contract \(option) description=SMPL Jan 2025 150 Call securityKind=option multiplier=100",
        "security \(money) description=Example Money Fund securityKind=other assetID=Cash",
        "security \(stock) \(stockName) securityKind=stock assetID=SC",
        "security \(swiss) description=Muster AG securityKind=stock assetID=Intl",
        "security symbol=BSPL isin=CH0099999990 description=Beispiel AG securityKind=stock price=7.5 pricedAt=2024-01-31T17:00:00Z",
    ]

    @Test(arguments: ["investments_sgml/example_invest.qfx", "investments_xml/example_invest_v2.ofx"])
    func mapsEveryAggregate(path: String) throws {
        let sink = try collect(sample("ofx/statement/" + path))
        let got = brief(sink, dropping: Self.shared)
        #expect(got.count == Self.expected.count)
        for (got, expected) in zip(got, Self.expected) { #expect(got == expected) }
        #expect(sink.count(.rejected) == 0)
        #expect(
            sink.units.filter { $0.outcome == .skipped }.map(\.code) == [
                "journal.internal", "journal.internal", "units.zero",
            ])
        #expect(sink.count(.section) == 1)
        #expect(sink.warnings.isEmpty)
        #expect(sink.units.allSatisfy { $0.warnings.isEmpty })
    }

    @Test func tellsWhenItWasExported() throws {
        let bytes = try sample("ofx/statement/investments_sgml/example_invest.qfx")
        let input = MemoryInput(name: "x.qfx", bytes: bytes)
        let context = try OFXImporter().context(of: input, sample: InputSample(input), options: ImportOptions())
        #expect(context.exportedAt?.description == "2024-01-31T21:00:00Z")
        let unsigned = MemoryInput(name: "x.qfx", bytes: Array(invest("").utf8))
        let other = try OFXImporter().context(of: unsigned, sample: InputSample(unsigned), options: ImportOptions())
        #expect(other.exportedAt?.description == "2024-01-31T17:00:00Z")
    }

    @Test func readsAChequeAccount() throws {
        let sink = try collect(sample("ofx/statement/checking/example_checking.ofx"))
        let shared = [
            "account=55501", "accountTitle=EXAMPLE BANK CHECKING", "accountKind=CHECKING", "institution=EXAMPLE BANK",
            "currency=USD",
        ]
        #expect(
            brief(sink, dropping: shared) == [
                "account",
                "cash description=PAYROLL RIVERSIDE CO sourceAction=DIRECTDEP sourceTxnID=B1 amount=2500 tradedAt=2024-02-01T17:00:00Z",
                "cash description=CHECK 1017 sourceAction=CHECK sourceTxnID=B2 amount=-80 tradedAt=2024-02-05T20:00:00Z",
                "cash description=ATM ELM ST sourceAction=ATM sourceTxnID=B3 amount=-60 tradedAt=2024-02-07T17:00:00Z",
                "fee description=MONTHLY SERVICE FEE sourceAction=SRVCHG sourceTxnID=B4 amount=-3.5 tradedAt=2024-02-10T17:00:00Z",
                "interest description=INTEREST PAID sourceAction=INT sourceTxnID=B5 amount=0.42 tradedAt=2024-02-29T17:00:00Z",
                "cash description=MUSEUM corrected amount sourceAction=DEBIT sourceTxnID=B7 amount=-21 tradedAt=2024-02-13T17:00:00Z",
                "cash description=TO SAVINGS sourceAction=XFER sourceTxnID=B8 amount=-300 tradedAt=2024-02-15T17:00:00Z",
                "position symbol=CORE securityKind=cash units=4023.92 price=1 marketValue=4023.92 unitCost=1 pricedAt=2024-02-29T17:00:00Z",
            ])
        #expect(
            sink.units.filter { $0.outcome == .skipped }.map(\.code) == [
                "correction.replaced", "balance.informational",
            ])
        #expect(sink.records.allSatisfy { $0.canTrade == false })
    }

    @Test func readsACardWithCommas() throws {
        let sink = try collect(sample("ofx/statement/card/karte_februar.ofx"))
        #expect(sink.records.map(\.kind) == [.account, .adjustment, .cash, .fee, .marginInterest, .position])
        #expect(sink.records.map { $0[.amount]?.description ?? "" } == ["", "-1234.56", "500", "-2.5", "-1.1", ""])
        #expect(sink.records.last?[.units]?.description == "-738.16")
        #expect(sink.records[1].string(.description) == "Möbelhaus Öst")
        #expect(sink.records[1].string(.currency) == "EUR")
    }
}
