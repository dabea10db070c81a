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
            if let mark = foreignMark(value) {
                Finding(
                    .numberInvalid, column: column, value: value,
                    reason: "the decimal mark is a \(mark), which the format does not have; a spreadsheet that has "
                        + "saved the file does such a thing.",
                    suggestion: "Convert the file as it was downloaded, or write the number as "
                        + (mark == "comma" ? "1234.56." : "1234,56."))
            } else {
                Finding(
                    .numberInvalid, column: column, value: value, reason: "this is not wholly a number.",
                    suggestion: "Correct the cell, or leave it empty if there is no value.")
            }
        }
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
