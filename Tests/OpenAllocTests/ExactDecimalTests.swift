import OpenAlloc
import TestSupport
import Testing

@Suite struct ExactDecimalTests {
    @Test(arguments: [
        ("1234.5", "1234.5"), ("-0.10", "-0.1"), ("123456789.123456789", "123456789.123456789"),
        ("0.30000000000000004", "0.30000000000000004"), ("1234567890123456789012.25", "1234567890123456789012.25"),
        ("0.00000001", "0.00000001"), ("-0", "0"), ("100", "100"), ("+7", "7"), ("-0.000", "0"), ("007.5", "7.5"),
        ("00000000000000000000000000000000000000000000001.50", "1.5"),
        ("1.00000000000000000000000000000000000000000000000000", "1"), ("9223372036854775807", "9223372036854775807"),
        ("-9223372036854775808", "-9223372036854775808"), ("18446744073709551616", "18446744073709551616"),
        ("99999999999999999999999999999999999999", "99999999999999999999999999999999999999"),
        ("-0.99999999999999999999999999999999999999", "-0.99999999999999999999999999999999999999"),
        ("0.0000000000000000000000000000000000000000000000000000000000000000000000000001", nil),
        ("10000000000000000000", "10000000000000000000"), ("100000000000000000000.0", "100000000000000000000"),
    ])
    func readsAndWrites(text: String, expected: String?) throws {
        let number = try #require(ExactDecimal(exactly: text))
        #expect(number.description == expected ?? text)
    }

    @Test(arguments: [
        ("", ExactDecimal.ParseError.empty), ("1e3", .malformed), ("12 shares", .malformed), ("1.2.3", .malformed),
        ("NaN", .malformed), ("0x10", .malformed), ("1,5,0", .malformed), ("-", .malformed), ("+", .malformed),
        (".", .malformed), (".5", .malformed), ("5.", .malformed), ("-.5", .malformed), (" 1", .malformed),
        ("1 ", .malformed), ("--1", .malformed), ("1-", .malformed), ("\u{2212}1", .malformed), ("1_000", .malformed),
        ("Infinity", .malformed), ("１", .malformed), ("1\0", .malformed),
        ("12345678901234567890.", .malformed), ("1234567890.1234567890.1", .malformed),
        ("99999999999999999999%", .malformed), ("12345678901234567890 shares", .malformed),
        ("100000000000000000000000000000000000000", .outOfRange),
        ("1.00000000000000000000000000000000000001", .outOfRange),
        ("0.00000000000000000000000000000000000000000000000000000000000000000000000000001", .outOfRange),
    ])
    func rejects(text: String, expected: ExactDecimal.ParseError) {
        let bytes = Array(text.utf8)
        #expect(throws: expected) { try bytes.withUnsafeBufferPointer { try ExactDecimal.parse($0) } }
        #expect(ExactDecimal(exactly: text) == nil)
    }

    @Test func roundTripsRandomNumbers() throws {
        var random = SplitMix64(seed: 1)
        for _ in 0..<iterations(20_000) {
            let text = randomNumber(&random)
            let oracle = Schoolbook(text)
            let number = try #require(ExactDecimal(exactly: text), "\(text)")
            #expect(number.description == oracle.description)
            #expect(ExactDecimal(exactly: number.description) == number)
            #expect(ExactDecimal(coefficient: number.coefficient, scale: Int(number.scale)) == number)
            #expect(
                Array(number.description.utf8).span.withUnsafeBufferPointer { try? ExactDecimal.parse($0) } == number)
        }
    }

    @Test func neverTrapsAndAgreesWithTheGrammarOnAnyBytes() {
        var random = SplitMix64(seed: 2)
        let alphabet = Array("0123456789..+-e, x".utf8)
        for _ in 0..<iterations(20_000) {
            let bytes = (0..<random.below(60)).map { _ in random.pick(alphabet) }
            let parsed = bytes.withUnsafeBufferPointer { try? ExactDecimal.parse($0) }
            let text = String(decoding: bytes, as: UTF8.self)
            let expected = isPlainNumber(text) && Schoolbook(text).fits ? Schoolbook(text).description : nil
            #expect(parsed?.description == expected, "\(text)")
        }
    }

    @Test func sumsProductsAndOrderAgreeWithSchoolbook() throws {
        var random = SplitMix64(seed: 3)
        for _ in 0..<iterations(20_000) {
            let (left, right) = (randomNumber(&random), randomNumber(&random))
            let a = try #require(ExactDecimal(exactly: left))
            let b = try #require(ExactDecimal(exactly: right))
            let (x, y) = (Schoolbook(left), Schoolbook(right))
            #expect(a.adding(b)?.description == ((x + y).fits ? (x + y).description : nil), "\(left) + \(right)")
            #expect(a.subtracting(b) == b.negated.adding(a), "\(left) - \(right)")
            #expect(
                a.multiplied(by: b)?.description == ((x * y).fits ? (x * y).description : nil), "\(left) * \(right)")
            #expect((a < b) == (x < y), "\(left) < \(right)")
            #expect((a == b) == (x == y), "\(left) == \(right)")
            #expect(a.subtracting(a)?.isZero == true)
        }
    }

    @Test func quotientsAgreeWithSchoolbook() throws {
        var random = SplitMix64(seed: 4)
        for _ in 0..<iterations(3_000) {
            let (left, right) = (randomNumber(&random), randomNumber(&random))
            let a = try #require(ExactDecimal(exactly: left))
            let b = try #require(ExactDecimal(exactly: right))
            if b.isZero {
                #expect(a.divided(by: b) == nil)
                continue
            }
            let (x, y) = (Schoolbook(left), Schoolbook(right))
            // A quotient that ends within 76 decimals shows itself in long division to that many.
            let long = x.divided(by: y, places: 76)
            if long.exact, long.value.fits {
                let quotient = try #require(a.divided(by: b), "\(left) / \(right)")
                #expect(quotient.exact && quotient.value.description == long.value.description, "\(left) / \(right)")
            } else {
                let short = x.divided(by: y, places: 12)
                let quotient = a.divided(by: b)
                #expect(quotient?.value.description == (short.value.fits ? short.value.description : nil))
                #expect(quotient?.exact != true, "\(left) / \(right)")
            }
        }
    }

    @Test(arguments: [
        ("10", "4", "2.5", true), ("1", "3", "0.333333333333", false), ("2", "3", "0.666666666667", false),
        ("-1", "3", "-0.333333333333", false), ("22951.97", "500", "45.90394", true), ("0", "7", "0", true),
        ("1", "1024", "0.0009765625", true), ("1", "0.001", "1000", true), ("5", "-0.25", "-20", true),
        ("1", "3000000000000", "0", false), ("1", "16384", "0.00006103515625", true),
    ])
    func divides(left: String, right: String, expected: String, exact: Bool) throws {
        let a = try #require(ExactDecimal(exactly: left))
        let b = try #require(ExactDecimal(exactly: right))
        let quotient = try #require(a.divided(by: b))
        #expect(quotient.value.description == expected)
        #expect(quotient.exact == exact)
    }

    @Test(arguments: [
        ("2.5", 0, "2"), ("3.5", 0, "4"), ("-2.5", 0, "-2"), ("-2.51", 0, "-3"), ("1.005", 2, "1"),
        ("1.015", 2, "1.02"),
        ("1.0151", 2, "1.02"), ("9.99", 1, "10"), ("1.5", 9, "1.5"), ("0.4", 0, "0"), ("-0.4", 0, "0"),
        ("9.9999999999999999999999999999999999999", 36, "10"), ("1.5", -3, "2"),
        ("0.00000000000000000000000000000000000000000000000001", 3, "0"),
    ])
    func rounds(text: String, places: Int, expected: String) throws {
        #expect(try #require(ExactDecimal(exactly: text)).rounded(scale: places).description == expected)
    }

    @Test func roundingAgreesWithSchoolbook() throws {
        var random = SplitMix64(seed: 5)
        for _ in 0..<iterations(5_000) {
            let text = randomNumber(&random)
            let places = random.below(40)
            let number = try #require(ExactDecimal(exactly: text))
            let expected = Schoolbook(text).divided(by: Schoolbook("1"), places: places).value
            #expect(number.rounded(scale: places).description == expected.description, "\(text) to \(places)")
        }
    }

    @Test(
        arguments: [
            (Int128(1200), 2, "12"), (0, 50, "0"), (5, -3, "5000"), (-15, 1, "-1.5"), (1, 77, nil), (10, 77, nil),
            (100, 77, nil), (Int128.max, 0, nil), (Int128.min, 0, nil), (1, -38, nil), (1, -37, nil), (1, -400, nil),
            (Int128(Int64.min), 18, "-9.223372036854775808"),
        ] as [(Int128, Int, String?)])
    func normalizes(coefficient: Int128, scale: Int, expected: String?) {
        let text =
            switch (coefficient, scale) {
            case (10, 77): "0." + String(repeating: "0", count: 75) + "1"
            case (100, 77): "0." + String(repeating: "0", count: 74) + "1"
            case (1, -37): "1" + String(repeating: "0", count: 37)
            default: expected
            }
        #expect(ExactDecimal(coefficient: coefficient, scale: scale)?.description == text)
    }

    @Test func signsAndParts() {
        let number = ExactDecimal(coefficient: -125, scale: 2)
        #expect(number?.signum == -1)
        #expect(number?.magnitude.description == "1.25")
        #expect(number?.negated.description == "1.25")
        #expect(number?.asInt == nil)
        #expect(ExactDecimal(42).asInt == 42)
        #expect((-ExactDecimal(42)).asInt == -42)
        #expect(ExactDecimal.zero.signum == 0)
        #expect(ExactDecimal.zero.isZero)
        #expect((7 as ExactDecimal) < 8)
    }

    @Test(arguments: [
        ("1e3", "1000"), ("1.5E-3", "0.0015"), ("-2e+0", "-2"), ("0e999999", "0"), ("1e9999", nil), ("1e-77", nil),
        ("12", "12"), ("1e", nil), ("e3", nil), ("1e1.5", nil), ("1e99999999999999999999", nil),
        ("1e-9223372036854775808", nil), ("10e-77", "0."),
    ])
    func readsJSONNumbers(token: String, expected: String?) {
        let text = expected == "0." ? "0." + String(repeating: "0", count: 75) + "1" : expected
        #expect(ExactDecimal(jsonNumber: token)?.description == text)
    }
}

/// A random number of up to 38 digits, short ones and awkward ones (nines, zeros, equal scales) included.
func randomNumber(_ random: inout SplitMix64) -> String {
    let count = random.pick([1, 2, 5, 9, 17, 18, 19, 20, 30, 37, 38])
    let alphabet = random.pick([Array("0123456789"), Array("09"), Array("05"), Array("125"), Array("9")])
    var digits = (0..<count).map { _ in random.pick(alphabet) }
    if digits[0] == "0" { digits[0] = "1" }
    let scale = random.pick([0, 0, 1, 2, 2, 8, 20, 37, 38])
    while digits.count <= scale { digits.insert("0", at: 0) }
    var text = String(digits)
    if scale > 0 { text.insert(".", at: text.index(text.endIndex, offsetBy: -scale)) }
    return (random.below(2) == 0 ? "" : "-") + text
}

/// `[+-]?digits[.digits]`, by another road than the parser's.
private func isPlainNumber(_ text: String) -> Bool {
    let body = text.hasPrefix("+") || text.hasPrefix("-") ? text.dropFirst() : text[...]
    let parts = body.split(separator: ".", omittingEmptySubsequences: false)
    return (1...2).contains(parts.count)
        && parts.allSatisfy { !$0.isEmpty && $0.allSatisfy { "0123456789".contains($0) } }
}
