import TestSupport
import Testing

@testable import Delimited

@Suite struct ReadingProperties {
    static let dialects = [Dialect.csv, .semicolon, .tsv, Dialect(delimiter: 0x7C, quote: 0x27)]
    static let chunks = [1, 2, 3, 7, 64, 4096]

    /// The fast path gives what the scalar grammar gives, for any chunks; so does a small `maxRecordBytes`.
    @Test(arguments: 0..<8)
    func fastEqualsScalarForAllChunks(_ seed: Int) {
        var random = SplitMix64(seed: UInt64(seed))
        for round in 0..<iterations(150) {
            let dialect = Self.dialects[round % 4]
            let alphabet = round % 3 == 0 ? tame : round % 3 == 1 ? hostile : tame + hostile
            let pieces = Int.random(in: 0...120, using: &random)
            let bytes = hostileBytes(&random, pieces: pieces, alphabet: alphabet)
            let max = [1 << 20, 16, 40, 200][Int.random(in: 0...3, using: &random)]
            let expected = records(bytes, dialect: dialect, max: max, fast: false)
            #expect(records(bytes, dialect: dialect, max: max) == expected)
            for chunk in Self.chunks {
                let found = records(bytes, dialect: dialect, chunk: chunk, max: max)
                if found != expected {
                    Issue.record("seed \(seed) round \(round) chunk \(chunk) max \(max): \(found) \(expected) \(bytes)")
                    return
                }
            }
        }
    }

    /// Both give what the model gives, where the input is valid UTF-8.
    @Test(arguments: 0..<8)
    func scalarEqualsModel(_ seed: Int) {
        var random = SplitMix64(seed: UInt64(seed) &+ 1000)
        let alphabet = hostile.filter { String(validating: $0, as: UTF8.self) != nil && $0 != [0xEF, 0xBB, 0xBF] }
        for round in 0..<iterations(400) {
            let dialect = Self.dialects[round % 4]
            let pieces = Int.random(in: 0...40, using: &random)
            let bytes = hostileBytes(&random, pieces: pieces, alphabet: alphabet)
            let expected = ModelReader(bytes: bytes, dialect: dialect).read()
            let found = records(bytes, dialect: dialect, fast: false).map {
                ModelReader.Line(cells: $0.cells, raw: $0.raw, line: $0.line, lines: $0.lines, flags: $0.flags)
            }
            if found != expected {
                Issue.record("seed \(seed) round \(round): \(found) expected \(expected) of \(bytes)")
                return
            }
        }
    }

    /// Every byte is in exactly one record or line end, and raw cells with delimiters make the raw record.
    @Test(arguments: 0..<4)
    func nothingIsLost(_ seed: Int) {
        var random = SplitMix64(seed: UInt64(seed) &+ 2000)
        for _ in 0..<iterations(200) {
            let bytes = hostileBytes(
                &random, pieces: 60, alphabet: hostile.filter { String(validating: $0, as: UTF8.self) != nil })
            let found = records(bytes)
            var position = 0
            while bytes[position...].starts(with: [0xEF, 0xBB, 0xBF]) { position += 3 }
            let bom = position
            var line = 1
            for record in found {
                #expect(record.line == line)
                #expect(record.offset == position - bom && record.sourceOffset == position)
                #expect(Array(bytes[position...].prefix(record.raw.count)) == record.raw)
                #expect(Array(record.rawCells.joined(separator: [0x2C])) == record.raw)
                position += record.raw.count
                let next = bytes[position...].prefix(3)
                if next.starts(with: [13, 13, 10]) {
                    position += 3
                } else if next.starts(with: [13, 10]) {
                    position += 2
                } else if let byte = next.first {
                    #expect(byte == 10 || byte == 13)
                    position += 1
                }
                line += record.lines
            }
            #expect(position == bytes.count)
        }
    }
}
