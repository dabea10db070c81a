import Delimited
import OpenAlloc

/// Multiplies numbers in texts by a whole number, and prints them as they were: signs, marks, groups, decimals.
struct NumberScale: Sendable {
    let factor: Int

    /// The text with its number multiplied; nil when the whole text is no number under the style.
    ///
    /// - Parameter mayGroup: whether a thousands mark may be added where the number had none to show.
    func scale(_ text: String, _ reader: NumberReader, _ style: NumberStyle, mayGroup: Bool) -> String? {
        guard let old = Self.value(text, reader, style) else { return nil }
        if old.isZero { return text }
        let bytes = Array(text.utf8)
        guard var start = bytes.firstIndex(where: isDigit) else { return nil }
        let mark = style.decimal ?? Self.mark(text, reader)
        if start > 0, bytes[start - 1] == mark { start -= 1 }
        var end = start
        while end < bytes.count, isDigit(bytes[end]) || Self.isMark(bytes, end) { end += Self.markWidth(bytes, end) }
        while end > start, !isDigit(bytes[end - 1]) { end -= 1 }
        let number = Array(bytes[start..<end])
        let point = mark.flatMap { number.lastIndex(of: $0) }
        let whole = number[..<(point ?? number.count)].filter(isDigit)
        let fraction = point.map { number[($0 + 1)...].filter(isDigit) } ?? []
        guard let digits = Self.multiplied(whole + fraction, by: factor) else { return nil }
        let padded = [UInt8](repeating: 0x30, count: max(0, fraction.count + 1 - digits.count)) + digits
        let head = Array(padded.dropLast(fraction.count))
        let group = Self.group(Array(number[..<(point ?? number.count)]))
        var result = Array(bytes[..<start])
        result += Self.grouped(head, by: group ?? (mayGroup ? Self.usualGroup(mark) : []))
        if let point { result += [number[point]] + padded.suffix(fraction.count) }
        result += bytes[end...]
        let made = String(decoding: result, as: UTF8.self)
        // What was written must say what was meant.
        guard let wanted = old.multiplied(by: ExactDecimal(factor)), Self.value(made, reader, style) == wanted else {
            return nil
        }
        return made
    }

    private static func value(_ text: String, _ reader: NumberReader, _ style: NumberStyle) -> ExactDecimal? {
        withView(text) { view in
            if case .value(let value, let isPercent) = reader.read(view, style), !isPercent { value } else { nil }
        }
    }

    private static func mark(_ text: String, _ reader: NumberReader) -> UInt8? { withView(text) { reader.proof($0) } }

    /// Whether a mark between digits stands at a place: point, comma, apostrophe, a space of any kind.
    private static func isMark(_ bytes: [UInt8], _ at: Int) -> Bool {
        let width = markWidth(bytes, at)
        guard at + width < bytes.count, isDigit(bytes[at + width]) else { return ".,".utf8.contains(bytes[at]) }
        return ".,'".utf8.contains(bytes[at]) || isSpace(bytes[at]) || bytes[at] >= 0x80
    }

    private static func markWidth(_ bytes: [UInt8], _ at: Int) -> Int {
        bytes[at] < 0x80 ? 1 : bytes[at] < 0xE0 ? 2 : bytes[at] < 0xF0 ? 3 : 4
    }

    /// The bytes between the first two groups of a whole number; nil when it is not grouped.
    private static func group(_ whole: [UInt8]) -> [UInt8]? {
        guard let first = whole.firstIndex(where: { !isDigit($0) }) else { return nil }
        return Array(whole[first...].prefix { !isDigit($0) })
    }

    private static func usualGroup(_ mark: UInt8?) -> [UInt8] { mark == UInt8(ascii: ",") ? [0x2E] : [0x2C] }

    private static func grouped(_ digits: [UInt8], by mark: [UInt8]) -> [UInt8] {
        guard !mark.isEmpty, digits.count > 3 else { return digits }
        var result: [UInt8] = []
        for (index, digit) in digits.enumerated() {
            if index > 0, (digits.count - index) % 3 == 0 { result += mark }
            result.append(digit)
        }
        return result
    }

    /// Digits of a product, without zeros in front that the number did not have.
    private static func multiplied(_ digits: [UInt8], by factor: Int) -> [UInt8]? {
        var result: [UInt8] = []
        var carry = 0
        for digit in digits.reversed() {
            let product = Int(digit &- 0x30) * factor + carry
            result.append(UInt8(0x30 + product % 10))
            carry = product / 10
        }
        while carry > 0 {
            result.append(UInt8(0x30 + carry % 10))
            carry /= 10
        }
        return result.reversed()
    }
}
