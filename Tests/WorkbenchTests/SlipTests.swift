import Importing
import Testing

/// Slips that people make in definitions, and what they are told: where it stands, and what to write instead.
struct SlipTests {
    private static let definition = """
        importer: acme.history
        version: 1
        title: Acme account history
        zone: America/New_York
        currency: USD
        dates: [MM/DD/YYYY]
        tables:
          - name: activity
            columns:
              date: Acme Day
              action: Acme Deed
              symbol: Acme Paper
              units: Acme Count
              amount: Acme Money
            require: [date, action, amount]
            set: {price: "amount / units"}
            actions:
              on: action
              words:
                Purchase: buy
                Carried Over:
                  - {when: {symbol: (present)}, kind: shares}
                  - {kind: cash}

        """

    /// A slip: what is replaced, by what, where it is told, and with which words.
    struct Slip: Sendable, CustomTestStringConvertible {
        let old: String, new: String, line: Int, column: Int, words: String
        var testDescription: String { new }

        init(_ old: String, _ new: String, _ line: Int, _ column: Int, _ words: String) {
            (self.old, self.new, self.line, self.column, self.words) = (old, new, line, column, words)
        }

        var yaml: String { SlipTests.definition.replacing(old, with: new) }
    }

    static let warned = [
        Slip("{symbol: (", "{symbl: (", 22, 21, "nothing gives the variable ‘symbl’; did you mean ‘symbol’?"),
        Slip("on: action", "on: Acme Deed", 18, 11, "‘Acme Deed’; it is the header of ‘action’: write that instead"),
        Slip("amount / units", "amuont / units", 16, 18, "nothing gives the variable ‘amuont’; did you mean ‘amount’?"),
        Slip("\"amount / units\"", "price, lot: BOX", 16, 30, "‘BOX’; give it a column, or write a text with quotes"),
        Slip("(present)", "present", 22, 29, "‘present’ is compared as a text; the test is ‘(present)’"),
        Slip("- {when: {symbol: (present)}, kind: shares}", "- shares", 23, 13, "never reached; put a ‘when’ into"),
        Slip("    actions:", "    kind: buy\n    actions:", 17, 11, "‘kind’ counts only in a table without ‘actions’"),
        Slip("Acme Money", "“Acme Money”", 14, 15, "the marks “ and ” are part of the text; put it in \" or '"),
    ]

    static let refused = [
        Slip("(present)", "(presnt)", 22, 29, "‘(presnt)’ is no test; did you mean ‘(present)’?"),
        Slip("{symbol: (present)}", "{units: (>0)}", 22, 28, "‘(>0)’ is no test; write ‘{above: 0.5}’"),
        Slip("USD", "Dollar", 5, 11, "‘Dollar’ is no currency code; write the three letters of ISO 4217, such as USD"),
        Slip("USD", "€", 5, 11, "‘€’ is no currency code; write the three letters of ISO 4217, such as EUR"),
        Slip("[date, action", "[Acme Day, action", 15, 14, "‘Acme Day’; it is the header of ‘date’: write that"),
        Slip("action, amount]", "action, amuont]", 15, 14, "‘amuont’; did you mean ‘amount’?"),
        Slip("Acme Count", "#", 13, 13, "not nothing; write"),
        Slip("title: Acme account", "files: {account}", 3, 9, "‘account’; or put a text that has braces in quotes"),
    ]

    private func holds(_ text: String, _ slip: Slip) -> Bool {
        slip.words.split(separator: "; ").allSatisfy { text.contains($0) }
    }

    @Test func theDefinitionItselfIsRight() {
        #expect(DefinitionLint().warnings(Array(Self.definition.utf8), file: "a.yaml") == [])
    }

    @Test(arguments: warned) func isWarnedOf(_ slip: Slip) throws {
        _ = try DefinitionLoader.load(Array(slip.yaml.utf8), file: "a.yaml")
        let found = DefinitionLint().warnings(Array(slip.yaml.utf8), file: "a.yaml")
        let first = try #require(found.first)
        #expect((first.line, first.column) == (slip.line, slip.column), "\(first)")
        #expect(holds("\(first.message); \(first.hint)", slip), "\(first)")
    }

    @Test(arguments: refused) func isRefused(_ slip: Slip) throws {
        let error = try #require(throws: DefinitionError.self) {
            try DefinitionLoader.load(Array(slip.yaml.utf8), file: "a.yaml")
        }
        #expect((error.line, error.column) == (slip.line, slip.column), "\(error)")
        #expect(holds("\(error.message); \(error.hint)", slip), "\(error)")
    }
}
