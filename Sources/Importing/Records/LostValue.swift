/// What a spreadsheet saves where it has no value to show: the error of a formula, which it takes `-ACME260116C50`
/// for, or `####` where the column was too narrow.
package enum LostValue {
    /// How spreadsheets in several languages write that there is none; other errors end with `!` or `?`.
    private static let words = ["N/A", "N/D", "N/V", "ND", "NV"]

    /// Whether a text is that.
    package static func isOne(_ text: some BidirectionalCollection<UInt8>) -> Bool {
        guard let first = text.first, let last = text.last else { return false }
        if first == UInt8(ascii: "E") {
            // LibreOffice.
            return text.count == 7 && text.starts(with: "Err:".utf8) && text.dropFirst(4).allSatisfy { $0 &- 0x30 < 10 }
        }
        guard first == UInt8(ascii: "#"), text.count > 1 else { return false }
        let rest = text.dropFirst()
        return last == UInt8(ascii: "!") || last == UInt8(ascii: "?") || rest.allSatisfy { $0 == UInt8(ascii: "#") }
            || words.contains { rest.elementsEqual($0.utf8) }
    }

    /// What is said of it.
    package static let reason = "a spreadsheet that has saved the file has lost the value and put this in its place."
    /// What to do about it.
    package static let suggestion = "Convert the file as it was downloaded, or write the value."
}
