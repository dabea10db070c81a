import TestSupport
import Testing

@testable import Allocport

/// Nobody buys or sells at no price: a trade with neither price nor amount is rejected, whichever road its row takes.
@Suite struct TradeWithoutMoneyTests {
    private static let header = "Symbol,Name,Type,Date,Shares,Price,Cash value,Commission,Notes\n"

    private static func row(_ type: String, _ day: Int, price: String, cash: String = "") -> String {
        "NASDAQ:NWTM,Northwind,\(type),\"Mar \(1 + day % 28), 2012\",\(1 + day),\(price),\(cash),1.50,\n"
    }

    @Test(arguments: ["Buy", "Sell", "Sell Short", "Buy to Cover"]) func isRejected(_ type: String) throws {
        // Enough rows for each class to be prepared.
        var text = Self.header
        var expected: [String] = []
        for day in 0..<400 {
            let isBlank = day % 9 == 4
            if isBlank { expected.append(String(day + 2)) }
            text += Self.row(type, day, price: isBlank ? "" : "12.25", cash: "")
        }
        let result = try convertBuiltIn([("transactions.csv", Array(text.utf8))])
        #expect(result.report.isBalanced)
        #expect(result.transactions.content.count == 400 - expected.count)
        #expect(result.rejects["line"] == expected)
        #expect(Set(result.rejects["code"]) == ["field.missing"] && Set(result.rejects["column"]) == ["amount"])
    }

    @Test func cashAloneIsEnough() throws {
        let text = Self.header + Self.row("Sell", 3, price: "", cash: "55.00")
        let result = try convertBuiltIn([("transactions.csv", Array(text.utf8))])
        #expect(result.transactions.content.count == 1 && result.report.exitCode == 0)
    }
}
