import Allocport
import Importing
import OpenAlloc
import TestSupport
import Testing

/// What a record costs, in a column or as rows: a sum over amounts is the cash that moved, both ways.
@Suite struct CostRowsTests {
    static let cases: [(record: String, inColumns: [String], asRows: [String])] = [
        // An option that is closed for nothing: what that costs is all that is paid.
        ("kind=expired units=-2 commission=1", ["-1"], ["transfer|-2|", "miscflow|-1|-1"]),
        ("kind=expired units=-2 amount=0 commission=1", ["-1"], ["transfer|-2|0", "miscflow|-1|-1"]),
        ("kind=expired units=-2 commission=0", [""], ["transfer|-2|"]),
        ("kind=assigned units=1 commission=0.5 fees=0.25", ["-0.75"], ["transfer|1|", "miscflow|-0.75|-0.75"]),
        ("kind=assigned outside=1 units=1 fees=0.25", ["-0.25"], ["transfer|1|", "miscflow|-0.25|-0.25"]),
        ("kind=expired reverse=1 units=-2 commission=-1", ["1"], ["transfer|2|", "miscflow|1|1"]),
        // What it is settled for may hold the costs, or be nothing else.
        ("kind=assigned units=1 amount=-1 commission=1", ["-1", ""], ["transfer|1|", "miscflow|-1|-1"]),
        (
            "kind=exercised units=-1 amount=734 fees=6", ["734", ""],
            ["miscflow|740|740", "transfer|-1|", "miscflow|-6|-6"]
        ),
        (
            "kind=exercised outside=1 units=-1 amount=740 fees=6", ["740", "-6"],
            ["miscflow|740|740", "transfer|-1|", "miscflow|-6|-6"]
        ),
        // Trades: units × price, the costs, and what is left.
        (
            "kind=buy units=10 price=5 amount=-52 fees=1.5", ["-52"],
            ["buysell|10|-50", "miscflow|-1.5|-1.5", "miscflow|-0.5|-0.5"]
        ),
        ("kind=buy units=10 price=5 amount=-51.5 fees=1.5", ["-51.5"], ["buysell|10|-50", "miscflow|-1.5|-1.5"]),
        ("kind=buy units=10 price=5 amount=-50.5", ["-50.5"], ["buysell|10|-50", "miscflow|-0.5|-0.5"]),
        ("kind=buy outside=1 units=10 price=5 amount=-50 fees=2", ["-52"], ["buysell|10|-50", "miscflow|-2|-2"]),
        ("kind=sell units=8 amount=95 fees=5", ["95"], ["buysell|-8|100", "miscflow|-5|-5"]),
        ("kind=sell units=1 price=1 commission=5 amount=-4", ["-4"], ["buysell|-1|1", "miscflow|-5|-5"]),
        ("kind=buy units=100 amount=-103 accrued=3", ["-103"], ["buysell|100|-100", "miscflow|-3|-3"]),
        ("kind=buy units=3 amount=-10", ["-10"], ["buysell|3|-10"]),
        (
            "kind=reinvestedIncome units=2 price=10 amount=21 fees=1", ["21", "-21"],
            ["income|21|21", "buysell|2|-20", "miscflow|-1|-1"]
        ),
        (
            "kind=closedLot outside=1 units=2 proceeds=25 fees=1", ["24"], ["buysell|-2|25", "miscflow|-1|-1"]
        ),
        // Flows: what is inside the amount is no row.
        ("kind=dividend amount=10 tax=1.5", ["10"], ["income|10|10"]),
        ("kind=dividend outside=1 amount=10 tax=1.5", ["8.5"], ["income|10|10", "miscflow|-1.5|-1.5"]),
        ("kind=deposit outside=1 amount=10 fees=10", ["0"], ["transfer|10|10", "miscflow|-10|-10"]),
        ("kind=fee fees=3", ["-3"], ["miscflow|-3|-3"]),
        ("kind=sharesOut outside=1 units=-1 commission=0.75", ["-0.75"], ["transfer|-1|", "miscflow|-0.75|-0.75"]),
    ]

    @Test(arguments: cases) func sumsAreTheSame(_ record: String, _ inColumns: [String], _ asRows: [String]) throws {
        let text = "# \ntxn account=A1 date=2024-03-01 symbol=VTI \(record)\n"
        let columns = try Self.table(text, .column)
        #expect(columns["amount"] == inColumns)
        let rows = try Self.table(text, .miscflow)
        #expect(rows.shown("txnAction", "txnShareCount", "amount") == asRows)
        #expect(Self.sum(columns["amount"]) == Self.sum(rows["amount"]))
    }

    /// What the option cost is a fee, also where the source has it as the amount.
    @Test func aCostIsAFee() throws {
        let text = "# \ntxn account=A1 date=2024-03-01 symbol=OPT kind=assigned units=1 amount=-1 commission=1\n"
        #expect(try Self.table(text, .column)["kind"] == ["adjustment", "assigned"])
        #expect(try Self.table(text, .miscflow)["kind"] == ["assigned", "fee"])
    }

    /// What a lot brought is stated before its costs, unless the definition says that they stand beside it.
    @Test func aLotKeepsWhatItBrought() throws {
        let text = "# \ntxn account=A1 date=2024-03-01 symbol=VTI kind=closedLot units=2 proceeds=25 fees=1\n"
        #expect(try Self.table(text, .miscflow).shown("txnShareCount", "amount") == ["-2|25", "-1|-1"])
    }

    private static func table(_ text: String, _ fees: RunOptions.Fees) throws -> Table {
        let folder = try TemporaryFolder()
        _ = try convert([("a.txt", text)], into: folder) {
            $0.columns = .extended
            $0.fees = fees
        }
        return Table(try #require(folder.bytes("out/openalloc.transaction.csv")))
    }

    private static func sum(_ amounts: [String]) -> ExactDecimal? {
        amounts.filter { !$0.isEmpty }.reduce(.zero) { sum, text in
            ExactDecimal(exactly: text).flatMap { sum?.adding($0) }
        }
    }
}
