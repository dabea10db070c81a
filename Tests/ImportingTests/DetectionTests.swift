import Delimited
import OpenAlloc
import TestSupport
import Testing

@testable import Importing

@Suite struct DetectionTests {
    static func table(_ id: String, _ columns: String, _ require: String, more: String = "", head: String = "") throws
        -> DefinitionImporter
    {
        try importer(
            definition(
                "tables:\n  - columns: {\(columns)}\n    require: [\(require)]\n\(more)    kind: cash\n",
                head: "importer: \(id)\n\(head)"))
    }

    static func decide(_ importers: [any Importer], _ text: String, name: String = "x.csv") throws -> Registry.Decision
    {
        Registry(importers).decide(try InputSample(MemoryInput(name: name, bytes: Array(text.utf8))))
    }

    static func show(_ decision: Registry.Decision) -> String {
        switch decision {
        case .recognised(let candidate, _): "is \(candidate.importer.id)"
        case .ambiguous(let candidates): "ambiguous " + candidates.map(\.importer.id).joined(separator: " ")
        case .refused(let candidate): "refused \(candidate.importer.id)"
        case .unknown(let nearest): "unknown " + nearest.map(\.importer.id).joined(separator: " ")
        }
    }

    static let plain = "date: Day, amount: Sum, symbol: Name"

    @Test func nearestNamesWhatIsMissing() throws {
        let near = try Self.table("acme.near", Self.plain, "date, amount, symbol"),
            far = try Self.table(
                "acme.far", "date: Day, amount: Betrag, symbol: Papier, units: Stück", "date, amount, symbol, units")
        let decision = try Self.decide([near, far], "Day,Sum,Other\n2024-01-02,1,x\n")
        guard case .unknown(let nearest) = decision else {
            Issue.record("\(Self.show(decision))")
            return
        }
        #expect(nearest.first?.importer.id == "acme.near" && nearest.first?.examination.missing == ["Name"])
        #expect(nearest.allSatisfy { $0.examination.score < Examination.threshold })
        #expect(Self.show(try Self.decide([near, far], "a,b\n1,2\n")) == "unknown ")
    }

    @Test func theMoreSpecificWins() throws {
        let few = try Self.table("acme.few", Self.plain, "date, amount"),
            many = try Self.table("acme.many", Self.plain + ", note: Note", "date, amount, note")
        #expect(Self.show(try Self.decide([few, many], "Day,Sum,Name,Note\n2024-01-02,1,x,y\n")) == "is acme.many")
        #expect(Self.show(try Self.decide([many, few], "Day,Sum,Name\n2024-01-02,1,x\n")) == "is acme.few")
    }

    /// Also of equal scores: the more that was required and found decides.
    @Test func ofEqualScoresTheMoreSpecificWins() throws {
        struct Fixed: Importer {
            let id: String
            let specificity: Int
            let title = "Fixed"
            let aliases: [String] = []
            let schemas: [SchemaID] = []
            func examine(_ sample: InputSample) -> Examination? { Examination(score: 0.9, specificity: specificity) }
            func context(
                of input: any InputSource, sample: InputSample, options: ImportOptions
            ) throws(InputError) -> InputContext { InputContext() }
            func read(
                _ input: any InputSource, sample: InputSample, context: InputContext, options: ImportOptions,
                into sink: any RecordSink
            ) throws(InputError) {}
        }
        let one = Fixed(id: "a.one", specificity: 1), two = Fixed(id: "b.two", specificity: 2)
        let other = Fixed(id: "c.two", specificity: 2)
        #expect(Self.show(try Self.decide([one, two], "x,y\n1,2\n")) == "is b.two")
        #expect(Self.show(try Self.decide([other, one, two], "x,y\n1,2\n")) == "ambiguous b.two c.two")
    }

    @Test func equalsAreAmbiguousUnlessTheNameTells() throws {
        let a = try Self.table("acme.a", Self.plain, "date, amount"),
            b = try Self.table("acme.b", Self.plain, "date, amount", head: "files: [\"b_*.csv\"]\n")
        let text = "Day,Sum,Name\n2024-01-02,1,x\n"
        #expect(Self.show(try Self.decide([a, b], text)) == "ambiguous acme.a acme.b")
        #expect(Self.show(try Self.decide([b, a], text, name: "b_1.csv")) == "is acme.b")
    }

    @Test func theOrderOfImportersAndColumnsDoesNotMatter() throws {
        var random = SplitMix64(seed: 67)
        let importers: [any Importer] = Catalogue.importers.map { $0 as any Importer } + [TabularImporter()]
        for _ in 0..<iterations(10) {
            guard let source = Catalogue.importers.randomElement(using: &random) else { return }
            let lines = Catalogue.sample(of: source.definition, random: &random).joined(separator: "\n")
            let first = Self.show(try Self.decide(importers, lines))
            #expect(Self.show(try Self.decide(importers.shuffled(using: &random), lines)) == first)
        }
    }

    @Test func detectLines() throws {
        let importer = try Self.table(
            "acme.a", Self.plain, "date, amount", head: "detect: {line: [\"Balances for*\"]}\n")
        #expect(Self.show(try Self.decide([importer], "Balances for X\nDay,Sum,Name\n2024-01-02,1,x\n")) == "is acme.a")
        #expect(Self.show(try Self.decide([importer], "Day,Sum,Name\n2024-01-02,1,x\n")) == "unknown ")
    }

    /// A line of several cells is the same whatever stands between them.
    @Test(arguments: [",", ";", "\t"]) func aLineIsItsCells(_ delimiter: String) throws {
        let importer = try Self.table("acme.a", Self.plain, "date, amount", head: "detect: {line: [\"*,Pesos\"]}\n")
        let text = "Account 1,Pesos\nDay,Sum,Name\n2024-01-02,1,x\n"
        #expect(Self.show(try Self.decide([importer], text.replacing(",", with: delimiter))) == "is acme.a")
        #expect(Self.show(try Self.decide([importer], text.replacing("Pesos", with: "Dollars"))) == "unknown ")
    }

    /// A column that is read without a name is none of those that the header names.
    @Test func evidenceCountsNamedColumns() throws {
        let importer = try Self.table(
            "acme.a", "date: Day, amount: Sum, currency: {after: amount}, note: {column: 4}", "date, amount")
        for (header, evidence) in [("Day,Sum,,", "2 of 2"), ("Day,Sum,,,New", "2 of 3")] {
            guard case .recognised(let found, _) = try Self.decide([importer], header + "\n2024-01-02,1,EUR,x,y\n")
            else {
                Issue.record("not recognised")
                continue
            }
            #expect(found.examination.evidence.first?.hasPrefix("line 1: \(evidence) columns are known") == true)
        }
    }

    @Test func driftNamesNewColumns() throws {
        let importer = try Self.table("acme.a", Self.plain, "date, amount")
        guard case .recognised(let found, _) = try Self.decide([importer], "Day,Sum,Name,Shiny\n2024-01-02,1,x,y\n")
        else {
            Issue.record("not recognised")
            return
        }
        #expect(found.examination.drift.contains { $0.contains("Shiny") } && !found.examination.evidence.isEmpty)
    }

    @Test(arguments: [
        ("", "empty"), (" \n\n", "empty"), ("<!DOCTYPE html><html><body>x", "html"), ("<html>", "html"),
        ("[{\"a\": 1}]", "json"), ("{\"a\": 1}", "json"), ("OFXHEADER:100\n<OFX>", "ofx"),
        ("<?xml version=\"1.0\"?><OFX>", "ofx"),
        ("<FlexQueryResponse queryName=\"x\">", "flex"), ("<?xml version=\"1.0\"?><note/>", "xml"),
        ("a,b\n1,2\n", "delimited"), ("\u{FEFF}a,b\n1,2\n", "delimited"), ("\u{FEFF}\n\na,b\n", "delimited"),
    ])
    func formats(_ text: String, _ format: String) throws {
        let sample = try InputSample(MemoryInput(name: "x", bytes: Array(text.utf8)))
        #expect(sample.format.name == format)
        let importers: [any Importer] = Catalogue.importers.map { $0 as any Importer }
        if format != "delimited" { #expect(Self.show(Registry(importers).decide(sample)) == "unknown ") }
    }

    @Test(
        arguments: [
            [0x50, 0x4B, 3, 4, 20, 0, 0, 0], [0x25, 0x50, 0x44, 0x46, 0x2D, 0x31, 0],
            [0, 1, 2, 3, 0, 0, 0, 0, 255, 254, 0, 0],
        ] as [[UInt8]])
    func binary(_ bytes: [UInt8]) throws {
        let sample = try InputSample(MemoryInput(name: "x.csv", bytes: bytes + [UInt8](repeating: 0, count: 64)))
        #expect(sample.format.name.hasPrefix("binary"))
        #expect(Self.show(Registry(Catalogue.importers).decide(sample)) == "unknown ")
    }

    @Test func idsAliasesAndOverriding() throws {
        let a = try Self.table("acme.a", Self.plain, "date, amount", head: "aliases: [old_a]\n"),
            mine = try Self.table("acme.a", Self.plain, "date, amount", head: "title: Mine\n")
        #expect(
            Registry([a]).importer("old_a")?.id == "acme.a" && Registry([a]).importer("acme.a") != nil
                && Registry([a]).importer("x") == nil)
        #expect(Registry([a, mine]).importer("acme.a")?.title == "Mine")
    }

    /// UTF-16, Windows-1252, a byte-order mark and other line ends give the same records as UTF-8.
    @Test func encodingsAndLineEnds() throws {
        let importer = try Self.table("acme.a", Self.plain, "date, amount")
        let text = "Day;Sum;Name\n2024-01-02;1.5;Größe é\n2024-01-03;2;x\n"
        let reference = try run(importer, text).records
        #expect(reference.count == 2 && reference[0].contains("Größe é"))
        let utf16: [UInt8] = [0xFF, 0xFE] + text.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
        let latin: [UInt8] = text.unicodeScalars.map { UInt8($0.value & 0xFF) }
        let others = [
            "\u{FEFF}" + text, text.replacing("\n", with: "\r\n"), text.replacing("\n", with: "\r"),
            text.replacing(";", with: "\t"), String(text.dropLast()),
        ]
        for bytes in [utf16, latin] + others.map({ Array($0.utf8) }) {
            #expect(try run(importer, bytes).records == reference)
        }
    }
}
