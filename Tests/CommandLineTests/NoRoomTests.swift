import Foundation
import TestSupport
import Testing

/// Outputs that end before everything is written: full disks, limits, closed streams.
struct NoRoomTests {
    /// About 1 MB of holdings.
    static let large: String = {
        let header = Fixture.holdings.prefix { $0 != "\n" }
        return header + "\n" + (0..<25_000).map { "A1,S\($0),,1.5,2.25,2020-02-29T00:00:00Z\n" }.joined()
    }()

    /// Runs a line of `sh`, in which `$ALLOCPORT` is the program.
    static func shell(_ line: String, in folder: TemporaryFolder) throws -> BuiltProgram.Result {
        let path = try #require(BuiltProgram.path, "build the product allocport first")
        return try BuiltProgram.run(
            ["-c", line], environment: ["ALLOCPORT": path], folder: folder.path, executable: "/bin/sh")
    }

    /// Whether a small file system can be made here without being root.
    static let canMount: Bool = {
        guard let folder = try? TemporaryFolder(), FileManager.default.isExecutableFile(atPath: "/usr/bin/unshare")
        else { return false }
        let line = "unshare -rm sh -c 'mount -t tmpfs -o size=64k none .'"
        return (try? BuiltProgram.run(["-c", line], folder: folder.path, executable: "/bin/sh"))?.code == 0
    }()

    /// A disk that is too small: what is wrong is said, nothing is left on it, and the input is as it was.
    @Test(.enabled(if: canMount, "needs user namespaces"), arguments: ["csv", "ndjson"])
    func aFullDiskLeavesNothing(_ format: String) throws {
        let folder = try TemporaryFolder()
        try folder.write("in.csv", Self.large)
        try folder.write("disk/.keep", "")
        let script = """
            mount -t tmpfs -o size=200k none disk || exit 99
            echo mine > disk/notes.txt
            "$ALLOCPORT" convert in.csv -o disk/out --format \(format)
            code=$?
            find disk -type f
            exit $code
            """
        try folder.write("script", script)
        let result = try Self.shell("unshare -rm sh script", in: folder)
        #expect(result.code == 74, "\(result.standardError)")
        #expect(result.standardError.contains("no space is left to write disk/out/openalloc.holding.\(format)"))
        #expect(result.standardError.contains("nothing was written, make room and run again"))
        #expect(result.standardOutput == "disk/notes.txt\n")
        #expect(folder.text("in.csv") == Self.large)
    }

    /// A disk that was just large enough for the tables, but not for an earlier run's: those stay as they were.
    @Test(.enabled(if: canMount, "needs user namespaces")) func anEarlierRunSurvivesAFullDisk() throws {
        let folder = try TemporaryFolder()
        try folder.write("small.csv", Fixture.holdings)
        try folder.write("in.csv", Self.large)
        try folder.write("disk/.keep", "")
        let script = """
            mount -t tmpfs -o size=200k none disk || exit 99
            "$ALLOCPORT" convert small.csv -o disk/out -q || exit 98
            cat disk/out/* | cksum
            "$ALLOCPORT" convert in.csv -o disk/out --force
            code=$?
            cat disk/out/* | cksum
            ls -A disk/out | grep -c partial
            exit $code
            """
        try folder.write("script", script)
        let result = try Self.shell("unshare -rm sh script", in: folder)
        #expect(result.code == 74, "\(result.standardError)")
        let lines = result.standardOutput.split(separator: "\n")
        #expect(lines.count == 3 && lines[0] == lines[1] && lines[2] == "0", "\(lines)")
    }

    /// A file that may not grow is a write that fails, not a signal that ends the process.
    @Test func aFileSizeLimitLeavesNothing() throws {
        let folder = try TemporaryFolder()
        try folder.write("in.csv", Self.large)
        try folder.write("out/notes.txt", "mine")
        let result = try Self.shell("ulimit -f 200; exec \"$ALLOCPORT\" convert in.csv -o out", in: folder)
        #expect(result.code == 74, "\(result.standardError)")
        #expect(result.standardError.contains("cannot write out/openalloc.holding.csv: File too large"))
        #expect(folder.contents("out").keys.sorted() == ["notes.txt"])
        #expect(folder.text("in.csv") == Self.large)
    }

    /// What other commands write is there whole or not at all, too.
    @Test func aCopyThatDoesNotFitLeavesNothing() throws {
        let folder = try TemporaryFolder()
        try folder.write("in.csv", Fixture.history)
        try folder.write("there.csv", "mine")
        for name in ["out.csv", "there.csv"] {
            let result = try Self.shell(
                "ulimit -f 0; exec \"$ALLOCPORT\" importer new in.csv -o \(name) --force",
                in: folder)
            #expect(result.code == 74, "\(result.standardError)")
            // Neither may the words of the error be written to the file that they go to here.
            #expect(result.standardError.isEmpty)
        }
        #expect(folder.contents().keys.sorted() == ["in.csv", "there.csv"])
        #expect(folder.text("there.csv") == "mine")
    }

    static let results = [
        "convert in.csv -o out --json", "transform in.csv", "detect in.csv", "detect in.csv --json", "list importers",
        "schema holding", "schema holding --json", "importer lint --schema", "importer new in.csv",
        "importer new in.csv --json", "anonymize history.csv --json", "anonymize history.csv -o -", "--help", "help",
        "convert --help", "--version", "--generate-completion-script fish",
    ]

    /// Results that nobody can take are an error, whatever verb makes them.
    @Test(.enabled(if: FileManager.default.isWritableFile(atPath: "/dev/full")), arguments: results)
    func aFullStandardOutputIsAnError(_ arguments: String) throws {
        let folder = try TemporaryFolder()
        try folder.write("in.csv", Fixture.holdings)
        try folder.write("history.csv", Fixture.history)
        for (target, reason) in [("> /dev/full", "No space left on device"), (">&-", "Bad file descriptor")] {
            let result = try Self.shell("exec \"$ALLOCPORT\" \(arguments) \(target)", in: folder)
            #expect(result.code == 74, "\(arguments) \(target)")
            #expect(result.standardError.contains("cannot write"), "\(result.standardError)")
            #expect(result.standardError.contains(reason), "\(result.standardError)")
            for name in folder.contents().keys where !["in.csv", "history.csv"].contains(name) {
                try? FileManager.default.removeItem(atPath: folder / name)
            }
        }
    }

    /// A reader that has seen enough ends the program without a word, as it does any other.
    @Test func aClosedPipeEndsQuietly() throws {
        let folder = try TemporaryFolder()
        try folder.write("in.csv", Self.large)
        let line = "{ \"$ALLOCPORT\" transform in.csv; echo $? >&2; } | head -n 1"
        let result = try Self.shell(line, in: folder)
        #expect(result.standardOutput.hasPrefix("holdingAccountID,"))
        // 128 + SIGPIPE; a shell that ignores the signal hands that on, and the write fails.
        #expect(["141", "74"].contains(result.standardError.split(separator: "\n").last.map(String.init)))
    }

    /// Without standard error no file takes its place, and no word lands in a table.
    @Test func wordsNeverLandInAFile() throws {
        let folder = try TemporaryFolder()
        try folder.write("in.csv", Fixture.holdingsWithReject)
        let usual = try Self.shell("exec \"$ALLOCPORT\" convert in.csv -o usual", in: folder)
        let closed = try Self.shell("exec \"$ALLOCPORT\" convert in.csv -o closed 0<&- >&- 2>&-", in: folder)
        #expect(usual.code == 1 && closed.code == 1)
        #expect(folder.contents("usual") == folder.contents("closed"))
        #expect(folder.contents("usual").count > 3)
    }

    /// A million rows in, a million rows out. `.ci/run` runs it with the optimized program.
    @Test(.enabled(if: ProcessInfo.processInfo.environment["ALLOCPORT_LARGE"] == "1", "takes long unoptimized"))
    func aMillionRowsComeOut() throws {
        let folder = try TemporaryFolder()
        let lines = Fixture.history.split(separator: "\n", omittingEmptySubsequences: false)
        let count = 1_000_000
        var text = lines.prefix(2).joined(separator: "\n") + "\n"
        text.reserveCapacity(100 * count)
        for index in 0..<count {
            text += "07-10-2026,YOU BOUGHT RIVERBANK INC (RVBK) (Cash),RVBK,RIVERBANK INC,Cash,10.5,"
            text += "\(index % 97 + 1),,,,,,07-13-2026\n"
        }
        try folder.write(Fixture.historyName, text)
        let result = try BuiltProgram.run(["convert", Fixture.historyName, "-o", "out"], folder: folder.path)
        #expect(result.code == 0, "\(result.standardError)")
        let report = try #require(try json(folder.text("out/report.json")) as? [String: Any])
        let input = try #require((report["inputs"] as? [[String: Any]])?.first)
        #expect((input["outcomes"] as? [String: Int])?["accepted"] == count)
        let table = folder.text("out/openalloc.transaction.csv").utf8
        #expect(table.reduce(0) { $0 + ($1 == 0x0A ? 1 : 0) } == count + 1)
    }
}
