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

    @Test func showsCodeThatCompilesAndRuns() async throws {
        let source = try Repository.text("Tests/CommandLineTests/ReadmeSnippet.swift")
        let start = try #require(source.firstRange(of: "// snippet:\n"))
        let end = try #require(source.firstRange(of: "// end of snippet"))
        #expect(text.contains("```swift\n" + source[start.upperBound..<end.lowerBound] + "```"))
        let rows = try convert(Fixture.acme)
        #expect(rows.count == 2 && rows[1].hasPrefix("buysell,2026-01-05T17:00:00Z,A1,RVBK,,4,10.5"))
        let typed = try await trades(MemoryInput(name: Fixture.historyName, bytes: Array(Fixture.history.utf8)))
        #expect(typed.map(\.txnSecurityID) == ["RVBK", "GRNF"])
    }

    @Test func namesEveryVerbAndOption() throws {
        for verb in ["convert", "detect", "transform", "list", "schema", "importer lint", "importer test"] {
            #expect(text.contains("allocport \(verb)"), "\(verb)")
        }
        let help = try BuiltProgram.run(["convert", "--help"]).standardOutput
        let options = Set(help.split { !$0.isLetter && $0 != "-" }.filter { $0.hasPrefix("--") && $0.count > 2 })
        #expect(options.count > 15)
        for option in options { #expect(text.contains("`\(option)"), "\(option)") }
    }
}
