import Importing
import OpenAlloc
import TestSupport
import Testing

@testable import Allocport

/// What a position states of one unit and of the whole must agree.
@Suite struct HoldingCheckTests {
    static let cases: [(position: String, codes: [String])] = [
        ("units=10 price=5 marketValue=50", []),
        // Of another minute, or with what has accrued.
        ("units=10 price=5 marketValue=50.9", []),
        ("units=10 price=5 marketValue=51.1", ["amount.mismatch"]),
        ("units=10000 price=5 marketValue=50", ["amount.mismatch"]),
        ("units=-10 price=5 marketValue=-50", []),
        // Half a cent of ten thousand units.
        ("units=10000 price=0.01 marketValue=145", []),
        ("units=10000 price=0.01 marketValue=155", ["amount.mismatch"]),
        ("units=10 price=5 marketValue=0", []),
        ("units=0 price=5 marketValue=50", []),
        ("units=10 marketValue=50", []),
        ("units=10 unitCost=4 costBasis=40 price=5 marketValue=50", []),
        ("units=10 unitCost=4 costBasis=400 price=5 marketValue=50", ["amount.mismatch"]),
        ("units=10 unitCost=4 costBasis=400 price=5 marketValue=500", ["amount.mismatch"]),
        ("units=2 price=1.5 marketValue=300 unit=contract", []),
        ("units=2 price=1.5 marketValue=3 unit=contract", ["amount.mismatch"]),
        // What a bond has become is not what it was issued with.
        ("units=2000 price=105.25 marketValue=4100 unit=percentOfPar", []),
        ("units=200 price=150 marketValue=300 unit=minor", []),
        ("units=200 price=150 marketValue=30000 unit=minor", ["amount.mismatch"]),
        ("units=10 price=5 marketValue=40 priceCurrency=EUR currency=USD", []),
        ("units=10 price=5 marketValue=40 exchangeRate=1.25", []),
    ]

    @Test(arguments: cases) func differs(_ position: String, _ codes: [String]) throws {
        let currency = position.contains("currency=") ? "" : " currency=USD"
        let text = "# \ntxn kind=position account=A1 symbol=VTI\(currency) \(position)\n"
        let report = try convert([("a.txt", text)], into: try TemporaryFolder())
        let counts = report.inputs[0].warningCounts
        #expect(counts.keys.filter { $0 == "amount.mismatch" } == codes, "\(position)")
    }

    /// Rows of a list that the short road takes are held to the same.
    @Test func isAskedOfEachRowOfAList() throws {
        var text =
            "Account Number,Account Name,Symbol,Description,Quantity,Last Price,Current Value,Cost Basis Total,"
            + "Average Cost Basis,Type\n"
        for row in 0..<400 {
            let units = 1 + row
            // Every hundredth has lost its point.
            let value = row % 100 == 99 ? "\(units * 1_000)" : "\(units * 10).00"
            text += "X71000001,Individual,SYM\(row),NAME \(row),\(units),$10.00,$\(value),$\(units * 8).00,$8.00,Cash\n"
        }
        let converted = try convertBuiltIn("Portfolio_Positions_Jun-30-2024.csv", text)
        let warnings = converted.report.inputs[0].warningCounts
        #expect(warnings["amount.mismatch"] == 4)
        #expect(converted.report.inputs[0].outcomes[.accepted] == 400)
    }
}
