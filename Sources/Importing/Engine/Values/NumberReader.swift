import Delimited
import OpenAlloc

/// How numbers are written: the decimal mark and what groups the thousands.
struct NumberStyle: Sendable, Hashable {
    /// The decimal mark; nil: proven over the whole column.
    var decimal: UInt8?

    static let us = NumberStyle(decimal: UInt8(ascii: "."))
    static let eu = NumberStyle(decimal: UInt8(ascii: ","))
    static let auto = NumberStyle(decimal: nil)

    /// By the names that definitions use.
    static func named(_ name: String) -> NumberStyle? {
        switch name {
        // Apostrophes and spaces group under either mark, so the Swiss style is the US one, and `space` the European.
        case "us", "ch": .us
        case "eu", "space": .eu
        case "auto": .auto
        default: nil
        }
    }
}

/// What a cell says as a number.
enum NumberReading: Sendable, Hashable {
    case blank
    case value(ExactDecimal, isPercent: Bool)
    /// Not wholly a number.
    case invalid
    /// More digits than can be kept exactly.
    case outOfRange
    /// `1,234` or `1.234` where nothing says which mark it is.
    case ambiguous
}

/// Reads numbers as exports print them: signs on either side, parentheses, currency signs and codes, grouping.
///
/// What is not wholly a number is invalid, never a part of it.
struct NumberReader: Sendable {
    /// Cells that mean "no value", folded.
    let blanks: [[UInt8]]
    /// Whether some of them have digits, and so may look like numbers.
    let hasNumericBlanks: Bool

    init(blanks: [String]) {
        self.blanks = blanks.map { foldedWordBytes($0) }
        hasNumericBlanks = self.blanks.contains { $0.contains(where: isDigit) }
    }

    func isBlank(_ text: ByteView) -> Bool {
        let trimmed = text.trimmed()
        if trimmed.isEmpty || trimmed.isBlank { return true }
        guard trimmed.count <= 16 else { return false }
        for blank in blanks where trimmed.equalsIgnoringCase(blank) { return true }
        return false
    }

    func read(_ text: ByteView, _ style: NumberStyle) -> NumberReading {
        if let plain = Self.plain(text, style) { return plain }
        if !hasNumericBlanks {
            if let money = Self.money(text, style) { return money }
            if let amount = AmountScanner(text) { return amount.value(style) }
            if AmountScanner.isNoNumber(text) { return isBlank(text) ? .blank : .invalid }
        }
        return slowRead(text, style)
    }

    /// The same of a number in any shape.
    func slowRead(_ text: ByteView, _ style: NumberStyle) -> NumberReading {
        if isBlank(text) { return .blank }
        var scanner = NumberScanner(text)
        guard scanner.scan() else { return .invalid }
        return scanner.value(style)
    }

    /// The common shape on the fast road: an optional sign, digits, and at most one point.
    private static func plain(_ text: ByteView, _ style: NumberStyle) -> NumberReading? {
        guard style.decimal == UInt8(ascii: "."), text.count > 0, text.count <= 18 else { return nil }
        var i = 0
        let isNegative = text[0] == UInt8(ascii: "-")
        if isNegative { i = 1 }
        guard i < text.count else { return nil }
        var value: Int64 = 0
        var scale = -1
        var digits = 0
        while i < text.count {
            let byte = text[i]
            if isDigit(byte) {
                value = value &* 10 &+ Int64(byte &- 0x30)
                digits += 1
                if scale >= 0 { scale += 1 }
            } else if byte == UInt8(ascii: "."), scale < 0 {
                scale = 0
            } else {
                return nil
            }
            i += 1
        }
        guard digits > 0,
            let number = ExactDecimal(coefficient: Int128(isNegative ? -value : value), scale: max(0, scale))
        else { return nil }
        return .value(number, isPercent: false)
    }

    /// The shape of most amounts: a sign, a dollar sign, digits in groups of three or in one row, a point, digits.
    private static func money(_ text: ByteView, _ style: NumberStyle) -> NumberReading? {
        guard style.decimal == UInt8(ascii: "."), text.count <= 24 else { return nil }
        var at = 0
        let isNegative = text.first == UInt8(ascii: "-")
        if isNegative || text.first == UInt8(ascii: "+") { at = 1 }
        if at < text.count, text[at] == UInt8(ascii: "$") { at += 1 }
        guard at < text.count, isDigit(text[at]) else { return nil }
        // Groups may not begin with a zero.
        let mayGroup = text[at] != UInt8(ascii: "0")
        var value: Int64 = 0
        var scale = -1
        var digits = 0
        /// The digits since the last group mark; −1 where there was none.
        var grouped = -1
        while at < text.count {
            let byte = text[at]
            at += 1
            if isDigit(byte) {
                value = value &* 10 &+ Int64(byte &- 0x30)
                digits += 1
                if scale >= 0 { scale += 1 } else if grouped >= 0 { grouped += 1 }
            } else if byte == UInt8(ascii: ","), scale < 0, mayGroup, grouped == 3 || (grouped < 0 && digits <= 3) {
                grouped = 0
            } else if byte == UInt8(ascii: "."), scale < 0 {
                scale = 0
            } else {
                return nil
            }
        }
        guard digits <= 18, grouped < 0 || grouped == 3,
            let number = ExactDecimal(coefficient: Int128(isNegative ? -value : value), scale: max(0, scale))
        else { return nil }
        return .value(number, isPercent: false)
    }

    /// What a cell proves about the decimal mark: `.` or `,`, or nil when it proves nothing.
    func proof(_ text: ByteView) -> UInt8? {
        if text.isEmpty { return nil }
        if !hasNumericBlanks {
            if let amount = AmountScanner(text) { return amount.provenMark }
            if AmountScanner.isNoNumber(text) { return nil }
        }
        return slowProof(text)
    }

    /// The same of a number in any shape.
    func slowProof(_ text: ByteView) -> UInt8? {
        var scanner = NumberScanner(text)
        guard !isBlank(text), scanner.scan(), let mark = scanner.provenMark else { return nil }
        // What proves a mark must be a number under it: a date such as 02.01.2024 is none.
        guard case .value = scanner.value(NumberStyle(decimal: mark)) else { return nil }
        return mark
    }

    /// The currency sign or code in a cell such as `89,162.28 SEK` or `€26.09`.
    func currency(_ text: ByteView) -> String? {
        if let amount = AmountScanner(text) {
            if amount.unit.isEmpty { return nil }
            let unit = amount.unit.string
            return Currency.code(ofSign: unit) ?? unit
        }
        return AmountScanner.isNoNumber(text) ? nil : slowCurrency(text)
    }

    /// The same of a number in any shape.
    func slowCurrency(_ text: ByteView) -> String? {
        var scanner = NumberScanner(text)
        guard scanner.scan(), !scanner.unit.isEmpty else { return nil }
        if let code = Currency.code(ofSign: scanner.unit) { return code }
        let upper = scanner.unit.uppercased()
        return Currency.isKnown(upper) ? upper : nil
    }
}

extension NumberReader {
    /// A currency sign or a three-letter code; `shares` is none.
    static func isUnit(_ word: String) -> Bool {
        Currency.code(ofSign: word) != nil || Currency.isKnown(word.uppercased()) || word == "kr" || word == "kr."
            || ["GBX", "GBp"].contains(word)
    }
}

/// Takes a number apart: sign, digits with their marks, and a currency or percent sign.
private struct NumberScanner {
    private let text: ByteView
    private var digits: [UInt8] = []
    /// Positions in `digits` before which a mark stands, with the mark.
    private var marks: [(at: Int, mark: UInt8)] = []
    private var isNegative = false
    private var isPercent = false
    /// The power of ten of `2.0E-4`.
    private var exponent = 0
    private(set) var unit = ""

    init(_ text: ByteView) { self.text = text.trimmed() }

    /// Whether the whole text is one number.
    mutating func scan() -> Bool {
        var lower = 0
        var upper = text.count
        var signs = 0
        var hasParentheses = false
        var isClosed = false
        // From both ends: signs, parentheses, units; what is left must be digits and marks.
        func isMark(_ byte: UInt8) -> Bool { byte == UInt8(ascii: ".") || byte == UInt8(ascii: ",") }
        // A point after a letter belongs to a unit such as `kr.` or `Fr.`.
        func isEdge(_ at: Int) -> Bool {
            let byte = text[at]
            if !isMark(byte) { return !isDigit(byte) }
            return byte == UInt8(ascii: ".") && at > 0 && isLetter(text[at - 1])
        }
        var prefix: [UInt8] = []
        while lower < upper, isEdge(lower) {
            prefix.append(text[lower])
            lower += 1
        }
        var suffix: [UInt8] = []
        while upper > lower, isEdge(upper - 1) {
            suffix.append(text[upper - 1])
            upper -= 1
        }
        suffix.reverse()
        guard lower < upper, readDigits(lower, upper) else { return false }
        let before = String(decoding: prefix, as: UTF8.self)
        let after = String(decoding: suffix, as: UTF8.self)
        var units: [String] = []
        for (part, isBefore) in [(before, true), (after, false)] {
            var word = ""
            for scalar in part.unicodeScalars {
                switch scalar {
                case "-", "\u{2212}", "\u{2013}", "\u{FE63}", "\u{FF0D}":
                    signs += 1
                    isNegative = true
                    // What a sign outside of parentheses means is not guessed.
                    if isClosed { return false }
                case "+":
                    signs += 1
                    if isClosed { return false }
                case "(" where isBefore && !hasParentheses && signs == 0:
                    hasParentheses = true
                    isNegative = true
                case ")" where !isBefore && hasParentheses && !isClosed: isClosed = true
                case "%" where !isBefore && !isPercent: isPercent = true
                case " ", "\u{A0}", "\u{202F}", "\u{2009}", "\t":
                    if !word.isEmpty { units.append(word) }
                    word = ""
                default: word.unicodeScalars.append(scalar)
                }
            }
            if !word.isEmpty { units.append(word) }
        }
        guard signs <= 1, hasParentheses == isClosed else { return false }
        guard units.count <= 1 else { return false }
        unit = units.first ?? ""
        return unit.isEmpty || NumberReader.isUnit(unit)
    }

    private mutating func readDigits(_ lower: Int, _ upper: Int) -> Bool {
        var i = lower
        while i < upper {
            let byte = text[i]
            if isDigit(byte) {
                digits.append(byte)
                i += 1
            } else if byte == UInt8(ascii: ".") || byte == UInt8(ascii: ",") || byte == UInt8(ascii: "'") {
                marks.append((digits.count, byte))
                i += 1
            } else if byte == 0xE2, i + 2 < upper, text[i + 1] == 0x80, text[i + 2] == 0x99 {
                marks.append((digits.count, UInt8(ascii: "'")))
                i += 3
            } else if byte | 0x20 == UInt8(ascii: "e"), !digits.isEmpty, readExponent(i + 1, upper) {
                return digits.count <= 76
            } else if let width = spaceWidth(text, i) {
                marks.append((digits.count, UInt8(ascii: " ")))
                i += width
            } else {
                return false
            }
        }
        return !digits.isEmpty && digits.count <= 76
    }

    /// `E-4`, `E+10`, `E7`: exact, as Java prints doubles.
    private mutating func readExponent(_ start: Int, _ upper: Int) -> Bool {
        var i = start
        var isDown = false
        if i < upper, text[i] == UInt8(ascii: "-") || text[i] == UInt8(ascii: "+") {
            isDown = text[i] == UInt8(ascii: "-")
            i += 1
        }
        guard i < upper, upper - i <= 2 else { return false }
        var value = 0
        while i < upper {
            guard isDigit(text[i]) else { return false }
            value = value * 10 + Int(text[i] &- 0x30)
            i += 1
        }
        exponent = isDown ? -value : value
        return true
    }

    /// The decimal mark that this text alone proves.
    var provenMark: UInt8? {
        let points = marks.filter { $0.mark == UInt8(ascii: ".") }
        let commas = marks.filter { $0.mark == UInt8(ascii: ",") }
        if let point = points.last, let comma = commas.last {
            return point.at > comma.at ? point.mark : comma.mark
        }
        guard let last = points.last ?? commas.last else { return nil }
        let other: UInt8 = last.mark == UInt8(ascii: ".") ? UInt8(ascii: ",") : UInt8(ascii: ".")
        if points.count + commas.count > 1 { return other }
        let after = digits.count - last.at
        if after != 3 || last.at == 0 || last.at > 3 || digits.first == UInt8(ascii: "0") { return last.mark }
        return nil
    }

    func value(_ style: NumberStyle) -> NumberReading {
        var decimal = style.decimal
        if decimal == nil {
            decimal = provenMark
            if decimal == nil, marks.contains(where: { $0.mark == UInt8(ascii: ".") || $0.mark == UInt8(ascii: ",") }) {
                return .ambiguous
            }
        }
        let mark = decimal ?? UInt8(ascii: ".")
        var scale = 0
        var groups: [(at: Int, mark: UInt8)] = []
        for (index, entry) in marks.enumerated() {
            if entry.mark == mark {
                guard index == marks.count - 1, digits.count - entry.at > 0 || entry.at > 0 else { return .invalid }
                scale = digits.count - entry.at
            } else {
                groups.append(entry)
            }
        }
        guard Self.areGroups(groups, wholeDigits: digits.count - scale) else { return .invalid }
        // `0,123` has no thousands: it is a decimal in another style than the declared one.
        if !groups.isEmpty, digits.first == 0x30 { return .invalid }
        var coefficient: Int128 = 0
        var keptScale = scale
        var kept = digits[...]
        while keptScale > 0, kept.last == 0x30 {
            kept.removeLast()
            keptScale -= 1
        }
        for digit in kept {
            let (product, overflow) = coefficient.multipliedReportingOverflow(by: 10)
            let (sum, carry) = product.addingReportingOverflow(Int128(digit &- 0x30))
            if overflow || carry { return .outOfRange }
            coefficient = sum
        }
        guard
            let number = ExactDecimal(coefficient: isNegative ? -coefficient : coefficient, scale: keptScale - exponent)
        else {
            return .outOfRange
        }
        return .value(number, isPercent: isPercent)
    }

    /// Groups of three from the decimal mark; Indian groups of two before the last three are right, too.
    private static func areGroups(_ groups: [(at: Int, mark: UInt8)], wholeDigits: Int) -> Bool {
        guard let first = groups.first else { return true }
        guard groups.allSatisfy({ $0.mark == first.mark }), first.at > 0 else { return false }
        var end = wholeDigits
        for (index, group) in groups.enumerated().reversed() {
            let size = end - group.at
            guard size == 3 || (size == 2 && index < groups.count - 1 && first.mark == UInt8(ascii: ",")) else {
                return false
            }
            end = group.at
        }
        return end > 0 && end <= 3
    }
}
