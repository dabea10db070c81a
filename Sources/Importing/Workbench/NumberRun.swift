import Delimited

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

    /// The number multiplied, whichever of its marks is the decimal one.
    func scaled(_ scale: NumberScale, _ reader: NumberReader) -> String? {
        for style in [NumberStyle.us, .eu] {
            if let made = scale.scale(text, reader, style, mayGroup: false) { return made }
        }
        return nil
    }
}
