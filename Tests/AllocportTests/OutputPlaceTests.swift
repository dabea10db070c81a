@testable import Allocport
import Importing
import OpenAlloc
import TestSupport
import Testing

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// What is written stays in its folder, has a place of its own, and takes nobody else's.
@Suite struct OutputPlaceTests {
    static let line = "txn kind=dividend account=A1 date=2024-03-01 amount=5\n"
    static let id = "1a2b3c4d5e6f00000000000000000000"
    static let other = "1a2b3c4d99990000000000000000000f"

    static let names: [(name: String, file: String)] = [
        ("a.csv", "a.csv"), ("../a.csv", "_._a.csv"), ("a\\b\n\u{1B}[31m.csv", "a_b__[31m.csv"), ("..", "_."),
        (".", "_"), ("", "_"), (".csv", "_csv"), ("ä/€", "ä_€"),
    ]

    @Test(arguments: names) func aNameStaysInItsFolder(_ name: String, _ file: String) {
        #expect(RejectFileNames.sanitized(name) == file)
    }

    /// Of names that are too long the beginning, the mark and the extension stay.
    @Test(arguments: ["y", "é", "🂡"]) func aNameFitsIntoAFileSystem(_ letter: String) {
        let long = String(repeating: letter, count: 300) + ".csv"
        var names = RejectFileNames()
        let made = [names.take(long, Self.id), names.take(long, Self.other), names.take(long, Self.id)]
        #expect(Set(made).count == 3)
        for name in made {
            #expect((248...255).contains(name.utf8.count) && name.hasPrefix(letter) && name.hasSuffix(".csv"))
        }
        #expect(made[1].hasSuffix(letter + ".1a2b3c4d.csv") && made[2].hasSuffix(letter + ".1a2b3c4d5.csv"))
        #expect(RejectFileNames.sanitized(String(repeating: letter, count: 300)).utf8.count <= 255)
    }

    /// What a name says of the account and the date is that of its input; digits alone may be either of them.
    @Test(arguments: [
        ("a.1a2b3c4d.csv", "a.csv"), ("a.1a2b3c4d.5e6f7a8b9c.csv", "a.csv"), ("a.1a2b3c4d", "a"), ("a.csv", "a.csv"),
        ("a.20240131.csv", "a.20240131.csv"), ("a.1A2B3C4D.csv", "a.1A2B3C4D.csv"), ("1a2b3c4d.csv", "1a2b3c4d.csv"),
        ("a.abcdef0.csv", "a.abcdef0.csv"), ("", ""),
    ]) func aMarkIsNoPartOfTheName(_ name: String, _ plain: String) {
        #expect(RejectFileNames.unmarked(name) == plain)
    }

    /// A mark has a letter.
    @Test func aMarkIsKnownAgain() {
        var names = RejectFileNames()
        let made = ["x", "20240131" + "0000a", "20240131"].map { names.take("a.csv", $0) }
        #expect(made == ["a.csv", "a.202401310000a.csv", "a.20240131.csv"])
    }

    /// Also a name that another input has got by its mark is taken, as are names that differ in case only.
    @Test func noTwoInputsShareAName() {
        var names = RejectFileNames()
        let inputs = [
            ("a.csv", "x"), ("A.CSV", Self.id), ("a.1a2b3c4d.csv", Self.other), ("a.csv", Self.id), ("b", "x"),
        ]
        let made = inputs.map { names.take($0.0, $0.1) }
        #expect(made == ["a.csv", "A.1a2b3c4d.CSV", "a.1a2b3c4d.1a2b3c4d.csv", "a.1a2b3c4d5.csv", "b"])
    }

    /// The corrected files of a run, converted with their sources, and still not right: all rejects are there.
    @Test func rejectsOfRejectsAreAllThere() throws {
        let folder = try TemporaryFolder()
        let inputs = [("a.txt", "# \nbad one\n"), ("a.txt", "# \nbad two\n")]
        _ = try convert(inputs, into: folder)
        let marked = try #require(TemporaryFolder.entries(folder.path + "/out/rejects").first { $0 != "a.txt" })
        let again = try TemporaryFolder()
        _ = try convert(inputs + [(marked, "# \nbad three\n")], into: again)
        let names = TemporaryFolder.entries(again.path + "/out/rejects")
        let files = names.compactMap { again.text("out/rejects/" + $0) }
        for word in ["one", "two", "three"] { #expect(files.contains("# \nbad \(word)\n"), "\(names)") }
        // A later run knows them all for what they are.
        _ = try convert([("b.txt", "# \n" + Self.line)], into: again) { $0.force = true }
        #expect(!TemporaryFolder.entries(again.path + "/out").contains("rejects"))
    }

    @Test func longNamesOfEqualInputsAreWritten() throws {
        let folder = try TemporaryFolder()
        let name = String(repeating: "y", count: 251) + ".txt"
        let report = try convert([(name, "# \nbad one\n"), (name, "# \nbad two\n")], into: folder)
        #expect(report.exitCode == 1)
        #expect(TemporaryFolder.entries(folder.path + "/out/rejects").count == 2)
    }

    /// Inputs are never changed, `--force` or not: nothing is written where one of them is.
    @Test(arguments: [("out/openalloc.transaction.csv", "# \n" + line), ("out/rejects/b.txt", "# \nbad x\n" + line)])
    func anInputIsNotReplaced(_ name: String, _ text: String) throws {
        let folder = try TemporaryFolder()
        _ = try convert([("b.txt", "# \nbad x\nbad y\n" + Self.line)], into: folder)
        let before = (folder.text("out/report.json"), folder.text("out/rejects.csv"))
        try folder.write(name, text)
        var options = RunOptions(outputFolder: folder.path + "/out")
        options.force = true
        let file = String(name.dropFirst("out/".count))
        #expect(throws: RunError.wouldReplaceInput([file])) {
            try Run(options: options, catalog: catalog).convert(paths: ["\(folder.path)/\(name)"])
        }
        #expect(folder.text(name) == text)
        #expect((folder.text("out/report.json"), folder.text("out/rejects.csv")) == before)
        #expect(!TemporaryFolder.entries(folder.path + "/out").contains { $0.hasSuffix(".partial") })
    }

    /// A report says that a run is complete: where a table cannot be put in its place, none is left, not even an old one.
    @Test func noReportStandsBesideHalfARun() throws {
        let folder = try TemporaryFolder()
        _ = try convert([("a.txt", "# \n" + Self.line)], into: folder)
        #expect(folder.exists("out/report.json"))
        try #require(unlink(folder.path + "/out/openalloc.transaction.csv") == 0)
        try folder.makeFolder("out/openalloc.transaction.csv")
        try folder.write("out/openalloc.transaction.csv/mine", "mine")
        #expect(throws: RunError.self) {
            try convert([("a.txt", "# \n" + Self.line)], into: folder) { $0.force = true }
        }
        #expect(!folder.exists("out/report.json"))
        #expect(folder.text("out/openalloc.transaction.csv/mine") == "mine")
        #expect(!TemporaryFolder.entries(folder.path + "/out").contains { $0.hasSuffix(".partial") })
    }

    /// A folder `rejects` that leads elsewhere is neither written to nor tidied.
    @Test func aLinkOutOfTheFolderIsNotFollowed() throws {
        let folder = try TemporaryFolder()
        try folder.makeFolder("elsewhere")
        try folder.makeFolder("out")
        try folder.write("elsewhere/a.txt", "mine")
        let link = folder.path + "/out/rejects"
        try #require(symlink("../elsewhere", link) == 0)
        try folder.write("out/rejects.csv", RejectsWriter.header + "1,a.txt,2,,action.unknown,,,,bad\n")
        #expect(throws: RunError.linkInOutput(path: link)) {
            try convert([("a.txt", "# \nbad one\n")], into: folder) { $0.force = true }
        }
        #expect(folder.text("out/rejects.csv").contains("1,a.txt,2"))
        #expect(try convert([("a.txt", "# \n" + Self.line)], into: folder) { $0.force = true }.exitCode == 0)
        #expect(folder.text("elsewhere/a.txt") == "mine")
    }
}
