import TestSupport
import Testing

@testable import Delimited

@Suite struct Limits {
    /// What is quadratic takes much more.
    private static let mostSeconds = 20.0

    @Test func aLineOfExactlyTheLimitIsWhole() {
        for ending in ["\n", "\r\n", "\r", ""] {
            let found = records(String(repeating: "x", count: 16) + ending, max: 16)
            #expect(found.count == 1 && found[0].raw.count == 16 && found[0].flags == [])
        }
    }

    @Test func aLongerLineIsCutAndPassedOver() {
        let text = "a,b\n" + String(repeating: "12345,", count: 10) + "\r\nc,d\n"
        for chunk in [Int.max, 1, 5] {
            let found = records(text, chunk: chunk, max: 16)
            #expect(found.map(\.texts) == [["a", "b"], ["12345", "12345", "1234"], ["c", "d"]])
            #expect(found.map(\.flags) == [[], .tooLong, []])
            #expect(found.map(\.line) == [1, 2, 3])
            #expect(found.map(\.offset) == [0, 4, 66])
        }
    }

    @Test func aCutIsNotWithinACharacter() {
        let found = records(String(repeating: "x", count: 14) + "€uro\nz", max: 16)
        #expect(found.map(\.texts) == [[String(repeating: "x", count: 14)], ["z"]])
    }

    @Test func aQuoteThatRunsBeyondTheLimitIsUnclosed() {
        let found = records("\"a\n" + String(repeating: "b,c\n", count: 8) + "\",d\ne\n", max: 16)
        #expect(found.count == 11)
        #expect(found[0].texts == ["\"a"] && found[0].flags == .unclosedQuote)
        #expect(found[1].texts == ["b", "c"] && found[1].flags == [])
    }

    @Test func aQuotedCellUpToTheLimitIsWhole() {
        let found = records("\"a\nb\nc\nd\ne\nf\",x\ny\n", max: 16)
        #expect(found.map(\.texts) == [["a\nb\nc\nd\ne\nf", "x"], ["y"]])
        #expect(found.map(\.line) == [1, 7])
    }

    /// Lines each of which opens a quote that never closes: the work stays in proportion, and every line comes out.
    @Test func hostileQuotesDoNotMakeItQuadratic() {
        let lines = 50_000
        let bytes = Array(String(repeating: "x\",\"\n", count: lines).utf8)
        var reader = DelimitedReader(dialect: .csv)
        var count = 0
        var flagged = 0
        let seconds = processorSeconds {
            reader.read(bytes) { record in
                count += 1
                if record.flags.contains(.unclosedQuote) { flagged += 1 }
            }
        }
        #expect(count == lines && flagged == lines && reader.lineCount == lines)
        #expect(seconds < Self.mostSeconds)
    }

    /// A record that comes byte by byte is not read anew for each byte.
    @Test func smallChunksAreNotQuadratic() {
        let bytes = Array(("\"" + String(repeating: "a\n", count: 30_000) + "\",b\n").utf8)
        var found: [Record] = []
        let seconds = processorSeconds { found = records(bytes, chunk: 1) }
        #expect(found.count == 1 && found[0].cells[1] == [0x62] && found[0].lines == 30_001)
        #expect(seconds < Self.mostSeconds)
    }

    @Test func manyCellsInOneRecord() {
        let found = records(String(repeating: "\"a\"\"\",", count: 5000) + "\n")
        #expect(found[0].cells.count == 5001 && found[0].texts[4999] == "a\"" && found[0].texts[5000].isEmpty)
    }

    struct Halt: Error, Equatable { var line: Int }

    @Test func theBodyCanStopAndThrow() {
        let bytes = Array("a\nb\nc\n".utf8)
        var seen = 0
        var reader = DelimitedReader(dialect: .csv)
        let isWhole = bytes.withUnsafeBytes { chunk in
            reader.feedWhile(chunk, isLast: true) { record in
                seen += 1
                return record.line < 2
            }
        }
        #expect(!isWhole && seen == 2 && reader.recordCount == 2)

        var other = DelimitedReader(dialect: .csv)
        do throws(Halt) {
            try other.read(bytes) { (record: borrowing RecordView) throws(Halt) in
                if record.line == 2 { throw Halt(line: record.line) }
            }
            Issue.record("did not throw")
        } catch {
            #expect(error == Halt(line: 2))
        }
    }

    /// An invented export with everything at once: counts of records and of cells.
    @Test func goldenExport() {
        let text = """
            \u{FEFF}\r
            "Account activity for ""Rainy Day"" XXXX-0042 as of 02/03/2024 09:59 PM ET"\r
            \r
            Run Date,Account,Action,Symbol,Amount ($),\r
             01/31/2024,"Joint" Q00000001," DIVIDEND RECEIVED ACME, INC (ACME)", ACME,"1,234.50",\r
             01/30/2024,"Joint" Q00000001," YOU BOUGHT 6" PIPE CO (PIPE)", PIPE,-20.00,\r
            "01/29/2024" ,"Solo" ,"MEMO
            on two lines" ,"" ,"3" ,\r
            ,,,,,\r
            Total,="0042",,,"1,217.50"\r
            "Brokerage services are invented.\r
            Nothing here is real."
            """
        for chunk in [Int.max, 1, 7, 64] {
            let found = records(text, chunk: chunk)
            #expect(found.map(\.cells.count) == [0, 1, 0, 6, 6, 6, 6, 6, 5, 1])
            #expect(found.map(\.line) == [1, 2, 3, 4, 5, 6, 7, 9, 10, 11])
            #expect(found.map(\.isBlank) == [true, false, true, false, false, false, false, true, false, false])
            #expect(found[4].flags == .textAfterQuote && found[5].flags == .textAfterQuote)
            #expect(found[4].texts[1] == "\"Joint\" Q00000001" && found[4].texts[4] == "1,234.50")
            #expect(found[5].texts[2] == "\" YOU BOUGHT 6\" PIPE CO (PIPE)\"")
            #expect(found[6].texts[2] == "MEMO\non two lines" && found[8].flags == [])
            #expect(found[9].lines == 2)
        }
    }
}
