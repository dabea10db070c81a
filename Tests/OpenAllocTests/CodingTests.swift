import Foundation
import OpenAlloc
import TestSupport
import Testing

@Suite struct CodingTests {
    @Test func decimalsAreCodedAsText() throws {
        let number = try #require(ExactDecimal(exactly: "1234567890123456789012.25"))
        let data = try JSONEncoder().encode([number, -1])
        #expect(String(decoding: data, as: UTF8.self) == #"["1234567890123456789012.25","-1"]"#)
        #expect(try JSONDecoder().decode([ExactDecimal].self, from: data) == [number, -1])
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode([ExactDecimal].self, from: Data(#"["1e3"]"#.utf8))
        }
    }

    @Test func anotherReaderAgreesOnDescriptors() throws {
        for schema in Schema.all {
            for text in [schema.jsonSchema(), schema.tableSchema()] {
                let object = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
                #expect(object?["title"] as? String == schema.name)
            }
        }
    }

    @Test func anotherReaderAgreesOnText() throws {
        var random = SplitMix64(seed: 13)
        for _ in 0..<iterations(500) {
            let text = randomText(&random)
            var json = JSONWriter()
            json.array { $0.string(text) }
            #expect(try JSONDecoder().decode([String].self, from: Data(json.bytes)) == [text])
        }
    }

    @Test(arguments: [
        ("1234.5", "1234.5"), ("-0.10", "-0.1"), ("-0", "0"), ("", ""), ("1e3", nil), ("12 shares", nil),
        ("1.2.3", nil),
        ("NaN", nil), ("0x10", nil), ("1,5,0", nil), ("1234567890123456789012.25", "1234567890123456789012.25"),
        ("0.30000000000000004", "0.30000000000000004"), (" 7.50 ", "7.5"),
    ])
    func cellsKeepEveryDigitAndRejectWhatIsNoNumber(text: String, expected: String?) {
        let raw = [
            "holdingAccountID": "A1", "holdingSecurityID": "VTI", "shareCount": text, "acquiredAt": "2020-02-29",
        ]
        var rejected: [RejectedRow] = []
        let rows = MHolding.decode([raw], rejectedRows: &rejected)
        #expect(rows.count == (expected == nil ? 0 : 1))
        #expect(rejected.map(\.column) == (expected == nil ? ["shareCount"] : []))
        for decoded in rows {
            let row = try? MHolding(from: decoded)
            #expect(row?.values.map(\.text) == ["A1", "VTI", "", expected ?? "none", "", "2020-02-29T00:00:00Z"])
            var bytes: [UInt8] = []
            row?.appendCell(3, to: &bytes)
            #expect(String(decoding: bytes, as: UTF8.self) == expected)
        }
    }
}
