import TestSupport
import Testing

@testable import Allocport

/// A file of which a spreadsheet has made one column says so.
@Suite struct WrappedLinesTests {
    private static func code(_ lines: [String]) throws -> (code: String?, message: String) {
        let result = try convertBuiltIn("t.csv", lines.map { $0 + "\r\n" }.joined())
        let error = result.firstInput?.errors.first
        return (error?.code, error?.message ?? "")
    }

    @Test func isSaid() throws {
        let error = try Self.code([
            #""Date,""Action"",""Symbol"",""Quantity"",""Price"",""Fees & Comm"",""Amount""""#,
            #""10/31/2025,""Buy"",""ACME"",""12"",""$41.50"","""",""-$498.00""""#,
            #""10/30/2025,""Buy"",""ACME"",""1"",""$41.50"","""",""-$41.50""""#,
        ])
        #expect(error.code == "input.refused" && error.message.contains("quotation marks"))
    }

    @Test(arguments: [
        [#""What","Is","This""#, #""a","b","c""#, #""d","e","f""#], [#""one cell""#, #""another""#, #""a third""#],
        ["What,Is,This", #""a,b,c""#, #""d,e,f""#],
    ])
    func isNone(_ lines: [String]) throws { #expect(try Self.code(lines).code == "input.unrecognised") }
}
