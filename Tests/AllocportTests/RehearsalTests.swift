import Importing
import OpenAlloc
import Synchronization
import TestSupport
import Testing

@testable import Allocport

/// Inputs that several threads read before their turns give what one thread gives, byte by byte.
@Suite struct RehearsalTests {
    private static func outputs(
        _ inputs: [any InputSource], jobs: Int, _ change: (inout RunOptions) -> Void
    ) throws -> (files: [String: [UInt8]], report: RunReport) {
        let folder = try TemporaryFolder()
        var options = RunOptions(outputFolder: folder.path + "/out")
        options.jobs = jobs
        options.readsAhead = jobs > 1
        change(&options)
        var found = FoundInputs()
        found.inputs = inputs
        let report = try Run(options: options, catalog: try BuiltIn.registry()).convert(found)
        var files: [String: [UInt8]] = [:]
        for name in TemporaryFolder.entries(folder.path + "/out") where name != "rejects" {
            files[name] = folder.bytes("out/" + name)
        }
        for name in TemporaryFolder.entries(folder.path + "/out/rejects") {
            files["rejects/" + name] = folder.bytes("out/rejects/" + name)
        }
        return (files, report)
    }

    /// How many inputs were read before their turns.
    private static func compare(
        _ makeInputs: () throws -> [any InputSource], _ change: (inout RunOptions) -> Void
    ) throws -> Int {
        let one = try outputs(makeInputs(), jobs: 1, change)
        #expect(one.report.rehearsedInputs == 0 && one.files.count > 1)
        var rehearsed = 0
        for jobs in [2, 5] {
            let several = try outputs(makeInputs(), jobs: jobs, change)
            #expect(several.report.inputs == one.report.inputs)
            for (name, file) in one.files {
                let isSame = several.files[name] == file
                #expect(isSame, "\(jobs) jobs: \(name)")
            }
            #expect(several.files.keys.sorted() == one.files.keys.sorted())
            rehearsed += several.report.rehearsedInputs
        }
        return rehearsed
    }

    /// Every format, delimited and marked up, transactions and positions, in one run.
    @Test(arguments: [RunOptions.Columns.core, .extended]) func samplesAreTheSame(_ columns: RunOptions.Columns) throws
    {
        let samples = Sample.all.enumerated().filter { $0.offset % 2 == (columns == .core ? 0 : 1) }
        let inputs = try samples.map { try FileInput(path: $0.element.path) }
        let rehearsed = try Self.compare {
            inputs
        } _: { options in
            options.columns = columns
            options.verdicts = columns == .core
        }
        #expect(rehearsed > samples.count)
    }

    /// The first of many inputs that begin alike is read in its turn, and teaches the others, if they can be taught.
    @Test func likeInputsAreGuessedWhereTheyCanBe() throws {
        let header = "Run Date,Account,Account Number,Action,Symbol,Description,Type,Quantity,Price ($),Commission ($),"
        let rest = "Fees ($),Accrued Interest ($),Amount ($),Settlement Date\n"
        let inputs = (0..<60).map { index in
            var text = header + rest
            for row in 0..<20 {
                text += "01/\(10 + row % 18)/2024,Roth,X\(index % 5),YOU BOUGHT ACME (ACME),ACME,ACME,Cash,\(row + 1),"
                text += "10.00,,,,-\((row + 1) * 10).00,01/29/2024\n"
            }
            return MemoryInput(name: "h\(index).csv", bytes: Array(text.utf8))
        }
        #expect(
            try Self.compare {
                inputs
            } _: { _ in
            } == 0)
    }

    /// What cannot be read to its end is said as when it is read in its turn.
    @Test func failuresAreTheSame() throws {
        let text = Array("date,action\n".utf8) + Array(repeating: UInt8(ascii: "x"), count: 200)
        let samples = try Sample.all.prefix(6).map { try FileInput(path: $0.path) }
        #expect(
            try Self.compare {
                samples + [BrokenInput(name: "broken.csv", bytes: text)]
            } _: {
                $0.importerID = "fidelity.history"
            } > 0)
    }
}

/// An input that can be read once, and not again.
private final class BrokenInput: InputSource {
    let name: String
    private let base: MemoryInput
    private let openings = Atomic<Int>(0)
    var byteCount: Int { base.byteCount }

    init(name: String, bytes: [UInt8]) {
        self.name = name
        base = MemoryInput(name: name, bytes: bytes)
    }

    func bytes(at offset: Int, count: Int) throws(InputError) -> [UInt8] { try base.bytes(at: offset, count: count) }

    func open() throws(InputError) -> any ByteStream {
        if openings.add(1, ordering: .relaxed).oldValue > 0 { throw .unreadable(name: name, code: 5) }
        return try base.open()
    }
}
