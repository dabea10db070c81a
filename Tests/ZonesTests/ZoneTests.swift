import Testing

@testable import Zones

/// The second of a local date and time if it were UTC.
private func civil(_ year: Int, _ month: Int, _ day: Int, _ hour: Int = 0, _ minute: Int = 0) -> Int64 {
    Int64(CivilDay.days(year: year, month: month, day: day)) * 86_400 + Int64(hour * 3600 + minute * 60)
}

private func instant(_ zone: String, _ local: Int64) throws -> Int64 {
    let day = CivilDay.day(ofSecond: local)
    return try Zone.named(zone).utcSeconds(daysSinceEpoch: day, secondOfDay: Int(local - Int64(day) * 86_400))
}

struct Local: Sendable {
    let zone: String
    let local: Int64
    let offset: Int64
    init(_ zone: String, _ local: Int64, hours: Double) {
        self.zone = zone
        self.local = local
        self.offset = Int64(hours * 3600)
    }
}

@Suite struct ZoneTests {
    @Test func agreesWithPythonOnEveryInstantOfTheFixture() throws {
        var zones: [String: Zone] = [:]
        var count = 0
        for line in zoneFixture.split(separator: "\n") {
            let parts = line.split(separator: " ").map(String.init)
            let zone = try zones[parts[0]] ?? Zone.named(parts[0])
            zones[parts[0]] = zone
            let second = try #require(Int64(parts[1]))
            #expect(String(zone.offset(atUTC: second)) == parts[2], "\(line)")
            #expect(zone.abbreviation(atUTC: second) == parts[3], "\(line)")
            count += 1
        }
        #expect(count > 1500 && zones.count > 70)
    }

    @Test(arguments: [
        Local("America/New_York", civil(2025, 1, 15, 12), hours: -5),
        Local("America/New_York", civil(2025, 7, 15, 12), hours: -4),
        // Daylight time all the winter but for ten weeks: the oil crisis.
        Local("America/New_York", civil(1974, 1, 6, 12), hours: -4),
        Local("America/New_York", civil(1974, 10, 28, 12), hours: -5),
        Local("America/New_York", civil(1975, 2, 24, 12), hours: -4),
        Local("America/New_York", civil(2088, 7, 1, 12), hours: -4),
        Local("America/Phoenix", civil(2025, 7, 15, 12), hours: -7),
        Local("Asia/Kolkata", civil(2025, 7, 15, 12), hours: 5.5),
        Local("Australia/Adelaide", civil(2025, 1, 15, 12), hours: 10.5),
        Local("Australia/Adelaide", civil(2060, 7, 15, 12), hours: 9.5),
        Local("Australia/Sydney", civil(2050, 1, 15, 12), hours: 11),
        Local("Europe/Dublin", civil(2045, 1, 15, 12), hours: 0),
        Local("Europe/Dublin", civil(2045, 7, 15, 12), hours: 1),
        Local("Asia/Jerusalem", civil(2040, 7, 15, 12), hours: 3),
        // A gap: 02:30 becomes 03:30 in summer time.
        Local("America/New_York", civil(2025, 3, 9, 1, 59), hours: -5),
        Local("America/New_York", civil(2025, 3, 9, 2, 30), hours: -5),
        Local("America/New_York", civil(2025, 3, 9, 3), hours: -4),
        Local("America/New_York", civil(2050, 3, 13, 2, 30), hours: -5),
        // A gap at midnight keeps the day.
        Local("America/Sao_Paulo", civil(2018, 11, 4, 0, 30), hours: -3),
        // An overlap: the first of the two.
        Local("America/New_York", civil(2025, 11, 2, 1, 30), hours: -4),
        Local("America/New_York", civil(2025, 11, 2, 2), hours: -5),
        Local("Europe/London", civil(2025, 10, 26, 1, 30), hours: 1),
        Local("Pacific/Auckland", civil(2025, 4, 6, 2, 30), hours: 13),
    ])
    func resolvesLocalTimes(_ local: Local) throws {
        #expect(try instant(local.zone, local.local) == local.local - local.offset)
    }

    @Test func everyLocalTimeKeepsItsDayAndComesBack() throws {
        for entry in EmbeddedZones.zones {
            let zone = try Zone.named(entry.id)
            // Manila left out a day in 1844; before 1901 no file reaches.
            for day in stride(from: -25_202, to: 50_000, by: 23) {
                for second in [0, 1800, 9000, 43_200, 86_399] {
                    let instant = zone.utcSeconds(daysSinceEpoch: day, secondOfDay: second)
                    guard zone.localDay(atUTC: instant) != day else { continue }
                    Issue.record("\(entry.id) day \(day) second \(second) moves to \(zone.localDay(atUTC: instant))")
                }
            }
        }
    }

    @Test func noonTableAgreesWithTheZone() throws {
        for (id, time) in [("America/New_York", 43_200), ("America/Sao_Paulo", 0), ("Europe/London", 5400)] {
            let zone = try Zone.named(id)
            var table = ZoneDayTable(zone: zone, secondOfDay: time)
            for day in (-400..<50_000) where day % 3 == 0 || day > 47_800 {
                let instant = zone.utcSeconds(daysSinceEpoch: day, secondOfDay: time)
                // The second look-up reads what the first one kept.
                let known = (table.utcSeconds(daysSinceEpoch: day), table.utcSeconds(daysSinceEpoch: day))
                if known != (instant, instant) { Issue.record("\(id) day \(day): \(known), not \(instant)") }
            }
        }
    }

    /// Whatever day is asked for first; at times that clocks jump over, or show twice.
    @Test func tableAgreesInAnyOrder() throws {
        var state: UInt64 = 8
        func random(_ bound: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % bound
        }
        let times = [0, 1800, 3600, 5400, 7200, 9000, 10_800, 43_200, 82_800, 86_399]
        for entry in EmbeddedZones.zones {
            let zone = try Zone.named(entry.id)
            let time = times[random(times.count)]
            var table = ZoneDayTable(zone: zone, secondOfDay: time)
            var days: [Int] = []
            for _ in 0..<12 {
                let first = random(47_000)
                days += (0..<12).map { _ in first + random(256) }
                // Days about a change.
                let second = Int64(first) * 86_400
                let change = zone.data.firstTransition(after: second).map { CivilDay.day(ofSecond: $0.second) } ?? first
                days += (0..<6).map { _ in max(0, change - 3 + random(6)) }
            }
            for day in days {
                let instant = zone.utcSeconds(daysSinceEpoch: day, secondOfDay: time)
                let known = table.utcSeconds(daysSinceEpoch: day)
                if known != instant { Issue.record("\(entry.id) \(time) day \(day): \(known), not \(instant)") }
            }
        }
    }

    @Test func everyEmbeddedZoneAndLinkIsSound() throws {
        for entry in EmbeddedZones.zones {
            let data = try #require(ZoneData(embedded: entry.data))
            #expect(
                data.rule != nil
                    && zip(data.transitions, data.transitions.dropFirst()).allSatisfy { $0.second < $1.second })
        }
        for link in EmbeddedZones.links { #expect(try Zone.named(link.id).id == Zone.named(link.zone).id) }
        #expect(try Zone.named("US/Eastern") == Zone.named("America/New_York"))
        #expect(try Zone.named("Z") == Zone.utc)
        #expect(try Zone.named("EST").offset(atUTC: 0) == -18_000)
    }

    @Test(arguments: [
        ("America/NewYork", ["America/New_York"]), ("new york", ["America/New_York"]),
        ("Europe/Lodon", ["Europe/London"]), ("Mars/Olympus_Mons_Crater", []),
    ])
    func unknownZonesHaveSuggestions(_ id: String, _ suggestions: [String]) {
        #expect(throws: ZoneError.unknown(id: id, suggestions: suggestions)) { try Zone.named(id) }
    }

    @Test(arguments: [
        "", "/etc/passwd", "../../etc/passwd", "America/../UTC", "America//New_York", "a/", "a b", "é", ".",
    ])
    func idsCannotLeaveTheDatabase(_ id: String) {
        #expect(!Zone.isPlainPath(id))
        #expect(throws: ZoneError.self) { try Zone.named(id) }
    }

    @Test func fixedZones() {
        #expect(Zone(fixedOffset: 19_800).id == "+05:30")
        #expect(Zone(fixedOffset: -18_000).utcSeconds(daysSinceEpoch: 1, secondOfDay: 0) == 104_400)
        #expect(Zone(fixedOffset: 0) == .utc)
    }

    @Test(arguments: [
        ("ET", ZoneWord.zone("America/New_York")), ("est", .offset(-18_000)), ("EDT", .offset(-14_400)),
        ("CT", .zone("America/Chicago")), ("PST", .offset(-28_800)), ("GMT", .offset(0)), ("BST", .offset(3600)),
        ("CEST", .offset(7200)), ("HST", .offset(-36_000)), ("AEST", .offset(36_000)), ("ACST", .offset(34_200)),
    ])
    func words(_ word: String, _ meaning: ZoneWord) {
        #expect(ZoneWord(word) == meaning)
    }

    @Test func ambiguousWordsMeanNothing() {
        #expect(ZoneWord("IST") == nil && ZoneWord("XYZ") == nil && ZoneWord("") == nil)
    }

    @Test(arguments: [
        "EST5EDT,M3.2.0,M11.1.0", "<-03>3", "IST-1GMT0,M10.5.0,M3.5.0/1", "IST-2IDT,M3.4.4/26,M10.5.0",
        "<+1030>-10:30<+11>-11,M10.1.0,M4.1.0", "A0B,J60/0,J365/25", "XXX3EDT4,0/0,J365/23",
    ])
    func rules(_ rule: String) {
        #expect(PosixRule(rule) != nil)
        #expect(PosixRule(rule + "x,") == nil)
    }

    @Test(arguments: [
        "", "5", "EST", "EST5EDT", "EST5EDT,M13.1.0,M1.1.0", "EST5EDT,M1.6.0,M1.1.0", "<-03", "EST999", "EST5EDT,J0,J1",
    ])
    func noRules(_ rule: String) {
        #expect(PosixRule(rule) == nil)
    }
}
