import Delimited
import OpenAlloc
import TestSupport
import Testing

@testable import Importing

/// A date that was read before is what it was, whatever its digits and its ending.
@Suite struct StampCacheTests {
    private static func moment(_ text: [UInt8], _ dates: inout OFXDates) -> RowValues.Moment? {
        guard case .value(let instant) = ByteView.with(text, { dates.read($0) }) else { return nil }
        return RowValues.Moment(instant)
    }

    @Test func agreesWithReading() throws {
        var dates = try OFXDates(options: ImportOptions())
        var cache = StampCache()
        var random = SplitMix64(seed: 7)
        func below(_ bound: Int) -> Int { Int(random.next() % UInt64(bound)) }
        let endings = [
            "", "093000", "093000.000", "093000.000[-5:EST]", "235959[-5:EST]", "093000.000[+5.30:IST]", "093000Z",
            "093000-0500", "T093000", "T093000Z", "093000[GMT-3]", "0930",
            "0930000",
            "093000.000[-5:EST] ", "093000[EST]", "093000[:EST]", "000000[-5:EST]", "000001[-5:EST]", "230000[-5:EST]",
            "093000[-:EST]", "093000[", "093000[+0530", "09", "0930[0:GMT]", "240000", "093000 [-5:EST]", "1", "12",
            "093000.000[-10:HADTXXXX]", "093000.000[-10:HADTXXXXX]", "x",
        ]
        var read = 0
        for round in 0..<60_000 {
            let year = round % 7 == 0 ? 1900 + below(200) : 2019 + below(4)
            var text = Array("\(year * 10_000 + below(14) * 100 + below(33))".utf8)
            // The first of them are few for long, so that the shortest way is taken by most.
            text += Array(endings[below(round < 30_000 ? 3 : endings.count)].utf8)
            if below(50) == 0 { text[below(text.count)] = UInt8(below(256)) }
            if below(200) == 0 { text.removeLast(below(text.count)) }
            let expected = Self.moment(text, &dates)
            let found = ByteView.with(text) { cache.read($0, &dates) }
            // What is longer than is kept is left to others.
            if text.count > 32 { continue }
            if expected != nil { read += 1 }
            #expect(found?.secondsSince1970 == expected?.secondsSince1970, "\(String(decoding: text, as: UTF8.self))")
            #expect(Self.text(found) == Self.text(expected))
        }
        #expect(read > 20_000)
    }

    /// A moment's text is that of its instant, from the first year to the last.
    @Test func writesInstants() throws {
        var random = SplitMix64(seed: 11)
        let seconds: [Int64] = [-62_167_219_200, -1, 0, 951_782_399, 951_782_400, 253_402_300_799]
        let more = (0..<5000).map { _ in Int64(random.next() % 315_569_520_000) - 62_167_219_200 }
        for second in seconds + more {
            let instant = try #require(Instant(secondsSince1970: second))
            var bytes: [UInt8] = []
            instant.append(to: &bytes)
            #expect(Self.text(RowValues.Moment(instant)) == bytes)
        }
        let odd = try #require(Instant(secondsSince1970: 0, nanoseconds: 1))
        #expect(Self.text(RowValues.Moment(odd)).isEmpty)
    }

    private static func text(_ moment: RowValues.Moment?) -> [UInt8] {
        guard let moment else { return [] }
        return [UInt8](unsafeUninitializedCapacity: RowValues.Moment.textRoom) { buffer, count in
            count = buffer.baseAddress.map { moment.copyText(to: $0) } ?? 0
        }
    }
}
