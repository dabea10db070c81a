import Importing
import OpenAlloc
import Testing

/// Signs, units of price, and references of investment transactions.
@Suite struct TradeTests {
    private func one(_ text: String, securities: String = "") throws -> (record: Record, warnings: [String]) {
        let sink = try collect(invest(text, securities: securities))
        #expect(sink.codes.isEmpty)
        return (try #require(sink.records.first { $0.kind.shape != .account }), sink.units[2].warnings)
    }

    /// The direction is the aggregate's, whatever signs the writer uses.
    @Test(arguments: ["10|-100.00", "10|100.00", "-10|-100.00"])
    func buysWhateverTheSigns(numbers: String) throws {
        let parts = numbers.split(separator: "|").map(String.init)
        let (record, warnings) = try one("<BUYMF><INVBUY>\(trade(parts[0], "10", parts[1]))</INVBUY></BUYMF>")
        #expect(record.kind == .buy && record[.units] == 10 && record[.amount] == -100 && record[.price] == 10)
        // Amounts without signs are common, units that go out are not.
        #expect(warnings == (parts[0] == "-10" ? ["sign.contradicts"] : []))
    }

    @Test(arguments: ["-10|100.00", "10|100.00", "-10|-100.00"])
    func sellsWhateverTheSigns(numbers: String) throws {
        let parts = numbers.split(separator: "|").map(String.init)
        let record = try one("<SELLMF><INVSELL>\(trade(parts[0], "10", parts[1]))</INVSELL></SELLMF>").record
        #expect(record.kind == .sell && record[.units] == -10 && record[.amount] == 100)
    }

    /// What leaves may be written with a sign or without; what comes in has none, and one that is there counts.
    @Test(arguments: [
        ("IN|4", RecordKind.sharesIn, "4", []), ("OUT|4", .sharesOut, "-4", []), ("OUT|-4", .sharesOut, "-4", []),
        ("IN|-4", .shares, "-4", ["sign.contradicts"]), ("IN|-4|<REVERSALFITID>1", .shares, "-4", []),
    ])
    func transfersByTheirWordAndSign(text: String, kind: RecordKind, units: String, warnings: [String]) throws {
        let parts = text.split(separator: "|").map(String.init)
        let security = "<SECID><UNIQUEID>922908769<UNIQUEIDTYPE>CUSIP</SECID>"
        let more = parts.count > 2 ? parts[2] : ""
        let found = try one(
            "<TRANSFER><INVTRAN><FITID>9<DTTRADE>20240110\(more)</INVTRAN>\(security)<SUBACCTSEC>CASH"
                + "<UNITS>\(parts[1])<TFERACTION>\(parts[0])<POSTYPE>LONG</TRANSFER>")
        #expect(found.record.kind == kind && found.record[.units]?.description == units)
        #expect(found.warnings == warnings)
    }

    /// Interactive Brokers books as a transfer what a company does to its shares; on the short road, too.
    @Test(arguments: [
        ("NWTM(XS0000000041) SPLIT 4 FOR 1 (NWTM, NORTHWIND TURBINES, XS0000000041)", "IN|30", RecordKind.split),
        ("NWTM(XS0000000041) Split 1 for 10 (NWTM.OLD, NORTHWIND TURBINES, XS0000000041)", "OUT|-30", .split),
        ("NWTM(XS0000000041) STOCK DIVIDEND 1 FOR 20 (NWTM, NORTHWIND, XS0000000041)", "IN|2", .split),
        ("NWTM(XS0000000041) SPINOFF  1 FOR 4 (LITW, LITTLE WINDS, XS0000000042)", "IN|5", .spinOff),
        ("NWTM(XS0000000041) MERGED(Acquisition) WITH LITW 1 FOR 2 (NWTM, NORTHWIND, XS0000000041)", "OUT|-8", .merger),
        ("FOP Transfer Out To Account 00000002", "OUT|-5", .sharesOut), ("Split of the account", "IN|5", .sharesIn),
        ("REVERSE SPLITREVERSE SPLIT", "OUT|-200", .split), ("Stock Split NORTHWIND", "IN|5", .split),
        ("Spin-off LITTLE WINDS", "IN|5", .spinOff),
    ])
    func eventsBookedAsTransfers(memo: String, text: String, kind: RecordKind) throws {
        let parts = text.split(separator: "|")
        let rows = ["ACATS", memo].flatMap { memo in
            (0..<20).map {
                "<TRANSFER><INVTRAN><FITID>\(memo.count)\($0)<DTTRADE>20240110<MEMO>\(memo)</INVTRAN>"
                    + "<SECID><UNIQUEID>922908769<UNIQUEIDTYPE>CUSIP</SECID><SUBACCTSEC>CASH"
                    + "<UNITS>\(parts[1])<TFERACTION>\(parts[0])<POSTYPE>LONG</TRANSFER>\n"
            }
        }
        let records = try collect(invest(rows.joined())).records.filter { $0[.units] != nil }
        let plain: RecordKind = parts[0] == "IN" ? .sharesIn : .sharesOut
        #expect(records.map(\.kind) == Array(repeating: plain, count: 20) + Array(repeating: kind, count: 20))
        #expect(records.allSatisfy { $0[.units]?.description == String(parts[1]) })
    }

    /// A journal between the parts of an account is none of its events; from a part to itself, it is no journal.
    @Test(arguments: ["JRNLSEC", "JRNLFUND"]) func journals(tag: String) throws {
        for (target, isSkipped) in [("MARGIN", true), ("CASH", false)] {
            let sink = try collect(
                invest(
                    "<\(tag)><INVTRAN><FITID>9<DTTRADE>20240110</INVTRAN><SUBACCTTO>\(target)<SUBACCTFROM>CASH"
                        + "<UNITS>5<TOTAL>5</\(tag)>"))
            #expect(sink.codes == (isSkipped ? [] : ["action.unknown"]))
            #expect(sink.units.contains { $0.code == "journal.internal" } == isSkipped)
        }
    }

    /// Some writers name a security by its ticker alone.
    @Test func aTickerNamesASecurity() throws {
        let record = try one(
            "<INCOME><INVTRAN><FITID>9<DTTRADE>20240110</INVTRAN><SECID><TICKER>NWTM</SECID><INCOMETYPE>DIV<TOTAL>5"
                + "<SUBACCTSEC>CASH<SUBACCTFUND>CASH</INCOME>"
        ).record
        #expect(record.kind == .dividend && record.string(.symbol) == "NWTM")
    }

    /// Interactive Brokers books taxes, and income that is taken back, as expenses.
    @Test(arguments: [
        ("NWTM CASH DIVIDEND 0.25 PER SHARE - US TAX", "-0.38", RecordKind.tax),
        ("DIV - NORTHWIND Foreign Stk W/H", "-1", .tax), ("NWTM CASH DIVIDEND - REVERSAL", "-1", .dividend),
        ("NWTM CASH DIVIDEND - REVERSAL (Return of Capital)", "-1", .returnOfCapital), ("TAXABLE FEE", "-1", .fee),
        ("NWTM CASH DIVIDEND - REVERSAL", "1", .fee), ("Monthly fee", "-1", .fee),
        ("NWTM PAYMENT IN LIEU OF DIVIDEND (Ordinary Dividend)", "-1", .income),
    ])
    func expensesByTheirWords(memo: String, total: String, kind: RecordKind) throws {
        let plain = (0..<30).map { sum("INVEXPENSE", "-2", "<MEMO>Monthly fee \($0)") }.joined()
        let sink = try collect(
            invest(plain + sum("INVEXPENSE", total).replacing("<FITID>", with: "<MEMO>\(memo)<FITID>")))
        let record = try #require(sink.records.last { $0[.amount] != nil })
        #expect(record.kind == kind && record[.amount]?.description == total)
    }

    /// What of a tax is given back it books as income.
    @Test(arguments: [
        ("NWTM CASH DIVIDEND 0.25 PER SHARE - US TAX", "0.38", RecordKind.tax),
        ("NWTM CASH DIVIDEND 0.25 PER SHARE - CA TAX", "-0.38", .tax), ("DIVIDEND BEFORE TAX", "1", .dividend),
        ("DIVIDEND - NET TAX", "1", .dividend), ("- US TAX", "1", .dividend), ("LIQD DIV NWTM", "4", .returnOfCapital),
        ("NWTM CASH DIVIDEND USD 0.25 PER SHARE (InterimLiquidation)", "4", .returnOfCapital),
        ("NWTM CASH DIVIDEND USD 0.25 PER SHARE (LiquidationDividend)", "4", .returnOfCapital),
        ("LIQUID FUND DIVIDEND", "4", .dividend),
    ])
    func incomeByItsWords(memo: String, total: String, kind: RecordKind) throws {
        let plain = (0..<30).map { sum("INCOME", "2", "<INCOMETYPE>DIV<MEMO>Dividend \($0)") }.joined()
        let row = sum("INCOME", total, "<INCOMETYPE>DIV").replacing("<FITID>", with: "<MEMO>\(memo)<FITID>")
        let record = try #require(try collect(invest(plain + row)).records.last { $0[.amount] != nil })
        #expect(record.kind == kind && record[.amount]?.description == total)
    }

    /// It books a change of one currency for another as money out and money in.
    @Test(arguments: [
        ("DEBIT", "-3.65", "CASH TRADE: AUD.USD", RecordKind.currencyExchange),
        ("CREDIT", "3.65", "CASH TRADE: AUD.USD", .currencyExchange),
        ("XFER", "-3.65", "Cash Trade: EUR.USD", .currencyExchange),
        ("DEBIT", "-3.65", "CASH TRADE", .cash), ("CREDIT", "3.65", "Card trade: Dividend", .dividend),
    ])
    func exchangesByTheirWords(type: String, amount: String, memo: String, kind: RecordKind) throws {
        func row(_ amount: String, _ memo: String) -> String {
            "<INVBANKTRAN><STMTTRN><TRNTYPE>\(type)<DTPOSTED>20240110<TRNAMT>\(amount)<FITID>9<MEMO>\(memo)</STMTTRN>"
                + "<SUBACCTFUND>CASH</INVBANKTRAN>"
        }
        let sign = amount.hasPrefix("-") ? "-" : ""
        let plain = (0..<30).map { row("\(sign)\($0 + 1).00", "Wire \($0)") }.joined()
        let sink = try collect(invest(plain + row(amount, memo)))
        let record = try #require(sink.records.last { $0[.amount] != nil })
        #expect(record.kind == kind && record[.amount]?.description == amount && sink.codes.isEmpty)
    }

    /// Capital that is returned comes in, unless its sign says that it is taken back.
    @Test(arguments: [("12.5", "12.5"), ("-12.5", "-12.5")])
    func returnsOfCapitalKeepTheirSign(total: String, amount: String) throws {
        #expect(try one(sum("RETOFCAP", total)).record[.amount]?.description == amount)
    }

    /// An aggregate with a TOTAL and no units.
    private func sum(_ tag: String, _ total: String, _ more: String = "") -> String {
        "<\(tag)>" + trade("", "", total, id: "T2").replacing("<UNITS><UNITPRICE>", with: "") + more + "</\(tag)>"
    }

    /// Where purchases have no minus, expenses have none either; else a positive expense is a credit.
    @Test(arguments: [("100.00", "-1.25"), ("-100.00", "1.25")])
    func expensesAreSignedAsPurchasesAre(_ total: String, _ wanted: String) throws {
        let text = "<BUYMF><INVBUY>\(trade("10", "10", total))</INVBUY></BUYMF>" + sum("INVEXPENSE", "1.25")
        let sink = try collect(invest(text))
        let fee = try #require(sink.records.first { $0.kind == .fee })
        #expect(fee[.amount]?.description == wanted)
        // That it came back is not said without a word.
        let warnings = sink.units.flatMap(\.warnings).filter { $0 == "sign.contradicts" }
        #expect(warnings.count == (wanted == "1.25" ? 1 : 0))
    }

    /// TOTAL is what came; what was withheld is said beside it.
    @Test func withheldTaxIsBesideTheIncome() throws {
        let record = try one(sum("INCOME", "5.00", "<INCOMETYPE>DIV<WITHHOLDING>0.75")).record
        #expect(record.kind == .dividend && record[.amount] == 5)
        #expect(record[.tax]?.description == "0.75" && !record.costsInAmount)
    }

    /// The contract's size is the transaction's, else the security's, else a hundred; 0 says nothing.
    @Test(arguments: [("", "", "100"), ("", "10", "10"), ("0", "10", "10"), ("50", "10", "50"), ("", "0", "100")])
    func findsTheSizeOfAContract(_ own: String, _ listed: String, _ wanted: String) throws {
        let security = """
            <OPTINFO><SECINFO><SECID><UNIQUEID>99400GH47<UNIQUEIDTYPE>CUSIP</SECID><SECNAME>X<TICKER>X</SECINFO>
            <OPTTYPE>CALL<STRIKEPRICE>1<DTEXPIRE>20250101\(listed.isEmpty ? "" : "<SHPERCTRCT>" + listed)</OPTINFO>
            """
        let text =
            "<BUYOPT><INVBUY>\(trade("2", "1.5", ""))</INVBUY><OPTBUYTYPE>BUYTOOPEN"
            + (own.isEmpty ? "" : "<SHPERCTRCT>" + own) + "</BUYOPT>"
        let record = try one(text.replacing("<TOTAL>", with: ""), securities: security).record
        #expect(record.priceUnit == .contract && record[.multiplier]?.description == wanted)
    }

    /// Costs above the proceeds leave a debit.
    @Test func keepsTheSignThatCostsExplain() throws {
        let text = trade("-1", "0.01", "-0.30", more: "<COMMISSION>1.30")
        let record = try one("<SELLOPT><INVSELL>\(text)</INVSELL><OPTSELLTYPE>SELLTOCLOSE<SHPERCTRCT>100</SELLOPT>")
            .record
        #expect(record[.amount]?.description == "-0.3")
        #expect(record.kind == .sellToClose)
    }

    @Test(arguments: [
        ("BUYDEBT", "100000", "0.985", "-98500", PriceUnit.share),
        ("BUYDEBT", "100000", "98.5", "-98500", .percentOfPar),
        ("BUYSTOCK", "10", "15", "-150", .share), ("BUYSTOCK", "10000", "98.5", "-9850", .percentOfPar),
        ("BUYOPT", "2", "155", "-310", .share), ("BUYOPT", "2", "1.55", "-310", .contract),
    ])
    func findsTheUnitOfThePrice(tag: String, units: String, price: String, total: String, unit: PriceUnit) throws {
        let record = try one("<\(tag)><INVBUY>\(trade(units, price, total))</INVBUY></\(tag)>").record
        #expect(record.priceUnit == unit)
        #expect(record[.price] != nil)
    }

    @Test func derivesThePriceThatFitsNowhere() throws {
        let (record, warnings) = try one("<BUYMF><INVBUY>\(trade("12", "500", "-100"))</INVBUY></BUYMF>")
        #expect(record[.price] == nil && record[.amount] == -100)
        #expect(warnings == ["amount.mismatch"])
    }

    @Test(arguments: ["0", "", "0.00"])
    func leavesABlankPriceToTheAmount(price: String) throws {
        let record = try one("<BUYMF><INVBUY>\(trade("12", price, "-100"))</INVBUY></BUYMF>").record
        #expect(record[.price] == nil && record[.units] == 12)
    }

    @Test(arguments: [("0", "5.00", "value.invalid"), ("", "-5", "field.missing"), ("3", "", "field.missing")])
    func rejectsTradesWithoutSense(units: String, total: String, code: String) throws {
        #expect(try collect(invest("<BUYMF><INVBUY>\(trade(units, "1", total))</INVBUY></BUYMF>")).codes == [code])
    }

    @Test func rejectsTradesOfNoSecurity() throws {
        let text = trade("1", "5", "-5").replacing("99400GH47", with: "")
        #expect(try collect(invest("<BUYMF><INVBUY>\(text)</INVBUY></BUYMF>")).codes == ["security.missing"])
    }

    @Test(arguments: [("0.05", "0.5"), ("0.50", "0.5")])
    func countsMarkupAsAFee(markup: String, fees: String) throws {
        let record = try one(
            "<BUYDEBT><INVBUY>\(trade("1000", "98", "-980.50", more: "<MARKUP>\(markup)"))</INVBUY></BUYDEBT>"
        ).record
        #expect(record[.fees]?.description == fees)
    }

    /// In the amount, accrued interest stays with the trade; else it is a record of its own.
    @Test func knowsWhereAccruedInterestIs() throws {
        let inside = try collect(
            invest("<BUYDEBT><INVBUY>\(trade("1000", "98", "-985.00"))</INVBUY><ACCRDINT>5.00</BUYDEBT>"))
        #expect(inside.records.count == 2 && inside.records[1][.accruedInterest] == 5)
        let beside = try collect(
            invest("<SELLDEBT><INVSELL>\(trade("-1000", "98", "980.00"))</INVSELL><ACCRDINT>5.00</SELLDEBT>"))
        #expect(beside.records.count == 3 && beside.records[2].kind == .interest && beside.records[2][.amount] == 5)
    }

    @Test func undoesWhatItReversesOnly() throws {
        let buy = "<BUYMF><INVBUY>\(trade("10", "10", "-100", id: "T1"))</INVBUY></BUYMF>"
        let undo = "<BUYMF><INVBUY>\(trade("-10", "10", "100", id: "T2", refers: "<REVERSALFITID>T1"))</INVBUY></BUYMF>"
        let counter =
            "<SELLMF><INVSELL>\(trade("-10", "10", "100", id: "T3", refers: "<REVERSALFITID>T1"))</INVSELL></SELLMF>"
        let records = try collect(invest(buy + undo + counter)).records.filter { $0.kind.shape != .account }
        #expect(records.map(\.isReversal) == [false, true, false])
        #expect(records[1][.amount] == 100)
    }

    /// Both signs turned round undo a trade if the memo says so; but not where units × price is another amount.
    @Test(arguments: [
        ("BUYMF", "-10", "100", "10", "Cancelled", true), ("BUYMF", "-10", "100", "10", "Bought", false),
        ("BUYMF", "-10", "100", "31", "Cancelled", false), ("BUYMF", "10", "-100", "10", "Cancelled", false),
        ("BUYMF", "-10", "-100", "10", "Cancelled", false), ("SELLMF", "10", "-100", "10", "REVERSAL", true),
        ("SELLMF", "10", "-100", "10", "Sold", false), ("SELLMF", "10", "100", "10", "REVERSAL", false),
        ("SELLMF", "-10", "-100", "10", "REVERSAL", false),
    ])
    func undoesByBothSigns(
        tag: String, units: String, total: String, price: String, memo: String, isUndone: Bool
    ) throws {
        let around = tag == "BUYMF" ? "INVBUY" : "INVSELL"
        let row = trade(units, price, total, more: "<FEES>0").replacing("</INVTRAN>", with: "<MEMO>\(memo)</INVTRAN>")
        let one = try one("<\(tag)><\(around)>\(row)</\(around)></\(tag)>")
        #expect(one.record.isReversal == isUndone)
        let isOut = (tag == "BUYMF") != isUndone
        #expect(one.record[.amount]?.description == (isOut ? "-100" : "100"))
        // What is sold is printed with either sign.
        let isNamed = tag == "BUYMF" ? units == "-10" && !isUndone : memo == "Sold"
        #expect(one.warnings.filter { $0 == "sign.contradicts" }.count == (isNamed ? 1 : 0))
    }

    /// What is owed splits as what is held does.
    @Test(arguments: [("CASH", "30"), ("SHORT", "-30")]) func splitsWhatIsOwed(_ held: String, _ units: String) throws {
        let split = sum("SPLIT", "", "<SUBACCTSEC>\(held)<OLDUNITS>10<NEWUNITS>40").replacing("<TOTAL>", with: "")
        #expect(try one(split).record[.units]?.description == units)
    }

    /// Words that say more than the type of a transaction.
    @Test(arguments: [
        ("INCOME", "<INCOMETYPE>MISC", "Cash in lieu of shares", "4", RecordKind.cashInLieu),
        ("INCOME", "<INCOMETYPE>MISC", "Foreign tax withheld", "-4", .tax),
        ("INCOME", "<INCOMETYPE>MISC", "Contribution", "4", .cash),
        ("INCOME", "<INCOMETYPE>MISC", "Class action settlement", "4", .income),
        ("INCOME", "<INCOMETYPE>DIV", "Contribution Fund", "4", .dividend),
        ("INCOME", "<INCOMETYPE>DIV", "Foreign tax withheld", "-4", .dividend),
        ("INVEXPENSE", "", "NRA tax", "-4", .tax), ("INVEXPENSE", "", "ADR custody", "-4", .fee),
    ])
    func hearsMemos(tag: String, more: String, memo: String, total: String, kind: RecordKind) throws {
        let text = sum(tag, total, more).replacing("</INVTRAN>", with: "<MEMO>\(memo)</INVTRAN>")
        #expect(text.contains(memo))
        let record = try one(text).record
        #expect(record.kind == kind && record[.amount]?.description == total)
    }

    /// A brokerage's costs among its payments; a bank's customer pays such fees to others.
    @Test(arguments: [
        ("DEBIT", "MARGIN INTEREST CHARGED", "-4", RecordKind.marginInterest), ("DEBIT", "Foreign Tax", "-4", .tax),
        ("OTHER", "Advisory fee Q1", "-4", .fee), ("DEBIT", "Advisory fee returned", "4", .cash),
        ("DEBIT", "Golf club fee", "-4", .cash), ("OTHER", "Journal", "-4", .adjustment),
        ("OTHER", "LATE SETTLEMENT FEE", "-4", .fee), ("OTHER", "Late fees", "-4", .fee),
        ("OTHER", "Coffee and feed", "-4", .adjustment), ("DEBIT", "FEE CHARGED", "-4", .fee),
        ("DEBIT", "Fee", "-4", .fee),
        ("DEBIT", "Feed for the birds", "-4", .cash), ("DEBIT", "Wire transfer fee", "-4", .fee),
        ("DEBIT", "FED TAX W/H RET", "-4", .tax), ("DEBIT", "USD DEBIT INT FOR JAN-2024", "-4", .marginInterest),
    ])
    func hearsCosts(type: String, name: String, amount: String, kind: RecordKind) throws {
        let row =
            "<STMTTRN><TRNTYPE>\(type)<DTPOSTED>20240105<TRNAMT>\(amount)<FITID>B1<NAME>\(name)</STMTTRN>"
        let text = invest("<INVBANKTRAN>\(row)<SUBACCTFUND>CASH</INVBANKTRAN>")
        #expect(try collect(text).records.last?.kind == kind)
        let known: RecordKind = type == "OTHER" ? .adjustment : .cash
        #expect(try collect(bank(row)).records.last?.kind == known)
    }

    @Test func tellsOptionsFromTheirUnderlying() throws {
        let securities = """
            <STOCKINFO><SECINFO><SECID><UNIQUEID>S1<UNIQUEIDTYPE>CUSIP</SECID><SECNAME>Stock<TICKER>SMPL</SECINFO></STOCKINFO>
            <OPTINFO><SECINFO><SECID><UNIQUEID>99400GH47<UNIQUEIDTYPE>CUSIP</SECID><SECNAME>Call<TICKER>SMPL</SECINFO></OPTINFO>
            """
        let text = "<BUYOPT><INVBUY>\(trade("1", "2", "-200"))</INVBUY></BUYOPT>"
        #expect(try one(text, securities: securities).record.string(.symbol) == "99400GH47")
    }

    /// Firstrade writes the first day of 1990 where it does not say of which day a price is.
    @Test(arguments: [
        ("19900101", "2024-01-31T17:00:00Z"), ("19900101000000", "2024-01-31T17:00:00Z"),
        ("20240129", "2024-01-29T17:00:00Z"), ("00000000", nil),
    ])
    func pricesOfNoDay(_ day: String, _ priced: String?) throws {
        let position =
            "<POSSTOCK><INVPOS><SECID><UNIQUEID>F<UNIQUEIDTYPE>CUSIP</SECID><HELDINACCT>CASH<POSTYPE>LONG<UNITS>10"
            + "<UNITPRICE>2<MKTVAL>20<DTPRICEASOF>\(day)</INVPOS></POSSTOCK>"
        let record = try #require(collect(invest("", positions: position)).records.first { $0.kind == .position })
        #expect(record[.pricedAt]?.description == priced)
    }

    /// A price in the currency that the amount was converted from becomes one in the amount's.
    @Test(arguments: [("1.25", "25"), ("1", nil), ("7", nil)])
    func pricesBeforeConversion(_ rate: String, _ price: String?) throws {
        let money = "<ORIGCURRENCY><CURRATE>\(rate)<CURSYM>GBP</ORIGCURRENCY>"
        let position =
            "<POSSTOCK><INVPOS><SECID><UNIQUEID>F<UNIQUEIDTYPE>CUSIP</SECID><HELDINACCT>CASH<POSTYPE>LONG<UNITS>10"
            + "<UNITPRICE>20<MKTVAL>250\(money)</INVPOS></POSSTOCK>"
        let held = try collect(invest("", positions: position)).records.first { $0.kind == .position }
        #expect(held?[.price]?.description == price ?? "20")
        let reinvested = sum("REINVEST", "-250", "<INCOMETYPE>DIV<SUBACCTSEC>CASH<UNITS>10<UNITPRICE>20\(money)")
        let record = try one(reinvested).record
        #expect(record[.price]?.description == (price == nil ? "20" : nil) && record[.amount] == 250)
        #expect(record[.sourcePrice]?.description == (price == nil ? nil : "20"))
    }

    @Test func leavesOutCashThatIsNoCash() throws {
        func position(_ value: String, _ price: String, _ units: String) -> String {
            "<POSMF><INVPOS><SECID><UNIQUEID>F<UNIQUEIDTYPE>CUSIP</SECID><HELDINACCT>CASH<POSTYPE>LONG<UNITS>\(units)"
                + "<UNITPRICE>\(price)<MKTVAL>\(value)</INVPOS></POSMF>"
        }
        let whole = try collect(
            invest("", positions: position("500", "25", "20"), balance: "<INVBAL><AVAILCASH>500</INVBAL>"))
        #expect(whole.units.last?.code == "cash.isMarketValue")
        let sweep = position("300", "1", "300") + position("500", "25", "20")
        let inFund = try collect(invest("", positions: sweep, balance: "<INVBAL><AVAILCASH>300</INVBAL>"))
        #expect(inFund.units.last?.code == "cash.inFund")
        // It may lie in several funds.
        let both = try collect(
            invest("", positions: position("40", "1", "40") + sweep, balance: "<INVBAL><AVAILCASH>340</INVBAL>"))
        #expect(both.units.last?.code == "cash.inFund")
        let cash = try collect(invest("", positions: sweep, balance: "<INVBAL><AVAILCASH>70</INVBAL>"))
        #expect(cash.records.last?.string(.symbol) == "CORE")
    }

    /// Some name the cash among other balances, and nowhere else.
    @Test(arguments: [
        ("", "Cash", "879.44", "879.44"), ("<AVAILCASH>5", "Cash", "879.44", "5"), ("", "ENDING CASH", "-2", "-2"),
        ("", "Cash Debit Call", "2", nil), ("", "Cash", "", nil),
    ])
    func cashAmongBalances(before: String, name: String, value: String, wanted: String?) throws {
        let balance =
            "<INVBAL>\(before)<BALLIST><BAL><NAME>Networth<VALUE>9000</BAL>"
            + "<BAL><NAME>\(name)<VALUE>\(value)</BAL>"
        let sink = try collect(invest("", balance: balance + "</BALLIST></INVBAL>"))
        #expect(sink.records.first { $0.kind == .position }?[.units]?.description == wanted)
        #expect(sink.codes.isEmpty && sink.units.last?.code == (wanted == nil ? "balance.blank" : ""))
    }

    @Test func knowsRetirementPlans() throws {
        let text = "<BUYMF><INVBUY>\(trade("1", "5", "-5", more: "<INV401KSOURCE>MATCH"))</INVBUY></BUYMF>"
        let record = try one(text).record
        #expect(record.isTaxable == false && record.canTrade == true && record.string(.lot) == "MATCH")
    }
}
