import Delimited
import TestSupport
import Testing

@testable import Importing

/// Cells that only go into numbers are numbers of their row, not words of its class.
@Suite struct NumericFlowTests {
    /// What rules do with `Note`, and whether its cells are numbers then.
    static let uses: [(rules: String, isNumber: Bool)] = [
        ("set: {fees: note}", true),
        ("set: {fees: \"first(note, price)\"}", true),
        ("set: {rest: note}", false),
        ("set: {rest: note, fees: rest}", true),
        ("set: [{when: {note: (present)}, set: {fees: note}}]", true),
        ("set: {fees: note, description: \"text(note, 'x')\"}", false),
        ("set: {fees: note}\nsecurity: [note]", false),
        ("set: {fees: \"ifSame(note, what, price, units)\"}", false),
        ("rows: [{when: {symbol: VTI}, is: record, kind: cash, set: {fees: note}}]", true),
    ]

    @Test(arguments: uses) func findNumbers(_ rules: String, _ isNumber: Bool) throws {
        let importer = try importer(LanguageTests.table(rules + "\nkind: cash"))
        let definition = importer.definition
        let numbers = NumericFlow.numbers(of: definition.tables[0], SlotSet(definition.numberSlots)) {
            RecordField.isNone(definition.variables.names[$0])
        }
        let note = try #require(definition.variables.known("note"))
        #expect(numbers.contains(note) == isNumber)
    }

    /// Rows with numbers, words and nothing there.
    @Test(arguments: uses) func agreeWithTheRules(_ rules: String, _: Bool) throws {
        let importer = try importer(LanguageTests.table(rules + "\nkind: cash"))
        var random = SplitMix64(seed: 97)
        let notes = ["", "1", "7", "0", "-3", "x", "free", "--", "2%", "$7", "7 USD"]
        let rows = (0..<300).map { _ in
            let symbol = ["VTI", "VOO"][Int(random.next() % 2)]
            return "2024-01-02,x,\(symbol),1,2,3,\(notes[Int(random.next() % UInt64(notes.count))]),X1\n"
        }
        let text = "Day,What,Name,Units,Price,Sum,Note,Account\n" + rows.joined()
        let short = try run(importer, text), long = try RecipeTests.byRules(importer, text)
        #expect(short.events.map(\.description) == long.events.map(\.description))
    }

    /// Lines between the rows that say something new each time, then by turns, then nothing any more.
    @Test func agreeWhereContextsChange() throws {
        let head = "lines: [{text: \"For {account}\", is: section}]"
        let yaml = LanguageTests.table("kind: cash", head: head)
            .replacing("note: Note, account: Account", with: "note: Note")
        var text = "Day,What,Name,Units,Price,Sum,Note\n"
        for index in 0..<120 {
            text += "For A\(index < 60 ? index : index % 3)\n"
            for row in 0..<(index < 60 ? 1 : 4) { text += "2024-01-02,x,VTI,1,2,\(3 + row),n\n" }
        }
        for row in 0..<60 { text += "2024-01-02,x,VTI,1,2,\(3 + row),n\n" }
        let importer = try importer(yaml)
        let short = try run(importer, text), long = try RecipeTests.byRules(importer, text)
        #expect(short.events.map(\.description) == long.events.map(\.description))
    }
}
