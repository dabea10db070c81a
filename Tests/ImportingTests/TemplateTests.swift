import Delimited
import TestSupport
import Testing

@testable import Importing

@Suite struct TemplateTests {
    /// Pattern, text, captures (nil: no match).
    struct Row: Sendable, CustomTestStringConvertible {
        let pattern: String
        let text: String
        let captures: [String: String]?
        init(_ pattern: String, _ text: String, _ captures: [String: String]?) {
            self.pattern = pattern
            self.text = text
            self.captures = captures
        }
        var testDescription: String { "‘\(pattern)’ on ‘\(text)’" }
    }

    static func match(_ pattern: String, _ text: String) throws -> [String: String]? {
        let template = try Template(pattern)
        var found: [ByteView] = []
        return withView(text) { view in
            guard template.matches(view, captures: &found) else { return nil }
            return Dictionary(zip(template.names, found.map(\.string))) { a, _ in a }
        }
    }

    static let literals: [Row] = [
        Row("Buy", "Buy", [:]), Row("Buy", "BUY", [:]), Row("BUY", "buy", [:]), Row("Buy", " Buy ", [:]),
        Row("Buy", "Buys", nil), Row("Buy", "xBuy", nil), Row("Buy", "", nil), Row("", "", [:]), Row("", "x", nil),
        Row(" Buy ", "Buy", [:]), Row("a b", "a  b", [:]), Row("a  b", "a b", [:]), Row("a b", "a\tb", [:]),
        Row("a b", "a\u{A0}b", [:]), Row("a b", "a\u{202F}b", [:]), Row("a b", "a\u{2009} \u{A0}b", [:]),
        Row("a b", "a\nb", [:]), Row("a b", "a\r\n b", [:]), Row("a b", "ab", nil), Row("ab", "a b", nil),
        Row("Buy", "Buy\n", [:]), Row("Buy", "\u{A0}Buy\u{202F}", [:]),
        Row("Zürich", "zürich", [:]), Row("Kauf €", "KAUF €", [:]),
        Row("a\\*b", "a*b", [:]), Row("a\\*b", "axb", nil), Row("\\{x}", "{x}", [:]), Row("a\\\\b", "a\\b", [:]),
        Row("a\\", "a\\", [:]),
    ]

    static let wilds: [Row] = [
        Row("*", "", [:]), Row("*", "anything at all", [:]), Row("**", "x", [:]),
        Row("a*", "a", [:]), Row("a*", "abc", [:]), Row("a*c", "abbc", [:]), Row("a*c", "ac", [:]),
        Row("a*c", "ab", nil),
        Row("*c", "abc", [:]), Row("*b*", "abc", [:]), Row("*b*", "ac", nil), Row("*ab*ab*", "ab", nil),
        Row("*ab*ab*", "xabab", [:]),
        // A space and a star at the end: the words alone, or more words.
        Row("YOU BOUGHT *", "YOU BOUGHT", [:]), Row("YOU BOUGHT *", "you bought VTI", [:]),
        Row("YOU BOUGHT *", "YOU BOUGHTX", nil),
        Row("YOU BOUGHT*", "YOU BOUGHTX", [:]), Row("YOU BOUGHT *", "YOU\u{A0}BOUGHT\u{A0}VTI", [:]),
        Row("* BOND *", "US BOND 5%", [:]), Row("* BOND *", "US BOND", [:]), Row("* BOND *", "BONDED", nil),
        Row("* BOND *", "US BONDED", nil),
    ]

    static let classes: [Row] = [
        Row("{a}", "x y", ["a": "x y"]), Row("{a}", "", nil), Row("({a})", "( x )", ["a": "x"]),
        Row("{a} {b}", "x y z", ["a": "x", "b": "y z"]),
        Row("{a}-{b}", "x-y-z", ["a": "x", "b": "y-z"]), Row("x{a}", "x", nil), Row("{a:rest}", "x y", ["a": "x y"]),
        Row("x {a:rest}", "x", nil),
        Row("{a:number}", "12", ["a": "12"]), Row("{a:number}", "-1,234.56", ["a": "-1,234.56"]),
        Row("{a:number}", "(1.00)", ["a": "(1.00)"]),
        Row("{a:number}", "1 046,38", ["a": "1 046,38"]), Row("{a:number}", "\u{2212}3", ["a": "\u{2212}3"]),
        Row("{a:number}", "-", nil),
        Row("{a:number}", "abc", nil), Row("{a:number} {b:number}", "12 34", ["a": "12", "b": "34"]),
        Row("{a:number}{b}", "1.5E-7BNB", ["a": "1.5E-7", "b": "BNB"]),
        Row("{a:number} {b}", "9e-05 ETH", ["a": "9e-05", "b": "ETH"]), Row("{a:number}", "1E+3", ["a": "1E+3"]),
        Row("{a:number}{b}", "5E3X", ["a": "5", "b": "E3X"]),
        Row("{a:number} {b}", "2E5 BTC", ["a": "2E5", "b": "BTC"]),
        Row("{a:number}E-{b}", "5E-7", ["a": "5", "b": "7"]),
        Row("{a:number}", "1E-", nil), Row("{a:number}", "1E-1234", nil),
        // The first group of a number is none.
        Row("{a:number} {_}", "1 942.50", nil), Row("{a:number} {_}", "1 942.50 XYZ", ["a": "1 942.50"]),
        Row("{a:number} {b}", "12 345", nil), Row("{a:number} {b}", "12 3M", ["a": "12", "b": "3M"]),
        Row("{a:number} @ {b:number} {c:code}", "34 @ 26,88 EUR", ["a": "34", "b": "26,88", "c": "EUR"]),
        Row("{a:int}", "007", ["a": "007"]), Row("{a:int}", "1.5", nil), Row("{a:int}", "-1", nil),
        Row("{a:int}{b:int}", "123", ["a": "12", "b": "3"]),
        Row("{a:word}", "VTI", ["a": "VTI"]), Row("{a:word}", "VTI X", nil),
        Row("{a:word} {b:word}", "A B", ["a": "A", "b": "B"]),
        Row("{a:code}", "usd", ["a": "usd"]), Row("{a:code}", "USDX", nil), Row("{a:code}", "US", nil),
        Row("{a:code}", "US1", nil),
        Row("* {a:isin}", "x US0378331005", ["a": "US0378331005"]), Row("{a:isin}", "0378331005US", nil),
        Row("{a:isin}", "US037833100", nil),
        Row("{a:isin}", "US03783310055", nil), Row("({a:isin})", "(us0378331005)", ["a": "us0378331005"]),
        Row("{a:cusip}", "037833100", ["a": "037833100"]), Row("{a:cusip}", "037833101", nil),
        Row("{a:cusip}", "03783310", nil),
        Row("{a:date}", "12/31/2024", ["a": "12/31/2024"]), Row("{a:date}", "Dec-31-2024", ["a": "Dec-31-2024"]),
        Row("{a:date}", "Dec", nil),
        Row("{a:date} {b:date}", "2024-01-02 10:00", ["a": "2024-01-02", "b": "10:00"]),
        Row("{p:date} as of {d:date}", "08/16/2021 as of 08/15/2021", ["p": "08/16/2021", "d": "08/15/2021"]),
        Row("{a:id}", "X123", ["a": "X123"]), Row("{a:id}", "...234", ["a": "...234"]), Row("{a:id}", "Roth", nil),
        Row("{a:id}", "####3525", ["a": "####3525"]),
        Row("{t} {a:id}", "Roth IRA X1234", ["t": "Roth IRA", "a": "X1234"]),
        Row("{t} {a:id}", "BROKERAGE\u{A0}200000000", ["t": "BROKERAGE", "a": "200000000"]),
        Row("{a:mask}", "XXXX-1234", ["a": "XXXX-1234"]), Row("{a:mask}", "...234", ["a": "...234"]),
        Row("{a:mask}", "X1234", nil),
        Row("{a:mask}", "•••5", ["a": "•••5"]), Row("{a:mask}", "...", nil), Row("{a:mask}", "XXX", ["a": "XXX"]),
        Row("{_} {a:int}", "foo 12", ["a": "12"]), Row("{_:int}", "x", nil), Row("{a}{a}", "xy", ["a": "x"]),
        Row("* as of {a:date} *", "BOUGHT as of Dec-17-2021 VTI (X)", ["a": "Dec-17-2021"]),
        Row("*({a:int} SHS)*", "CALL (X) (100 SHS) foo", ["a": "100"]),
        Row(
            "Bought {u:number} {n} ({s:word})", "Bought 294 Bar ETF (Acc) (BAR)",
            ["u": "294", "n": "Bar ETF (Acc)", "s": "BAR"]),
    ]

    @Test(arguments: literals + wilds + classes)
    func matches(_ row: Row) throws {
        let found = try Self.match(row.pattern, row.text)
        // Where a name is captured twice, either part will do.
        if row.pattern == "{a}{a}" { return #expect(found != nil) }
        #expect(found == row.captures)
    }

    @Test(arguments: ["{", "{a", "{}", "{a:}", "{a:float}", "{a b}", "{ä}", "{:int}"])
    func malformed(_ pattern: String) {
        #expect(throws: Template.Malformed.self) { try Template(pattern) }
    }

    @Test(arguments: [("Buy  Now", "buy now"), (" x ", "x"), ("a\\*", "a*"), ("Ü", "ü")])
    func exact(_ pattern: String, _ text: String) throws {
        #expect(try Template(pattern).exactText == Array(text.utf8))
    }

    @Test(arguments: ["a*", "{a}", "*"]) func notExact(_ pattern: String) throws {
        #expect(try Template(pattern).exactText == nil)
    }

    /// Patterns that would take exponential time in a naive matcher come back, matched or not.
    @Test(arguments: [
        "*a*a*a*a*a*a*a*a*b", "{a}{b}{c}{d}{e}{f}x", "{a:word}{b:word}{c:word}{d:word}!",
        "{a:number}{b:number}{c:number}{d:number}x",
    ])
    func isBounded(_ pattern: String) throws {
        for text in [String(repeating: "a", count: 50_000), String(repeating: "1", count: 50_000)] {
            #expect(try Self.match(pattern, text) == nil)
        }
    }

    /// A run that fits a class up to its end counts by its bytes, in attempts and in what each looks at: without, this
    /// would take hours.
    @Test(
        arguments: [
            ("{a:number} x", "", "("), ("{a:id} x", "", "a"), ("{a:mask} x", "", "X"), ("{a:date} x", "", "-"),
            ("{a:word}y x", "", "a"), ("*{a:number}y x", "a", "1"), ("* q x", "a", " "), ("{a} q x", "a", " "),
        ])
    func longRunsAreBounded(_ pattern: String, _ opening: String, _ unit: String) throws {
        let text = opening + String(repeating: unit, count: 2_000_000) + " y q x z"
        #expect(try Self.match(pattern, text) == nil)
    }

    /// A long cell with one wild card on either side is still found.
    @Test func findsInALongCell() throws {
        let text =
            String(repeating: "lorem ipsum ", count: 300) + "(100 SHS) " + String(repeating: "dolor ", count: 300)
        #expect(try Self.match("*({a:int} SHS)*", text) == ["a": "100"])
    }

    /// Captures never cut a character in two.
    @Test(arguments: ["{a}{b}", "{a:word}{b}", "{a:number}{b}", "{a:mask}{b}", "{a:word}{b:word}"])
    func keepsCharactersWhole(_ pattern: String) throws {
        var matched = 0
        for text in ["5€", "€€", "1é2", "XX€", "😀😀", "12\u{2212}5"] {
            guard let found = try Self.match(pattern, text) else { continue }
            matched += 1
            #expect(found.values.allSatisfy { !$0.contains("\u{FFFD}") }, "\(text): \(found)")
        }
        #expect(matched > 0)
    }

    /// Random patterns on random texts: no crash, captures are parts of the text, and a literal pattern matches itself.
    @Test func survivesAnything() throws {
        var random = SplitMix64(seed: 11)
        let pieces = [
            "a", "B", " ", "*", "{x}", "{y:int}", "{_:word}", "{z:number}", "1", "€", "\\*", "-", "{w:id}", "\u{A0}",
        ]
        let texts = ["a", "b", " ", "1", "23", "€", "*", "-", "\n", "\u{A0}", "X", ".", "\u{0}"]
        var matched = 0
        for _ in 0..<iterations(3_000) {
            let pattern = (0..<random.below(7)).map { _ in pieces.randomElement(using: &random) ?? "" }.joined()
            let text = (0..<random.below(14)).map { _ in texts.randomElement(using: &random) ?? "" }.joined()
            guard let found = try Self.match(pattern, text) else { continue }
            matched += 1
            for (_, part) in found {
                #expect(part.isEmpty || text.utf8.firstRange(of: Array(part.utf8)) != nil, "\(pattern) on \(text)")
            }
        }
        #expect(matched > 100)
        for _ in 0..<iterations(500) {
            let text = (0..<1 + random.below(9)).map { _ in
                ["a", "ä", " b", "-", "1"].randomElement(using: &random) ?? ""
            }.joined()
            #expect(try Self.match(text, text.uppercased().replacingUmlauts) != nil || text.contains("ä"), "\(text)")
            #expect(try Self.match(text, text) != nil, "\(text)")
        }
    }

    /// Words are had without making patterns of them; what may be more than a word is not.
    @Test func plainTextsAreExactTexts() throws {
        var random = SplitMix64(seed: 11)
        let parts = ["a", "B", "Ä", "é", "Ж", "İ", " ", "  ", "\t", "-", "}", "(", "$", "\u{A0}", "\u{3000}", "株"]
        for _ in 0..<2000 {
            let text = (0..<Int.random(in: 0...6, using: &random)).map { _ in
                parts.randomElement(using: &random) ?? ""
            }.joined()
            #expect(Template.plainText(text) == (try Template(text).exactText), "‘\(text)’")
        }
        for pattern in ["YOU BOUGHT *", "{symbol}", #"a\*b"#] { #expect(Template.plainText(pattern) == nil) }
    }

    @Test func lettersAreTheASCIIOnes() {
        for byte in UInt8.min...UInt8.max {
            let letters = ByteView.with([byte]) { Template.Letters($0) }
            let small = asciiLower(byte)
            #expect(letters.low == (byte < 64 ? 1 << UInt64(byte) : 0))
            #expect(letters.high == (byte >= 64 && byte < 128 ? 1 << UInt64(small - 64) : 0))
        }
        let all = [[], [0x41], [0x61, 0x2C, 0xC3], Array("A Text, of 3".utf8)] as [[UInt8]]
        for bytes in all {
            let letters = ByteView.with(bytes) { Template.Letters($0) }
            let each = bytes.map { byte in ByteView.with([byte]) { Template.Letters($0) } }
            #expect(letters.low == each.reduce(0) { $0 | $1.low } && letters.high == each.reduce(0) { $0 | $1.high })
        }
    }
}

extension String {
    /// Only ASCII letters fold.
    fileprivate var replacingUmlauts: String { String(map { $0 == "Ä" ? "ä" : $0 }) }
}
