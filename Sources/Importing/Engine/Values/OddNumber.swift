import Delimited

/// Reads numbers in the shapes that `PlainDecimal` leaves: signs and units on either side, parentheses, every way of
/// grouping, powers of ten. What it reads `NumberReader` reads, too, and to the same number; it makes no text of it.
struct OddNumber: ~Copyable {
    /// A word that stood beside a number, and whether it may.
    struct Unit: BitwiseCopyable {
        var bytes: UInt64
        var count: Int
        var isUnit: Bool
    }

    private var units = FlatMemory<Unit>([])
    private static let mostUnits = 32
    /// The one currency whose sign or code may stand beside numbers; nil: all may, and a percent sign.
    private let home: String?

    init() { home = nil }

    /// - Parameter home: the currency of all rows; empty where they name their own. Numbers with another unit are left.
    init(home: String) { self.home = home }

    /// - Parameters:
    ///   - text: without white space at its ends.
    ///   - mark: the decimal mark; 0 where each text has to prove its own.
    ///   - scratch: room for the digits of the number.
    /// - Returns: nil for what is no number, has more than 18 digits, or could be of two marks.
    mutating func read(
        _ text: ByteView, mark: UInt8, scratch: UnsafeMutablePointer<UInt8>
    ) -> PlainDecimal? {
        var (lower, upper) = (0, text.count)
        while lower < upper, OddNumber.isEdge(text, lower) { lower += 1 }
        while upper > lower, OddNumber.isEdge(text, upper - 1) { upper -= 1 }
        guard lower < upper else { return nil }
        var edges = NumberEdges()
        if lower > 0 || upper < text.count {
            guard edges.take(text, 0..<lower, isBefore: true), edges.take(text, upper..<text.count, isBefore: false),
                edges.isWhole, edges.unitBytes == 0 || isUnit(edges), home == nil || !edges.isPercent
            else { return nil }
        }
        guard let core = NumberCore(text, lower..<upper), let (value, scale) = core.value(text, mark) else {
            return nil
        }
        return PlainDecimal.written(value, scale: scale, isNegative: edges.isNegative, to: scratch)
    }

    /// Neither a digit nor a mark; a point after a letter belongs to a unit such as `kr.` or `Fr.`.
    @inline(__always)
    private static func isEdge(_ text: ByteView, _ at: Int) -> Bool {
        let byte = text[at]
        if isDigit(byte) || byte == UInt8(ascii: ",") { return false }
        return byte != UInt8(ascii: ".") || at > 0 && isLetter(text[at - 1])
    }

    private mutating func isUnit(_ edges: NumberEdges) -> Bool {
        for index in 0..<units.count where units[index].bytes == edges.unit && units[index].count == edges.unitBytes {
            return units[index].isUnit
        }
        return learn(edges)
    }

    /// Whether a unit says nothing that the row's currency would have to be held to.
    private func isHome(_ word: String) -> Bool {
        guard let home, word != "$", word != "kr", word != "kr." else { return true }
        return (Currency.code(ofSign: word) ?? word.uppercased()) == home
    }

    @inline(never)
    private mutating func learn(_ edges: NumberEdges) -> Bool {
        let bytes = (0..<edges.unitBytes).map { UInt8(truncatingIfNeeded: edges.unit >> UInt64(8 * $0)) }
        let word = String(decoding: bytes, as: UTF8.self)
        let isUnit = NumberReader.isUnit(word) && isHome(word)
        if units.count < OddNumber.mostUnits {
            units.append(Unit(bytes: edges.unit, count: edges.unitBytes, isUnit: isUnit))
        }
        return isUnit
    }
}

/// What stands before and behind the digits of a number.
private struct NumberEdges {
    var isNegative = false
    /// The bytes of the one word, the first in the lowest place, and how many they are: no unit has more than eight.
    var unit: UInt64 = 0
    var unitBytes = 0
    private var signs = 0
    private var hasParentheses = false
    private var isClosed = false
    private(set) var isPercent = false

    var isWhole: Bool { signs <= 1 && hasParentheses == isClosed }

    /// Takes what stands on one side; false when it belongs to no number.
    mutating func take(_ text: ByteView, _ range: Range<Int>, isBefore: Bool) -> Bool {
        var at = range.lowerBound
        // A second word is none too many only if there is no first.
        var isOpen = unitBytes == 0
        var began = false
        while at < range.upperBound {
            let (symbol, width) = NumberSymbol.at(text, at, range.upperBound)
            switch symbol {
            case .minus, .plus:
                signs += 1
                if symbol == .minus { isNegative = true }
                // What a sign outside of parentheses means is not guessed.
                if isClosed { return false }
            case .space: if began { isOpen = false }
            case .opening where isBefore && !hasParentheses && signs == 0:
                hasParentheses = true
                isNegative = true
            case .closing where !isBefore && hasParentheses && !isClosed: isClosed = true
            case .percent where !isBefore && !isPercent: isPercent = true
            default:
                guard isOpen, unitBytes + width <= 8 else { return false }
                began = true
                for place in at..<(at + width) {
                    unit |= UInt64(text[place]) << UInt64(8 * unitBytes)
                    unitBytes += 1
                }
            }
            at += width
        }
        return true
    }
}

/// What a character beside digits may be.
private enum NumberSymbol {
    case minus, plus, space, opening, closing, percent, other

    /// The symbol at a place, and how many bytes it has.
    static func at(_ text: ByteView, _ at: Int, _ end: Int) -> (NumberSymbol, Int) {
        switch text[at] {
        case UInt8(ascii: "-"): return (.minus, 1)
        case UInt8(ascii: "+"): return (.plus, 1)
        case UInt8(ascii: " "), UInt8(ascii: "\t"): return (.space, 1)
        case UInt8(ascii: "("): return (.opening, 1)
        case UInt8(ascii: ")"): return (.closing, 1)
        case UInt8(ascii: "%"): return (.percent, 1)
        case 0xC2 where at + 1 < end && text[at + 1] == 0xA0: return (.space, 2)
        case 0xE2 where at + 2 < end:
            switch (text[at + 1], text[at + 2]) {
            // U+2212 and U+2013.
            case (0x88, 0x92), (0x80, 0x93): return (.minus, 3)
            // U+202F and U+2009.
            case (0x80, 0xAF), (0x80, 0x89): return (.space, 3)
            default: return (.other, 1)
            }
        case 0xEF where at + 2 < end:
            switch (text[at + 1], text[at + 2]) {
            // U+FE63 and U+FF0D.
            case (0xB9, 0xA3), (0xBC, 0x8D): return (.minus, 3)
            default: return (.other, 1)
            }
        default: return (.other, 1)
        }
    }
}

/// The digits of a number and the marks between them.
private struct NumberCore {
    /// Where the digits and their marks stand, without the power of ten.
    private var range: Range<Int>
    private var digits = 0
    private var points = 0, commas = 0, others = 0
    /// How many digits stand before the last point or comma, and whether it is a point.
    private var lastMark = 0
    private var isPointLast = false
    private var exponent = 0

    /// Nil for what is not digits with marks.
    init?(_ text: ByteView, _ range: Range<Int>) {
        self.range = range
        var at = range.lowerBound
        while at < range.upperBound {
            let byte = text[at]
            if isDigit(byte) {
                digits += 1
            } else if byte == UInt8(ascii: ".") || byte == UInt8(ascii: ",") {
                isPointLast = byte == UInt8(ascii: ".")
                if isPointLast { points += 1 } else { commas += 1 }
                lastMark = digits
            } else if byte | 0x20 == UInt8(ascii: "e"), digits > 0,
                let power = NumberCore.power(text, at + 1, range.upperBound)
            {
                exponent = power
                self.range = range.lowerBound..<at
                break
            } else if let width = NumberCore.groupMark(text, at, range.upperBound)?.width {
                others += 1
                at += width
                continue
            } else {
                return nil
            }
            at += 1
        }
        guard digits > 0, digits <= 76 else { return nil }
    }

    /// The number without its sign, as `value / 10^scale`, its last decimal not 0; nil where it is none under this mark.
    func value(_ text: ByteView, _ mark: UInt8) -> (value: UInt64, scale: Int)? {
        var mark = mark
        if mark == 0 {
            if points + commas == 0 {
                mark = UInt8(ascii: ".")
            } else {
                guard let proven = provenMark(text) else { return nil }
                mark = proven
            }
        }
        let hasDecimals = mark == UInt8(ascii: ".") ? points : commas
        guard hasDecimals <= 1 else { return nil }
        return read(text, mark, groups: points + commas + others - hasDecimals)
    }

    /// The decimal mark that this text alone proves.
    private func provenMark(_ text: ByteView) -> UInt8? {
        let last = isPointLast ? UInt8(ascii: ".") : UInt8(ascii: ",")
        if points > 0, commas > 0 { return last }
        if points + commas > 1 { return isPointLast ? UInt8(ascii: ",") : UInt8(ascii: ".") }
        let after = digits - lastMark
        return after != 3 || lastMark == 0 || lastMark > 3 || firstDigit(text) == 0x30 ? last : nil
    }

    private func firstDigit(_ text: ByteView) -> UInt8 {
        for at in range where isDigit(text[at]) { return text[at] }
        return 0
    }

    private func read(_ text: ByteView, _ mark: UInt8, groups: Int) -> (UInt64, Int)? {
        // `0,123` has no thousands: it is a decimal in another style than the declared one.
        if groups > 0, firstDigit(text) == 0x30 { return nil }
        var number = Digits()
        var grouping = Grouping()
        var at = range.lowerBound
        while at < range.upperBound {
            let byte = text[at]
            if isDigit(byte) {
                guard number.take(byte &- 0x30) else { return nil }
                at += 1
            } else if byte == mark {
                number.isFraction = true
                at += 1
            } else {
                let group = NumberCore.groupMark(text, at, range.upperBound) ?? (byte, 1)
                guard !number.isFraction, grouping.take(group.kind, whole: number.whole) else { return nil }
                at += group.width
            }
        }
        guard grouping.isRight(whole: number.whole) else { return nil }
        return number.value(exponent: exponent)
    }

    /// An apostrophe of either kind, or white space.
    @inline(__always)
    private static func groupMark(_ text: ByteView, _ at: Int, _ end: Int) -> (kind: UInt8, width: Int)? {
        let byte = text[at]
        if byte == UInt8(ascii: "'") { return (byte, 1) }
        if byte == 0xE2, at + 2 < end, text[at + 1] == 0x80, text[at + 2] == 0x99 { return (UInt8(ascii: "'"), 3) }
        guard let width = spaceWidth(text, at) else { return nil }
        return (UInt8(ascii: " "), width)
    }

    /// `E-4`, `E+10`, `E7`.
    private static func power(_ text: ByteView, _ start: Int, _ end: Int) -> Int? {
        var at = start
        var isDown = false
        if at < end, text[at] == UInt8(ascii: "-") || text[at] == UInt8(ascii: "+") {
            isDown = text[at] == UInt8(ascii: "-")
            at += 1
        }
        guard at < end, end - at <= 2 else { return nil }
        var value = 0
        while at < end {
            guard isDigit(text[at]) else { return nil }
            value = value * 10 + Int(text[at] &- 0x30)
            at += 1
        }
        return isDown ? -value : value
    }

    /// Digits on their way to a number.
    private struct Digits {
        private var coefficient: UInt64 = 0
        private var scale = 0
        /// Zeros at the end of the decimals so far.
        private var zeros = 0
        /// How many digits stand before the decimal mark.
        private(set) var whole = 0
        var isFraction = false

        /// False when there are too many.
        mutating func take(_ digit: UInt8) -> Bool {
            if isFraction {
                zeros += 1
                if digit == 0 { return true }
                guard zeros <= 18, scale + zeros <= 18, grow(by: zeros, digit) else { return false }
                scale += zeros
                zeros = 0
                return true
            }
            whole += 1
            return grow(by: 1, digit)
        }

        private mutating func grow(by places: Int, _ digit: UInt8) -> Bool {
            for _ in 0..<places {
                guard coefficient < Digits.limit / 10 else { return false }
                coefficient *= 10
            }
            coefficient += UInt64(digit)
            return true
        }

        func value(exponent: Int) -> (UInt64, Int)? {
            if coefficient == 0 { return (0, 0) }
            var (value, scale) = (coefficient, scale - exponent)
            while scale > 0, value % 10 == 0 { (value, scale) = (value / 10, scale - 1) }
            while scale < 0 {
                guard value < Digits.limit / 10 else { return nil }
                (value, scale) = (value * 10, scale + 1)
            }
            return scale <= 18 ? (value, scale) : nil
        }

        private static let limit: UInt64 = 1_000_000_000_000_000_000
    }

    /// Groups of three; Indian groups of two before the last three are right, too.
    private struct Grouping {
        private var kind: UInt8 = 0
        /// Digits before the last group mark.
        private var last = 0

        /// A group mark after so many digits; false where none may stand.
        mutating func take(_ kind: UInt8, whole: Int) -> Bool {
            let size = whole - last
            if self.kind == 0 {
                guard size >= 1, size <= 3 else { return false }
            } else {
                guard self.kind == kind, size == 3 || size == 2 && kind == UInt8(ascii: ",") else { return false }
            }
            self.kind = kind
            last = whole
            return true
        }

        func isRight(whole: Int) -> Bool { kind == 0 || whole - last == 3 }
    }
}
