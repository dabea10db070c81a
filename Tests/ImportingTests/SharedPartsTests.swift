import Delimited
import StrictYAML
import Testing

@testable import Importing

/// What definitions share is put in before they are read.
@Suite struct SharedPartsTests {
    static let fills = """
        part: fills
        version: 1
        maps:
          side: {B: Buy, S: Sell, X: Buy}
        table:
          security: [symbol]
          rows:
            - {when: {units: (zero)}, is: skipped, why: order.unfilled}
          actions:
            on: action
            words:
              Buy: {kind: buy, set: {amount: neg(abs(amount))}}
              Sell: sell
        """

    static func definition(_ table: String = "parts: fills", _ root: String = "") -> String {
        """
        importer: acme.fills
        version: 1
        title: Acme fills
        zone: UTC
        dates: YYYY-MM-DD
        \(root)
        tables:
          - name: fills
            columns: {date: Date, side: Side, symbol: Symbol, units: Quantity, amount: Amount}
            require: [date, side, symbol, units, amount]
            set:
              - set: {action: "map(side, side)"}
            \(table)
        """
    }

    static func parts(_ texts: String...) throws -> SharedParts {
        var parts = SharedParts()
        for (index, text) in texts.enumerated() { try parts.add(Array(text.utf8), file: "part\(index + 1).yaml") }
        return parts
    }

    static func kinds(_ yaml: String, _ parts: SharedParts) throws -> [String] {
        let importer = try DefinitionLoader.load(Array(yaml.utf8), file: "fills.yaml", parts: parts)
        let csv = """
            Date,Side,Symbol,Quantity,Amount
            2026-01-05,B,NWTM,2,20
            2026-01-06,S,NWTM,1,11
            2026-01-07,X,NWTM,1,12
            2026-01-08,B,NWTM,0,0
            """
        return try run(importer, csv).records.map { record in
            let words = record.split(separator: " ")
            let units = words.first { $0.hasPrefix("units=") }?.dropFirst("units=".count) ?? ""
            return "\(words[0]) \(units)"
        }
    }

    @Test func aTableTakesItsPart() throws {
        #expect(try Self.kinds(Self.definition(), Self.parts(Self.fills)) == ["buy 2", "sell 1", "buy 1"])
    }

    /// `set:` may be a mapping or a list; of one beside the other neither is lost in silence.
    @Test func aListBesideAMappingIsAnError() throws {
        let parts = try Self.parts(Self.fills, "part: sides\nversion: 1\ntable:\n  set: {side: \"'B'\"}")
        #expect(throws: DefinitionError.self) { try Self.kinds(Self.definition("parts: [fills, sides]"), parts) }
        let other = Self.definition().replacing(
            "set:\n      - set: {action: \"map(side, side)\"}", with: "set: {side: \"'B'\"}")
        let list = try Self.parts(Self.fills + "\n  set:\n    - set: {action: \"map(side, side)\"}")
        #expect(throws: DefinitionError.self) { try Self.kinds(other, list) }
    }

    /// What the table or the definition says itself stands, key by key.
    @Test func theOwnStands() throws {
        let words = "parts: [fills]\n    actions: {on: action, words: {Sell: sharesOut}}"
        #expect(
            try Self.kinds(Self.definition(words), Self.parts(Self.fills)) == ["buy 2", "sharesOut 1", "buy 1"])
        let maps = "maps: {side: {X: Sell}}"
        #expect(
            try Self.kinds(Self.definition("parts: fills", maps), Self.parts(Self.fills))
                == ["buy 2", "sell 1", "sell 1"])
        // Its own rows are asked first.
        let rows = "parts: fills\n    rows: [{when: {units: (zero)}, kind: sharesIn, set: {units: \"'7'\"}}]"
        #expect(try Self.kinds(Self.definition(rows), Self.parts(Self.fills)).last == "sharesIn 7")
    }

    @Test func ofTwoPartsTheFirstStands() throws {
        let other = "part: other\nversion: 1\nmaps: {side: {S: Buy}}\ntable: {actions: {words: {Sell: sharesOut}}}\n"
        for (names, second) in [("[fills, other]", "sell 1"), ("[other, fills]", "buy 1")] {
            let kinds = try Self.kinds(Self.definition("parts: \(names)"), Self.parts(Self.fills, other))
            #expect(kinds == ["buy 2", second, "buy 1"], "\(names)")
        }
    }

    @Test func ofOneNameTheLaterStands() throws {
        let later = Self.fills.replacing("Sell: sell", with: "Sell: sharesOut")
        let kinds = try Self.kinds(Self.definition(), Self.parts(Self.fills, later))
        #expect(kinds == ["buy 2", "sharesOut 1", "buy 1"])
    }

    /// Each message leads to the file and the line that are wrong.
    @Test(arguments: [
        (fills.replacing("kind: buy", with: "kind: bui"), definition(), "part1.yaml:12:19: "),
        (fills.replacing("is: skipped", with: "is: skiped"), definition(), "part1.yaml:8:35: "),
        (fills, definition("parts: fill"), "fills.yaml:13:12: there is no part ‘fill’; the parts are fills"),
        (fills, definition("parts: fills\n    kond: buy"), "fills.yaml:14:5: "),
        (fills, definition("parts: {}"), "fills.yaml:13:12: text is expected here"),
    ]) func saysWhereItIsWrong(_ part: String, _ yaml: String, _ wanted: String) throws {
        let parts = try Self.parts(part)
        var said = ""
        do {
            _ = try DefinitionLoader.load(Array(yaml.utf8), file: "fills.yaml", parts: parts)
        } catch {
            said = "\(error)"
        }
        #expect(said.hasPrefix(wanted), "\(said)")
    }

    @Test func namesThePartsThatAreThere() {
        #expect {
            try DefinitionLoader.load(Array(Self.definition().utf8), file: "fills.yaml")
        } throws: {
            "\($0)" == "fills.yaml:13:12: there is no part ‘fills’; no part is there"
        }
    }

    @Test(arguments: [
        ("part: A b\nversion: 1\nmaps: {}", "1:7: ‘A b’ is no name of a part"),
        ("part: a\nversion: 2\nmaps: {}", "2:10: this version"),
        ("part: a\nmaps: {}", "1:1: the key ‘version’ is missing"),
        ("part: a\nversion: 1", "1:1: the part has nothing to share"),
        ("part: a\nversion: 1\ntable: {parts: b}", "1:1: a part takes no other parts"),
        ("part: a\nversion: 1\nmaps: [a]", "3:7: a mapping is expected"),
        ("part: a\nversion: 1\ntables: []", "3:1: the key ‘tables’ is unknown here"),
    ]) func wrongPartsAreTold(_ text: String, _ wanted: String) {
        var parts = SharedParts()
        #expect(throws: DefinitionError.self) { try parts.add(Array(text.utf8), file: "p.yaml") }
        do throws(DefinitionError) {
            try parts.add(Array(text.utf8), file: "p.yaml")
        } catch {
            #expect("\(error)".hasPrefix("p.yaml:\(wanted)"), "\(error)")
        }
    }

    @Test func partsAreTold() {
        #expect(SharedParts.isPart(Array(Self.fills.utf8)))
        #expect(SharedParts.isPart(Array("version: 1\r\npart: a\r\n".utf8)))
        #expect(!SharedParts.isPart(Array(Self.definition().utf8)))
        #expect(!SharedParts.isPart(Array("a:\n  part: b\n".utf8)))
        #expect(!SharedParts.isPart(Array("part: [\n".utf8)))
    }

    /// The tree that the build writes is the one that is read here, the places in parts too.
    @Test func preparedTreesKeepTheirMarks() throws {
        let tree = try Self.parts(Self.fills).tree(of: Array(Self.definition().utf8))
        let bytes = YAML.prepared(tree)
        #expect(try bytes.withUnsafeBufferPointer { try YAML.read(prepared: $0) } == tree)
        guard case .mapping(let entries) = tree.value, let maps = entries.first(where: { $0.key == "maps" }) else {
            Issue.record("no maps")
            return
        }
        #expect(maps.value.mark.source == 1 && maps.value.mark.line == 4)
    }
}
