import Importing
import Testing

/// Characters that nobody sees, around what a cell says: pages wrap amounts and dates with them, spreadsheets keep them.
struct UnseenTests {
    @Test(arguments: ["\u{200E}", "\u{200B}", "\u{FEFF}", "\u{2060}", "\u{3000}", "\u{2009}", "\u{202A}"])
    func sayNothing(_ mark: String) throws {
        let header = "Date,Action,Symbol,Units,Amount\n"
        let cells = ["2024-01-02", "Buy", "ABCD", "-9", "18.50"]
        let yaml = definition(
            """
            tables:
              - name: orders
                columns: {date: Date, action: Action, symbol: Symbol, units: Units, amount: Amount}
                require: [date, action, symbol, units, amount]
                security: [symbol]
                actions: {on: action, words: {Buy: buy}}
            """)
        // Enough rows for classes of them.
        let plain = String(repeating: cells.joined(separator: ",") + "\n", count: 9)
        let odd = String(repeating: cells.map { mark + $0 + mark }.joined(separator: ",") + "\n", count: 9)
        let wanted = try run(yaml, header + plain)
        let found = try run(yaml, header + odd)
        #expect(found.outcomes == wanted.outcomes && found.records == wanted.records, "\(found.events)")
    }
}
