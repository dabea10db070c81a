import Delimited
import OpenAlloc
import TestSupport
import Testing

@testable import Importing

@Suite struct NumberReaderTests {
    static let reader = NumberReader(blanks: ["-", "--", "n/a"])

    struct Row: Sendable, CustomTestStringConvertible {
        let style: String
        let text: String
        /// Digits; `blank`, `invalid`, `range`, `ambiguous`; a `%` at the end: percent.
        let wanted: String
        init(_ style: String, _ text: String, _ wanted: String) {
            self.style = style
            self.text = text
            self.wanted = wanted
        }
        var testDescription: String { "\(style) ‘\(text)’" }
    }

    static func read(_ text: String, _ style: String) -> String {
        guard let style = NumberStyle.named(style) else { return "no style" }
        switch withView(text, { reader.read($0, style) }) {
        case .blank: return "blank"
        case .invalid: return "invalid"
        case .outOfRange: return "range"
        case .ambiguous: return "ambiguous"
        case .value(let value, let isPercent): return value.description + (isPercent ? "%" : "")
        }
    }

    static let plain: [Row] = [
        Row("us", "0", "0"), Row("us", "-0", "0"), Row("us", "-0.00", "0"), Row("us", "12", "12"),
        Row("us", "1.50", "1.5"), Row("us", ".5", "0.5"),
        Row("us", "-.5", "-0.5"), Row("us", "5.", "5"), Row("us", "007", "7"), Row("us", " 12 ", "12"),
        Row("us", "\u{A0}12\u{A0}", "12"),
        Row("us", "999999999999999999", "999999999999999999"), Row("us", "1234567890123456789", "1234567890123456789"),
        Row("us", "10000000000000000", "10000000000000000"), Row("us", "0.00000012", "0.00000012"),
        Row("us", "123456789.123456789", "123456789.123456789"),
        Row("us", "1,234.56", "1234.56"), Row("us", "12,345", "12345"), Row("us", "1,234,567.00", "1234567"),
        Row("us", "12,34,567.00", "1234567"),
        Row("us", "1'804.58", "1804.58"), Row("us", "1\u{2019}804.58", "1804.58"), Row("us", "1 234.5", "1234.5"),
        Row("us", "1\u{202F}234", "1234"),
        Row("eu", "1.234,56", "1234.56"), Row("eu", "1 234,56", "1234.56"), Row("eu", "1.355", "1355"),
        Row("eu", "51,38", "51.38"), Row("eu", "1'234,5", "1234.5"),
        Row("eu", "1\u{A0}044", "1044"), Row("eu", "0,5", "0.5"), Row("eu", ",5", "0.5"),
        Row("eu", "1.234.567", "1234567"), Row("eu", "12", "12"),
        Row("ch", "1'234.56", "1234.56"), Row("space", "1 044,3", "1044.3"),
    ]

    static let dressed: [Row] = [
        Row("us", "$1,234.56", "1234.56"), Row("us", "-$1.00", "-1"), Row("us", "+$1.00", "1"),
        Row("us", "($1.00)", "-1"), Row("us", "$-1", "-1"),
        Row("us", "$(1.00)", "-1"), Row("us", "(1,234.56)", "-1234.56"), Row("us", "($170.00)", "-170"),
        Row("us", "(-1)", "-1"), Row("us", "1-", "-1"), Row("us", "1.5-", "-1.5"),
        Row("us", "+1", "1"), Row("us", "\u{2212}10", "-10"), Row("us", "\u{2212}$10", "-10"), Row("us", "- 10", "-10"),
        Row("us", "1.00 ", "1"),
        Row("us", "+0.67%", "0.67%"), Row("us", "(14.28%)", "-14.28%"), Row("us", "1 %", "1%"),
        Row("us", "0.29 %", "0.29%"), Row("us", "1%", "1%"),
        Row("us", "89,162.28 SEK", "89162.28"), Row("us", "€26.09", "26.09"), Row("us", "£110.79", "110.79"),
        Row("us", "1 EUR", "1"), Row("us", "EUR 1", "1"),
        Row("us", "EUR1", "1"), Row("us", "-1 USD", "-1"), Row("us", "usd 5", "5"), Row("us", "C$5.25", "5.25"),
        Row("us", "US$ 3", "3"), Row("us", "5 GBX", "5"),
        Row("eu", "12,50 €", "12.5"), Row("eu", "-1.234,5 EUR", "-1234.5"), Row("eu", "1 234,50 kr", "1234.5"),
        Row("eu", "kr. 1.234,50", "1234.5"),
        Row("eu", "1.234,50 kr.", "1234.5"), Row("us", "Fr. 5.20", "5.2"), Row("us", "5.20 SFr.", "5.2"),
        Row("us", "zł 4", "4"),
        Row("us", "1e3", "1000"), Row("us", "1.5E-2", "0.015"), Row("us", "2.0E-4", "0.0002"),
        Row("us", "1E+10", "10000000000"), Row("us", "1e+16", "10000000000000000"),
        Row("us", "1.2e-07", "0.00000012"), Row("us", "-1E5", "-100000"), Row("eu", "1,5E-2", "0.015"),
    ]

    static let blank: [Row] = ["", " ", "-", "--", "n/a", "N/A", " -- ", "\u{A0}", "\n"].map { Row("us", $0, "blank") }

    /// What is not wholly a number is none.
    static let junk: [Row] =
        [
            "12 shares", "12 shares of 34", "abc", "5-3", "1.2.3", "1,5,0", "--5", "-+5", "5--", "-5-", "1/2", "(5",
            "5)", "((5))", "(5))", ")5(", "-(5)", "(5)-",
            "5%%", "%5", "% 5", "1 EUR USD", "EUR 1 USD", "$1$", "$$1", "1,23", "12,34", "1,2345", ",234", "1,,234",
            "1,234,56", "1.234,56", "1 23", "1  23", "0x10",
            "1e", "e5", "1e1.5", "1e5e5", "1e 5", "1E-400", "NaN", "inf", "∞", ".", ",", "+", "$", "EUR", "%", "()",
            "1_000", "1,234.5,6", "1'2345", "1 234,567.0", "٣",
            "０", "0,123", "00,123", "1\u{200B}2", "=1", "#5", "5 0 0", "@310.05", "4.5S", "+$0.19 +0.33%", "01/02/2024",
            "2024-01-02", "1,234.56.7", "1\n2", "1;2", "1 - 2", "+(5)", "(5)+",
        ].map { Row("us", $0, "invalid") }
        + ["1,234.56", "1,5,0", "1.2", "1.23.456", "12.34", "1.2345", "0.123", "1,2,3", "02.01.2024", "1.234.56"].map {
            Row("eu", $0, "invalid")
        }

    static let automatic: [Row] = [
        Row("auto", "1,234.56", "1234.56"), Row("auto", "1.234,56", "1234.56"), Row("auto", "12", "12"),
        Row("auto", "1.5", "1.5"), Row("auto", "1,5", "1.5"),
        Row("auto", "1,234", "ambiguous"), Row("auto", "1.234", "ambiguous"), Row("auto", "0,123", "0.123"),
        Row("auto", "0.123", "0.123"), Row("auto", "1,234,567", "1234567"),
        Row("auto", "1.234.567", "1234567"), Row("auto", "1234,567", "1234.567"), Row("auto", "1 234,5", "1234.5"),
        Row("auto", "1'234.5", "1234.5"),
        Row("auto", "12.345678", "12.345678"), Row("auto", ",123", "0.123"), Row("auto", "1.234.56", "invalid"),
    ]

    static let range: [Row] = [
        Row("us", String(repeating: "9", count: 38), String(repeating: "9", count: 38)),
        Row("us", String(repeating: "9", count: 39), "range"),
        Row("us", "1E99", "range"), Row("us", "99999999999999999999%", "99999999999999999999%"),
        Row("us", String(repeating: "0", count: 50) + "1", "1"),
        Row("us", "0." + String(repeating: "0", count: 37) + "1", "0." + String(repeating: "0", count: 37) + "1"),
        Row("us", String(repeating: "1", count: 200), "invalid"),
        Row("us", "0E9", "0"), Row("us", "1E-99", "range"), Row("us", "1." + String(repeating: "0", count: 60), "1"),
    ]

    @Test(arguments: plain + dressed + blank + junk + automatic + range)
    func reads(_ row: Row) { #expect(Self.read(row.text, row.style) == row.wanted) }

    @Test(
        arguments: [
            ("89,162.28 SEK", "SEK"), ("€26.09", "EUR"), ("£1", "GBP"), ("$1", "USD"), ("1 usd", "USD"), ("C$1", "CAD"),
            ("12", nil), ("", nil), ("abc", nil), ("5%", nil), ("EUR", nil),
        ] as [(String, String?)])
    func currency(_ text: String, _ code: String?) { #expect(withView(text) { Self.reader.currency($0) } == code) }

    // MARK: Proofs

    @Test(
        arguments: [
            ("1.5", "."), ("1,5", ","), ("1,234.5", "."), ("1.234,5", ","), ("1.234", nil), ("1,234", nil), ("12", nil),
            ("", nil), ("--", nil), ("02.01.2024", nil),
            ("1.234.567", ","), ("1,234,567", "."), ("0.123", "."), ("0,123", ","), ("abc", nil), ("1234.567", "."),
            ("-1,5", ","), ("$1.50", "."),
        ] as [(String, String?)])
    func proof(_ text: String, _ mark: String?) {
        #expect(withView(text) { Self.reader.proof($0) } == mark?.utf8.first)
    }

    // MARK: Round trip

    /// Prints a number as exports do.
    static func print(_ value: ExactDecimal, group: String, decimal: String, grouped: Bool) -> String {
        let text = value.magnitude.description
        let parts = text.split(separator: ".")
        var whole = ""
        for (index, digit) in parts[0].enumerated() {
            if grouped, index > 0, (parts[0].count - index).isMultiple(of: 3) { whole += group }
            whole.append(digit)
        }
        return parts.count == 2 ? whole + decimal + parts[1] : whole
    }

    static func randomDecimal(_ random: inout SplitMix64) -> ExactDecimal {
        let digits = 1 + random.below(20)
        var text = random.oneIn(2) ? "-" : ""
        for _ in 0..<digits { text += "\(random.below(10))" }
        if random.oneIn(2) {
            text += "."
            for _ in 0..<1 + random.below(12) { text += "\(random.below(10))" }
        }
        return ExactDecimal(exactly: text) ?? 7
    }

    /// Every number printed in every style with every dress is read back equal.
    @Test(arguments: [
        ("us", ",", "."), ("us", " ", "."), ("us", "'", "."), ("eu", ".", ","), ("eu", " ", ","), ("eu", "\u{A0}", ","),
        ("eu", "\u{202F}", ","), ("ch", "'", "."), ("ch", "\u{2019}", "."), ("space", " ", ","),
    ])
    func roundTrip(_ style: String, _ group: String, _ decimal: String) {
        var random = SplitMix64(seed: 23)
        for _ in 0..<iterations(400) {
            let value = Self.randomDecimal(&random)
            let bare = Self.print(value, group: group, decimal: decimal, grouped: random.oneIn(2))
            let isNegative = value < 0
            let dresses =
                isNegative
                ? [
                    "-\(bare)", "\(bare)-", "(\(bare))", "\u{2212}\(bare)", "-$\(bare)", "$-\(bare)", "($\(bare))",
                    "-\(bare) EUR", "EUR -\(bare)", "- \(bare)", "-€\(bare)", "-\(bare) kr",
                ]
                : [
                    bare, "+\(bare)", " \(bare) ", "$\(bare)", "\(bare) USD", "USD \(bare)", "€ \(bare)", "\(bare)€",
                    "+$\(bare)", "CHF\(bare)", "\(bare) zł",
                ]
            for text in dresses { #expect(Self.read(text, style) == value.description, "‘\(text)’ in \(style)") }
            #expect(Self.read("\(bare)%", style) == value.magnitude.description + "%")
        }
    }

    /// A column in one style, one cell of which proves it: every cell is read back equal, by the engine's own survey.
    @Test(arguments: [(",", "."), (".", ","), (" ", ","), ("'", ".")])
    func autoColumn(_ group: String, _ decimal: String) throws {
        var random = SplitMix64(seed: 29)
        for _ in 0..<iterations(25) {
            let values =
                (0..<12).map { _ in Self.randomDecimal(&random).magnitude } + [ExactDecimal(exactly: "1234.25") ?? 0]
            let cells = values.map { Self.print($0, group: group, decimal: decimal, grouped: true) }
            let rows = cells.map { "2024-01-02;x;\($0)\n" }.shuffled(using: &random)
            let yaml = definition(
                "numbers: auto\ntables:\n  - columns: {date: Day, symbol: Name, amount: Sum}\n    require: [date, symbol, amount]\n    kind: cash\n"
            )
            let sink = try run(yaml, "Day;Name;Sum\n" + rows.joined())
            let wanted = zip(cells, values).map { $1.description }.sorted()
            let read = sink.records.compactMap { record in
                record.split(separator: " ").first { $0.hasPrefix("amount=") }.map { String($0.dropFirst(7)) }
            }
            #expect(read.sorted() == wanted, "\(cells)")
        }
    }

    /// Columns that mix both styles: a cell that could be either takes the mark that its own row proves, so that any
    /// part of the file reads it alike. Where the row proves nothing, or both, it is a reject.
    @Test func rowsProveTheirMark() throws {
        let yaml = definition(
            "numbers: auto\ntables:\n  - columns: {date: Day, symbol: Name, amount: Sum, units: Count}\n    require: [date, symbol, amount, units]\n    kind: buy\n"
        )
        let rows = [
            "10,799;0,104341": "amount=10.799", "86.714;0.2625": "amount=86.714", "1.250;2,5": "amount=1250",
            "2,500;1.5": "amount=2500", "1.234,5;1": "amount=1234.5", "1,234.5;1": "amount=1234.5",
        ]
        let lost = ["10,799;1", "1.234;7", "5,125;1.234"]
        let all = rows.keys.sorted() + lost
        let whole = try run(
            yaml, "Day;Name;Sum;Count\n" + all.map { "2024-01-02;\(Self.name($0));\($0)\n" }.joined())
        #expect(whole.outcomes.filter { $0 == "number.invalid" }.count == lost.count)
        for (row, amount) in rows {
            let name = "symbol=" + Self.name(row)
            let record = whole.records.first { $0.contains(name) }
            #expect(record?.contains(amount + " ") == true || record?.hasSuffix(amount) == true, "\(record ?? row)")
        }
    }

    private static func name(_ row: String) -> String { row.replacing(";", with: "/") }

    /// Random junk is read or not, never a crash, and never a number out of a text with letters that are no currency.
    @Test func survivesAnything() {
        var random = SplitMix64(seed: 31)
        let pieces = [
            "1", "23", "0", ".", ",", "-", "(", ")", "$", "%", " ", "e", "E", "\u{2212}", "EUR", "x", "'", "\u{A0}",
            "é", "+", "\u{0}",
        ]
        for _ in 0..<iterations(10_000) {
            let text = (0..<random.below(9)).map { _ in pieces.randomElement(using: &random) ?? "" }.joined()
            for style in ["us", "eu", "auto"] {
                let read = Self.read(text, style)
                if text.contains("x") || text.contains("é") || text.contains("\u{0}") {
                    #expect(read == "invalid", "‘\(text)’ read as \(read)")
                }
            }
            _ = withView(text) { (Self.reader.proof($0), Self.reader.currency($0)) }
        }
    }

    /// A date proves no decimal mark, however its parts are parted.
    @Test(arguments: ["02.01.2024", "2,01,2024", "1.02.003"]) func datesProveNoMark(_ text: String) {
        for reader in [NumberReader(blanks: []), NumberReader(blanks: ["9x"])] {
            #expect(withView(text) { reader.proof($0) } == nil)
        }
    }

    /// Changing one digit of a number changes what is read: no digit is ever dropped.
    @Test func everyDigitCounts() {
        var random = SplitMix64(seed: 37)
        var changed = 0
        for _ in 0..<iterations(2_000) {
            let value = Self.randomDecimal(&random)
            var text = Array(Self.print(value, group: ",", decimal: ".", grouped: random.oneIn(2)).utf8)
            let before = Self.read(String(decoding: text, as: UTF8.self), "us")
            let places = text.indices.filter { isDigit(text[$0]) }
            guard let place = places.randomElement(using: &random), before.last?.isNumber == true else { continue }
            changed += 1
            text[place] = text[place] == 0x39 ? 0x31 : text[place] + 1
            #expect(Self.read(String(decoding: text, as: UTF8.self), "us") != before)
        }
        #expect(changed > 1_000)
    }
}

@Suite struct MoneyShapeTests {
    /// The short road for amounts says what the scanner says, which a reader with a number among its blanks uses alone.
    @Test func agreesWithTheScanner() {
        let short = NumberReader(blanks: ["--"]), long = NumberReader(blanks: ["--", "9x"])
        let parts = [
            "$", "-", "+", "1", "0", "12", "123", "000", "7", ",", ".", ",123", ",456", ".50", ".05", " ", "%", "(",
            ")",
            "123456789", "\u{20AC}", "\u{A3}", " EUR", "USD", " eur", "XYZ", "BTC", "kr", "kr.", "GBp", "x", "'",
            "\u{A0}", "\u{202F}", "E5", ".000",
        ]
        var random = SplitMix64(seed: 97)
        var read = 0
        for _ in 0..<iterations(20_000) {
            var text = ["", "", "$", "-$", "+$", "-", "(", "\u{20AC}", "-\u{20AC}"].randomElement(using: &random) ?? ""
            for _ in 0..<1 + random.below(6) { text += parts.randomElement(using: &random) ?? "" }
            for style in [NumberStyle.us, .eu, .auto] {
                let (first, second) = withView(text) { (short.read($0, style), long.read($0, style)) }
                #expect(first == second, "‘\(text)’")
                if case .value = first { read += 1 }
            }
            let proofs = withView(text) { (short.proof($0), short.slowProof($0)) }
            #expect(proofs.0 == proofs.1, "proof of ‘\(text)’")
            let currencies = withView(text) { (short.currency($0), short.slowCurrency($0)) }
            #expect(currencies.0 == currencies.1, "currency of ‘\(text)’")
        }
        #expect(read > 1000)
    }
}
