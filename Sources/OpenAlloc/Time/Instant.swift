/// A moment in UTC, to the nanosecond, within the years 0 to 9999 (the range of RFC 3339).
public struct Instant: Sendable, Hashable {
    /// Whole seconds since 1970-01-01T00:00:00Z, rounded down; negative before.
    public let secondsSince1970: Int64
    /// 0 to 999 999 999, counted forward from the whole second.
    public let nanoseconds: UInt32

    /// 0000-01-01T00:00:00Z and 9999-12-31T23:59:59Z.
    @usableFromInline
    static let secondRange: ClosedRange<Int64> = -62_167_219_200...253_402_300_799

    /// A moment within the years 0 to 9999, or `nil`.
    @inlinable
    public init?(secondsSince1970 seconds: Int64, nanoseconds: UInt32 = 0) {
        guard Instant.secondRange.contains(seconds), nanoseconds < 1_000_000_000 else { return nil }
        self.init(unchecked: seconds, nanoseconds)
    }

    /// A day and a time of day in UTC.
    public init(_ date: CivilDate, _ time: CivilTime = .midnight) {
        self.init(unchecked: Int64(date.daysSinceEpoch) * 86_400 + Int64(time.secondOfDay), time.nanosecond)
    }

    /// A day and a time of day on a clock that is `offset` seconds ahead of UTC (negative: behind).
    ///
    /// `nil` when that is outside the years 0 to 9999 in UTC.
    public init?(_ date: CivilDate, _ time: CivilTime, secondsAheadOfUTC offset: Int) {
        let local = Instant(date, time)
        let (seconds, overflow) = local.secondsSince1970.subtractingReportingOverflow(Int64(offset))
        if overflow { return nil }
        self.init(secondsSince1970: seconds, nanoseconds: local.nanoseconds)
    }

    @inlinable
    init(unchecked seconds: Int64, _ nanoseconds: UInt32) {
        self.secondsSince1970 = seconds
        self.nanoseconds = nanoseconds
    }

    /// The day and the time of day in UTC.
    public var civil: (date: CivilDate, time: CivilTime) {
        let seconds = Int(secondsSince1970)
        let days = (seconds >= 0 ? seconds : seconds - 86_399) / 86_400
        let rest = seconds - days * 86_400
        let date = CivilDate(daysSinceEpoch: days) ?? CivilDate(unchecked: 1970, 1, 1)
        return (date, CivilTime(unchecked: rest / 3600, rest / 60 % 60, rest % 60, nanoseconds))
    }

    /// The moment that many seconds later (earlier when negative), or `nil` outside the years 0 to 9999.
    public func adding(seconds: Int64) -> Instant? {
        let (sum, overflow) = secondsSince1970.addingReportingOverflow(seconds)
        return overflow ? nil : Instant(secondsSince1970: sum, nanoseconds: nanoseconds)
    }
}

extension Instant: Comparable {
    /// Earlier moments first.
    @inlinable
    public static func < (left: Instant, right: Instant) -> Bool {
        if left.secondsSince1970 != right.secondsSince1970 { return left.secondsSince1970 < right.secondsSince1970 }
        return left.nanoseconds < right.nanoseconds
    }
}
