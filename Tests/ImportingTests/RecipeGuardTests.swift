import Delimited
import OpenAlloc
import TestSupport
import Testing

@testable import Importing

/// Recipes that hold for some rows of a class, and numbers that are worked out of a row's, give what the rules give.
@Suite struct RecipeGuardTests {
    /// Rules that ask more of a row than its class fixes, or make more of it than its cells say.
    static let rules = [
        "set: {factor: abs(amount / (units * price))}\nkind: trade",
        "set:\n  - {when: {units: (nonzero), price: (nonzero)}, set: {factor: abs(amount / (units * price))}}\n"
            + "priceUnits: [{when: {factor: {above: 0.5, below: 2}}, unit: contract, multiplier: 10}]\nkind: trade",
        "set: {rest: abs(amount) - abs(units) * price}\n"
            + "rows: [{when: {rest: (positive)}, is: skipped, why: hit}]\nkind: cash",
        "set: {rest: \"sum(units, neg(price), amount)\", fees: abs(rest)}\nkind: cash",
        "set: {amount: \"first(abs(amount), sum(abs(units), abs(price)))\"}\nkind: deposit",
        "set: {amount: \"negIf(units, note, 'x')\"}\nkind: deposit",
        "set: {amount: \"ifSame(note, 'x', units, neg(price))\"}\nkind: deposit",
        "set: {whole: abs(units) * price, amount: \"sum(whole, abs(whole), percent(amount))\", units: \"''\"}\nkind: cash",
        "set: {kept: price, price: \"''\", amount: \"sum(kept, price, units)\"}\nkind: cash",
        "rows:\n  - {when: {date: \"*total*\"}, is: total}\n  - {when: {price: \"1.00\", amount: (blank)}, is: skipped, why: hit}\nkind: cash",
        "rows:\n  - {when: {any: [{units: {above: 2}}, {price: {below: 1}}]}, is: record, set: {fees: price}}\nkind: cash",
        "set: {stamp: \"first(note, date)\"}\nkind: cash",
        "actions:\n  on: action\n  words:\n    x:\n      - {when: {units: {above: 2}}, records: [{kind: dividend, set: {amount: \"sum(amount, price)\"}},"
            + " {kind: tax, when: {price: (nonzero)}, set: {amount: neg(abs(price))}}]}\n      - {when: {units: [\"7*\", \"-*\"]}, kind: fee}\n"
            + "      - {when: {price: (present)}, kind: interest}",
        "extract: [{from: date, patterns: [\"{rest} as of {date}\"]}]\nkind: cash",
        "rows: [{when: {cells: 3, first: {not: (date)}}, is: footer}]\nkind: cash",
        "rows: [{when: {line: \"*7*\"}, is: footer}]\nkind: cash",
    ]

    @Test(arguments: rules) func agreeWithTheRules(_ body: String) throws {
        let importer = try importer(LanguageTests.table(body))
        var random = SplitMix64(seed: UInt64(body.utf8.count))
        let values = ["", "1", "7", "0.6", "3", "-1", "0", "75", "1.00", "x", "2%", "$7", "99999999999999999999", "--"]
        for _ in 0..<iterations(4) {
            func value() -> String { values[random.below(random.oneIn(2) ? 7 : values.count)] }
            let rows = (0..<200).map { _ in
                let date = random.oneIn(20) ? "Total" : "2024-01-0\(2 + random.below(3))"
                return
                    "\(date),\(random.oneIn(9) ? "y" : "x"),\(random.oneIn(2) ? "VTI" : "VOO"),\(value()),\(value()),"
                    + "\(value()),\(["", "x", "2024-02-01"][random.below(3)]),X1\n"
            }
            let text = "Day,What,Name,Units,Price,Sum,Note,Account\n" + rows.joined()
            let short = try run(importer, text), rules = try RecipeTests.byRules(importer, text)
            #expect(short.events.map(\.description) == rules.events.map(\.description))
        }
    }

    /// A number of a few cells, made up.
    static func number(_ random: inout SplitMix64, depth: Int) -> RowNumber {
        switch depth == 0 ? random.below(2) : random.below(6) {
        case 0: .cell(random.below(4))
        case 1: .constant(ExactDecimal(coefficient: Int128(random.below(2000)) - 1000, scale: random.below(4)) ?? .one)
        case 2: .negated(number(&random, depth: depth - 1))
        case 3: .magnitude(number(&random, depth: depth - 1))
        default:
            .binary(
                [.add, .subtract, .multiply, .divide][random.below(4)], number(&random, depth: depth - 1),
                number(&random, depth: depth - 1))
        }
    }

    /// A lane's program comes to what the number is, or leaves the row.
    @Test func programsComeToTheSame() throws {
        var random = SplitMix64(seed: 5)
        var taken = 0
        for _ in 0..<iterations(2000) {
            let number = Self.number(&random, depth: 3)
            let values = RowValues()
            var cells: [ExactDecimal] = []
            for place in 0..<4 {
                let digits = Int128(random.next() % (random.oneIn(4) ? 1_000_000_000_000_000_000 : 5000))
                let cell = try #require(
                    ExactDecimal(coefficient: random.oneIn(2) ? digits : -digits, scale: random.below(7)))
                cells.append(cell)
                #expect(values.set(number: place, computed: cell))
                #expect(values.number(place).magnitude.string == cell.magnitude.description)
            }
            let value = number.value { cells[$0] }
            if let sign = number.sign({ cells[$0].signum }), let value { #expect(sign == value.signum) }
            #expect(number.mayFail || value != nil)
            let sign = value?.signum ?? 0
            let program = try #require(RowProgram(outputs: [(number, 9, sign)]))
            guard program.run(values) else {
                let digits = value?.coefficient.magnitude ?? .max
                #expect(digits >= 1_000_000_000_000_000_000 || (value?.scale ?? 99) > 18)
                continue
            }
            taken += 1
            let plain = values.number(9)
            #expect(ExactDecimal(coefficient: Int128(plain.coefficient), scale: Int(plain.scale)) == value)
            #expect(plain.magnitude.string == value?.magnitude.description)
            let other = try #require(RowProgram(outputs: [(number, 9, sign == 1 ? -1 : 1)]))
            #expect(!other.run(values))
        }
        #expect(taken > 500)
    }

    /// Templates that no date matches, whatever day it is.
    @Test(arguments: [
        ("*Total*", true), ("Total", true), ("{x} as of {y}", true), ("*mar*", false), ("*T*", false), ("*", false),
        ("{x:date}", false), ("*am", false), ("2024*", false), ("*vembe*", false), ("*Jan-Total*", true),
    ]) func matchNoDate(_ source: String, _ isNone: Bool) throws {
        let patterns = try ["YYYY-MM-DDThh:mm", "MMM D, YYYY", "DD.MM.YYYY"].map { try DatePattern($0) }
        #expect(try Template(source).matchesNoDate(of: patterns) == isNone)
    }
}
