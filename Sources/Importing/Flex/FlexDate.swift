import Delimited
import OpenAlloc
import Zones

/// Dates of Flex: `20250102`, `2025-01-02`, `02-Jan-25`, and `01/02/2025` or `01/02/25` where the report shows what comes
/// first; and a time behind `;`, `,`, `T`, a blank or nothing, with or without colons.
///
/// Times are of the zone (New York unless told otherwise); a date alone takes the time of day for naked dates.
struct FlexDates {
    /// What stands first in `01/02/2025`; nil while it is not known.
    var order: DayOrder?
    private var days: ZoneDayTable
    private let zone: Zone
    /// The day's first second, its noon and its last second: if the hours between them are the usual ones, so is every
    /// hour, for no zone leaves its offset and comes back to it within half a day.
    private var first: ZoneDayTable
    private var noon: ZoneDayTable
    private var last: ZoneDayTable

    /// - Throws: `ZoneError` for a time zone that is not known.
    init(options: ImportOptions) throws(ZoneError) {
        zone = try Zone.named(options.timeZone ?? "America/New_York")
        days = ZoneDayTable(zone: zone, secondOfDay: options.secondOfDay ?? 43_200)
        first = ZoneDayTable(zone: zone, secondOfDay: 0)
        noon = ZoneDayTable(zone: zone, secondOfDay: 43_200)
        last = ZoneDayTable(zone: zone, secondOfDay: 86_399)
    }

    /// A time of day in the zone, as the zone itself has it.
    private mutating func utcSeconds(_ day: Int, _ second: Int) -> Int64 {
        let start = first.utcSeconds(daysSinceEpoch: day)
        if noon.utcSeconds(daysSinceEpoch: day) == start + 43_200,
            last.utcSeconds(daysSinceEpoch: day) == start + 86_399
        {
            return start + Int64(second)
        }
        return zone.utcSeconds(daysSinceEpoch: day, secondOfDay: second)
    }

    /// Reads a text.
    mutating func read(_ text: ByteView) -> OFXDateReading {
        let text = text.trimmed()
        if text.isEmpty { return .blank }
        var place = 0
        guard let date = FlexDates.date(text, order, &place), date.year >= 1900 else { return .invalid }
        var rest = text[place..<text.count]
        while let first = rest.first, first == 0x3B || first == 0x2C || first == 0x20 || first == UInt8(ascii: "T") {
            rest = rest[1..<rest.count]
        }
        if rest.isEmpty {
            return value(days.utcSeconds(daysSinceEpoch: date.daysSinceEpoch))
        }
        guard let (time, zoneWord) = FlexDates.time(rest) else { return .invalid }
        if zoneWord.isEmpty { return value(utcSeconds(date.daysSinceEpoch, time.secondOfDay)) }
        if !isLetter(zoneWord[0]) {
            guard let offset = FlexDates.offset(zoneWord) else { return .invalid }
            return value(Int64(date.daysSinceEpoch) * 86_400 + Int64(time.secondOfDay - offset))
        }
        guard
            let own = zoneWord.equalsIgnoringCase("Z")
                ? .utc : ZoneWord(zoneWord.string).flatMap({ try? $0.resolved() })
        else { return .invalid }
        return value(own.utcSeconds(daysSinceEpoch: date.daysSinceEpoch, secondOfDay: time.secondOfDay))
    }

    /// Whether a text is a date of a year before 1900, which is not read.
    func isTooOld(_ text: ByteView) -> Bool {
        var place = 0
        return FlexDates.date(text.trimmed(), order, &place).map { $0.year < 1900 } ?? false
    }

    private func value(_ seconds: Int64) -> OFXDateReading {
        Instant(secondsSince1970: seconds).map { .value($0) } ?? .invalid
    }

    private static func number(_ text: ByteView, _ start: Int, _ count: Int) -> Int? {
        guard start + count <= text.count else { return nil }
        var value = 0
        for place in start..<start + count {
            guard isDigit(text[place]) else { return nil }
            value = value * 10 + Int(text[place] &- 0x30)
        }
        return value
    }

    private static func date(_ text: ByteView, _ order: DayOrder?, _ place: inout Int) -> CivilDate? {
        if let year = number(text, 0, 4), let month = number(text, 4, 2), let day = number(text, 6, 2) {
            place = 8
            return CivilDate(year: year, month: month, day: day)
        }
        if text.count >= 10, text[4] == UInt8(ascii: "-"), text[7] == UInt8(ascii: "-"),
            let year = number(text, 0, 4), let month = number(text, 5, 2), let day = number(text, 8, 2)
        {
            place = 10
            return CivilDate(year: year, month: month, day: day)
        }
        if let named = named(text, &place) { return named }
        // dd/MM/yyyy and MM/dd/yyyy are both on offer: only what one of them allows, or the report proves, is read.
        guard text.count >= 8, text[2] == text[5], let parts = DayOrder.parts(text), let year = year(text, 6, &place)
        else { return nil }
        let dayFirst = CivilDate(year: year, month: parts.second, day: parts.first)
        let monthFirst = CivilDate(year: year, month: parts.first, day: parts.second)
        switch order {
        case .dayFirst: return dayFirst
        case .monthFirst: return monthFirst
        case nil: return dayFirst == nil || monthFirst == nil || dayFirst == monthFirst ? dayFirst ?? monthFirst : nil
        }
    }

    /// `02-Jan-25`.
    private static func named(_ text: ByteView, _ place: inout Int) -> CivilDate? {
        guard text.count >= 9, text[2] == UInt8(ascii: "-"), text[6] == UInt8(ascii: "-"), let day = number(text, 0, 2),
            let month = months.firstIndex(where: { text[3..<6].equalsIgnoringCase($0) }),
            let year = year(text, 7, &place)
        else { return nil }
        return CivilDate(year: year, month: month + 1, day: day)
    }

    private static let months: [StaticString] = [
        "JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC",
    ]

    /// A year of four digits, or of two, which are of this century. A time may follow at once: how many digits there are
    /// tells then which it is, and where it does not, which of the two readings makes sense.
    private static func year(_ text: ByteView, _ start: Int, _ place: inout Int) -> Int? {
        guard let short = number(text, start, 2) else { return nil }
        var digits = 2
        while start + digits < text.count, isDigit(text[start + digits]) { digits += 1 }
        let hasColon = start + digits < text.count && text[start + digits] == UInt8(ascii: ":")
        var isLong: Bool
        switch digits {
        case 4: isLong = !hasColon
        case 6: isLong = hasColon
        case 8:
            isLong = (1900..<2100).contains(number(text, start, 4) ?? 0) && time(text[start + 4..<text.count]) != nil
            // 20101502: of 2020, at 10:15:02, or of 2010, at 15:02.
            if isLong, time(text[start + 2..<text.count]) != nil { return nil }
        default: isLong = digits > 2
        }
        place = start + (isLong ? 4 : 2)
        return isLong ? number(text, start, 4) : 2000 + short
    }

    private static func time(_ text: ByteView) -> (CivilTime, zone: ByteView)? {
        let hasColons = text.count >= 5 && text[2] == UInt8(ascii: ":")
        let step = hasColons ? 3 : 2
        guard let hour = number(text, 0, 2), let minute = number(text, step, 2) else { return nil }
        var place = step + 2
        var second = 0
        if hasColons {
            if place < text.count, text[place] == UInt8(ascii: ":") {
                guard let value = number(text, place + 1, 2) else { return nil }
                second = value
                place += 3
            }
        } else if let value = number(text, place, 2) {
            second = value
            place += 2
        }
        guard let time = CivilTime(hour: hour, minute: minute, second: second) else { return nil }
        let zone = text[place..<text.count].trimmed()
        return zone.isEmpty || isLetter(zone[0]) || zone[0] == 0x2B || zone[0] == 0x2D ? (time, zone) : nil
    }

    /// `-0500`, `+01:00`: seconds east of UTC.
    private static func offset(_ text: ByteView) -> Int? {
        let step = text.count > 3 && text[3] == UInt8(ascii: ":") ? 4 : 3
        guard text.count == step + 2, let hours = number(text, 1, 2), let minutes = number(text, step, 2), hours < 15,
            minutes < 60
        else { return nil }
        let seconds = hours * 3600 + minutes * 60
        return text[0] == UInt8(ascii: "-") ? -seconds : seconds
    }
}
