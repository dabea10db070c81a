import Foundation
import ImporterConformance
import TestSupport
import Testing

/// The library by which other packages test their own definitions.
struct ConformanceTests {
    private static let definition = """
        importer: acme.history
        version: 1
        title: Acme history
        zone: UTC
        currency: USD
        dates: [YYYY-MM-DD]
        tables:
          - name: rows
            columns: {date: Acme Day, action: Acme What, amount: Acme Sum}
            require: [date, action, amount]
            actions:
              on: action
              words: {Gift: income}
        """

    private func folder() throws -> String {
        let folder = FileManager.default.temporaryDirectory.path + "/allocport-tests-" + UUID().uuidString
        let sample = folder + "/samples/acme/history/2024"
        for path in [folder + "/mine", sample + "/expected"] {
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        }
        try Self.definition.write(toFile: folder + "/mine/history.yaml", atomically: true, encoding: .utf8)
        try "Acme Day,Acme What,Acme Sum\n2024-01-02,Gift,5\n".write(
            toFile: sample + "/acme.csv", atomically: true, encoding: .utf8)
        return folder
    }

    @Test func aGoodDefinitionHolds() throws {
        let folder = try folder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let conformance = ImporterConformance(definitions: folder + "/mine")
        #expect(conformance.problems == [] && conformance.warnings == [])
        let sample = try #require(conformance.samples(in: folder + "/samples").first)
        #expect(sample.importer == "acme.history")
        // Nothing is expected yet: all that is written is too much.
        #expect(conformance.problems(of: sample).contains { $0.message.contains("written, and not expected") })
        _ = try BuiltProgram.run(
            ["importer", "test", "samples", "--record", "--importers", "mine"], folder: folder)
        #expect(conformance.problems(of: sample) == [])
        let table = sample.folder + "/expected/openalloc.transaction.csv"
        let text = try String(contentsOfFile: table, encoding: .utf8)
        try text.replacing("Gift", with: "Gifts").write(toFile: table, atomically: true, encoding: .utf8)
        #expect(conformance.problems(of: sample).map(\.message).first?.hasPrefix("openalloc.transaction.csv") ?? false)
    }

    @Test func whatIsWrongIsNamedWithItsPlace() throws {
        let folder = try folder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try Self.definition.replacing("income", with: "incom").write(
            toFile: folder + "/mine/history.yaml", atomically: true, encoding: .utf8)
        let conformance = ImporterConformance(definitions: folder + "/mine")
        #expect(conformance.problems.map(\.line) == [13] && conformance.importers.isEmpty)
        #expect(ImporterConformance(definitions: folder + "/nothing").problems.count == 1)
    }

    /// A definition that another brokerage's file fits better does not own its sample.
    @Test func aSampleOfAnotherIsNoProof() throws {
        let folder = try folder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let sample = folder + "/samples/acme/history/2024/acme.csv"
        try Repository.text("SampleData/ally/activity/2025/ally-activity.txt")
            .write(toFile: sample, atomically: true, encoding: .utf8)
        let conformance = ImporterConformance(definitions: folder + "/mine")
        let found = try #require(conformance.samples(in: folder + "/samples").first)
        #expect(conformance.problems(of: found).contains { $0.message.contains("ally.activity claims it") })
    }
}
