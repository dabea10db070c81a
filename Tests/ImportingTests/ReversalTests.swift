import Testing

@testable import Importing

/// `reverse: signs`: trades whose units and amount both have the sign of the other side.
@Suite struct ReversalTests {
    static let signed = """
        tables:
          - columns: {date: Day, action: What, symbol: Name, units: Units, amount: Sum, fees: Fee}
            require: [date, action, amount]
            reverse: signs
            rows:
              - {when: {action: Rights}, is: record, kind: sell}
            actions:
              on: action
              words:
                Buy: buy
                Sell:
                  - {when: {symbol: "*PUT"}, kind: sellToClose}
                  - {kind: sell}
                Both: {kind: sell, set: {amount: abs(amount)}}
                Split: split
                Undo: {kind: buy, reverse: true}

        """

    @Test(arguments: [
        ("Buy,VTI,2,-20,", "buy", false), ("Buy,VTI,-2,20,", "buy", true),
        // One sign alone does not say so.
        ("Buy,VTI,2,20,", "buy", false), ("Buy,VTI,-2,-20,", "buy", false), ("Buy,VTI,-2,,", "buy", false),
        ("Sell,VTI,-2,20,", "sell", false), ("Sell,VTI,2,-20,", "sell", true), ("Sell,VTI,2,20,", "sell", false),
        ("Sell,VTI,-2,-1,", "sell", false), ("Sell,VTI,0,-20,", "sell", false),
        ("Sell,A PUT,1,-20,", "sellToClose", true), ("Sell,A PUT,-1,20,", "sellToClose", false),
        ("Rights,VTI,2,-20,", "sell", true), ("Rights,VTI,-2,20,", "sell", false),
        // What sets a number itself has no sign left; a split has no side; what is undone by its word stays undone.
        ("Both,VTI,2,-20,", "sell", false), ("Split,VTI,2,-20,", "split", false), ("Undo,VTI,-2,20,", "buy", true),
        ("Undo,VTI,2,-20,", "buy", true),
    ])
    func signsTellWhatIsTakenBack(_ row: String, _ kind: String, _ isReversal: Bool) throws {
        let sink = try run(definition(Self.signed), "Day,What,Name,Units,Sum,Fee\n2024-01-02,\(row)\n")
        let record = try #require(sink.records.first)
        #expect(record.hasPrefix(kind + " "))
        #expect(record.contains("reversal") == isReversal)
    }

    @Test func costsAreGivenBack() throws {
        let sink = try run(
            definition(Self.signed),
            "Day,What,Name,Units,Sum,Fee\n2024-01-02,Sell,VTI,-2,19,1\n2024-01-03,Sell,VTI,2,-19,1\n")
        #expect(sink.records.map { LanguageTests.fields($0)["fees"] } == ["1", "-1"])
    }

    @Test func anotherTableKeepsItsOwn() throws {
        let plain = """
              - columns: {date: Day, action: Did, symbol: Name, units: Units, amount: Sum}
                require: [date, action, amount]
                actions: {on: action, words: {Sell: sell}}

            """
        let sink = try run(
            definition(Self.signed + plain),
            "Day,What,Name,Units,Sum\n2024-01-02,Sell,VTI,2,-19\n\nDay,Did,Name,Units,Sum\n2024-01-03,Sell,VTI,2,-19\n")
        #expect(sink.records.map { $0.contains("reversal") } == [true, false])
    }

    @Test func onlyATableTakesTheWord() throws {
        for wrong in ["reverse: sign", "actions: {on: action, words: {x: {kind: sell, reverse: signs}}}"] {
            #expect(throws: (any Error).self) {
                try run(
                    definition("tables:\n  - columns: {date: Day, action: What}\n    require: [date]\n    \(wrong)\n"),
                    "Day,What\n")
            }
        }
    }
}
