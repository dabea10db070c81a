@testable import Allocport
import Importing
import OpenAlloc
import TestSupport
import Testing

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// What a run leaves behind, remembers and reports beyond its rows.
@Suite struct RunGapTests {
    static let line = "txn kind=dividend account=A1 date=2024-03-01 amount=5\n"

    /// Sales are kept in mind only where closed lots may come.
    @Test func onlyRealizedReportsYieldLots() throws {
        let registry = try BuiltIn.registry()
        let yielding = registry.importers.filter(\.yieldsClosedLots).map(\.id)
        #expect(yielding.contains("fidelity.realized") && yielding.contains("schwab.realized_lots"))
        #expect(!yielding.contains("fidelity.history") && !yielding.contains("openalloc.tabular"))
        #expect(LineImporter().yieldsClosedLots)
    }

    @Test func aSaleWithoutLotsIsNotLate() throws {
        let text = "# \ntxn kind=sell account=A1 date=2024-03-01 symbol=VTI units=10 price=5\n"
        var counts: [Int] = []
        for inputs in [[("a.txt", text)], [("a.txt", text), ("b.txt", "# b\n" + Self.line)]] {
            let folder = try OutputFolder(path: nil, force: true)
            let state = try RunState(options: RunOptions(), inputCount: inputs.count, folder: folder)
            state.tracksLots = inputs.count > 1
            state.inputs = inputs.map { InputReport(name: $0.0) }
            let sink = InputSink(state: state, input: 0, exportedAt: nil, isTwin: false)
            let input = MemoryInput(name: "a.txt", bytes: Array(text.utf8))
            try LineImporter().read(
                input, sample: InputSample(input), context: InputContext(), options: ImportOptions(), into: sink)
            counts.append(state.lateUnits.count + state.lots.sales.count)
        }
        #expect(counts == [0, 2])
    }

    /// A run may have more inputs than a process may have open files.
    @Test func inputsAreNotHeldOpen() throws {
        let folder = try TemporaryFolder()
        try folder.makeFolder("in")
        for index in 0..<300 { try folder.write("in/\(index).txt", "# \(index)\n" + Self.line) }
        let before = TemporaryFolder.entries("/dev/fd").count
        let found = InputFinder().find([folder.path + "/in"])
        #expect(found.inputs.count == 300)
        // Other tests open files too, but not hundreds.
        #expect(TemporaryFolder.entries("/dev/fd").count < before + 150)
        #expect(try Run(options: RunOptions(), catalog: catalog).convert(found).exitCode == 0)
    }

    /// `--force` leaves nothing of an earlier run that this one does not write, and nothing else goes.
    @Test func forceRemovesWhatIsStale() throws {
        let folder = try TemporaryFolder()
        let position = "txn kind=position account=A1 symbol=VTI units=5 price=5\n"
        _ = try convert(
            [("a.txt", "# \nbad x\n" + Self.line), ("b.txt", "# b\n" + position + "bad y\n")], into: folder
        ) {
            $0.verdicts = true
            $0.format = .tsv
        }
        try folder.write("out/notes.csv", "mine")
        try folder.write("out/rejects/mine.csv", "mine")
        try folder.write("out/openalloc.transaction.csv.bak", "mine")
        let path = folder.path + "/out"
        #expect(TemporaryFolder.entries(path + "/rejects") == ["a.txt", "b.txt", "mine.csv"])
        // One of the reject files is corrected in its place and converted into the same folder.
        try folder.write("out/rejects/b.txt", "# b\n" + Self.line)
        var options = RunOptions(outputFolder: path)
        options.force = true
        options.columns = .core
        let report = try Run(options: options, catalog: catalog).convert(paths: [path + "/rejects/b.txt"])
        #expect(report.exitCode == 0)
        #expect(
            TemporaryFolder.entries(path) == [
                "notes.csv", "openalloc.account.csv", "openalloc.meta.source.csv", "openalloc.transaction.csv",
                "openalloc.transaction.csv.bak", "rejects", "rejects.csv", "report.json",
            ])
        #expect(TemporaryFolder.entries(path + "/rejects") == ["b.txt", "mine.csv"])
        try folder.write("out/rejects.csv", "not,our,list\n1,mine.csv,3\n")
        _ = try convert([("c.txt", "# \n" + Self.line)], into: folder) { $0.force = true }
        #expect(folder.text("out/rejects/mine.csv") == "mine")
    }

    /// Of a warning that every line has, a hundred are kept and all are counted.
    @Test func warningsBeyondTheKeptAreCounted() throws {
        let folder = try TemporaryFolder()
        var text = "# \n"
        for day in 0..<250 {
            text += "txn kind=buy account=A1 date=2024-03-01 symbol=VTI units=10 price=5 amount=-\(60 + day)\n"
        }
        text += "txn kind=buy account=A1 date=2024-03-01 units=10 price=5 amount=-60\n"
        let report = try convert([("a.txt", text)], into: folder)
        let warnings = report.inputs[0].warnings
        #expect(warnings.filter { $0.code == "amount.mismatch" && $0.line != nil }.count == 100)
        #expect(warnings.last?.message.hasPrefix("250 in all") == true)
        #expect(report.rejectsByCode == ["security.missing": 1])
    }

    @Test func warningsAreBuiltOnlyWhileTheyAreShown() {
        var warnings = Warnings()
        var built = 0
        func finding() -> Finding {
            built += 1
            return Finding(.amountMismatch, reason: "")
        }
        for index in 0..<300 {
            warnings.dropUnit()
            warnings.add(.amountMismatch, finding())
            // Every third unit is rejected for another reason: its warnings do not count.
            if index % 3 != 0 { warnings.keepUnit() }
        }
        #expect(built == 150)
        #expect(warnings.hidden.map(\.count) == [100])
    }

    /// A disk without room is told as such, and nothing of the run is left.
    @Test(arguments: [1, 20_000]) func fullDisk(_ count: Int) throws {
        guard access("/dev/full", W_OK) == 0 else { return }
        let folder = try TemporaryFolder()
        try folder.makeFolder("out")
        try folder.write("out/notes.csv", "mine")
        var run = Run(options: RunOptions(outputFolder: folder.path + "/out"), catalog: catalog)
        run.options.verdicts = true
        run.makeFile = { path in
            let file = POSIX.create(path)
            let full = open("/dev/full", O_RDWR)
            dup2(full, file)
            close(full)
            return file
        }
        var found = FoundInputs()
        let text = "# \n" + String(repeating: Self.line, count: count) + "bad x\n"
        found.inputs = [MemoryInput(name: "a.txt", bytes: Array(text.utf8))]
        let error = #expect(throws: RunError.self) { try run.convert(found) }
        guard case .writeFailed(_, let code) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(code == ENOSPC && error?.exitCode == 74)
        #expect(error?.message.contains("no space is left") == true)
        #expect(TemporaryFolder.entries(folder.path + "/out") == ["notes.csv"])
    }

    @Test func noRoomForANewFile() throws {
        let folder = try TemporaryFolder()
        var run = Run(options: RunOptions(outputFolder: folder.path + "/out"), catalog: catalog)
        run.makeFile = { _ in
            errno = ENOSPC
            return -1
        }
        let error = #expect(throws: RunError.self) { try run.convert(FoundInputs()) }
        #expect(error?.exitCode == 74)
    }

    static let head = "txnAction,txnTransactedAt,txnAccountID,txnSecurityID,txnLotID,txnShareCount"

    static let rows: [(text: String, rejects: [String: Int], warnings: [String])] = [
        (head + "\nincome,1850-01-01,A,,,5\n", ["date.ancient": 1], []),
        (head + "\nincome,2150-01-01,A,,,5\n", [:], ["date.future"]),
        (head + "\nincome,2024-01-01,A,,,5\n", [:], []),
        (
            head + ",isin,cusip\nincome,2024-01-01,A,,,5,US0378331006,037833109\n", [:],
            ["id.checkdigit", "id.checkdigit"]
        ),
        ("holdingAccountID,holdingSecurityID,holdingLotID,acquiredAt\nA,B,,1800-01-01\n", ["date.ancient": 1], []),
        ("valuationSnapshotID,capturedAt\nS,1800-01-01\n", ["date.ancient": 1], []),
    ]

    /// Rows that stand as they are pass the same rules.
    @Test(arguments: rows) func openallocRowsAreChecked(
        _ text: String, _ rejects: [String: Int], _ warnings: [String]
    ) throws {
        let got = try convertBuiltIn("t.csv", text)
        #expect(got.report.rejectsByCode == rejects)
        #expect(got.firstInput?.warnings.map(\.code) == warnings)
        #expect(got.isWhole)
    }
}
