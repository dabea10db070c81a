import Delimited

/// Dates of one shape (`12/31/2024`, `31.12.2024`, `2024-12-31` or `20241231`) that were read before, by month and day:
/// thirty years of days in any order lie in the processor's nearest memory, where a table by hash has left it long before.
///
/// A moment is put together of what all days of a month have in common, and of what all months have in common on a day.
/// Nothing is worked out: a day is known only after it was kept, and only if its moment comes out of the parts again.
struct DayTable: ~Copyable {
    /// Where the year, the month and the day stand in a cell; two digits are a pair.
    struct Shape: BitwiseCopyable {
        /// 10 or 8 bytes; −1 for no shape.
        var count = -1
        /// Whether the last 8 bytes have month and day, and the first 8 the year; else the other way round.
        var hasYearFirst = false
        /// The bytes of both words with zeros for digits, and what added to such a byte tells that it is no digit, or to
        /// another that it is not that one.
        var days: (text: UInt64, limits: UInt64) = (0, 0)
        var years: (text: UInt64, limits: UInt64) = (0, 0)
        /// How far right pairs are shifted.
        var month: UInt64 = 0
        var day: UInt64 = 0
        var century: UInt64 = 0
        var year: UInt64 = 0

        /// The bits of the first and of the last 8 bytes that do not belong to the day.
        var others: (first: UInt64, last: UInt64) = (0, 0)

        /// The same shape with all that follows from it.
        func completed() -> Shape {
            var shape = self
            shape.others = (.max, .max)
            let start = Int(day) / 8 + (hasYearFirst ? count - 8 : 0)
            for byte in start..<start + 2 {
                if byte < 8 { shape.others.first &= ~(0xFF << UInt64(8 * byte)) }
                if byte >= count - 8 { shape.others.last &= ~(0xFF << UInt64(8 * (byte - count + 8))) }
            }
            return shape
        }
    }

    /// What a cell says.
    struct Fields: Equatable {
        var year: Int
        var month: Int
        var day: Int
    }

    struct Month: BitwiseCopyable {
        /// The first and the last 8 bytes of its cells without the day's; 0 for none.
        var cell: (first: UInt64, last: UInt64) = (0, 0)
        /// Which of its days are known with the first and with the second ending.
        var known: (UInt32, UInt32) = (0, 0)
        var endings: (UInt8, UInt8) = (0xFF, 0xFF)
        /// `2024-12-`, and when it begins.
        var text: UInt64 = 0
        var secondsSince1970: Int64 = 0
    }

    struct Day: BitwiseCopyable {
        /// `31T17:00:00Z`, and the seconds from the beginning of the month.
        var text: (UInt64, UInt64) = (0, 0)
        var seconds: Int64 = 0
        /// Its two digits in a cell.
        var digits: UInt64 = 0
    }

    private var shape = Shape()
    /// 64 years of 16 places; another year's months may have taken them.
    private var months = FlatMemory<Month>([])
    /// 32 places for each ending.
    private var days = FlatMemory<Day>([])
    /// What a day's seconds are more than those of whole days: the hour in UTC, which changes with the clocks.
    private var endings = FlatMemory<Int64>([])
    private static let years = 64, mostEndings = 16

    /// What is known of a cell.
    @inline(__always)
    func known(_ words: (UInt64, UInt64), _ count: Int) -> RowValues.Moment? {
        guard count == shape.count else { return nil }
        let place = DayTable.place(words, shape)
        let month = months[place.month]
        let bit: UInt32 = 1 &<< UInt32(truncatingIfNeeded: place.day)
        let others = DayTable.others(words, shape)
        guard (others.first ^ month.cell.first) | (others.last ^ month.cell.last) == 0,
            (month.known.0 | month.known.1) & bit != 0
        else { return nil }
        let ending = month.known.0 & bit != 0 ? month.endings.0 : month.endings.1
        let day = days[Int(ending) &* 32 &+ place.day]
        guard day.digits == place.digits else { return nil }
        var moment = RowValues.Moment()
        moment.secondsSince1970 = month.secondsSince1970 &+ day.seconds
        moment.text = (month.text, day.text.0, day.text.1)
        moment.count = MomentText.count
        return moment
    }

    /// Keeps a reading if its shape is the table's, which the first one settles that is clear.
    mutating func keep(_ words: (UInt64, UInt64), _ count: Int, _ moment: RowValues.Moment) {
        guard moment.count == MomentText.count else { return }
        let date = DayTable.date(moment)
        if shape.count < 0 {
            guard let found = DayTable.shape(words, count, date) else { return }
            shape = found.completed()
            months = FlatMemory(repeating: Month(), count: DayTable.years * 16)
        }
        guard count == shape.count, let fields = DayTable.fields(words, shape), fields.day < 32, fields.month < 16
        else {
            return
        }
        let seconds = DayTable.secondsInMonth(moment)
        let (place, cell) = (DayTable.place(words, shape), DayTable.others(words, shape))
        var month = months[place.month]
        if month.cell == (0, 0) {
            month.cell = cell
            month.text = moment.text.0
            month.secondsSince1970 = moment.secondsSince1970 &- seconds
        }
        guard month.cell == cell, month.text == moment.text.0,
            month.secondsSince1970 &+ seconds == moment.secondsSince1970,
            let ending = ending(seconds &- Int64(fields.day) &* 86400)
        else { return }
        let bit: UInt32 = 1 &<< UInt32(truncatingIfNeeded: fields.day)
        if month.endings.0 == ending || month.endings.0 == 0xFF {
            month.endings.0 = ending
            month.known.0 |= bit
        } else if month.endings.1 == ending || month.endings.1 == 0xFF {
            month.endings.1 = ending
            month.known.1 |= bit
        } else {
            return
        }
        days[Int(ending) * 32 + place.day] = Day(
            text: (moment.text.1, moment.text.2), seconds: seconds, digits: place.digits)
        months[place.month] = month
    }

    /// The number of an ending; nil when there are too many.
    private mutating func ending(_ hour: Int64) -> UInt8? {
        for index in 0..<endings.count where endings[index] == hour { return UInt8(truncatingIfNeeded: index) }
        guard endings.count < DayTable.mostEndings else { return nil }
        endings.append(hour)
        for _ in 0..<32 { days.append(Day()) }
        return UInt8(truncatingIfNeeded: endings.count - 1)
    }

    // MARK: cells

    /// Where the month and the day of a cell have their places, if it is of the shape, and the day's two digits. What else
    /// a cell may be is told by the bytes that stand there.
    @inline(__always)
    private static func place(
        _ words: (UInt64, UInt64), _ shape: Shape
    ) -> (month: Int, day: Int, digits: UInt64) {
        let ones: UInt64 = 0x0F0F_0F0F_0F0F_0F0F
        let text = (shape.hasYearFirst ? words.1 : words.0).littleEndian
        let (days, years) = (text & ones, (shape.hasYearFirst ? words.0 : words.1).littleEndian & ones)
        // In each byte ten times itself and the next one.
        let (low, high) = (days &* 10 &+ days &>> 8, years &* 10 &+ years &>> 8)
        let month = (high &>> shape.year & 63) &* 16 &+ (low &>> shape.month & 15)
        return (
            Int(truncatingIfNeeded: month), Int(truncatingIfNeeded: low &>> shape.day & 31), text &>> shape.day & 0xFFFF
        )
    }

    /// The first and the last 8 bytes of a cell without the day's digits.
    @inline(__always)
    private static func others(_ words: (UInt64, UInt64), _ shape: Shape) -> (first: UInt64, last: UInt64) {
        (words.0.littleEndian & shape.others.first, words.1.littleEndian & shape.others.last)
    }

    /// What a cell of a shape says; nil when it is not of it.
    @inline(__always)
    private static func fields(_ words: (UInt64, UInt64), _ shape: Shape) -> Fields? {
        let days = (shape.hasYearFirst ? words.1 : words.0).littleEndian ^ shape.days.text
        let years = (shape.hasYearFirst ? words.0 : words.1).littleEndian ^ shape.years.text
        let odd = (days &+ shape.days.limits) | days | (years &+ shape.years.limits) | years
        guard odd & 0x8080_8080_8080_8080 == 0 else { return nil }
        // In each byte ten times itself and the next one.
        let (low, high) = (days &* 10 &+ days &>> 8, years &* 10 &+ years &>> 8)
        func pair(_ word: UInt64, _ shift: UInt64) -> Int { Int(truncatingIfNeeded: word &>> shift & 0xFF) }
        return Fields(
            year: pair(high, shape.century) &* 100 &+ pair(high, shape.year), month: pair(low, shape.month),
            day: pair(low, shape.day))
    }

    /// The shape of a cell that says a date; nil when there is none, or it could be of two.
    static func shape(_ words: (UInt64, UInt64), _ count: Int, _ date: Fields) -> Shape? {
        var found: Shape?
        for shape in shapes(words, count) {
            guard let fields = fields(words, shape), fields.year == date.year, fields.month == date.month,
                // Another zone may have another day.
                abs(fields.day - date.day) <= 1
            else { continue }
            if found != nil { return nil }
            found = shape
        }
        return found
    }

    private static func shapes(_ words: (UInt64, UInt64), _ count: Int) -> [Shape] {
        func word(_ word: UInt64, _ marks: [UInt64]) -> (text: UInt64, limits: UInt64) {
            var (text, limits): (UInt64, UInt64) = (0x3030_3030_3030_3030, 0x7676_7676_7676_7676)
            for mark in marks {
                let byte: UInt64 = 0xFF << (8 * mark)
                text = text & ~byte | word.littleEndian & byte
                limits |= byte & 0x7F7F_7F7F_7F7F_7F7F
            }
            return (text, limits)
        }
        if count == 8 {
            let text = word(0, [])
            return [
                Shape(count: 8, days: text, years: text, month: 32, day: 48, century: 0, year: 16),
                Shape(count: 8, days: text, years: text, month: 0, day: 16, century: 32, year: 48),
                Shape(count: 8, days: text, years: text, month: 16, day: 0, century: 32, year: 48),
            ]
        }
        guard count == 10 else { return [] }
        let (first, last) = (word(words.0, [2, 5]), word(words.1, [0, 3]))
        return [
            Shape(count: 10, days: first, years: last, month: 0, day: 24, century: 32, year: 48),
            Shape(count: 10, days: first, years: last, month: 24, day: 0, century: 32, year: 48),
            Shape(
                count: 10, hasYearFirst: true, days: word(words.1, [2, 5]), years: word(words.0, [4, 7]), month: 24,
                day: 48, century: 0, year: 16),
        ]
    }

    // MARK: moments

    /// The date in UTC that a moment's text has.
    private static func date(_ moment: RowValues.Moment) -> Fields {
        Fields(
            year: digits(moment.text.0, 0) * 100 + digits(moment.text.0, 2), month: digits(moment.text.0, 5),
            day: digits(moment.text.1, 0))
    }

    /// The seconds from the beginning of its month in UTC.
    private static func secondsInMonth(_ moment: RowValues.Moment) -> Int64 {
        let (day, hour, minute) = (digits(moment.text.1, 0), digits(moment.text.1, 3), digits(moment.text.1, 6))
        return Int64((((day - 1) * 24 + hour) * 60 + minute) * 60 + digits(moment.text.2, 1))
    }

    /// Two digits from a byte on.
    private static func digits(_ word: UInt64, _ byte: UInt64) -> Int {
        let pair = word >> (8 * byte)
        return Int(pair & 15) * 10 + Int(pair >> 8 & 15)
    }
}
