import Delimited

/// What names and memos say that the type of a transaction does not; in small letters.
enum OFXWords {
    static let capital = ["return of capital", "ret cap", "returnofcapital"]
    static let inLieu = ["cash in lieu", "cash-in-lieu"]
    static let tax = ["foreign tax", "withholding", "tax withheld", "nra tax"]
    /// What undoes a trade, where the signs do, too.
    static let undone = ["cancel", "revers"]
    static let marginInterest = ["margin int"]
    static let fee = ["advisory fee", "management fee", "maintenance fee", "service fee", "custody fee", "adr fee"]
    private static let others = ["dividend", "interest"]

    /// The words by their first letters.
    private static let byLetter: [UInt8: [[UInt8]]] = Dictionary(
        grouping: [capital, inLieu, tax, marginInterest, fee, others].joined().map { Array($0.utf8) }, by: { $0[0] })

    /// For each byte, small letters and capitals alike, the words that begin with it.
    private static let words: [[[UInt8]]] = (0..<256).map { byLetter[UInt8($0) | 0x20] ?? [] }

    /// Whether any of them is in a text: then a row goes the long way.
    static func speaks(_ text: ByteView) -> Bool {
        for start in 0..<text.count {
            for word in words[Int(text[start])] where word.count <= text.count - start {
                if text[start..<start + word.count].equalsIgnoringCase(word) { return true }
            }
        }
        return false
    }
}
