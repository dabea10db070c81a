import Delimited

/// Lines that stand twice in a file: all that stand below one header come again, in the same order, below another that is
/// equal, as in a file that was appended to itself. Each row of it counts: real twins are none of the program's business.
struct DoubledLines {
    /// A header's line, and its bytes.
    private var headers: [(line: Int, raw: [UInt8])] = []
    private var isRepeated = false

    /// A file of more sections is not looked through, nor is a larger one.
    private static let mostHeaders = 512
    private static let mostBytes = 64 << 20
    /// One line may well be the same in the lists of two accounts.
    private static let fewestRows = 2

    /// Notes a header.
    mutating func note(header: ByteView, line: Int) {
        guard headers.count < Self.mostHeaders else { return }
        let raw = header.array
        isRepeated = isRepeated || headers.contains { $0.raw == raw }
        headers.append((line, raw))
    }

    /// The first lines that come again, once the file is read: it is read once more where headers do, and nowhere else.
    ///
    /// - Throws: what reading throws.
    func finding(_ input: any InputSource, _ sample: InputSample) throws(InputError) -> (finding: Finding, line: Int)? {
        guard isRepeated, input.byteCount <= Self.mostBytes else { return nil }
        let blocks = try blocks(input, sample)
        for later in blocks.indices {
            for earlier in 0..<later where headers[earlier].raw == headers[later].raw {
                guard Self.isAgain(blocks[later], blocks[earlier]) else { continue }
                return (
                    Finding(
                        .rowsDoubled,
                        reason:
                            "the lines below this header are those below the header in line \(headers[earlier].line) once "
                            + "more: each counts twice",
                        suggestion:
                            "If the file was put together of copies, keep one of them; of files that are given one by one "
                            + "what they share is written once."), headers[later].line
                )
            }
        }
        return nil
    }

    private struct Block {
        var lines: [Int] = []
        /// How many of them have a number, and more cells than one.
        var rows = 0
    }

    /// Whether all lines of the shorter block begin the other: behind the last of several copies less follows.
    private static func isAgain(_ block: Block, _ other: Block) -> Bool {
        let (short, long) = block.lines.count <= other.lines.count ? (block, other) : (other, block)
        return short.rows >= fewestRows && long.lines.starts(with: short.lines)
    }

    /// What stands below each header, without blank lines.
    private func blocks(_ input: any InputSource, _ sample: InputSample) throws(InputError) -> [Block] {
        var blocks: [Block] = Array(repeating: Block(), count: headers.count)
        var next = 0
        var reader = DelimitedReader(dialect: sample.dialect, encoding: sample.encoding)
        let bytes = try input.bytes(at: 0, count: input.byteCount)
        bytes.withUnsafeBytes { buffer in
            reader.feed(buffer, isLast: true) { (record: borrowing RecordView) in
                if next < headers.count, record.line == headers[next].line {
                    next += 1
                } else if next > 0, !record.isBlank {
                    blocks[next - 1].lines.append(record.rawBytes.array.hashValue)
                    if Self.isRow(record) { blocks[next - 1].rows += 1 }
                }
            }
        }
        return blocks
    }

    private static func isRow(_ record: borrowing RecordView) -> Bool {
        var filled = 0
        var hasDigit = false
        for index in 0..<record.count where !record.cell(index).isBlank {
            filled += 1
            hasDigit = hasDigit || record.cell(index).array.contains(where: isDigit)
        }
        return filled > 1 && hasDigit
    }
}
