import TestSupport
import Testing

@testable import Delimited

@Suite struct WritingRules {
    static let cells: [(cell: String, csv: String, tsv: String)] = [
        ("", "", ""), ("a", "a", "a"), ("a,b", "\"a,b\"", "a,b"), ("a\tb", "a\tb", "\"a\tb\""),
        ("say \"x\"", "\"say \"\"x\"\"\"", "\"say \"\"x\"\"\""), ("a\nb", "\"a\nb\"", "\"a\nb\""),
        ("a\rb", "\"a\rb\"", "\"a\rb\""), (" a", "\" a\"", "\" a\""), ("a ", "\"a \"", "\"a \""),
        (" ", "\" \"", "\" \""),
        ("a b", "a b", "a b"), ("\u{FEFF}a", "\"\u{FEFF}a\"", "\"\u{FEFF}a\""), ("é€", "é€", "é€"),
    ]

    @Test(arguments: cells)
    func quoting(_ example: (cell: String, csv: String, tsv: String)) {
        var output: [UInt8] = []
        RFC4180.appendCell(example.cell, to: &output)
        #expect(String(decoding: output, as: UTF8.self) == example.csv)
        output = []
        RFC4180.appendCell(example.cell, to: &output, delimiter: 0x09)
        #expect(String(decoding: output, as: UTF8.self) == example.tsv)
    }

    /// A byte that needs quotes is seen wherever it stands, one that does not is not.
    @Test func everyPlaceAndByte() {
        for length in [1, 7, 8, 9, 16, 23] {
            for place in 0..<length {
                for byte in UInt8(0)..<0x80 {
                    var cell = [UInt8](repeating: 0x78, count: length)
                    cell[place] = byte
                    let isAtEdge = place == 0 || place == length - 1
                    let expected =
                        [0x2C, 0x22, 0x0A, 0x0D].contains(byte) || isAtEdge && [0x20, 0x09].contains(byte)
                    let found = cell.withUnsafeBytes { RFC4180.needsQuotes($0, delimiter: 0x2C, quote: 0x22) }
                    if found != expected { Issue.record("byte \(byte) at \(place) of \(length)") }
                }
            }
        }
    }

    static let risky: [(cell: String, safe: String)] = [
        ("=1+1", "'=1+1"), ("+x", "'+x"), ("-x", "'-x"), ("@SUM(A1)", "'@SUM(A1)"), ("\tx", "\"'\tx\""),
        ("\rx", "\"'\rx\""), ("-1", "-1"), ("+1,234.56", "\"+1,234.56\""), ("-.5", "-.5"), ("-", "'-"),
        ("-1+cmd", "'-1+cmd"), ("a=b", "a=b"), ("=a,b", "\"'=a,b\""), ("", ""),
    ]

    @Test(arguments: risky)
    func formulas(_ example: (cell: String, safe: String)) {
        var output: [UInt8] = []
        RFC4180.appendCell(example.cell, to: &output, csvSafe: true)
        #expect(String(decoding: output, as: UTF8.self) == example.safe)
    }

    @Test func rows() {
        var writer = DelimitedWriter()
        writer.cell("a")
        writer.cell(Array("b\"".utf8))
        writer.endRow()
        writer.cell("")
        writer.endRow()
        writer.cell("")
        writer.cell("")
        writer.endRow()
        writer.endRow()
        #expect(String(decoding: writer.bytes, as: UTF8.self) == "a,\"b\"\"\"\n\"\"\n,\n\n")
        writer.removeAll()
        #expect(writer.bytes.isEmpty)
    }

    /// What is written is read again, byte for byte, whatever the text, the dialect and the chunks.
    @Test(arguments: 0..<8)
    func roundTrip(_ seed: Int) {
        var random = SplitMix64(seed: UInt64(seed))
        let alphabet = hostile.filter { String(validating: $0, as: UTF8.self) != nil }
        for round in 0..<iterations(150) {
            var dialect = ReadingProperties.dialects[round % 4]
            dialect.lineEnding = Dialect.LineEnding.allCases[round % 3]
            var table: [[[UInt8]]] = []
            var output: [UInt8] = []
            var writer = DelimitedWriter(dialect: dialect)
            for _ in 0..<Int.random(in: 0...6, using: &random) {
                var row: [[UInt8]] = []
                for _ in 0..<Int.random(in: 0...6, using: &random) {
                    let pieces = Int.random(in: 0...6, using: &random)
                    row.append(hostileBytes(&random, pieces: pieces, alphabet: alphabet))
                }
                table.append(row)
                RFC4180.appendRow(row, to: &output, dialect: dialect)
                for cell in row { writer.cell(cell) }
                writer.endRow()
            }
            #expect(writer.bytes == output)
            for chunk in [Int.max, 1, 3] {
                let found = records(output, dialect: dialect, chunk: chunk)
                if found.map(\.cells) != table {
                    Issue.record("seed \(seed) round \(round): \(found) for \(table)")
                    return
                }
                #expect(found.allSatisfy { $0.flags.isSubset(of: [.nul, .hidesRecords]) })
            }
        }
    }
}
