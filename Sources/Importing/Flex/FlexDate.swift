import Delimited
import OpenAlloc
import Zones

/// Dates of Flex: `20250102`, `2025-01-02`, and a time behind `;`, `,`, `T` or a blank, with or without colons.
///
/// Times are of the zone (New York unless told otherwise); a date alone takes the time of day for naked dates.
struct FlexDates {
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
        guard let date = FlexDates.date(text, &place), date.year >= 1900 else { return .invalid }
        var rest = text[place..<text.count]
        while let first = rest.first, first == 0x3B || first == 0x2C || first == 0x20 || first == UInt8(ascii: "T") {
            rest = rest[1..<rest.count]
        }
        if rest.isEmpty {
            return value(days.utcSeconds(daysSinceEpoch: date.daysSinceEpoch))
        }
        guard let (time, zoneWord) = FlexDates.time(rest) else { return .invalid }
        if zoneWord.isEmpty { return value(utcSeconds(date.daysSinceEpoch, time.secondOfDay)) }
        guard
            let own = zoneWord.equalsIgnoringCase("Z")
                ? .utc : ZoneWord(zoneWord.string).flatMap({ try? $0.resolved() })
        else { return .invalid }
        return value(own.utcSeconds(daysSinceEpoch: date.daysSinceEpoch, secondOfDay: time.secondOfDay))
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

    private static func date(_ text: ByteView, _ place: inout Int) -> CivilDate? {
        if let year = number(text, 0, 4), let month = number(text, 4, 2), let day = number(text, 6, 2) {
            place = 8
            return place < text.count && isDigit(text[place]) ? nil : CivilDate(year: year, month: month, day: day)
        }
        place = 10
        guard text.count >= 10 else { return nil }
        if text[4] == UInt8(ascii: "-"), text[7] == UInt8(ascii: "-"),
            let year = number(text, 0, 4), let month = number(text, 5, 2), let day = number(text, 8, 2)
        {
            return CivilDate(year: year, month: month, day: day)
        }
        // dd/MM/yyyy and MM/dd/yyyy are both on offer: only what one of them allows is read.
        guard text[2] == text[5], text[2] == UInt8(ascii: "/") || text[2] == UInt8(ascii: "-"),
            let first = number(text, 0, 2),
            let second = number(text, 3, 2), let year = number(text, 6, 4)
        else { return nil }
        let dayFirst = CivilDate(year: year, month: second, day: first)
        let monthFirst = CivilDate(year: year, month: first, day: second)
        if dayFirst != nil, monthFirst != nil, first != second { return nil }
        return dayFirst ?? monthFirst
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
        return zone.isEmpty || isLetter(zone[0]) ? (time, zone) : nil
    }
}
