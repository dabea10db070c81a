import Delimited
import OpenAlloc
import TestSupport
import Testing

@testable import Importing

/// Dates with and without a time of day are read as the patterns read them.
@Suite struct MomentReaderTests {
    private static let patterns = [
        ["YYYY-MM-DD hh:mm:ss.SSS", "YYYY-MM-DD hh:mm:ss", "iso", "YYYY-MM-DD"],
        ["MM/DD/YYYY hh:mm:ss a zzz", "MM/DD/YYYY hh:mm a", "MM/DD/YYYY", "DD/MM/YYYY"],
        ["DD.MM.YYYY hh:mm", "D.M.YY", "EEE, D MMM YYYY hh:mm:ss Z", "MMM D, YYYY"],
        ["YYYY-MM-DD hh:mm:ss Z", "YYYYMMDDhhmmss", "YYYYMMDD;hhmmss", "YYYY-MM-DD"],
        ["DD-MM-YYYY"],
    ]
    private static let heads = [
        "2024-03-10", "03/10/2024", "13/10/2024", "10.03.2024", "1.2.24", "20240310", "Sun, 3 Nov 2024", "Mar 9, 2024",
        "2024-11-03", "10-03-2024", "12-31-2023", "March 5, 2023", "2024-13-01", "10-03-2024", "31-02-2024",
        "9999-12-31", "0001-01-01",
    ]
    private static let times = [
        "", "", " 02:30:00", " 10:15", "T01:30:00", " 23:59:59.123456", "T00:00:00.000Z", "T10:00:00+01:00",
        " 10:15 PM",
        " 12:05:07 AM", " 22:00:26 AM", " 01:30:00 EST", " 9:05:00 PT", " 24:00:00", " 10:60", ";101500", "101500",
        "T10:00:00.123456789012Z", " 02:30:00 -0500", " 10:15:16.5", "T10:00:00-19:00", "  7:00:00", " x",
    ]

    /// Some digits of a text become others.
    private static func varied(_ text: String, _ random: inout SplitMix64) -> String {
        String(
            decoding: text.utf8.map { byte in
                isDigit(byte) && random.oneIn(24) ? 0x30 + UInt8(random.below(10)) : byte
            }, as: UTF8.self)
    }

    private static func text(_ moment: RowValues.Moment) -> String {
        var bytes = [UInt8](repeating: 0, count: RowValues.Moment.textRoom)
        let count = bytes.withUnsafeMutableBufferPointer { $0.baseAddress.map { moment.copyText(to: $0) } ?? 0 }
        return String(decoding: bytes.prefix(count), as: UTF8.self)
    }

    @Test(arguments: ["America/New_York", "UTC", "Europe/Amsterdam", "Africa/Cairo"], patterns.indices)
    func agreesWithThePatterns(_ zone: String, _ index: Int) throws {
        let yaml = LanguageTests.table("kind: cash", head: "times: [hh:mm:ss, hh:mm, 'h:mm a']\n")
            .replacing("zone: America/New_York", with: "zone: \(zone)")
        let definition = try importer(yaml).definition
        let patterns = try Self.patterns[index].map { try DatePattern($0) }
        let resolver = try DateResolver(definition: definition, options: ImportOptions())
        let oracle = DateResolver(copying: resolver)
        let blanks = NumberReader(blanks: ["-", "n/a"])
        var reader = MomentReader(patterns, resolver, blanks: blanks)
        var random = SplitMix64(seed: UInt64(index + 1))
        var count = 0
        for _ in 0..<iterations(6_000) {
            let head = Self.heads.randomElement(using: &random) ?? ""
            let cell = Self.varied(head + (Self.times.randomElement(using: &random) ?? ""), &random)
            let time =
                random.oneIn(2)
                ? "" : Self.varied(["10:15", "02:30:00", "9:05 pm", "x", " "][random.below(5)], &random)
            withView(cell) { cell in
                withView(time) { time in
                    let moment = reader.read(cell, time: time)
                    let instant = oracle.instant(cell, time: time, patterns: patterns)
                    #expect(moment.map(Self.text) == instant.map { Self.text(RowValues.Moment(exactly: $0)) })
                    #expect(moment?.secondsSince1970 == instant?.secondsSince1970)
                    var bytes: [UInt8] = []
                    instant?.append(to: &bytes)
                    #expect(String(decoding: bytes, as: UTF8.self) == moment.map(Self.text) ?? "")
                    if instant != nil { count += 1 }
                }
            }
        }
        #expect(count > iterations(6_000) / 200)
    }

    @Test func blankIsNoDate() throws {
        let definition = try importer(LanguageTests.table("kind: cash")).definition
        let resolver = try DateResolver(definition: definition, options: ImportOptions())
        var reader = MomentReader([try DatePattern("YYYY-MM-DD")], resolver, blanks: NumberReader(blanks: ["-"]))
        for (text, isBlank) in [("-", true), ("", true), ("2024-01-02", false)] {
            withView(text) { #expect(reader.read($0)?.isBlank == isBlank) }
        }
        withView("never") { #expect(reader.read($0) == nil) }
    }
}
