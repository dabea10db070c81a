import Importing
import OpenAlloc
import Testing

/// What brokerages book among the cash of an account, and what their words say of it.
@Suite struct BrokerageCashTests {
    private func one(_ text: String) throws -> (record: Record, warnings: [String]) {
        let sink = try collect(invest(text))
        #expect(sink.codes.isEmpty)
        return (try #require(sink.records.first { $0.kind.shape != .account }), sink.units[2].warnings)
    }

    /// An aggregate with a TOTAL and no units.
    private func sum(_ tag: String, _ total: String, _ more: String = "") -> String {
        "<\(tag)>" + trade("", "", total, id: "T2").replacing("<UNITS><UNITPRICE>", with: "") + more + "</\(tag)>"
    }

    /// One that has a minus shows that those without one are credits.
    @Test func expensesOfAFileThatSignsThem() throws {
        let text =
            "<SELLMF><INVSELL>\(trade("10", "10", "100.00"))</INVSELL></SELLMF>" + sum("INVEXPENSE", "1.25")
            + sum("INVEXPENSE", "-2.50")
        let fees = try collect(invest(text)).records.filter { $0.kind == .fee }
        #expect(fees.map { $0[.amount]?.description } == ["1.25", "-2.5"])
    }

    /// What it pays in, and taxes as Interactive Brokers books them; on the short road, too.
    @Test(arguments: [
        ("CREDIT", "Cash In Lieu NORTHWIND", "4", RecordKind.cashInLieu),
        ("CREDIT", "IN LIEU OF FRX SHARE NORTHWIND", "4", .cashInLieu),
        ("CREDIT", "LONG-TERM CAP GAIN NORTHWIND", "4", .capitalGainLong),
        ("CREDIT", "SHORT-TERM CAP GAIN NORTHWIND", "4", .capitalGainShort),
        ("CREDIT", "RETURN OF CAPITAL NORTHWIND", "4", .returnOfCapital),
        ("CREDIT", "USD CREDIT INT FOR JAN-2024", "4", .interest),
        ("CREDIT", "FOREIGN TAX PAID REVERSAL", "4", .tax), ("CREDIT", "IRS TAX REFUND", "4", .cash),
        ("CREDIT", "ADJUST FEE CHARGED ATM FEE REBATE", "4", .fee), ("CREDIT", "Fees of a client", "4", .cash),
        ("OTHER", "NWTM CASH DIVIDEND USD 0.25 PER SHARE - US TAX", "4", .tax),
        ("OTHER", "NWTM CASH DIVIDEND USD 0.25 PER SHARE - US TAX", "-4", .tax),
    ])
    func hearsProceeds(type: String, memo: String, amount: String, kind: RecordKind) throws {
        func row(_ amount: String, _ memo: String) -> String {
            "<INVBANKTRAN><STMTTRN><TRNTYPE>\(type)<DTPOSTED>20240110<TRNAMT>\(amount)<FITID>9<MEMO>\(memo)</STMTTRN>"
                + "<SUBACCTFUND>CASH</INVBANKTRAN>"
        }
        let plain = (0..<30).map { row(amount + ".0\($0 % 9 + 1)", "Wire \($0)") }.joined()
        let sink = try collect(invest(plain + row(amount, memo)))
        let record = try #require(sink.records.last { $0[.amount] != nil })
        #expect(record.kind == kind && record[.amount]?.description == amount && sink.codes.isEmpty)
    }

    /// T. Rowe Price books what it pays out as a reinvestment of no units.
    @Test(arguments: [
        ("DIV", "-12.34", RecordKind.dividend), ("CGLONG", "-12.34", .capitalGainLong),
        ("CGSHORT", "12.34", .capitalGainShort),
    ])
    func paysOut(type: String, total: String, kind: RecordKind) throws {
        let text = sum("REINVEST", total, "<INCOMETYPE>\(type)<SUBACCTSEC>CASH<UNITS>0.0<UNITPRICE>33.33")
        let found = try one(text)
        #expect(found.record.kind == kind && found.record[.amount]?.description == "12.34")
        #expect(found.record[.units] == nil && found.warnings == ["amount.mismatch"])
        let undone = try collect(invest(text.replacing("<DTTRADE>", with: "<REVERSALFITID>T1<DTTRADE>")))
        #expect(undone.codes == ["value.invalid"])
    }

    /// What is owed is told of though the cash is left out.
    @Test func tellsOfDebtsBesideCashInAFund() throws {
        let fund =
            "<POSMF><INVPOS><SECID><UNIQUEID>F<UNIQUEIDTYPE>CUSIP</SECID><HELDINACCT>CASH<POSTYPE>LONG<UNITS>300"
            + "<UNITPRICE>1<MKTVAL>300</INVPOS></POSMF>"
        let sink = try collect(
            invest("", positions: fund, balance: "<INVBAL><AVAILCASH>300<MARGINBALANCE>-20</INVBAL>"))
        #expect(sink.units.last?.code.hasPrefix("cash.") == true && sink.warnings.map(\.code) == ["amount.mismatch"])
    }
}
