import Delimited
import OpenAlloc
import TestSupport
import Testing

@testable import Importing

/// A row of variables for expressions and conditions.
final class Fixture {
    var variables = Variables()
    let values: [String: String]
    let maps: [ValueMap]
    private var state: RowState?

    init(_ values: [String: String], maps: [ValueMap] = []) {
        self.values = values
        self.maps = maps
        for name in values.keys.sorted() { _ = variables.slot(name) }
    }

    private func evaluator(_ style: NumberStyle) -> Evaluator {
        let state = RowState(count: variables.names.count)
        state.beginRow()
        for (name, value) in values { state.set(variables.slot(name), copying: Array(value.utf8)) }
        self.state = state
        return Evaluator(state: state, reader: NumberReader(blanks: ["-", "--", "n/a"]), maps: maps, style: style)
    }

    /// The value as text; `‹blank›`, or `!` and the code of the finding.
    func value(_ text: String, style: NumberStyle = .us) throws -> String {
        let expression = try ExpressionParser.parse(text, mapNames: maps.map(\.name)) { [self] in variables.slot($0) }
        let evaluator = evaluator(style)
        do throws(Finding) {
            switch try evaluator.value(expression) {
            case .blank: return "‹blank›"
            case .text(let view): return view.string
            case .number(let number): return number.description
            }
        } catch { return "!" + error.code.rawValue }
    }

    func number(_ text: String, style: NumberStyle) throws -> String {
        let expression = try ExpressionParser.parse(text, mapNames: maps.map(\.name)) { [self] in variables.slot($0) }
        let evaluator = evaluator(style)
        do throws(Finding) {
            return try evaluator.decimal(expression)?.description ?? "‹blank›"
        } catch { return "!" + error.code.rawValue }
    }
}

/// Keys and values of a named table.
func words(_ table: [String: String]) -> WordTable<[UInt8]> {
    var words = WordTable<[UInt8]>()
    for (key, value) in table { words.updateValue(Array(value.utf8), forKey: Array(key.utf8)) }
    return words
}

@Suite struct ExpressionTests {
    static let row = [
        "a": "6", "b": "-1.5", "z": "0", "junk": "12 shares", "none": "", "dash": "--", "name": "Acme Corp (ACME)",
        "side": "Sell", "money": "€26.09",
        "sek": "89,162.28 SEK", "pct": "28.999%", "big": "99999999999999999999999999999999999999", "umlaut": "Äpfel",
    ]
    static var fixture: Fixture {
        Fixture(
            row,
            maps: [
                ValueMap(
                    name: "kinds", values: words(["sell": "S", "buy now": "B"]),
                    patterns: [(try? Template("Acme*"))].compactMap { $0 }.map { ($0, [0x41]) }),
                ValueMap(name: "numbers", values: words(["six": "6.5"]), patterns: []),
            ])
    }

    @Test(arguments: [
        ("1 + 2 * 3", "7"), ("(1 + 2) * 3", "9"), ("10 - 2 - 3", "5"), ("12 / 3 / 2", "2"), ("2 * 3 + 4 * 5", "26"),
        ("-2 * 3", "-6"), ("--2", "2"), ("1 - -1", "2"),
        ("a", "6"), ("a + b", "4.5"), ("a-b", "7.5"), ("a * b", "-9"), ("a / 4", "1.5"), ("1 / 3", "0.333333333333"),
        ("0.1 + 0.2", "0.3"), ("1/8", "0.125"), ("2/3", "0.666666666667"),
        ("neg(b)", "1.5"), ("neg(z)", "0"), ("abs(b)", "1.5"), ("-a", "-6"), ("number(a)", "6"),
        ("percent(pct)", "0.28999"), ("percent(a)", "0.06"),
        ("a + none", "‹blank›"), ("none * 2", "‹blank›"), ("neg(dash)", "‹blank›"), ("none", "‹blank›"),
        ("dash", "‹blank›"), ("''", "‹blank›"), ("unknown", "‹blank›"),
        ("sum(a, none, b)", "4.5"), ("sum(none, dash)", "‹blank›"), ("sum(a)", "6"), ("first(none, dash, a)", "6"),
        ("first(none)", "‹blank›"), ("first(a, junk)", "6"),
        ("first(none, 'x')", "x"), ("first(none, a + 1)", "7"), ("'text'", "text"), ("'it * (is)'", "it * (is)"),
        ("text(a, ' ', side)", "6 Sell"), ("text(none, a)", "6"), ("text(none)", "‹blank›"), ("text(a + 1, '%')", "7%"),
        ("upper(side)", "SELL"), ("lower(side)", "sell"),
        ("upper(umlaut)", "ÄPFEL"), ("trim(' x ')", "x"), ("digits(sek)", "8916228"), ("digits(side)", "‹blank›"),
        ("before(name, '(')", "Acme Corp"), ("after(name, '(')", "ACME)"), ("before(after(name, '('), ')')", "ACME"),
        ("before(side, '(')", "Sell"), ("after(side, '(')", "‹blank›"),
        ("before(name, none)", "Acme Corp (ACME)"), ("currencyOf(money)", "EUR"), ("currencyOf(sek)", "SEK"),
        ("currencyOf(a)", "‹blank›"), ("currencyOf(none)", "‹blank›"),
        ("map(kinds, side)", "S"), ("map(kinds, 'BUY  NOW')", "B"), ("map(kinds, name)", "A"),
        ("map(kinds, a)", "‹blank›"), ("map(kinds, none)", "‹blank›"),
        ("mapOr(kinds, a, side)", "Sell"), ("mapOr(kinds, none, 'n')", "n"), ("mapOr(kinds, side, 'n')", "S"),
        ("map(numbers, 'six') * 2", "13"),
        ("negIf(a, side, 'sell')", "-6"), ("negIf(b, side, 'buy')", "1.5"), ("negIf(none, side, 'sell')", "‹blank›"),
        ("negIf(b, side, 'Sell')", "-1.5"),
        ("ifSame(side, 'SELL', 1, 2)", "1"), ("ifSame(side, a, 1, 2)", "2"), ("ifSame(none, none, 1, 2)", "2"),
        ("sek + 1", "89163.28"), ("money * 2", "52.18"),
        ("junk + 1", "!number.invalid"), ("neg(junk)", "!number.invalid"), ("a / z", "!number.invalid"),
        ("a / 0", "!number.invalid"), ("big * big", "!number.range"), ("sum(a, junk)", "!number.invalid"),
        ("'x' * 2", "!number.invalid"), ("big + 1", "!number.range"),
    ])
    func evaluates(_ text: String, _ wanted: String) throws { #expect(try Self.fixture.value(text) == wanted) }

    /// What a number's text means does not depend on the function that it goes through.
    @Test(arguments: [
        "x", "neg(neg(x))", "first(none, x)", "first(none, none, first(x))", "number(first(x, none))",
        "neg(neg(first(none, x)))", "sum(first(x))", "abs(trim(x))", "first(before(x, '('), none) + 0",
        "ifSame('a', 'a', x, none) + 0", "ifSame('a', 'b', none, x) + 0", "mapOr(kinds, x, x) + 0", "number(text(x))",
    ])
    func stylesArePassedOn(_ text: String) throws {
        for (cell, style, wanted) in [
            ("1.234", NumberStyle.eu, "1234"), ("1.234,5", .eu, "1234.5"), ("1,234", .us, "1234"),
            ("1.234", .us, "1.234"),
        ] {
            let fixture = Fixture(
                ["x": cell, "none": ""], maps: [ValueMap(name: "kinds", values: words([:]), patterns: [])])
            #expect(try fixture.number(text, style: style) == wanted, "\(cell)")
        }
    }

    /// Numbers that stand in the definition are written with a point, whatever the file's style.
    @Test func literalsHaveTheirOwnStyle() throws {
        let fixture = Fixture(["x": "2,5"], maps: [ValueMap(name: "m", values: words(["2,5": "1.5"]), patterns: [])])
        #expect(try fixture.number("x * 1.5", style: .eu) == "3.75")
        #expect(try fixture.number("map(m, x) * 2", style: .eu) == "3")
        #expect(try fixture.number("number('1.5')", style: .eu) == "1.5")
    }

    @Test(arguments: [
        "", " ", "1 +", "* 2", "(1", "1)", "foo(", "foo(1)", "neg()", "neg(1, 2)", "before(a)", "negIf(a, b)", "'open",
        "1 2", "a b", "map(nope, a)", "map(kinds)", "map(kinds, a, b)", "mapOr(kinds, a)",
        "a ++", "1..2", "5abc", "a,b", "first(a,)", "@", "a % 2", "é", ".5", "a.b", "1.", "text(a 'x')",
    ])
    func malformed(_ text: String) { #expect(throws: (any Error).self) { try Self.fixture.value(text) } }

    /// Expressions of any depth and length are refused or evaluated, never a crash.
    @Test(arguments: [
        String(repeating: "(", count: 50_000), String(repeating: "-", count: 50_000) + "1",
        String(repeating: "neg(", count: 50_000),
        Array(repeating: "1", count: 50_000).joined(separator: "+"),
        Array(repeating: "1", count: 50_000).joined(separator: "*"),
        String(repeating: "first(a,", count: 20) + "1" + String(repeating: ")", count: 20),
    ])
    func isBounded(_ text: String) { _ = try? Self.fixture.value(text) }

    /// Random arithmetic equals the same arithmetic done by hand.
    @Test func arithmeticIsExact() throws {
        var random = SplitMix64(seed: 41)
        for _ in 0..<iterations(500) {
            let numbers = (0..<4).map { _ in Int.random(in: -999...999, using: &random) }
            let fixture = Fixture([
                "p": "\(numbers[0])", "q": "\(numbers[1])", "r": "\(numbers[2])", "s": "\(numbers[3])",
            ])
            #expect(try fixture.value("p + q * r - s") == "\(numbers[0] + numbers[1] * numbers[2] - numbers[3])")
            #expect(
                try fixture.value("(p + q) * (r - s)") == "\((numbers[0] + numbers[1]) * (numbers[2] - numbers[3]))")
            #expect(
                try fixture.value("neg(abs(p)) + sum(q, r, s)")
                    == "\(-abs(numbers[0]) + numbers[1] + numbers[2] + numbers[3])")
        }
    }

    /// Random token soup: an error or a value.
    @Test func survivesAnything() {
        var random = SplitMix64(seed: 43)
        let pieces = [
            "a", "junk", "1", "+", "-", "*", "/", "(", ")", ",", "neg", "first", "'x'", "'", " ", "map", "kinds",
            "ifSame", "é", ".",
        ]
        for _ in 0..<iterations(3_000) {
            let text = (0..<random.below(12)).map { _ in pieces.randomElement(using: &random) ?? "" }.joined()
            _ = try? Self.fixture.value(text)
        }
    }
}
