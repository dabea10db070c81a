import Delimited
import OpenAlloc

/// Moves dates in texts by whole weeks and leaves all else of them as it stands: order, marks, times, weekdays.
struct DateShift: Sendable {
    /// A multiple of seven.
    let days: Int
    /// Patterns that are tried in order.
    let patterns: [DatePattern]
    /// Days before this year stay.
    static let firstYear = 1910

    /// The text with its date moved; nil when the whole text is no date.
    func shift(_ text: String, _ own: [DatePattern]? = nil) -> String? {
        let bytes = Array(text.utf8)
        for pattern in own ?? patterns {
            let reading = ByteView.with(bytes) { pattern.read($0) }
            // A day of 1900 stands for none, and three years before there is no calendar.
            if let reading, reading.date.year < Self.firstYear { return text }
            guard let reading, let date = reading.date.adding(days: days) else { continue }
            let moved = pattern.isEpoch ? Self.shifted(bytes, days, pattern) : Self.write(date, into: bytes, pattern)
            guard let moved else { continue }
            // What was written must say what was meant.
            let again = ByteView.with(moved) { pattern.read($0) }
            if again?.date == date { return String(decoding: moved, as: UTF8.self) }
        }
        return nil
    }

    /// A count from 1970 with so many days more.
    private static func shifted(_ bytes: [UInt8], _ days: Int, _ pattern: DatePattern) -> [UInt8]? {
        guard let start = bytes.firstIndex(where: isDigit) else { return nil }
        let end = bytes[start...].firstIndex { !isDigit($0) } ?? bytes.count
        guard let count = Int(String(decoding: bytes[start..<end], as: UTF8.self)) else { return nil }
        let moved = count + days * 86_400 * (pattern.fields.first == .epoch ? 1 : 1000)
        return bytes[..<start] + Array(String(moved).utf8) + bytes[end...]
    }

    /// Walks the text along the pattern's fields and writes the date's parts in the widths that they have.
    private static func write(_ date: CivilDate, into bytes: [UInt8], _ pattern: DatePattern) -> [UInt8]? {
        var result: [UInt8] = []
        var i = 0
        while i < bytes.count, isSpace(bytes[i]) { i += 1 }
        result += bytes[..<i]
        func run(_ most: Int) -> Int {
            var n = 0
            while n < most, i + n < bytes.count, isDigit(bytes[i + n]) { n += 1 }
            return n
        }
        func put(_ value: Int, width: Int) {
            let digits = Array(String(value).utf8)
            result += [UInt8](repeating: 0x30, count: max(0, width - digits.count)) + digits
        }
        /// As many digits as the pattern wants, unless the text has left a zero out, or has one that it need not have.
        func width(_ least: Int) -> Int { run(2) == 1 || least == 1 && bytes[i...].first != 0x30 ? 1 : 2 }
        var written = 0
        for field in pattern.declared {
            guard written < 3 else { break }
            switch field {
            case .year4:
                put(date.year, width: 4)
                i += run(4)
            case .year2:
                put(date.year % 100, width: 2)
                i += run(2)
            case .month(let least):
                put(date.month, width: width(least))
                i += run(2)
            case .day(let least):
                put(date.day, width: width(least))
                i += run(2)
            case .monthName:
                var end = i
                while end < bytes.count, isLetter(bytes[end]) || bytes[end] >= 0x80 { end += 1 }
                guard let word = month(date.month, like: String(decoding: bytes[i..<end], as: UTF8.self)) else {
                    return nil
                }
                result += word.utf8
                i = end
                if i < bytes.count, bytes[i] == UInt8(ascii: ".") {
                    result.append(bytes[i])
                    i += 1
                }
            case .hour, .hour12, .second, .minute:
                let n = run(2)
                result += bytes[i..<i + n]
                i += n
            case .space:
                while i < bytes.count, isSpace(bytes[i]) || bytes[i] >= 0x80 {
                    result.append(bytes[i])
                    i += 1
                }
            case .weekday, .halfDay, .zoneWord:
                while i < bytes.count, isLetter(bytes[i]) || bytes[i] >= 0x80 || bytes[i] == UInt8(ascii: ".") {
                    result.append(bytes[i])
                    i += 1
                }
            case .literal:
                guard i < bytes.count else { return nil }
                result.append(bytes[i])
                i += 1
            case .fraction, .offset, .epoch, .epochMilliseconds: return nil
            }
            switch field {
            case .year4, .year2, .month, .monthName, .day: written += 1
            default: break
            }
        }
        return result + bytes[i...]
    }

    /// The name of a month in the language and case of another's.
    static func month(_ month: Int, like word: String) -> String? {
        let lower = word.lowercased()
        for list in MonthNames.names + MonthNames.abbreviations {
            guard let old = withView(word, { MonthNames.month($0) }), list[old - 1] == lower else { continue }
            let name = list[month - 1]
            if word == word.uppercased() { return name.uppercased() }
            return word.first?.isUppercase == true ? name.prefix(1).uppercased() + name.dropFirst() : name
        }
        return nil
    }
}
