import Allocport
import Importing
import TestSupport
import Testing

/// A source that writes no signs, and now and then a minus before money that its words say came in.
@Suite struct DroppedSignTests {
    private static let definition = """
        importer: acme.history
        version: 1
        title: Acme
        zone: UTC
        dates: [YYYY-MM-DD]
        numbers: us
        currency: USD
        tables:
          - name: rows
            columns: {date: Day, action: What, symbol: Name, units: Units, amount: Sum}
            require: [date, action, symbol, units, amount]
            security: [symbol]
            amounts: unsigned
            actions: {on: action, words: {Dividend: dividend, Deposit: deposit, Sale: sell, Fee: fee}}
        """

    /// Many rows, so that most are of classes that were met before.
    private static func text(_ action: String, _ units: String, _ amount: String) -> String {
        var text = "Day,What,Name,Units,Sum\n"
        for day in 10..<28 { text += "2024-01-\(day),\(action),ACME,\(units),\(day)\n" }
        return text + "2024-02-01,\(action),ACME,\(units),\(amount)\n"
    }

    @Test(
        arguments: [
            ("Dividend", "", "-5", 5, true), ("Dividend", "", "5", 5, false), ("Deposit", "", "-5", 5, true),
            // What a sale is worth often has the sign of its units; what is paid has either.
            ("Sale", "-1", "-5", 5, false), ("Sale", "1", "5", 5, false), ("Sale", "1", "-5", 5, true),
            ("Fee", "", "-5", -5, false), ("Fee", "", "5", -5, false),
        ] as [(String, String, String, Int, Bool)])
    func isSaid(_ action: String, _ units: String, _ amount: String, _ amountMade: Int, _ isSaid: Bool) throws {
        let importer = try DefinitionLoader.load(Array(Self.definition.utf8), file: "acme.yaml")
        let folder = try TemporaryFolder()
        var found = FoundInputs()
        found.inputs = [MemoryInput(name: "a.csv", bytes: Array(Self.text(action, units, amount).utf8))]
        let options = RunOptions(outputFolder: folder.path + "/out")
        let report = try Run(options: options, catalog: Registry([importer])).convert(found)
        let warnings = report.inputs[0].warnings.filter { $0.code == "sign.contradicts" }
        #expect(warnings.map(\.line) == (isSaid ? [20] : []))
        #expect(warnings.allSatisfy { $0.value == amount })
        let table = Table(folder.bytes("out/openalloc.transaction.csv") ?? [])
        let place = try #require(table["sourceLine"].firstIndex(of: "20"))
        #expect(table["amount"][place] == "\(amountMade)")
    }

    /// A minus before shares that come in contradicts the word; before such that go out a source may print one or none.
    @Test(
        arguments: [
            ("Receipt", "1", 1), ("Receipt", "-1", nil), ("Delivery", "1", -1), ("Delivery", "-1", -1),
        ] as [(String, String, Int?)])
    func unitsOfShares(_ action: String, _ units: String, _ made: Int?) throws {
        let text = Self.definition
            .replacing("amounts: unsigned", with: "amounts: unsigned\n    units: unsigned")
            .replacing("Sale: sell", with: "Receipt: sharesIn, Delivery: sharesOut")
        let importer = try DefinitionLoader.load(Array(text.utf8), file: "acme.yaml")
        let folder = try TemporaryFolder()
        var found = FoundInputs()
        let rows = "Day,What,Name,Units,Sum\n2024-01-10,\(action),ACME,\(units),\n"
        found.inputs = [MemoryInput(name: "a.csv", bytes: Array(rows.utf8))]
        let report = try Run(options: RunOptions(outputFolder: folder.path + "/out"), catalog: Registry([importer]))
            .convert(found)
        #expect(report.inputs[0].errors.map(\.code) == (made == nil ? ["sign.contradicts"] : []))
        let table = Table(folder.bytes("out/openalloc.transaction.csv") ?? [])
        #expect(made == nil ? table.rows.isEmpty : table["txnShareCount"] == [made.map(String.init) ?? ""])
    }
}
