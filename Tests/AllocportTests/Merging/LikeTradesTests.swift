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

    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let files: [(String, String)]
        /// How the warning begins; nil for none.
        let warns: String?
    }

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
            testDescription: "other days",
            files: [history(three), statement([("03/21", -7), ("03/11", 4), ("02/04", 9)])], warns: nil),
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
