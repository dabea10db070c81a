@testable import Importing
import OpenAlloc
import Synchronization
import TestSupport
import Testing

@testable import Allocport

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
        let folder = try TemporaryFolder()
        let line = "txn kind=dividend account=A1 date=2024-03-01 amount=5\n"
        var found = FoundInputs()
        found.inputs = [MemoryInput(name: "a", bytes: Array(("# \nblank\n" + line).utf8))]
        let run = Run(
            options: RunOptions(outputFolder: folder.path + "/out"), catalog: Registry([Miscounting(more: more)]))
        let report = try run.convert(found)
        #expect(report.isBalanced == (more == 0))
        #expect(report.exitCode == (more == 0 ? 0 : 70))
        #expect(report.inputs.map(\.units) == [3 + more])
        let text = folder.text("out/report.json")
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

    // MARK: units that are lost on their way

    /// An input, or several, and the importer of it.
    enum Road: String, CaseIterable {
        case lines, blocks, small, table, array, objects, ofx, ofxTrial, flex

        var importer: String {
            switch self {
            case .lines, .blocks, .small: "fidelity.history"
            case .table, .array, .objects: "openalloc.tabular"
            case .ofx, .ofxTrial: "ofx.statement"
            case .flex: "ibkr.flex_xml"
            }
        }

        /// What can go wrong there.
        var losses: [LostUnit] {
            switch self {
            case .lines, .table, .array, .objects: [.unit, .twice]
            case .blocks, .ofx, .ofxTrial, .flex: [.unit, .twice, .row, .batch]
            // The batch is not the sink's.
            case .small: [.unit, .twice, .batch]
            }
        }

        /// How many rows an input has, and units.
        var rows: Int { self == .small ? 100 : 3000 }
        var units: Int {
            switch self {
            case .array, .objects: rows
            case .lines, .blocks, .small, .table, .flex: rows + 1
            // The statement, and its account.
            case .ofx, .ofxTrial: rows + 2
            }
        }

        /// The inputs, which differ in a number.
        var inputs: [MemoryInput] {
            (0..<(self == .small ? 120 : 1)).map { MemoryInput(name: "\(self)\($0)", bytes: Array(text($0).utf8)) }
        }

        private func text(_ number: Int) -> String {
            func joined(_ separator: String = "", _ row: (Int) -> String) -> String {
                (0..<rows).map(row).joined(separator: separator)
            }
            switch self {
            case .lines, .blocks, .small:
                return
                    "Run Date,Account,Account Number,Action,Symbol,Description,Type,Quantity,Price ($),Commission ($),"
                    + "Fees ($),Accrued Interest ($),Amount ($),Settlement Date\n"
                    + joined {
                        "01/12/2024,Roth,X\(number),YOU BOUGHT ACME (ACME),ACME,ACME,Cash,\($0 + 1),10.00,,,,-\(10 * ($0 + 1)).00,"
                            + "01/16/2024\n"
                    }
            case .table:
                return "accountID,title\n" + joined { "A\($0),Account \($0)\n" }
            case .array: return "[\n" + joined(",\n") { #"{"accountID":"A\#($0)","title":"}"}"# } + "\n]\n"
            case .objects: return joined { #"{"accountID":"A\#($0)","title":"t"}"# + "\n" }
            case .ofx, .ofxTrial:
                return "OFXHEADER:100\nDATA:OFXSGML\nVERSION:102\n\n<OFX><BANKMSGSRSV1><STMTTRNRS><STMTRS><CURDEF>USD\n"
                    + "<BANKACCTFROM><BANKID>1<ACCTID>A1<ACCTTYPE>CHECKING</BANKACCTFROM><BANKTRANLIST>\n"
                    + joined {
                        "<STMTTRN><TRNTYPE>DEBIT<DTPOSTED>20240112120000<TRNAMT>-\($0 + 1).00<FITID>F\($0)<NAME>Shop"
                            + "</STMTTRN>\n"
                    } + "</BANKTRANLIST></STMTRS></STMTTRNRS></BANKMSGSRSV1></OFX>\n"
            case .flex:
                return #"<FlexQueryResponse queryName="a" type="AF"><FlexStatements count="1">"# + "\n"
                    + #"<FlexStatement accountId="U1" fromDate="20240101" toDate="20240131">"#
                    + "\n<CashTransactions>\n"
                    + joined {
                        #"<CashTransaction accountId="U1" currency="USD" assetCategory="" symbol="" description="Paid" "#
                            + #"dateTime="20240112;120000" amount="\#($0 + 1).25" type="Deposits/Withdrawals" "#
                            + #"transactionID="\#($0 + 1)" />"# + "\n"
                    } + "</CashTransactions>\n</FlexStatement>\n</FlexStatements>\n</FlexQueryResponse>\n"
            }
        }
    }

    /// Reads as another importer does, but makes a mistake on the way to the run.
    private struct Losing: Importer {
        /// How many inputs it has spoilt.
        final class Spoilt: Sendable { let count = Mutex(0) }

        let inner: any Importer
        let lost: LostUnit
        let spoilt = Spoilt()
        var id: String { inner.id }
        var title: String { inner.title }
        var aliases: [String] { inner.aliases }
        var schemas: [SchemaID] { inner.schemas }
        var yieldsClosedLots: Bool { inner.yieldsClosedLots }

        func examine(_ sample: InputSample) -> Examination? { inner.examine(sample) }
        func context(
            of input: any InputSource, sample: InputSample, options: ImportOptions
        ) throws(InputError) -> InputContext { try inner.context(of: input, sample: sample, options: options) }
        func readsInBlocks(_ input: any InputSource, sample: InputSample, options: ImportOptions) -> Bool {
            inner.readsInBlocks(input, sample: sample, options: options)
        }
        func read(
            _ input: any InputSource, sample: InputSample, context: InputContext, options: ImportOptions,
            into sink: any RecordSink
        ) throws(InputError) {
            let losing = LosingSink(sink, lost)
            try inner.read(input, sample: sample, context: context, options: options, into: losing)
            if losing.isDone { spoilt.count.withLock { $0 += 1 } }
        }
    }

    /// Recognises inputs, also those that begin like others, as a registry does, and has them read so.
    private struct LosingCatalog: ImporterCatalog {
        let registry: Registry
        let importer: Losing

        func decide(_ sample: InputSample) -> Registry.Decision {
            guard case .recognised(let best, let runnersUp) = registry.decide(sample) else {
                return registry.decide(sample)
            }
            return .recognised(
                Registry.Candidate(importer: importer, examination: best.examination), runnersUp: runnersUp)
        }
        func importer(id: String) -> (any Importer)? { importer }
        func likeness(
            of sample: InputSample, readBy importer: any Importer, _ scanner: PlainRowScanner
        ) -> InputLikeness? { registry.likeness(of: sample, readBy: self.importer.inner, scanner) }
    }

    @Test(arguments: Road.allCases, LostUnit.allCases) func aUnitThatIsLostIsFound(
        _ road: Road, _ lost: LostUnit
    ) throws {
        let inner = try #require(Registry.builtIn().importer(id: road.importer))
        let importer = Losing(inner: inner, lost: lost)
        var found = FoundInputs()
        found.inputs = road.inputs
        var options = RunOptions()
        options.jobs = road == .blocks ? 2 : 1
        if road == .ofxTrial { options.guessBytes = 1 << 10 }
        if road == .blocks { options.blockBytes = 1 << 13 }
        let catalog = LosingCatalog(registry: Registry([inner]), importer: importer)
        let report = try Run(options: options, catalog: catalog).convert(found)
        let spoilt = importer.spoilt.count.withLock { $0 }
        #expect((spoilt > 0) == road.losses.contains(lost))
        #expect(report.inputs.filter { !$0.isBalanced }.count == spoilt)
        #expect(report.exitCode == (spoilt > 0 ? 70 : 0))
        #expect(report.inputs.allSatisfy { $0.units == road.units })
        // Inputs that begin like those before are guessed whole.
        if road == .small, lost == .batch { #expect(spoilt > 100) }
    }

    /// Markup in any state: what it is cut into is what is handed over.
    @Test func damagedMarkupIsAccountedFor() throws {
        let samples = Sample.all.filter { $0.path.contains("SampleData/ofx/") || $0.path.contains("/flex_xml/") }
        let donors = samples.map(\.bytes)
        let plan = FuzzPlan(rounds: 400)
        var mutator = MarkupMutator(seed: plan.seed, donors: donors)
        var round = 0
        var read = 0
        while plan.goesOn(round) {
            var options = RunOptions()
            options.guessBytes = round % 2 == 0 ? 1 << 8 : nil
            options.importerID = round % 3 == 0 ? "ofx" : nil
            var found = FoundInputs()
            found.inputs = [MemoryInput(name: "damaged", bytes: mutator.mutate(donors[round % donors.count]))]
            let report = try Run(options: options, catalog: Registry.builtIn()).convert(found)
            #expect(report.isBalanced, "round \(round)")
            read += report.inputs.filter { $0.units > 3 }.count
            round += 1
        }
        #expect(samples.count > 5 && read > round / 2)
    }
}
