import CByteMask
import TestSupport
import Testing

@testable import Delimited

/// What is plain text at one look is so byte by byte, and of one encoding and dialect.
@Suite struct PlainTextTests {
    /// The same in every way.
    private static func isPlain(_ bytes: [UInt8]) -> Bool {
        let found = bytes.withUnsafeBytes { PlainText.isPlain($0) }
        bytes.withUnsafeBufferPointer { bytes in
            guard let base = bytes.baseAddress else { return }
            for way in 1...separator_scan_ways() { #expect(plain_text_in_way(way, base, bytes.count) == found) }
        }
        return found
    }

    @Test func agreesWithLookingAtEachByte() {
        var random = SplitMix64(seed: 5)
        let odd: [UInt8] = [0, 9, 13, 0x1F, 0x3B, 0x3C, 0x7C, 0x7F, 0x80, 0xC3, 0xFF]
        for _ in 0..<5_000 {
            let count = Int(random.next() % 150)
            var bytes = (0..<count).map { _ -> UInt8 in
                let byte = 0x20 + UInt8(random.next() % 0x5F)
                return [0x3B, 0x3C, 0x7C].contains(byte) ? 0x0A : byte
            }
            #expect(Self.isPlain(bytes))
            if count == 0 { continue }
            bytes[Int(random.next() % UInt64(count))] = odd[Int(random.next() % UInt64(odd.count))]
            #expect(!Self.isPlain(bytes))
        }
    }

    @Test func isOfOneEncodingAndDialect() {
        var random = SplitMix64(seed: 6)
        for _ in 0..<2_000 {
            let bytes = (0..<60).map { _ -> UInt8 in [0x41, 0x2C, 0x22, 0x0A, 0x20, 0x31][Int(random.next() % 6)] }
            #expect(Self.isPlain(bytes))
            #expect(EncodingDetector.detect(bytes, isWhole: true) == .text(.utf8, bomLength: 0))
            #expect(DialectSniffer.sniff(bytes) == .csv)
        }
    }
}

/// What a clean record tells of its cells' first bytes is what the cells say.
@Suite struct OpeningTests {
    @Test func agreesWithTheCells() {
        var random = SplitMix64(seed: 7)
        let pieces = ["", "1", "a", "\"\"", "\"1,2\"", "\"b\"", " ", "-1", "$", "\"-\"", "=x", "é"]
        let values: [UInt8] = Array("0123456789$-+(.".utf8)
        var openings: UInt64 = 0
        for byte in values { openings |= 1 << UInt64(byte) }
        for _ in 0..<2_000 {
            let cells = (0..<(1 + Int(random.next() % 9))).map { _ in pieces[Int(random.next() % 12)] }
            let bytes = Array((cells.joined(separator: ",") + "\n").utf8)
            let block = ByteBlock(capacity: bytes.count)
            block.tail.copyBytes(from: bytes)
            block.advance(by: bytes.count)
            var reader = BlockReader(dialect: .csv)
            reader.read(block, line: 1) { (record: borrowing CleanRecord) in
                var filled = 0
                var among = 0
                for index in -1...record.count {
                    let first = record.cell(index).first
                    #expect(record.opening(index) == first ?? 0)
                    if let first {
                        filled += 1
                        if values.contains(first) { among += 1 }
                    }
                }
                #expect(record.opensOften(with: openings) == (among * 4 > filled))
                return true
            } leave: { _ in
            }
        }
    }
}

/// Lines that are told to be rows of values are so, record by record; and ordinary ones are told.
@Suite struct ValueLinesTests {
    /// `- + ( .` and digits.
    private static let openings: UInt64 = 0x03FF_6900_0000_0000

    /// What the records' cells say.
    private static func areValues(_ bytes: [UInt8], _ dialect: Dialect, _ seconds: [Bool]) -> Bool {
        let lines = bytes.last == 0x0A ? bytes : bytes + [0x0A]
        let block = ByteBlock(capacity: lines.count)
        block.tail.copyBytes(from: lines)
        block.advance(by: lines.count)
        var areValues = true
        var reader = BlockReader(dialect: dialect)
        reader.read(block, line: 1) { (record: borrowing CleanRecord) in
            let isDigit = record.opening(0) &- 0x30 < 10
            let second = record.opening(1)
            let isSpared = second == 0 || seconds.isEmpty || !seconds[Int(second)]
            areValues = areValues && isDigit && isSpared && record.opensOften(with: openings)
            return true
        } leave: { _ in
            areValues = false
        }
        return areValues
    }

    /// The same in every way.
    private static func areSure(_ bytes: [UInt8], _ dialect: Dialect, _ seconds: [Bool] = []) -> Bool {
        let found = bytes.withUnsafeBytes { ValueLines.areSure($0, dialect, butForSeconds: seconds) }
        bytes.withUnsafeBufferPointer { bytes in
            guard let base = bytes.baseAddress, seconds.isEmpty else { return }
            for way in 1...separator_scan_ways() {
                #expect(value_lines_in_way(way, base, bytes.count, dialect.delimiter, dialect.quote, nil) == found)
            }
        }
        return found
    }

    private static let dialects: [Dialect] = [
        .csv, Dialect(delimiter: UInt8(ascii: ";")), Dialect(delimiter: UInt8(ascii: "\t"), quote: UInt8(ascii: "'")),
    ]

    @Test(arguments: dialects) func isSureOfNothingElse(_ dialect: Dialect) {
        var random = SplitMix64(seed: 11)
        let (delimiter, quote) = (dialect.delimiter, dialect.quote)
        let pieces: [[UInt8]] = [
            [delimiter], [delimiter], [delimiter], [0x0A], [quote], [quote], [0x0D, 0x0A], [0x0D], [0], [0x80],
            Array("1".utf8),
            Array("12/01/2024".utf8), Array("-5.00".utf8), Array("(7".utf8), Array("a text".utf8), [delimiter, quote],
            [quote, delimiter], Array("\n3".utf8), Array("\n4".utf8), Array("x".utf8),
        ]
        var seconds = [Bool](repeating: false, count: 256)
        for byte in [0x33, 0x78, delimiter, quote, 0x0D, 0x0A] as [UInt8] { seconds[Int(byte)] = true }
        var sure = 0
        for _ in 0..<60_000 {
            var bytes = Array("1".utf8)
            let count = Int(random.next() % 40)
            // Odd bytes are rare in most texts.
            let kinds = random.next() % 4 == 0 ? UInt64(pieces.count) : 3
            for _ in 0..<count {
                let piece = Int(random.next() % kinds)
                bytes += pieces[kinds == 3 && piece == 0 ? 10 + Int(random.next() % 10) : piece]
            }
            let chosen = random.next() % 3 == 0 ? seconds : []
            let isSure = Self.areSure(bytes, dialect, chosen)
            if isSure { sure += 1 }
            #expect(!isSure || Self.areValues(bytes, dialect, chosen), "\(String(decoding: bytes, as: UTF8.self))")
        }
        #expect(sure > 6000)
    }

    /// Where a line or a cell ends within 64 bytes makes no difference, and one byte that is odd is found at every place.
    @Test(arguments: dialects) func isSureOfOrdinaryRows(_ dialect: Dialect) {
        let (delimiter, quote) = (dialect.delimiter, dialect.quote)
        let row = ["12/01/2024", "Roth, IRA", "", "BUY", "ACME", "10", "-5.25", "(3)", ".5", ""].map { Array($0.utf8) }
        let line = Array(row.map { $0.count == 9 ? [quote] + $0 + [quote] : $0 }.joined(separator: [delimiter]))
        for ending in [[0x0A], [0x0D, 0x0A]] as [[UInt8]] {
            for length in 0..<130 {
                var bytes: [UInt8] = []
                for number in 0..<4 {
                    bytes += line + [delimiter] + [UInt8](repeating: 0x61, count: number == 1 ? length : 3) + ending
                }
                #expect(Self.areSure(bytes, dialect))
                #expect(Self.areSure(Array(bytes.dropLast(ending.count)), dialect))
                #expect(Self.areValues(bytes, dialect, []))
                var others = [Bool](repeating: true, count: 256)
                others[quote == 0x22 ? 0x22 : 0x27] = false
                #expect(!Self.areSure(bytes, dialect, others))
                var odd = bytes
                odd[length * 2] = length % 2 == 0 ? 0 : 0xC3
                #expect(!Self.areSure(odd, dialect))
            }
        }
    }

    @Test func looksAtSecondCells() {
        var seconds = [Bool](repeating: true, count: 256)
        for byte in UInt8(ascii: "A")...UInt8(ascii: "G") { seconds[Int(byte)] = false }
        for pad in 0..<70 {
            let tail = ",1" + String(repeating: "1", count: pad)
            for (cells, isSure) in [("1,A\n2,G\n", true), ("1,A\n2,H\n", false), ("1,,H\n", true), ("1\n2\n", true)] {
                let text = cells.replacing("\n", with: tail + "\n")
                // A line of one cell gets a second one.
                #expect(Self.areSure(Array(text.utf8), .csv, seconds) == (isSure && !cells.hasPrefix("1\n")), "\(text)")
            }
        }
    }

    @Test func isNotSureOfTexts() {
        let texts = [
            "Date,1,2,3\n", "1,a,b,c\n", "1,2\n\n3,4\n", "1,2\n,3\n", "1,\"2\n3\"\n", "1,\"2\"3\n", "1,2\"\n",
            "1,2\rx\n",
            "1,a,\"x,-2,-3,-4\",b,c,d\n",
        ]
        for text in texts { #expect(!Self.areSure(Array(text.utf8), .csv), "\(text)") }
    }
}
