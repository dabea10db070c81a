import Delimited
import OpenAlloc

/// What a date text says.
struct DateReading: Sendable, Hashable {
    var date: CivilDate
    /// Nil when the text has no time of day.
    var time: CivilTime?
    /// Seconds ahead of UTC, when the text says so.
    var offset: Int?
    /// A zone word such as `ET`, upper-cased, when the text has one.
    var zoneWord: String?
}

/// A date pattern of a definition (Importers/README.md, section 6), compiled.
struct DatePattern: Sendable, Hashable {
    enum Field: Sendable, Hashable {
        case year4, year2
        case month(min: Int), monthName
        case day(min: Int)
        case hour(min: Int), hour12(min: Int), minute, second(min: Int), halfDay
        /// A run of fraction digits, with its leading mark optional.
        case fraction
        case offset, zoneWord, weekday
        /// Seconds since 1970, or milliseconds, as a whole number of UTC.
        case epoch, epochMilliseconds
        case literal(UInt8)
        case space

        /// Whether digits alone make it up.
        var isOfDigits: Bool {
            switch self {
            case .year4, .year2, .month, .day, .hour, .hour12, .minute, .second, .epoch,
                .epochMilliseconds:
                true
            case .literal(let byte): isDigit(byte)
            case .monthName, .halfDay, .fraction, .offset, .zoneWord, .weekday, .space: false
            }
        }
    }

    struct Malformed: Error { let reason: String }

    let source: String
    /// What is read.
    let fields: [Field]
    /// The same as the definition writes it: a date that is made anew gets so many digits.
    let declared: [Field]
    let hasTime: Bool

    init(_ source: String) throws(Malformed) {
        self.source = source
        if source == "epoch" || source == "epochms" {
            hasTime = true
            declared = source == "epoch" ? [.epoch, .fraction] : [.epochMilliseconds]
            fields = declared
            return
        }
        let text = source == "iso" ? "YYYY-MM-DDThh:mm:ss" : source
        var fields: [Field] = []
        let bytes = Array(text.utf8)
        var i = 0
        func run(_ letter: UInt8) -> Int {
            var n = 0
            while i + n < bytes.count, bytes[i + n] == letter { n += 1 }
            return n
        }
        while i < bytes.count {
            let byte = bytes[i]
            var width = 1
            switch byte {
            case UInt8(ascii: "Y"):
                width = run(byte)
                guard width == 4 || width == 2 else { throw Malformed(reason: "a year is YYYY or YY") }
                fields.append(width == 4 ? .year4 : .year2)
            case UInt8(ascii: "M"):
                width = run(byte)
                fields.append(width >= 3 ? .monthName : .month(min: width))
            case UInt8(ascii: "D"):
                width = run(byte)
                fields.append(.day(min: min(width, 2)))
            case UInt8(ascii: "h"):
                width = run(byte)
                fields.append(.hour(min: min(width, 2)))
            case UInt8(ascii: "m"):
                width = run(byte)
                fields.append(.minute)
            case UInt8(ascii: "s"):
                width = run(byte)
                fields.append(.second(min: min(width, 2)))
            case UInt8(ascii: "S"):
                width = run(byte)
                if fields.last == .literal(UInt8(ascii: ".")) { fields.removeLast() }
                fields.append(.fraction)
            case UInt8(ascii: "E"):
                width = run(byte)
                fields.append(.weekday)
            case UInt8(ascii: "a"): fields.append(.halfDay)
            case UInt8(ascii: "Z"): fields.append(.offset)
            case UInt8(ascii: "z"):
                width = run(byte)
                fields.append(.zoneWord)
            case UInt8(ascii: "'"):
                guard let end = bytes[(i + 1)...].firstIndex(of: byte) else {
                    throw Malformed(reason: "a quoted part of the pattern is not closed")
                }
                for literal in bytes[i + 1..<end] {
                    fields.append(isSpace(literal) ? .space : .literal(asciiLower(literal)))
                }
                width = end - i + 1
            case _ where isSpace(byte): if fields.last != .space { fields.append(.space) }
            default: fields.append(.literal(asciiLower(byte)))
            }
            i += width
        }
        if fields.contains(.halfDay) {
            fields = fields.map { if case .hour(let min) = $0 { .hour12(min: min) } else { $0 } }
        }
        if source == "iso" { fields += [.fraction, .offset] }
        let hasYear = fields.contains(.year4) || fields.contains(.year2)
        let hasMonth = fields.contains { if case .month = $0 { true } else { $0 == .monthName } }
        let hasDay = fields.contains { if case .day = $0 { true } else { false } }
        self.hasTime = fields.contains { if case .hour = $0 { true } else if case .hour12 = $0 { true } else { false } }
        guard hasYear && hasMonth && hasDay || hasTime && !hasYear && !hasMonth && !hasDay else {
            throw Malformed(reason: "a pattern needs a year, a month and a day, or a time")
        }
        if !hasYear, fields.contains(.offset) || fields.contains(.zoneWord) {
            throw Malformed(reason: "a zone stands beside a date, not beside a time of day alone")
        }
        declared = fields
        self.fields = DatePattern.withoutLeadingZeros(fields)
    }

    /// Spreadsheets save `01/05/2024` as `1/5/2024`: where no digits stand beside it, a field is found by its ends.
    private static func withoutLeadingZeros(_ fields: [Field]) -> [Field] {
        fields.indices.map { index in
            let before = index > 0 && fields[index - 1].isOfDigits
            let after = index + 1 < fields.count && fields[index + 1].isOfDigits
            switch fields[index] {
            case .month where !before && !after: return .month(min: 1)
            case .day where !before && !after: return .day(min: 1)
            case .hour where !before && !after: return .hour(min: 1)
            case .hour12 where !before && !after: return .hour12(min: 1)
            case let field: return field
            }
        }
    }

    /// Whether it is a count from 1970, which only the place where it stands tells from any other number.
    var isEpoch: Bool { fields.first == .epoch || fields.first == .epochMilliseconds }

    /// Whether day stands before month, month before day, or neither alone can be meant.
    var dayMonthOrder: Bool? {
        for field in fields where !fields.contains(.monthName) {
            if case .day = field { return true }
            if case .month = field { return false }
        }
        return nil
    }

    /// Reads the whole text; nil when it does not have this shape or the day does not exist.
    func read(_ text: ByteView) -> DateReading? {
        var reader = DateScanner(text: text.trimmed())
        for (index, field) in fields.enumerated()
        where !reader.take(field, next: index + 1 < fields.count ? fields[index + 1] : nil) {
            return nil
        }
        return reader.result()
    }

    /// Where the parts of the text stand; nil when it does not have this shape, whatever its digits say.
    ///
    /// What comes out depends on the text's bytes that are no digits, and on where its digits stand.
    func layout(of text: ByteView) -> (layout: DateLayout, zoneWord: String?)? {
        var reader = DateScanner(text: text)
        for (index, field) in fields.enumerated()
        where !reader.take(field, next: index + 1 < fields.count ? fields[index + 1] : nil) {
            return nil
        }
        return reader.isAtEnd ? (reader.layout, reader.zoneWord) : nil
    }

    /// Reads a time of day alone.
    func readTime(_ text: ByteView) -> CivilTime? {
        var reader = DateScanner(text: text.trimmed())
        for (index, field) in fields.enumerated()
        where !reader.take(field, next: index + 1 < fields.count ? fields[index + 1] : nil) {
            return nil
        }
        return reader.isAtEnd && reader.isInRange ? reader.time : nil
    }
}

/// One reading of a text against a pattern's fields.
private struct DateScanner {
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
