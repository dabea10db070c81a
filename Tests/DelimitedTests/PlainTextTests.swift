import TestSupport
import Testing

@testable import Delimited

/// What is plain text at one look is so byte by byte, and of one encoding and dialect.
@Suite struct PlainTextTests {
    private static func isPlain(_ bytes: [UInt8]) -> Bool { bytes.withUnsafeBytes { PlainText.isPlain($0) } }

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
