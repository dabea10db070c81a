import Allocport
import TestSupport
import Testing

/// An array of openalloc rows that is broken in the middle.
@Suite struct BrokenJSONTests {
    private static func row(_ security: String) -> String {
        #"{"txnAction":"buysell","txnTransactedAt":"2024-01-05T00:00:00Z","txnAccountID":"A1","#
            + #""txnSecurityID":"\#(security)","txnLotID":"","txnShareCount":1,"txnSharePrice":2}"#
    }

    static let cases: [(text: String, securities: [String], rejected: [Int], units: Int)] = [
        (
            "[\n\(row("ABC")),\n{\"txnAction\":\"buysell\" \"x\":1},\n\(row("DEF")),\n\n\(row("GHI"))]\n",
            ["ABC", "DEF", "GHI"], [3], 5
        ),
        ("[\n\(row("ABC")),\n{\"txnAction\" 1},\n\(row("DEF"))\n]\n", ["ABC", "DEF"], [3], 4),
        (
            "[\n\(row("ABC")),\n{\"x\" 1},\n  {\n \"txnAction\":\n\"buysell\"\n },\n\(row("DEF")),\nlast\n]",
            ["ABC", "DEF"], [3, 4, 9], 6
        ),
        ("[\(row("ABC")) \(row("DEF"))]", ["ABC"], [1], 2),
    ]

    @Test(arguments: cases)
    func readsOn(_ test: (text: String, securities: [String], rejected: [Int], units: Int)) throws {
        let converted = try convertBuiltIn("openalloc.transaction.json", test.text)
        let input = try #require(converted.report.inputs.first)
        #expect(converted.transactions["txnSecurityID"] == test.securities)
        #expect(input.errors.map(\.line) == test.rejected)
        #expect(input.units == test.units && converted.report.isBalanced)
    }
}
