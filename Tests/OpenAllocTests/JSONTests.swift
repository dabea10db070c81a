import OpenAlloc
import TestSupport
import Testing

@Suite struct JSONTests {
    /// A document handed out in pieces, with a value that comes twice, is the document.
    @Test func writesInPieces() {
        func value(_ json: inout JSONWriter) {
            json.array { json in
                json.int(1)
                json.object { $0.member("b", "c") }
            }
        }
        var whole = JSONWriter(pretty: true)
        whole.object { json in
            for name in ["x", "y", "z"] {
                json.name(name)
                value(&json)
            }
        }
        var known: [UInt8] = []
        var bytes: [UInt8] = []
        var parts = JSONWriter(pretty: true)
        parts.object { json in
            for name in ["x", "y", "z"] {
                json.name(name)
                if known.isEmpty {
                    let start = json.bytes.count
                    value(&json)
                    known = Array(json.bytes[start...])
                } else {
                    json.again(known)
                }
                bytes += json.bytes
                json.forgetBytes()
            }
        }
        #expect(bytes + parts.bytes == whole.bytes)
    }

    @Test func readsValuesAndWhereTheyStand() throws {
        let text =
            "\u{FEFF} {\"a\" : [1.50, -0, 12345678901234567890123456789012345678e-5],\r\n  \"b\":\n\"x\\u00e9\\ud834\\udd1e\\n\\/\" }"
        let node = try JSONReader.parse(text)
        guard case .array(let numbers) = try #require(node["a"]).kind else {
            Issue.record("a is no array")
            return
        }
        #expect(
            numbers.map(\.kind) == [
                .number("1.50"), .number("-0"), .number("12345678901234567890123456789012345678e-5"),
            ])
        let bytes = Array(text.utf8)
        #expect(numbers.map { String(decoding: bytes[$0.range], as: UTF8.self) }[0] == "1.50")
        let b = try #require(node["b"])
        #expect(b.kind == .string("xé𝄞\n/"))
        #expect(b.line == 3)
        #expect(node.line == 1)
        #expect(bytes[b.range].first == 0x22 && bytes[b.range].last == 0x22)
        #expect(node["c"] == nil)
    }

    @Test(arguments: [
        ("", JSONError.Code.endOfText, 1, 1), ("{", .endOfText, 1, 2), ("[1,", .endOfText, 1, 4),
        ("[1,]", .unexpected, 1, 4), ("{\"a\":1,}", .unexpected, 1, 8), ("[1 2]", .unexpected, 1, 4),
        ("[1]\n x", .trailing, 2, 2), ("01", .badNumber, 1, 2), ("1.", .endOfText, 1, 3), ("[1.]", .badNumber, 1, 4),
        ("+1", .unexpected, 1, 1), (".5", .unexpected, 1, 1), ("-", .endOfText, 1, 2), ("[-x]", .badNumber, 1, 3),
        ("1e", .endOfText, 1, 3), ("NaN", .unexpected, 1, 1), ("nul", .endOfText, 1, 4), ("nulL", .unexpected, 1, 4),
        ("\"a", .endOfText, 1, 3), ("\"a\nb\"", .controlCharacter, 1, 3), ("\"\\x\"", .badEscape, 1, 3),
        ("\"\\ud800\"", .badEscape, 1, 4), ("\"\\udc00\"", .badEscape, 1, 4), ("\"\\ud800\\u0041\"", .badEscape, 1, 4),
        ("\"\\u00g0\"", .badEscape, 1, 6), ("\"\\", .endOfText, 1, 3), ("{\"a\":1,\n\"a\":2}", .duplicateName, 2, 1),
        ("{\"a\":1,\"\\u0061\":2}", .duplicateName, 1, 8), ("{a:1}", .unexpected, 1, 2),
        ("{\"a\" 1}", .unexpected, 1, 6),
        ("// x\n1", .unexpected, 1, 1), ("'a'", .unexpected, 1, 1), ("1,5", .trailing, 1, 2),
        ("\r\r\n\r]", .unexpected, 4, 1),
    ])
    func rejects(text: String, code: JSONError.Code, line: Int, column: Int) {
        let error = #expect(throws: JSONError.self) { try JSONReader.parse(text) }
        #expect(error?.code == code)
        #expect(error?.line == line)
        #expect(error?.column == column)
    }

    @Test(arguments: [
        [0x22, 0xFF, 0x22], [0x22, 0xC0, 0x80, 0x22], [0x22, 0xED, 0xA0, 0x80, 0x22], [0x22, 0xE9, 0x5C, 0x6E, 0x22],
    ])
    func rejectsWhatIsNotUTF8(bytes: [UInt8]) {
        let error = #expect(throws: JSONError.self) { try bytes.withUnsafeBufferPointer { try JSONReader.parse($0) } }
        #expect(error?.code == .notUTF8)
        #expect(error?.offset == 0)
    }

    @Test func depthIsBounded() throws {
        let deep = String(repeating: "[", count: 100_000)
        #expect(throws: JSONError.self) { try JSONReader.parse(deep) }
        let nested = String(repeating: "[", count: 64) + "1" + String(repeating: "]", count: 64)
        _ = try JSONReader.parse(nested)
        let error = #expect(throws: JSONError.self) { try JSONReader.parse("[" + nested + "]") }
        #expect(error?.code == .tooDeep)
    }

    @Test func handsOverElementsBeforeAnError() {
        let bytes = Array("[{\"a\":1},\n{\"a\":2},\n{\"a\":}]".utf8)
        var lines: [Int] = []
        let error = #expect(throws: JSONError.self) {
            try bytes.withUnsafeBufferPointer { buffer in
                try JSONReader.forEachElement(in: buffer) { lines.append($0.line) }
            }
        }
        #expect(lines == [1, 2])
        #expect(error?.line == 3)
        #expect(error?.column == 6)
    }

    @Test func aValueThatIsNoArrayIsItsOwnElement() throws {
        var kinds: [JSONNode.Kind] = []
        try Array(" 7 ".utf8).withUnsafeBufferPointer { buffer in
            try JSONReader.forEachElement(in: buffer) { kinds.append($0.kind) }
        }
        #expect(kinds == [.number("7")])
    }

    @Test func linesStandAlone() {
        let text = "\u{FEFF}{\"a\":1}\r\n\n{\"a\":\n[2]\n3 4\n{}"
        let bytes = Array(text.utf8)
        var seen: [String] = []
        bytes.withUnsafeBufferPointer { buffer in
            JSONReader.forEachLine(in: buffer) { line, range, value in
                switch value {
                case .success(let node?):
                    seen.append("\(line) \(node.line) \(String(decoding: bytes[node.range], as: UTF8.self))")
                case .success(nil): seen.append("\(line) blank")
                case .failure(let error):
                    #expect(error.line == line)
                    #expect(range.contains(error.offset) || error.offset == range.upperBound)
                    seen.append("\(line) \(error.code) \(error.column)")
                }
            }
        }
        #expect(seen == ["1 1 {\"a\":1}", "2 blank", "3 endOfText 6", "4 4 [2]", "5 trailing 3", "6 6 {}"])
    }

    @Test func textRoundTrips() throws {
        var random = SplitMix64(seed: 9)
        for _ in 0..<iterations(5_000) {
            let text = randomText(&random)
            var bytes: [UInt8] = []
            JSONWriter.append(string: text, to: &bytes)
            #expect(bytes.allSatisfy { $0 >= 0x20 })
            let node = try bytes.withUnsafeBufferPointer { try JSONReader.parse($0) }
            guard case .string(let again) = node.kind else {
                Issue.record("no string: \(text)")
                continue
            }
            #expect(Array(again.utf8) == Array(text.utf8))
        }
    }

    @Test func everyScalarRoundTripsEscapedAndPlain() throws {
        for value in stride(from: UInt32(0), through: 0x10FFFF, by: 61) {
            guard let scalar = Unicode.Scalar(value) else { continue }
            let units = String(Character(scalar)).utf16.map { unit in
                let hex = String(unit, radix: 16)
                return "\\u" + String(repeating: "0", count: 4 - hex.count) + hex
            }
            let node = try JSONReader.parse("\"\(units.joined())\"")
            #expect(node.kind == .string(String(Character(scalar))))
        }
    }

    @Test func neverTrapsAndErrorsStandInTheText() {
        var random = SplitMix64(seed: 10)
        let seeds = [
            #"[{"accountID":"A","isTaxable":true,"n":-1.5e+3,"t":null},{"x":[[],{}]}]"#, #""\ud834\udd1e\\\"\u00e9é☃""#,
            "{\"a\":\n[1,\r\n2],\"b\":\"c\"}\n{\"a\":1}",
        ].map { Array($0.utf8) }
        for _ in 0..<iterations(20_000) {
            var bytes = random.pick(seeds)
            for _ in 0...random.below(4) where !bytes.isEmpty {
                let place = random.below(bytes.count)
                switch random.below(4) {
                case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
                case 1: bytes.removeSubrange(place..<min(place + 1 + random.below(5), bytes.count))
                case 2: bytes.insert(random.pick(Array("\"\\{}[]:,u0-e.\n".utf8)), at: place)
                default: bytes.insert(contentsOf: bytes[place...].prefix(random.below(9)), at: place)
                }
            }
            bytes.withUnsafeBufferPointer { buffer in
                do throws(JSONError) {
                    let node = try JSONReader.parse(buffer)
                    #expect(node.range.lowerBound >= 0 && node.range.upperBound <= buffer.count)
                    let alone = UnsafeBufferPointer(rebasing: buffer[node.range])
                    #expect((try? JSONReader.parse(alone))?.range == 0..<node.range.count)
                } catch {
                    #expect((0...buffer.count).contains(error.offset))
                    #expect(error.line >= 1 && error.column >= 1)
                }
                var covered = buffer.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
                JSONReader.forEachLine(in: buffer) { _, range, _ in
                    #expect(range.lowerBound == covered)
                    covered = range.upperBound + 1
                }
                #expect(covered >= buffer.count)
            }
        }
    }

    @Test func writesCompactAndPretty() {
        for (isPretty, expected) in [
            (false, #"{"a":[],"b":[1,{"c":null}],"d":"x\"\\\n\u0001é"}"#),
            (
                true,
                "{\n  \"a\": [],\n  \"b\": [\n    1,\n    {\n      \"c\": null\n    }\n  ],\n  \"d\": \"x\\\"\\\\\\n\\u0001é\"\n}"
            ),
        ] {
            var json = JSONWriter(pretty: isPretty)
            json.object { json in
                json.name("a")
                json.array { _ in }
                json.name("b")
                json.array { json in
                    json.int(1)
                    json.object { $0.member("c", AllocValue.null) }
                }
                json.member("d", "x\"\\\n\u{1}é")
            }
            #expect(json.text == expected)
            json.removeAll()
            json.bool(true)
            #expect(json.text == "true")
        }
    }
}

@Suite struct JSONRowTests {
    @Test(arguments: SchemaID.allCases)
    func rowsRoundTrip(id: SchemaID) throws {
        try roundTrip(id.rowType)
    }

    private func roundTrip<Row: AllocRow>(_ type: Row.Type) throws {
        var random = SplitMix64(seed: 11)
        for _ in 0..<iterations(50) {
            let row = try Row(from: Row.schema.decode(randomRawRow(Row.schema, &random)))
            var bytes: [UInt8] = []
            row.appendJSON(to: &bytes)
            #expect(!bytes.contains(0x0A))
            let node = try bytes.withUnsafeBufferPointer { try JSONReader.parse($0) }
            #expect(try Row(json: node) == row)
            var writer = JSONWriter()
            writer.row(Row.schema.columns, row.values)
            #expect(writer.bytes == bytes)
        }
    }

    @Test func linesOfRowsRoundTrip() throws {
        var random = SplitMix64(seed: 12)
        let rows = try (0..<100).map { _ in
            try MTransaction(from: Schema.transaction.decode(randomRawRow(.transaction, &random)))
        }
        var bytes: [UInt8] = []
        for row in rows {
            row.appendJSON(to: &bytes)
            bytes.append(0x0A)
        }
        var again: [MTransaction] = []
        bytes.withUnsafeBufferPointer { buffer in
            JSONReader.forEachLine(in: buffer) { _, _, value in
                if let node = try? value.get(), let row = try? MTransaction(json: node) { again.append(row) }
            }
        }
        #expect(again == rows)
    }

    @Test func numbersKeepEveryDigit() throws {
        let node = try JSONReader.parse(
            #"{"securityID":123,"sharePrice":0.30000000000000004,"updatedAt":"2021-03-01","x":[1],"n":1e999}"#)
        let row = try MSecurity(json: node)
        #expect(row.securityID == "123")
        var bytes: [UInt8] = []
        row.appendJSON(to: &bytes)
        #expect(
            String(decoding: bytes, as: UTF8.self)
                == #"{"securityID":"123","securityAssetID":"","sharePrice":0.30000000000000004,"#
                + #""updatedAt":"2021-03-01T00:00:00Z","securityTrackerID":""}"#)
    }

    @Test(arguments: [
        (#"{"securityID":"V","sharePrice":1e-8}"#, "0.00000001"), (#"{"securityID":"V","sharePrice":"1.50"}"#, "1.5"),
        (#"{"securityID":"V","sharePrice":1.5E3}"#, "1500"), (#"{"securityID":"V","sharePrice":null}"#, nil),
    ])
    func readsNumbersHoweverTheyAreWritten(json: String, expected: String?) throws {
        #expect(try MSecurity(json: JSONReader.parse(json)).sharePrice?.description == expected)
    }

    @Test(arguments: [
        (#"[]"#, RowCode.valueInvalid, ""), (#"{"securityID":null}"#, .fieldMissing, "securityID"),
        (#"{"securityID":true}"#, .valueInvalid, "securityID"), (#"{"securityID":["V"]}"#, .valueInvalid, "securityID"),
        (#"{"securityID":"V","sharePrice":true}"#, .numberInvalid, "sharePrice"),
        (#"{"securityID":"V","sharePrice":"1e3"}"#, .numberInvalid, "sharePrice"),
        (#"{"securityID":"V","updatedAt":0}"#, .dateInvalid, "updatedAt"),
        (#"{"securityID":"V","sharePrice":1.00000000000000000000000000000000000001}"#, .numberRange, "sharePrice"),
    ])
    func rejects(json: String, code: RowCode, column: String) throws {
        let node = try JSONReader.parse(json)
        let error = #expect(throws: RowError.self) { try MSecurity(json: node) }
        #expect(error?.code == code)
        #expect(error?.column == column)
    }
}
