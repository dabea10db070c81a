import Testing

@testable import Importing

/// A finding names the column of the cell that is wrong, also where rules cut the value out of it or compute with it.
struct ColumnOfValueTests {
    private static let yaml = definition(
        """
        tables:
          - name: history
            columns: {date: Day, action: Deed, change: Money, text: Words, note: Note}
            require: [date, action, change]
            extract:
              - {from: text, patterns: ["{units} of {symbol}"]}
            set:
              - set: {amount: neg(change), word: "lower(action)"}
            actions:
              on: word
              words:
                buy: buy
        """)

    @Test(arguments: [
        ("2024-01-02,Buy,12x,1 of ABC,", "Money", "12x"),  // computed
        ("2024-01-02,Buy,12,1y of ABC,", "Words", "1y"),  // cut out
        ("2024-01-02,Riddle,12,1 of ABC,", "Deed", "riddle"),  // in other letters
        ("2024-13-02,Buy,12,1 of ABC,", "Day", "2024-13-02"),  // a column's own
        ("2024-01-02,Buy,12,1y of ABC,1y", "Note", "1y"),  // a whole cell before a part
        ("2024-01-02,Buy,12,1y of ABC,or 1y", "", "1y"),  // parts of two
    ])
    func isNamed(_ line: String, _ column: String, _ value: String) throws {
        let sink = try run(Self.yaml, "Day,Deed,Money,Words,Note\n\(line)\n")
        let finding = try #require(sink.findings.first)
        #expect(finding.column == column && finding.value == value, "\(finding)")
    }

    /// Twice the same value in cells of its own: nothing says which of them it is.
    @Test func isNotGuessed() throws {
        let sink = try run(Self.yaml, "Day,Deed,Money,Words,Note\n2024-01-02,Riddle,12,1 of ABC,RIDDLE\n")
        #expect(sink.findings.first?.column == "")
    }
}
