import Allocport
import Importing
import OpenAlloc
import Testing

/// Numbers and dates that the predecessor wrote wrong (D12 to D23).
@Suite struct WrongValueTests {
    private func fidelity(_ row: String) throws -> Converted {
        try convertBuiltIn("Accounts_History.csv", Exports.fidelity([row]))
    }

    private func schwab(_ row: String) throws -> Converted { try convertBuiltIn("t.csv", Exports.schwab([row])) }

    /// D12: negatives in parentheses became positive.
    @Test func d12Parentheses() throws {
        let fee = try schwab(Exports.schwabRow("Service Fee", symbol: "", units: "", price: "", amount: "($170.00)"))
        #expect(fee.transactions.shown("txnAction", "txnShareCount") == ["miscflow|-170"])
        let cash = try fidelity(
            Exports.fidelityRow("Electronic Funds Transfer Paid", symbol: "", units: "", price: "", amount: #""(1,234.56)""#))
        #expect(cash.transactions.shown("txnAction", "txnShareCount") == ["transfer|-1234.56"])
        let lot = try convertBuiltIn("Realized_Gain_Loss_Account_X71000001.csv", Exports.realized([Exports.realizedRow]))
        #expect(lot.transactions["realizedGainShort"] == ["-3"])
    }

    static let numbers: [(cell: String, value: String?)] = [
        ("\u{2212}10", "-10"), ("-10", "-10"), ("10-", "-10"), ("(10)", "-10"), ("+10", "10"), (#""1,234.56""#, "1234.56"),
        // D13: an exponent means what it says.
        ("1e3", "1000"), ("1.5E-2", "0.015"),
        // D13: no number in this file, so a reject and never another number.
        (#""1.234,56""#, nil), (#""51,38""#, nil),
        // D14: what is not wholly a number was read in part, or as 0.
        ("12 shares of 34", nil), ("abc", nil), ("5-3", nil), ("1.2.3", nil), ("--5", nil), ("$", nil),
    ]

    /// D13, D14: signs, exponents, decimal commas and junk.
    @Test(arguments: numbers) func d13d14Numbers(_ cell: String, _ value: String?) throws {
        let got = try fidelity(
            Exports.fidelityRow("Electronic Funds Transfer", symbol: "", units: "", price: "", amount: cell))
        if let value {
            #expect(got.transactions["txnShareCount"] == [value])
        } else {
            #expect(got.transactions.rows.isEmpty)
            #expect(got.rejects["code"] == ["number.invalid"] && got.rejects["column"] == ["Amount ($)"])
        }
        #expect(got.isWhole)
    }

    @Test(arguments: ["12 shares", "abc", "5-3", "", "1e3x", "0x10", "NaN", "inf"])
    func d14NumbersOfTables(_ cell: String) throws {
        let got = try convertBuiltIn("t.csv", Exports.table(["buysell,2021-03-01,A,VOO,,\(cell),1,,"]))
        #expect(got.transactions.rows.isEmpty && got.report.outcomes[.rejected] == 1)
    }

    /// D15, D16: what is written is exact, never an exponent, and reads back as it was.
    @Test(arguments: [
        "10000000000000000", "0.00000012", "123456789.123456789", "1234567890123456789", "99999999999999999999.5",
        "-0.1", "12345678901234567890123456789012345678", "0.00000000000000000000000000000000000001",
    ])
    func d15d16ExactNumbers(_ number: String) throws {
        let first = try convertBuiltIn("t.csv", Exports.table(["buysell,2021-03-01,A,VOO,,\(number),\(number),,"])) { $0.columns = .core }
        #expect(first.transactions.core == ["buysell|2021-03-01T00:00:00Z|A|VOO||\(number)|\(number)||"])
        let bytes = try #require(first.bytes("openalloc.transaction.csv"))
        let second = try convertBuiltIn([("again.csv", bytes)]) { $0.columns = .core }
        #expect(second.bytes("openalloc.transaction.csv") == bytes)
    }

    /// D15: more digits than are kept exactly are a reject, never a rounding; an exponent is read exactly or not at all.
    @Test func d15NothingIsRounded() throws {
        let long = String(repeating: "9", count: 60)
        let got = try convertBuiltIn("t.csv", Exports.table(["buysell,2021-03-01,A,VOO,,\(long),1,,"]))
        #expect(got.rejects["code"] == ["number.range"])
        let exponent = try convertBuiltIn("t.csv", Exports.table(["buysell,2021-03-01,A,VOO,,1e+16,1,,"]))
        #expect([["10000000000000000"], []].contains(exponent.transactions["txnShareCount"]))
        #expect(exponent.isWhole)
    }

    /// D16: quotients.
    @Test func d16Quotients() throws {
        let cases = [("500", "22951.97", "45.90394"), ("3", "10", "3.333333333333"), ("8", "105", "13.125")]
        for (units, amount, price) in cases {
            let got = try fidelity(Exports.fidelityRow(units: units, price: "", amount: "-" + amount))
            #expect(got.transactions["txnSharePrice"] == [price])
        }
        let zero = try convertBuiltIn("t.csv", Exports.table(["income,2021-03-01,A,,,-0.0,,,"]))
        #expect(zero.transactions["txnShareCount"] == ["0"])
    }

    /// D17: 573 of the 10,001 percentages with two digits came out a basis point low.
    @Test func d17Percentages() throws {
        let rows = (0...10_000).map { "A\($0),Asset \($0),\($0 / 100).\($0 % 100 < 10 ? "0" : "")\($0 % 100)%,0" }
        let got = try convertBuiltIn("Allocate Smartly Model Portfolio.csv", Exports.smart(rows)) { $0.columns = .core }
        let wanted = (0...10_000).map { ExactDecimal(coefficient: Int128($0), scale: 4)?.description ?? "" }
        #expect(got.table("allocation")["targetPct"] == wanted)
        let fine = try convertBuiltIn("Allocate Smartly Model Portfolio.csv", Exports.smart(["GLD,Gold,28.999%,0"]))
        #expect(fine.table("allocation")["targetPct"] == ["0.28999"])
    }

    /// D18: a huge percentage killed the program.
    @Test func d18HugePercentages() throws {
        let got = try convertBuiltIn(
            "Allocate Smartly Model Portfolio.csv", Exports.smart(["GLD,Gold,99999999999999999999%,0", "EFA,International Equities,5%,0"]))
        #expect(got.table("allocation")["targetPct"] == ["999999999999999999.99", "0.05"])
    }

    static let actions: [(row: String, isSchwab: Bool, shown: String?)] = [
        (Exports.fidelityRow("YOU  BOUGHT NORTHWIND ETF"), false, "buysell|NWTM|10|5"),
        (Exports.fidelityRow("you sold NORTHWIND ETF", units: "-10", amount: "50"), false, "buysell|NWTM|-10|5"),
        (Exports.fidelityRow("EXCHANGED TO SPAXX", units: "513.8", price: "1", amount: "-513.8"), false, "buysell|NWTM|513.8|1"),
        (Exports.fidelityRow("SOMETHING QUITE NEW"), false, nil),
        (Exports.schwabRow("Buy to Open", symbol: "ACME 04/16/2021 55.00 C", units: "1", price: "$1.85", amount: "-$185.66"), true, "buysell|ACME 04/16/2021 55.00 C|1|185"),
        (Exports.schwabRow("Sell Short", amount: "$50.00"), true, "buysell|SCHB|-10|5"),
        (Exports.schwabRow("Qualified Dividend", units: "", price: "", amount: "$1.50"), true, "income|SCHB|1.5|1"),
        (Exports.schwabRow("Credit Interest", symbol: "", units: "", price: "", amount: "$0.07"), true, "income||0.07|1"),
        (Exports.schwabRow("Long Term Cap Gain", units: "", price: "", amount: "$3.10"), true, "income|SCHB|3.1|1"),
        (Exports.schwabRow("Stock Split", units: "300", price: "", amount: ""), true, "transfer|SCHB|300|"),
        (Exports.schwabRow("Journaled Shares", units: "40", price: "", amount: ""), true, "transfer|SCHB|40|"),
        (Exports.schwabRow("Crypto Airdrop", units: "", price: "", amount: "$9.99"), true, nil),
    ]

    /// D19: unknown actions became cash flows without shares and price.
    @Test(arguments: actions) func d19Actions(_ row: String, _ isSchwab: Bool, _ shown: String?) throws {
        let got = try isSchwab ? schwab(row) : fidelity(row)
        #expect(got.transactions.shown("txnAction", "txnSecurityID", "txnShareCount", "txnSharePrice") == (shown.map { [$0] } ?? []))
        #expect(got.rejects["code"] == (shown == nil ? ["action.unknown"] : []))
        #expect(got.isWhole)
    }

    /// D20: signs were taken on trust.
    @Test func d20Signs() throws {
        let moved = try schwab(Exports.schwabRow("Security Transfer", units: "100", price: "", amount: "-$12,000.10"))
        #expect(moved.transactions["txnSharePrice"].allSatisfy { !$0.hasPrefix("-") })
        #expect(moved.isWhole)
        let sold = try fidelity(Exports.fidelityRow("YOU SOLD NORTHWIND ETF", units: "10", amount: "50"))
        #expect(sold.transactions.shown("txnAction", "txnShareCount") == ["buysell|-10"])
        let bought = try fidelity(Exports.fidelityRow("YOU BOUGHT NORTHWIND ETF", units: "10", amount: "-50"))
        #expect(bought.transactions["txnShareCount"] == ["10"])
    }

    static let dates: [(cell: String, isSchwab: Bool, moment: String?)] = [
        ("07/30/21", false, "2021-07-30T16:00:00Z"), ("8/6/2021", false, "2021-08-06T16:00:00Z"),
        ("8/6/2021", true, "2021-08-06T16:00:00Z"), ("02/30/2021", false, nil), ("02/29/2021", true, nil),
        ("02/29/2020", true, "2020-02-29T17:00:00Z"), ("13/01/2021", false, nil), ("00/10/2021", true, nil),
        ("2021", true, nil),
    ]

    /// D21: two-digit years, impossible days, unpadded months.
    @Test(arguments: dates) func d21Dates(_ cell: String, _ isSchwab: Bool, _ moment: String?) throws {
        let got = try isSchwab ? schwab(Exports.schwabRow(date: cell)) : fidelity(Exports.fidelityRow(date: cell))
        #expect(got.transactions["txnTransactedAt"] == (moment.map { [$0] } ?? []))
        #expect(got.rejects["code"] == (moment == nil ? ["date.invalid"] : []))
    }

    @Test func d21DatesOfTables() throws {
        let cells = ["2021-02-30", "2021-02-28", "2021-02-28T10:11:12.25Z", "2021-02-28T10:11:12+02:00", "28.02.2021"]
        let got = try convertBuiltIn("t.csv", Exports.table(cells.map { "income,\($0),A,,,1,1,," }))
        #expect(
            got.transactions["txnTransactedAt"] == ["2021-02-28T00:00:00Z", "2021-02-28T10:11:12.25Z", "2021-02-28T08:11:12Z"])
        #expect(got.rejects.shown("line", "code") == ["2|date.invalid", "6|date.invalid"])
    }

    /// D23: the second date of "… as of …", on which the event took place, was dropped.
    @Test func d23AsOf() throws {
        let got = try schwab(Exports.schwabRow(date: "08/16/2021 as of 08/15/2021"))
        #expect(got.transactions["txnTransactedAt"] == ["2021-08-15T16:00:00Z"])
    }
}
