@testable import Allocport
import Importing
import OpenAlloc
import Synchronization
import TestSupport
import Testing

@Suite struct OutputTests {
    static let line = "txn kind=dividend account=A1 date=2024-03-01 amount=5\n"

    static let failures: [(name: String, bytes: [UInt8], exit: Int32, code: String)] = [
        ("odd.csv", Array("a,b\n1,2\n".utf8), 3, "input.unrecognised"),
        ("picture.csv", [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 1], 65, "input.notText"),
    ]

    @Test(arguments: failures) func inputsThatCannotBeRead(
        _ name: String, _ bytes: [UInt8], _ exit: Int32, _ code: String
    ) throws {
        let folder = try TemporaryFolder()
        var found = FoundInputs()
        found.inputs = [
            MemoryInput(name: name, bytes: bytes), MemoryInput(name: "good", bytes: Array(("# \n" + Self.line).utf8)),
        ]
        let report = try Run(options: RunOptions(outputFolder: folder.path + "/out"), catalog: catalog).convert(found)
        #expect(report.exitCode == exit && !report.isValid)
        #expect(report.inputs.first { $0.name == name }?.errors.map(\.code) == [code])
        // The good input is written all the same.
        #expect(rows(folder).count == 1)
        #expect(folder.text("out/report.json").contains(#""importer": null"#))
    }

    @Test func twoThatFitAreAmbiguous() throws {
        struct Other: Importer {
            let inner = LineImporter()
            let id = "fake.other"
            let title = "Other"
            let aliases: [String] = []
            let schemas: [SchemaID] = []
            func examine(_ sample: InputSample) -> Examination? { inner.examine(sample) }
            func context(
                of input: any InputSource, sample: InputSample, options: ImportOptions
            ) throws(InputError) -> InputContext { InputContext() }
            func read(
                _ input: any InputSource, sample: InputSample, context: InputContext, options: ImportOptions,
                into sink: any RecordSink
            ) throws(InputError) {}
        }
        var options = RunOptions()
        let both = Registry([LineImporter(), Other()])
        var found = FoundInputs()
        found.inputs = [MemoryInput(name: "a", bytes: Array(("# \n" + Self.line).utf8))]
        #expect(try Run(options: options, catalog: both).convert(found).exitCode == 4)
        options.importerID = "lines"
        #expect(try Run(options: options, catalog: both).convert(found).exitCode == 0)
        options.importerID = "none"
        #expect(throws: RunError.unknownImporter("none")) { try Run(options: options, catalog: both).convert(found) }
    }

    @Test func rejectsCanBeCorrectedAndConverted() throws {
        let folder = try TemporaryFolder()
        let text = "# head\r\npreamble one\n" + Self.line + "section two\nbad \"quoted, line\nfooter end\n"
        let report = try convert([("a.txt", "# first\nbad here\n"), ("a.txt", text)], into: folder)
        #expect(report.exitCode == 1 && report.rejectsByCode == ["action.unknown": 2])
        let names = TemporaryFolder.entries(folder.path + "/out/rejects")
        #expect(names.count == 2 && names.contains("a.txt") && names.allSatisfy { $0.hasPrefix("a.") })
        let files = names.compactMap { folder.text("out/rejects/" + $0) }
        #expect(files.contains("# first\nbad here\n"))
        #expect(
            files.contains {
                $0.contains("preamble one") && $0.contains("section two") && $0.hasSuffix("footer end\r\n")
            })
        #expect(folder.text("out/rejects.csv").contains(#""bad ""quoted, line""#))
        let allowed = try TemporaryFolder()
        #expect(try convert([("a.txt", text)], into: allowed) { $0.maxRejects = 1 }.exitCode == 0)
    }

    @Test func refusesToOverwrite() throws {
        let folder = try TemporaryFolder()
        let inputs = [("a.txt", "# \n" + Self.line)]
        _ = try convert(inputs, into: folder)
        let before = TemporaryFolder.entries(folder.path + "/out")
        #expect(throws: RunError.wouldOverwrite(["report.json", "rejects.csv"])) { try convert(inputs, into: folder) }
        _ = try convert(inputs, into: folder) { $0.force = true }
        #expect(TemporaryFolder.entries(folder.path + "/out") == before)
        #expect(
            before == [
                "openalloc.account.csv", "openalloc.meta.source.csv", "openalloc.transaction.csv", "rejects.csv",
                "report.json",
            ])
    }

    @Test func interruptedRunsLeaveNothing() throws {
        let folder = try TemporaryFolder()
        var run = Run(options: RunOptions(outputFolder: folder.path + "/out"), catalog: catalog)
        run.isStopped = { true }
        var found = FoundInputs()
        found.inputs = [MemoryInput(name: "a", bytes: Array(("# \n" + Self.line).utf8))]
        #expect(throws: RunError.interrupted) { try run.convert(found) }
        #expect(TemporaryFolder.entries(folder.path).isEmpty)
    }

    /// The output is there whole or not at all: a folder that a failed run has made goes, also those above it, and what
    /// was there before stays.
    @Test(arguments: [1, 2, 4]) func failedRunsLeaveNoFolder(_ jobs: Int) throws {
        let folder = try TemporaryFolder()
        try folder.makeFolder("there")
        try folder.makeFolder("used")
        try folder.write("used/notes.txt", "mine")
        var found = FoundInputs()
        found.inputs = ["a", "b"].map { MemoryInput(name: $0, bytes: Array(("# \n" + Self.line + "bad\n").utf8)) }
        for path in ["out", "deep/er/out", "deep/er/out/", "there", "there/out", "used"] {
            var run = Run(options: RunOptions(outputFolder: "\(folder.path)/\(path)"), catalog: catalog)
            run.options.jobs = jobs
            let rejects = "\(folder.path)/\(path)/rejects"
            run.onRead = { _ in #expect(!TemporaryFolder.entries(rejects).isEmpty) }
            // The last file cannot be made any more.
            run.makeFile = { path in
                POSIX.create(path.contains("report.json") ? "\(path)/nowhere" : path)
            }
            #expect(throws: RunError.self, "\(path)") { try run.convert(found) }
            #expect(TemporaryFolder.entries(folder.path).sorted() == ["there", "used"], "\(path)")
            #expect(TemporaryFolder.entries(folder.path + "/there").isEmpty)
            #expect(TemporaryFolder.entries(folder.path + "/used") == ["notes.txt"])
        }
        // Of folders of which the last cannot be made nothing stays either.
        let long = String(repeating: "n", count: 300)
        let run = Run(options: RunOptions(outputFolder: "\(folder.path)/new/\(long)"), catalog: catalog)
        #expect(throws: RunError.self) { try run.convert(found) }
        #expect(TemporaryFolder.entries(folder.path).sorted() == ["there", "used"])
    }

    @Test func theEndOfReadingIsToldOnceBeforeTablesStand() throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/out"
        let told = Mutex<[(bytes: Int, names: [String])]>([])
        var run = Run(options: RunOptions(outputFolder: folder.path + "/out"), catalog: catalog)
        run.onRead = { bytes in told.withLock { $0.append((bytes, TemporaryFolder.entries(path))) } }
        let bytes = Array(("# \n" + Self.line).utf8)
        var found = FoundInputs()
        found.inputs = [MemoryInput(name: "a", bytes: bytes), MemoryInput(name: "b", bytes: bytes + bytes)]
        _ = try run.convert(found)
        let calls = told.withLock { $0 }
        #expect(calls.map(\.bytes) == [3 * bytes.count])
        #expect(calls.allSatisfy { !$0.names.contains("report.json") })
    }

    @Test func foldersAreWalked() throws {
        let folder = try TemporaryFolder()
        try folder.makeFolder("in")
        try folder.makeFolder("in/deep")
        try folder.makeFolder("in/none")
        try folder.write("in/b.txt", "# b\n" + Self.line)
        try folder.write("in/deep/a.txt", "# a\n" + Self.line)
        try folder.write("in/._b.txt", "x")
        try folder.write("in/.DS_Store", "x")
        try folder.write("in/empty.txt", "")
        var run = Run(options: RunOptions(outputFolder: folder.path + "/in/out"), catalog: catalog)
        let report = try run.convert(paths: [folder.path + "/in", folder.path + "/missing.csv"])
        #expect(Set(report.inputs.map(\.name)) == ["a.txt", "b.txt", "missing.csv"])
        #expect(report.exitCode == 66)
        #expect(report.passedOver.map(\.name) == [".DS_Store", "._b.txt", "empty.txt", "none"])
        // The output folder is no input the next time.
        run.options.force = true
        #expect(try run.convert(paths: [folder.path + "/in"]).inputs.count == 2)
    }

    @Test func transformGivesOneTable() throws {
        let input = MemoryInput(name: "a", bytes: Array(("# \n" + Self.line + "bad x\n").utf8))
        var options = RunOptions()
        options.columns = .core
        let run = Run(options: options, catalog: catalog)
        let result = try run.transform(input, schema: .transaction)
        #expect(
            String(decoding: result.table, as: UTF8.self)
                == "txnAction,txnTransactedAt,txnAccountID,txnSecurityID,txnLotID,txnShareCount,txnSharePrice,realizedGainShort,realizedGainLong\n"
                + "income,2024-03-01T00:00:00Z,A1,,,5,1,,\n")
        #expect(String(decoding: result.rejects, as: UTF8.self).contains("bad x"))
        #expect(try run.transform(input, schema: .holding).table.last == 0x0A)
    }

    /// What cannot be is refused before anything is read: a run in no zone would read no line, and say that all is well.
    @Test(arguments: [
        ("timeZone", "Mars/Olympus"), ("timeZone", ""), ("secondOfDay", "86400"), ("secondOfDay", "-1"),
        ("maxRejects", "-1"), ("jobs", "0"),
    ]) func optionsOutOfRangeAreErrors(_ name: String, _ value: String) throws {
        let folder = try TemporaryFolder()
        let error = RunError.invalidOption(name, value: value)
        #expect(error.exitCode == 64 && error.message.contains(name))
        #expect(throws: error) {
            try convert([("a.txt", "# \n" + Self.line)], into: folder) { options in
                switch name {
                case "timeZone": options.timeZone = value
                case "secondOfDay": options.secondOfDay = Int(value)
                case "maxRejects": options.maxRejects = Int(value) ?? 0
                default: options.jobs = Int(value) ?? 1
                }
            }
        }
        #expect(TemporaryFolder.entries(folder.path) == [])
        let good = try convert([("a.txt", "# \n" + Self.line)], into: folder) {
            ($0.timeZone, $0.secondOfDay, $0.maxRejects, $0.jobs) = ("America/New_York", 86_399, 0, 1)
        }
        #expect(good.exitCode == 0)
    }

    /// All formats say the same.
    @Test func formats() throws {
        let expected: [(RunOptions.Format, String)] = [
            (.csv, "income,2024-03-01T00:00:00Z,A1,,,5,1,,\n"),
            (.tsv, "income\t2024-03-01T00:00:00Z\tA1\t\t\t5\t1\t\t\n"),
            (
                .ndjson,
                #"{"txnAction":"income","txnTransactedAt":"2024-03-01T00:00:00Z","txnAccountID":"A1","txnSecurityID":null,"#
            ),
        ]
        for (format, text) in expected {
            let folder = try TemporaryFolder()
            _ = try convert([("a.txt", "# \n" + Self.line)], into: folder) { $0.format = format }
            #expect(folder.text("out/openalloc.transaction.\(format.rawValue)").contains(text))
        }
    }
}
