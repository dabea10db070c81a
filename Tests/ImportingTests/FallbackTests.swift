import Delimited
import Testing

@testable import Importing

/// A definition that is a fallback reads what no other fits, however much of the header it knows.
@Suite struct FallbackTests {
    static func definition(_ id: String, columns: String, require: String, _ root: String = "") -> String {
        """
        importer: \(id)
        version: 1
        title: A list
        zone: UTC
        dates: YYYY-MM-DD
        \(root)
        tables:
          - name: list
            columns: \(columns)
            require: \(require)
            kind: cash
        """
    }
    static let plain = definition(
        "plain.list", columns: "{date: Date, amount: Amount, currency: Currency, description: Text}",
        require: "[date, amount, currency, description]", "fallback: true")
    static let own = definition("acme.list", columns: "{date: Date, amount: Amount}", require: "[date, amount]")

    static func chosen(_ definitions: [String], _ header: String) throws -> String? {
        let registry = Registry(try definitions.map { try importer($0) })
        let sample = try InputSample(
            MemoryInput(name: "list.csv", bytes: Array("\(header)\n2026-01-05,1,USD,x\n".utf8)))
        guard case .recognised(let best, _) = registry.decide(sample) else { return nil }
        return best.importer.id
    }

    @Test func givesWayToAnyOther() throws {
        #expect(try Self.chosen([Self.plain], "Date,Amount,Currency,Text") == "plain.list")
        #expect(try Self.chosen([Self.plain, Self.own], "Date,Amount,Currency,Text") == "acme.list")
        #expect(try Self.chosen([Self.own, Self.plain], "Date,Amount,Currency,Text") == "acme.list")
        #expect(try Self.chosen([Self.plain, Self.own], "Day,Amount,Currency,Text") == nil)
    }

    @Test func saysThatItWasRead() throws {
        let sink = try run(importer(Self.plain), "Date,Amount,Currency,Text\n2026-01-05,1,USD,x\n")
        #expect(sink.warnings.map(\.code) == [.importerFallback])
        #expect(try run(importer(Self.own), "Date,Amount\n2026-01-05,1\n").warnings.isEmpty)
    }
}
