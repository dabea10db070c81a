import Delimited

/// Whether days or months stand first in dates such as 01/02/2025.
enum DayOrder {
    case dayFirst, monthFirst

    /// The numbers of `01/02/2025` and `1.2.2025`, a year of two digits included; nil for what is no such date.
    static func parts(_ text: ByteView) -> (first: Int, second: Int)? {
        var place = 0
        func number() -> Int? {
            let start = place
            var value = 0
            while place < text.count, place - start < 2, isDigit(text[place]) {
                value = value * 10 + Int(text[place] &- 0x30)
                place += 1
            }
            return place > start ? value : nil
        }
        guard let first = number(), place < text.count, [0x2D, 0x2E, 0x2F].contains(text[place]) else { return nil }
        let mark = text[place]
        place += 1
        guard let second = number(), place < text.count, text[place] == mark else { return nil }
        place += 1
        return number() == nil ? nil : (first, second)
    }
}

/// What dates show of their order.
struct DayProof: Equatable {
    /// Whether there was a date that only its order explains; nil before the first date.
    private(set) var isOpen: Bool?
    private var provesDay = false
    private var provesMonth = false

    /// What stands first; nil where nothing, or both, is shown.
    var order: DayOrder? { provesDay == provesMonth ? nil : provesDay ? .dayFirst : .monthFirst }

    /// Whether another date may tell more.
    var mayLearn: Bool { isOpen != false && order == nil }

    mutating func learn(_ text: ByteView) {
        if text.isEmpty { return }
        guard let (first, second) = DayOrder.parts(text) else {
            isOpen = isOpen ?? false
            return
        }
        isOpen = true
        if first > 12 { provesDay = true }
        if second > 12 { provesMonth = true }
    }
}
