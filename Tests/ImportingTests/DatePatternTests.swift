import Delimited
import OpenAlloc
import TestSupport
import Testing
import Zones

@testable import Importing

@Suite struct DatePatternTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let pattern: String
        let text: String
        /// `2024-12-31`, then perhaps `10:11:12.5`, `+3600` and a zone word; nil: not read.
        let reading: String?
        init(_ pattern: String, _ text: String, _ reading: String?) {
            self.pattern = pattern
            self.text = text
            self.reading = reading
        }
        var testDescription: String { "‘\(pattern)’ on ‘\(text)’" }
    }

    static func show(_ reading: DateReading?) -> String? {
        guard let reading else { return nil }
        func two(_ n: Int) -> String { n < 10 ? "0\(n)" : "\(n)" }
        var text = "\(reading.date.year)-\(two(reading.date.month))-\(two(reading.date.day))"
        if let time = reading.time {
            text += " \(two(time.hour)):\(two(time.minute)):\(two(time.second))"
            if time.nanosecond > 0 { text += ".\(time.nanosecond)" }
        }
        if let offset = reading.offset { text += offset < 0 ? " \(offset)" : " +\(offset)" }
        if let word = reading.zoneWord { text += " \(word)" }
        return text
    }

    /// The styles that exports were seen with.
    static let styles: [Row] = [
        Row("MM/DD/YYYY", "12/31/2024", "2024-12-31"), Row("MM/DD/YYYY", "1/2/2024", "2024-01-02"),
        Row("MM/DD/YYYY", "31/12/2024", nil),
        Row("epoch", "1709546400", "2024-03-04 10:00:00 +0"), Row("epoch", " 999999999 ", "2001-09-09 01:46:39 +0"),
        Row("epoch", "1522889881.138", "2018-04-05 00:58:01.138000000 +0"), Row("epoch", "1709546400500", nil),
        Row("epoch", "20240304", nil), Row("epoch", "-1709546400", nil), Row("epoch", "1,709,546,400", nil),
        Row("epochms", "1709546400500", "2024-03-04 10:00:00.500000000 +0"), Row("epochms", "1709546400", nil),
        Row("epochms", "999999999999", "2001-09-09 01:46:39.999000000 +0"),
        Row("DD.MM.YYYY hh:mm:ss zzz", "29.01.2025 09:39:56 GMT+1", "2025-01-29 09:39:56 +3600"),
        Row("DD.MM.YYYY hh:mm:ss zzz", "29.01.2025 09:39:56 utc-05:30", "2025-01-29 09:39:56 -19800"),
        Row("DD.MM.YYYY hh:mm:ss zzz", "29.01.2025 09:39:56 GMT", "2025-01-29 09:39:56 GMT"),
        Row("DD.MM.YYYY hh:mm:ss zzz", "29.01.2025 09:39:56 CET+1", nil),
        Row("DD.MM.YYYY hh:mm:ss zzz", "29.01.2025 09:39:56 GMT+19", nil),
        Row("M/D/YYYY", "1/2/2024", "2024-01-02"), Row("M/D/YYYY", "12/31/2024", "2024-12-31"),
        Row("M/D/YYYY", " 07/30/2021", "2021-07-30"),
        Row("M/D/YY", "1/2/24", "2024-01-02"), Row("MM/DD/YY", "07/30/21", "2021-07-30"),
        Row("MM/DD/YY", "07/30/99", "1999-07-30"),
        Row("M/D/YY", "1/2/2024", nil), Row("M/D/YYYY", "1/2/24", nil), Row("MM-DD-YYYY", "12-31-2024", "2024-12-31"),
        Row("DD/MM/YYYY", "31/12/2024", "2024-12-31"), Row("DD-MM-YYYY", "31-12-2024", "2024-12-31"),
        Row("DD.MM.YYYY", "31.12.2024", "2024-12-31"),
        Row("D.M.YYYY", "1.2.2024", "2024-02-01"), Row("YYYY/MM/DD", "2024/12/31", "2024-12-31"),
        Row("YYYY-MM-DD", "2024-12-31", "2024-12-31"),
        Row("YYYYMMDD", "20241231", "2024-12-31"), Row("YYYYMMDD", "2024123", nil), Row("YYYYMMDD", "202412311", nil),
        Row("MMM-DD-YYYY", "Jan-01-2025", "2025-01-01"), Row("MMM/DD/YYYY", "JAN/28/2025", "2025-01-28"),
        Row("DD-MMM-YYYY", "01-Apr-2021", "2021-04-01"),
        Row("D MMM YYYY", "15 Jul 2025", "2025-07-15"), Row("D MMM YYYY", "15\u{A0}Jul\u{A0}2025", "2025-07-15"),
        Row("EEE D MMM YYYY", "Tue\u{202F}15 Jul. 2025", "2025-07-15"),
        Row("MMMM D, YYYY", "January 10, 2025", "2025-01-10"),
        Row("DD-MMM-YYYY", "02-Apr-2025", "2025-04-02"),
        Row("MMM D, YYYY, h:mm:ss a", "May 5, 2020, 10:10:57 PM", "2020-05-05 22:10:57"),
        Row("MMM-D-YYYY", "Dec-17-2021", "2021-12-17"),
        Row("hh:mm a zzz, MM/DD/YYYY", "09:59 PM ET, 09/26/2021", "2021-09-26 21:59:00 ET"),
        Row("MMM-D-YYYY 'at' h:mm a zzz", "Jul-31-2026 at 8:24 p.m ET", "2026-07-31 20:24:00 ET"),
        Row("MMM-D-YYYY h:mm a zzz", "Apr-12-2026 6:21 p.m ET", "2026-04-12 18:21:00 ET"),
        Row("M/D/YYYY h:mm a zzz", "07/30/2021 2:26 PM ET", "2021-07-30 14:26:00 ET"),
    ]

    static let tokens: [Row] = [
        Row("M/D/YYYY h:mm a", "1/2/2024 12:00 am", "2024-01-02 00:00:00"),
        Row("M/D/YYYY h:mm a", "1/2/2024 12:00 PM", "2024-01-02 12:00:00"),
        Row("M/D/YYYY h:mm a", "1/2/2024 1:05PM", "2024-01-02 13:05:00"),
        Row("M/D/YYYY h:mm a", "1/2/2024 1:05 p.m.", "2024-01-02 13:05:00"),
        Row("M/D/YYYY h:mm a", "1/2/2024 22:00 AM", "2024-01-02 22:00:00"),
        Row("M/D/YYYY h:mm a", "1/2/2024 1:05", nil),
        Row("YYYY-MM-DD hh:mm", "2024-01-02 24:00", nil), Row("YYYY-MM-DD hh:mm", "2024-01-02 23:60", nil),
        Row("YYYY-MM-DD hh:mm:ss", "2024-01-02 23:59:60", nil),
        Row("YYYY-MM-DD hh:mm:ss", "2024-01-02 23:59:59", "2024-01-02 23:59:59"),
        Row("YYYY-MM-DD hh:mm:ss.SSS", "2024-01-02 01:02:03.5", "2024-01-02 01:02:03.500000000"),
        Row("YYYY-MM-DD hh:mm:ss.SSS", "2024-01-02 01:02:03", "2024-01-02 01:02:03"),
        Row("YYYY-MM-DD hh:mm:ss.SSS", "2024-01-02 01:02:03.", nil),
        Row("YYYY-MM-DD hh:mm:ss.SSS", "2024-01-02 01:02:03.1234567891", "2024-01-02 01:02:03.123456789"),
        Row("iso", "2024-01-02T03:04:05Z", "2024-01-02 03:04:05 +0"),
        Row("iso", "2024-01-02T03:04:05+02:00", "2024-01-02 03:04:05 +7200"),
        Row("iso", "2024-01-02T03:04:05-0530", "2024-01-02 03:04:05 -19800"),
        Row("iso", "2024-01-02T03:04:05.123Z", "2024-01-02 03:04:05.123000000 +0"),
        Row("iso", "2024-01-02T03:04:05", "2024-01-02 03:04:05"),
        Row("iso", "2024-01-02t03:04:05z", "2024-01-02 03:04:05 +0"),
        Row("iso", "2024-01-02 03:04:05", nil), Row("iso", "2024-01-02T03:04:05+19:00", nil),
        Row("iso", "2024-01-02T03:04:05+2", nil),
        Row("iso", "2024-01-02T03:04:05+02:60", nil), Row("iso", "2024-01-02T03:04:05+02", "2024-01-02 03:04:05 +7200"),
        Row("YYYY-MM-DD hh:mm:ss Z", "2024-01-02 03:04:05 +0200", "2024-01-02 03:04:05 +7200"),
        Row("YYYY-MM-DD hh:mm:ss zzz", "2024-01-02 03:04:05 EDT", "2024-01-02 03:04:05 EDT"),
        Row("YYYY-MM-DD hh:mm:ss zzz", "2024-01-02 03:04:05", nil),
        Row("YYYY-MM-DD hh:mm:ss zzz", "2024-01-02 03:04:05 5", nil),
        Row("EEE, D MMM YYYY", "Tue, 2 Jan 2024", "2024-01-02"), Row("'am' D.M.YYYY", "Am 2.1.2024", "2024-01-02"),
        Row("YYYY-MM-DD", "2024-01-02x", nil), Row("YYYY-MM-DD", "x2024-01-02", nil), Row("YYYY-MM-DD", "", nil),
        Row("YYYY-MM-DD", "2024-1-2", "2024-01-02"),
        Row("D  MMM  YYYY", "2\u{A0}Jan \u{202F}2024", "2024-01-02"), Row("D MMM YYYY", "2Jan2024", nil),
    ]

    static let impossible: [Row] =
        [
            "2023-02-29", "2024-02-30", "2024-04-31", "2024-00-10", "2024-13-10", "2024-01-00", "2024-01-32",
            "1900-02-29",
        ]
        .map { Row("YYYY-MM-DD", $0, nil) } + [
            Row("YYYY-MM-DD", "2024-02-29", "2024-02-29"), Row("YYYY-MM-DD", "2000-02-29", "2000-02-29"),
        ]

    static let months: [Row] =
        [
            "Jan 1", "january 1", "Feb 2", "Februar 2", "März 3", "Mrz 3", "mars 3", "mrt 3", "Abr 4", "avril 4",
            "Mai 5", "May 5", "maj 5", "mei 5", "giugno 6",
            "juin 6", "Juli 7", "juil. 7", "luglio 7", "Ago 8", "août 8", "agosto 8", "Sept 9", "Sep. 9", "set 9",
            "Okt 10", "oct 10", "ottobre 10", "nov 11",
            "Dez 12", "dic 12", "Dec. 12", "décembre 12", "Jän 1", "ene 1", "gen 1", "sty 1", "lutego 2", "PAŹ 10",
            "lis 11", "března 3", "čvn 6", "srp 8", "márc. 3", "szept. 9", "ian 1", "iul. 7", "Şub 2", "Ağustos 8",
            "января 1", "мая 5", "дек 12", "toukokuuta 5",
        ].map {
            let parts = $0.split(separator: " ")
            let number = Int(parts[1]) ?? 0
            return Row("D MMM YYYY", "9 \(parts[0]) 2024", "2024-\(number < 10 ? "0" : "")\(number)-09")
        } + [
            Row("D MMM YYYY", "9 Foo 2024", nil), Row("D MMM YYYY", "9 Ja 2024", nil),
            Row("D MMM YYYY", "9  2024", nil),
        ]

    @Test(arguments: styles + tokens + impossible + months)
    func reads(_ row: Row) throws {
        let pattern = try DatePattern(row.pattern)
        #expect(Self.show(withView(row.text) { pattern.read($0) }) == row.reading)
    }

    @Test(arguments: [
        "", "YYY-MM-DD", "MM/DD", "'open", "-", "YYYY-mm-dd", "YYYYY", "YYYY", "YYYY-MM", "YYYY-DD", "DD.MM",
        "hh:mm zzz", "hh:mm:ssZ", "YYYY-MM-DD HH:mm", "DD MON YYYY", "YYYY-MM-DD hh:mm:SS", "DD. den MMMM YYYY",
    ])
    func malformed(_ text: String) { #expect(throws: DatePattern.Malformed.self) { try DatePattern(text) } }

    @Test(
        arguments: [
            ("yyyy-MM-dd HH:mm", "YYYY-MM-DD hh:mm"), ("dd.mm.yyyy", "DD.MM.YYYY"), ("%d/%m/%Y", "DD/MM/YYYY"),
            ("YYYY-MM-DD HH:MM:SS", "YYYY-MM-DD hh:mm:ss"), ("DD MON YYYY", "DD MMM YYYY"), ("MM/DD", nil),
        ] as [(String, String?)])
    func namesWhatAnotherLanguageMeans(_ text: String, _ ours: String?) { #expect(DatePattern.likeOurs(text) == ours) }

    @Test(arguments: [
        ("hh:mm", "09:30", "9:30:0"), ("h:mm a", "9:30 PM", "21:30:0"), ("hh:mm:ssS", "01:02:03.5", "1:2:3"),
        ("hh:mm:ssS", "01:02:03", "1:2:3"),
    ])
    func readsTimes(_ pattern: String, _ text: String, _ wanted: String) throws {
        let pattern = try DatePattern(pattern)
        let time = try #require(withView(text) { pattern.readTime($0) })
        #expect("\(time.hour):\(time.minute):\(time.second)" == wanted)
    }

    @Test(
        arguments: [
            ("M/D/YYYY", false), ("DD.MM.YYYY", true), ("YYYY-MM-DD", false), ("D MMM YYYY", nil), ("MMM D YYYY", nil),
        ] as [(String, Bool?)])
    func knowsItsOrder(_ text: String, _ order: Bool?) throws { #expect(try DatePattern(text).dayMonthOrder == order) }

    /// Every day of random years, printed by a pattern, is read back; the neighbour of the last day of a month is not.
    @Test(arguments: ["YYYY-MM-DD", "M/D/YYYY", "DD.MM.YYYY", "YYYYMMDD", "MMM-D-YYYY", "D MMMM YYYY", "DD/MM/YY"])
    func roundTrip(_ source: String) throws {
        let pattern = try DatePattern(source)
        var random = SplitMix64(seed: 5)
        let names = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
        let long = [
            "January", "February", "March", "April", "May", "June", "July", "August", "September", "October",
            "November", "December",
        ]
        func two(_ n: Int) -> String { n < 10 ? "0\(n)" : "\(n)" }
        for _ in 0..<iterations(500) {
            let year = Int.random(in: 1970...2069, using: &random), month = 1 + random.below(12),
                day = 1 + random.below(31)
            let text: String
            switch source {
            case "YYYY-MM-DD": text = "\(year)-\(two(month))-\(two(day))"
            case "M/D/YYYY": text = "\(month)/\(day)/\(year)"
            case "DD.MM.YYYY": text = "\(two(day)).\(two(month)).\(year)"
            case "YYYYMMDD": text = "\(year)\(two(month))\(two(day))"
            case "MMM-D-YYYY": text = "\(names[month - 1])-\(day)-\(year)"
            case "D MMMM YYYY": text = "\(day) \(long[month - 1]) \(year)"
            default: text = "\(two(day))/\(two(month))/\(two(year % 100))"
            }
            let wanted = CivilDate(year: year, month: month, day: day)
            #expect(withView(text) { pattern.read($0)?.date } == wanted, "\(text)")
        }
    }

    /// Random texts are read or not, never a crash.
    @Test func survivesAnything() throws {
        var random = SplitMix64(seed: 17)
        let patterns = try (Self.styles + Self.tokens).map { try DatePattern($0.pattern) }
        let pieces = [
            "2024", "1", "12", "/", "-", ".", " ", "Jan", "PM", "p.m.", "ET", "+02", ":", "00", "T", "Z", "é", "\u{A0}",
            "31",
        ]
        for _ in 0..<iterations(3_000) {
            let text = (0..<random.below(10)).map { _ in pieces.randomElement(using: &random) ?? "" }.joined()
            guard let pattern = patterns.randomElement(using: &random) else { continue }
            if let reading = withView(text, { pattern.read($0) }) {
                #expect(
                    CivilDate(year: reading.date.year, month: reading.date.month, day: reading.date.day) == reading.date
                )
            }
        }
    }
}

@Suite struct DateResolverTests {
    static func resolve(
        _ text: String, time: String = "", patterns: [String], zone: String = "America/New_York",
        options: ImportOptions = ImportOptions()
    ) throws -> String? {
        var definition = Definition()
        definition.zone = zone
        definition.times = try ["hh:mm:ssS", "h:mm:ss a", "hh:mm", "h:mm a"].map { try DatePattern($0) }
        let resolver = try DateResolver(definition: definition, options: options)
        let patterns = try patterns.map { try DatePattern($0) }
        return withView(text) { date in
            withView(time) { resolver.instant(date, time: $0, patterns: patterns)?.description }
        }
    }

    @Test(
        arguments: [
            ("2024-07-01", "", "2024-07-01T16:00:00Z"), ("2024-12-01", "", "2024-12-01T17:00:00Z"),
            // The days on which clocks change.
            ("2021-03-14", "", "2021-03-14T16:00:00Z"), ("2021-11-07", "", "2021-11-07T17:00:00Z"),
            ("2021-03-14", "02:30", "2021-03-14T07:30:00Z"),
            ("2024-07-01", "9:30 AM", "2024-07-01T13:30:00Z"), ("2024-07-01", "09:30:15.25", "2024-07-01T13:30:15.25Z"),
            ("2024-07-01", "later", nil),
            ("2024-02-30", "", nil), ("", "", nil),
        ] as [(String, String, String?)])
    func naked(_ text: String, _ time: String, _ wanted: String?) throws {
        #expect(try Self.resolve(text, time: time, patterns: ["YYYY-MM-DD"]) == wanted)
    }

    @Test(
        arguments: [
            ("2024-07-01 10:00:00 EST", "2024-07-01T15:00:00Z"), ("2024-07-01 10:00:00 ET", "2024-07-01T14:00:00Z"),
            ("2024-07-01 10:00:00 UTC", "2024-07-01T10:00:00Z"),
            ("2024-07-01 10:00:00 CEST", "2024-07-01T08:00:00Z"), ("2024-07-01 10:00:00 pdt", "2024-07-01T17:00:00Z"),
            // A word that has no meaning, or several, is no zone, and is not guessed.
            ("2024-07-01 10:00:00 XYZ", nil), ("2024-07-01 10:00:00 IST", nil),
        ] as [(String, String?)])
    func zoneWords(_ text: String, _ wanted: String?) throws {
        #expect(try Self.resolve(text, patterns: ["YYYY-MM-DD hh:mm:ss zzz"]) == wanted)
    }

    @Test func offsetsAndOptions() throws {
        #expect(try Self.resolve("2024-07-01T10:00:00+02:00", patterns: ["iso"]) == "2024-07-01T08:00:00Z")
        #expect(try Self.resolve("2024-07-01T10:00:00", patterns: ["iso"]) == "2024-07-01T14:00:00Z")
        let tokyo = ImportOptions(timeZone: "Asia/Tokyo", secondOfDay: 8 * 3600)
        #expect(try Self.resolve("2024-07-01", patterns: ["YYYY-MM-DD"], options: tokyo) == "2024-06-30T23:00:00Z")
        #expect(throws: (any Error).self) {
            try Self.resolve("2024-07-01", patterns: ["YYYY-MM-DD"], options: ImportOptions(timeZone: "Mars/Olympus"))
        }
    }

    /// The same text under other patterns is another day: nothing is kept from one table to the next.
    @Test func patternsAreNotMixedUp() throws {
        var definition = Definition()
        definition.zone = "UTC"
        let resolver = try DateResolver(definition: definition, options: ImportOptions())
        let us = [try DatePattern("MM/DD/YYYY")], eu = [try DatePattern("DD/MM/YYYY")]
        withView("02/03/2024") { text in
            #expect(resolver.instant(text, time: .empty, patterns: us)?.description == "2024-02-03T12:00:00Z")
            #expect(resolver.instant(text, time: .empty, patterns: eu)?.description == "2024-03-02T12:00:00Z")
            #expect(resolver.instant(text, time: .empty, patterns: us)?.description == "2024-02-03T12:00:00Z")
        }
    }
}
