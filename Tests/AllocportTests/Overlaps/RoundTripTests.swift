import Allocport
import Delimited
import Importing
import TestSupport
import Testing

/// A line that is broken comes back in `rejects/`; corrected there and converted alone, it gives what it would have given.
@Suite struct RoundTripTests {
    /// How a sample is written before it is broken.
    enum Form: CaseIterable {
        case asItIs, utf16, utf16BigEndian, windows1252, carriageReturns

        func bytes(_ text: [UInt8]) -> [UInt8]? {
            switch self {
            case .asItIs: return text
            case .utf16: return TextEncoding.utf16LE.byteOrderMark + TextEncoding.utf16LE.encode(text)
            case .utf16BigEndian: return TextEncoding.utf16BE.byteOrderMark + TextEncoding.utf16BE.encode(text)
            case .windows1252:
                let bytes = TextEncoding.windows1252.encode(text)
                return TextDecoder.decode(bytes, as: .windows1252) == text ? bytes : nil
            case .carriageReturns: return Lines(text).lines.flatMap { Lines.text($0) + [0x0D, 0x0A] }
            }
        }
    }

    @Test func brokenLinesComeBack() async throws {
        let tried = try await timesTried(over: Sample.all) { try Self.brokenLinesComeBack($0) }
        #expect(tried > 600)
    }

    /// How often it was tried on a sample.
    private static func brokenLinesComeBack(_ sample: Sample) throws -> Int {
        guard let whole = try Dissected(sample) else { return 0 }
        var tried = 0
        var random = SplitMix64(seed: UInt64(whole.lines.lines.count) &* 31)
        let candidates = whole.records.indices.filter { index in
            let verdict = whole.records[index].verdict
            return verdict.outcome == .accepted && verdict.rows.contains("openalloc/transaction")
        }
        for form in [.asItIs] + Form.allCases.shuffled(using: &random).prefix(Sample.effort) {
            for index in candidates.shuffled(using: &random).prefix(Sample.effort) {
                if try roundTrip(whole, index, form, &random) { tried += 1 }
            }
        }
        return tried
    }

    /// Whether a cell was found whose damage makes the line a reject.
    private static func roundTrip(
        _ whole: Dissected, _ index: Int, _ form: Form, _ random: inout SplitMix64
    ) throws -> Bool {
        let record = whole.records[index]
        // The first cell whose damage makes the line a reject is good enough: not every cell is read.
        for cell in 0..<12 {
            guard let line = broken(whole, record.lines, cell: cell, &random) else { continue }
            // A quoted cell may hold line ends.
            let broken = form == .carriageReturns ? form.bytes(line) ?? line : line
            guard let bytes = form.bytes(text(whole, replacing: record.lines, by: broken))
            else { continue }
            let first = try convert(whole, bytes, importer: whole.whole.firstInput?.importer)
            guard let own = first.bytes("rejects/" + whole.name),
                first.rejects["line"].contains(String(record.verdict.line))
            else { continue }
            try check(whole, record.lines, broken, form, source: bytes, first, own)
            return true
        }
        return false
    }

    private static func check(
        _ whole: Dissected, _ lines: Range<Int>, _ broken: [UInt8], _ form: Form, source: [UInt8], _ first: Converted,
        _ own: [UInt8]
    ) throws {
        #expect(first.isWhole)
        // The same encoding, and no line that the input does not have.
        let looked = try InputSample(MemoryInput(name: whole.name, bytes: source))
        let again = try InputSample(MemoryInput(name: whole.name, bytes: own))
        #expect(again.encoding == looked.encoding || looked.encoding == .windows1252)
        #expect(again.dialect.delimiter == looked.dialect.delimiter)
        if form == .utf16 || form == .utf16BigEndian { #expect(own.prefix(2) == source.prefix(2)) }
        let text = TextDecoder.decode(own, as: looked.encoding)
        let known = Set(Lines(TextDecoder.decode(source, as: looked.encoding)).lines.map(ended))
        #expect(Lines(text).lines.map(ended).filter { !known.contains($0) } == [], "\(whole.name)")
        // Corrected and converted by itself.
        let good = Array(whole.lines.lines[lines].joined())
        guard let place = text.firstRange(of: Lines.text(broken)) else {
            Issue.record("the broken line is not in the reject file")
            return
        }
        var fixed = text
        fixed.replaceSubrange(place, with: Lines.text(good))
        if fixed.starts(with: [0xEF, 0xBB, 0xBF]) { fixed.removeFirst(3) }
        let encoded = form == .asItIs || form == .carriageReturns ? fixed : form.bytes(fixed) ?? fixed
        let second = try convert(whole, encoded)
        #expect(second.firstInput?.importer == first.firstInput?.importer)
        let rows = first.transactions.content + second.transactions.content
        #expect(
            difference(whole.whole.transactions.content, rows) == [],
            "\(whole.name), \(form), line \(lines.lowerBound + 1): \(String(decoding: broken, as: UTF8.self))\n\(String(decoding: fixed, as: UTF8.self))"
        )
    }

    /// A line's bytes with the one end that all are compared with.
    private static func ended(_ line: [UInt8]) -> [UInt8] { Lines.text(line) + [0x0A] }

    static func convert(_ whole: Dissected, _ texts: [[UInt8]]) throws -> Converted {
        try convertBuiltIn(texts.map { (whole.name, $0) }) { $0.account = whole.account }
    }

    private static func convert(_ whole: Dissected, _ bytes: [UInt8], importer: String? = nil) throws -> Converted {
        try convertBuiltIn([(whole.name, bytes)]) {
            $0.account = whole.account
            $0.importerID = importer
        }
    }

    static func text(_ whole: Dissected, replacing lines: Range<Int>, by bytes: [UInt8]) -> [UInt8] {
        var text = Array(whole.lines.lines[..<lines.lowerBound].joined())
        text += bytes
        text += whole.lines.lines[lines.upperBound...].joined()
        return text
    }

    private static let damages = ["12 shares of 34", "31/02/2021x", "??", "Zorblatt", "9z9"]

    /// The record with one cell that says nothing sensible; nil when it has not so many cells.
    static func broken(
        _ whole: Dissected, _ lines: Range<Int>, cell: Int, _ random: inout SplitMix64
    ) -> [UInt8]? {
        let bytes = Array(whole.lines.lines[lines].joined())
        let delimiter = delimiter(whole)
        var cells: [[UInt8]] = [[]]
        var isQuoted = false
        for byte in Lines.text(bytes) {
            if byte == 0x22 { isQuoted.toggle() }
            if byte == delimiter, !isQuoted {
                cells.append([])
            } else {
                cells[cells.count - 1].append(byte)
            }
        }
        guard cell < cells.count, cells[cell].count > 0 else { return nil }
        let damage = Array((damages.randomElement(using: &random) ?? "??").utf8)
        cells[cell] = cells[cell].first == 0x22 ? [0x22] + damage + [0x22] : damage
        return Array(cells.joined(separator: [delimiter])) + bytes.suffix(bytes.count - Lines.text(bytes).count)
    }

    private static func delimiter(_ whole: Dissected) -> UInt8 {
        (try? InputSample(MemoryInput(name: whole.name, bytes: whole.piece { _ in true })))?.dialect.delimiter ?? 0x2C
    }
}
