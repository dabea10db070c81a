import Delimited
import OpenAlloc
import TestSupport
import Testing

@testable import Importing

/// A table of days knows what was kept, and nothing else.
@Suite struct DayTableTests {
    private static let shapes = ["m/d/y", "d.m.y", "y-m-d", "ymd", "mdy", "dmy"]

    private static func two(_ number: Int) -> String { (number < 10 ? "0" : "") + String(number) }

    private static func cell(_ shape: String, _ date: Date) -> [UInt8] {
        var text = ""
        for part in shape {
            switch part {
            case "y": text += String(repeating: "0", count: 4 - String(date.year).count) + String(date.year)
            case "m": text += two(date.month)
            case "d": text += two(date.day)
            default: text.append(part)
            }
        }
        return Array(text.utf8)
    }

    struct Date {
        var year: Int
        var month: Int
        var day: Int
        var seconds: Int64
    }

    /// Days one after the other from a second on, at an hour that changes twice a year as clocks do.
    private static func dates(from start: Int64, _ count: Int, hour: Int64) throws -> [Date] {
        try (0..<count).map { index in
            let seconds = start + Int64(index) * 86400
            let instant = try #require(Instant(secondsSince1970: seconds))
            let (date, _) = instant.civil
            let isSummer = (4...10).contains(date.month) || date.month == 3 && date.day > 14
            return Date(
                year: date.year, month: date.month, day: date.day,
                seconds: seconds + (hour - (isSummer ? 1 : 0)) * 3600)
        }
    }

    private static func moment(_ seconds: Int64) throws -> RowValues.Moment {
        let instant = try #require(Instant(secondsSince1970: seconds))
        return try #require(RowValues.Moment(instant))
    }

    private static func isSame(_ one: RowValues.Moment?, _ other: RowValues.Moment) -> Bool {
        guard let one else { return false }
        return one.secondsSince1970 == other.secondsSince1970 && one.text == other.text && one.count == other.count
    }

    private static func words(_ cell: [UInt8]) -> (UInt64, UInt64) { ByteView.with(cell) { $0.words } ?? (0, 0) }

    /// From 2010 on 8 years of days in any order, at noon in New York, and at midnight in Berlin, which is another day.
    @Test(arguments: shapes, [17, 24, -1]) func knowsWhatWasKept(_ shape: String, _ hour: Int) throws {
        var random = SplitMix64(seed: UInt64(hour + 100))
        var table = DayTable()
        let dates = try Self.dates(from: 1_262_304_000, 8 * 365, hour: Int64(hour)).shuffled(using: &random)
        var known = 0
        for (index, date) in dates.enumerated() {
            let cell = Self.cell(shape, date)
            let words = Self.words(cell)
            #expect(table.known(words, cell.count) == nil)
            let moment = try Self.moment(date.seconds)
            table.keep(words, cell.count, moment)
            if let found = table.known(words, cell.count) {
                #expect(Self.isSame(found, moment))
                known += 1
            }
            // What was kept before stays.
            let old = dates[Int(random.next() % UInt64(index + 1))]
            let oldCell = Self.cell(shape, old)
            if let found = table.known(Self.words(oldCell), oldCell.count) {
                #expect(Self.isSame(found, try Self.moment(old.seconds)))
            }
        }
        // A day that falls into another month has no place, and a shape may take some days to be clear.
        #expect(known > dates.count * 9 / 10)
    }

    /// Cells that were not kept are not known, however near they come to one that was.
    @Test(arguments: shapes) func knowsNothingElse(_ shape: String) throws {
        var random = SplitMix64(seed: 12)
        var table = DayTable()
        var kept: [[UInt8]: Int64] = [:]
        for date in try Self.dates(from: 1_325_376_000, 900, hour: 12) where random.next() % 3 != 0 {
            let cell = Self.cell(shape, date)
            let words = Self.words(cell)
            table.keep(words, cell.count, try Self.moment(date.seconds))
            if table.known(words, cell.count) != nil { kept[cell] = date.seconds }
        }
        let cells = kept.keys.sorted { $0.lexicographicallyPrecedes($1) }
        #expect(cells.count > 500)
        for round in 0..<iterations(20_000) {
            var cell = cells[Int(random.next() % UInt64(cells.count))]
            for _ in 0...Int(random.next() % 2) {
                let place = Int(random.next() % UInt64(cell.count))
                switch random.next() % 4 {
                case 0: cell[place] = UInt8(truncatingIfNeeded: random.next())
                case 1: cell[place] = 0x30 + UInt8(random.next() % 10)
                case 2: cell[place] ^= 1 << UInt8(random.next() % 8)
                default: cell.remove(at: place)
                }
            }
            let found = table.known(Self.words(cell), cell.count)
            if let seconds = kept[cell] {
                #expect(Self.isSame(found, try Self.moment(seconds)), "round \(round)")
            } else {
                #expect(found == nil, "round \(round): \(cell)")
            }
        }
    }

    /// Two zones in one file, centuries 64 years apart, and moments at any second are kept or not, never mixed up.
    @Test func neverMixesUp() throws {
        var random = SplitMix64(seed: 13)
        var table = DayTable()
        var kept: [[UInt8]: Int64] = [:]
        for _ in 0..<iterations(6000) {
            let day = Int64(random.next() % 60_000) - 20_000
            let date = try Self.dates(from: day * 86400, 1, hour: 0)[0]
            let cell = Self.cell("m/d/y", date)
            let seconds =
                kept[cell] ?? day * 86400 + Int64(random.next() % (random.next() % 2 == 0 ? 3 : 90_000)) * 3600 / 3
            kept[cell] = seconds
            guard let instant = Instant(secondsSince1970: seconds), let moment = RowValues.Moment(instant) else {
                continue
            }
            let words = Self.words(cell)
            if let found = table.known(words, cell.count) { #expect(Self.isSame(found, moment)) }
            table.keep(words, cell.count, moment)
            if let found = table.known(words, cell.count) { #expect(Self.isSame(found, moment)) }
        }
    }
}
