import Delimited
import Importing

/// Cells as numbers that stand for their texts: equal texts have equal numbers in all inputs.
struct CellNumbers {
    private var numbers: [String: Int32] = [:]

    /// The cells that are not blank, in the order of their numbers.
    mutating func cells(_ raw: [UInt8], _ plan: InputPlan) -> [Int32] {
        var cells: [Int32] = []
        for text in CellNumbers.texts(raw, plan) {
            let number = numbers[text] ?? Int32(numbers.count)
            numbers[text] = number
            cells.append(number)
        }
        return cells.sorted()
    }

    private static func texts(_ raw: [UInt8], _ plan: InputPlan) -> [String] {
        if plan.sample?.format == .flex {
            return TagAttributes.of(raw[...]).filter { !$0.value.isEmpty }
                .map { KeyText.folded("\($0.name)=\(String(decoding: $0.value, as: UTF8.self))") }
        }
        if plan.sample?.format != .delimited {
            return raw.split { $0 == UInt8(ascii: "<") || $0 == UInt8(ascii: ">") }
                .map { KeyText.folded(String(decoding: $0, as: UTF8.self)) }.filter { !$0.isEmpty }
        }
        var texts: [String] = []
        // Where nothing delimits, words are compared.
        if !raw.contains(plan.facts.dialect.delimiter) {
            return raw.split(separator: UInt8(ascii: " ")).map { String(decoding: $0, as: UTF8.self) }
        }
        var reader = DelimitedReader(dialect: plan.facts.dialect)
        reader.read(raw) { (record: borrowing RecordView) in
            for index in 0..<record.count where !record.cell(index).isBlank {
                texts.append(plain(KeyText.folded(record.cell(index).string)))
            }
        }
        return texts
    }

    /// A number without the zeros at its end, a day without those in front; every other text as it is.
    private static func plain(_ text: String) -> String {
        let unsigned = text.hasPrefix("-") ? text.dropFirst() : text[...]
        let signs = Array(unsigned.utf8.filter { !isDigit($0) })
        let parts = unsigned.utf8.split(omittingEmptySubsequences: false) { !isDigit($0) }
        if signs == [UInt8(ascii: ".")] || signs == [UInt8(ascii: ",")] {
            let digits = text.utf8.reversed().drop { $0 == UInt8(ascii: "0") }
            return String(decoding: digits.drop { !isDigit($0) }.reversed(), as: UTF8.self)
        }
        if signs.count == 2, signs[0] == signs[1], "/-.".utf8.contains(signs[0]) {
            return parts.map { String(decoding: $0.drop { $0 == UInt8(ascii: "0") }, as: UTF8.self) }
                .joined(separator: "/")
        }
        return text
    }

    private static func isDigit(_ byte: UInt8) -> Bool { byte &- 0x30 < 10 }
}
