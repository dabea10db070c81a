#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Tells the delimiter and the line end of a text from its beginning.
public enum DialectSniffer {
    /// The delimiters that are tried; of equals the first wins, so text without any is comma-separated.
    public static let candidates: [UInt8] = [0x2C, 0x3B, 0x09, 0x7C]

    /// Tells the dialect of text in UTF-8.
    ///
    /// Each candidate reads the text with its quotes respected. It gains by lines that have as many cells as the line
    /// before, by lines that have several cells at all, and by the number of cells, where a comma between two digits
    /// does not count (it may be a decimal sign); it loses by quotes in odd places.
    ///
    /// - Parameters:
    ///   - prefix: the first bytes of the text; some ten thousand tell enough.
    ///   - isWhole: whether they are all; if not, the last record is not judged.
    public static func sniff(_ prefix: [UInt8], isWhole: Bool = false) -> Dialect {
        var best = Dialect(lineEnding: lineEnding(prefix))
        var bestScore = 0
        let present = candidates.filter { place(of: $0, in: prefix, from: 0) != nil }
        // Whatever it gains, there is no other.
        if present == [best.delimiter] { return best }
        for candidate in present {
            var dialect = best
            dialect.delimiter = candidate
            let score = score(prefix, dialect, isWhole: isWhole)
            if score > bestScore {
                best = dialect
                bestScore = score
            }
        }
        return best
    }

    /// What one record says about a candidate.
    private struct Trait {
        var cells: Int
        var countedCells: Int
        var isOdd: Bool
    }

    private static func score(_ prefix: [UInt8], _ dialect: Dialect, isWhole: Bool) -> Int {
        var traits: [Trait] = []
        var reader = DelimitedReader(dialect: dialect, maxRecordBytes: 1 << 16)
        reader.read(prefix) { record in
            guard !record.rawBytes.isBlank, record.count > 0 else { return }
            let odd = record.flags.intersection([.textAfterQuote, .strayQuote, .unclosedQuote, .tooLong])
            let decimals = dialect.delimiter == Ascii.comma ? decimalCommas(record) : 0
            traits.append(Trait(cells: record.count, countedCells: record.count - decimals, isOdd: !odd.isEmpty))
        }
        if !isWhole, traits.count > 1 { traits.removeLast() }
        var consistency = 0
        var cells = 0
        for (index, trait) in traits.enumerated() where trait.cells > 1 {
            consistency += 1
            if index > 0, traits[index - 1].cells == trait.cells { consistency += 2 }
            cells += min(trait.countedCells, 12)
        }
        consistency -= 3 * traits.count { $0.isOdd }
        return max(consistency, 0) * cells
    }

    /// The cell borders that have a digit on both sides, both cells being unquoted.
    private static func decimalCommas(_ record: borrowing RecordView) -> Int {
        var number = 0
        for index in 1..<max(record.count, 1) {
            guard let left = record.rawCell(index - 1).last, let right = record.rawCell(index).first else { continue }
            if left &- 0x30 < 10, right &- 0x30 < 10 { number += 1 }
        }
        return number
    }

    private static func lineEnding(_ bytes: [UInt8]) -> Dialect.LineEnding {
        var lf = 0
        var crlf = 0
        var cr = 0
        var position = 0
        while let found = place(of: Ascii.lineFeed, in: bytes, from: position) {
            if found > 0, bytes[found - 1] == Ascii.carriageReturn { crlf += 1 } else { lf += 1 }
            position = found + 1
        }
        position = 0
        while let found = place(of: Ascii.carriageReturn, in: bytes, from: position) {
            cr += 1
            position = found + 1
        }
        cr -= crlf
        if crlf > lf, crlf >= cr { return .crlf }
        return cr > lf ? .cr : .lf
    }

    /// Where a byte next stands. The C library looks at many bytes at once; it is told of no more than there are.
    private static func place(of byte: UInt8, in bytes: [UInt8], from start: Int) -> Int? {
        bytes.withUnsafeBytes { buffer in
            guard start < buffer.count, let base = buffer.baseAddress,
                let found = memchr(base + start, Int32(byte), buffer.count - start)
            else { return nil }
            return UnsafeRawPointer(found) - base
        }
    }
}
