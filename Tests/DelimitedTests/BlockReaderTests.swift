import TestSupport
import Testing

@testable import Delimited

/// What is read of a block, window by window, is what the scalar grammar makes of each line alone.
@Suite struct BlockReaderTests {
    private struct Reading {
        struct Taken {
            var range: Range<Int>
            var line: Int
            var cells: [[UInt8]]
        }

        var taken: [Taken] = []
        var blankLines = 0
        var left: [Range<Int>] = []
    }

    private func read(_ bytes: [UInt8], _ dialect: Dialect, max: Int = 1 << 20) -> Reading {
        let block = ByteBlock(capacity: bytes.count)
        block.tail.copyBytes(from: bytes)
        block.advance(by: bytes.count)
        var reader = BlockReader(dialect: dialect, maxRecordBytes: max)
        var reading = Reading()
        reader.read(block, line: 1) { (record: borrowing CleanRecord) in
            #expect(record.flags == [] && record.cell(record.count).isEmpty && record.cell(-1).isEmpty)
            if record.count == 0 {
                reading.blankLines += 1
                return true
            }
            let raw = record.rawCells(0, record.count - 1)
            let start = raw.base - UnsafePointer(block.base)
            reading.taken.append(
                Reading.Taken(
                    range: start..<start + raw.count, line: record.line,
                    cells: (0..<record.count).map { record.cell($0).array }))
            return true
        } leave: {
            reading.left.append($0)
        }
        return reading
    }

    /// Every line is either taken, as the scalar grammar has it, or left.
    private func check(_ bytes: [UInt8], _ dialect: Dialect, max: Int, _ label: String) {
        let reading = read(bytes, dialect, max: max)
        var isCovered = bytes.map { Ascii.isLineEnd($0) }
        for range in reading.left { for place in range { isCovered[place] = true } }
        for taken in reading.taken {
            let raw = Array(bytes[taken.range])
            // A byte order mark is one at the start of an input only.
            let found = records([0x78, 0x0A] + raw + [0x0A], dialect: dialect, max: max, fast: false).dropFirst()
            let before = taken.range.lowerBound == 0 || Ascii.isLineEnd(bytes[taken.range.lowerBound - 1])
            guard found.count == 1, found[1].cells == taken.cells, found[1].flags == [], before,
                Ascii.isLineEnd(bytes[taken.range.upperBound])
            else {
                Issue.record("\(label): \(taken.cells) instead of \(found) in \(raw)")
                return
            }
            for place in taken.range {
                #expect(!isCovered[place], "\(label): taken and left")
                isCovered[place] = true
            }
        }
        #expect(isCovered.allSatisfy { $0 }, "\(label): something is lost")
        #expect(zip(reading.left, reading.left.dropFirst()).allSatisfy { $0.upperBound <= $1.lowerBound }, "\(label)")
        if !bytes.contains(Ascii.carriageReturn) {
            for taken in reading.taken {
                #expect(taken.line == 1 + bytes[..<taken.range.lowerBound].count { $0 == Ascii.lineFeed }, "\(label)")
            }
        }
    }

    @Test(arguments: 0..<8) func agreesWithTheGrammar(_ seed: Int) {
        var random = SplitMix64(seed: UInt64(seed) &+ 5000)
        for round in 0..<iterations(120) {
            let dialect = ReadingProperties.dialects[round % 4]
            let alphabet = round % 3 == 0 ? tame : round % 3 == 1 ? hostile : tame + tame + hostile
            let pieces = [5, 60, 900][Int.random(in: 0...2, using: &random)]
            let bytes = hostileBytes(&random, pieces: pieces, alphabet: alphabet) + [0x0A]
            let max = [1 << 20, 1 << 20, 16, 200][Int.random(in: 0...3, using: &random)]
            check(bytes, dialect, max: max, "seed \(seed) round \(round) max \(max)")
        }
    }

    /// Where quotes, returns and line feeds meet the ends of the 64 bytes that are looked at together.
    @Test(arguments: [
        "\"b,c\"", "\"\"", "b", "\"b\"\"c\"", "\"b", "b\"", " \"b\"", "\"b\" ", "é", "\u{FF}", "\0", "\t",
    ])
    func agreesAtEveryPlace(_ cell: String) {
        for ending in ["\n", "\r\n", "\r\r\n", "\r"] {
            for place in 40...140 {
                let line = String(repeating: "x", count: place) + "," + cell
                let text = line + ending + "a,\(cell),b" + ending + cell + ending + "last\n"
                check(Array(text.utf8), .csv, max: 1 << 20, "\(place) \(ending.debugDescription)")
            }
        }
    }

    /// Clean lines are all taken, however windows and blocks cut them.
    @Test(arguments: ["\n", "\r\n"]) func takesAllCleanLines(_ ending: String) {
        var random = SplitMix64(seed: 77)
        var text = ""
        for number in 0..<2000 {
            let length = number % 400 == 7 ? 9000 : Int.random(in: 0...90, using: &random)
            text += "\(number),\"a,b\",\(String(repeating: "y", count: length)),ü" + ending
        }
        let reading = read(Array(text.utf8), .csv)
        #expect(reading.taken.map(\.line) == Array(1...2000) && reading.left.isEmpty)
        #expect(reading.taken.allSatisfy { $0.cells.count == 4 && $0.cells[1] == Array("a,b".utf8) })
    }

    /// Bytes that are no UTF-8 are left to the reader that can read them otherwise.
    @Test func leavesWhatIsNotUTF8() {
        var bytes: [UInt8] = []
        for number in 0..<300 { bytes += Array("\(number),x\n".utf8) + (number == 150 ? [0xE9, 0x0A] : []) }
        let reading = read(bytes, .csv)
        let odd = bytes.firstIndex(of: 0xE9) ?? -1
        #expect(!reading.taken.contains { $0.range.contains(odd) } && reading.left.contains { $0.contains(odd) })
    }
}
