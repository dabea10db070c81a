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

    @Test(arguments: [
        (actions, true),
        ("    set: [{set: {account: \"first(account, accountTitle)\"}}]\n" + actions, true),
        ("    set: [{when: {account: (blank)}, set: {symbol: accountTitle}}]\n" + actions, true),
        ("    set: [{set: {account: \"first(accountTitle, account)\"}}]\n" + actions, false),
        ("    set: [{set: {symbol: account}}]\n" + actions, false),
        ("    set: [{when: {account: X1}, set: {symbol: accountTitle}}]\n" + actions, false),
        ("    set: [{when: {account: {matches: \"X*\"}}, set: {symbol: accountTitle}}]\n" + actions, false),
        (
            "    extract: [{from: accountTitle, when: {account: (blank)}, patterns: [\"{account:id}\"]}]\n" + actions,
            true
        ),
        ("    extract: [{from: accountTitle, patterns: [\"{account:id}\"]}]\n" + actions, false),
        ("    extract: [{from: account, patterns: [\"{symbol} {_:id}\"]}]\n" + actions, false),
        ("    actions:\n      on: account\n      words:\n        \"BUY\": buy\n", false),
        ("    actions:\n      on: action\n      words:\n        \"BUY {account:id}\": buy\n", false),
    ])
    func isToldByTheRules(_ example: (rules: String, isPlain: Bool)) throws {
        #expect(try Self.isPlain(example.rules) == example.isPlain, "\(example.rules)")
    }
}
