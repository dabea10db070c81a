import Importing
import Testing

/// Where no rule holds because a number cannot be read, that is what a reject says.
struct UnreadableNumberTests {
    private static let rows = """
            rows:
              - {when: {units: {above: 0}}, is: record, kind: buy}
              - {when: {units: {below: 0}}, is: record, kind: sell}
        """
    private static let actions = """
            actions:
              on: action
              words:
                Trade:
                  - {when: {units: {above: 0}}, kind: buy}
                  - {when: {units: {below: 0}}, kind: sell}
        """

    @Test(arguments: [
        (rows, "Trade", "9", "accept"), (rows, "Trade", "nine", "number.invalid"), (rows, "Trade", "0", "row.unplaced"),
        (actions, "Trade", "9", "accept"), (actions, "Trade", "nine", "number.invalid"),
        (actions, "Trade", "0", "action.unknown"), (actions, "Barter", "nine", "action.unknown"),
    ]) func isNamed(_ rules: String, _ action: String, _ units: String, _ outcome: String) throws {
        let table = """
            tables:
              - name: trades
                columns: {date: Date, action: Action, symbol: Symbol, units: Units, price: Price, amount: Amount}
                require: [date, action, symbol, units, price, amount]
                security: [symbol]

            """
        let sink = try run(
            definition(table + rules),
            "Date,Action,Symbol,Units,Price,Amount\n2024-01-02,\(action),ABCD,\(units),2,-18\n")
        #expect(sink.outcomes == ["header", outcome], "\(sink.events)")
    }
}
