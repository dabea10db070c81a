import Allocport
import TestSupport
import Testing

/// Inputs of equal bytes count once, with what any of their names says.
@Suite struct TwinNameTests {
    /// An export that names its account in the file's name alone.
    private static let text = """
        Run Date,Action,Symbol,Description,Type,Quantity,Price ($),Commission ($),Fees ($),Accrued Interest ($),Amount ($),Settlement Date
        01/15/2024,"YOU BOUGHT NORTHWIND TOTAL MARKET ETF (NWTM) (Cash)",NWTM,NORTHWIND TOTAL MARKET ETF,Cash,2,40,,,,-80,01/17/2024

        """

    private static func account(_ names: [String]) throws -> [String] {
        let converted = try convertBuiltIn(names.map { ($0, Array(text.utf8)) })
        let table = Table(try #require(converted.bytes("openalloc.transaction.csv")))
        #expect(converted.report.isBalanced)
        return table.shown("txnAccountID", "txnShareCount")
    }

    @Test(arguments: [
        ["History_for_Account_X71000001.csv", "a.csv"], ["a.csv", "History_for_Account_X71000001.csv"],
        ["z.csv", "History_for_Account_X71000001.csv", "a.csv"],
    ])
    func theNameThatSaysMoreCounts(_ names: [String]) throws {
        #expect(try Self.account(names) == ["X71000001|2"])
    }

    @Test func withoutOneTheBrokerageStands() throws {
        #expect(try Self.account(["a.csv", "b.csv"]) == ["fidelity|2"])
    }
}
