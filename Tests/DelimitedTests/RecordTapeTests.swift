import TestSupport
import Testing

@testable import Delimited

/// A tape hands out what the reader handed out.
@Suite struct RecordTapeTests {
    /// All that a record says.
    private static func words(_ record: borrowing RecordView) -> String {
        var text =
            "\(record.line) \(record.lineCount) \(record.byteOffset) \(record.sourceOffset ?? -1) "
            + "\(record.flags.rawValue) \(record.rawBytes.array)"
        for index in 0..<record.count {
            text += " [\(record.cell(index).array) \(record.rawCell(index).array) \(record.isQuoted(index))]"
        }
        return text
    }

    @Test(arguments: [hostile, tame]) func repeatsTheReader(_ alphabet: [[UInt8]]) {
        var random = SplitMix64(seed: UInt64(alphabet.count))
        for round in 0..<iterations(300) {
            let bytes = hostileBytes(&random, pieces: round % 60, alphabet: alphabet)
            var tape = RecordTape(room: round % 2 == 0 ? bytes.count : 0)
            var expected: [String] = []
            var reader = DelimitedReader(dialect: .csv)
            reader.read(bytes) { record in
                expected.append(Self.words(record))
                tape.append(record)
            }
            tape.seal()
            #expect(tape.count == expected.count)
            // Twice, and a part.
            for limit in [Int.max, Int.max, expected.count / 2] {
                var found: [String] = []
                tape.forEachWhile { (record: borrowing RecordView) -> Bool in
                    guard found.count < limit else { return false }
                    found.append(Self.words(record))
                    return true
                }
                #expect(found == Array(expected.prefix(limit)))
            }
        }
    }
}
