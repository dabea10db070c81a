/// The rule for all time after a table: a POSIX TZ string with the extensions of RFC 9636, section 3.3.1.
struct PosixRule: Sendable {
    /// A day of each year and the local time on it.
    enum Day: Sendable, Equatable {
        /// `Jn`: 1 to 365, 29 February is never counted.
        case julian(Int)
        /// `n`: 0 to 365, leap days counted.
        case ordinal(Int)
        /// `Mm.w.d`: weekday d (0 Sunday) of week w (5 the last) of month m.
        case week(month: Int, week: Int, weekday: Int)
    }

    struct Daylight: Sendable {
        let type: LocalType
        let start: Day
        let startTime: Int
        let end: Day
        let endTime: Int
    }

    let standard: LocalType
    let daylight: Daylight?

    /// The changes of a year, earlier one first.
    func changes(in year: Int) -> [Transition] {
        guard let daylight else { return [] }
        let start = Transition(
            second: Self.second(daylight.start, daylight.startTime, year) - Int64(standard.offset), type: daylight.type)
        let end = Transition(
            second: Self.second(daylight.end, daylight.endTime, year) - Int64(daylight.type.offset), type: standard)
        return start.second < end.second ? [start, end] : [end, start]
    }

    func type(at second: Int64) -> LocalType {
        guard let daylight else { return standard }
        let changes = changes(in: year(of: second))
        let last = changes.last { $0.second <= second }
        // Before the year's first change holds what the year before ended with: the last change's type.
        return last?.type ?? changes.last?.type ?? daylight.type
    }

    func firstChange(after second: Int64) -> Transition? {
        guard daylight != nil else { return nil }
        let year = year(of: second)
        // A rule such as "all year daylight time" has changes that meet at the year's end.
        for candidate in year - 1...year + 1 {
            if let change = changes(in: candidate).first(where: { $0.second > second }) { return change }
        }
        return nil
    }

    private func year(of second: Int64) -> Int {
        CivilDay.year(ofDay: CivilDay.day(ofSecond: second + Int64(standard.offset)))
    }

    private static func second(_ day: Day, _ time: Int, _ year: Int) -> Int64 {
        Int64(number(of: day, in: year)) * 86_400 + Int64(time)
    }

    private static func number(of day: Day, in year: Int) -> Int {
        let newYear = CivilDay.days(year: year, month: 1, day: 1)
        switch day {
        case .julian(let number):
            return newYear + number - 1 + (CivilDay.isLeap(year) && number >= 60 ? 1 : 0)
        case .ordinal(let number):
            return newYear + number
        case .week(let month, let week, let weekday):
            let first = CivilDay.days(year: year, month: month, day: 1)
            let next = CivilDay.days(year: month == 12 ? year + 1 : year, month: month % 12 + 1, day: 1)
            // 1970-01-01 was a Thursday.
            let weekdayOfFirst = ((first + 4) % 7 + 7) % 7
            var result = first + (weekday - weekdayOfFirst + 7) % 7 + (week - 1) * 7
            while result >= next { result -= 7 }
            return result
        }
    }
}
