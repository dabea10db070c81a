import Delimited

/// The last line of an input that ends without a line end, as half a download does: where it has fewer cells than all
/// rows above it, the rest of it is missing, and the last cell that is there may be cut off, too.
enum LastLine {
    /// So many bytes at the end are looked at.
    private static let window = 1 << 16

    /// What is wrong with such a line, as far as that can be told; nil where other rows end as early, or there are none.
    ///
    /// - Parameters:
    ///   - cells: how many the line has, fewer than its header.
    ///   - rows: how many lines stand between the header and this one.
    static func finding(
        _ source: any InputSource, _ sample: (dialect: Dialect, encoding: TextEncoding), cells: Int, width: Int,
        rows: Int
    ) -> Finding? {
        // A unit of UTF-16 has two bytes.
        let start = max(0, source.byteCount - window) & ~3
        guard rows > 0, let bytes = try? source.bytes(at: start, count: source.byteCount - start) else { return nil }
        let text = TextDecoder.decode(bytes, as: sample.encoding)
        var (counts, lines): ([Int], [Int]) = ([], [])
        var reader = DelimitedReader(dialect: sample.dialect)
        reader.read(text) { (record: borrowing RecordView) in
            counts.append(record.count)
            lines.append(record.lineCount)
        }
        // The first may be a part of one.
        if start > 0 { counts[..<min(1, counts.count)] = [0] }
        var (left, fewest) = (rows, Int.max)
        for (count, height) in zip(counts, lines).reversed().dropFirst() where left > 0 {
            left -= height
            // Lines of one cell are blank, or no rows.
            if count > 1 { fewest = min(fewest, count) }
        }
        guard cells < fewest, fewest < .max else { return nil }
        return Finding(
            .rowShort,
            reason: "the line has \(cells == 1 ? "1 cell" : "\(cells) cells") of \(width), those above it have more.",
            suggestion: Finding.completion(missing: width - cells))
    }
}
