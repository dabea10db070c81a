import Delimited
import OpenAlloc

/// The finding for a cell that should be a number.
enum NumberFinding {
    static func make(_ reading: NumberReading, column: String, value: String) -> Finding {
        switch reading {
        case .outOfRange:
            Finding(
                .numberRange, column: column, value: value, reason: "the number has more than 38 digits.",
                suggestion: "Check the number; nothing is rounded in silence.")
        case .ambiguous:
            Finding(
                .numberInvalid, column: column, value: value,
                reason: "nothing in the file shows whether the mark separates thousands or decimals.",
                suggestion: "Write the number without thousands separators, or with two decimals.")
        default:
            if LostValue.isOne(value.trimmingSpaces.utf8) {
                Finding(
                    .numberInvalid, column: column, value: value, reason: LostValue.reason,
                    suggestion: LostValue.suggestion)
            } else if isDate(value) {
                Finding(
                    .numberInvalid, column: column, value: value,
                    reason: "this is a date, as a spreadsheet that has saved the file makes it of 1.6 and the like.",
                    suggestion: "Convert the file as it was downloaded, or write the number.")
            } else if let mark = foreignMark(value) {
                Finding(
                    .numberInvalid, column: column, value: value,
                    reason: "the decimal mark is a \(mark), which the format does not have, as in a file that a "
                        + "spreadsheet has saved; other numbers of the file may be read wrongly.",
                    suggestion: "Convert the file as it was downloaded, or write the number as "
                        + (mark == "comma" ? "1234.56." : "1234,56."))
            } else {
                Finding(
                    .numberInvalid, column: column, value: value, reason: "this is not wholly a number.",
                    suggestion: "Correct the cell, or leave it empty if there is no value.")
            }
        }
    }

    /// The finding for a percentage where a sum of money should be.
    static func percentage(column: String, value: String) -> Finding {
        Finding(
            .numberInvalid, column: column, value: value, reason: "this is a percentage, and the column has money.",
            suggestion: "Correct the cell, or leave it empty if there is no value.")
    }

    /// Whether a text is a day and a month with a name: `01. Jun`, `6-Jan`, `Mai 25`.
    private static func isDate(_ value: String) -> Bool {
        let words = value.split { !$0.isLetter }
        let numbers = value.split { !$0.isNumber }
        guard words.count == 1, numbers.count == 1, numbers[0].utf8.count <= 2 else { return false }
        guard value.allSatisfy({ $0.isLetter || $0.isNumber || ". -".contains($0) }) else { return false }
        return withView(String(words[0])) { MonthNames.month($0) != nil }
    }

    /// The decimal mark of a text that was no number as its table writes them, and is one with the other mark.
    private static func foreignMark(_ value: String) -> String? {
        let reader = NumberReader(blanks: [])
        func isNumber(_ style: NumberStyle) -> Bool {
            withView(value) { if case .value = reader.slowRead($0, style) { true } else { false } }
        }
        return switch (isNumber(.us), isNumber(.eu)) {
        case (false, true): "comma"
        case (true, false): "point"
        default: nil
        }
    }
}
