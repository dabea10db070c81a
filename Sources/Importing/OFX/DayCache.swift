import Delimited
import OpenAlloc

/// The moments of dates that begin with eight digits (`YYYYMMDD`) and are followed by one of few endings, which say the
/// time of day and the zone. Where the day is the same in UTC, a moment's text is the digits and what all dates of the
/// ending have, and only its seconds must be looked up: by the digits, in so little memory that a file of many days has
/// it at hand. Of an ending that says the same of every date, so that nothing but the date is to be read, the calendar tells
/// the days that were not met.
///
/// Invariant: `years` has `yearsOfEnding` places for each ending, of `maximumEndings` at most; a year's `page` is −1 or the
/// number of its days in `days`, below `pageCount`, of which each is `none` or that of a date that was read. `days` has
/// room for `pageRoom` pages.
struct DayCache: ~Copyable {
    struct Year: BitwiseCopyable {
        /// Its four digits as they stand.
        var digits: UInt64 = 0
        var page = -1
    }

    /// What stands after the digits, and what it makes of a moment.
    struct Ending: BitwiseCopyable {
        var words: (UInt64, UInt64, UInt64)
        var count: Int
        var time: (UInt64, UInt64) = (0, 0)
        var secondOfDay: Int64 = 0
        /// Whether its time of day and offset are the same at every date.
        var isFixed = false
    }

    /// The endings that were met, and which of them the last date had.
    private var endings = FlatMemory<Ending>([])
    private var current = 0
    private var years: UnsafeMutablePointer<Year>
    /// The days since 1970 of each day of a year.
    private var days: UnsafeMutablePointer<Int32>
    private var pageCount = 0
    private var pageRoom = 4

    private static let maximumEndings = 8
    private static let yearsOfEnding = 128
    private static let maximumPages = 256
    /// So many days has a year: months and days in powers of two.
    private static let daysOfYear = 16 * 32
    private static let none = Int32.min
    private static let dayDigits: UInt64 = 0xFFFF

    init() {
        years = .allocate(capacity: Self.maximumEndings * Self.yearsOfEnding)
        days = .allocate(capacity: pageRoom * Self.daysOfYear)
    }

    deinit {
        years.deallocate()
        days.deallocate()
    }

    /// The moment of a date that was kept.
    @inline(__always)
    mutating func known(_ text: ByteView) -> RowValues.Moment? {
        guard text.count >= 8, text.count <= 32, current < endings.count else { return nil }
        let digits = UInt64(littleEndian: Self.eight(text, 0))
        guard let place = Self.place(digits) else { return nil }
        let ending = Self.ending(text)
        if !Self.isSame(endings[current], ending), !choose(ending) { return nil }
        let year = years[current &* Self.yearsOfEnding &+ place.year]
        guard year.page >= 0, year.digits == digits & 0xFFFF_FFFF else { return nil }
        let day = days[year.page &* Self.daysOfYear &+ place.day]
        if day == Self.none { return nil }
        return Self.moment(digits, Int64(day), endings[current])
    }

    /// The moment of a date that was not met, of an ending that was and says the same of every date.
    mutating func extend(_ text: ByteView) -> RowValues.Moment? {
        guard text.count >= 8, text.count <= 32, current < endings.count else { return nil }
        let digits = UInt64(littleEndian: Self.eight(text, 0))
        guard let place = Self.place(digits) else { return nil }
        let ending = Self.ending(text)
        guard Self.isSame(endings[current], ending) || choose(ending), endings[current].isFixed else { return nil }
        func two(_ start: Int) -> Int { Int(text[start] &- 0x30) * 10 + Int(text[start + 1] &- 0x30) }
        guard let date = CivilDate(year: two(0) * 100 + two(2), month: two(4), day: two(6)), date.year >= 1900,
            let day = Int32(exactly: date.daysSinceEpoch), put(day, place, digits)
        else { return nil }
        return Self.moment(digits, Int64(day), endings[current])
    }

    /// Keeps what a date is; false when it is none of this sort, or there are too many.
    ///
    /// - Parameter isFixed: whether what stands after the digits says the same of every date.
    mutating func keep(_ text: ByteView, _ moment: RowValues.Moment, isFixed: @autoclosure () -> Bool) -> Bool {
        guard text.count >= 8, text.count <= 32 else { return false }
        let digits = UInt64(littleEndian: Self.eight(text, 0))
        guard let place = Self.place(digits) else { return false }
        var ending = Self.ending(text)
        let seconds = moment.secondsSince1970
        let day = (seconds - (seconds < 0 ? 86_399 : 0)) / 86_400
        ending.secondOfDay = seconds - day * 86_400
        ending.time = (moment.text.1 & ~Self.dayDigits, moment.text.2)
        let isNew = !choose(ending)
        // What would be said of it must be what it is.
        let said = Self.moment(digits, day, isNew ? ending : endings[current])
        guard said.text == moment.text, said.count == moment.count, said.secondsSince1970 == seconds,
            let number = Int32(exactly: day)
        else { return false }
        if isNew {
            guard endings.count < Self.maximumEndings else { return false }
            ending.isFixed = isFixed()
            current = endings.count
            endings.append(ending)
            (years + current * Self.yearsOfEnding).initialize(repeating: Year(), count: Self.yearsOfEnding)
        }
        return put(number, place, digits)
    }

    /// Keeps a day of the current ending.
    private mutating func put(_ number: Int32, _ place: (year: Int, day: Int), _ digits: UInt64) -> Bool {
        let index = current * Self.yearsOfEnding + place.year
        if years[index].page < 0 {
            guard pageCount < Self.maximumPages else { return false }
            years[index] = Year(digits: digits & 0xFFFF_FFFF, page: pageCount)
            addPage()
        }
        // Of two centuries, the first is kept.
        guard years[index].digits == digits & 0xFFFF_FFFF else { return false }
        days[years[index].page * Self.daysOfYear + place.day] = number
        return true
    }

    /// Makes room for the days of a year.
    private mutating func addPage() {
        if pageCount == pageRoom {
            let larger = UnsafeMutablePointer<Int32>.allocate(capacity: 2 * pageRoom * Self.daysOfYear)
            larger.moveInitialize(from: days, count: pageCount * Self.daysOfYear)
            days.deallocate()
            days = larger
            pageRoom *= 2
        }
        (days + pageCount * Self.daysOfYear).initialize(repeating: Self.none, count: Self.daysOfYear)
        pageCount += 1
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

    /// The moment of a day that is the same in UTC: `YYYY-MM-DD` and what its ending makes.
    @inline(__always)
    private static func moment(_ digits: UInt64, _ day: Int64, _ ending: Ending) -> RowValues.Moment {
        var moment = RowValues.Moment()
        moment.secondsSince1970 = day &* 86_400 &+ ending.secondOfDay
        moment.text.0 = digits & 0xFFFF_FFFF | 0x2D << 32 | (digits &>> 32 & 0xFFFF) &<< 40 | 0x2D << 56
        moment.text.1 = digits &>> 48 | ending.time.0
        moment.text.2 = ending.time.1
        moment.count = 20
        return moment
    }

    @inline(__always)
    private static func eight(_ text: ByteView, _ start: Int) -> UInt64 { text.word(at: start) }

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

    /// Where a day is, by the last two digits of its year; nil for what is not eight digits, or no day or month.
    @inline(__always)
    private static func place(_ bytes: UInt64) -> (year: Int, day: Int)? {
        let digits = bytes ^ 0x3030_3030_3030_3030
        guard (digits &+ 0x7676_7676_7676_7676 | digits) & 0x8080_8080_8080_8080 == 0 else { return nil }
        // Two digits each: century, year, month and day, in every other byte.
        let pairs = (digits &* 10 &+ digits &>> 8) & 0x00FF_00FF_00FF_00FF
        let (year, month, day) = (pairs &>> 16 & 0xFF, pairs &>> 32 & 0xFF, pairs &>> 48)
        guard month < 16, day < 32 else { return nil }
        return (Int(truncatingIfNeeded: year), Int(truncatingIfNeeded: month &<< 5 | day))
    }
}
