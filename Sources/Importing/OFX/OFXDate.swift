import Delimited
import OpenAlloc
import Zones

/// What a date element says.
enum OFXDateReading: Sendable, Hashable {
    case blank
    case value(Instant)
    case invalid
}

/// Dates of OFX (OFX 2.2, 3.2.8.2): `YYYYMMDD[HH[MM[SS[.XXX]]]][[offset:zone]]`, and what writers make of it.
///
/// A stamp with a time of day is that moment: at its own offset, else at GMT, as the specification says. A date alone,
/// and a stamp of exactly midnight, name a day: they take the time of day and zone for naked dates, so that no zone
/// moves them to another day. Years before 1900 and days that do not exist are invalid.
struct OFXDates {
    private var days: ZoneDayTable
    /// What stands first in `01/02/2025`; nil while it is not known.
    var order: DayOrder?
    /// Whether dates such as `2025-01-02` and `01/02/2025` are read.
    var readsSeparated = true

    /// - Throws: `ZoneError` for a time zone that is not known.
    init(options: ImportOptions) throws(ZoneError) {
        let zone = try Zone.named(options.timeZone ?? "America/New_York")
        days = ZoneDayTable(zone: zone, secondOfDay: options.secondOfDay ?? 43_200)
    }

    /// Reads a text.
    mutating func read(_ text: ByteView) -> OFXDateReading {
        let text = text.trimmed()
        if text.isEmpty { return .blank }
        var stamp = OFXStamp()
        stamp.order = order
        guard readsSeparated || OFXDates.isCompact(text), stamp.read(text), let date = stamp.date, date.year >= 1900
        else { return .invalid }
        guard let time = stamp.time, time != .midnight else {
            return Instant(secondsSince1970: days.utcSeconds(daysSinceEpoch: date.daysSinceEpoch)).map { .value($0) }
                ?? .invalid
        }
        return Instant(date, time, secondsAheadOfUTC: stamp.offset).map { .value($0) } ?? .invalid
    }

    /// Whether a text is a date of a year before 1900, which is not read.
    func isTooOld(_ text: ByteView) -> Bool {
        var stamp = OFXStamp()
        stamp.order = order
        return stamp.read(text.trimmed()) && stamp.date.map { $0.year < 1900 } ?? false
    }

    /// Whether a text begins as a date without marks between its numbers does.
    @inline(__always)
    static func isCompact(_ text: ByteView) -> Bool {
        text.count >= 5 && isDigit(text[1]) && isDigit(text[2]) && isDigit(text[4])
    }

    /// Whether the time of day and the offset of a valid `YYYYMMDD…` would be the same with any other date: there is a time,
    /// which is not midnight, and the zone is a number, or none.
    func isFixed(after text: ByteView) -> Bool {
        var stamp = OFXStamp()
        guard text.count >= 10, (0..<10).allSatisfy({ isDigit(text[$0]) }), stamp.read(text), let time = stamp.time,
            time != .midnight
        else { return false }
        guard let open = (8..<text.count).first(where: { text[$0] == UInt8(ascii: "[") }) else { return true }
        let body = text[open + 1..<text.count].trimmed()
        guard let first = body.first else { return false }
        let isSigned = first == UInt8(ascii: "-") || first == UInt8(ascii: "+")
        return isDigit(first) || (isSigned && body.count > 1 && isDigit(body[1]))
    }
}

/// The parts of a date text.
private struct OFXStamp {
    var date: CivilDate?
    var time: CivilTime?
    var order: DayOrder?
    /// Seconds east of UTC.
    var offset = 0

    mutating func read(_ text: ByteView) -> Bool {
        var digits = 0
        while digits < text.count, isDigit(text[digits]) { digits += 1 }
        switch digits {
        case 8, 10, 12, 14: return readCompact(text, digits)
        case 1, 2, 4: return readSeparated(text)
        default: return false
        }
    }

    // MARK: YYYYMMDDHHMMSS.XXX[offset:zone]

    private mutating func readCompact(_ text: ByteView, _ digits: Int) -> Bool {
        date = CivilDate(year: number(text, 0, 4), month: number(text, 4, 2), day: number(text, 6, 2))
        guard date != nil else { return false }
        var place = digits
        var clock = 8
        if digits == 8, text.count > 9, text[8] == UInt8(ascii: "T") || text[8] == 0x20, isDigit(text[9]) {
            // The mark of ISO 8601 between day and time.
            clock = 9
            place = 9
            while place < text.count, isDigit(text[place]) { place += 1 }
        }
        let count = place - clock
        if count > 0 {
            guard count == 2 || count == 4 || count == 6 else { return false }
            var nanoseconds: UInt32 = 0
            if count == 6, place < text.count, text[place] == UInt8(ascii: ".") || text[place] == UInt8(ascii: ",") {
                place += 1
                guard let fraction = readFraction(text, &place) else { return false }
                nanoseconds = fraction
            }
            time = CivilTime(
                hour: number(text, clock, 2), minute: count > 2 ? number(text, clock + 2, 2) : 0,
                second: count > 4 ? number(text, clock + 4, 2) : 0, nanosecond: nanoseconds)
            guard time != nil else { return false }
        }
        let rest = text[place..<text.count].trimmed()
        return rest.isEmpty || readZone(rest) || (count > 2 && readPlainOffset(rest))
    }

    /// `Z`, `-0500`, `+05:30`, as ISO 8601 has them, without brackets.
    private mutating func readPlainOffset(_ text: ByteView) -> Bool {
        if text.count == 1 { return text[0] == UInt8(ascii: "Z") }
        guard text[0] == UInt8(ascii: "-") || text[0] == UInt8(ascii: "+"), text.count == 5 || text.count == 6,
            text.count == 5 || text[3] == UInt8(ascii: ":"),
            [1, 2, text.count - 2, text.count - 1].allSatisfy({ isDigit(text[$0]) })
        else { return false }
        let minutes = number(text, text.count - 2, 2)
        let seconds = number(text, 1, 2) * 3600 + minutes * 60
        offset = text[0] == UInt8(ascii: "-") ? -seconds : seconds
        return minutes < 60 && seconds <= 15 * 3600
    }

    private func number(_ text: ByteView, _ start: Int, _ count: Int) -> Int {
        var value = 0
        for place in start..<start + count { value = value * 10 + Int(text[place] &- 0x30) }
        return value
    }

    private func readFraction(_ text: ByteView, _ place: inout Int) -> UInt32? {
        var value: UInt32 = 0
        var count = 0
        while place < text.count, isDigit(text[place]) {
            if count < 9 { value = value * 10 + UInt32(text[place] &- 0x30) }
            count += 1
            place += 1
        }
        while count < 9 {
            value *= 10
            count += 1
        }
        return value
    }

    // MARK: [-5:EST]

    /// `[-5:EST]`, `[-3.5:NST]`, `[5.30:IST]`, `[-0330]`, `[-03:00:BRT]`, `[-:EST]`, `[EST]`, with or without `]`.
    private mutating func readZone(_ text: ByteView) -> Bool {
        guard text[0] == UInt8(ascii: "[") else { return false }
        let end = text[text.count - 1] == UInt8(ascii: "]") ? text.count - 1 : text.count
        let body = text[1..<max(1, end)].trimmed()
        // Behind the bracket stands what has lost its tag.
        guard !body.indices.contains(where: { body[$0] == UInt8(ascii: "]") }) else { return false }
        var place = 0
        var sign = 1
        if place < body.count, body[place] == UInt8(ascii: "-") || body[place] == UInt8(ascii: "+") {
            sign = body[place] == UInt8(ascii: "-") ? -1 : 1
            place += 1
        }
        let start = place
        while place < body.count, isDigit(body[place]) { place += 1 }
        if place == start { return readZoneWord(body[start..<body.count]) }
        guard let seconds = readOffset(body, start, &place) else { return false }
        // What is left is the zone's name, which says nothing that the number does not.
        guard place == body.count || body[place] == UInt8(ascii: ":") else { return false }
        offset = sign * seconds
        return seconds <= 15 * 3600
    }

    private func readOffset(_ body: ByteView, _ start: Int, _ place: inout Int) -> Int? {
        var hours = 0
        switch place - start {
        case 1, 2: hours = number(body, start, place - start)
        case 3, 4: return number(body, start, place - start - 2) * 3600 + number(body, place - 2, 2) * 60
        default: return nil
        }
        guard place < body.count else { return hours * 3600 }
        if body[place] == UInt8(ascii: ":"), place + 2 < body.count, isDigit(body[place + 1]), isDigit(body[place + 2])
        {
            place += 3
            return hours * 3600 + number(body, place - 2, 2) * 60
        }
        guard body[place] == UInt8(ascii: ".") else { return hours * 3600 }
        place += 1
        let first = place
        while place < body.count, isDigit(body[place]) { place += 1 }
        guard place - first <= 2 else { return nil }
        guard place > first else { return hours * 3600 }
        let fraction = number(body, first, place - first)
        // Hours and their decimals, as specified; 5.30 can only mean 5 h 30 min, for no zone is 18 minutes off.
        let asDecimal = fraction * (place - first == 1 ? 360 : 36)
        return hours * 3600 + (asDecimal % 900 == 0 ? asDecimal : fraction * 60)
    }

    private mutating func readZoneWord(_ text: ByteView) -> Bool {
        var word = text
        if let first = word.first, first == UInt8(ascii: ":") { word = word[1..<word.count] }
        if word.isEmpty { return true }
        if word.count > 4, word.prefix(3).equalsIgnoringCase("GMT") || word.prefix(3).equalsIgnoringCase("UTC"),
            word[3] == UInt8(ascii: "-") || word[3] == UInt8(ascii: "+")
        {
            // `[GMT-3]`, `[UTC+05:30]`: the words say from where the number counts.
            let sign = word[3] == UInt8(ascii: "-") ? -1 : 1
            var place = 4
            while place < word.count, isDigit(word[place]) { place += 1 }
            guard let seconds = readOffset(word, 4, &place), place == word.count else { return false }
            offset = sign * seconds
            return seconds <= 15 * 3600
        }
        guard let date, let zone = ZoneWord(word.trimmed().string).flatMap({ try? $0.resolved() }) else { return false }
        let second = time?.secondOfDay ?? 43_200
        let instant = zone.utcSeconds(daysSinceEpoch: date.daysSinceEpoch, secondOfDay: second)
        offset = zone.offset(atUTC: instant)
        return true
    }

    // MARK: 2024-01-15, 15/01/2024

    private mutating func readSeparated(_ text: ByteView) -> Bool {
        var parts: [(value: Int, digits: Int)] = []
        var place = 0
        var separator: UInt8?
        while parts.count < 3 {
            let start = place
            while place < text.count, isDigit(text[place]), place - start < 4 { place += 1 }
            guard place > start else { return false }
            parts.append((number(text, start, place - start), place - start))
            if parts.count == 3 { break }
            guard place < text.count, [0x2D, 0x2F, 0x2E].contains(text[place]),
                separator == nil || separator == text[place]
            else { return false }
            separator = text[place]
            place += 1
        }
        if parts[0].digits == 4 {
            guard parts[1].digits <= 2, parts[2].digits <= 2 else { return false }
            date = CivilDate(year: parts[0].value, month: parts[1].value, day: parts[2].value)
        } else if parts[2].digits == 4, parts[0].digits <= 2, parts[1].digits <= 2 {
            date = day(parts[0].value, parts[1].value, year: parts[2].value)
        }
        return date != nil && readClock(text[place..<text.count])
    }

    /// Day and month in the order of the file, or in one that only one reading allows.
    private func day(_ first: Int, _ second: Int, year: Int) -> CivilDate? {
        let dayFirst = CivilDate(year: year, month: second, day: first)
        let monthFirst = CivilDate(year: year, month: first, day: second)
        switch order {
        case .dayFirst: return dayFirst
        case .monthFirst: return monthFirst
        case nil: return dayFirst == nil || monthFirst == nil || first == second ? dayFirst ?? monthFirst : nil
        }
    }

    /// `T12:30:00.000Z`, ` 12:30`, `-05:00`.
    private mutating func readClock(_ rest: ByteView) -> Bool {
        if rest.trimmed().isEmpty { return true }
        guard rest[0] == UInt8(ascii: "T") || rest[0] == 0x20, rest.count >= 6, rest[3] == UInt8(ascii: ":") else {
            return false
        }
        guard [1, 2, 4, 5].allSatisfy({ isDigit(rest[$0]) }) else { return false }
        var place = 6
        var second = 0
        var nanoseconds: UInt32 = 0
        if place + 2 < rest.count, rest[place] == UInt8(ascii: ":"), isDigit(rest[place + 1]), isDigit(rest[place + 2])
        {
            second = number(rest, place + 1, 2)
            place += 3
            if place < rest.count, rest[place] == UInt8(ascii: ".") {
                place += 1
                nanoseconds = readFraction(rest, &place) ?? 0
            }
        }
        time = CivilTime(hour: number(rest, 1, 2), minute: number(rest, 4, 2), second: second, nanosecond: nanoseconds)
        guard time != nil else { return false }
        let zone = rest[place..<rest.count].trimmed()
        if zone.isEmpty || zone.string == "Z" { return true }
        guard zone.count == 6, zone[3] == UInt8(ascii: ":"), [1, 2, 4, 5].allSatisfy({ isDigit(zone[$0]) }),
            zone[0] == UInt8(ascii: "+") || zone[0] == UInt8(ascii: "-")
        else { return zone[0] == UInt8(ascii: "[") && readZone(zone) }
        let seconds = number(zone, 1, 2) * 3600 + number(zone, 4, 2) * 60
        offset = zone[0] == UInt8(ascii: "-") ? -seconds : seconds
        return true
    }
}
