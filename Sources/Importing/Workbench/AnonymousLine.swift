import Delimited

/// A record with its cells as they stand in the source, so that what does not change can be written as it was.
struct AnonymousLine {
    /// A cell.
    struct Cell {
        /// With its quotes and padding.
        let raw: [UInt8]
        /// Its content, without the quotes and the `="…"` of a spreadsheet.
        let text: String
        let isQuoted: Bool

        /// Another content in the same wrapping.
        func written(_ content: String, _ dialect: Dialect) -> [UInt8] {
            let bytes = isQuoted ? Self.doubled(content, dialect) : Array(content.utf8)
            let old = isQuoted ? Self.doubled(text, dialect) : Array(text.utf8)
            if !old.isEmpty, let place = Self.place(of: old, in: raw) {
                let needsQuotes = !isQuoted && bytes.contains { $0 == dialect.delimiter || $0 == 0x0A || $0 == 0x0D }
                if !needsQuotes { return raw[..<place] + bytes + raw[(place + old.count)...] }
            }
            return [dialect.quote] + Self.doubled(content, dialect) + [dialect.quote]
        }

        /// A text as it stands within quotes: each of its own is doubled.
        private static func doubled(_ text: String, _ dialect: Dialect) -> [UInt8] {
            text.utf8.flatMap { $0 == dialect.quote ? [$0, $0] : [$0] }
        }

        private static func place(of part: [UInt8], in whole: [UInt8]) -> Int? {
            guard part.count <= whole.count else { return nil }
            return (0...(whole.count - part.count)).first { whole[$0..<$0 + part.count].elementsEqual(part) }
        }
    }

    /// Where it begins in the decoded text.
    let start: Int
    /// Its number, from 1.
    let number: Int
    let raw: [UInt8]
    let cells: [Cell]
    /// Headers and blank lines stay as they are.
    let isKept: Bool
    let binding: TableBinding?
    /// The column of each variable, after the repairs of the row; -1 where it has none.
    let columns: [Int]
    /// The style that the row's own cells prove, where its columns prove none.
    let style: NumberStyle?

    init(_ record: borrowing RecordView, isKept: Bool, binding: TableBinding?, place: RowProbe.Place) {
        start = record.byteOffset
        number = record.line
        raw = record.rawBytes.array
        self.isKept = isKept
        self.binding = binding
        columns = place.columns
        style = place.style
        var cells: [Cell] = []
        for index in 0..<record.count {
            cells.append(
                Cell(
                    raw: record.rawCell(index).array, text: record.cell(index).unwrappedFormula().string,
                    isQuoted: record.isQuoted(index)))
        }
        self.cells = cells
    }
}
