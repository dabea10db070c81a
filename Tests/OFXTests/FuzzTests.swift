import Delimited
import Foundation
import Importing
import OpenAlloc
import TestSupport
import Testing

/// The importers take anything, hand every unit over once and in order, with its own bytes and its own line, and say the
/// same of it whatever the chunks it is read in.
@Suite struct FuzzTests {
    private static let samples = [
        "ofx/statement/investments_sgml/example_invest.qfx", "ofx/statement/investments_xml/example_invest_v2.ofx",
        "ofx/statement/checking/example_checking.ofx", "ofx/statement/card/karte_februar.ofx",
    ]

    @Test func statementsSurvive() throws {
        let own = try Self.samples.map { try sample($0) }
        try fuzz(OFXImporter(), own, own + FuzzPlan.corpus([".ofx", ".qfx", ".txt", ".sgml", ".qbo"]), rounds: 150)
    }

    @Test func flexSurvives() throws {
        let own = [
            try sample("ibkr/flex_xml/activity_2025/flex_2025.xml"),
            Array("<FlexStatementResponse><Status>Fail</Status><ErrorCode>1</ErrorCode></FlexStatementResponse>".utf8),
            // A byte order mark, alone and before what is no markup.
            [0xEF, 0xBB, 0xBF], [0xEF, 0xBB, 0xBF] + Array("Fail<ErrorCode".utf8),
        ]
        let corpus = FuzzPlan.corpus([".xml"], atMost: 30_000).filter { $0.firstRange(of: Array("<Flex".utf8)) != nil }
        try fuzz(FlexImporter(), own, own + corpus, rounds: 100)
    }

    private func fuzz(_ importer: any Importer, _ own: [[UInt8]], _ files: [[UInt8]], rounds: Int) throws {
        let plan = FuzzPlan(rounds: rounds)
        var mutator = MarkupMutator(seed: plan.seed, donors: files)
        var round = 0
        var total = Tally()
        while plan.goesOn(round) {
            let source = round % 2 == 0 ? own : files
            let bytes = mutator.mutate(source[mutator.below(source.count)])
            let whole = try read(bytes, importer, chunk: .max, round)
            let pieces = try read(bytes, importer, chunk: 1 + mutator.below(5000), round)
            #expect(whole.tally == pieces.tally, "round \(round)")
            total.add(whole.tally)
            round += 1
        }
        print("FUZZ \(importer.id): \(round) inputs, \(total)")
        #expect(total.accepted > 0 && total.rejected > 0)
    }

    private func read(_ bytes: [UInt8], _ importer: any Importer, chunk: Int, _ round: Int) throws -> Checker {
        let input = ChunkedInput(content: bytes, chunk: chunk)
        let sample = try InputSample(input)
        let options = ImportOptions()
        let context = try importer.context(of: input, sample: sample, options: options)
        let sink = Checker(bytes)
        try importer.read(input, sample: sample, context: context, options: options, into: sink)
        #expect(
            sink.problems.isEmpty, "round \(round): \(sink.problems.prefix(3)) \(Data(bytes).base64EncodedString())")
        return sink
    }
}

/// What came of an input: counts, and a hash over everything that was handed over.
private struct Tally: Equatable, CustomStringConvertible {
    var accepted = 0
    var rejected = 0
    var marked = 0
    var warned = 0
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325

    mutating func add(_ text: String) {
        for byte in text.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
    }

    mutating func add(_ other: Tally) {
        accepted += other.accepted
        rejected += other.rejected
        marked += other.marked
        warned += other.warned
    }

    var description: String { "\(accepted) accepted, \(rejected) rejected, \(marked) marked, \(warned) warnings" }
}

/// Holds every unit against the source.
private final class Checker: RecordSink {
    var tally = Tally()
    var problems: [String] = []
    private let bytes: [UInt8]
    private let isUTF8: Bool
    private var counted = 0
    private var line = 1

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        // UTF-16 shows in its first two bytes; the rest must be UTF-8 for offsets to be those of the file.
        let isWide = bytes.count > 1 && (bytes[0] == 0 || bytes[1] == 0 || bytes[0] >= 0xFE)
        isUTF8 = !isWide && String(validating: bytes, as: UTF8.self) != nil
    }

    private func check(_ unit: SourceUnit) {
        let raw = unit.raw.array
        tally.add("\(unit.line):\(unit.column):\(unit.byteOffset):\(raw.count)")
        guard isUTF8 else { return }
        guard unit.byteOffset >= 0, unit.byteOffset + raw.count <= bytes.count else {
            return problems.append("unit at \(unit.byteOffset) is beyond the input")
        }
        if raw != Array(bytes[unit.byteOffset..<unit.byteOffset + raw.count]) {
            problems.append("raw is not what stands at \(unit.byteOffset)")
        }
        if unit.byteOffset < counted { (counted, line) = (0, 1) }
        while counted < unit.byteOffset {
            let isLF = bytes[counted] == 0x0A
            if isLF || (bytes[counted] == 0x0D && (counted + 1 == bytes.count || bytes[counted + 1] != 0x0A)) {
                line += 1
            }
            counted += 1
        }
        // Between the CR and the LF of one line end, both lines are right.
        if unit.line != line { problems.append("line \(unit.line) instead of \(line)") }
    }

    func accept(_ records: ArraySlice<Record>, from units: [SourceUnit], warnings: [Finding]) {
        tally.accepted += 1
        if records.isEmpty { problems.append("accepted without a record") }
        for unit in units { check(unit) }
        for record in records { tally.add(Flat(record).description) }
        for finding in warnings { tally.add(finding.code.rawValue) }
    }
    func acceptRows(_ rows: [TableRow], from unit: SourceUnit, warnings: [Finding]) { problems.append("rows") }
    func reject(_ finding: Finding, from units: [SourceUnit]) {
        tally.rejected += 1
        if finding.reason.isEmpty { problems.append("rejected without a reason") }
        for unit in units {
            if unit.raw.isEmpty { problems.append("rejected without the text") }
            check(unit)
        }
        tally.add(finding.code.rawValue + finding.reason)
    }
    func mark(_ unit: SourceUnit, _ outcome: Outcome, code: String) {
        tally.marked += 1
        check(unit)
        tally.add("\(outcome) \(code)")
    }
    func warn(_ finding: Finding, line: Int?) {
        tally.warned += 1
        tally.add(finding.code.rawValue)
    }
    func setEnvelope(_ envelope: MarkupEnvelope) {
        for level in envelope.levels { tally.add(String(decoding: level.opening, as: UTF8.self)) }
    }
}

/// Bytes that are given out in pieces.
private struct ChunkedInput: InputSource {
    let name = "fuzz.ofx"
    let content: [UInt8]
    let chunk: Int

    var byteCount: Int { content.count }
    func open() -> any ByteStream { Stream(content, chunk) }
    func bytes(at offset: Int, count: Int) -> [UInt8] {
        let start = min(max(0, offset), content.count)
        return Array(content[start..<min(content.count, start + max(0, count))])
    }

    private final class Stream: ByteStream {
        private let content: [UInt8]
        private let chunk: Int
        private var position = 0

        init(_ content: [UInt8], _ chunk: Int) { (self.content, self.chunk) = (content, chunk) }

        func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
            let count = min(buffer.count, content.count - position, chunk)
            guard count > 0 else { return 0 }
            content.withUnsafeBytes { buffer.copyMemory(from: .init(rebasing: $0[position..<position + count])) }
            position += count
            return count
        }
    }
}
