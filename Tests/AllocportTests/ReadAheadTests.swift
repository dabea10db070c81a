import Importing
import OpenAlloc
import Synchronization
import TestSupport
import Testing

@testable import Allocport

/// Many small inputs that several threads read ahead give what one thread gives, byte by byte.
@Suite struct ReadAheadTests {
    private static func outputs(
        _ inputs: [(name: String, bytes: [UInt8])], jobs: Int, isOracle: Bool = false,
        _ change: (inout RunOptions) -> Void
    ) throws -> (files: [String: [UInt8]], batched: Int) {
        let folder = try TemporaryFolder()
        var options = RunOptions(outputFolder: folder.path + "/out")
        options.jobs = jobs
        options.readsAhead = !isOracle
        change(&options)
        if isOracle { options.blockBytes = 1 << 30 }
        var found = FoundInputs()
        found.inputs = inputs.map { MemoryInput(name: $0.name, bytes: $0.bytes) }
        var run = Run(options: options, catalog: try BuiltIn.registry())
        run.reusesPlans = !isOracle
        let report = try run.convert(found)
        let files = folder.files("out")
        return (files, report.batchedUnits)
    }

    /// Reads line by line, and in blocks on one thread and on several; how many units were made in the latter way.
    private static func compare(
        _ inputs: [(name: String, bytes: [UInt8])], _ label: String, _ change: (inout RunOptions) -> Void = { _ in }
    ) throws -> Int {
        let one = try outputs(inputs, jobs: 1, isOracle: true, change)
        #expect(one.batched == 0)
        var batched = 0
        for jobs in [1, 2, 4] {
            let several = try outputs(inputs, jobs: jobs, change)
            for (name, file) in one.files {
                let isSame = several.files[name] == file
                #expect(isSame, "\(label), \(jobs) jobs: \(name)")
            }
            #expect(several.files.count == one.files.count)
            batched += several.batched
        }
        return batched
    }

    private static let header =
        "Run Date,Account,Account Number,Action,Symbol,Description,Type,Quantity,Price ($),Commission ($),"
        + "Fees ($),Accrued Interest ($),Amount ($),Settlement Date"

    private static func row(_ day: Int, _ units: Int, _ account: String, _ title: String, _ name: String) -> String {
        "01/\(10 + day % 18)/2024,\(title),\(account),YOU BOUGHT \(name) (ACME),ACME,\(name),Cash,\(units),10.00,,,,"
            + "-\(units * 10).00,01/29/2024"
    }

    /// What a thread that reads a file before its turn must leave to the run, or get right.
    private static func piece(_ random: inout SplitMix64, _ account: Int, _ ending: String) -> String {
        let title = ["Individual", "Roth", "\"Joint, TOD\""][Int(random.next() % 3)]
        let (day, units) = (Int(random.next() % 18), Int(random.next() % 40) + 1)
        func plain(_ number: String, _ name: String = "ACME") -> String { row(day, units, number, title, name) }
        switch random.next() % 40 {
        case 0: return plain("X\(account + 1)") + ending
        case 1: return plain("") + ending
        case 2: return plain("--") + ending
        case 3: return plain("=\"\"X\(account)\"\"") + ending
        case 4: return plain("\"=\"\"X\(account)\"\"\"") + ending
        case 5: return plain("\" X\(account)\"") + ending
        case 6: return plain("X\(account)", "\"AC\nME\"") + ending
        case 7: return plain("X\(account)", "\"A \"\"B\"\" C\"") + ending
        case 8: return plain("X\(account)", "Äcmé") + ending
        case 9: return plain("X\(account)") + "\r"
        case 10: return plain("X\(account)", "ACME,more,cells") + ending
        case 11: return ending + header + ending
        case 12: return ending + ",,,,,,,,,,,,," + ending
        case 13: return "\"The data and information in this spreadsheet is\nprovided\"" + ending
        case 14: return "Date downloaded 0\(1 + units % 9)/0\(1 + day % 9)/2024 1:02 PM" + ending
        case 15: return plain("X\(account)", "\"ACME") + ending
        case 16: return ending + "Run Date,Action,Symbol,Quantity,Amount ($),Price ($),Account Number" + ending
        case 17: return "13/45/2024" + plain("X\(account)").dropFirst(10) + ending
        case 18: return plain("X\(account)", "NEW \(units)") + ending
        default: return plain("X\(account)") + ending
        }
    }

    private static func file(_ random: inout SplitMix64, rows: Int) -> [UInt8] {
        let ending = random.next() % 5 == 0 ? "\r\n" : "\n"
        let account = Int(random.next() % 7)
        let isPlain = random.next() % 3 > 0
        var text = random.next() % 9 == 0 ? "\u{FEFF}" : ""
        text += header + ending
        for index in 0..<rows {
            text +=
                isPlain
                ? row(index, index + account, "X\(account)", "Roth", "ACME") + ending
                : piece(&random, account, ending)
        }
        if random.next() % 4 == 0 { while text.last?.isNewline == true { text.removeLast() } }
        var bytes = Array(text.utf8)
        if random.next() % 12 == 0 { bytes[bytes.count / 2] = 0xFF }
        return bytes
    }

    @Test(arguments: 0..<6) func oddFilesAgree(_ seed: Int) throws {
        for round in 0..<Sample.effort {
            var random = SplitMix64(seed: UInt64(seed + 100 * round))
            var inputs: [(name: String, bytes: [UInt8])] = []
            for index in 0..<60 {
                // Some files are there twice, and many have rows in common.
                let isTwin = index > 10 && random.next() % 15 == 0
                let bytes = isTwin ? inputs[index - 7].bytes : Self.file(&random, rows: Int(random.next() % 30))
                inputs.append(("Accounts_History_\(index).csv", bytes))
            }
            let batched = try Self.compare(inputs, "seed \(seed)") {
                $0.columns = seed % 2 == 0 ? .extended : .core
                $0.format = RunOptions.Format.allCases[seed % 4]
                if seed == 5 { $0.fees = .miscflow }
            }
            #expect(seed == 5 || batched > 100, "seed \(seed): other threads made no rows")
        }
    }

    /// Files whose rows wait to be hashed while others are read, among larger ones, which are read in blocks, and such of
    /// other formats.
    @Test(arguments: 0..<3) func filesOfManyRowsAgree(_ seed: Int) throws {
        var random = SplitMix64(seed: UInt64(seed + 50))
        // Beside positions and closed lots no rows are taken on a guess, nor where two kinds of reports, or a table and an
        // export, may tell the same.
        var kinds: [String: String] = ["ofx": "", "openalloc": ""]
        let others = try Sample.all.filter { sample in
            let input = MemoryInput(name: sample.name, bytes: sample.bytes)
            let plan = InputPlan(input, catalog: try BuiltIn.registry(), options: RunOptions())
            guard let importer = plan.importer, !importer.schemas.contains(.holding), !importer.yieldsClosedLots else {
                return false
            }
            let brokerage = String(importer.id.prefix { $0 != "." })
            // Two files of one kind with other headers may tell the same, too.
            guard kinds[brokerage] == nil else { return false }
            kinds[brokerage] = importer.id
            return brokerage != "fidelity"
        }
        #expect(others.count > 100)
        var inputs: [(name: String, bytes: [UInt8])] = []
        for index in 0..<70 {
            let kind = random.next() % 20
            if kind < 2 {
                let sample = others[Int(random.next() % UInt64(others.count))]
                inputs.append(("\(index)-" + sample.name, sample.bytes))
            } else {
                let rows = kind == 2 ? 3_000 : 100 + Int(random.next() % 300)
                inputs.append(("Accounts_History_\(index).csv", Self.file(&random, rows: rows)))
            }
        }
        let batched = try Self.compare(inputs, "seed \(seed)") {
            if seed == 1 { $0.columns = .core }
            $0.blockBytes = 1 << 14
        }
        #expect(batched > 10_000)
    }

    /// Rows stand on the lines that they stand on, also below one that ends in two ways.
    @Test func linesAreCounted() throws {
        var inputs: [(name: String, bytes: [UInt8])] = []
        for index in 0..<40 {
            var text = Self.header + "\n"
            for row in 0..<20 {
                text += Self.row(row, index * 20 + row + 1, "X1", "Roth", "ACME") + (row == index % 20 ? "\r" : "\n")
            }
            inputs.append(("h\(index).csv", Array(text.utf8)))
        }
        #expect(try Self.compare(inputs, "lines") > 100)
    }

    /// Every sample several times, with other digits.
    @Test func agreesOverAllSamples() async throws {
        let tried = try await timesTried(over: Sample.all) { try Self.agreesOverAllSamples($0) }
        #expect(tried > 100)
    }

    /// How often it was tried on a sample.
    private static func agreesOverAllSamples(_ sample: Sample) throws -> Int {
        let lines = Lines(sample.bytes)
        guard lines.lines.count > 1, lines.lines.count < 200 else { return 0 }
        var random = SplitMix64(seed: UInt64(lines.lines.count))
        var inputs: [(name: String, bytes: [UInt8])] = []
        for copy in 0..<6 {
            var bytes: [UInt8] = []
            for (index, line) in lines.lines.enumerated() {
                bytes += line
                if line.last != 0x0A { bytes.append(0x0A) }
                for _ in 0..<2 where index > 0 {
                    bytes += Lines.text(line).map { byte in
                        byte &- 0x30 < 10 && random.next() % 4 == 0 ? 0x30 + UInt8(random.next() % 10) : byte
                    }
                    bytes.append(0x0A)
                }
            }
            inputs.append(("\(copy)-" + sample.name, bytes))
        }
        let batched = try Self.compare(inputs, sample.path) {
            $0.columns = lines.lines.count % 2 == 0 ? .extended : .core
            $0.account = lines.lines.count % 3 == 0 ? "A 1" : nil
        }
        return batched > 0 ? 1 : 0
    }

    /// A file that changes after it was recognised is read as it then is, by one thread or several.
    @Test func changedFilesAreReadOnce() throws {
        for jobs in [1, 3] {
            var options = RunOptions()
            options.isDryRun = true
            options.jobs = jobs
            var found = FoundInputs()
            for index in 0..<50 {
                let first = Self.header + "\n" + Self.row(1, index + 1, "X1", "Roth", "ACME") + "\n"
                let more = first + Self.row(2, index + 1, "X1", "Roth", "ACME") + "\n"
                found.inputs.append(
                    GrowingInput(name: "h\(index).csv", first: Array(first.utf8), then: Array(more.utf8)))
            }
            let report = try Run(options: options, catalog: BuiltIn.registry()).convert(found)
            #expect(report.isBalanced)
            #expect(report.outcomes[.accepted] == 100)
        }
    }
}

/// An input that has one more row when its rows are read.
private struct GrowingInput: InputSource {
    let name: String
    let first: [UInt8]
    let then: [UInt8]
    private let opened = Count()

    private final class Count: Sendable {
        private let value = Atomic<Int>(0)
        func next() -> Int { value.add(1, ordering: .relaxed).oldValue }
    }

    init(name: String, first: [UInt8], then: [UInt8]) {
        self.name = name
        self.first = first
        self.then = then
    }

    var byteCount: Int { first.count }

    func open() throws(InputError) -> any ByteStream {
        // The first time is for the hash.
        try MemoryInput(name: name, bytes: opened.next() == 0 ? first : then).open()
    }

    func bytes(at offset: Int, count: Int) throws(InputError) -> [UInt8] {
        try MemoryInput(name: name, bytes: first).bytes(at: offset, count: count)
    }
}
