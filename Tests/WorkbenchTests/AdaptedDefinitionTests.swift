import Allocport
import BuiltInDefinitions
import TestSupport
import Testing

@testable import Importing

/// A definition takes new names of columns where they belong, and all else of its text stays.
struct AdaptedDefinitionTests {
    private static let start = """
        # Says where it comes from.
        importer: acme.list
        version: 1
        title: A list
        zone: UTC
        dates: YYYY-MM-DD    # as they stand
        currency: USD
        tables:
          - name: list
            parts: [plain]

        """
    private static let end = """
            require: [date, symbol, units, amount]
            kind: buy    # always

        """
    private static let own = "    columns:\n      date: Day\n      symbol: Paper\n      amount: Value\n"

    private static func parts() throws -> SharedParts {
        var parts = SharedParts()
        try parts.add(
            Array("part: plain\nversion: 1\ntable:\n  columns: {units: Quantity, price: Price}\n".utf8), file: "p.yaml")
        return parts
    }

    private static func patch(of text: String) throws -> DriftPatch {
        let importer = try DefinitionLoader.load(Array(text.utf8), file: "acme.yaml", parts: try parts())
        let sheet = try #require(try Sheet(memory("in.csv", "Day,Paper,Share Qty,Value\n2026-01-05,RVBK,4,40.5\n")))
        return try #require(DriftPatch(importer, for: sheet))
    }

    private static func adapted(_ columns: String) throws -> String? {
        let text = start + columns + end
        return AdaptedDefinition(text, adding: try patch(of: text), parts: try parts())?.text
    }

    @Test(arguments: [
        ("units: Quantity    # many", "units: [Quantity, Share Qty]    # many"),
        ("units: 'Quantity ''it'''", "units: ['Quantity ''it''', Share Qty]"),
        ("units: \"Quantity \\\"it\\\"\"", "units: ['Quantity \"it\"', Share Qty]"),
        ("units: [Quantity, Number]", "units: [Quantity, Number, Share Qty]"),
        ("units: {names: [Quantity], nth: 1}", "units: {names: [Quantity, Share Qty], nth: 1}"),
        (
            "units:\n        - Quantity\n        - Number   # or so",
            "units:\n        - Quantity\n        - Number\n        - Share Qty   # or so"
        ),
    ]) func aNameIsAddedToThose(_ column: String, _ expected: String) throws {
        #expect(
            try Self.adapted(Self.own + "      \(column)\n") == Self.start + Self.own + "      \(expected)\n" + Self.end
        )
    }

    /// What is of a part stays as it is for others.
    @Test(arguments: [
        (own, "    columns:\n      units: [Quantity, Share Qty]\n" + own.dropFirst("    columns:\n".count)),
        (
            "    columns: {date: Day, symbol: Paper, amount: Value}\n",
            "    columns: {units: [Quantity, Share Qty], date: Day, symbol: Paper, amount: Value}\n"
        ),
    ]) func aColumnOfAPartBecomesItsOwn(_ columns: String, _ expected: String) throws {
        #expect(try Self.adapted(columns) == Self.start + expected + Self.end)
    }

    @Test func linesMayEndInAnyWay() throws {
        let text = Self.start + Self.own + "      units: Quantity\n" + Self.end
        let patch = try Self.patch(of: text)
        let plain = AdaptedDefinition(text, adding: patch, parts: try Self.parts())
        #expect(plain != nil)
        for ending in ["\r\n", "\r"] {
            let other = "\u{FEFF}" + text.replacing("\n", with: ending)
            #expect(AdaptedDefinition(other, adding: patch, parts: try Self.parts()) == plain)
        }
        for other in ["importer: acme.list", "a: [", text.replacing("units: Quantity", with: "units: {column: 3}")] {
            #expect(AdaptedDefinition(other, adding: patch, parts: try Self.parts()) == nil)
        }
    }

    /// Of each sixth sample, with a required column renamed: the copy knows it again, and has all notes.
    @Test func copiesKnowWhatWasRenamed() throws {
        var (count, known) = (0, 0)
        for (number, sample) in ClaimTests.samples.enumerated() where number % 6 == 3 {
            guard let entry = Catalogue.definitions.first(where: { $0.id == sample.id }),
                let importer = Known.importers.first(where: { $0.id == sample.id })
            else { continue }
            let text = "\(entry.text)"
            for changed in try RenamedColumnTests.renamed(sample.path, sample.id) {
                guard let sheet = try Sheet(changed), let patch = DriftPatch(importer, for: sheet) else { continue }
                let adapted = try #require(
                    AdaptedDefinition(text, adding: patch, parts: .builtIn), "\(sample.path) \(patch.lines)")
                let copy = try DefinitionLoader.load(Array(adapted.text.utf8), file: "copy", parts: .builtIn)
                if copy.examine(try InputSample(changed))?.score ?? 0 >= Examination.threshold { known += 1 }
                #expect(Self.notes(adapted.text) == Self.notes(text))
                count += 1
            }
        }
        // In some files another table is nearer than the one that was renamed; the command says so.
        #expect(count > 100 && known * 100 >= count * 95, "\(known) of \(count)")
    }

    private static func notes(_ text: String) -> [Substring] {
        // A name such as `Qty #` is no note.
        text.split(separator: "\n").compactMap { line in
            line.hasPrefix("#") ? line : line.firstRange(of: "  # ").map { line[$0.lowerBound...] }
        }
    }
}
