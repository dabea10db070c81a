import Delimited

/// What descriptions say that the type of a row does not.
enum FlexWords {
    /// Money that is given back: `… PER SHARE (Return of Capital)`, and what is left of a company that is wound up.
    private static let capital: [StaticString] = ["return of capital", "interimliquidation", "liquidationdividend"]

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
