import Delimited
import Testing

@testable import Importing

/// Where rules ask more of the account than whether it is blank, every account has classes of its own.
@Suite struct AccountUseTests {
    private static func isPlain(_ rules: String) throws -> Bool {
        let text = """
            importer: test.rows
            version: 1
            title: Test
            institution: Test
            zone: UTC
            currency: USD
            numbers: us
            dates: [YYYY-MM-DD]
            tables:
              - name: rows
                columns:
                  date: Date
                  account: Account
                  accountTitle: Title
                  action: Action
                  symbol: Symbol
                  units: Units
                  price: Price
                  amount: Amount
                require: [date, action, amount]
            \(rules)
            """
        let importer = try DefinitionLoader.load(Array(text.utf8), file: "test/rows.yaml")
        let slot = try #require(importer.definition.variables.known("account"))
        return AccountUse.isPlain(slot, importer.definition.tables[0])
    }

    private static let actions = """
            actions:
              on: action
              words:
                "BUY": buy
        """

    /// Lines before the actions, and whether the account is taken as it stands.
    private static let examples: [(rules: String, isPlain: Bool)] = [
        ("", true),
        (#"set: [{set: {account: "first(account, accountTitle)"}}]"#, true),
        (#"set: [{when: {account: (blank)}, set: {symbol: accountTitle}}]"#, true),
        (#"set: [{set: {account: "first(accountTitle, account)"}}]"#, false),
        (#"set: [{set: {symbol: account}}]"#, false),
        (#"set: [{when: {account: X1}, set: {symbol: accountTitle}}]"#, false),
        (#"set: [{when: {account: {matches: "X*"}}, set: {symbol: accountTitle}}]"#, false),
        (#"extract: [{from: accountTitle, when: {account: (blank)}, patterns: ["{account:id}"]}]"#, true),
        (#"extract: [{from: accountTitle, patterns: ["{account:id}"]}]"#, false),
        (#"extract: [{from: account, patterns: ["{symbol} {_:id}"]}]"#, false),
    ]

    @Test(arguments: examples.indices) func isToldByTheRules(_ index: Int) throws {
        let (rules, isPlain) = Self.examples[index]
        let lines = (rules.isEmpty ? "" : "    \(rules)\n") + Self.actions
        #expect(try Self.isPlain(lines) == isPlain, "\(rules)")
    }

    @Test func actionsMayReadIt() throws {
        #expect(try !Self.isPlain("    actions:\n      on: account\n      words:\n        \"BUY\": buy\n"))
        let captured = "    actions:\n      on: action\n      words:\n        \"BUY {account:id}\": buy\n"
        #expect(try !Self.isPlain(captured))
    }
}
