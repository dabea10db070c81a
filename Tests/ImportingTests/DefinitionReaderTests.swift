import StrictYAML
import TestSupport
import Testing

@testable import Importing

/// Mistakes in definitions: each is named with its line and column and what to do.
@Suite struct DefinitionReaderTests {
    static let good = """
        importer: acme.history
        version: 1
        title: Acme
        zone: UTC
        dates: [YYYY-MM-DD]
        tables:
          - name: t
            columns: {date: Day, amount: Sum, note: Note}
            require: [date, amount]
            kind: cash
        """

    struct Mistake: Sendable, CustomTestStringConvertible {
        let find: String
        let replace: String
        /// Line and column; part of the message or hint.
        let place: String?
        let words: String
        init(_ find: String, _ replace: String, _ place: String?, _ words: String) {
            self.find = find
            self.replace = replace
            self.place = place
            self.words = words
        }
        var testDescription: String { replace }
    }

    static let gallery: [Mistake] = [
        Mistake("tables:", "lines: [{text: a, is: row, where: preamble}]\ntables:", "6:35", "‘where’"),
        Mistake("tables:", "lines: [{text: a, is: rows}]\ntables:", "6:23", "rows"),
        Mistake("importer: acme.history", "importer: acme", "1:11", "<brokerage>.<report>"),
        Mistake("importer: acme.history", "importer: a.b.c", "1:11", "no importer id"),
        Mistake("importer: acme.history", "importer: acme.", "1:11", "no importer id"),
        Mistake("importer: acme.history\n", "", nil, "importer"),
        Mistake("version: 1", "version: 2", "2:10", "version"),
        Mistake("version: 1", "version: one", "2:10", "one"), Mistake("version: 1\n", "", nil, "version"),
        Mistake("title: Acme\n", "", nil, "title"), Mistake("zone: UTC\n", "", nil, "zone"),
        Mistake("zone: UTC", "zone: Mars/Olympus", "4:7", "Mars/Olympus"),
        Mistake("zone: UTC", "zone: UTC\ntime: noon", "5:7", "noon"),
        Mistake("zone: UTC", "zone: UTC\ntime: \"25:00\"", "5:7", "25:00"),
        Mistake("zone: UTC", "zone: UTC\nnumbers: british", "5:10", "british"),
        Mistake("zone: UTC", "zone: UTC\ncurency: USD", "5:1", "curency"),
        Mistake("dates: [YYYY-MM-DD]", "dates: [YYYY-DD]", "5:9", "YYYY-DD"),
        Mistake("dates: [YYYY-MM-DD]", "dates: [YYYY-MM-DD, 'x]", nil, ""),
        Mistake("dates: [YYYY-MM-DD]", "dates: [\"'x\"]", "5:9", "closed"),
        Mistake("tables:", "tabels:", "6:1", "tabels"),
        Mistake("zone: UTC", "zone: UTC\nzone: UTC", "5:1", "zone"), Mistake("name: t", "nmae: t", "7:5", "nmae"),
        Mistake("require: [date, amount]", "require: [date, amuont]", "9:14", "amuont"),
        Mistake("    require: [date, amount]\n", "", nil, "requires no column"),
        Mistake("kind: cash", "kind: buyy", "10:11", "buyy"),
        Mistake("kind: cash", "kind: cash\n    amounts: both", "11:14", "both"),
        Mistake("kind: cash", "actions: {on: note, words: {Buy: bought}}", "10:38", "bought"),
        Mistake("kind: cash", "actions: {on: note, words: {\"{x:float}\": buy}}", "10:33", "float"),
        Mistake("kind: cash", "actions: {on: note, word: {}}", "10:25", "word"),
        Mistake("kind: cash", "actions: {words: {Buy: buy}}", nil, "on"),
        Mistake("kind: cash", "actions: {on: note, words: {Buy: {kind: buy, revers: true}}}", "10:50", "revers"),
        Mistake("kind: cash", "actions: {on: note, words: {Buy: {kind: buy, reverse: maybe}}}", nil, "maybe"),
        Mistake("kind: cash", "actions: {on: note, words: {Buy: {set: {amount: 1}}}}", nil, "kind"),
        Mistake("kind: cash", "set: {amount: \"neg(\"}", "10:19", "value is missing"),
        Mistake("kind: cash", "set: {amount: foo(1)}", "10:19", "no function"),
        Mistake("kind: cash", "set: {amount: \"map(x, note)\"}", "10:19", "maps"),
        Mistake("kind: cash", "rows: [{is: total}]", nil, "when"),
        Mistake("kind: cash", "rows: [{when: {note: x}, is: totall}]", "10:34", "totall"),
        Mistake("kind: cash", "rows: [{when: {note: x}, reject: {why: y, code: gone}}]", nil, "gone"),
        Mistake("kind: cash", "rows: [{when: {note: x}, reject: {column: note}}]", nil, "why"),
        Mistake("kind: cash", "rows: [{when: {note: {matches: \"{\"}}, is: total}]", nil, "closed"),
        Mistake("kind: cash", "rows: [{when: {note: {like: x}}, is: total}]", nil, "like"),
        Mistake("kind: cash", "rows: [{when: {note: {not: x, matches: y}}, is: total}]", nil, "one thing"),
        Mistake("kind: cash", "rows: [{when: {note: {above: x}}, is: total}]", nil, "no number"),
        Mistake("kind: cash", "group: {by: [note], lead: [buy], fold: {feee: tax}}", nil, "feee"),
        Mistake("kind: cash", "group: {by: [note], lead: [buy], fold: {fee: units}}", nil, "units"),
        Mistake("kind: cash", "group: {by: [note], lead: [buy], fold: {fee: tax}, alone: {buuy: sell}}", nil, "buuy"),
        Mistake("kind: cash", "schema: openalloc/nothing", "10:13", "openalloc/nothing"),
        Mistake("kind: cash", "emit: [{schema: openalloc/asset, set: {colour: note}}]", nil, "colour"),
        Mistake("kind: cash", "priceUnits: [{when: {note: x}, unit: pound}]", nil, "pound"),
        Mistake("kind: cash", "extract: [{from: note}]", nil, "patterns"),
        Mistake("kind: cash", "extract: [{from: note, patterns: [\"{a b}\"]}]", nil, "name of letters"),
        Mistake("kind: cash", "extract: [{from: note, patterns: [x], if: (zero)}]", nil, "(zero)"),
        Mistake("date: Day", "date: {name: Day}", nil, "name"),
        Mistake("date: Day", "date: {names: Day, nth: 0}", nil, "0"),
        Mistake("date: Day", "date: {column: 0}", nil, "0"), Mistake("date: Day", "date: Day, date: Tag", nil, "date"),
        Mistake("tables:", "lines: [{text: x}]\ntables:", nil, "is"),
        Mistake("tables:", "lines: [{text: x, is: gone}]\ntables:", nil, "gone"),
        Mistake("tables:", "lines: [{text: x, is: footer, cells: many}]\ntables:", nil, "many"),
        Mistake("tables:", "lines: [{text: x, is: footer, where: below}]\ntables:", nil, "below"),
        Mistake("tables:", "layout: {section: 1, kinds: {}}\ntables:", nil, "kind"),
        Mistake("tables:", "layout: {section: 0, kind: 1, kinds: {}}\ntables:", nil, "0"),
        Mistake("tables:", "maps: {m: {a: [1]}}\ntables:", nil, ""),
        Mistake("tables:", "detect: {lines: x}\ntables:", nil, "lines"),
    ]

    @Test(arguments: gallery)
    func mistake(_ mistake: Mistake) throws {
        #expect(Self.good.contains(mistake.find))
        let text = Self.good.replacing(mistake.find, with: mistake.replace, maxReplacements: 1)
        let error = #expect(throws: DefinitionError.self) { try importer(text, file: "acme.yaml") }
        guard let error else { return }
        #expect(error.line >= 1 && error.column >= 1 && !error.hint.isEmpty && !error.message.isEmpty)
        if let place = mistake.place { #expect("\(error.line):\(error.column)" == place, "\(error)") }
        #expect((error.message + " " + error.hint).contains(mistake.words), "\(error)")
        #expect(error.description.hasPrefix("acme.yaml:\(error.line):\(error.column): "))
    }

    @Test func goodIsGood() throws { #expect(try importer(Self.good).id == "acme.history") }

    /// Values keep their text: no YAML type is guessed.
    @Test func valuesAreText() throws {
        let yaml = definition(
            "tables:\n  - columns: {date: Day, symbol: Name, amount: Sum}\n    require: [date, amount]\n    rows: [{when: {symbol: [ON, NO, 037833100, true, 1e3]}, is: skipped, why: hit}]\n    kind: cash\n"
        )
        let sink = try run(
            yaml,
            "Day,Name,Sum\n"
                + ["ON", "no", "037833100", "37833100", "TRUE", "1e3", "1000"].map { "2024-01-02,\($0),1\n" }.joined())
        #expect(
            sink.outcomes.dropFirst() == [
                "skipped:hit", "skipped:hit", "skipped:hit", "accept", "skipped:hit", "skipped:hit", "accept",
            ])
    }

    /// Of two words that fold to the same one would never be met.
    @Test(arguments: [("Buy", "BUY"), ("YOU BOUGHT *", "You  Bought *"), ("'{a} b'", "'{a}  B'")])
    func aWordTwiceIsAnError(_ first: String, _ second: String) {
        let yaml = definition(
            """
            tables:
              - name: rows
                columns: {date: Day, action: What, amount: Sum}
                require: [date, action, amount]
                actions:
                  on: action
                  words:
                    \(first): buy
                    \(second): sell
            """)
        let error = #expect(throws: DefinitionError.self) { try importer(yaml) }
        #expect(error?.line == 14 && error?.column == 9, "\(String(describing: error))")
        #expect(error?.message.contains("line 13") ?? false)
    }

    /// A definition damaged anywhere is read or refused, never a crash.
    @Test func damagedDefinitionsAreRefusedOrRead() throws {
        var random = SplitMix64(seed: 61)
        for _ in 0..<iterations(150) {
            guard let file = Catalogue.files.randomElement(using: &random) else { return }
            var bytes = try Catalogue.bytes(file)
            Mutation.mutate(&bytes, times: 1 + random.below(3), &random)
            do {
                _ = try DefinitionLoader.load(bytes, file: file)
            } catch {
                #expect(error.line >= 1 && !error.message.isEmpty && !error.hint.isEmpty, "\(error)")
            }
        }
    }
}
