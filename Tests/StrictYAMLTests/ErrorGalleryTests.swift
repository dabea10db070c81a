import StrictYAML
import Testing

struct Refusal: CustomTestStringConvertible {
    let code: YAMLError.Code
    let place: String
    let text: String
    init(_ code: YAMLError.Code, _ place: String, _ text: String) {
        self.code = code
        self.place = place
        self.text = text
    }
    var testDescription: String { "\(code) \(text.prefix(60).debugDescription)" }
}

private enum Sign: String, CaseIterable {
    case plus, minus
}

/// Every code has a text that makes it, with the place that is reported.
@Suite struct ErrorGalleryTests {
    static let structure: [Refusal] = [
        Refusal(.controlCharacter, "2:4", "a: b\r\nc: \u{1}"),
        Refusal(.size, "1:1", String(repeating: " ", count: YAML.maximumBytes + 1)),
        Refusal(.depth, "1:65", String(repeating: "[", count: 70)),
        Refusal(.depth, "1:129", String(repeating: "- ", count: 70) + "x"),
        Refusal(.tab, "2:1", "a:\n\tb: c"),
        Refusal(.tab, "2:3", "a:\n  \tb: c"),
        Refusal(.tab, "1:2", "-\tx"),
        Refusal(.tab, "2:1", "a: [\n\tb]"),
        Refusal(.indentation, "2:1", "a:\n\u{A0} b: c"),
        Refusal(.indentation, "3:3", "a:\n  b: c\n  \u{A0}d: e"),
        Refusal(.indentation, "2:2", "a: b\n c: d"),
        Refusal(.indentation, "3:3", "a:\n    b: c\n  d: e"),
        Refusal(.indentation, "2:3", "a: 'b'\n  c: d"),
        Refusal(.indentation, "2:1", "  a: b\nc: d"),
        Refusal(.indentation, "2:1", "a: b\n- c"),
        Refusal(.indentation, "2:3", "- a\n  - b"),
        Refusal(.indentation, "2:3", "a: text\n  - b"),
        Refusal(.duplicateKey, "3:1", "a: 1\nb: 2\na: 3"),
        Refusal(.duplicateKey, "1:8", "{a: 1, 'a': 2}"),
        Refusal(.duplicateKey, "30:1", (1..<30).map { "k\($0): v\n" }.joined() + "k7: v"),
        Refusal(.anchor, "1:4", "a: &x b"),
        Refusal(.alias, "2:4", "a: b\nc: *x"),
        Refusal(.tag, "1:4", "a: !!str b"),
        Refusal(.mergeKey, "2:1", "a: b\n<<: c"),
        Refusal(.mergeKey, "1:2", "{<<: c}"),
        Refusal(.directive, "1:1", "%YAML 1.2\n---\na: b"),
        Refusal(.severalDocuments, "2:1", "a: b\n---\nc: d"),
        Refusal(.severalDocuments, "2:1", "- a\n...\n"),
        Refusal(.severalDocuments, "3:1", "a: |\n  b\n---\n"),
    ]

    static let lines: [Refusal] = [
        Refusal(.complexKey, "1:1", "? a\n: b"),
        Refusal(.complexKey, "1:1", "[a]: b"),
        Refusal(.complexKey, "1:2", "{[a]: b}"),
        Refusal(.complexKey, "1:1", "'a\n b': c"),
        Refusal(.missingColon, "2:1", "a: b\ncolumns"),
        Refusal(.missingColon, "2:1", "a: b\nc:d"),
        Refusal(.missingColon, "1:2", "{a, b}"),
        Refusal(.missingColon, "1:4", "a: : b"),
        Refusal(.missingSpace, "1:4", "'a':b"),
        Refusal(.reservedCharacter, "1:4", "a: @b"),
        Refusal(.reservedCharacter, "1:4", "a: %b"),
        Refusal(.unclosedQuote, "1:4", "a: 'b\nc: 'd'"),
        Refusal(.unclosedQuote, "1:4", "a: \"b"),
        Refusal(.unclosedQuote, "2:5", "ü:\n  - \"b\n  - c"),
        Refusal(.unclosedFlow, "1:4", "a: [b,\nc: d"),
        Refusal(.unclosedFlow, "1:4", "a: {b: c"),
        Refusal(.unclosedFlow, "1:8", "a: [b, [c, d"),
        Refusal(.flowSeparator, "2:3", "a: [b\n  c]"),
        Refusal(.flowSeparator, "1:9", "a: ['b' 'c']"),
        Refusal(.flowSeparator, "1:5", "a: [b: c]"),
        Refusal(.flowSeparator, "1:7", "a: [b,, c]"),
        Refusal(.escape, "1:6", #"a: "b\d""#),
        Refusal(.escape, "1:5", #"a: "\ud800""#),
        Refusal(.escape, "1:5", #"a: "\x4""#),
        Refusal(.trailingText, "1:7", "a: 'b'c"),
        Refusal(.trailingText, "1:8", "a: [b] c"),
        Refusal(.trailingText, "1:5", "--- a: b"),
        Refusal(.inlineBlock, "1:4", "a: b: c"),
        Refusal(.inlineBlock, "1:4", "a: - b"),
        Refusal(.blockHeader, "1:6", "a: | text"),
        Refusal(.blockHeader, "1:5", "a: |x"),
    ]

    @Test(arguments: structure + lines)
    func refusesWithPlaceAndRemedy(_ refusal: Refusal) {
        let error = #expect(throws: YAMLError.self) { try YAML.parse(refusal.text) }
        #expect(error?.code == refusal.code, "\(error?.description ?? "")")
        #expect(error?.mark.description == refusal.place, "\(error?.description ?? "")")
        #expect(error?.message.isEmpty == false && error?.hint.isEmpty == false)
    }

    /// Between two depths it is not told which one is meant.
    @Test func namesBothDepths() {
        let error = #expect(throws: YAMLError.self) { try YAML.parse("a:\n    b: c\n  d: e") }
        #expect(error?.hint == "indent it by 0 or 4")
    }

    @Test(arguments: [([0x61, 0x0A, 0xFF], "2:1"), ([0xC3, 0xA4, 0xC3], "1:2"), ([0xED, 0xA0, 0x80], "1:1")])
    func refusesWhatIsNotUTF8(_ bytes: [UInt8], _ place: String) {
        let error = #expect(throws: YAMLError.self) { try YAML.parse(bytes) }
        #expect(error?.code == .encoding && error?.mark.description == place)
    }

    private typealias Read = @Sendable (YAMLMapping) throws -> Any?

    private static let typed: [(YAMLError.Code, String, String, Read)] = [
        (
            .unknownKey, "1:1: the key ‘colums’ is unknown here; did you mean ‘columns’?", "colums: x",
            { try YAMLNode(.mapping($0.entries), at: $0.mark).mapping(allowed: ["id", "columns"]) }
        ),
        (
            .unknownKey, "1:1: the key ‘zzz’ is unknown here; use one of: id, columns", "zzz: x",
            { try YAMLNode(.mapping($0.entries), at: $0.mark).mapping(allowed: ["id", "columns"]) }
        ),
        (.missingKey, "1:1: the key ‘id’ is missing; add a line ‘id: …’", "a: x", { try $0.required("id") }),
        (.wrongType, "1:4: text is expected here, not a list; write text, in quotes", "a: [x]", { try $0.string("a") }),
        (.wrongType, "1:3: text is expected here, not nothing; write text, in quotes", "a:", { try $0.string("a") }),
        (.wrongValue, "1:4: ‘1x’ is no whole number; write digits only", "a: 1x", { try $0.int("a") }),
        (.wrongValue, "1:4: ‘+1’ is no whole number; write digits only", "a: +1", { try $0.int("a") }),
        (.wrongValue, "1:4: 9 is out of range; write a number from 0 to 3", "a: 9", { try $0.int("a", in: 0...3) }),
        (.wrongValue, "1:4: ‘yes’ is neither true nor false; write ‘true’ or ‘false’", "a: yes", { try $0.bool("a") }),
        (
            .wrongValue, "1:4: ‘pluss’ is not one of the words allowed here; did you mean ‘plus’?", "a: pluss",
            { try $0.enum("a", of: Sign.self) }
        ),
    ]

    @Test func typedReadingSaysWhatItWants() {
        for (code, description, text, read) in Self.typed {
            let error = #expect(throws: YAMLError.self) { _ = try read(YAML.parse(text).mapping()) }
            #expect(error?.code == code && error?.description == description)
        }
    }

    @Test func theGalleryIsComplete() {
        let shown = (Self.structure + Self.lines).map(\.code) + Self.typed.map(\.0) + [.encoding]
        #expect(Set(shown) == Set(YAMLError.Code.allCases))
    }

    @Test func typedReadingReads() throws {
        let root = try YAML.parse("a: 037\nb: [x, y]\nc: true\nd: minus\ne: z\n").mapping(allowed: [
            "a", "b", "c", "d", "e",
        ])
        #expect(try root.string("a") == "037" && root.int("a") == 37)
        #expect(try root.stringList("b") == ["x", "y"] && root.stringList("e") == ["z"] && root.stringList("f") == [])
        #expect(try root.bool("c") == true && root.bool("f") == nil)
        #expect(try root.enum("d", of: Sign.self) == .minus)
        #expect(try root.required("d").word(of: ["plus", "minus"]) == "minus")
    }
}
