import TestSupport
import Testing

@testable import Delimited

@Suite struct Views {
    private func with<R>(_ text: String, _ body: (ByteView) -> R) -> R { ByteView.with(Array(text.utf8), body) }

    @Test(arguments: [
        ("", ""), ("  ", ""), (" a b ", "a b"), ("\t\u{A0}a\u{A0} ", "a"), ("é", "é"), ("\u{A0}", ""), ("à ", "à"),
        ("\n a", "a"), ("a\r\n", "a"), ("a\nb", "a\nb"),
        // What nobody sees: joiners, directions of writing, the byte order mark.
        ("\u{200E}01/02/2024", "01/02/2024"), ("\u{202A}-5\u{202C}", "-5"), ("\u{2066} AAPL \u{2069}\u{200B}", "AAPL"),
        ("\u{FEFF}Date", "Date"), ("AAPL\u{FEFF}\u{2060}", "AAPL"), ("\u{3000}7203\u{3000}", "7203"),
        ("\u{202F}1\u{202F}2\u{2009}", "1\u{202F}2"), ("\u{200F}", ""), ("\u{2010}1\u{2027}", "\u{2010}1\u{2027}"),
        ("\u{20AC}5", "\u{20AC}5"), ("\u{3042}\u{3001}", "\u{3042}\u{3001}"), ("Ä\u{3B}ß", "Ä;ß"),
        ("5\u{AF}", "5\u{AF}"),
    ])
    func trimming(_ text: String, _ expected: String) {
        #expect(with(text) { $0.trimmed().string } == expected)
        #expect(with(text) { $0.trimmed().isEmpty } == expected.isEmpty)
    }

    /// Held against a twin that walks characters; and what a cell says is the same by the short look at its ends.
    @Test func trimmingAgreesWithCharacters() {
        let unseen: [ClosedRange<UInt32>] = [
            0x20...0x20, 9...10, 13...13, 0xA0...0xA0, 0x2000...0x200F, 0x2028...0x202F, 0x205F...0x206F,
            0x3000...0x3000, 0xFEFF...0xFEFF,
        ]
        let pool =
            ["\u{A1}", "\u{10A0}", "\u{2010}", "\u{2027}", "\u{205E}", "\u{2070}", "\u{3001}", "\u{FEFE}", "\u{E020}"]
            .flatMap(\.unicodeScalars) + Array("a1=\"é".unicodeScalars)
            + unseen.flatMap { $0.compactMap { Unicode.Scalar($0) } }
        func isUnseen(_ scalar: Unicode.Scalar) -> Bool { unseen.contains { $0.contains(scalar.value) } }
        var random = SplitMix64(seed: 11)
        for _ in 0..<20_000 {
            let scalars = (0..<random.below(6)).map { _ in random.pick(pool) }
            let seen = scalars.drop(while: isUnseen)
            let end = seen.lastIndex { !isUnseen($0) }.map { $0 + 1 } ?? seen.startIndex
            let (text, expected) = (String.UnicodeScalarView(scalars), String.UnicodeScalarView(seen[..<end]))
            with(String(text)) { view in
                #expect(view.trimmed() == Array(String(expected).utf8), "\(scalars)")
                #expect(view.isBlank == expected.isEmpty, "\(scalars)")
                #expect(view.content == view.uncovered, "\(scalars)")
            }
        }
        // Bytes that are no text are at least treated alike.
        let bytes: [UInt8] = [0x20, 0x41, 0x80, 0x8E, 0x9F, 0xA0, 0xBB, 0xBF, 0xC2, 0xE2, 0xE3, 0xEF, 0x81]
        for _ in 0..<20_000 {
            let text = (0..<random.below(6)).map { _ in random.pick(bytes) }
            ByteView.with(text) { view in
                #expect(view.content == view.uncovered && view.trimmed().isEmpty == view.isBlank, "\(text)")
            }
        }
    }

    @Test(arguments: [
        ("=\"12\"", "12"), ("=\"\"", ""), ("=\"", "=\""), ("12", "12"), ("=12", "=12"), ("", ""),
    ])
    func formulas(_ text: String, _ expected: String) {
        #expect(with(text) { $0.unwrappedFormula().string } == expected)
    }

    @Test func comparing() {
        with("Run Date") { view in
            #expect(view == "Run Date" && view != "Run date" && view == Array("Run Date".utf8))
            #expect(view.equalsIgnoringCase("run DATE") && !view.equalsIgnoringCase("run-date"))
            #expect(!view.equalsIgnoringCase("run"))
            #expect(view.hasPrefix("Run") && !view.hasPrefix("Run Dates") && view.hasSuffix(Array("Date".utf8)))
            #expect(view.firstIndex(of: 0x20) == 3 && view.firstIndex(of: 0x21) == nil)
            #expect(view.firstRange(of: Array("Da".utf8)) == 4..<6 && view.firstRange(of: Array("x".utf8)) == nil)
            #expect(view[4..<8] == "Date" && view.dropFirst(4) == "Date" && view.prefix(3) == "Run")
            #expect(view.suffix(4).hashValue == view[4..<8].hashValue)
            #expect(view.suffix(4).stableHash == view[4..<8].stableHash && view.prefix(3).stableHash != view.stableHash)
            #expect(view.prefix(99).count == 8 && view.dropFirst(99).isEmpty && view.dropLast(-1).count == 8)
            #expect(view[0] == 0x52 && view.first == 0x52 && view.last == 0x65)
        }
        with("@[`{é") { #expect(!$0.equalsIgnoringCase("`{@[é") && $0.equalsIgnoringCase("@[`{é")) }
    }

    /// Every byte counts, at every length, and none behind the views.
    @Test func comparesEveryByte() {
        var random = SplitMix64(seed: 15)
        for count in 0...200 {
            let bytes = (0..<count).map { _ in UInt8(truncatingIfNeeded: random.next()) }
            ByteView.with(bytes + [1]) { one in
                ByteView.with(bytes + [2]) { other in
                    #expect(one.prefix(count) == other.prefix(count) && one != other)
                }
                for place in 0..<count {
                    var changed = bytes
                    changed[place] ^= 1 << UInt8(random.next() % 8)
                    ByteView.with(changed + [1]) { #expect(one.prefix(count) != $0.prefix(count)) }
                }
            }
        }
    }

    @Test(arguments: [("", true), (" \t\u{A0}\n", true), ("a", false), ("é", false), ("\u{C2}", false)])
    func blankness(_ text: String, _ expected: Bool) { #expect(with(text) { $0.isBlank } == expected) }

    @Test func positionsOutsideTrap() async {
        await #expect(processExitsWith: .failure) { ByteView.with([1, 2]) { _ = $0[2] } }
        await #expect(processExitsWith: .failure) { ByteView.with([1, 2]) { _ = $0[-1] } }
        await #expect(processExitsWith: .failure) { ByteView.with([1, 2]) { _ = $0[1..<3] } }
    }

    @Test func cellsBeyondAreEmpty() {
        var reader = DelimitedReader(dialect: .csv)
        var beyond = 0
        reader.read(Array("x\né,\"a\r\nb\" ,c\n".utf8)) { record in
            beyond += record.cell(9).count + record.cell(-1).count + record.rawCell(9).count
        }
        #expect(beyond == 0)
    }

    @Test(arguments: [("", true), (",,", true), ("\" \",\t", true), ("a,", false), ("\"\"", true), ("--", false)])
    func blankRecords(_ text: String, _ expected: Bool) {
        #expect(records(text + "\nz\n").first?.isBlank == expected)
    }
}
