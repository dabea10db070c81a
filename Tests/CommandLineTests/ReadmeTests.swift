import Allocport
import Importing
import OpenAlloc
import TestSupport
import Testing

/// The README says what is so.
struct ReadmeTests {
    let text: String

    init() throws { text = try Repository.text("README.md") }

    /// The first and second cell of the rows of the table under a heading.
    private func table(_ heading: String) -> [[String]] {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        guard let start = lines.firstIndex(of: "## \(heading)") else { return [] }
        let section = lines[(start + 1)...].prefix { !$0.hasPrefix("## ") }
        return section.filter { $0.hasPrefix("|") }.dropFirst(2).map { line in
            line.split(separator: "|").map { $0.trimmingPrefix(" ").replacing("`", with: "") }.map { cell in
                String(cell.reversed().drop { $0 == " " }.reversed())
            }
        }
    }

    @Test func listsEveryValidationCodeWithItsSeverity() {
        let rows = table("What is checked")
        #expect(rows.map { $0.first } == FindingCode.allCases.map(\.rawValue))
        for (row, code) in zip(rows, FindingCode.allCases) {
            #expect(row.dropFirst().first == code.severity.rawValue, "\(code)")
        }
    }

    @Test func listsEveryCodeOfAWholeFile() {
        #expect(table("What concerns a whole file").compactMap(\.first) == InputCode.allCases.map(\.rawValue))
    }

    @Test func listsEveryOutcome() {
        #expect(Set(table("The promise").compactMap(\.first)) == Set(Outcome.allCases.map(\.rawValue)))
    }

    @Test func listsEveryImporter() throws {
        let list = try BuiltProgram.run(["list", "importers", "--json"]).standardOutput
        let importers = try #require(try json(list) as? [[String: Any]])
        let ids = importers.compactMap { $0["id"] as? String }
        #expect(table("Supported exports").compactMap(\.first) == ids, "make formats brings the table up to date")
    }

    /// A row of one table in the midst of another has more cells than that one's header.
    @Test func everyRowIsOfItsTable() {
        var wanted: Int?
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            let count = line.hasPrefix("|") ? line.count { $0 == "|" } : nil
            if let count, let wanted { #expect(count == wanted, "\(line)") }
            wanted = count == nil ? nil : wanted ?? count
        }
    }

    @Test func showsCodeThatCompilesAndRuns() async throws {
        let source = try Repository.text("Tests/CommandLineTests/ReadmeSnippet.swift")
        let start = try #require(source.firstRange(of: "// snippet:\n"))
        let end = try #require(source.firstRange(of: "// end of snippet"))
        #expect(text.contains("```swift\n" + source[start.upperBound..<end.lowerBound] + "```"))
        let rows = try convert(Fixture.acme)
        #expect(rows.count == 2 && rows[1].hasPrefix("buysell,2026-01-05T17:00:00Z,A1,RVBK,,4,10.5"))
        let example = try #require(source.firstRange(of: "// importer snippet:\n"))
        let exampleEnd = try #require(source.firstRange(of: "// end of importer snippet"))
        #expect(text.contains("```swift\n" + source[example.upperBound..<exampleEnd.lowerBound] + "```"))
        let typed = try await trades(MemoryInput(name: Fixture.historyName, bytes: Array(Fixture.history.utf8)))
        #expect(typed.map(\.txnSecurityID) == ["RVBK", "GRNF"])
    }

    @Test func theImporterOfItsExampleReads() throws {
        let run = Run(options: RunOptions(), catalog: Registry.builtIn(and: [Diary()]))
        let lines = "2026-01-05 RVBK 4 10.5\n\nbought some more\n2026-01-06 GRNF 2 3\n"
        let (table, rejects, report) = try run.transform(
            MemoryInput(name: "my.diary", bytes: Array(lines.utf8)), schema: .transaction)
        let rows = String(decoding: table, as: UTF8.self).split(separator: "\n").dropFirst()
        #expect(
            rows.map { $0.prefix(50) } == [
                "buysell,2026-01-05T12:00:00Z,diary,RVBK,,4,10.5,,,",
                "buysell,2026-01-06T12:00:00Z,diary,GRNF,,2,3,,,buy",
            ])
        #expect(report.exitCode == 1 && report.isBalanced && report.outcomes[.blank] == 2)
        #expect(String(decoding: rejects, as: UTF8.self).contains("my.diary,3,,row.unplaced,this is no purchase"))
    }

    /// All names that reports have stand in the section for programs.
    @Test func namesEveryFieldThatProgramsRead() throws {
        let start = try #require(text.firstRange(of: "## What programs read\n"))
        let rest = text[start.upperBound...]
        let section = rest[..<(rest.firstRange(of: "\n## ")?.lowerBound ?? rest.endIndex)]
        let folder = try TemporaryFolder()
        try folder.write("in/odd.csv", "Run Date,Action,Symbol\n")
        try folder.write("in/.DS_Store", "x")
        try folder.write("in/\(Fixture.historyName)", Fixture.historyWithRejects)
        let run = try BuiltProgram.run(["convert", "in", "-o", "out", "--json", "--verdicts"], folder: folder.path)
        let found = try BuiltProgram.run(["detect", "in", "--json"], folder: folder.path)
        var names = Set(folder.text("out/rejects.csv").prefix { $0 != "\n" }.split(separator: ",").map(String.init))
        for object in [try json(run.standardOutput), try json(found.standardOutput)] { Self.collect(object, &names) }
        for line in folder.text("out/rows.ndjson").split(separator: "\n") {
            for (name, value) in try #require(try json(String(line)) as? [String: Any]) {
                names.insert(name)
                for row in value as? [[String: Any]] ?? [] { names.formUnion(row.keys) }
            }
        }
        #expect(names.count > 40)
        for name in names { #expect(section.contains("`\(name)`"), "\(name)") }
    }

    /// The names of an object's members, but those that are codes.
    private static func collect(_ value: Any, _ names: inout Set<String>) {
        if let list = value as? [Any] { for item in list { collect(item, &names) } }
        for (name, value) in value as? [String: Any] ?? [:] {
            names.insert(name)
            if !["outcomes", "rejects"].contains(name) { collect(value, &names) }
        }
    }

    @Test func namesEveryVerbAndOption() throws {
        for verb in [
            "convert", "detect", "transform", "list", "schema", "anonymize", "importer new", "importer adapt",
            "importer show", "importer lint", "importer test",
        ] {
            #expect(text.contains("allocport \(verb)"), "\(verb)")
        }
        let help = try BuiltProgram.run(["convert", "--help"]).standardOutput
        let options = Set(help.split { !$0.isLetter && $0 != "-" }.filter { $0.hasPrefix("--") && $0.count > 2 })
        #expect(options.count > 15)
        for option in options { #expect(text.contains("`\(option)"), "\(option)") }
    }
}
