import Importing
import OpenAlloc
import Testing

@testable import Allocport

/// `input.repeats` of other rows than trades, and of accounts that two inputs name differently.
@Suite struct RepeatedRowsTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let files: [(String, String)]
        /// How the warning begins, and what is advised; nil for none.
        let warns: String?
        var advises = ""
    }

    /// A history of Schwab's, whose name says the account.
    static func schwab(_ rows: [String], _ name: String = "Individual_XXX417_Transactions_20260401-101500.csv") -> (
        String, String
    ) {
        let header = #""Date","Action","Symbol","Description","Quantity","Price","Fees & Comm","Amount""#
        return (name, ([header] + rows).map { $0 + "\n" }.joined())
    }

    static let bought = #""03/03/2026","Buy","NWTM","NORTHWIND ETF","10","$41.37","","-$413.70""#
    static let sold = #""03/20/2026","Sell","NWTM","NORTHWIND ETF","4","$44.10","","$176.40""#
    static let dividend = #""03/16/2026","Cash Dividend","NWTM","NORTHWIND ETF","","","","$7.31""#
    static let deposit = #""03/02/2026","MoneyLink Transfer","","Tfr BANK","","","","$500.00""#

    /// The same in a statement; `ids` begins the ids of its rows.
    static func statement(
        account: String = "12345417", name: String = "schwab.qfx", ids: String = "F", ticker: String = "NWTM",
        dividend: String = "7.31", until day: String = "20260331", positions: String = ""
    ) -> (String, String) {
        let security = "<SECID><UNIQUEID>111111118<UNIQUEIDTYPE>CUSIP</SECID>"
        let place = "<SUBACCTSEC>CASH<SUBACCTFUND>CASH"
        let rows = """
            <BUYSTOCK><INVBUY><INVTRAN><FITID>\(ids)1<DTTRADE>20260303160000</INVTRAN>\(security)<UNITS>10
            <UNITPRICE>41.37<TOTAL>-413.70\(place)</INVBUY><BUYTYPE>BUY</BUYSTOCK>
            <SELLSTOCK><INVSELL><INVTRAN><FITID>\(ids)2<DTTRADE>20260320160000</INVTRAN>\(security)<UNITS>-4
            <UNITPRICE>44.10<TOTAL>176.40\(place)</INVSELL><SELLTYPE>SELL</SELLSTOCK>
            <INCOME><INVTRAN><FITID>\(ids)3<DTTRADE>20260316160000</INVTRAN>\(security)<INCOMETYPE>DIV
            <TOTAL>\(dividend)\(place)</INCOME>
            """
        let text = investmentStatement(
            account: account, from: "20260301", asOf: day, transactions: rows, positions: positions,
            securities: """
                <SECLISTMSGSRSV1><SECLIST><STOCKINFO><SECINFO>\(security)<SECNAME>NORTHWIND<TICKER>\(ticker)
                </SECINFO></STOCKINFO></SECLIST></SECLISTMSGSRSV1>
                """)
        return (name, text)
    }

    static let held = """
        <INVPOSLIST><POSSTOCK><INVPOS><SECID><UNIQUEID>111111118<UNIQUEIDTYPE>CUSIP</SECID><HELDINACCT>CASH
        <POSTYPE>LONG<UNITS>6<UNITPRICE>44.50<MKTVAL>267.00<DTPRICEASOF>20260331160000</INVPOS></POSSTOCK></INVPOSLIST>
        """

    static func positions(_ units: Int) -> (String, String) {
        let text = """
            "Positions for account Individual ...417 as of 04:05 PM ET, 2026/03/31","","","","","","","","",""

            "Symbol","Description","Quantity","Price","Price Change %","Price Change $","Market Value","Day Change %",\
            "Day Change $","Cost Basis","Gain/Loss %","Gain/Loss $","Ratings","Reinvest Dividends?","Capital Gains?",\
            "% Of Account","Security Type"
            "NWTM","NORTHWIND ETF","\(units)","$44.50","0%","$0.00","$\(Double(units) * 44.5)","0%","$0.00","$248.22",\
            "7.57%","$18.78","--","No","--","100%","ETFs & Closed End Funds"

            """
        return ("Individual-Positions-2026-03-31-160500.csv", text)
    }

    static let gains = """
        Symbol(CUSIP),Security Description,Quantity,Date Acquired,Date Sold,Proceeds,Cost Basis,\
        Short Term Gain/Loss,Long Term Gain/Loss
        NWTM(111111118),NORTHWIND ETF,4,03/03/2026,03/20/2026,$176.40,$165.48,$10.92,--

        """
    static let fidelity = """
        Run Date,Account,Account Number,Action,Symbol,Description,Type,Price ($),Quantity,Commission ($),Fees ($),\
        Accrued Interest ($),Amount ($),Settlement Date
        03/20/2026,"Individual","X63000001","YOU SOLD NORTHWIND (NWTM) (Cash)",NWTM,NORTHWIND,Cash,44.1,-4,,,,176.4,

        """

    static let tradebook = """
        symbol,isin,trade_date,exchange,segment,series,trade_type,auction,quantity,price,trade_id,order_id,\
        order_execution_time
        NWTM,,2026-03-03,NSE,EQ,EQ,buy,false,10,41.37,701,111,2026-03-03T10:02:31

        """
    static let orders = """
        Time,Type,Instrument,Product,Qty.,Avg. price,Status
        2026-03-03 10:02:31,BUY,NWTM,CNC,10/10,41.37,COMPLETE

        """

    static let cases = [
        Case(
            testDescription: "an account that one of the two masks",
            files: [schwab([sold, dividend, bought, deposit]), statement()],
            warns: "2 trades and 1 payment stand in schwab.qfx as well",
            advises: "Convert without schwab.qfx: Individual_XXX417_Transactions_20260401-101500.csv tells all of it"),
        Case(
            testDescription: "another account",
            files: [schwab([sold, dividend, bought]), statement(account: "99999555")], warns: nil),
        Case(
            testDescription: "payments alone", files: [schwab([dividend]), statement()],
            warns: "1 payment stands in ", advises: "Convert without Individual_XXX417_Transactions"),
        Case(
            testDescription: "a security by another name, at the same price",
            files: [schwab([sold, bought]), statement(ticker: "NWT-M", dividend: "1.02")], warns: "2 trades stand in "),
        Case(
            testDescription: "ids made anew in another download",
            files: [
                statement(name: "a.qfx", dividend: "7.31"),
                statement(name: "b.qfx", ids: "G", dividend: "7.31", until: "20260401"),
            ], warns: "2 trades and 1 payment stand in a.qfx as well"),
        Case(
            testDescription: "the same ids: an overlap",
            files: [
                statement(name: "a.qfx", dividend: "7.31"),
                statement(name: "b.qfx", dividend: "7.31", until: "20260401"),
            ], warns: nil),
        Case(
            testDescription: "an account that only one file's name says",
            files: [schwab([sold, dividend, bought]), schwab([sold, dividend, bought, deposit], "schwab march.csv")],
            warns: "2 trades and 1 payment stand in ",
            advises: "If both are of one account, name it with --account"),
        Case(
            testDescription: "two files of one account, the days next to each other",
            files: [
                schwab([bought]), schwab([sold, dividend], "Individual_XXX417_Transactions_20260402-101500.csv"),
            ], warns: nil),
        Case(
            testDescription: "a lot whose file names no account, and its sale",
            files: [("Accounts_History.csv", fidelity), ("gains.csv", gains)], warns: "1 trade stands in ",
            advises: "If both are of one account, name it with --account"),
        Case(
            testDescription: "a lot in the place of its sale",
            files: [("Accounts_History.csv", fidelity), ("Realized_Gain_Loss_Account_X63000001.csv", gains)],
            warns: nil),
        Case(
            testDescription: "orders of an account that another report's name says",
            files: [("tradebook-AB1234-EQ.csv", tradebook), ("orders.csv", orders)], warns: "1 trade stands in "),
        Case(
            testDescription: "holdings by two names of the account",
            files: [positions(6), statement(positions: held)], warns: "1 holding stands in ",
            advises: "If both are of one account, convert without Individual-Positions-2026-03-31-160500.csv."),
        Case(
            testDescription: "other holdings", files: [positions(7), statement(positions: held)], warns: nil),
    ]

    @Test(arguments: cases) func rowsThatStandTwice(_ wanted: Case) throws {
        for files in [wanted.files, wanted.files.reversed()] {
            let got = try convertBuiltIn(files.map { ($0.0, Array($0.1.utf8)) })
            #expect(got.report.exitCode == 0 && got.report.isBalanced)
            let warnings = got.report.inputs.flatMap { input in input.warnings.filter { $0.code == "input.repeats" } }
            #expect(warnings.count == (wanted.warns == nil ? 0 : 1), "\(warnings.map(\.message))")
            guard let words = wanted.warns, let warning = warnings.first else { continue }
            #expect(warning.message.hasPrefix(words), "\(warning.message)")
            #expect(warning.suggestion.hasPrefix(wanted.advises), "\(warning.suggestion)")
        }
    }

    /// Monthly files beside one of another kind: what both months and the other kind tell is counted once in the words.
    @Test func severalFilesOfAKind() throws {
        let months = [
            Self.schwab([Self.bought], "Individual_XXX417_Transactions_20260310-101500.csv"),
            Self.schwab([Self.sold, Self.dividend], "Individual_XXX417_Transactions_20260401-101500.csv"),
        ]
        let got = try convertBuiltIn((months + [Self.statement()]).map { ($0.0, Array($0.1.utf8)) })
        let warnings = got.report.inputs.flatMap { $0.warnings.filter { $0.code == "input.repeats" } }
        #expect(warnings.count == 1)
        #expect(warnings.first?.message.hasPrefix("2 trades and 1 payment stand in") == true)
        let advice = warnings.first?.suggestion ?? ""
        #expect(advice.contains("1 other of its kind"), "\(advice)")
    }

    /// Rows of a table that are no longer known for those of their export: closed lots, whose day of purchase no column
    /// has, those of the core columns alone, and those of an account that nothing names.
    @Test(arguments: ["Realized_Gain_Loss_Account_X63000001.csv", "gains.csv"], [true, false])
    func tablesBesideTheirExports(_ name: String, _ isCore: Bool) throws {
        let export = (name, Array(Self.gains.utf8))
        let first = try convertBuiltIn([export]) { if isCore { $0.columns = .core } }
        let table = first.bytes("openalloc.transaction.csv") ?? []
        for files in [[("openalloc.transaction.csv", table), export], [export, ("openalloc.transaction.csv", table)]] {
            let got = try convertBuiltIn(files)
            let warnings = got.report.inputs.flatMap { $0.warnings.filter { $0.code == "input.repeats" } }
            #expect(warnings.count == 1, "\(warnings.map(\.message))")
            #expect(warnings.first?.message.hasPrefix("1 trade stands in ") == true)
            #expect(warnings.first?.suggestion.hasPrefix("Convert without ") == true)
        }
    }

    /// A sale of a table gives no way to the lots that tell of it.
    @Test func lotsBesideATableOfTheirSale() throws {
        let history = ("Accounts_History.csv", Array(Self.fidelity.utf8))
        let table = try convertBuiltIn([history]).bytes("openalloc.transaction.csv") ?? []
        let got = try convertBuiltIn([
            ("openalloc.transaction.csv", table),
            ("Realized_Gain_Loss_Account_X63000001.csv", Array(Self.gains.utf8)),
        ])
        let warnings = got.report.inputs.flatMap { $0.warnings.filter { $0.code == "input.repeats" } }
        #expect(warnings.count == 1 && warnings.first?.message.hasPrefix("1 trade stands in ") == true)
    }

    /// Rows that are known again stand once, and nothing is said.
    @Test func aTableBesideItsExport() throws {
        let (name, text) = Self.schwab([Self.sold, Self.dividend, Self.bought, Self.deposit])
        let export = (name, Array(text.utf8))
        let table = try convertBuiltIn([export]).bytes("openalloc.transaction.csv") ?? []
        let got = try convertBuiltIn([("openalloc.transaction.csv", table), export])
        #expect(got.report.inputs.allSatisfy { $0.warnings.allSatisfy { $0.code != "input.repeats" } })
        #expect(got.report.tables.first { $0.schema == .transaction }?.rows == 4)
    }

    typealias Pair = (one: String, other: String, likeness: AccountName.Likeness?)

    static let names: [Pair] = [
        ("12345417", "...417", .likely), ("XXX417", "...417", .likely), ("XXXX-1234", "...234", .likely),
        ("U***54321", "U7654321", .likely), ("Individual - TOD *0196", "X12340196", .likely),
        ("7K1-10001", "7K110001", .likely), ("4711", "63004711", .likely), ("####4711", "4711", .likely),
        ("12345417", "12345418", nil), ("XXX417", "XXX555", nil), ("U7654321", "U1234321", nil),
        ("...417", "99999555", nil), ("Roth IRA", "12345417", .possible), ("1234", "1234", .same),
        ("10000000", "0", nil),
    ]

    @Test(arguments: names) func namesOfAnAccount(_ pair: Pair) {
        let (one, other) = (
            AccountName(pair.one, isAssumed: false), AccountName(pair.other, isAssumed: false)
        )
        #expect(one.likeness(other) == pair.likeness)
        #expect(other.likeness(one) == pair.likeness)
    }

    @Test func aBrokerageStandsForAnyAccount() {
        let assumed = AccountName("schwab", isAssumed: true)
        #expect(assumed.likeness(AccountName("12345417", isAssumed: false)) == .unnamed)
        #expect(assumed.likeness(assumed) == .same)
    }
}
