import Allocport
import Importing
import Testing

/// `input.repeats`: two kinds of reports tell of the same trades, whose rows are not equal.
@Suite struct LikeTradesTests {
    typealias Trade = (day: String, units: Int)

    /// Trades as Fidelity's history has them, at noon.
    static func history(_ trades: [Trade]) -> (String, String) {
        HeldUnitsTests.history(
            trades.map { ("\($0.day)", $0.units < 0 ? "YOU SOLD" : "YOU BOUGHT", $0.units) }, until: "04/30")
    }

    /// The same in a statement, at four in the afternoon.
    static func statement(_ trades: [Trade], account: String = "X63000001", security: String = "NWTM") -> (
        String, String
    ) {
        let rows = trades.enumerated().map { number, trade in
            let (month, day) = (trade.day.prefix(2), trade.day.suffix(2))
            let (aggregate, type) = trade.units < 0 ? ("SELL", "SELL") : ("BUY", "BUY")
            return """
                <\(aggregate)STOCK><INV\(type)><INVTRAN><FITID>\(number)
                <DTTRADE>2025\(month)\(day)160000[-5:EST]</INVTRAN>
                <SECID><UNIQUEID>922908769<UNIQUEIDTYPE>CUSIP</SECID><UNITS>\(trade.units)<UNITPRICE>5
                <TOTAL>\(trade.units * -5)<SUBACCTSEC>CASH<SUBACCTFUND>CASH</INV\(type)>
                <\(type)TYPE>\(type)</\(aggregate)STOCK>
                """
        }
        let text = investmentStatement(
            account: account, from: "20250101", asOf: "20250501", transactions: rows.joined(separator: "\n"),
            securities: """
                <SECLISTMSGSRSV1><SECLIST><STOCKINFO><SECINFO><SECID><UNIQUEID>922908769<UNIQUEIDTYPE>CUSIP</SECID>
                <SECNAME>NORTHWIND<TICKER>\(security)</SECINFO></STOCKINFO></SECLIST></SECLISTMSGSRSV1>
                """)
        return ("statement.qfx", text)
    }

    /// Dividends as Superhero's transaction statement has them, without a currency.
    static func paid(_ payments: [(day: String, money: String)], account: String = "C0000123") -> (String, String) {
        let rows = payments.map { day, money in
            "\(day)/2026,,NORTHWIND,NWTM,Dividend Received,,,$\(money),$0.00,$0.00,$0.00\n"
        }
        return (
            "transactions.csv",
            """
            Account Number,\(account)

            Transaction Date,Settlement Date,Security,Security Code,Transaction Type,Quantity,Average Price,Net Amount,\
            Brokerage,GST,Tax

            """ + rows.joined()
        )
    }

    /// The same in its income report, in Australian dollars.
    static func income(_ payments: [(day: String, money: String)]) -> (String, String) {
        let rows = payments.map { day, money in
            "Dividend,NWTM,01/01/2026,\(day)/2026,$0.1,10,$0,$0,$\(money),$0.00,$\(money),$0\n"
        }
        return (
            "income.csv",
            """
            Account Number,C0000123

            Income Type,Security,Ex Date,Payment Date,Dividend Rate Per Unit,Participating Shares,Unfranked Amount,\
            Franked Amount,Total Payment,Withholding Tax,Net Amount,Franking Credit

            """ + rows.joined()
        )
    }

    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let files: [(String, String)]
        /// How the warning begins; nil for none.
        let warns: String?
    }

    static let payments = [(day: "20/03", money: "36.20"), (day: "20/02", money: "11.00")]

    static let three: [Trade] = [("03/20", -7), ("03/10", 4), ("02/03", 9)]

    static let cases = [
        Case(
            testDescription: "the same trades", files: [history(three), statement(three)], warns: "3 trades stand in"),
        Case(
            testDescription: "of the days that both tell of, half are equal",
            files: [
                history([("04/20", 1), ("03/20", -7), ("03/10", 4), ("02/01", 2)]),
                statement([("03/10", 4), ("03/11", 5)]),
            ], warns: "1 trade stands in"),
        Case(
            testDescription: "less than half",
            files: [
                history([("03/20", -7), ("03/10", 4), ("02/01", 2)]),
                statement([("02/01", 2), ("02/20", 3), ("03/20", 5)]),
            ], warns: nil),
        Case(
            testDescription: "two parts of an order are one trade elsewhere",
            files: [history([("03/10", 4), ("03/10", 5)]), statement([("03/10", 9)])], warns: "1 trade stands in"),
        Case(
            testDescription: "all of them settled two days later",
            files: [history(three), statement([("03/22", -7), ("03/12", 4), ("02/05", 9)])],
            warns: "3 trades stand in"),
        Case(
            testDescription: "one on another day may be chance",
            files: [history([("03/20", -7), ("03/10", 4)]), statement([("03/22", -7), ("03/09", 5)])], warns: nil),
        Case(
            testDescription: "more than a week apart",
            files: [history(three), statement([("03/29", -7), ("03/18", 4), ("02/12", 9)])], warns: nil),
        Case(
            testDescription: "another account", files: [history(three), statement(three, account: "X63000002")],
            warns: nil),
        Case(
            testDescription: "another security", files: [history(three), statement(three, security: "OTHER")],
            warns: nil),
        Case(
            testDescription: "two files of one kind: twins are told by their rows",
            files: [history([("03/10", 4)]), history([("03/10", 4), ("03/20", 1)])], warns: nil),
        Case(
            testDescription: "nothing is left of what was bought that day",
            files: [history([("03/10", 4), ("03/10", -4)]), statement([("03/10", 3), ("03/10", -3)])], warns: nil),
        Case(
            testDescription: "an account that no file names",
            files: [
                (
                    "trades.csv",
                    """
                    "txid","ordertxid","pair","time","type","ordertype","price","cost","fee","vol","margin","misc","ledgers"
                    "T1","O1","XXBTZEUR","2024-03-15 10:30:00.1","buy","limit","40000.0","400.0","1.04","0.01","0.0","",""

                    """
                ),
                (
                    "ledgers.csv",
                    """
                    "txid","refid","time","type","subtype","aclass","asset","amount","fee","balance"
                    "L1","T1","2024-03-15 10:30:00","trade","","currency","ZEUR","-400.0000","1.0400","598.9600"
                    "L2","T1","2024-03-15 10:30:00","trade","","currency","XXBT","0.0100000000","0.0","0.0100000000"

                    """
                ),
            ], warns: "1 trade stands in"),
        Case(
            testDescription: "the same dividends, of which one report tells the currency",
            files: [paid(payments), income(payments)], warns: "2 dividends stand in"),
        Case(
            testDescription: "dividends of other money",
            files: [paid(payments), income([(day: "20/03", money: "36.21"), (day: "20/02", money: "11.01")])],
            warns: nil),
        Case(
            testDescription: "dividends of another account",
            files: [paid(payments, account: "C0000124"), income(payments)], warns: nil),
    ]

    @Test(arguments: cases) func twoReportsOfTheSameTrades(_ wanted: Case) throws {
        for files in [wanted.files, wanted.files.reversed()] {
            let got = try convertBuiltIn(files.map { ($0.0, Array($0.1.utf8)) })
            #expect(got.report.exitCode == 0 && got.report.isBalanced)
            let warnings = got.report.inputs.flatMap { input in
                input.warnings.filter { $0.code == "input.repeats" }.map { (input.name, $0.message) }
            }
            #expect(warnings.count == (wanted.warns == nil ? 0 : 1), "\(warnings)")
            guard let words = wanted.warns, let (name, message) = warnings.first else { continue }
            #expect(message.hasPrefix(words), "\(message)")
            // Each of the two is named: one has the warning, the other is in it.
            let other = files.map(\.0).first { $0 != name } ?? ""
            #expect(message.contains(" \(other) "), "\(message)")
        }
    }
}
