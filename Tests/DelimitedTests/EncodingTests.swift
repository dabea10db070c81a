import TestSupport
import Testing

@testable import Delimited

@Suite struct Encodings {
    static let kinds: [(bytes: [UInt8], kind: ContentKind)] = [
        ([], .text(.utf8, bomLength: 0)),
        (Array("a,b\n".utf8), .text(.utf8, bomLength: 0)),
        ([0xEF, 0xBB, 0xBF, 0x61], .text(.utf8, bomLength: 3)),
        ([0xFF, 0xFE, 0x61, 0x00], .text(.utf16LE, bomLength: 2)),
        ([0xFE, 0xFF, 0x00, 0x61], .text(.utf16BE, bomLength: 2)),
        (TextEncoding.utf16LE.encode(Array("Datum;Köp\n".utf8)), .text(.utf16LE, bomLength: 0)),
        (TextEncoding.utf16BE.encode(Array("Datum;Köp\n".utf8)), .text(.utf16BE, bomLength: 0)),
        (Array("Gebühr".utf8), .text(.utf8, bomLength: 0)),
        (TextEncoding.windows1252.encode(Array("Gebühr €".utf8)), .text(.windows1252, bomLength: 0)),
        // Central European: proven by letters within words.
        (
            TextEncoding.windows1250.encode(Array("data;tytuł operacji;szczegóły".utf8)),
            .text(.windows1250, bomLength: 0)
        ),
        (TextEncoding.windows1250.encode(Array("data;ilość;wartość".utf8)), .text(.windows1250, bomLength: 0)),
        (
            TextEncoding.windows1250.encode(Array("Datum obchodu;Směr;Počet;Měna".utf8)),
            .text(.windows1250, bomLength: 0)
        ),
        (TextEncoding.windows1250.encode(Array("Sklep spożywczy".utf8)), .text(.windows1250, bomLength: 0)),
        (TextEncoding.windows1250.encode(Array("splátky, choť a pouť".utf8)), .text(.windows1250, bomLength: 0)),
        (TextEncoding.windows1250.encode(Array("OPŁATA ŻÓŁTA".utf8)), .text(.windows1250, bomLength: 0)),
        (TextEncoding.windows1250.encode(Array("może".utf8)), .text(.windows1250, bomLength: 0)),
        // What Western texts have of the same bytes.
        (
            TextEncoding.windows1252.encode(Array("Lloyd¿s, don¿t, we¿ll; Price£value, a¥b, é".utf8)),
            .text(.windows1252, bomLength: 0)
        ),
        (
            TextEncoding.windows1252.encode(Array("Grundstück 5 m³, ¿Qué? œuvre, Lunedì, sì; £5, ¥6".utf8)),
            .text(.windows1252, bomLength: 0)
        ),
        (
            TextEncoding.windows1252.encode(Array("Value (£),Note¹,½ year,Fête,Ærø,São".utf8)),
            .text(.windows1252, bomLength: 0)
        ),
        // A line of another file within UTF-8; two characters prove less than that.
        (Array("Zürich;Société;Größe;Genève\n".utf8) + [0x4E, 0xE9, 0x0A], .text(.utf8, bomLength: 0)),
        (Array("1 é;2 é\n".utf8) + [0x4E, 0xE9, 0x0A], .text(.windows1252, bomLength: 0)),
        ([0x61, 0xC3], .text(.utf8, bomLength: 0)),
        ([0x61, 0xC3, 0x61], .text(.windows1252, bomLength: 0)),
        (Array("abcdefghijklmnopqrstuvwxyz\0".utf8), .text(.utf8, bomLength: 0)),
        (Array("PK\u{3}\u{4}xyz".utf8), .binary(.zip)), (Array("%PDF-1.7".utf8), .binary(.pdf)),
        ([0x1F, 0x8B, 8], .binary(.gzip)), ([0, 5, 0x16, 7, 0, 2], .binary(.appleDouble)),
        ([0xD0, 0xCF, 0x11, 0xE0, 0xA1, 0xB1, 0x1A, 0xE1], .binary(.compoundFile)),
        ([1, 2, 3, 4, 0, 0, 0, 9], .binary(.unknown)),
        (Array("PKG,1\n".utf8), .text(.utf8, bomLength: 0)),
    ]

    @Test(arguments: kinds)
    func detection(_ example: (bytes: [UInt8], kind: ContentKind)) {
        #expect(EncodingDetector.detect(example.bytes) == example.kind)
    }

    /// Control bytes are counted eight bytes at a time; the first 4096 decide.
    @Test func controlBytesAreCounted() {
        var random = SplitMix64(seed: 7)
        for round in 0..<iterations(2_000) {
            let length = round < 1_900 ? round % 90 : 4_090 + round % 20
            let share = UInt64(1 + round % 40)
            let bytes = (0..<length).map { _ -> UInt8 in
                random.next() % share == 0 ? UInt8(1 + random.next() % 0x1F) : UInt8(0x20 + random.next() % 0x5F)
            }
            let signs = bytes.prefix(4_096).count { $0 < 0x20 && !(9...13).contains($0) && $0 != 26 && $0 != 27 }
            let isBinary = signs * 16 > min(length, 4_096)
            #expect(EncodingDetector.detect(bytes) == (isBinary ? .binary(.unknown) : .text(.utf8, bomLength: 0)))
        }
    }

    @Test func aCutCharacterIsAllowedOnlyInAPrefix() {
        #expect(EncodingDetector.detect([0x61, 0xE2, 0x82]) == .text(.utf8, bomLength: 0))
        #expect(EncodingDetector.detect([0x61, 0xE2, 0x82], isWhole: true) == .text(.windows1252, bomLength: 0))
    }

    static let decodings: [(encoding: TextEncoding, bytes: [UInt8], text: String, invalid: Int)] = [
        (.utf8, [0x61, 0xFF, 0x62], "aÿb", 1),
        (.utf8, [0x80, 0xC3], "€Ã", 2),
        (.utf8, [0xC0, 0x80], "À€", 2),
        (.utf8, [0xED, 0xA0, 0x80], "í\u{A0}€", 3),
        (.utf8, [0xF4, 0x90, 0x80, 0x80], "ô\u{90}€€", 4),
        (.utf8, [0xF0, 0x9F, 0x98, 0x80], "😀", 0),
        (.utf8, [0xE2, 0x82, 0x61], "â‚a", 2),
        (.windows1252, [0x80, 0x81, 0x8D, 0x8F, 0x90, 0x9D, 0xA3, 0xFF], "€\u{81}\u{8D}\u{8F}\u{90}\u{9D}£ÿ", 0),
        (.utf16LE, [0x3D, 0xD8, 0x00, 0xDE, 0xAC, 0x20], "😀€", 0),
        (.utf16BE, [0xD8, 0x3D, 0xDE, 0x00, 0x20, 0xAC], "😀€", 0),
        (.utf16LE, [0x3D, 0xD8, 0x61, 0x00, 0x00, 0xDC, 0x62], "\u{FFFD}a\u{FFFD}\u{FFFD}", 3),
        (.utf16BE, [0xD8, 0x3D], "\u{FFFD}", 1),
    ]

    @Test(arguments: decodings)
    func decoding(_ example: (encoding: TextEncoding, bytes: [UInt8], text: String, invalid: Int)) {
        for size in [1, 2, 3, 5, 100] {
            let (output, places, count) = decoded(example.bytes, example.encoding, inPiecesOf: size)
            #expect(String(validating: output, as: UTF8.self) == example.text)
            #expect(places.count == example.invalid && count == example.invalid)
        }
    }

    /// Any text survives encoding and decoding where the encoding has its characters.
    @Test(arguments: TextEncoding.allCases)
    func roundTrip(_ encoding: TextEncoding) {
        let text =
            switch encoding {
            case .windows1252: "a£ü€\u{81}\r\n\"x\""
            case .windows1250: "aąćęłńóśźżĄĆĘŁŃÓŚŹŻěščřžýáíéúůťďňőűşţ€\u{81}\r\n\"x\""
            case .shiftJIS: "a表示ソートｱｲ髙①￥\r\n\"x\""
            case .gbk: "a成交東€\r\n\"x\""
            case .eucKR: "a거래똠株\r\n\"x\""
            case .big5: "a股票許功蓋\r\n\"x\""
            case .windows1255: "aתאריך₪€\u{81}\r\n\"x\""
            case .utf8, .utf16LE, .utf16BE: "a£ü€\u{81}😀\r\n\u{FFFD}漢"
            }
        let bytes = encoding.encode(Array(text.utf8))
        #expect(TextDecoder.decode(bytes, as: encoding) == Array(text.utf8))
        #expect(TextEncoding.windows1252.encode(Array("漢".utf8)) == [0x3F])
        #expect(TextEncoding.windows1250.encode(Array("漢æ".utf8)) == [0x3F, 0x3F])
    }

    /// Random bytes decode to valid UTF-8, the same for any chunks.
    @Test(arguments: TextEncoding.allCases)
    func anyBytes(_ encoding: TextEncoding) {
        var random = SplitMix64(seed: 7)
        for _ in 0..<iterations(200) {
            let length = Int.random(in: 0...80, using: &random)
            var bytes: [UInt8] = (0..<length).map { _ in UInt8.random(in: 0...255, using: &random) }
            bytes += hostileBytes(&random, pieces: 10, alphabet: hostile)
            let whole = records(bytes, encoding: encoding)
            #expect(whole.allSatisfy { String(validating: $0.raw, as: UTF8.self) != nil })
            for chunk in [1, 2, 3, 7] { #expect(records(bytes, encoding: encoding, chunk: chunk) == whole) }
            _ = EncodingDetector.rarer(bytes)
        }
    }

    @Test func theRecordWithTheInvalidByteIsFlagged() {
        let bytes = Array("a,b\n".utf8) + [0x63, 0xFC, 0x0A] + Array("d\n".utf8)
        let found = records(bytes)
        #expect(found.map(\.flags) == [[], .invalidEncoding, []])
        #expect(found.map(\.texts) == [["a", "b"], ["cü"], ["d"]])
        #expect(found.map(\.sourceOffset) == [0, 4, nil])
        #expect(found.map(\.offset) == [0, 4, 8])
    }

    @Test(arguments: [TextEncoding.utf8, .utf16LE, .utf16BE])
    func aByteOrderMarkIsPassedOver(_ encoding: TextEncoding) {
        let bytes = encoding.byteOrderMark + encoding.encode(Array("\n\"ä\",b\n".utf8))
        for chunk in [Int.max, 1, 2] {
            let found = records(bytes, encoding: encoding, chunk: chunk)
            #expect(found.map(\.texts) == [[], ["ä", "b"]])
            #expect(found.map(\.offset) == [0, 1])
            #expect(found[1].sourceOffset == (encoding == .utf8 ? 4 : nil))
        }
    }
}
