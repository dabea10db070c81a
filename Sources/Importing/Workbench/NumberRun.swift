import Delimited
import OpenAlloc

/// A number that stands in a text of words: amounts that people or banks write there are somebody's.
struct NumberRun {
    /// The number with the marks in it, without sign and currency.
    let text: String
    /// Whether it has a decimal or thousands mark.
    let hasMark: Bool

    /// The number at the beginning of a text; nil when there is none, or when it is a part of something else: of a time, a
    /// share in percent, a code.
    init?(_ rest: Substring) {
        var end = rest.startIndex
        var hasMark = false
        while end < rest.endIndex {
            let character = rest[end]
            if character.isASCII, character.isNumber {
                end = rest.index(after: end)
                continue
            }
            let next = rest.index(after: end)
            guard end > rest.startIndex, ".,'".contains(character), next < rest.endIndex, rest[next].isASCII,
                rest[next].isNumber
            else { break }
            hasMark = true
            end = next
        }
        guard end > rest.startIndex else { return nil }
        if end < rest.endIndex {
            let after = rest[end]
            if after.isLetter || after.isNumber || "%:/-_#*".contains(after) { return nil }
            if after == " ", rest[rest.index(after: end)...].first == "%" { return nil }
        }
        text = String(rest[..<end])
        self.hasMark = hasMark
    }

    /// Whether it is one of some numbers, whichever of its marks is the decimal one.
    func isOne(of numbers: [ExactDecimal], _ reader: NumberReader) -> Bool {
        if let plain, let value = ExactDecimal(exactly: plain.text), numbers.contains(value) { return true }
        return [NumberStyle.us, .eu].contains { style in
            withView(text) { view in
                if case .value(let value, _) = reader.read(view, style) { numbers.contains(value) } else { false }
            }
        }
    }

    /// The number multiplied, whichever of its marks is the decimal one.
    func scaled(_ scale: NumberScale, _ reader: NumberReader) -> String? {
        for style in [NumberStyle.us, .eu] {
            if let made = scale.scale(text, reader, style, mayGroup: false) { return made }
        }
        guard let plain, let made = scale.scale(plain.text, reader, .us, mayGroup: true) else { return nil }
        return String(made.map { $0 == "," || $0 == "." ? plain.mark : $0 })
    }

    /// `3,700,00`, where one mark parts groups and decimals alike: the last is the decimal one. Nil for other numbers.
    private var plain: (text: String, mark: Character)? {
        let marks = text.filter { !$0.isNumber }
        guard marks.count > 1, let mark = marks.first, marks.allSatisfy({ $0 == mark }),
            let last = text.lastIndex(of: mark)
        else { return nil }
        return (text[..<last].filter(\.isNumber) + "." + text[last...].dropFirst(), mark)
    }
}
