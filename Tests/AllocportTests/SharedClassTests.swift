import Importing
import OpenAlloc
import TestSupport
import Testing

@testable import Allocport

/// Inputs of a run share what the rules make of the classes of their rows: what comes out is as if each stood alone.
@Suite struct SharedClassTests {
    private static func outputs(
        _ inputs: [(name: String, bytes: [UInt8])], isShared: Bool, _ change: (inout RunOptions) -> Void = { _ in }
    ) throws -> (files: [String: [UInt8]], prepared: Int) {
        let folder = try TemporaryFolder()
        var options = RunOptions(outputFolder: folder.path + "/out")
        options.bytesByRules = 0
        change(&options)
        var found = FoundInputs()
        found.inputs = inputs.map { MemoryInput(name: $0.name, bytes: $0.bytes) }
        var run = try Run(options: options, catalog: BuiltIn.registry())
        run.preparesClasses = isShared
        let report = try run.convert(found)
        let files = folder.files("out")
        return (files, report.preparedUnits)
    }

    /// Every sample several times in one run: with other digits, under other names, and once the same.
    @Test func agreesWithInputsAlone() async throws {
        let tried = try await timesTried(over: Sample.all) { try Self.agreesWithInputsAlone($0) }
        #expect(tried > 150)
    }

    /// How often it was tried on a sample.
    private static func agreesWithInputsAlone(_ sample: Sample) throws -> Int {
        let lines = Lines(sample.bytes)
        guard lines.lines.count > 1, lines.lines.count < 200 else { return 0 }
        var tried = 0
        var random = SplitMix64(seed: UInt64(lines.lines.count))
        for round in 0..<Sample.effort {
            var inputs: [(name: String, bytes: [UInt8])] = [(sample.name, sample.bytes), ("twin.csv", sample.bytes)]
            for copy in 0..<3 {
                var bytes: [UInt8] = []
                for (index, line) in lines.lines.enumerated() {
                    bytes += line
                    if line.last != 0x0A { bytes.append(0x0A) }
                    for _ in 0..<2 where index > 0 { bytes += Self.varied(Lines.text(line), &random) + [0x0A] }
                }
                inputs.append((copy == 0 ? "a " + sample.name : "\(copy)-" + sample.name, bytes))
            }
            let change: (inout RunOptions) -> Void = {
                $0.columns = (round + lines.lines.count) % 2 == 0 ? .extended : .core
                $0.format = RunOptions.Format.allCases[(round + lines.lines.count) % 4]
            }
            let shared = try Self.outputs(inputs, isShared: true, change)
            let alone = try Self.outputs(inputs, isShared: false, change)
            for (name, file) in alone.files {
                let isSame = shared.files[name] == file
                #expect(isSame, "\(sample.path): \(name)")
            }
            #expect(shared.files.count == alone.files.count)
            if shared.prepared > alone.prepared { tried += 1 }
        }
        return tried
    }

    private static func varied(_ line: [UInt8], _ random: inout SplitMix64) -> [UInt8] {
        line.map { byte in
            byte &- 0x30 < 10 && random.next() % 4 == 0 ? 0x30 + UInt8(truncatingIfNeeded: random.next() % 10) : byte
        }
    }

    /// Small files of many accounts: a class that one of them has prepared is the others' too, and where the words of
    /// accounts differ in a few digits only, all their classes are found.
    @Test(arguments: RunOptions.Columns.allCases) func manyAccountsShare(_ columns: RunOptions.Columns) throws {
        let header =
            "Run Date,Account,Account Number,Action,Symbol,Description,Type,Quantity,Price ($),Commission ($),"
            + "Fees ($),Accrued Interest ($),Amount ($),Settlement Date\n"
        var inputs: [(name: String, bytes: [UInt8])] = []
        for index in 0..<200 {
            var text = header
            for day in 1...4 {
                let cents = "\(10 + day)"
                text +=
                    "01/0\(day)/2024,Individual,X\(41_000_001 + index % 50),YOU BOUGHT ACME (ACME) (Cash),ACME,ACME CORP,"
                    + "Cash,\(index + 1),1.\(cents),,,,-\((index + 1) * (100 + 10 + day) / 100).00,01/09/2024\n"
                text +=
                    "01/0\(day)/2024,Individual,X\(41_000_001 + index % 50),DIVIDEND RECEIVED ACME (ACME) (Cash),ACME,"
                    + "ACME CORP,Cash,,0.000,,,,\(index).\(cents),\n"
            }
            inputs.append(("Accounts_History_\(index).csv", Array(text.utf8)))
        }
        let shared = try Self.outputs(inputs, isShared: true) { $0.columns = columns }
        let alone = try Self.outputs(inputs, isShared: false) { $0.columns = columns }
        let isSame = shared.files == alone.files
        #expect(isSame)
        #expect(shared.prepared > 900)
    }
}
