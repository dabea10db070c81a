import Importing
import Testing

/// A header of another export below the rows of one is never read as a row, nor are its rows by the header above.
struct ForeignHeaderTests {
    private static let yaml = """
        tables:
          - name: orders
            columns: {date: Date, symbol: Symbol, units: Units, amount: Amount, status: Status}
            require: [date, symbol, units, amount]
            security: [symbol]
            rows:
              - {when: {status: {not: [Filled, (blank)]}}, is: skipped, why: order.unfilled}
            kind: trade
        """

    @Test(arguments: [
        // What it lacks stands where it stood: the rows are as before.
        ("Date,Symbol,Quantity,Amount,Status", "2024-01-03,ABCD,9,-18,Filled", "row.unplaced", "accept"),
        // Units and amount have changed places.
        ("Day,Symbol,Amount,Units,Status", "2024-01-03,ABCD,-18,9,Filled", "row.unplaced", "row.unplaced"),
        ("Date,Symbol,Amount,Units,Status", "2024-01-03,ABCD,-18,9,Filled", "header", "accept"),
        // Few of its cells are names.
        ("2024-01-02,Status,9,-18,Filled", "2024-01-03,ABCD,9,-18,Filled", "accept", "accept"),
    ]) func isNoRow(_ header: String, _ row: String, _ first: String, _ second: String) throws {
        let rows = String(repeating: "2024-01-02,ABCD,9,-18,Filled\n", count: 40)
        let text = "Date,Symbol,Units,Amount,Status\n" + rows + header + "\n" + row + "\n"
        let sink = try run(definition(Self.yaml), text)
        #expect(sink.outcomes.suffix(2) == [first, second], "\(sink.events.suffix(2))")
        #expect(!sink.records.contains { $0.contains("units=18") || $0.contains("units=-18") })
        let again = try run(definition(Self.yaml), text + "Date,Symbol,Units,Amount,Status\n2024-01-04,ABCD,9,-18,Filled\n")
        #expect(again.outcomes.suffix(2) == ["header", "accept"])
    }
}
