import Delimited
import OpenAlloc

/// Takes the usual shapes of numbers apart without memory of its own: a sign or parentheses, a sign of a currency, up to
/// 18 digits with up to 8 marks, a currency or percent sign behind. Gives up on all others; `NumberScanner` reads those,
/// and says the same of these.
struct AmountScanner {
    /// Whether a text surely is no number: it has no digit, or ends with a word that is no currency.
    ///
    /// What may stand behind a number and ends with a letter is a code of three, or `kr`.
    static func isNoNumber(_ text: ByteView) -> Bool {
        var upper = text.count
        while upper > 0, text[upper - 1] == 0x20 { upper -= 1 }
        var lower = upper
        while lower > 0, isLetter(text[lower - 1]) { lower -= 1 }
        if lower < upper, !isCurrency(text[lower..<upper]) { return true }
        return !text[0..<lower].contains(where: isDigit)
    }

    private static func isCurrency(_ word: ByteView) -> Bool {
        if word.count == 2 { return word == "kr" }
        guard word.count == 3 else { return false }
        if word == "GBX" || word == "GBp" { return true }
        var hasSmall = false
        for place in 0..<3 where word[place] >= 0x61 { hasSmall = true }
        return hasSmall ? Currency.isKnown(word.string.uppercased()) : Currency.isKnown(word)
    }

    /// Digits in order.
    private var digits = 0 as UInt64
    private var count = 0
    private var isZeroFirst = false
    /// How many marks there are, and a byte for each, the first in the lowest: the digits before it, and which it is.
    private var marks = 0
    private var packed = 0 as UInt64
    private var points = 0
    private var commas = 0
    private var isNegative = false
    private var isPercent = false
    /// The sign or code of a currency; empty where there is none.
    private(set) var unit = ByteView.empty

    private enum Mark {
        static let point = 0 as UInt64
        static let comma = 1 as UInt64
        static let apostrophe = 2 as UInt64
        static let space = 3 as UInt64
    }

    /// Nil for a text of another shape.
    init?(_ whole: ByteView) {
        let text = whole.trimmed()
        guard text.count > 0, text.count <= 32 else { return nil }
        var lower = 0
        var upper = text.count
        guard takeSign(text, &lower, &upper), takeEnd(text, lower, &upper) else { return nil }
        if let width = AmountScanner.currencySign(text, lower) {
            guard unit.isEmpty, lower + width < upper else { return nil }
            unit = text[lower..<lower + width]
            lower += width
        }
        guard lower < upper, takeDigits(text, lower, upper) else { return nil }
    }

    /// `-`, `+`, or parentheses around all.
    private mutating func takeSign(_ text: ByteView, _ lower: inout Int, _ upper: inout Int) -> Bool {
        switch text[0] {
        case UInt8(ascii: "-"):
            isNegative = true
            lower = 1
        case UInt8(ascii: "+"): lower = 1
        case UInt8(ascii: "("):
            guard text.last == UInt8(ascii: ")") else { return false }
            isNegative = true
            lower = 1
            upper -= 1
        default: break
        }
        return lower < upper
    }

    /// `%`, or a currency's sign or code, a space before it or none.
    private mutating func takeEnd(_ text: ByteView, _ lower: Int, _ upper: inout Int) -> Bool {
        let last = text[upper - 1]
        if isDigit(last) { return true }
        if last == UInt8(ascii: "%") {
            isPercent = true
            upper -= 1
        } else if upper - lower > 3, text[upper - 3] &- 0x41 < 26 {
            guard Currency.isKnown(text[upper - 3..<upper]) else { return false }
            unit = text[upper - 3..<upper]
            upper -= 3
        } else if upper - lower > 3, AmountScanner.currencySign(text, upper - 3) == 3 {
            unit = text[upper - 3..<upper]
            upper -= 3
        } else {
            return false
        }
        guard upper > lower else { return false }
        if text[upper - 1] == 0x20 {
            upper -= 1
        } else if upper - lower > 2, text[upper - 1] == 0xA0, text[upper - 2] == 0xC2 {
            upper -= 2
        }
        return upper > lower && isDigit(text[upper - 1])
    }

    /// The width of `$`, `£` or `€`.
    @inline(__always)
    private static func currencySign(_ text: ByteView, _ at: Int) -> Int? {
        switch text[at] {
        case UInt8(ascii: "$"): 1
        case 0xC2: at + 1 < text.count && text[at + 1] == 0xA3 ? 2 : nil
        case 0xE2: at + 2 < text.count && text[at + 1] == 0x82 && text[at + 2] == 0xAC ? 3 : nil
        default: nil
        }
    }

    private mutating func takeDigits(_ text: ByteView, _ lower: Int, _ upper: Int) -> Bool {
        guard isDigit(text[lower]) else { return false }
        isZeroFirst = text[lower] == 0x30
        var place = lower
        while place < upper {
            let byte = text[place]
            if isDigit(byte) {
                digits = digits &* 10 &+ UInt64(byte &- 0x30)
                count += 1
                place += 1
                continue
            }
            guard marks < 8, count <= 18 else { return false }
            var mark = Mark.space
            switch byte {
            case UInt8(ascii: "."):
                mark = Mark.point
                points += 1
                place += 1
            case UInt8(ascii: ","):
                mark = Mark.comma
                commas += 1
                place += 1
            case UInt8(ascii: "'"):
                mark = Mark.apostrophe
                place += 1
            default:
                guard let width = spaceWidth(text, place) else { return false }
                place += width
            }
            packed |= (UInt64(count) | mark << 6) << UInt64(8 * marks)
            marks += 1
        }
        return count <= 18
    }

    private func at(_ index: Int) -> Int { Int(packed >> UInt64(8 * index) & 63) }
    private func mark(_ index: Int) -> UInt64 { packed >> UInt64(8 * index + 6) & 3 }

    /// The last mark of a kind; −1 when there is none.
    private func last(_ kind: UInt64) -> Int {
        var index = marks - 1
        while index >= 0, mark(index) != kind { index -= 1 }
        return index
    }

    /// The decimal mark that the text alone proves; see `NumberScanner.provenMark`.
    private var proven: UInt64? {
        if points > 0, commas > 0 {
            return at(last(Mark.point)) > at(last(Mark.comma)) ? Mark.point : Mark.comma
        }
        guard points + commas > 0 else { return nil }
        let kind = points > 0 ? Mark.point : Mark.comma
        if points + commas > 1 { return kind == Mark.point ? Mark.comma : Mark.point }
        let before = at(last(kind))
        if count - before != 3 || before == 0 || before > 3 || isZeroFirst { return kind }
        return nil
    }

    /// The decimal mark that the text proves: it is a number under it.
    var provenMark: UInt8? {
        guard let kind = proven, case .value = value(under: kind) else { return nil }
        return kind == Mark.point ? UInt8(ascii: ".") : UInt8(ascii: ",")
    }

    /// What the text says in a style.
    func value(_ style: NumberStyle) -> NumberReading {
        switch style.decimal {
        case UInt8(ascii: "."): return value(under: Mark.point)
        case .some: return value(under: Mark.comma)
        case nil:
            if let proven { return value(under: proven) }
            return points + commas > 0 ? .ambiguous : value(under: Mark.point)
        }
    }

    private func value(under decimal: UInt64) -> NumberReading {
        var scale = 0
        var groups = marks
        if marks > 0, mark(marks - 1) == decimal {
            groups -= 1
            scale = count - at(groups)
            guard scale > 0 || at(groups) > 0 else { return .invalid }
        }
        if groups > 0 {
            // A decimal mark before the last is none.
            guard !isZeroFirst, areGroups(groups, under: decimal, wholeDigits: count - scale) else { return .invalid }
        }
        let coefficient = Int64(truncatingIfNeeded: digits)
        guard let number = ExactDecimal(coefficient: Int128(isNegative ? -coefficient : coefficient), scale: scale)
        else { return .outOfRange }
        return .value(number, isPercent: isPercent)
    }

    /// See `NumberScanner.areGroups`.
    private func areGroups(_ groups: Int, under decimal: UInt64, wholeDigits: Int) -> Bool {
        let kind = mark(0)
        guard kind != decimal, at(0) > 0 else { return false }
        var end = wholeDigits
        var index = groups - 1
        while index >= 0 {
            guard mark(index) == kind else { return false }
            let size = end - at(index)
            guard size == 3 || (size == 2 && index < groups - 1 && kind == Mark.comma) else { return false }
            end = at(index)
            index -= 1
        }
        return end > 0 && end <= 3
    }
}
