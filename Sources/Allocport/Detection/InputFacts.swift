import Delimited
import Importing

/// How an input is written: for the report and for the reject file.
struct InputFacts: Sendable, Hashable {
    /// `csv`, `tsv`, `ofx`, `flex`, …
    var format = ""
    var encoding = TextEncoding.utf8
    var hasByteOrderMark = false
    var dialect = Dialect.csv

    /// Of an input that was not looked at.
    init() {}

    /// Facts of a sample and its first raw bytes.
    init(_ sample: InputSample, firstBytes: [UInt8]) {
        format = sample.format.name
        if sample.format == .delimited {
            format = sample.dialect.delimiter == 0x09 ? "tsv" : "csv"
        }
        encoding = sample.encoding
        let mark = encoding.byteOrderMark
        hasByteOrderMark = !mark.isEmpty && firstBytes.starts(with: mark)
        dialect = sample.dialect
        dialect.lineEnding = InputFacts.lineEnding(of: sample.head)
    }

    /// The first line end of the text decides; a line that comes back is read with any.
    private static func lineEnding(of head: [UInt8]) -> Dialect.LineEnding {
        guard let place = head.firstIndex(where: { $0 == 0x0A || $0 == 0x0D }) else { return .lf }
        if head[place] == 0x0A { return .lf }
        return place + 1 < head.count && head[place + 1] == 0x0A ? .crlf : .cr
    }
}
