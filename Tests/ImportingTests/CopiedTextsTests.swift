import TestSupport
import Testing

@testable import Importing

/// Texts that rules only hand on make no class of a row.
@Suite struct CopiedTextsTests {
    /// What rules do with `Note`, and whether its cells are only copied then.
    static let uses: [(rules: String, isCopied: Bool)] = [
        ("set: {description: note}", true),
        ("set: {description: \"first(note, what)\"}", true),
        ("set: {description: \"upper(note)\"}", false),
        ("set: {fees: note}", false),
        ("set: {description: note}\nsecurity: [note]", false),
        ("set: {rest: note, description: rest}", false),
        ("set: [{when: {note: (present)}, set: {description: note}}]", true),
        ("set: [{when: {note: free}, set: {description: note}}]", false),
        ("rows: [{when: {symbol: VTI}, is: record, kind: cash, set: {description: note}}]", true),
        ("rows: [{when: {note: free}, is: skipped}]\nset: {description: note}", false),
    ]

    @Test(arguments: uses) func findCopies(_ rules: String, _ isCopied: Bool) throws {
        let definition = try importer(LanguageTests.table(rules + "\nkind: cash")).definition
        let copied = CopiedTexts.slots(of: definition.tables[0]) {
            definition.variables.names[$0] == "description"
        }
        #expect(copied.contains(try #require(definition.variables.known("note"))) == isCopied)
    }

    /// Each row has a note of its own, or none.
    @Test(arguments: uses) func agreeWithTheRules(_ rules: String, _: Bool) throws {
        let importer = try importer(LanguageTests.table(rules + "\nkind: cash"))
        var random = SplitMix64(seed: 131)
        let rows = (0..<300).map { index in
            let note = ["", "--", "free", "n\(index)", "\(index)"][Int(random.next() % 5)]
            return "2024-01-02,x,\(random.next() % 2 == 0 ? "VTI" : "VOO"),1,2,3,\(note),X1\n"
        }
        let text = "Day,What,Name,Units,Price,Sum,Note,Account\n" + rows.joined()
        let short = try run(importer, text), long = try RecipeTests.byRules(importer, text)
        #expect(short.events.map(\.description) == long.events.map(\.description))
    }
}
