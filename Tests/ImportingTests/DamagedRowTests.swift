import Importing
import Testing

/// Rows whose cells do not stand where they belong are rejected, whatever a rule reads in them.
struct DamagedRowTests {
    private static let yaml = """
        lines:
          - {text: "{accountTitle} {account:id}", cells: 1, is: section}
        tables:
          - name: orders
            columns: {date: Date, symbol: Symbol, units: Units, amount: Amount, status: Status, note: Note}
            require: [date, symbol, units, amount, status, note]
            security: [symbol]
            rows:
              - {when: {date: Total}, is: total}
              - {when: {status: Cancelled}, is: skipped, why: order.cancelled}
              - {when: {status: {not: Filled}}, is: skipped, why: order.unfilled}
            kind: trade
        """
    private static let header = "Date,Symbol,Units,Amount,Status,Note\n"

    /// What a status says that is not there, or that another column's cell has, is no reason to pass a row over.
    @Test(arguments: [
        ("2024-01-02,ABCD,9,-18,Filled,x", "accept"), ("2024-01-02,ABCD,9,-18,Open,x", "skipped:order.unfilled"),
        ("2024-01-02,ABCD,9,-18", "row.short"), ("2024-01-02,ABCD,9,-18,Fil", "row.short"),
        ("2024-01-02,ABCD,9,-18,Cancelled", "skipped:order.cancelled"), ("2024-01-02,ABCD,9,-18,", "row.short"),
        ("2024-01-02,AB,CD,9,-18,Filled,x", "row.long"), ("2024-01-02,ABCD,9,-18,Open,x,y", "row.long"),
        ("2024-01-02,\"ABCD,9,-18,Filled,x", "quote.malformed"), ("Total,,9", "total"), ("Total,,9,-18,,x,y", "total"),
    ]) func isNotPassedOver(_ row: String, _ outcome: String) throws {
        let sink = try run(definition(Self.yaml), Self.header + row + "\n")
        #expect(sink.outcomes == ["header", outcome], "\(sink.events)")
    }

    /// A row within one pair of quotes is no title of one cell, and changes nothing for the lines below.
    @Test func inQuotesAsAWhole() throws {
        let text =
            "Individual 1234-5678\n" + Self.header + "\"2024-01-02,ABCD,9,-18,Filled,\"\"x 77\"\"\"\n"
            + "\"For all that is said here, on any page, in any year, there is no warranty\"\n"
            + "2024-01-03,ABCD,9,-18,Filled,x\n"
        let sink = try run(definition(Self.yaml), text)
        #expect(sink.outcomes == ["section", "header", "quote.malformed", "row.short", "accept"], "\(sink.events)")
        #expect(sink.records.contains { $0.contains("account=1234-5678") }, "\(sink.records)")
    }

    /// Two quotes that are open at the end of their lines do not make one note of all rows between them without a word.
    @Test func twoOpenQuotes() throws {
        let rows = (1...5).map { "2024-01-0\($0),ABCD,9,-18,Filled,\($0 == 2 || $0 == 4 ? "\"" : "x")\n" }
        let sink = try run(definition(Self.yaml), Self.header + rows.joined())
        #expect(sink.outcomes == ["header", "accept", "quote.malformed", "accept"], "\(sink.events)")
    }
}
