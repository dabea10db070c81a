import TestSupport
import Testing

@testable import Delimited

/// The code pages of East Asia and Israel.
@Suite struct CodePageTests {
    /// FNV-1a of pairs and what they mean, as `generate-code-pages.py` makes it.
    private static func mix(_ state: inout UInt64, _ pair: [UInt8], _ value: UInt32) {
        for byte in pair + [UInt8(value >> 8), UInt8(value & 0xFF)] {
            state = (state ^ UInt64(byte)) &* 0x100_0000_01B3
        }
    }

    private static func decode(_ bytes: [UInt8], _ encoding: TextEncoding) -> (text: [UInt8], invalid: [Int]) {
        var decoder = TextDecoder(encoding: encoding)
        var text: [UInt8] = []
        var invalid: [Int] = []
        bytes.withUnsafeBytes { decoder.decode($0, isLast: true, into: &text, invalid: &invalid) }
        return (text, invalid)
    }

    /// Every pair means what Python says, or nothing; what means one thing only is written as it was read.
    @Test(arguments: CodePageFacts.all)
    func allPairs(_ facts: CodePageFacts) throws {
        let page = try #require(facts.encoding.pairs)
        var (read, written): (UInt64, UInt64) = (0xCBF2_9CE4_8422_2325, 0xCBF2_9CE4_8422_2325)
        var count = 0
        for lead in UInt8(0x81)...0xFE where page.isLead(lead) {
            for trail in UInt8.min...UInt8.max {
                let pair = [lead, trail]
                let (text, invalid) = Self.decode(pair, facts.encoding)
                guard let value = page.codePoint(lead, trail) else {
                    // What ends a line or a cell is kept.
                    #expect(invalid.first == 0 && (trail >= 0x80 || text.last == trail))
                    continue
                }
                count += 1
                #expect(invalid.isEmpty && Array(String(decoding: text, as: UTF8.self).unicodeScalars).count == 1)
                #expect(trail >= 0x40 && !(0xE000..<0xF900).contains(value))
                Self.mix(&read, pair, value)
                let again = facts.encoding.encode(text)
                #expect(Self.decode(again, facts.encoding).text == text)
                if again == pair { Self.mix(&written, pair, value) }
            }
        }
        #expect(count == facts.pairs && read == facts.read && written == facts.written, "\(facts.encoding)")
    }

    @Test(arguments: CodePageFacts.all)
    func texts(_ facts: CodePageFacts) {
        for (text, hex) in facts.texts {
            let digits = Array(hex)
            let bytes = stride(from: 0, to: digits.count, by: 2).compactMap {
                UInt8(String(digits[$0..<$0 + 2]), radix: 16)
            }
            #expect(facts.encoding.encode(Array(text.utf8)) == bytes)
            #expect(TextDecoder.decode(bytes, as: facts.encoding) == Array(text.utf8))
            #expect(EncodingDetector.rarer(bytes, isWhole: true).contains(facts.encoding))
            // Cut off in the middle it may still be.
            for end in 1...bytes.count where bytes[..<end].contains(where: { $0 >= 0x80 }) {
                #expect(EncodingDetector.rarer(Array(bytes[..<end])).contains(facts.encoding))
            }
        }
    }

    static let undecodable: [(encoding: TextEncoding, bytes: [UInt8], text: String, invalid: Int)] = [
        (.shiftJIS, [0x96, 0xF1, 0x80, 0x61], "約\u{FFFD}a", 1),
        (.shiftJIS, [0xA0, 0xFD, 0xFF, 0xB1], "\u{FFFD}\u{FFFD}\u{FFFD}ｱ", 3),
        // The pair is for private use.
        (.shiftJIS, [0xF0, 0x40, 0x2C], "\u{FFFD}@,", 1),
        (.shiftJIS, [0x83, 0x7C, 0x7C, 0x83, 0x5C], "ポ|ソ", 0),
        (.gbk, [0x80, 0x81], "€\u{FFFD}", 1),
        (.gbk, [0xC8, 0xD5, 0xFF, 0x22, 0xC8, 0x0A, 0xC8, 0xD5], "日\u{FFFD}\"\u{FFFD}\n日", 2),
        // A character of four bytes.
        (.gbk, [0x81, 0x30, 0x81, 0x30, 0x2C], "\u{FFFD}0\u{FFFD}0,", 2),
        (.eucKR, [0xB0, 0x2C, 0xB0, 0xC5, 0xC9, 0xFE, 0x61], "\u{FFFD},거\u{FFFD}a", 2),
        (.big5, [0xA4, 0xE9, 0x81, 0x40, 0xFA, 0xFE], "日\u{FFFD}@\u{FFFD}", 2),
        (.windows1255, [0xFA, 0xE0, 0xF8, 0xE9, 0xEA, 0xA4, 0xD9, 0xFF], "תאריך₪\u{FFFD}\u{FFFD}", 2),
    ]

    @Test(arguments: undecodable)
    func whatIsNoCharacter(_ example: (encoding: TextEncoding, bytes: [UInt8], text: String, invalid: Int)) {
        for size in [1, 2, 3, 100] {
            let (output, places, count) = decoded(example.bytes, example.encoding, inPiecesOf: size)
            #expect(String(validating: output, as: UTF8.self) == example.text)
            #expect(places.count == example.invalid && count == example.invalid)
        }
        // It is written so that it is none again, however often.
        let written = example.encoding.encodeUndecodable(Array(example.text.utf8))
        let again = Self.decode(written, example.encoding)
        #expect(String(decoding: again.text, as: UTF8.self) == example.text && again.invalid.count == example.invalid)
    }

    /// What a page has no character for.
    @Test(arguments: [TextEncoding.shiftJIS, .gbk, .eucKR, .big5, .windows1255])
    func whatCannotBeWritten(_ encoding: TextEncoding) {
        #expect(encoding.encode(Array("a😀ñ,".utf8)) == Array("a??,".utf8))
        #expect(encoding.byteOrderMark.isEmpty && !encoding.isWide)
    }

    /// Bytes that second bytes of pairs may be are no delimiters there; lines and offsets are those of the text.
    @Test(arguments: [TextEncoding.shiftJIS, .gbk, .big5])
    func delimitersWithinPairs(_ encoding: TextEncoding) {
        let text: String
        switch encoding {
        case .shiftJIS: text = "ポート|\"ソ,\n表\"|x\nゼロ|能|ー\n"
        case .gbk: text = "東|\"俓\n|\"|x\n榺|質|\n"
        default: text = "育|\"功,\n許\"|x\n尐|四|\n"
        }
        let bytes = encoding.encode(Array(text.utf8))
        #expect(bytes.count { $0 == 0x7C } > text.utf8.count { $0 == 0x7C }, "it tests nothing")
        let dialect = DialectSniffer.sniff(TextDecoder.decode(bytes, as: encoding), isWhole: true)
        #expect(dialect.delimiter == 0x7C)
        let wanted = records(Array(text.utf8), dialect: dialect)
        for chunk in [Int.max, 1, 2, 3] {
            let found = records(bytes, dialect: dialect, encoding: encoding, chunk: chunk)
            #expect(found.map(\.texts) == wanted.map(\.texts))
            #expect(found.map(\.line) == wanted.map(\.line) && found.map(\.offset) == wanted.map(\.offset))
            #expect(found.allSatisfy { $0.sourceOffset == nil && $0.flags == [] })
        }
    }

    /// Bytes that are text in none of them, and text that is not told apart by its bytes.
    @Test func candidates() {
        #expect(EncodingDetector.rarer(Array("Date,Amount\n".utf8), isWhole: true) == [])
        #expect(EncodingDetector.rarer([0x61, 0xFF, 0x0A], isWhole: true) == [])
        #expect(EncodingDetector.rarer(TextEncoding.windows1252.encode(Array("Gebühr,Währung".utf8))).count < 6)
        let hebrew = TextEncoding.windows1255.encode(Array("תאריך,סכום".utf8))
        #expect(EncodingDetector.rarer(hebrew, isWhole: true).contains(.windows1255))
    }
}
