import Delimited
import OpenAlloc
import TestSupport
import Testing

@testable import Importing

/// A number that cannot be read takes its line to the rejects, or was of no use to it: the line never becomes something
/// else without a word.
struct DamagedNumberTests {
    @Test func isNeverPassedOver() async throws {
        let tried = try await timesTried(over: Repository.samples) { try Self.isNeverPassedOver($0) }
        #expect(tried > 2500)
    }

    /// How often it was tried on an export.
    private static func isNeverPassedOver(_ path: String) throws -> Int {
        let input = try Repository.input(path)
        let sample = try InputSample(input)
        guard sample.encoding == .utf8, case .recognised(let best, _) = Known.registry.decide(sample) else { return 0 }
        let before = try Self.outcomes(input, best.importer)
        let bytes = try input.bytes(at: 0, count: input.byteCount)
        var random = SplitMix64(seed: bytes.reduce(41) { $0 &* 31 &+ UInt64($1) })
        let places = Self.numbers(bytes, sample.dialect).shuffled(using: &random)
        var tried = 0
        for place in places.prefix(24) {
            let damaged = Array(bytes[..<place.lowerBound]) + Array("n0tnum".utf8) + Array(bytes[place.upperBound...])
            let line = 1 + bytes[..<place.lowerBound].count { $0 == 0x0A }
            tried += 1
            let after = try Self.outcomes(MemoryInput(name: input.name, bytes: damaged), best.importer)
            guard let old = before[line], let new = after[line], old.isAccepted, new.isAccepted else { continue }
            #expect(old.facts == new.facts, "\(path), line \(line): \(String(decoding: bytes[place], as: UTF8.self))")
        }
        return tried
    }

    /// Cells that are plain numbers, in lines without quotes.
    private static func numbers(_ bytes: [UInt8], _ dialect: Dialect) -> [Range<Int>] {
        var found: [Range<Int>] = []
        var start = 0
        for line in bytes.split(separator: 0x0A, omittingEmptySubsequences: false) {
            defer { start += line.count + 1 }
            guard !line.contains(dialect.quote) else { continue }
            var at = start
            for cell in line.split(separator: dialect.delimiter, omittingEmptySubsequences: false) {
                let body = cell.drop { $0 == 0x24 || $0 == 0x2D || $0 == 0x20 }.prefix { !isSpace($0) }
                let isNumber =
                    body.contains(where: isDigit) && body.contains { $0 == 0x2E || $0 == 0x2C }
                    && body.allSatisfy { isDigit($0) || $0 == 0x2E || $0 == 0x2C }
                    && body.count { $0 == 0x2E || $0 == 0x2C } == 1
                if isNumber { found.append(at..<at + cell.count) }
                at += cell.count + 1
            }
        }
        return found
    }

    private static func outcomes(_ input: MemoryInput, _ importer: any Importer) throws -> [Int: Outcomes.Line] {
        let sink = Outcomes()
        let sample = try InputSample(input)
        let context = try importer.context(of: input, sample: sample, options: ImportOptions())
        try importer.read(input, sample: sample, context: context, options: ImportOptions(), into: sink)
        return sink.lines
    }
}

/// What became of each line: the kinds and numbers of its records.
private final class Outcomes: RecordSink {
    struct Line {
        var isAccepted: Bool
        var facts: [String]
    }

    private(set) var lines: [Int: Line] = [:]

    func accept(_ records: ArraySlice<Record>, from units: [SourceUnit], warnings: [Finding]) {
        // Lines that belong together change together.
        guard units.count == 1, let unit = units.first else { return }
        var facts: [String] = []
        for record in records {
            var fact = record.kind.rawValue
            for field in Record.Number.allCases { fact += " " + (record[field]?.description ?? "") }
            facts.append(fact)
        }
        lines[unit.line] = Line(isAccepted: true, facts: facts)
    }

    func acceptRows(_ rows: [TableRow], from unit: SourceUnit, warnings: [Finding]) {}
    func reject(_ finding: Finding, from units: [SourceUnit]) {
        for unit in units { lines[unit.line] = Line(isAccepted: false, facts: []) }
    }
    func mark(_ unit: SourceUnit, _ outcome: Outcome, code: String) {
        lines[unit.line] = Line(isAccepted: outcome == .skipped, facts: [outcome.rawValue])
    }
    func warn(_ finding: Finding, line: Int?) {}
}
