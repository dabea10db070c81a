import Delimited
import OpenAlloc
import TestSupport
import Testing

@testable import Importing

/// Numbers in rare shapes are read as the reader of all numbers reads them.
@Suite struct OddNumberTests {
    private static let before = [
        "", "", "", "-", "+", "(", "$", "€", "£", "USD ", "US$", "\u{2212}", "- ", "CHF ", "kr ", "Fr. ", "(-", "-$",
        "$-", "\u{A0}", "x", "--", "EUR\u{A0}", "zł", "\u{202F}-", "USD EUR ", "(($",
    ]
    private static let after = [
        "", "", "", ")", "%", " %", "-", " USD", "USD", " kr.", "€", " Stk", " EUR-", "E-4", "e5", "BTC", ")-", "%%",
        " Fr.", "E+12", "e", " usd", " \u{20AC}", "\u{FE63}", ".", ",", "'", "-USD",
    ]
    private static let between = ["", "", ",", ".", "'", "\u{2019}", " ", "\u{A0}", "\u{202F}", "-", "x"]
    private static let reader = NumberReader(blanks: ["n/a", "-", "--"])

    private static func text(_ random: inout SplitMix64) -> String {
        var text = before.randomElement(using: &random) ?? ""
        let mark = between.randomElement(using: &random) ?? ""
        for group in 0..<random.below(5) {
            if group > 0 { text += random.oneIn(8) ? between.randomElement(using: &random) ?? "" : mark }
            for _ in 0..<(random.oneIn(3) ? 1 + random.below(7) : group == 0 ? 1 + random.below(3) : 3) {
                text += random.oneIn(3) ? "0" : String(random.below(10))
            }
        }
        return text + (after.randomElement(using: &random) ?? "")
    }

    @Test(arguments: [".", ",", ""]) func agreesWithTheReaderOfAllNumbers(_ mark: String) {
        var random = SplitMix64(seed: UInt64(mark.utf8.first ?? 1))
        let style = NumberStyle(decimal: mark.utf8.first)
        let scratch = UnsafeMutablePointer<UInt8>.allocate(capacity: PlainDecimal.scratchBytes)
        scratch.initialize(repeating: 0, count: PlainDecimal.scratchBytes)
        defer { scratch.deallocate() }
        var odd = OddNumber()
        var count = 0
        for _ in 0..<iterations(60_000) {
            let text = Self.text(&random)
            withView(text) { view in
                let view = view.trimmed()
                guard !view.isEmpty else { return }
                let number = odd.read(view, mark: mark.utf8.first ?? 0, scratch: scratch)
                guard case .value(let value, _) = Self.reader.read(view, style) else {
                    #expect(number == nil, "\(text)")
                    return
                }
                guard let number else {
                    // Only what has many digits is left.
                    #expect(text.utf8.filter(isDigit).count > 16 || text.contains { "eE".contains($0) }, "\(text)")
                    return
                }
                count += 1
                let same = ExactDecimal(coefficient: Int128(number.coefficient), scale: Int(number.scale))
                #expect(same == value, "\(text)")
                #expect(number.magnitude.string == value.magnitude.description, "\(text)")
            }
        }
        #expect(count > iterations(60_000) / 20)
    }

    /// What the rows' currency would have to be held to, and percentages, are for the rules.
    @Test(arguments: [
        ("€5.00", "EUR", true), ("5.00 EUR", "EUR", true), ("-$5.00", "EUR", true), ("(5.00)", "", true),
        ("5.00 kr", "SEK", true), ("£5.00", "EUR", false), ("5.00 USD", "EUR", false), ("5.00%", "EUR", false),
        ("€5.00", "", false), ("US$5.00", "USD", true), ("C$5.00", "USD", false),
    ])
    func leavesOtherUnits(_ text: String, _ home: String, _ isRead: Bool) {
        let scratch = UnsafeMutablePointer<UInt8>.allocate(capacity: PlainDecimal.scratchBytes)
        scratch.initialize(repeating: 0, count: PlainDecimal.scratchBytes)
        defer { scratch.deallocate() }
        var odd = OddNumber(home: home)
        withView(text) { view in
            // What is remembered of a unit is the same.
            for _ in 0..<2 {
                let number = odd.read(view, mark: UInt8(ascii: "."), scratch: scratch)
                #expect((number != nil) == isRead)
            }
        }
    }

    @Test(arguments: [
        ("(128.29)", "-128.29"), ("-1'072.83", "-1072.83"), ("1000.00 EUR", "1000"), ("137,000.00 SEK", "137000"),
        ("\u{2212}5", "-5"), ("5-", "-5"), ("$-0.91", "-0.91"), ("1,00,000.50", "100000.5"), ("12.5%", "12.5"),
        ("2.0E-4", "0.0002"), ("1\u{A0}234.5", "1234.5"), ("0.000000000000000000", "0"),
    ])
    func reads(_ text: String, _ number: String) {
        let scratch = UnsafeMutablePointer<UInt8>.allocate(capacity: PlainDecimal.scratchBytes)
        scratch.initialize(repeating: 0, count: PlainDecimal.scratchBytes)
        defer { scratch.deallocate() }
        var odd = OddNumber()
        withView(text) { view in
            let read = odd.read(view, mark: UInt8(ascii: "."), scratch: scratch)
            #expect(read.map { ($0.coefficient < 0 ? "-" : "") + $0.magnitude.string } == number)
        }
    }

    @Test(arguments: ["12 Stk", "0.005BTC", "1.2.3", "1,23", "", "-", "()", "5 USD EUR", "1,234.5.6", "--5", "(5"])
    func refuses(_ text: String) {
        let scratch = UnsafeMutablePointer<UInt8>.allocate(capacity: PlainDecimal.scratchBytes)
        scratch.initialize(repeating: 0, count: PlainDecimal.scratchBytes)
        defer { scratch.deallocate() }
        var odd = OddNumber()
        withView(text) { #expect(odd.read($0, mark: UInt8(ascii: "."), scratch: scratch) == nil) }
    }
}
