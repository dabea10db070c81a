import Allocport
import Importing
import OpenAlloc
import TestSupport
import Testing

/// Generated investment statements whose positions and cash are the sum of their transactions: the tables agree with
/// each other exactly.
@Suite struct ReconciliationTests {
    @Test(arguments: 0..<UInt64(40 * Sample.effort)) func tablesAddUp(_ seed: UInt64) throws {
        let statement = GeneratedStatement(seed: seed)
        let run = try convertBuiltIn("statement.ofx", seed % 2 == 0 ? statement.sgml : statement.xml)
        #expect(run.report.outcomes[.rejected] == 0 && run.report.isBalanced)
        var units: [String: ExactDecimal] = [:]
        var cash = ExactDecimal.zero
        let table = run.transactions
        for (index, action) in table["txnAction"].enumerated() {
            let amount = table["amount"][index]
            if !amount.isEmpty { cash = try sum(cash, amount) }
            let symbol = table["txnSecurityID"][index]
            guard action == "buysell" || action == "transfer", !symbol.isEmpty else { continue }
            units[symbol] = try sum(units[symbol] ?? .zero, table["txnShareCount"][index])
        }
        var held: [String: ExactDecimal] = [:]
        for (symbol, count) in zip(run.holdings["holdingSecurityID"], run.holdings["shareCount"]) {
            held[symbol] = try sum(held[symbol] ?? .zero, count)
        }
        #expect(held.removeValue(forKey: "CORE") == cash)
        #expect(held == units.filter { !$0.value.isZero })
        #expect(held == statement.positions)
    }

    private func sum(_ total: ExactDecimal, _ text: String) throws -> ExactDecimal {
        let number = try #require(ExactDecimal(exactly: text))
        return try #require(total.adding(number))
    }
}

/// An OFX investment statement made up from a seed. All is kept in ten-thousandths.
private struct GeneratedStatement {
    private(set) var positions: [String: ExactDecimal] = [:]
    private var rows: [String] = []
    private var held: [String: Int] = [:]
    private var cash = 0
    private var random: SplitMix64

    init(seed: UInt64) {
        random = SplitMix64(seed: seed)
        // Enough to begin with that the cash stays positive.
        deposit(Int.random(in: 5_000_000...9_000_000, using: &random) * 10_000)
        for _ in 0..<Int.random(in: 5...60, using: &random) { event() }
        for (symbol, count) in held where count != 0 {
            positions[symbol] = ExactDecimal(coefficient: Int128(count), scale: 4)
        }
    }

    private mutating func event() {
        let symbol = "SYM\(Int.random(in: 1...5, using: &random))"
        let units = Int.random(in: 1...900_000, using: &random)
        let cents = Int.random(in: 100...90_000, using: &random) * 100
        switch Int.random(in: 0..<8, using: &random) {
        case 0, 1, 2:
            let costs = Int.random(in: 0...999, using: &random) * 100
            let total = -(value(units, cents) + costs)
            move(symbol, units)
            cash += total
            row(
                "BUYSTOCK", "INVBUY", symbol,
                "<UNITS>\(text(units))</UNITS><UNITPRICE>\(text(cents))</UNITPRICE>"
                    + "<COMMISSION>\(text(costs))</COMMISSION><TOTAL>\(text(total))</TOTAL>", "<BUYTYPE>BUY</BUYTYPE>")
        case 3, 4:
            let sold = min(units, held[symbol] ?? 0)
            guard sold > 0 else { return deposit(units) }
            let total = value(sold, cents)
            move(symbol, -sold)
            cash += total
            row(
                "SELLSTOCK", "INVSELL", symbol,
                "<UNITS>\(text(-sold))</UNITS><UNITPRICE>\(text(cents))</UNITPRICE><TOTAL>\(text(total))</TOTAL>",
                "<SELLTYPE>SELL</SELLTYPE>")
        case 5:
            cash += cents
            row("INCOME", "", symbol, "<INCOMETYPE>DIV</INCOMETYPE><TOTAL>\(text(cents))</TOTAL>", "")
        case 6:
            move(symbol, units)
            row(
                "TRANSFER", "", symbol,
                "<SUBACCTSEC>CASH</SUBACCTSEC><UNITS>\(text(units))</UNITS>"
                    + "<TFERACTION>IN</TFERACTION><POSTYPE>LONG</POSTYPE>", "")
        default: deposit(Int.random(in: -9_999...99_999, using: &random) * 100)
        }
    }

    private mutating func deposit(_ amount: Int) {
        if amount == 0 { return }
        cash += amount
        rows.append(
            "<INVBANKTRAN><STMTTRN><TRNTYPE>\(amount < 0 ? "DEBIT" : "CREDIT")</TRNTYPE>"
                + "<DTPOSTED>20240\(1 + rows.count % 9)15</DTPOSTED><TRNAMT>\(text(amount))</TRNAMT>"
                + "<FITID>F\(rows.count)</FITID><NAME>EFT</NAME></STMTTRN><SUBACCTFUND>CASH</SUBACCTFUND>"
                + "</INVBANKTRAN>")
    }

    private mutating func move(_ symbol: String, _ units: Int) { held[symbol, default: 0] += units }

    /// Units × price in ten-thousandths, to the cent, as brokerages round.
    private func value(_ units: Int, _ price: Int) -> Int { (units * price / 10_000 + 50) / 100 * 100 }

    private mutating func row(_ tag: String, _ frame: String, _ symbol: String, _ values: String, _ rest: String) {
        let body =
            "<INVTRAN><FITID>F\(rows.count)</FITID><DTTRADE>20240\(1 + rows.count % 9)15</DTTRADE></INVTRAN>"
            + "<SECID><UNIQUEID>\(symbol)</UNIQUEID><UNIQUEIDTYPE>OTHER</UNIQUEIDTYPE></SECID>" + values
        let framed = frame.isEmpty ? body : "<\(frame)>\(body)</\(frame)>"
        rows.append("<\(tag)>\(framed)\(rest)</\(tag)>")
    }

    private func text(_ value: Int) -> String {
        ExactDecimal(coefficient: Int128(value), scale: 4)?.description ?? ""
    }

    private var body: String {
        var positions = ""
        for (symbol, count) in held.sorted(by: { $0.key < $1.key }) where count != 0 {
            positions +=
                "<POSSTOCK><INVPOS><SECID><UNIQUEID>\(symbol)</UNIQUEID><UNIQUEIDTYPE>OTHER</UNIQUEIDTYPE></SECID>"
                + "<HELDINACCT>CASH</HELDINACCT><POSTYPE>LONG</POSTYPE><UNITS>\(text(count))</UNITS>"
                + "<UNITPRICE>1</UNITPRICE><MKTVAL>\(text(count))</MKTVAL><DTPRICEASOF>20241231</DTPRICEASOF>"
                + "</INVPOS></POSSTOCK>"
        }
        return "<OFX><SIGNONMSGSRSV1><SONRS><STATUS><CODE>0</CODE><SEVERITY>INFO</SEVERITY></STATUS>"
            + "<DTSERVER>20241231</DTSERVER><LANGUAGE>ENG</LANGUAGE></SONRS></SIGNONMSGSRSV1><INVSTMTMSGSRSV1>"
            + "<INVSTMTTRNRS><TRNUID>1</TRNUID><STATUS><CODE>0</CODE><SEVERITY>INFO</SEVERITY></STATUS><INVSTMTRS>"
            + "<DTASOF>20241231</DTASOF><CURDEF>USD</CURDEF><INVACCTFROM><BROKERID>sample.example</BROKERID>"
            + "<ACCTID>R1</ACCTID></INVACCTFROM><INVTRANLIST><DTSTART>20240101</DTSTART><DTEND>20241231</DTEND>\n"
            + rows.joined(separator: "\n") + "\n</INVTRANLIST><INVPOSLIST>\(positions)</INVPOSLIST>"
            + "<INVBAL><AVAILCASH>\(text(cash))</AVAILCASH><MARGINBALANCE>0</MARGINBALANCE>"
            + "<SHORTBALANCE>0</SHORTBALANCE></INVBAL></INVSTMTRS></INVSTMTTRNRS></INVSTMTMSGSRSV1></OFX>\n"
    }

    var xml: String {
        #"<?xml version="1.0" encoding="UTF-8"?>"# + "\n"
            + #"<?OFX OFXHEADER="200" VERSION="211" SECURITY="NONE" OLDFILEUID="NONE" NEWFILEUID="NONE"?>"# + "\n"
            + body
    }

    /// The same without the closing tags of values.
    var sgml: String {
        var text =
            "OFXHEADER:100\nDATA:OFXSGML\nVERSION:102\nSECURITY:NONE\nENCODING:USASCII\nCHARSET:1252\n"
            + "COMPRESSION:NONE\nOLDFILEUID:NONE\nNEWFILEUID:NONE\n\n"
        var rest = body[...]
        while let mark = rest.firstIndex(of: "<") {
            text += rest[..<mark]
            let end = rest[mark...].firstIndex(of: ">") ?? rest.index(before: rest.endIndex)
            let tag = rest[mark...end]
            let isValueEnd = tag.hasPrefix("</") && mark > rest.startIndex
            if !isValueEnd { text += tag }
            rest = rest[rest.index(after: end)...]
        }
        return text + rest
    }
}
