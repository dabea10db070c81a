import Delimited
import OpenAlloc

/// A date of OFX or Flex whose parts stand apart: `2025-01-02`, `1/2/2025`, `01.02.25`, `02-Jan-25`. What follows it
/// is none of its own.
struct SeparatedDate: Hashable {
    private let parts: [[UInt8]]
    private let mark: UInt8
    /// How many bytes of the text it takes.
    let length: Int

    /// The date at the beginning of a text; nil when there is none.
    init?(_ text: ArraySlice<UInt8>) {
        var place = text.startIndex
        func run(_ most: Int, _ holds: (UInt8) -> Bool) -> [UInt8] {
            let part = Array(text[place...].prefix(most).prefix(while: holds))
            place += part.count
            return part
        }
        let first = run(4, isDigit)
        guard [1, 2, 4].contains(first.count), place < text.endIndex, [0x2D, 0x2F, 0x2E].contains(text[place]) else {
            return nil
        }
        mark = text[place]
        place += 1
        let isNamed = place < text.endIndex && isLetter(text[place])
        let second = isNamed ? run(3, isLetter) : run(2, isDigit)
        guard !second.isEmpty, place < text.endIndex, text[place] == mark else { return nil }
        place += 1
        var third = run(first.count == 4 ? 2 : 4, isDigit)
        // Of an odd number of digits the last are a time's.
        if third.count == 3 {
            third.removeLast()
            place -= 1
        }
        guard !third.isEmpty, first.count == 4 || third.count > 1 else { return nil }
        parts = [first, second, third]
        length = place - text.startIndex
    }

    private static func number(_ digits: [UInt8]) -> Int { digits.reduce(0) { $0 * 10 + Int($1 &- 0x30) } }

    private var isYearFirst: Bool { parts[0].count == 4 }

    private var year: Int {
        let part = isYearFirst ? parts[0] : parts[2]
        return (part.count == 2 ? 2000 : 0) + Self.number(part)
    }

    private var namedMonth: Int? {
        isLetter(parts[1][0]) ? ByteView.with(parts[1]) { MonthNames.month($0) } : nil
    }

    /// What stands first, where one can tell only by other dates; nil where all is plain.
    var numbers: (first: Int, second: Int)? {
        isYearFirst || isLetter(parts[1][0]) ? nil : (Self.number(parts[0]), Self.number(parts[1]))
    }

    /// Whether days stand first in it, in an order or else if only one reading is a day; nil for no day, or two.
    private func isDayFirst(_ order: DayOrder?) -> Bool? {
        guard let (first, second) = numbers else { return !isYearFirst }
        if let order { return order == .dayFirst }
        let dayFirst = CivilDate(year: year, month: second, day: first)
        let monthFirst = CivilDate(year: year, month: first, day: second)
        return dayFirst == nil || monthFirst == nil || dayFirst == monthFirst ? dayFirst != nil : nil
    }

    /// The day; nil when there is no such day, or when it may be one of two.
    func date(_ order: DayOrder?) -> CivilDate? {
        if isYearFirst { return CivilDate(year: year, month: Self.number(parts[1]), day: Self.number(parts[2])) }
        if let namedMonth { return CivilDate(year: year, month: namedMonth, day: Self.number(parts[0])) }
        guard let (first, second) = numbers, let isDayFirst = isDayFirst(order) else { return nil }
        return CivilDate(year: year, month: isDayFirst ? second : first, day: isDayFirst ? first : second)
    }

    /// The same so many days later, in the widths that its parts have. Of what may be two days only the year changes, so
    /// that it stays so.
    func moved(by days: Int, _ order: DayOrder?) -> [UInt8]? {
        guard let date = date(order) else {
            let other = year + days / 365
            let part = Self.padded(other, like: isYearFirst ? parts[0] : parts[2])
            return joined(isYearFirst ? [part, parts[1], parts[2]] : [parts[0], parts[1], part])
        }
        guard let moved = date.adding(days: days) else { return nil }
        if isYearFirst {
            return joined([
                Self.padded(moved.year, like: parts[0]), Self.padded(moved.month, like: parts[1]),
                Self.padded(moved.day, like: parts[2]),
            ])
        }
        let year = Self.padded(moved.year, like: parts[2])
        if namedMonth != nil {
            guard let name = DateShift.month(moved.month, like: String(decoding: parts[1], as: UTF8.self)) else {
                return nil
            }
            return joined([Self.padded(moved.day, like: parts[0]), Array(name.utf8), year])
        }
        let numbers = isDayFirst(order) ?? true ? [moved.day, moved.month] : [moved.month, moved.day]
        return joined([Self.padded(numbers[0], like: parts[0]), Self.padded(numbers[1], like: parts[1]), year])
    }

    private func joined(_ parts: [[UInt8]]) -> [UInt8] { Array(parts.joined(separator: [mark])) }

    private static func padded(_ value: Int, like part: [UInt8]) -> [UInt8] {
        let digits = Array(String(part.count == 2 ? value % 100 : value).utf8)
        return [UInt8](repeating: 0x30, count: max(0, part.count - digits.count)) + digits
    }
}

/// By how many days the dates of a markup file move, so that what they show of their order stays.
struct DateMove {
    /// What stands first in `01/02/2025`.
    private(set) var order: DayOrder?
    /// A multiple of seven.
    private(set) var days: Int

    /// - Parameters:
    ///   - dates: those that show the order.
    ///   - days: a first choice, of 53 to 156 weeks back.
    init(_ dates: Set<SeparatedDate>, days first: Int) {
        days = first
        let open = dates.filter { $0.numbers != nil }
        order = Self.order(of: open)
        if open.isEmpty { return }
        for step in 0..<104 {
            days = -7 * (53 + (-first / 7 - 53 + step) % 104)
            let moved = Set(open.compactMap { $0.moved(by: days, order).flatMap { SeparatedDate($0[...]) } })
            if Self.order(of: moved) == order, open.allSatisfy(isStill) { return }
        }
        days = first
    }

    private static func order(of dates: Set<SeparatedDate>) -> DayOrder? {
        let numbers = dates.compactMap(\.numbers)
        let provesDay = numbers.contains { $0.first > 12 }
        let provesMonth = numbers.contains { $0.second > 12 }
        return provesDay == provesMonth ? nil : provesDay ? .dayFirst : .monthFirst
    }

    /// Whether a date still is, or still is not, one day alone.
    private func isStill(_ date: SeparatedDate) -> Bool {
        let moved = date.moved(by: days, order).flatMap { SeparatedDate($0[...]) }
        return moved?.date(order) == date.date(order)?.adding(days: days)
    }
}
