import StrictYAML
import Testing

/// A tree in one line: `~` null, "text", [list], {key: value}.
func dump(_ node: YAMLNode) -> String {
    switch node.value {
    case .null: "~"
    case .scalar(let text, _): "\"" + text.replacing("\n", with: "\\n") + "\""
    case .sequence(let items): "[" + items.map(dump).joined(separator: ", ") + "]"
    case .mapping(let entries): "{" + entries.map { "\($0.key): \(dump($0.value))" }.joined(separator: ", ") + "}"
    }
}

struct Reading: CustomTestStringConvertible {
    let text: String
    let tree: String
    init(_ text: String, _ tree: String) {
        self.text = text
        self.tree = tree
    }
    var testDescription: String { text.debugDescription }
}

@Suite struct ParsingTests {
    static let documents: [Reading] = [
        Reading("", "~"),
        Reading("\n\n# only a comment\n", "~"),
        Reading("---\n", "~"),
        Reading("--- # first\na: b", #"{a: "b"}"#),
        Reading("\u{FEFF}a: b\r\nc: d\r\n", #"{a: "b", c: "d"}"#),
        Reading("a: b\rc: d", #"{a: "b", c: "d"}"#),
        Reading("  a: b\n  c: d\n", #"{a: "b", c: "d"}"#),
        Reading("text", #""text""#),
        Reading("a: ~\nb:\nc: '~'\nd: null", #"{a: ~, b: ~, c: "~", d: "null"}"#),
        Reading(
            "a: ON\nb: NO\nc: 037833100\nd: 1.0\ne: true", #"{a: "ON", b: "NO", c: "037833100", d: "1.0", e: "true"}"#),
        Reading("a: # nothing\nb: 1", #"{a: ~, b: "1"}"#),
        Reading("a:\n  - 1\n  - 2\nb: 3", #"{a: ["1", "2"], b: "3"}"#),
        Reading("a:\n- 1\n- 2\nb: 3", #"{a: ["1", "2"], b: "3"}"#),
        Reading("- 1\n-\n- # none\n- x: 1\n  y: 2\n- - 3\n  - 4", #"["1", ~, ~, {x: "1", y: "2"}, ["3", "4"]]"#),
        Reading("-\n  a: 1\n-   b: 2\n    c: 3", #"[{a: "1"}, {b: "2", c: "3"}]"#),
        Reading("a:\n    b:\n        c: d\n    e: f\ng: h", #"{a: {b: {c: "d"}, e: "f"}, g: "h"}"#),
        Reading("a:\n\n  # note\n  b: 1\n\n# note\nc: 2", #"{a: {b: "1"}, c: "2"}"#),
    ]

    static let plainText: [Reading] = [
        Reading("Price ($): x", #"{Price ($): "x"}"#),
        Reading("Price ($): $#,##0.00", #"{Price ($): "$#,##0.00"}"#),
        Reading("Run Date/Time*: a*b", #"{Run Date/Time*: "a*b"}"#),
        Reading("a:b: c:d", #"{a:b: "c:d"}"#),
        Reading("a#b: c#d # e", #"{a#b: "c#d"}"#),
        Reading("a : b", #"{a: "b"}"#),
        Reading("a: -1\nb: ?x\nc: :x\n-d: e", #"{a: "-1", b: "?x", c: ":x", -d: "e"}"#),
        Reading("a: it's \"so\"", #"{a: "it's "so""}"#),
        Reading("a: x [y], y", #"{a: "x [y], y"}"#),
        Reading("a: https://example.com/x?y=1#z", #"{a: "https://example.com/x?y=1#z"}"#),
        Reading("Größe: ü\n株: 株式", #"{Größe: "ü", 株: "株式"}"#),
        Reading("a: one\n  two\n\n  three\nb: 1", #"{a: "one two\nthree", b: "1"}"#),
        Reading("a:\n  one\n  two", #"{a: "one two"}"#),
        Reading("a:\tb\t# c", #"{a: "b"}"#),
    ]

    static let quotedText: [Reading] = [
        Reading("'a b': 'it''s'", #"{a b: "it's"}"#),
        Reading(#""a: b": "c # d""#, #"{a: b: "c # d"}"#),
        Reading("a: ''\nb: \"\"\nc: ''''", #"{a: "", b: "", c: "'"}"#),
        Reading(#"a: "\\ \" \/ \x41 \u00e9 \U0001F600 \ud83d\ude00""#, "{a: \"\\ \" / A é 😀 😀\"}"),
        Reading(#"a: "\t\n\r\0\e\N\_\L\P""#, "{a: \"\t\\n\r\0\u{1B}\u{85}\u{A0}\u{2028}\u{2029}\"}"),
        Reading("a: 'one\n   two \n\n   three'", #"{a: "one two\nthree"}"#),
        Reading("a: \"one \\\n   two\\n\n   three\"", "{a: \"one two\\n three\"}"),
        Reading("a: 'x' # y", #"{a: "x"}"#),
        Reading("a: 'x: y'", #"{a: "x: y"}"#),
    ]

    static let blocks: [Reading] = [
        Reading("a: |\n  one\n   two\n\n  three\n\nb: 1", #"{a: "one\n two\n\nthree\n", b: "1"}"#),
        Reading("a: |-\n  one\n\n", #"{a: "one"}"#),
        Reading("a: |+\n  one\n\nb: 1", #"{a: "one\n\n", b: "1"}"#),
        Reading("a: >\n  one\n  two\n\n  three\n    four\n  five\n", #"{a: "one two\nthree\n  four\nfive\n"}"#),
        Reading("a: >-\n\n  one\n\n\n  two", #"{a: "\none\n\ntwo"}"#),
        Reading("a: |2-\n    one\n  two", #"{a: "  one\ntwo"}"#),
        Reading("a: | # note\n  # text\n  x: y", ##"{a: "# text\nx: y\n"}"##),
        Reading("a: |\nb: 1", #"{a: "", b: "1"}"#),
        Reading("- |\n one\n- two", #"["one\n", "two"]"#),
        Reading("a: |\n  x\n # note\nb: 1", #"{a: "x\n", b: "1"}"#),
        Reading("|\nroot\n", #""root\n""#),
    ]

    static let flows: [Reading] = [
        Reading("a: []\nb: {}", "{a: [], b: {}}"),
        Reading("a: [1, 'x, y', \"z\", b c]", #"{a: ["1", "x, y", "z", "b c"]}"#),
        Reading("a: [1, 2,]\nb: {c: 1,}", #"{a: ["1", "2"], b: {c: "1"}}"#),
        Reading("a: {b: 1, \"c\":2, d: [~, {e: }], f: }", #"{a: {b: "1", c: "2", d: [~, {e: ~}], f: ~}}"#),
        Reading("a: [\n  1, # one\n  2\n]\nb: 3", #"{a: ["1", "2"], b: "3"}"#),
        Reading("a: [x:y, u#v]", #"{a: ["x:y", "u#v"]}"#),
        Reading("[[1], [2]]", #"[["1"], ["2"]]"#),
        Reading("a:\n  [1,\n   2]", #"{a: ["1", "2"]}"#),
        Reading("- {a: 1}\n- [b]", #"[{a: "1"}, ["b"]]"#),
    ]

    @Test(arguments: documents + plainText + quotedText + blocks + flows)
    func reads(_ reading: Reading) throws {
        #expect(dump(try YAML.parse(reading.text)) == reading.tree)
    }

    @Test func marksCountScalarsFromOne() throws {
        let root = try YAML.parse("é: ü\nlist:\n  - a: {ä: [x, y]}\n").mapping()
        #expect(root["é"]?.mark == YAMLMark(line: 1, column: 4))
        #expect(root.entries[1].keyMark == YAMLMark(line: 2, column: 1))
        let item = try #require(try root.required("list").sequence().first?.mapping())
        #expect(item.mark == YAMLMark(line: 3, column: 5))
        let list = try item.required("a").mapping().required("ä")
        #expect(list.mark == YAMLMark(line: 3, column: 12))
        #expect(try list.sequence()[1].mark == YAMLMark(line: 3, column: 16))
    }

    @Test func stylesAreKept() throws {
        let items = try YAML.parse("- a\n- 'a'\n- \"a\"\n- |-\n  a\n").sequence()
        let styles: [YAMLStyle] = [.plain, .quoted, .quoted, .block]
        #expect(items.map(\.value) == styles.map { .scalar("a", $0) })
    }

    @Test func oneLongLineCostsLinearTime() throws {
        let text = "[" + String(repeating: "é, ", count: 400_000) + "]"
        #expect(try YAML.parse(text).sequence().count == 400_000)
    }
}
