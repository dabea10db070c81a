import Delimited
import OpenAlloc
import Zones

/// Reads the dates of a table for a lane, as `DateResolver` does: days that were read before at once, times of day digit
/// by digit, and what is left by the patterns. It belongs to one thread.
struct MomentReader: ~Copyable {
    private var days = DateCache()
    private var stamps: StampTable
    private var times: StampTable
    /// The definition's zone, and those of the zone words; nil of a word that says no zone.
    private var zone: ZoneOffsetTable
    private var zones: [ZoneOffsetTable?] = []
    private var clock = MomentClock()
    private let resolver: DateResolver
    private let patterns: [DatePattern]
    private let blanks: NumberReader

    init(_ patterns: [DatePattern], _ resolver: DateResolver, blanks: NumberReader) {
        self.patterns = patterns
        self.resolver = resolver
        self.blanks = blanks
        stamps = StampTable(patterns)
        times = StampTable(resolver.times, areTimes: true)
        zone = ZoneOffsetTable(zone: resolver.zone)
    }

    /// What is known of a cell of at most 16 bytes.
    @inline(__always)
    mutating func known(_ words: (UInt64, UInt64)?, _ count: Int) -> RowValues.Moment? {
        guard let words else { return nil }
        return days.known(words, count)
    }

    /// What a cell says that has no time beside it; nil for what is neither a date nor blank.
    @inline(never)
    mutating func read(_ cell: ByteView) -> RowValues.Moment? {
        let words = cell.words
        if let moment = known(words, cell.count) { return moment }
        let stamp = stamps.read(cell)
        if let stamp, stamp.secondOfDay >= 0 { return moment(stamp) }
        var found = RowValues.Moment()
        if !cell.isEmpty, !blanks.isBlank(cell) {
            guard let read = stamp.flatMap({ moment($0) }) ?? resolved(cell, .empty) else { return nil }
            found = read
        }
        if let words { days.keep(words, cell.count, found) }
        return found
    }

    /// The same where another cell has the time of day, for a date that has none.
    @inline(never)
    mutating func read(_ cell: ByteView, time: ByteView) -> RowValues.Moment? {
        if time.isBlank { return read(cell) }
        if cell.isEmpty || blanks.isBlank(cell) { return RowValues.Moment() }
        guard var stamp = stamps.read(cell) else { return resolved(cell, time) }
        if stamp.secondOfDay < 0 {
            guard let read = times.read(time) else { return resolved(cell, time) }
            stamp.secondOfDay = read.secondOfDay
            stamp.nanoseconds = read.nanoseconds
        }
        return moment(stamp)
    }

    private func resolved(_ cell: ByteView, _ time: ByteView) -> RowValues.Moment? {
        resolver.instant(cell, time: time, patterns: patterns).map { RowValues.Moment(exactly: $0) }
    }

    private mutating func moment(_ stamp: Stamp) -> RowValues.Moment? {
        if stamp.secondOfDay < 0, stamp.offset == Stamp.noOffset, stamp.zone < 0 {
            return clock.moment(resolver.utcSeconds(ofDay: stamp.day), 0)
        }
        let second = stamp.secondOfDay < 0 ? resolver.secondOfDay : stamp.secondOfDay
        if stamp.offset != Stamp.noOffset {
            return clock.moment(Int64(stamp.day) * 86_400 + Int64(second - stamp.offset), stamp.nanoseconds)
        }
        if stamp.zone < 0 {
            return clock.moment(zone.utcSeconds(daysSinceEpoch: stamp.day, secondOfDay: second), stamp.nanoseconds)
        }
        while zones.count <= stamp.zone { zones.append(MomentReader.zone(stamps.zoneWords[zones.count])) }
        guard let seconds = zones[stamp.zone]?.utcSeconds(daysSinceEpoch: stamp.day, secondOfDay: second) else {
            return nil
        }
        return clock.moment(seconds, stamp.nanoseconds)
    }

    private static func zone(_ word: String) -> ZoneOffsetTable? {
        guard let zone = try? ZoneWord(word)?.resolved() else { return nil }
        return ZoneOffsetTable(zone: zone)
    }
}

/// Writes moments as text, with the day of the one before where it is the same.
private struct MomentClock {
    private var day = Int64.min
    /// `2012-12-`, and `31T`.
    private var text: (UInt64, UInt64) = (0, 0)

    /// Nil outside the years that have four digits.
    mutating func moment(_ seconds: Int64, _ nanoseconds: UInt32) -> RowValues.Moment? {
        var (day, second) = seconds.quotientAndRemainder(dividingBy: 86_400)
        if second < 0 { (day, second) = (day - 1, second + 86_400) }
        if day != self.day {
            guard let midnight = Instant(secondsSince1970: day * 86_400) else { return nil }
            let words = MomentText.words(of: midnight)
            text = (words.0, words.1 & 0xFF_FFFF)
            self.day = day
        }
        let rest = Int(truncatingIfNeeded: second)
        var moment = RowValues.Moment()
        moment.secondsSince1970 = seconds
        moment.text = (
            text.0,
            text.1 | MomentText.twoDigits(rest / 3600) << 24 | 0x3A << 40 | MomentText.twoDigits(rest / 60 % 60) << 48,
            0x3A | MomentText.twoDigits(rest % 60) << 8 | 0x5A << 24
        )
        moment.count = MomentText.count
        if nanoseconds > 0 { moment.add(nanoseconds: nanoseconds) }
        return moment
    }
}
