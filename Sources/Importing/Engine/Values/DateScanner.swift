import Delimited
import OpenAlloc

/// One reading of a text against a pattern's fields.
struct DateScanner {
    let text: ByteView
    var position = 0
    var year = 0, month = 0, day = 0
    var hour = -1, minute = 0, second = 0
    var nanosecond: UInt32 = 0
    var isAfternoon: Bool?
    var offset: Int?
    var zoneWord: String?
    /// Whether hours, minutes and seconds are such; what else is wrong with a text is wrong with its shape.
    var isInRange = true
    var layout = DateLayout()
    /// The digits that were read last.
    private var last = DateLayout.Digits()

    init(text: ByteView) { self.text = text }

    var isAtEnd: Bool { position == text.count }

    mutating func take(_ field: DatePattern.Field, next: DatePattern.Field?) -> Bool {
        switch field {
        case .year4:
            guard let value = digits(4, 4) else { return false }
            layout.year = last
            year = value
        case .year2:
            guard let value = digits(2, 2) else { return false }
            layout.year = last
            year = value + (value >= 70 ? 1900 : 2000)
        case .month(let min):
            guard let value = digits(min, 2) else { return false }
            layout.month = last
            month = value
        case .day(let min):
            guard let value = digits(min, 2) else { return false }
            layout.day = last
            day = value
        case .hour(let min), .hour12(let min):
            guard let value = digits(min, 2) else { return false }
            layout.hour = last
            if value >= 24 { isInRange = false }
            hour = value
        case .minute:
            guard let value = digits(2, 2) else { return false }
            layout.minute = last
            if value >= 60 { isInRange = false }
            minute = value
        case .second(let min):
            guard let value = digits(min, 2) else { return false }
            layout.second = last
            if value >= 60 { isInRange = false }
            second = value
        case .monthName: return monthName()
        case .halfDay: return halfDay()
        case .fraction: return fraction()
        case .offset: return readOffset()
        case .zoneWord: return readZoneWord()
        case .epoch: return epoch(least: 9, most: 10, perSecond: 1)
        case .epochMilliseconds: return epoch(least: 12, most: 13, perSecond: 1000)
        case .weekday:
            return !word().isEmpty
        case .literal(let byte):
            guard position < text.count, asciiLower(text[position]) == byte else { return false }
            position += 1
            return true
        case .space:
            var found = false
            while let width = spaceWidth(text, position) {
                position += width
                found = true
            }
            return found || next == .halfDay || next == .offset
        }
        return true
    }

    /// All of a count from 1970.
    private mutating func epoch(least: Int, most: Int, perSecond: Int) -> Bool {
        guard let count = digits(least, most), let date = CivilDate(daysSinceEpoch: count / perSecond / 86_400) else {
            return false
        }
        let second = count / perSecond % 86_400
        (year, month, day) = (date.year, date.month, date.day)
        (hour, minute, self.second) = (second / 3600, second / 60 % 60, second % 60)
        nanosecond = UInt32(count % perSecond * (1_000_000_000 / perSecond))
        offset = 0
        return true
    }

    private mutating func digits(_ minimum: Int, _ maximum: Int) -> Int? {
        var result = 0
        var count = 0
        let start = position
        while count < maximum, position < text.count, isDigit(text[position]) {
            result = result * 10 + Int(text[position] &- 0x30)
            position += 1
            count += 1
        }
        last = DateLayout.Digits(start, count)
        return count >= minimum ? result : nil
    }

    /// Letters, up to white space of any kind.
    private mutating func word() -> ByteView {
        let start = position
        while position < text.count, isLetter(text[position]) || text[position] >= 0x80,
            spaceWidth(text, position) == nil
        {
            position += 1
        }
        return text[start..<position]
    }

    private mutating func monthName() -> Bool {
        let word = word()
        guard !word.isEmpty else { return false }
        if position < text.count, text[position] == UInt8(ascii: "."), word.count <= 5 { position += 1 }
        guard let found = MonthNames.month(word) else { return false }
        month = found
        layout.monthName = UInt8(found)
        return true
    }

    private mutating func halfDay() -> Bool {
        guard position < text.count else { return false }
        let letter = asciiLower(text[position])
        guard letter == UInt8(ascii: "a") || letter == UInt8(ascii: "p") else { return false }
        position += 1
        if position < text.count, text[position] == UInt8(ascii: ".") { position += 1 }
        guard position < text.count, asciiLower(text[position]) == UInt8(ascii: "m") else { return false }
        position += 1
        if position < text.count, text[position] == UInt8(ascii: ".") { position += 1 }
        isAfternoon = letter == UInt8(ascii: "p")
        layout.half = letter == UInt8(ascii: "p") ? .afternoon : .morning
        return true
    }

    private mutating func fraction() -> Bool {
        guard position < text.count, text[position] == UInt8(ascii: ".") || text[position] == UInt8(ascii: ",") else {
            return true
        }
        position += 1
        let start = position
        var value: UInt32 = 0
        var count = 0
        while position < text.count, isDigit(text[position]) {
            if count < 9 { value = value * 10 + UInt32(text[position] &- 0x30) }
            count += 1
            position += 1
        }
        guard count > 0 else { return false }
        for _ in 0..<max(0, 9 - count) { value *= 10 }
        nanosecond = value
        layout.fraction = DateLayout.Digits(start, min(count, 9))
        return true
    }

    /// `Z`, `+02:00`, `+0200`, `+02`; none at the end of the text is right, too.
    private mutating func readOffset(leastHours: Int = 2) -> Bool {
        guard position < text.count else { return true }
        let sign = text[position]
        if asciiLower(sign) == UInt8(ascii: "z") {
            position += 1
            offset = 0
            layout.offset = .zulu
            return true
        }
        guard sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") else { return false }
        position += 1
        var minutes = 0
        guard let hours = digits(leastHours, 2) else { return false }
        if hours > 18 { isInRange = false }
        layout.offset = sign == UInt8(ascii: "-") ? .behind : .ahead
        layout.offsetHours = last
        if position < text.count, text[position] == UInt8(ascii: ":") { position += 1 }
        if position < text.count, isDigit(text[position]) {
            guard let value = digits(2, 2) else { return false }
            if value >= 60 { isInRange = false }
            minutes = value
            layout.offsetMinutes = last
        }
        let seconds = hours * 3600 + minutes * 60
        offset = sign == UInt8(ascii: "-") ? -seconds : seconds
        return true
    }

    private mutating func readZoneWord() -> Bool {
        let start = position
        while position < text.count, isLetter(text[position]) { position += 1 }
        guard position > start, position - start <= 6 else { return false }
        let word = text[start..<position].string.uppercased()
        // `GMT+1`, `UTC-05:00`: the word says what the number is ahead of.
        if word == "GMT" || word == "UTC", position < text.count,
            text[position] == UInt8(ascii: "+") || text[position] == UInt8(ascii: "-")
        {
            return readOffset(leastHours: 1)
        }
        zoneWord = word
        return true
    }

    var time: CivilTime? {
        guard hour >= 0 else { return nil }
        var hour = hour
        // Schwab wrote `22:00:26 AM`: an hour above 12 is meant by the 24-hour clock.
        if let isAfternoon, hour <= 12 { hour = hour % 12 + (isAfternoon ? 12 : 0) }
        return CivilTime(hour: hour, minute: minute, second: second, nanosecond: nanosecond)
    }

    func result() -> DateReading? {
        guard isAtEnd, isInRange, let date = CivilDate(year: year, month: month, day: day) else { return nil }
        return DateReading(date: date, time: time, offset: offset, zoneWord: zoneWord)
    }
}
