import Delimited
import OpenAlloc
import Zones

/// Turns date texts into instants: the definition's patterns, zone and time of day, or the user's.
final class DateResolver {
    let zone: Zone
    @exclusivity(unchecked) private var days: ZoneDayTable
    @exclusivity(unchecked) private var offsets: ZoneOffsetTable
    let secondOfDay: Int
    let times: [DatePattern]
    @exclusivity(unchecked) private var cachedText: [UInt8] = []
    private var cachedPatterns: [DatePattern] = []
    @exclusivity(unchecked) private var cachedInstant: Instant?

    init(definition: Definition, options: ImportOptions) throws(ZoneError) {
        zone = try Zone.named(options.timeZone ?? definition.zone)
        secondOfDay = options.secondOfDay ?? definition.secondOfDay
        days = ZoneDayTable(zone: zone, secondOfDay: secondOfDay)
        offsets = ZoneOffsetTable(zone: zone)
        times = definition.times
    }

    /// The same rules, for another thread.
    init(copying other: DateResolver) {
        zone = other.zone
        secondOfDay = other.secondOfDay
        days = ZoneDayTable(zone: zone, secondOfDay: secondOfDay)
        offsets = ZoneOffsetTable(zone: zone)
        times = other.times
    }

    /// The instant of a date cell and perhaps a time cell; nil when no pattern reads it.
    func instant(_ text: ByteView, time: ByteView, patterns: [DatePattern]) -> Instant? {
        if time.isEmpty, !cachedText.isEmpty, text == cachedText, patterns == cachedPatterns { return cachedInstant }
        var found: Instant?
        for pattern in patterns {
            guard let reading = pattern.read(text) else { continue }
            found = instant(reading, time: time)
            break
        }
        if time.isEmpty {
            cachedText.removeAll(keepingCapacity: true)
            text.withUnsafeBytes { cachedText.append(contentsOf: $0) }
            cachedPatterns = patterns
            cachedInstant = found
        }
        return found
    }

    /// The instant of a day that comes without a time.
    func utcSeconds(ofDay day: Int) -> Int64 { days.utcSeconds(daysSinceEpoch: day) }

    /// A time cell that no pattern reads makes the whole date unreadable.
    private func instant(_ reading: DateReading, time: ByteView) -> Instant? {
        var civil = reading.time
        if civil == nil, !time.isBlank {
            for pattern in times {
                civil = pattern.readTime(time)
                if civil != nil { break }
            }
            if civil == nil { return nil }
        }
        if civil == nil, reading.offset == nil, reading.zoneWord == nil {
            return Instant(secondsSince1970: days.utcSeconds(daysSinceEpoch: reading.date.daysSinceEpoch))
        }
        let second = civil?.secondOfDay ?? secondOfDay
        let days = reading.date.daysSinceEpoch
        let nanoseconds = civil?.nanosecond ?? 0
        if let offset = reading.offset {
            return Instant(secondsSince1970: Int64(days) * 86_400 + Int64(second - offset), nanoseconds: nanoseconds)
        }
        guard let word = reading.zoneWord else {
            let instant = offsets.utcSeconds(daysSinceEpoch: days, secondOfDay: second)
            return Instant(secondsSince1970: instant, nanoseconds: nanoseconds)
        }
        // A word without a meaning, or with several, is not guessed.
        guard let named = try? ZoneWord(word)?.resolved() else { return nil }
        return Instant(
            secondsSince1970: named.utcSeconds(daysSinceEpoch: days, secondOfDay: second), nanoseconds: nanoseconds)
    }
}
