import Importing
import Testing

/// What a server may answer besides statements: each is a unit with a code, and where somebody could miss it, a word.
@Suite struct ResponseTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let text: String
        /// Outcome and code of each unit.
        let units: [String]
        /// Code of each warning.
        var warnings: [String] = []
    }

    private static let status = "<TRNUID>1<STATUS><CODE>0<SEVERITY>INFO</STATUS>"
    private static let account = "<BANKACCTFROM><BANKID>1<ACCTID>111<ACCTTYPE>CHECKING</BANKACCTFROM>"
    private static let other = "<BANKACCTTO><BANKID>1<ACCTID>222<ACCTTYPE>CHECKING</BANKACCTTO>"
    private static let loan = "<LOANACCTFROM><LOANACCTID>L1<LOANACCTTYPE>MORTGAGE</LOANACCTFROM>"

    /// A message set with one answer.
    private static func answer(_ set: String, _ name: String, _ text: String) -> String {
        "<\(set)MSGSRSV1><\(name)TRNRS>\(status)<\(name)RS>\(text)</\(name)RS></\(name)TRNRS></\(set)MSGSRSV1>"
    }

    private static let order =
        "<CURDEF>USD<SRVRTID>1<XFERINFO>\(account)\(other)<TRNAMT>100.00<DTDUE>20240110</XFERINFO><DTPOSTED>20240110"
    private static let loanRow =
        "<LOANSTMTTRN><LOANTRNTYPE>PAYMENT<DTPOSTED>20240110<TRNAMT>1200.00<LOANTRNAMT><PRINAMT>800.00<LOANINTAMT>400.00"
        + "</LOANTRNAMT><FITID>1<NAME>PAYMENT</LOANSTMTTRN>"

    static let cases = [
        Case(
            testDescription: "a loan",
            text: answer(
                "LOAN", "LOANSTMT",
                "<CURDEF>USD\(loan)<LOANTRANLIST><DTSTART>20240101<DTEND>20240131\(loanRow)\(loanRow)</LOANTRANLIST>"
                    + "<PRINBAL><BALAMT>-200000<DTASOF>20240131</PRINBAL>"),
            units: Array(repeating: "skipped loan.statement", count: 4), warnings: ["section.unread"]),
        Case(
            testDescription: "a loan with a bank's transactions",
            text: answer(
                "LOAN", "LOANSTMT",
                "<CURDEF>USD<LOANACCTFROM><ACCTID>L1<LOANTYPE>FIXED</LOANACCTFROM><BANKTRANLIST><DTSTART>20240101"
                    + "<DTEND>20240131\(row())</BANKTRANLIST><LEDGERBAL><BALAMT>-5<DTASOF>20240131</LEDGERBAL>"),
            units: Array(repeating: "skipped loan.statement", count: 3), warnings: ["section.unread"]),
        Case(
            testDescription: "a plan to pay a loan back",
            text: answer(
                "LOAN", "AMRTSTMT",
                "<CURDEF>USD\(loan)<AMRTTRANLIST><DTSTART>20240101<DTEND>20240131<AMRTSTMTTRN><PMTNUMBER>1<LOANINITBAL>9"
                    + "<PRINBAL><BALAMT>8<DTASOF>20240131</PRINBAL></AMRTSTMTTRN></AMRTTRANLIST>"),
            units: Array(repeating: "skipped loan.statement", count: 2), warnings: ["section.unread"]),
        Case(
            testDescription: "the end of a loan's year",
            text: answer("LOAN", "LOANSTMTEND", "<CURDEF>USD\(loan)<LOANCLOSING><FITID>1<BALCLOSE>5</LOANCLOSING>"),
            units: ["skipped loan.statement"], warnings: ["section.unread"]),
        Case(
            testDescription: "balances of a period",
            text: answer(
                "BANK", "STMTEND",
                "<CURDEF>USD\(account)<CLOSING><FITID>1<DTCLOSE>20240131<BALOPEN>1<BALCLOSE>5</CLOSING>"),
            units: ["skipped statement.closing", "accepted "], warnings: ["section.unread"]),
        Case(
            testDescription: "balances of a card's period",
            text: answer(
                "CREDITCARD", "CCSTMTEND",
                "<CURDEF>USD<CCACCTFROM><ACCTID>9</CCACCTFROM><CCCLOSING><FITID>1<BALCLOSE>5</CCCLOSING>"),
            units: ["skipped statement.closing", "accepted "], warnings: ["section.unread"]),
        Case(
            testDescription: "a transfer", text: answer("BANK", "INTRA", order),
            units: ["skipped payment.order", "accepted "], warnings: ["section.unread"]),
        Case(
            testDescription: "a standing order",
            text: answer(
                "INTERXFER", "RECINTER",
                "<RECSRVRTID>1<RECURRINST><FREQ>MONTHLY</RECURRINST><INTERRS>\(order)</INTERRS>"),
            units: ["skipped payment.order", "accepted "], warnings: ["section.unread"]),
        Case(
            testDescription: "a wire",
            text: answer(
                "WIREXFER", "WIRE",
                "<CURDEF>USD<SRVRTID>1\(account)<WIREBENEFICIARY><NAME>N\(other)</WIREBENEFICIARY><TRNAMT>5<DTDUE>20240110"
            ),
            units: ["skipped payment.order", "accepted "], warnings: ["section.unread"]),
        Case(
            testDescription: "a bill that is paid",
            text: answer(
                "BILLPAY", "PMT",
                "<SRVRTID>1<PAYEELSTID>1<CURDEF>USD<PMTINFO>\(account)<TRNAMT>9<PAYEE><NAME>P</PAYEE><DTDUE>20240110</PMTINFO>"
                    + "<PMTPRCSTS><PMTPRCCODE>WILLPROCESSON<DTPMTPRC>20240110</PMTPRCSTS>"),
            units: ["skipped payment.order", "accepted "], warnings: ["section.unread"]),
        Case(
            testDescription: "a bill", text: answer("PRESDLV", "PRESLIST", "<PRESBILLINFO><BILLID>1</PRESBILLINFO>"),
            units: ["skipped bill.presented"], warnings: ["section.unread"]),
        Case(
            testDescription: "a tax form",
            text: answer("TAX1099", "TAX1099", "<TAX1099B_V100><SRVRTID>1<TAXYEAR>2023<RECID>1</TAX1099B_V100>"),
            units: ["skipped tax.form"], warnings: ["section.unread"]),
        Case(
            testDescription: "what the server can do", text: answer("PROF", "PROF", "<DTPROFUP>20240101<FINAME>X"),
            units: ["skipped response.informational"]),
        Case(
            testDescription: "a letter", text: answer("EMAIL", "MAIL", "<MAIL><SUBJECT>S<MSGBODY>B</MAIL>"),
            units: ["skipped response.informational"]),
        Case(
            testDescription: "accounts",
            text: answer(
                "SIGNUP", "ACCTINFO",
                "<DTACCTUP>20240101<ACCTINFO><BANKACCTINFO>\(account)<SVCSTATUS>ACTIVE</BANKACCTINFO></ACCTINFO>"
                    + "<ACCTINFO><LOANACCTINFO>\(loan)<LOANTYPE>FIXED<SVCSTATUS>ACTIVE</LOANACCTINFO></ACCTINFO>"),
            units: ["accepted ", "skipped loan.account"]),
        Case(
            testDescription: "a statement of a kind that nobody knows",
            text: answer("FOO", "FOOSTMT", "<CURDEF>USD<FOOTRANLIST><FOOTRN><TRNAMT>-5</FOOTRN></FOOTRANLIST>"),
            units: ["rejected section.unknown"]),
        Case(
            testDescription: "points of a card",
            text: answer(
                "CREDITCARD", "CCSTMT",
                "<CURDEF>USD<CCACCTFROM><ACCTID>9</CCACCTFROM><BANKTRANLIST>\(row())</BANKTRANLIST><LEDGERBAL><BALAMT>-5"
                    + "<DTASOF>20240131</LEDGERBAL><REWARDINFO><NAME>R<REWARDBAL>100<REWARDEARNED>5</REWARDINFO>"),
            units: ["section ", "accepted ", "accepted ", "accepted ", "skipped balance.informational"]),
    ]

    /// Alone, and behind a statement, whose rows stay what they are.
    @Test(arguments: cases) func everyAnswerHasACode(_ wanted: Case) throws {
        let head = "OFXHEADER:100\nDATA:OFXSGML\nVERSION:160\n\n"
        let xml =
            #"<?xml version="1.0"?><?OFX OFXHEADER="200" VERSION="220" SECURITY="NONE" OLDFILEUID="NONE" NEWFILEUID="NONE"?>"#
        let closed = Self.closed(wanted.text)
        for (head, lines) in [
            (head, wanted.text), (head, wanted.text.replacing("><", with: ">\n<")), (xml, closed), (head, closed),
        ] {
            let sink = try collect(head + "<OFX>" + lines + "</OFX>\n")
            #expect(sink.units.map { "\($0.outcome) \($0.code)" } == wanted.units)
            #expect(sink.warnings.map(\.code) == wanted.warnings)
            let alone = try collect(bank(row()))
            let beside = try collect(bank(row()).replacing("</OFX>", with: lines + "</OFX>"))
            #expect(beside.flat.prefix(alone.flat.count) == alone.flat[...])
            #expect(beside.units.count == alone.units.count + wanted.units.count)
        }
    }

    /// The text with all leaves closed.
    private static func closed(_ text: String) -> String {
        text.split(separator: "<").map { part in
            guard let mark = part.firstIndex(of: ">"), part.index(after: mark) < part.endIndex else {
                return "<" + part
            }
            return "<\(part)</\(part[..<mark])>"
        }.joined()
    }
}
