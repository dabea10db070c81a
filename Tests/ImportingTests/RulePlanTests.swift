import Delimited
import OpenAlloc
import TestSupport
import Testing

@testable import Importing

/// Rules as they are decided, held to the values that they are made of.
@Suite struct RulePlanTests {
    private static let words = ["buy", "sell", "", "buy more", "0", "-1.5", "2", "--", "x", "12/31/2024", "Größe"]
    private static let cells =
        words + ["Buy", " SELL ", "BUY\u{A0}\u{A0}MORE", "1,234.50", "3 for 2", "GRÖSSE", "\t", "5-", "+2"]

    private static func condition(_ random: inout SplitMix64, depth: Int) -> Condition {
        let slot = random.below(4)
        switch random.below(depth > 0 ? 8 : 5) {
        case 0:
            let list = (0..<random.below(12)).map { _ in foldedWordBytes(words[random.below(words.count)]) }
            return .isOneOf(slot, list)
        case 1: return .test(slot, Condition.Test.allCases[random.below(Condition.Test.allCases.count)])
        case 2: return .isSame(slot, random.below(4))
        case 3: return .lies(slot, above: random.oneIn(2) ? -1 : nil, below: random.oneIn(2) ? 2 : nil)
        case 4:
            let patterns = ["buy *", "{d:number} for {c}", "*e*", "{d:word}"].filter { _ in random.oneIn(2) }
            return .matches(
                slot,
                patterns.compactMap { try? Template($0) }.map { template in
                    BoundTemplate(template: template, slots: template.names.map { $0 == "d" ? 3 : 2 })
                })
        case 5: return .not(condition(&random, depth: depth - 1))
        case 6: return .all((0..<random.below(4)).map { _ in condition(&random, depth: depth - 1) })
        default: return .any((0..<random.below(4)).map { _ in condition(&random, depth: depth - 1) })
        }
    }

    /// Steps say what the tree says, and leave the same values behind.
    @Test func stepsSayWhatTheTreeSays() {
        var random = SplitMix64(seed: 41)
        var holding = 0
        for _ in 0..<iterations(4_000) {
            let condition = Self.condition(&random, depth: 3)
            var builder = ConditionBuilder()
            let entry = builder.add(condition)
            let program = ConditionProgram(builder)
            let texts = (0..<4).map { _ in Array(Self.cells[random.below(Self.cells.count)].utf8) }
            var seen: [(Bool, [String])] = []
            for isTree in [true, false] {
                let state = RowState(count: 4)
                state.beginRow()
                for (slot, text) in texts.enumerated() { state.set(slot, copying: text) }
                let evaluator = Evaluator(
                    state: state, reader: NumberReader(blanks: ["-", "--"]), maps: [], style: .us)
                let holds = isTree ? evaluator.holds(condition) : evaluator.holds(entry, program)
                seen.append((holds, (0..<4).map { state.text($0).string }))
            }
            #expect(seen[0] == seen[1], "\(condition)")
            if seen[0].0 { holding += 1 }
        }
        #expect(holding > 500)
    }

    /// A cell that a header's name may be is never passed over.
    @Test func openingsPassNoNameOver() {
        let names = [
            "Trade Date", "% of account", "Größe", "Price ($)", "S&P 500", "Date", "é", "#", "Total (GBP)", "Q2",
        ]
        let keys = Set(names.map { HeaderName($0).key })
        let openings = NameOpenings(keys)
        let parts =
            names + [
                "<span>", "</span>", "&amp;", " ", "\u{A0}", "Da", "te", "e\u{301}", "12", "-", "$", "(", "x", "K",
            ]
        var random = SplitMix64(seed: 7)
        var found = 0
        for _ in 0..<iterations(20_000) {
            var text = ""
            for _ in 0..<1 + random.below(3) { text += parts[random.below(parts.count)] }
            if random.oneIn(2) { text = text.uppercased() }
            let (may, key) = withView(text) { view in
                let cell = view.stripped()
                return (openings.mayBegin(cell), HeaderName(cell.string).key)
            }
            if keys.contains(key) {
                found += 1
                #expect(may, "‘\(text)’")
            }
        }
        #expect(found > 500)
        #expect(withView("YOU BOUGHT") { !openings.mayBegin($0) } && withView("ACME") { !openings.mayBegin($0) })
    }

    /// A row that was put aside comes back as it was.
    @Test func rowsThatWerePutAsideComeBack() {
        let state = RowState(count: 3)
        state.beginRow()
        state.set(0, copying: Array("one".utf8))
        state.set(1, ExactDecimal(7))
        state.putAside()
        for slot in 0..<3 { state.set(slot, copying: Array("other".utf8)) }
        state.set(0, ExactDecimal(1))
        #expect(state.foldedText(2).string == "other" && state.text(0).string == "1")
        state.takeUp()
        #expect((0..<3).map { state.text($0).string } == ["one", "7", ""])
        #expect(state.computed(1) == 7 && state.computed(0) == nil && state.isEmpty(2))
        #expect(state.folded(0) == Array("one".utf8))
    }
}

/// The matcher held to a plain one, of which nothing is made quick.
@Suite struct TemplateTwinTests {
    /// Whether the tokens from an index on match all of the text from a position on.
    private static func matches(_ template: Template, _ text: [UInt8], _ index: Int, _ at: Int) -> Bool {
        guard index < template.tokens.count else { return at == text.count }
        let isLast = index + 1 == template.tokens.count
        switch template.tokens[index] {
        case .literal(let literal):
            let end = at + literal.count
            return end <= text.count && text[at..<end].map(asciiLower) == literal
                && matches(template, text, index + 1, end)
        case .space:
            var end = at
            while end < text.count, text[end] == 0x20 { end += 1 }
            return end > at && matches(template, text, index + 1, end)
        case .any:
            if isLast { return !template.needsBreakBeforeTail || at == text.count || text[at] == 0x20 }
            return (at...text.count).contains { matches(template, text, index + 1, $0) }
        case .capture(_, .rest): return at < text.count && isLast
        case .capture(_, let kind):
            guard at < text.count else { return false }
            return (at + 1...text.count).contains { end in
                let part = text[at..<end]
                let fits =
                    switch kind {
                    case .word: !part.contains(0x20)
                    case .int: part.allSatisfy { isDigit($0) }
                    default: true
                    }
                return fits && matches(template, text, index + 1, end)
            }
        }
    }

    @Test func agreesWithThePlainOne() throws {
        let parts = ["buy", "a", "at", " ", "*", "{x}", "{y:word}", "{z:int}", "{_}", "@", ":", " @ ", "{r:rest}"]
        let texts = ["buy", "BUY", "a", "at", " ", "1", "23", "@", ":", " @ ", " : ", "b", "u"]
        var random = SplitMix64(seed: 5)
        var matched = 0
        for _ in 0..<iterations(20_000) {
            var pattern = ""
            for _ in 0..<1 + random.below(6) { pattern += parts[random.below(parts.count)] }
            let template = try Template(pattern)
            var text = ""
            for _ in 0..<1 + random.below(7) { text += texts[random.below(texts.count)] }
            let wanted = withView(text) { view in Self.matches(template, view.stripped().array, 0, 0) }
            let got = withView(text) { view in
                (template.matches(view), template.mayMatch(Template.Letters(view)))
            }
            #expect(got.0 == wanted, "\(pattern) on ‘\(text)’")
            #expect(got.1 || !wanted, "letters of \(pattern) on ‘\(text)’")
            if wanted { matched += 1 }
        }
        #expect(matched > 300)
    }
}
