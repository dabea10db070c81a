/// A day of the proleptic Gregorian calendar, years 0 to 9999 (the range of RFC 3339). It names a day, not a moment.
public struct CivilDate: Sendable, Hashable {
    /// The year, 0 to 9999.
    public let year: Int
    /// The month, 1 to 12.
    public let month: Int
    /// The day of the month, from 1.
    public let day: Int

    /// 0000-01-01 and 9999-12-31 as days since 1970-01-01.
    static let dayRange = -719_528...2_932_896

    /// A day that exists, or `nil`: 2021-02-30 does not.
    @inlinable
    public init?(year: Int, month: Int, day: Int) {
        guard year >= 0, year <= 9999, month >= 1, month <= 12, day >= 1 else { return nil }
        guard day <= CivilDate.daysInMonth(month, year: year) else { return nil }
        self.init(unchecked: year, month, day)
    }

    @inlinable
    init(unchecked year: Int, _ month: Int, _ day: Int) {
        self.year = year
        self.month = month
        self.day = day
    }

    /// The day that many days after 1970-01-01, or `nil` outside the years 0 to 9999.
    public init?(daysSinceEpoch days: Int) {
        guard CivilDate.dayRange.contains(days) else { return nil }
        // Years are counted from March, in eras of 400 years (146 097 days), so that the leap day ends its year.
        let shifted = days + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let marchMonth = (5 * dayOfYear + 2) / 153
        let month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
        let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        self.init(unchecked: year, month, dayOfYear - (153 * marchMonth + 2) / 5 + 1)
    }

    /// Days since 1970-01-01, negative before.
    public var daysSinceEpoch: Int {
        let marchYear = month <= 2 ? year - 1 : year
        let era = (marchYear >= 0 ? marchYear : marchYear - 399) / 400
        let yearOfEra = marchYear - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * 146_097 + dayOfEra - 719_468
    }

    /// The day of the week, 0 for Sunday to 6 for Saturday.
    public var weekday: Int { ((daysSinceEpoch + 4) % 7 + 7) % 7 }

    /// The day that many days later (earlier when negative), or `nil` outside the years 0 to 9999.
    public func adding(days: Int) -> CivilDate? {
        let (sum, overflow) = daysSinceEpoch.addingReportingOverflow(days)
        return overflow ? nil : CivilDate(daysSinceEpoch: sum)
    }

    /// Whether the year has a 29 February.
    @inlinable
    public static func isLeap(_ year: Int) -> Bool {
        year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    }

    /// 28 to 31; 0 for a month that is none.
    @inlinable
    public static func daysInMonth(_ month: Int, year: Int) -> Int {
        switch month {
        case 2: isLeap(year) ? 29 : 28
        case 4, 6, 9, 11: 30
        case 1...12: 31
        default: 0
        }
    }
}

extension CivilDate: Comparable {
    /// Earlier days first.
    @inlinable
    public static func < (left: CivilDate, right: CivilDate) -> Bool {
        (left.year, left.month, left.day) < (right.year, right.month, right.day)
    }
}

extension CivilDate: CustomStringConvertible {
    /// `2012-12-31`.
    public var description: String {
        var bytes: [UInt8] = []
        append(to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Appends `2012-12-31` in ASCII.
    public func append(to bytes: inout [UInt8]) {
        appendTwoDigits(year / 100, to: &bytes)
        appendTwoDigits(year % 100, to: &bytes)
        bytes.append(0x2D)
        appendTwoDigits(month, to: &bytes)
        bytes.append(0x2D)
        appendTwoDigits(day, to: &bytes)
    }
}

/// Appends a number of 0 to 99 with its leading zero.
func appendTwoDigits(_ value: Int, to bytes: inout [UInt8]) {
    bytes.append(0x30 + UInt8(truncatingIfNeeded: value / 10 % 10))
    bytes.append(0x30 + UInt8(truncatingIfNeeded: value % 10))
}
