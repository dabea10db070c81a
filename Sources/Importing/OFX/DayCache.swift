import Delimited

/// The moments of dates that begin with eight digits (`YYYYMMDD`) and are followed by one of few endings, which say the
/// time of day and the zone. A day's place follows from its digits, so that what a file of many days needs of the
/// processor's caches is little, and nothing is searched.
///
/// Invariant: `years` has a slot for each two digits of a year of each ending, −1 or the number of its places; a place
/// holds −1 or the index of an entry; an entry is that of all eight digits that it has.
struct DayCache: ~Copyable {
    struct Entry: BitwiseCopyable {
        /// The digits as they stand.
        var day: UInt64
        var moment: RowValues.Moment
    }

    /// What stands after the digits.
    struct Ending: BitwiseCopyable {
        var words: (UInt64, UInt64, UInt64)
        var count: Int
    }

    /// The endings that were met, and which of them the last date had.
    private var endings = FlatMemory<Ending>([])
    private var current = 0
    private var years = FlatMemory<Int16>([])
    /// The entry of each day of a year.
    private var places = FlatMemory<Int16>([])
    private var entries = FlatMemory<Entry>([])

    private static let maximumEndings = 8
    private static let maximumEntries = 1 << 13
    private static let maximumYears = 128
    /// So many places has a year: months and days in powers of two.
    private static let placeCount = 16 * 32

    /// The moment of a date that was kept.
    @inline(__always)
    mutating func known(_ text: ByteView) -> RowValues.Moment? {
        guard text.count >= 8, text.count <= 32, current < endings.count, let place = Self.place(Self.eight(text, 0))
        else {
            return nil
        }
        let ending = Self.ending(text)
        if !Self.isSame(endings[current], ending), !choose(ending) { return nil }
        let year = Int(years[current &* 128 &+ place.year])
        if year < 0 { return nil }
        let index = Int(places[year &* Self.placeCount &+ place.day])
        guard index >= 0, entries[index].day == Self.eight(text, 0) else { return nil }
        return entries[index].moment
    }

    /// Keeps what a date is; false when it is none of this sort, or there are too many endings.
    mutating func keep(_ text: ByteView, _ moment: RowValues.Moment) -> Bool {
        guard text.count >= 8, text.count <= 32, let place = Self.place(Self.eight(text, 0)) else { return false }
        let ending = Self.ending(text)
        if !choose(ending) {
            guard endings.count < Self.maximumEndings else { return false }
            current = endings.count
            endings.append(ending)
            for _ in 0..<128 { years.append(-1) }
        }
        if years[current * 128 + place.year] < 0 {
            let known = places.count / Self.placeCount
            guard known < Self.maximumYears else { return false }
            years[current * 128 + place.year] = Int16(truncatingIfNeeded: known)
            for _ in 0..<Self.placeCount { places.append(-1) }
        }
        if entries.count == Self.maximumEntries {
            entries.removeAll()
            for index in 0..<places.count { places[index] = -1 }
        }
        let year = Int(years[current * 128 + place.year])
        places[year * Self.placeCount + place.day] = Int16(truncatingIfNeeded: entries.count)
        entries.append(Entry(day: Self.eight(text, 0), moment: moment))
        return true
    }

    /// Finds an ending; whether it was met before.
    @inline(never)
    private mutating func choose(_ ending: Ending) -> Bool {
        for index in 0..<endings.count where Self.isSame(endings[index], ending) {
            current = index
            return true
        }
        return false
    }

    @inline(__always)
    private static func eight(_ text: ByteView, _ start: Int) -> UInt64 { text[start..<start &+ 8].words?.0 ?? 0 }

    /// What tells an ending from all others: loads that overlap where it is short.
    @inline(__always)
    private static func ending(_ text: ByteView) -> Ending {
        let count = text.count &- 8
        let last = eight(text, count)
        if count < 8 {
            // Of the eight bytes the first belong to the digits.
            let shift = UInt64(truncatingIfNeeded: 64 &- 8 &* count)
            return Ending(words: (count == 0 ? 0 : UInt64(littleEndian: last) &>> shift, 0, 0), count: count)
        }
        return Ending(words: (eight(text, 8), eight(text, min(16, count)), last), count: count)
    }

    @inline(__always)
    private static func isSame(_ left: Ending, _ right: Ending) -> Bool {
        (left.words.0 ^ right.words.0) | (left.words.1 ^ right.words.1) | (left.words.2 ^ right.words.2) == 0
            && left.count == right.count
    }

    /// Where a day's entry is, by the last two digits of the year; nil for what is not eight digits, or no day or month.
    @inline(__always)
    private static func place(_ bytes: UInt64) -> (year: Int, day: Int)? {
        let digits = UInt64(littleEndian: bytes) ^ 0x3030_3030_3030_3030
        guard (digits &+ 0x7676_7676_7676_7676) & 0x8080_8080_8080_8080 == 0,
            digits & 0x8080_8080_8080_8080 == 0
        else { return nil }
        // Two digits each: century, year, month and day, in every other byte.
        let pairs = (digits &* 10 &+ digits &>> 8) & 0x00FF_00FF_00FF_00FF
        let (year, month, day) = (pairs &>> 16 & 0xFF, pairs &>> 32 & 0xFF, pairs &>> 48)
        guard month < 16, day < 32 else { return nil }
        return (Int(truncatingIfNeeded: year), Int(truncatingIfNeeded: month &<< 5 | day))
    }
}
