import TestSupport
import Testing

@testable import Allocport

/// A number that bears another currency than its row is rejected, whichever road its row takes, and so is what a
/// spreadsheet has left of the name of a security.
@Suite struct ForeignUnitTests {
    private static let header = #""Date","Action","Symbol","Description","Quantity","Price","Fees & Comm","Amount""#

    private static func row(
        _ day: Int, symbol: String = "NWTM", price: String = "$50.00", fee: String = "", amount: String
    ) -> String {
        let date = "03/\(day % 28 < 9 ? "0" : "")\(day % 28 + 1)/2026"
        let cells = [date, "Buy", symbol, "NORTHWIND ETF", String(day + 1), price, fee, amount]
        return cells.map { "\"\($0)\"" }.joined(separator: ",")
    }

    private static func amount(_ day: Int, _ sign: String = "$", after: String = "") -> String {
        "-\(sign)\((day + 1) * 50).00\(after)"
    }

    /// Converts rows of which every ninth is another; gives the lines and codes of what is rejected.
    private static func convert(_ odd: (Int) -> String) throws -> (rejected: Bool, codes: Set<String>) {
        // Enough rows for each class to be prepared.
        let days = Array(0..<400)
        let rows = days.map { $0 % 9 == 4 ? odd($0) : row($0, amount: amount($0)) }
        let result = try convertBuiltIn("transactions.csv", ([header] + rows).map { $0 + "\n" }.joined())
        #expect(result.report.isBalanced)
        let lines = days.filter { $0 % 9 == 4 }.map { String($0 + 2) }
        let rejected = result.rejects["line"]
        #expect(rejected == lines || rejected == [])
        #expect(result.transactions.content.count == days.count - rejected.count)
        return (!rejected.isEmpty, Set(result.rejects["code"]))
    }

    @Test(arguments: ["€", "£", "₹", "EUR ", "CHF ", "C$"]) func sign(_ sign: String) throws {
        let prices = try Self.convert { Self.row($0, price: "\(sign)50.00", amount: Self.amount($0)) }
        #expect(prices.codes == ["currency.contradicts"])
        let amounts = try Self.convert { Self.row($0, amount: Self.amount($0, sign)) }
        #expect(amounts.codes == ["currency.contradicts"])
    }

    @Test(arguments: ["", "$", "US$", "USD "]) func isTheRows(_ sign: String) throws {
        #expect(try !Self.convert { Self.row($0, price: "\(sign)50.00", amount: Self.amount($0, sign)) }.rejected)
        #expect(try !Self.convert { Self.row($0, amount: Self.amount($0, "", after: " USD")) }.rejected)
    }

    @Test func code() throws {
        let codes = try Self.convert { Self.row($0, amount: Self.amount($0, "", after: " EUR")) }.codes
        #expect(codes == ["currency.contradicts"])
    }

    @Test(arguments: ["5%", "0.5 %"]) func percentage(_ fee: String) throws {
        let codes = try Self.convert { Self.row($0, fee: fee, amount: Self.amount($0)) }.codes
        #expect(codes == ["number.invalid"])
    }

    @Test(arguments: ["#NAME?", "########", "#N/A"]) func lostName(_ symbol: String) throws {
        let codes = try Self.convert { Self.row($0, symbol: symbol, amount: Self.amount($0)) }.codes
        #expect(codes == ["value.invalid"])
    }

    /// The list's own column decides; a dollar sign is that of many.
    @Test(arguments: [
        ("€57.25", "USD", "currency.contradicts"), ("57.25 GBP", "EUR", "currency.contradicts"), ("€57.25", "EUR", ""),
        ("$57.25", "CAD", ""), ("¥57.25", "CNY", ""), ("57.25", "CHF", ""), ("57.25 EUR", "", ""),
    ])
    func list(_ price: String, _ currency: String, _ code: String) throws {
        let header = "Date,Action,Symbol,Quantity,Price,Amount,Currency\n"
        let result = try convertBuiltIn("list.csv", header + "2025-10-31,Buy,NWTM,10,\(price),572.50,\(currency)\n")
        #expect(result.rejects["code"] == (code.isEmpty ? [] : [code]))
    }
}
