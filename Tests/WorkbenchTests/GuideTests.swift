import Foundation
import TestSupport
import Testing

/// The guide for people who add a brokerage is followed word by word.
struct GuideTests {
    /// A fenced block of the guide, with the comment that stands above it.
    private struct Step {
        let mark: String
        let text: String
    }

    private func steps() throws -> [Step] {
        var steps: [Step] = []
        var mark = ""
        var block: [Substring]?
        for line in try Repository.text("Importers/ADDING.md").split(separator: "\n", omittingEmptySubsequences: false)
        {
            if line.hasPrefix("```") {
                if let lines = block {
                    steps.append(Step(mark: mark, text: lines.joined(separator: "\n") + "\n"))
                    block = nil
                    mark = ""
                } else {
                    block = []
                }
            } else if block != nil {
                block?.append(line)
            } else if line.hasPrefix("<!-- ") {
                mark = line.dropFirst(5).dropLast(4).trimmingCharacters(in: .whitespaces)
            }
        }
        return steps
    }

    @Test func canBeFollowed() throws {
        let folder = FileManager.default.temporaryDirectory.path + "/allocport-tests-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let definition = folder + "/my-importers/history.yaml"
        var sought = ""
        var runs = 0
        for step in try steps() {
            switch step.mark {
            case _ where step.mark.hasPrefix("file: "):
                try step.text.write(toFile: folder + "/" + step.mark.dropFirst(6), atomically: true, encoding: .utf8)
            case "find":
                sought = step.text
                #expect(try String(contentsOfFile: definition, encoding: .utf8).contains(sought))
            case "replace":
                let text = try String(contentsOfFile: definition, encoding: .utf8)
                try text.replacing(sought, with: step.text).write(toFile: definition, atomically: true, encoding: .utf8)
            case "run: 0", "run: 1":
                for line in step.text.split(separator: "\n") {
                    let words = line.split(separator: " ").map(String.init)
                    try #require(words.first == "allocport")
                    let result = try BuiltProgram.run(Array(words.dropFirst()), folder: folder)
                    #expect("run: \(result.code)" == step.mark, "\(line): \(result.standardError)")
                    runs += 1
                }
            default: Issue.record("a block without a mark: \(step.text)")
            }
        }
        #expect(runs == 7)
        let rejects = try String(contentsOfFile: folder + "/tables/rejects.csv", encoding: .utf8)
        #expect(rejects.split(separator: "\n").count == 1)
        let rows = try String(contentsOfFile: folder + "/tables/openalloc.transaction.csv", encoding: .utf8)
        #expect(rows.split(separator: "\n").count == 7)
        #expect(rows.contains("55512345"))
        #expect(rows.contains(",shares,") && rows.contains(",cash,"))
        let expected = folder + "/samples/expected/openalloc.transaction.csv"
        #expect(try String(contentsOfFile: expected, encoding: .utf8).split(separator: "\n").count == 7)
        let shown = try String(contentsOfFile: folder + "/samples/acme.csv", encoding: .utf8)
        #expect(!shown.contains("55512345") && !shown.contains("451.00") && shown.contains("Purchase"))
    }

    @Test func isOnePage() throws {
        #expect(
            try Repository.text("Importers/ADDING.md").split(separator: "\n", omittingEmptySubsequences: false).count
                < 110)
    }

    @Test func theReadmeListsWhatCanBeRead() throws {
        let text = try Repository.text("README.md")
        let start = try #require(text.range(of: "<!-- formats -->\n"))
        let end = try #require(text.range(of: "<!-- /formats -->"))
        let block = text[start.upperBound..<end.lowerBound]
        let list = try BuiltProgram.run(["list", "importers", "--json"], folder: Repository.root).standardOutput
        let importers = try #require(try JSONSerialization.jsonObject(with: Data(list.utf8)) as? [[String: Any]])
        #expect(importers.count > 40)
        for importer in importers {
            let id = try #require(importer["id"] as? String)
            let title = try #require(importer["title"] as? String)
            #expect(block.contains("| `\(id)` | \(title) |"), "make formats brings the table up to date")
        }
        #expect(block.split(separator: "\n").filter { $0.hasPrefix("| `") }.count == importers.count)
    }
}
