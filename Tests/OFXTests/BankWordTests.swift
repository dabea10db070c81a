import Importing
import OpenAlloc
import Testing

/// What banks of Brazil write, and other habits of one country or writer.
@Suite struct BankWordTests {
    private func statement(_ rows: String, balance: String = "0.00") -> String {
        """
        OFXHEADER:100
        DATA:OFXSGML
        VERSION:100

        <OFX><BANKMSGSRSV1><STMTTRNRS><STMTRS><CURDEF>BRL</CURDEF>
        <BANKACCTFROM><BANKID>1</BANKID><ACCTID>42</ACCTID></BANKACCTFROM>
        <BANKTRANLIST>\(rows)</BANKTRANLIST>
        <LEDGERBAL><BALAMT>\(balance)</BALAMT><DTASOF>30/06/2025</DTASOF></LEDGERBAL>
        </STMTRS></STMTTRNRS></BANKMSGSRSV1></OFX>
        """
    }

    private func row(_ type: String, _ amount: String, id: String = "A1", memo: String = "Pix") -> String {
        "<STMTTRN><TRNTYPE>\(type)</TRNTYPE><DTPOSTED>20250602[-3:BRT]</DTPOSTED><TRNAMT>\(amount)</TRNAMT>"
            + "<FITID>\(id)</FITID><MEMO>\(memo)</MEMO></STMTTRN>\n"
    }

    @Test(arguments: [
        ("IN", "5.00"), ("OUT", "-5.00"), ("C", "5.00"), ("D", "-5.00"), ("in", "5.00"), ("DEPOSIT", "5.00"),
        ("WITHDRAWAL", "-5.00"), ("PIX", "5.00"), ("PIX", "-5.00"),
    ])
    func types(type: String, amount: String) throws {
        let sink = try collect(statement(row(type, amount)))
        #expect(sink.records.first { $0[.amount] != nil && $0.kind != .position }?.kind == .cash)
        #expect(sink.units.allSatisfy { $0.warnings.isEmpty } && sink.warnings.isEmpty)
    }

    /// Interest by its word, but not by the name of an account that bears some.
    @Test(arguments: [
        ("Interest paid", RecordKind.interest), ("Internet transfer from Interest Checking account X1", .cash),
        ("HIGH INTEREST SAVINGS INTEREST", .interest), ("Transfer from interest savings", .cash),
        ("PINTEREST INC", .cash), ("Interest charge refund", .cash), ("REND PAGO APLIC AUT MAIS", .interest),
        ("RENDIMENTOS POUPANCA", .interest), ("Rendimentos Poup Facil", .interest), ("Rendimento RDB", .interest),
        ("Resgate com rendimento", .cash), ("Rende Facil", .cash),
    ])
    func interestByItsWord(memo: String, kind: RecordKind) throws {
        let sink = try collect(statement(row("CREDIT", "5.00", memo: memo)))
        #expect(sink.records.first { $0[.amount] != nil && $0.kind != .position }?.kind == kind)
    }

    /// What is paid for money that is owed.
    @Test(arguments: [
        ("CREDITLINE", "-5.00", RecordKind.marginInterest), ("CREDITLINE", "5.00", .interest),
        ("SAVINGS", "-5.00", .interest),
    ])
    func interestOfACreditLine(type: String, amount: String, kind: RecordKind) throws {
        let text = statement(row("INT", amount)).replacing("</ACCTID>", with: "</ACCTID><ACCTTYPE>\(type)</ACCTTYPE>")
        #expect(try collect(text).records.first { $0[.amount] != nil && $0.kind != .position }?.kind == kind)
    }

    @Test(arguments: [
        ("-5.00", "MARGIN INTEREST 02/24", RecordKind.marginInterest), ("-5.00", "Interest adjusted", .interest),
        ("5.00", "MARGIN INTEREST refund", .interest),
    ])
    func interestOfABrokerage(amount: String, memo: String, kind: RecordKind) throws {
        let rows = (0..<20).map { row("INT", "-1.00", id: "B\($0)", memo: "Interest adjusted \($0)") }.joined()
        let inner = (rows + row("INT", amount, memo: memo)).replacing(
            "<DTPOSTED>20250602[-3:BRT]", with: "<DTPOSTED>20240110"
        )
        .replacing("<STMTTRN>", with: "<INVBANKTRAN><STMTTRN>")
        .replacing("</STMTTRN>", with: "</STMTTRN><SUBACCTFUND>CASH</INVBANKTRAN>")
        #expect(try collect(invest(inner)).records.last { $0[.amount] != nil }?.kind == kind)
    }

    /// The sign counts, and where the type says another thing, the report says so.
    @Test(arguments: [
        ("DEBIT", "5.00", true), ("DEBIT", "-5.00", false), ("CREDIT", "-5.00", true), ("CREDIT", "5.00", false),
        ("DEBIT", "0.00", false), ("CHECK", "5.00", false),
    ])
    func signsAgainstTypes(type: String, amount: String, isOdd: Bool) throws {
        let sink = try collect(statement(row(type, amount)))
        #expect(sink.units.flatMap(\.warnings) == (isOdd ? ["sign.contradicts"] : []))
        let wanted = amount.replacing("5.00", with: "5").replacing("0.00", with: "0")
        #expect(sink.codes.isEmpty && sink.records.contains { $0[.amount]?.description == wanted })
    }

    /// The sign of the currency says what the marks mean, whatever other numbers show.
    @Test(arguments: [
        ("R$ 5.326,43", "5326.43"), ("R$ -0,50", "-0.5"), ("R$1.234", "1234"), ("R$ 0,00", "0"), ("R$ 12", "12"),
    ])
    func reais(text: String, value: String) throws {
        let sink = try collect(statement(row("IN", "1660.00"), balance: text))
        #expect(sink.codes.isEmpty && sink.records.last { $0.kind == .position }?[.units]?.description == value)
    }

    @Test(arguments: ["R$ 1.50", "R$ 1,234.56", "R$", "R$ x", "X$ 1,00"]) func noReais(text: String) throws {
        #expect(try collect(statement(row("IN", "1660.00"), balance: text)).codes == ["number.invalid"])
    }

    /// Money that is held back is none that moved.
    @Test(arguments: ["HOLD", "hold"]) func holdsArePending(type: String) throws {
        let sink = try collect(statement(row(type, "-5.00") + row("DEBIT", "-5.00", id: "A2")))
        #expect(sink.codes.isEmpty && sink.units.filter { $0.code == "transaction.pending" }.count == 1)
        #expect(sink.records.filter { $0.kind != .position && $0[.amount] != nil }.count == 1)
    }

    /// A balance that its bank leaves open is none; one that is cut off may be lost.
    @Test(arguments: [
        ("<BALAMT></BALAMT><DTASOF></DTASOF>", []), ("<BALAMT><DTASOF>20250630", []),
        ("<BALAMT>  </BALAMT><DTASOF>20250630</DTASOF>", []), ("<DTASOF>20250630</DTASOF>", ["field.missing"]),
    ])
    func blankBalances(leaves: String, codes: [String]) throws {
        let text = statement(row("IN", "5.00"))
            .replacing("<BALAMT>0.00</BALAMT><DTASOF>30/06/2025</DTASOF>", with: leaves)
        let sink = try collect(text)
        #expect(sink.codes == codes && !sink.records.contains { $0.kind == .position })
        if codes.isEmpty { #expect(sink.units.contains { $0.code == "balance.blank" }) }
        // The other balance stands where this one is blank.
        let available = "<AVAILBAL><BALAMT>7</BALAMT><DTASOF>20250630</DTASOF></AVAILBAL></STMTRS>"
        let other = try collect(text.replacing("</STMTRS>", with: available))
        #expect(other.records.last { $0.kind == .position }?[.units] == 7)
    }

    /// Codes of currencies in small letters are codes; pence are none.
    @Test(arguments: [("brl", "BRL"), ("BRL", "BRL"), ("GBp", "GBp"), ("r$", "r$")])
    func currencies(code: String, wanted: String) throws {
        let text = statement(row("IN", "5.00")).replacing("<CURDEF>BRL", with: "<CURDEF>" + code)
        #expect(try collect(text).records.first { $0.kind == .cash }?.string(.currency) == wanted)
        let own = row("IN", "5.00")
            .replacing("</STMTTRN>", with: "<CURRENCY><CURRATE>2<CURSYM>\(code)</CURRENCY></STMTTRN>")
        let record = try #require(try collect(statement(own)).records.first { $0.kind == .cash })
        #expect(record.string(.currency) == wanted && (record[.exchangeRate] == nil) == (wanted == "BRL"))
    }

    /// Some write the code where its element should be; other text there is passed over.
    @Test(arguments: [
        ("<CURRENCY>EUR</CURRENCY>", "EUR"), ("<CURRENCY>eur", "EUR"), ("<CURRENCY>Euro</CURRENCY>", "BRL"),
        ("<CURRENCY>978</CURRENCY>", "BRL"), ("<CURRENCY></CURRENCY>", "BRL"),
        ("<CURRENCY>EUR<CURSYM>USD</CURSYM></CURRENCY>", "USD"),
    ])
    func currenciesWithoutElements(text: String, wanted: String) throws {
        let own = row("IN", "5.00").replacing("</STMTTRN>", with: text + "</STMTTRN>")
        let sink = try collect(statement(own))
        #expect(sink.records.first { $0.kind == .cash }?.string(.currency) == wanted && sink.codes.isEmpty)
    }

    /// Balances between the transactions have no id.
    @Test(arguments: ["Saldo Anterior", "SALDO DIA", "S A L D O", "saldo"], ["", "0", "000"])
    func balances(memo: String, id: String) throws {
        let rows = row("OTHER", "100.00", id: id, memo: memo) + row("OTHER", "  .  ", id: id, memo: memo)
        let sink = try collect(statement(rows + row("IN", "5.00")))
        #expect(sink.codes.isEmpty)
        #expect(
            sink.units.filter { $0.outcome == .skipped }.map(\.code) == [
                "balance.informational", "balance.informational",
            ])
        #expect(sink.records.filter { $0.kind != .position && $0.kind != .account }.count == 1)
    }

    /// Itaú gives them an id.
    @Test(arguments: [
        "Saldo Anterior", "SALDO TOTAL DISPONÍVEL DIA", "S A L D O TOTAL DISPONÍVEL DIA", "Saldo do dia", "SALDO FINAL",
    ])
    func balancesWithAnID(memo: String) throws {
        let named = row("CREDIT", "100.00", id: "A8", memo: "").replacing("<MEMO>", with: "<NAME>\(memo)</NAME><MEMO>")
        let sink = try collect(statement(row("CREDIT", "100.00", id: "A7", memo: memo) + named + row("IN", "5.00")))
        #expect(sink.units.filter { $0.code == "balance.informational" }.count == 2 && sink.codes.isEmpty)
        #expect(sink.records.filter { $0.kind != .position && $0.kind != .account }.count == 1)
    }

    @Test(arguments: [
        ("Saldo", "A7"), ("Saldo devedor pago", "A7"), ("Saldos", ""), ("Pix saldo", ""), ("Pix saldo anterior", "A7"),
        ("", ""),
    ])
    func noBalances(memo: String, id: String) throws {
        let sink = try collect(statement(row("IN", "100.00", id: id, memo: memo)))
        #expect(sink.records.filter { $0.kind == .cash }.count == 1)
    }

    /// Also among many rows that are alike.
    @Test func balancesAmongMany() throws {
        let rows = (0..<60).map { day in
            row("IN", "5.00", id: "B\(day)") + row("IN", "7.00", id: "", memo: day % 7 == 3 ? "Saldo Anterior" : "Pix")
        }
        let count = (0..<60).filter { $0 % 7 == 3 }.count
        for text in [rows.joined(), rows.joined().replacing("<FITID></FITID>", with: "<FITID>A9</FITID>")] {
            let sink = try collect(statement(text))
            #expect(sink.units.filter { $0.code == "balance.informational" }.count == count)
            #expect(sink.records.filter { $0.kind == .cash }.count == 120 - count)
        }
    }

    /// Shares that are delivered for an option are no option.
    @Test func sharesForOptions() throws {
        func closure(_ id: String, _ units: String) -> String {
            "<CLOSUREOPT><INVTRAN><FITID>\(id)</FITID><DTTRADE>20250102</DTTRADE></INVTRAN><SECID><UNIQUEID>\(id)</UNIQUEID>"
                + "</SECID><OPTACTION>ASSIGN</OPTACTION><UNITS>\(units)</UNITS><SHPERCTRCT>100</SHPERCTRCT></CLOSUREOPT>"
        }
        func info(_ name: String, _ id: String) -> String {
            "<\(name)><SECINFO><SECID><UNIQUEID>\(id)</UNIQUEID></SECID></SECINFO></\(name)>"
        }
        let sink = try collect(
            "<OFX><INVSTMTRS><CURDEF>USD</CURDEF><INVACCTFROM><ACCTID>1</ACCTID></INVACCTFROM><INVTRANLIST>"
                + closure("S", "-100") + closure("O", "1") + "</INVTRANLIST></INVSTMTRS><SECLIST>"
                + info("STOCKINFO", "S")
                + info("OPTINFO", "O") + "</SECLIST></OFX>")
        let moves = sink.records.filter { $0.kind == .assigned }
        #expect(moves.map { $0[.units]?.description } == ["-100", "1"])
        #expect(moves.map(\.priceUnit) == [.share, .contract])
    }
}

/// Dates with marks between their numbers, which OFX does not know and banks write.
@Suite struct DayOrderTests {
    private func statement(_ dates: [String], start: String = "20250301", end: String = "20250331") -> String {
        let rows = dates.enumerated().map { number, date in
            "<STMTTRN><TRNTYPE>CREDIT</TRNTYPE><DTPOSTED>\(date)</DTPOSTED><TRNAMT>1.00</TRNAMT><FITID>D\(number)</FITID>"
                + "<NAME>Somebody</NAME></STMTTRN>\n"
        }
        return "<OFX><STMTRS><CURDEF>BRL</CURDEF><BANKACCTFROM><ACCTID>42</ACCTID></BANKACCTFROM><BANKTRANLIST>"
            + "<DTSTART>\(start)</DTSTART><DTEND>\(end)</DTEND>\n\(rows.joined())</BANKTRANLIST></STMTRS></OFX>"
    }

    private func days(_ sink: Collector) -> [String] {
        sink.records.filter { $0.kind == .cash }.map { String($0[.tradedAt]?.description.prefix(10) ?? "") }
    }

    @Test(arguments: [
        (["05/03/2025", "15/03/2025"], "20250331", ["2025-03-05", "2025-03-15"]),
        (["05/03/2025"], "31/03/2025", ["2025-03-05"]), (["03/05/2025"], "03/31/2025", ["2025-03-05"]),
        (["5.3.2025"], "31.3.2025", ["2025-03-05"]), (["05-03-2025"], "31-03-2025", ["2025-03-05"]),
        (["2025-03-05", "05/03/2025", "20250306"], "31/03/2025", ["2025-03-05", "2025-03-05", "2025-03-06"]),
    ])
    func proven(dates: [String], end: String, expected: [String]) throws {
        let sink = try collect(statement(dates, end: end))
        #expect(days(sink) == expected && sink.codes.isEmpty)
    }

    @Test func openOnes() throws {
        #expect(try collect(statement(["05/03/2025"])).codes == ["date.invalid"])
        let both = try collect(statement(["05/03/2025", "15/03/2025", "03/15/2025"]))
        #expect(both.codes == ["date.invalid"] && days(both) == ["2025-03-15", "2025-03-15"])
    }

    /// The proof stands behind rows that are like it, and behind others.
    @Test(arguments: [true, false]) func among(many isMixed: Bool) throws {
        var dates = (0..<400).map { isMixed && $0 % 3 == 0 ? "20250307" : "0\($0 % 9 + 1)/03/2025" }
        dates.append("28/03/2025")
        let sink = try collect(statement(dates))
        #expect(sink.codes.isEmpty && days(sink).allSatisfy { $0.hasPrefix("2025-03-") })
        var options = ImportOptions()
        options.guessBytes = 256
        let guessed = try collect(statement(dates), options: options)
        #expect(guessed.flat == sink.flat)
    }
}
