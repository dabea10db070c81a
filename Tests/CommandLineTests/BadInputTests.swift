import Foundation
import TestSupport
import Testing

/// Inputs that are no good, and outputs that cannot be.
struct BadInputTests {
    @Test func emptyFilesAndFolderDebrisArePassedOver() throws {
        let folder = try TemporaryFolder()
        try folder.write("in/empty.csv", "")
        try folder.write("in/.DS_Store", "x")
        try folder.write("in/._good.csv", "x")
        try folder.write("in/good.csv", Fixture.holdings)
        let result = try BuiltProgram.run(["convert", "in", "-o", "out"], folder: folder.path)
        #expect(result.code == 0)
        #expect(result.standardError.contains("empty.csv (empty file)"))
        let report = folder.text("out/report.json")
        #expect(report.contains(".DS_Store") && report.contains("._good.csv"))
    }

    static let wrong: [(name: String, content: Data, code: Int32, says: [String])] = [
        ("book.xlsx", Data([0x50, 0x4B, 3, 4, 20, 0, 6, 0]), 65, ["(zip)", "save its sheet as CSV"]),
        ("export.csv.gz", Data([0x1F, 0x8B, 8, 0, 0, 0, 0, 0]), 65, ["(gzip)", "Unpack it first"]),
        ("statement.pdf", Data("%PDF-1.7\n%\n".utf8), 65, ["(pdf)", "CSV, OFX or QFX"]),
        (
            "export.csv", Data("<!DOCTYPE html>\n<html><head><title>Log in</title></head><body></body></html>".utf8), 3,
            ["a web page", "download the export again"]
        ),
        ("blank.csv", Data("\n \r\n\t\n".utf8), 0, ["blank.csv (blank file)", "nothing to convert"]),
    ]

    /// What people give by mistake is named, with what to do.
    @Test(arguments: wrong)
    func whatIsNoExportIsNamed(_ name: String, _ content: Data, _ code: Int32, _ says: [String]) throws {
        let folder = try TemporaryFolder()
        try folder.write(name, content)
        let result = try BuiltProgram.run(["convert", name, "-o", "out"], folder: folder.path)
        #expect(result.code == code)
        for words in says { #expect(result.standardError.contains(words), "\(result.standardError)") }
        #expect(folder.exists("out/report.json"))
    }

    /// Detection looks at the beginning alone; whether a file is blank is seen at its end.
    @Test func blankLinesWithoutEndHideNoRows() throws {
        let folder = try TemporaryFolder()
        let blank = String(repeating: "\n", count: 300_000)
        try folder.write("rows.csv", blank + Fixture.holdings)
        let result = try BuiltProgram.run(["convert", "rows.csv", "-o", "out"], folder: folder.path)
        #expect(result.code == 3 && result.standardError.contains("input.unrecognised"))
        try folder.write("blank.csv", blank + " \t\r\n")
        let other = try BuiltProgram.run(["convert", "blank.csv", "-o", "out2"], folder: folder.path)
        #expect(other.code == 0 && other.standardError.contains("blank.csv (blank file)"))
    }

    /// What a run that was killed has left is half of a table.
    @Test func halfTablesArePassedOver() throws {
        let folder = try TemporaryFolder()
        try folder.write("in/.openalloc.holding.csv.4711.2.partial", Fixture.holdings)
        try folder.write("in/good.csv", Fixture.holdings.replacing("VTI", with: "VXUS"))
        let result = try BuiltProgram.run(["convert", "in", "-o", "out"], folder: folder.path)
        #expect(result.code == 0 && result.standardError.contains("left by a run that was killed"))
        #expect(!folder.text("out/openalloc.holding.csv").contains("VTI"))
    }

    @Test func transformNamesATableThatTheFileNeverFills() throws {
        let folder = try TemporaryFolder()
        try folder.write("card.ofx", CutMarkupTests.card)
        for (schema, code) in [("openalloc/transaction", Int32(0)), ("openalloc/strategy", 64)] {
            let result = try BuiltProgram.run(
                ["transform", "card.ofx", "--output-schema", schema], folder: folder.path)
            #expect(result.code == code && result.standardOutput.isEmpty == (code != 0))
        }
    }

    /// Not even with --force: the copy is in the place of the only original then.
    @Test(arguments: [["anonymize"], ["importer", "new"]]) func whatIsReadIsNeverReplaced(_ verb: [String]) throws {
        let folder = try TemporaryFolder()
        try folder.write("card.ofx", CutMarkupTests.card)
        let result = try BuiltProgram.run(verb + ["card.ofx", "-o", "./card.ofx", "--force"], folder: folder.path)
        #expect(result.code == 74 && result.standardError.contains("never changed"))
        #expect(folder.text("card.ofx") == CutMarkupTests.card)
    }

    /// Nobody writes to the pipe, and the device has no end: neither is waited for.
    @Test(arguments: ["pipe", "device"], ["convert", "lint"])
    func whatIsNoFileIsNoDefinition(_ kind: String, _ verb: String) throws {
        let folder = try TemporaryFolder()
        try folder.write("in.csv", Fixture.holdings)
        try folder.makeFolder("mine/acme")
        let path = folder / "mine/acme/history.yaml"
        if kind == "pipe" {
            #expect(mkfifo(path, 0o644) == 0)
        } else {
            try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: "/dev/zero")
        }
        let words = verb == "lint" ? ["importer", "lint", "mine"] : ["convert", "in.csv", "-n", "--importers", "mine"]
        let result = try BuiltProgram.run(words, folder: folder.path)
        #expect(result.code == 78)
        #expect((result.standardOutput + result.standardError).contains("the definition cannot be read"))
    }

    @Test func anAccountOfBlanksHasNoName() throws {
        let folder = try TemporaryFolder()
        try folder.write("in.csv", Fixture.holdings)
        let result = try BuiltProgram.run(["convert", "in.csv", "-n", "--account", " "], folder: folder.path)
        #expect(result.code == 64 && result.standardError.contains("the account has no name"))
    }

    @Test func aHeaderAloneIsNoError() throws {
        let folder = try TemporaryFolder()
        let header = try #require(Fixture.holdings.split(separator: "\n").first)
        try folder.write("in.csv", header + "\n")
        let result = try BuiltProgram.run(["convert", "in.csv", "-o", "out"], folder: folder.path)
        #expect(result.code == 0)
        #expect(folder.exists("out/report.json"))
    }

    @Test func aFileCutInAQuoteRejectsThatLineAlone() throws {
        let folder = try TemporaryFolder()
        try folder.write("in.csv", Fixture.holdings + "A1,\"VXUS")
        let result = try BuiltProgram.run(["convert", "in.csv", "-o", "out"], folder: folder.path)
        #expect(result.code == 1)
        #expect(folder.text("out/openalloc.holding.csv").split(separator: "\n").count == 3)
        #expect(folder.text("out/rejects.csv").contains(",4,"))
    }

    @Test func binaryContentIsNamedAndTheOthersAreStillWritten() throws {
        let folder = try TemporaryFolder()
        try folder.write("picture.png", Bytes.png)
        try folder.write("good.csv", Fixture.holdings)
        let result = try BuiltProgram.run(["convert", "picture.png", "good.csv", "-o", "out"], folder: folder.path)
        #expect(result.code == 65)
        #expect(folder.text("out/openalloc.holding.csv").contains("VTI"))
        #expect(folder.text("out/report.json").contains("input.notText"))
    }

    @Test func anUnknownFileStillGetsAReport() throws {
        let folder = try TemporaryFolder()
        try folder.write("unknown.csv", "animal,legs\ncat,4\n")
        let result = try BuiltProgram.run(["convert", "unknown.csv", "-o", "out"], folder: folder.path)
        #expect(result.code == 3)
        #expect(folder.exists("out/rejects.csv"))
        let report = try #require(try json(folder.text("out/report.json")) as? [String: Any])
        let input = try #require((report["inputs"] as? [[String: Any]])?.first)
        #expect(input["importer"] is NSNull)
        #expect((input["errors"] as? [Any])?.isEmpty == false)
    }

    /// Root may read and write everything, unless it gives that right away for the program.
    static let unprivileged: (executable: String?, before: [String])? = {
        if getuid() != 0 { return (nil, []) }
        let unshare = "/usr/bin/unshare"
        guard let path = BuiltProgram.path, FileManager.default.isExecutableFile(atPath: unshare),
            (try? BuiltProgram.run(["-U", "true"], executable: unshare))?.code == 0
        else { return nil }
        return (unshare, ["-U", path])
    }()

    static func run(_ arguments: [String], folder: String) throws -> BuiltProgram.Result {
        let way = try #require(unprivileged)
        return try BuiltProgram.run(way.before + arguments, folder: folder, executable: way.executable)
    }

    @Test(.enabled(if: unprivileged != nil, "root may read everything"))
    func aFileThatMayNotBeReadIsNamed() throws {
        let folder = try TemporaryFolder()
        let path = try folder.write("in.csv", Fixture.holdings)
        try FileManager.default.setAttributes([.posixPermissions: 0], ofItemAtPath: path)
        let result = try Self.run(["convert", "in.csv", "-o", "out"], folder: folder.path)
        #expect(result.code == 66)
        #expect(result.standardError.contains("may not be opened"))
    }

    @Test(.enabled(if: unprivileged != nil, "root may write everywhere"))
    func aFolderThatMayNotBeWrittenIsNamed() throws {
        let folder = try TemporaryFolder()
        try folder.write("in.csv", Fixture.holdings)
        try folder.write("locked/x", "")
        try FileManager.default.setAttributes([.posixPermissions: 0o555], ofItemAtPath: folder / "locked")
        let result = try Self.run(["convert", "in.csv", "-o", "locked/out"], folder: folder.path)
        #expect(result.code == 73)
        #expect(result.standardError.contains("cannot create locked/out"))
    }

    @Test func filesAreReplacedOnlyWhenForced() throws {
        let folder = try TemporaryFolder()
        try folder.write("in.csv", Fixture.holdings)
        #expect(try BuiltProgram.run(["convert", "in.csv", "-o", "out"], folder: folder.path).code == 0)
        let before = folder.contents("out")
        try folder.write("in.csv", Fixture.holdings.replacing("VTI", with: "VXUS"))
        #expect(try BuiltProgram.run(["convert", "in.csv", "-o", "out"], folder: folder.path).code == 73)
        #expect(folder.contents("out") == before)
        #expect(try BuiltProgram.run(["convert", "in.csv", "-o", "out", "--force"], folder: folder.path).code == 0)
        #expect(folder.text("out/openalloc.holding.csv").contains("VXUS"))
    }

    @Test func aDryRunWritesNothing() throws {
        let folder = try TemporaryFolder()
        try folder.write("in.csv", Fixture.holdingsWithReject)
        let result = try BuiltProgram.run(["convert", "in.csv", "-o", "out", "-n", "--json"], folder: folder.path)
        #expect(result.code == 1)
        #expect(!folder.exists("out"))
        let report = try #require(try json(result.standardOutput) as? [String: Any])
        #expect(report["valid"] as? Bool == false)
    }

    @Test(arguments: [SIGINT, SIGTERM, SIGHUP]) func anInterruptedRunLeavesNothing(_ signal: Int32) throws {
        let folder = try TemporaryFolder()
        let block = Data((0..<100_000).map { "A1,S\($0),,1.5,2.25,2020-02-29T00:00:00Z\n" }.joined().utf8)
        var text = Data((Fixture.holdings.prefix { $0 != "\n" } + "\n").utf8)
        // A run that ended before the signal reached it says nothing of signals: the next one has more to read.
        for blocks in [4, 16, 64] {
            for _ in 0..<blocks { text += block }
            try text.write(to: URL(fileURLWithPath: folder / "in.csv"))
            let process = try BuiltProgram.process(["convert", "in.csv", "-o", "out"], folder: folder.path)
            process.standardError = FileHandle.nullDevice
            try process.run()
            BuiltProgram.watch(process)
            // Wait until the run has begun to write.
            while process.isRunning, TemporaryFolder.names(below: folder / "out").isEmpty { usleep(1000) }
            kill(process.processIdentifier, signal)
            process.waitUntilExit()
            #expect(process.terminationReason == .exit)
            if process.terminationStatus == 0 {
                try FileManager.default.removeItem(atPath: folder / "out")
                continue
            }
            #expect(process.terminationStatus == 130)
            #expect(TemporaryFolder.names(below: folder / "out").isEmpty)
            return
        }
        Issue.record("every run ended before the signal reached it")
    }

    @Test func anInterruptWhileWaitingForStandardInputEndsAtOnce() throws {
        let process = try BuiltProgram.process(["convert", "-", "-n"])
        let pipe = Pipe()
        process.standardInput = pipe
        let words = Pipe()
        process.standardError = words
        // It is not known from outside when it waits; the signal before that must end it too, if in its usual way.
        try process.run()
        BuiltProgram.watch(process)
        for _ in 0..<600 where process.isRunning {
            usleep(100_000)
            kill(process.processIdentifier, SIGINT)
        }
        process.waitUntilExit()
        #expect(process.terminationReason == .exit)
        #expect(process.terminationStatus == 130)
        try pipe.fileHandleForWriting.close()
        let said = String(decoding: try words.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        #expect(said == "allocport: interrupted; nothing was written\n")
    }

    /// Standard input that is too large for memory goes where `TMPDIR` says.
    @Test(arguments: [
        ["convert", "-", "-o", "out"], ["transform", "-"], ["detect", "-"], ["anonymize", "-", "-o", "-"],
    ])
    func itSaysWhereStandardInputCannotBeKept(_ arguments: [String]) throws {
        let folder = try TemporaryFolder()
        let result = try BuiltProgram.run(
            arguments, environment: ["TMPDIR": folder / "missing"], folder: folder.path,
            input: Data(repeating: 0x61, count: 9 << 20))
        #expect(result.code == 74)
        #expect(result.standardError.contains(folder / "missing") && result.standardError.contains("No such file"))
        #expect(folder.text("out/openalloc.transaction.csv").isEmpty)
    }
}

/// Bytes that are no text.
enum Bytes {
    static let png = Data([
        0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52, 0, 0, 0, 1,
    ])
}
