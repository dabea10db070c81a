import NearWords
import Testing

@testable import allocport_cli

/// The small things that words are made of.
struct WordsTests {
    @Test(arguments: [
        ("History_for_Account_X59000001.csv", "History_for_Account_…001.csv"),
        ("Portfolio_Positions_20240131.csv", "Portfolio_Positions_20240131.csv"),
        ("Individual-Positions-2024-01-31-101500.csv", "Individual-Positions-2024-01-31-101500.csv"),
        ("123456789.qfx", "…789.qfx"), ("plain.csv", "plain.csv"), ("", ""), ("00000000", "00000000"),
        ("a\u{1B}[31m\nb.csv", "a [31m b.csv"),
    ]) func accountNumbersAreMasked(_ name: String, _ wanted: String) {
        #expect(Words.masked(name) == wanted)
    }

    @Test(arguments: [
        (0, "0 rows"), (1, "1 row"), (999, "999 rows"), (1000, "1,000 rows"), (1_234_567, "1,234,567 rows"),
    ])
    func countsRead(_ number: Int, _ wanted: String) { #expect(Words.count(number, "row") == wanted) }

    @Test(
        arguments: [
            ("histroy", "history"), ("hloidng", "holding"), ("HOLDING", "holding"), ("xyz", nil), ("", nil),
        ] as [(String, String?)])
    func theNearestWordIsFound(_ word: String, _ wanted: String?) {
        #expect(NearWords.nearest(to: word, among: ["holding", "history"]) == wanted)
    }

    @Test(arguments: [("00:00", 0), ("09:30", 34_200), ("23:59", 86_340), ("23:59:59", 86_399)])
    func timesOfDayAreRead(_ text: String, _ seconds: Int) throws {
        #expect(try OptionValues.secondOfDay(text, option: "--x") == seconds)
    }

    @Test(arguments: ["", ":", "9:00", "24:00", "12:60", "12", "12:00:00:00", "1a:00", "+1:00", "12:00 ", "１２:00"])
    func otherTimesOfDayAreErrors(_ text: String) {
        #expect(throws: (any Error).self) { try OptionValues.secondOfDay(text, option: "--x") }
    }

    @Test(arguments: [
        (0, 0, "[--------------------]   0 %"), (5, 10, "[##########----------]  50 %"),
        (10, 10, "[####################] 100 %"), (20, 10, "[####################] 100 %"),
    ]) func theProgressLineStaysInItsBounds(_ read: Int, _ count: Int, _ wanted: String) {
        #expect(ProgressLine.text(read, of: count, input: 0, of: 1).hasPrefix(wanted))
    }

    /// What is said to be typed can be typed: a shell takes it for one word.
    @Test(arguments: [
        ("out/rejects", "out/rejects"), ("my out", "'my out'"), ("it's", "'it'\\''s'"), ("ä/ö", "ä/ö"),
        ("a$b", "'a$b'"),
        ("", "''"), ("-x", "'-x'"), ("~/x", "'~/x'"),
    ])
    func pathsAreQuotedForShells(_ path: String, _ written: String) {
        #expect(Words.shell(path) == written)
    }
}
