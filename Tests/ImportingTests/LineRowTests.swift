import Importing
import Testing

/// Lines outside the table that a rule calls rows of it.
struct LineRowTests {
    private static let yaml = """
        lines:
          - {text: "Account:,{account:id}", whole: true, is: section}
          - {text: "Cash:,{cash}", whole: true, is: row}
          - {text: "As of*", cells: 1, is: footer}
        tables:
          - name: holdings
            columns: {symbol: Symbol, units: Units, price: Price, description: Name}
            require: [symbol, units, price]
            security: [symbol]
            fill: [description]
            rows:
              - {when: {cash: (present)}, is: record, kind: position, set: {symbol: "'CORE'", units: cash, price: 1}}
            kind: position
        """
    private static let cash = "=CORE "

    private static func records(_ text: String, head: String = "currency: USD\nnumbers: us") throws -> RecordingSink {
        try run(definition(yaml, head: head), text)
    }

    /// What stands above the header is told below it, with what the lines between them say.
    @Test func aboveTheHeader() throws {
        let sink = try Self.records(
            "Cash:,\"1,250.50\",,\nAccount:,77-1\n\nSymbol,Units,Price,Name\nABCD,9,2,Alpha\nEFGH,3,1,\n")
        #expect(sink.outcomes == ["accept", "section", "blank", "header", "accept", "accept"])
        #expect(sink.events.filter { $0.kind == .accept }.map(\.lines) == [[1], [5], [6]])
        let cash = try #require(sink.records.first { $0.contains(Self.cash) })
        #expect(cash.contains("units=1250.5") && cash.contains("account=77-1"), "\(cash)")
    }

    /// What it captures holds for no other line, and it neither gives nor takes what is filled.
    @Test func betweenRows() throws {
        let sink = try Self.records(
            "Symbol,Units,Price,Name\nABCD,9,2,Alpha\nCash:,40\nEFGH,3,1,\nAs of today\nCash:,5\n")
        #expect(sink.outcomes == ["header", "accept", "accept", "accept", "footer", "accept"])
        #expect(sink.records.map { $0.contains("description=Alpha") } == [true, false, true, false], "\(sink.records)")
        #expect(sink.records.map { $0.contains(Self.cash) } == [false, true, false, true])
    }

    @Test func ofBothAccounts() throws {
        let table = "Symbol,Units,Price,Name\nABCD,9,2,\n"
        let sink = try Self.records("Account:,77-1\nCash:,1\n\(table)\nAccount:,77-2\nCash:,2\n\(table)")
        let cash = sink.records.filter { $0.contains(Self.cash) }
        try #require(cash.count == 2)
        #expect(cash[0].contains("account=77-1") && cash[0].contains("units=1"))
        #expect(cash[1].contains("account=77-2") && cash[1].contains("units=2"))
    }

    /// The style of its number is proved with those of the rows.
    @Test(arguments: [("1.234,50", "1234.5"), ("1,234.50", "1234.5")])
    func inTheStyleThatItProves(_ text: String, _ value: String) throws {
        let sink = try Self.records(
            "Cash:,\"\(text)\"\nSymbol,Units,Price,Name\nABCD,9,2,\n", head: "currency: USD\nnumbers: auto")
        #expect(sink.records.contains { $0.contains(Self.cash) && $0.contains("units=\(value)") }, "\(sink.events)")
    }

    @Test(arguments: [
        ("Cash:,12x\nSymbol,Units,Price,Name\nABCD,9,2,\n", ["number.invalid", "header", "accept"]),
        ("Cash:,\nSymbol,Units,Price,Name\nABCD,9,2,\n", ["preamble", "header", "accept"]),
    ]) func isRejected(_ text: String, _ outcomes: [String]) throws {
        #expect(try Self.records(text).outcomes == outcomes)
    }
}
