import Importing

/// Long numbers as spreadsheets show and save them, `1.23457E+11`: of an account's number, or a code that is all digits,
/// the end is lost, and several become one.
enum RoundedNumber {
    /// What may be all digits.
    static let fields = [Record.Text.account, .symbol, .cusip]

    /// Whether a text has that form: a digit, mostly more behind a mark, `E+` and two digits or three.
    static func isOne(_ text: some RandomAccessCollection<UInt8>) -> Bool {
        guard text.count >= 5, var place = text.lastIndex(of: 0x2B) else { return false }
        let exponent = text[text.index(after: place)...]
        guard exponent.count == 2 || exponent.count == 3, exponent.allSatisfy(isDigit), place > text.startIndex else {
            return false
        }
        place = text.index(before: place)
        guard text[place] | 0x20 == 0x65 else { return false }
        let digits = text[..<place]
        guard let first = digits.first, isDigit(first) else { return false }
        let rest = digits.dropFirst()
        guard let mark = rest.first else { return true }
        return (mark == 0x2E || mark == 0x2C) && rest.count > 1 && rest.dropFirst().allSatisfy(isDigit)
    }

    private static func isDigit(_ byte: UInt8) -> Bool { byte &- 0x30 < 10 }
}
