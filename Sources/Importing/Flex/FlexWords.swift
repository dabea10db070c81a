import Delimited

/// What descriptions say that the type of a row does not.
enum FlexWords {
    /// Money that is given back: `… PER SHARE (Return of Capital)`, and what is left of a company that is wound up.
    private static let capital: [StaticString] = ["return of capital", "interimliquidation", "liquidationdividend"]

    /// Whether a name is that of an option: `SMPL 21AUG26 30 C`.
    static func isOption(_ name: ByteView) -> Bool {
        let parts = name.string.split(separator: " ")
        guard parts.count >= 4, parts.last == "C" || parts.last == "P" else { return false }
        let (day, strike) = (Array(parts[parts.count - 3].utf8), parts[parts.count - 2].utf8)
        guard day.count == 7, day.indices.allSatisfy({ isDigit(day[$0]) != (2...4).contains($0) }) else { return false }
        return strike.allSatisfy { isDigit($0) || $0 == UInt8(ascii: ".") }
    }

    /// Whether a text says that a dividend returns capital, letters of any case.
    static func returnCapital(_ text: ByteView) -> Bool {
        for start in 0..<text.count {
            guard mayBegin(text[start] | 0x20) else { continue }
            let rest = text[start..<text.count]
            let isSaid = capital.contains { words in
                let count = words.utf8CodeUnitCount
                return rest.count >= count && rest.prefix(count).equalsIgnoringCase(words)
            }
            if isSaid { return true }
        }
        return false
    }

    @inline(__always)
    private static func mayBegin(_ letter: UInt8) -> Bool {
        letter == UInt8(ascii: "r") || letter == UInt8(ascii: "i") || letter == UInt8(ascii: "l")
    }
}
