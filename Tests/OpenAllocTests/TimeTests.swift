import OpenAlloc
import TestSupport
import Testing

@Suite struct TimeTests {
    @Test(arguments: [
        ("2012-12-31T19:00:00Z", "2012-12-31T19:00:00Z"), ("2012-12-31", "2012-12-31T00:00:00Z"),
        ("2012-12-31T19:00:00-05:00", "2013-01-01T00:00:00Z"), ("2012-12-31t19:00:00+05:30", "2012-12-31T13:30:00Z"),
        ("2012-12-31 19:00:00z", "2012-12-31T19:00:00Z"), ("1970-01-01T00:00:00.5Z", "1970-01-01T00:00:00.5Z"),
        ("1969-12-31T23:59:59.000000001Z", "1969-12-31T23:59:59.000000001Z"),
        ("2020-02-29", "2020-02-29T00:00:00Z"), ("2000-02-29T23:59:59.120Z", "2000-02-29T23:59:59.12Z"),
        ("0000-01-01", "0000-01-01T00:00:00Z"), ("9999-12-31T23:59:59Z", "9999-12-31T23:59:59Z"),
        ("2020-01-01T00:00:00.1234567890000Z", "2020-01-01T00:00:00.123456789Z"),
    ])
    func readsAndWrites(text: String, expected: String) {
        #expect(Instant(rfc3339: text)?.description == expected)
    }

    @Test(arguments: [
        "", "2021-02-30", "2021-02-29", "1900-02-29", "2021-13-01", "2021-00-01", "2021-01-00", "2021-1-1", "20210101",
        "2021-01-01T10:00:00", "2021-01-01T10:00Z", "2021-01-01T24:00:00Z", "2021-01-01T23:60:00Z",
        "2016-12-31T23:59:60Z", "2021-01-01T10:00:00.Z", "2021-01-01T10:00:00.1234567891Z", "2021-01-01T10:00:00+05",
        "2021-01-01T10:00:00+0500", "2021-01-01T10:00:00+24:00", "2021-01-01T10:00:00ZZ", "2021-01-01T", "2021-01-01 ",
        " 2021-01-01", "01/02/2021", "-2021-01-01", "9999-12-31T23:59:59-01:00", "0000-01-01T00:00:00+01:00", "today",
        "２021-01-01",
    ])
    func rejects(text: String) {
        #expect(Instant(rfc3339: text) == nil)
    }

    @Test func daysCountThroughEveryDayOfTenThousandYears() {
        var (year, month, day) = (0, 1, 1)
        var days = CivilDate(year: 0, month: 1, day: 1)?.daysSinceEpoch ?? 0
        #expect(days == -719_528)
        while year <= 9999 {
            let date = CivilDate(daysSinceEpoch: days)
            guard let date, (date.year, date.month, date.day) == (year, month, day), date.daysSinceEpoch == days else {
                Issue.record("day \(days) is not \(year)-\(month)-\(day)")
                return
            }
            days += 1
            day += 1
            if day > CivilDate.daysInMonth(month, year: year) { (month, day) = (month + 1, 1) }
            if month > 12 { (year, month) = (year + 1, 1) }
        }
        #expect(days == 2_932_897)
        #expect(CivilDate(daysSinceEpoch: days) == nil)
        #expect(CivilDate(daysSinceEpoch: Int.max) == nil)
        #expect(CivilDate(daysSinceEpoch: Int.min) == nil)
    }

    @Test func roundTripsRandomInstants() throws {
        var random = SplitMix64(seed: 6)
        for _ in 0..<iterations(5_000) {
            let seconds = Int64.random(in: -62_167_219_200...253_402_300_799, using: &random)
            let nanoseconds = random.pick([0, 0, 500_000_000, UInt32.random(in: 0..<1_000_000_000, using: &random)])
            let moment = try #require(Instant(secondsSince1970: seconds, nanoseconds: nanoseconds))
            #expect(Instant(rfc3339: moment.description) == moment)
            let (date, time) = moment.civil
            #expect(Instant(date, time) == moment)
            #expect(Instant(date, time, secondsAheadOfUTC: 3600)?.adding(seconds: 3600) ?? moment == moment)
        }
    }

    @Test func neverTrapsOnAnyBytes() {
        var random = SplitMix64(seed: 7)
        let seeds = ["2012-12-31T19:00:00Z", "2012-12-31T19:00:00.123-05:00", "2012-12-31"].map { Array($0.utf8) }
        var read = 0
        for _ in 0..<iterations(20_000) {
            var bytes = random.pick(seeds)
            for _ in 0...random.below(3) where !bytes.isEmpty {
                let place = random.below(bytes.count)
                switch random.below(3) {
                case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
                case 1: bytes.remove(at: place)
                default: bytes.insert(random.pick(Array("0123456789:-.TZ+".utf8)), at: place)
                }
            }
            guard let moment = bytes.withUnsafeBufferPointer({ Instant.parse($0) }) else { continue }
            read += 1
            #expect(Instant(rfc3339: moment.description) == moment)
        }
        #expect(read > 100)
    }

    @Test func daysAddAndCompare() throws {
        let leap = try #require(CivilDate(iso8601: "2020-02-28"))
        #expect(leap.adding(days: 2)?.description == "2020-03-01")
        #expect(leap.adding(days: -59)?.description == "2019-12-31")
        #expect(leap.adding(days: Int.max) == nil)
        #expect(leap.weekday == 5)
        #expect(CivilDate(iso8601: "1969-12-31")?.weekday == 3)
        #expect(try leap < #require(CivilDate(iso8601: "2020-02-29")))
        #expect(CivilDate(iso8601: "2020-02-28T00:00:00Z") == nil)
        #expect(CivilTime(hour: 24, minute: 0) == nil)
        #expect(CivilTime(hour: 12, minute: 0) == .noon)
        #expect(CivilTime(secondOfDay: 86_399)?.description == "23:59:59")
        #expect(CivilTime(secondOfDay: 86_400) == nil)
        #expect(Instant(secondsSince1970: 0, nanoseconds: 1_000_000_000) == nil)
        #expect(Instant(secondsSince1970: Int64.max) == nil)
        #expect(Instant(leap, .noon).adding(seconds: Int64.max) == nil)
    }
}
