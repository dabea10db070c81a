import Foundation
import TestSupport
import Testing

/// What `convert` writes and says.
struct ConvertTests {
    @Test func neitherPlaceNorOrderNorZoneNorLocaleNorThreadsChangeAByte() throws {
        let folder = try TemporaryFolder()
        try folder.write("a/\(Fixture.historyName)", Fixture.historyWithRejects)
        try folder.write("a/holdings.csv", Fixture.holdings)
        try folder.write("b/deep/er/holdings.csv", Fixture.holdings)
        try folder.write("b/\(Fixture.historyName)", Fixture.historyWithRejects)
        let options = ["--verdicts"]
        let history = "a/\(Fixture.historyName)"
        _ = try BuiltProgram.run(["convert", history, "a/holdings.csv", "-o", "one"] + options, folder: folder.path)
        _ = try BuiltProgram.run(
            ["convert", "a/holdings.csv", history, "-o", "two", "--jobs", "1"] + options,
            environment: ["TZ": "Pacific/Auckland", "LC_ALL": "tr_TR.UTF-8", "LANG": "tr_TR.UTF-8"], folder: folder.path
        )
        _ = try BuiltProgram.run(
            ["convert", folder / "b", "-o", folder / "three", "--jobs", "2"] + options,
            environment: ["TZ": "Asia/Tokyo", "LC_ALL": "C"],
            folder: "/")
        let one = folder.contents("one")
        #expect(one.keys.contains("openalloc.transaction.csv") && one.keys.contains("rows.ndjson"))
        #expect(one == folder.contents("two"))
        #expect(one == folder.contents("three"))
    }

    /// Sound and broken markup on several threads: what libxml2 keeps of errors must be each thread's own.
    @Test func threadsDoNotShareWhatMarkupLeaves() throws {
        let folder = try TemporaryFolder()
        let samples = Repository.root + "/SampleData"
        let names = try FileManager.default.subpathsOfDirectory(atPath: samples).sorted()
        var count = 0
        for name in names where [".ofx", ".qfx", ".xml"].contains(where: { name.lowercased().hasSuffix($0) }) {
            let bytes = try Data(contentsOf: URL(fileURLWithPath: samples + "/" + name))
            let text = String(decoding: bytes, as: UTF8.self)
            for copy in 0..<24 {
                let part = copy % 3 == 0 ? text[...] : text.prefix(text.count * (copy + 1) / 26)
                try folder.write("in/\(count).xml", "\(part)<!-- \(copy) --><odd \(copy)")
                count += 1
            }
        }
        #expect(count > 100)
        let first = try BuiltProgram.run(["convert", "in", "-o", "one", "-q", "--jobs", "1"], folder: folder.path)
        for round in 0..<3 {
            let again = try BuiltProgram.run(
                ["convert", "in", "-o", "out\(round)", "-q", "--jobs", "4"], folder: folder.path)
            #expect(again.code == first.code)
            #expect(folder.contents("out\(round)") == folder.contents("one"))
        }
    }

    @Test func correctedRejectsConvertByThemselves() throws {
        let folder = try TemporaryFolder()
        try folder.write(Fixture.historyName, Fixture.historyWithRejects)
        let first = try BuiltProgram.run(["convert", Fixture.historyName, "-o", "out"], folder: folder.path)
        #expect(first.code == 1)
        let rejects = folder.text("out/rejects/\(Fixture.historyName)")
        #expect(rejects.contains("bad price") && rejects.contains("13-41-2026") && !rejects.contains("YOU BOUGHT"))
        try folder.write(
            "out/rejects/\(Fixture.historyName)",
            rejects.replacing("bad price", with: "15.25").replacing("13-41-2026", with: "07-08-2026"))
        let second = try BuiltProgram.run(["convert", "out/rejects", "-o", "again"], folder: folder.path)
        #expect(second.code == 0, "\(second.standardError)")
        #expect(folder.text("again/openalloc.transaction.csv").split(separator: "\n").count == 3)
    }

    @Test func theSummarySaysWhatHappenedAndNamesNoAccount() throws {
        let folder = try TemporaryFolder()
        try folder.write(Fixture.historyName, Fixture.historyWithRejects)
        let result = try BuiltProgram.run(["convert", Fixture.historyName, "-o", "out", "-v"], folder: folder.path)
        let words = result.standardError
        for part in [
            "History_for_Account_…001.csv", "read as fidelity.history", "1 accepted, 2 rejected", "number.invalid",
            "date.invalid",
            "out/rejects.csv", "openalloc.transaction.csv", "2 lines rejected",
        ] { #expect(words.contains(part), "\(part) in \(words)") }
        #expect(!words.contains("X59000001"))
        #expect(result.standardOutput.isEmpty)
    }

    @Test func quietIsSilent() throws {
        let folder = try TemporaryFolder()
        try folder.write("in.csv", Fixture.holdingsWithReject)
        let result = try BuiltProgram.run(["convert", "in.csv", "-o", "out", "-q"], folder: folder.path)
        #expect(result.code == 1)
        #expect(result.standardError.isEmpty && result.standardOutput.isEmpty)
    }

    @Test func quietStillNamesWhatWasNotRead() throws {
        let folder = try TemporaryFolder()
        try folder.write("in.csv", Fixture.holdings)
        try folder.write("odd.csv", "animal,legs\ncat,4\n")
        let result = try BuiltProgram.run(["convert", "in.csv", "odd.csv", "-o", "out", "-q"], folder: folder.path)
        #expect(result.code == 3)
        #expect(result.standardError.hasPrefix("allocport: odd.csv: no importer recognises this file"))
        #expect(result.standardError.split(separator: "\n").count == 1)
    }

    @Test(arguments: ["csv", "tsv", "json", "ndjson"]) func writesEachFormat(_ format: String) throws {
        let folder = try TemporaryFolder()
        try folder.write("in.csv", Fixture.holdings)
        let result = try BuiltProgram.run(["convert", "in.csv", "-o", "out", "--format", format], folder: folder.path)
        #expect(result.code == 0)
        let text = folder.text("out/openalloc.holding.\(format)")
        #expect(text.contains("VTI") && text.contains("200.5"))
        if format == "json" { #expect((try json(text) as? [Any])?.count == 2) }
    }

    @Test func standardInputIsAnInput() throws {
        let folder = try TemporaryFolder()
        let result = try BuiltProgram.run(
            ["convert", "-", "-o", "out"], folder: folder.path, input: Data(Fixture.holdings.utf8))
        #expect(result.code == 0)
        #expect(folder.text("out/openalloc.holding.csv").contains("VTI"))
    }

    @Test func zoneAndTimeOfDayMoveTheInstant() throws {
        let folder = try TemporaryFolder()
        try folder.write(Fixture.historyName, Fixture.history)
        func dates(_ options: [String]) throws -> String {
            let result = try BuiltProgram.run(
                ["convert", Fixture.historyName, "-o", "out", "--force"] + options, folder: folder.path)
            #expect(result.code == 0)
            return folder.text("out/openalloc.transaction.csv")
        }
        #expect(try dates([]).contains("2026-07-10T16:00:00Z"))
        #expect(try dates(["--time-zone", "Europe/Berlin", "--time-of-day", "09:30"]).contains("2026-07-10T07:30:00Z"))
    }

    @Test func theBinaryRunsFromAnyFolderWithoutItsBuildTree() throws {
        let folder = try TemporaryFolder()
        let path = try #require(BuiltProgram.path)
        try FileManager.default.copyItem(atPath: path, toPath: folder / "allocport")
        let result = try BuiltProgram.run(["list", "importers"], folder: "/", executable: folder / "allocport")
        #expect(result.code == 0)
        #expect(result.standardOutput.contains("fidelity.history"))
    }
}
