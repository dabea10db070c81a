import Importing
import TestSupport
import Testing

@testable import Allocport

/// Rows of all samples, made odd: whatever road a row takes, it ends as the rules say.
///
/// A sample's rows come many times over, so that classes of them are learned, with other digits, and now and then with
/// cells of other rows, of other kinds, or missing.
@Suite struct OddRowsTests {
    @Test func roadsAgree() async throws {
        let tried = try await timesTried(
            over: Sample.all.filter { $0.name.lowercased().hasSuffix("csv") || $0.name.hasSuffix("txt") }
        ) { try Self.roadsAgree($0) }
        #expect(tried > 300)
    }

    /// How often it was tried on a sample.
    private static func roadsAgree(_ sample: Sample) throws -> Int {
        var tried = 0
        for round in 0..<Sample.effort {
            let place = sample.testDescription.utf8.count
            guard let odd = OddRows(sample.bytes, seed: UInt64(place * 1000 + round)) else { return tried }
            let input = MemoryInput(name: sample.name, bytes: odd.text(rows: 160))
            let change: (inout RunOptions) -> Void = {
                $0.columns = (round + place) % 2 == 0 ? .core : .extended
            }
            let rules = try Self.outputs(input) {
                change(&$0)
                $0.readsByRules = true
            }
            let roads = try Self.outputs(input, change)
            #expect(rules.prepared == 0)
            for (name, file) in rules.files {
                let difference = difference(roads.files[name], file)
                #expect(difference == nil, "\(sample), round \(round), \(name): \(difference ?? "")")
            }
            #expect(roads.files.count == rules.files.count)
            if roads.prepared > 0 { tried += 1 }
        }
        return tried
    }

    /// Rows do take a shorter road, so that the comparison says something.
    @Test func mostRowsAreShortened() throws {
        let sample = try #require(Sample.all.first { $0.path.contains("fidelity/history/2021-all-accounts") })
        let odd = try #require(OddRows(sample.bytes, seed: 1))
        let found = try Self.outputs(MemoryInput(name: sample.name, bytes: odd.text(rows: 400))) { _ in }
        #expect(found.prepared > 100)
    }

    private static func outputs(
        _ input: MemoryInput, _ change: (inout RunOptions) -> Void
    ) throws -> (files: [String: [UInt8]], prepared: Int) {
        let folder = try TemporaryFolder()
        var options = RunOptions(outputFolder: folder.path + "/out")
        options.bytesByRules = 0
        change(&options)
        var found = FoundInputs()
        found.inputs = [input]
        let report = try Run(options: options, catalog: BuiltIn.registry()).convert(found)
        let files = folder.files("out")
        return (files, report.preparedUnits)
    }

    /// The first lines that differ.
    private static func difference(_ found: [UInt8]?, _ expected: [UInt8]) -> String? {
        if found == expected { return nil }
        let left = (found ?? []).split(separator: 0x0A, omittingEmptySubsequences: false)
        let right = expected.split(separator: 0x0A, omittingEmptySubsequences: false)
        for (one, other) in zip(left, right) where one != other {
            return String(decoding: one, as: UTF8.self) + " instead of " + String(decoding: other, as: UTF8.self)
        }
        return "\(left.count) lines instead of \(right.count)"
    }
}

/// The rows of a delimited text, to be made odd.
private struct OddRows {
    private let opening: [[UInt8]]
    private let rows: [[[UInt8]]]
    private let closing: [[UInt8]]
    private let mark: UInt8
    private var random: SplitMix64

    /// Cells that most columns do not expect.
    private static let cells = [
        "", "--", "n/a", "0", "0.00", "-0.00", "1,234.56", "1.234,56", "(12.34)", "12.34-", "\u{2212}12.34", "$5.00",
        "$-5.00", "-$5.00", "5 USD", "USD 5", "EUR", "1e3", "12%", "abc", " 7 ", "7.", ".7", "007", "02,105.60",
        "12345678901234567890.123456789", "1'234.50", "1 234,50", "+3.5", "2024-02-30", "2024-01-05", "01/05/2024",
        "05.01.2024", "2024-01-05 10:11:12", "2024-01-05T10:11:12.123Z", "2024-01-05T23:59:59+02:00",
        "01/05/2024 as of 01/03/2024", "Jan 5, 2024", "25/12/2023", "12/25/2023 13:00", "BUY", "Sell", "Dividend",
        "TOTAL", "Total", "Pending", "=\"X\"", "\"q\"", "é",
    ].map { Array($0.utf8) }

    /// Nil for a text without rows.
    init?(_ bytes: [UInt8], seed: UInt64) {
        var lines = bytes.filter { $0 != 0x0D }.split(separator: 0x0A, omittingEmptySubsequences: false).map(Array.init)
        if lines.last?.isEmpty ?? false { lines.removeLast() }
        let marks: [UInt8] = [0x2C, 0x3B, 0x09, 0x7C]
        let counts = marks.map { mark in lines.reduce(0) { $0 + $1.count { $0 == mark } } }
        guard let most = counts.max(), most > 0, let place = counts.firstIndex(of: most) else { return nil }
        mark = marks[place]
        let widths = lines.map { [mark] in $0.count { $0 == mark } }
        let widest = widths.max() ?? 0
        let wide = widths.indices.filter { widths[$0] * 10 >= widest * 7 }
        guard let header = wide.first, let last = wide.last, last > header else { return nil }
        opening = Array(lines[...last])
        rows = wide.dropFirst().map { [mark] in OddRows.cells(of: lines[$0], mark) }
        closing = Array(lines[(last + 1)...])
        random = SplitMix64(seed: seed)
    }

    private static func cells(of line: [UInt8], _ mark: UInt8) -> [[UInt8]] {
        var cells: [[UInt8]] = [[]]
        var isQuoted = false
        for byte in line {
            if byte == 0x22 { isQuoted.toggle() }
            if byte == mark, !isQuoted { cells.append([]) } else { cells[cells.count - 1].append(byte) }
        }
        return cells
    }

    /// The text with so many rows more.
    func text(rows count: Int) -> [UInt8] {
        var odd = self
        var lines = opening
        for _ in 0..<count {
            let row = odd.row()
            lines.append(Array(row.joined(separator: [mark])))
            if odd.isOne(in: 40) { lines.append(lines[lines.count - 1]) }
            if odd.isOne(in: 150) { lines.append(odd.pick(opening)) }
            if odd.isOne(in: 200) { lines.append([]) }
        }
        return Array((lines + closing).joined(separator: [0x0A])) + [0x0A]
    }

    private mutating func row() -> [[UInt8]] {
        var row = pick(rows)
        // Most rows are what they were, but for digits.
        let isOdd = isOne(in: 3)
        for place in row.indices {
            if row[place].contains(0x2E) || isOne(in: 12) { vary(&row[place]) }
            guard isOdd else { continue }
            if isOne(in: 25) {
                row[place] = pick(OddRows.cells)
            } else if isOne(in: 25) {
                let other = pick(rows)
                if place < other.count { row[place] = other[place] }
            } else if isOne(in: 60) {
                row[place] = row[place].first == 0x2D ? Array(row[place].dropFirst()) : [0x2D] + row[place]
            } else if isOne(in: 60) {
                row[place] = [0x20] + row[place] + [0x20]
            }
        }
        if isOdd, isOne(in: 30) { row = Array(row.prefix(pick(Array(0...row.count)))) }
        if isOdd, isOne(in: 30) { row.append(pick([[], [0x78], [0x20]])) }
        return row
    }

    private mutating func vary(_ cell: inout [UInt8]) {
        for place in cell.indices where cell[place] &- 0x30 < 10 && isOne(in: 2) {
            cell[place] = 0x30 + UInt8(random.next() % 10)
        }
    }

    private mutating func isOne(in count: UInt64) -> Bool { random.next() % count == 0 }

    private mutating func pick<Element>(_ list: [Element]) -> Element {
        list[Int(random.next() % UInt64(max(1, list.count)))]
    }
}
