import Allocport
import Importing
import OpenAlloc
import TestSupport
import Testing

/// The sums of a report say something: a unit that an importer forgets, or hands over twice, makes them wrong.
@Suite struct AccountingTests {
    /// Reads lines as `LineImporter` does, and says that there were so many more of them.
    private struct Miscounting: Importer {
        let inner = LineImporter()
        let more: Int
        var id: String { inner.id }
        var title: String { inner.title }
        var aliases: [String] { inner.aliases }
        var schemas: [SchemaID] { inner.schemas }

        func examine(_ sample: InputSample) -> Examination? { inner.examine(sample) }
        func context(
            of input: any InputSource, sample: InputSample, options: ImportOptions
        ) throws(InputError) -> InputContext { InputContext() }
        func read(
            _ input: any InputSource, sample: InputSample, context: InputContext, options: ImportOptions,
            into sink: any RecordSink
        ) throws(InputError) {
            try inner.read(input, sample: sample, context: context, options: options, into: sink)
            sink.hasRead(units: 3 + more)
        }
    }

    @Test(arguments: [0, 1, -1]) func anImporterThatMiscountsIsFound(_ more: Int) throws {
        let folder = Folder()
        let line = "txn kind=dividend account=A1 date=2024-03-01 amount=5\n"
        var found = FoundInputs()
        found.inputs = [MemoryInput(name: "a", bytes: Array(("# \nblank\n" + line).utf8))]
        let run = Run(
            options: RunOptions(outputFolder: folder.path + "/out"), catalog: Registry([Miscounting(more: more)]))
        let report = try run.convert(found)
        #expect(report.isBalanced == (more == 0))
        #expect(report.exitCode == (more == 0 ? 0 : 70))
        #expect(report.inputs.map(\.units) == [3 + more])
        let text = try #require(folder.text("out/report.json"))
        #expect(text.contains(#""balanced": \#(more == 0)"#) && text.contains(#""units": \#(3 + more)"#))
    }

    /// What an importer has counted comes from where the bytes are cut into records, on every road.
    @Test(arguments: [1, 2], [1, 2000]) func allRoadsCountTheirRecords(_ jobs: Int, _ times: Int) throws {
        let path = "SampleData/fidelity/history/2021-all-accounts/History_for_Account_X00000000.csv"
        let sample = try #require(
            Sample.all.first { $0.path.contains("fidelity/history/2021-all-accounts") }, "\(path)")
        let lines = Lines(sample.bytes)
        let row = try #require(lines.lines.firstIndex { Lines.text($0).starts(with: Array(" 05/".utf8)) })
        var bytes: [UInt8] = []
        for (index, line) in lines.lines.enumerated() { for _ in 0..<(index == row ? times : 1) { bytes += line } }
        let inputs = (1...3).map { MemoryInput(name: sample.name, bytes: bytes + Array(repeating: 0x0A, count: $0)) }
        for inputs in [Array(inputs.prefix(1)), inputs] {
            var found = FoundInputs()
            found.inputs = inputs
            var options = RunOptions()
            options.jobs = jobs
            let report = try Run(options: options, catalog: Registry.builtIn()).convert(found)
            #expect(report.exitCode == 0 && report.isBalanced)
            #expect(report.inputs.map(\.units).min() == lines.lines.count + times)
        }
    }
}
