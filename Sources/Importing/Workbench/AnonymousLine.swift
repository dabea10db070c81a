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
            var bytes: [UInt8] = []
            for byte in content.utf8 {
                bytes.append(byte)
                if isQuoted, byte == dialect.quote { bytes.append(byte) }
            }
            let old = Array(text.utf8)
            if !old.isEmpty, let place = Self.place(of: old, in: raw) {
                let needsQuotes = !isQuoted && bytes.contains { $0 == dialect.delimiter || $0 == 0x0A || $0 == 0x0D }
                if !needsQuotes { return raw[..<place] + bytes + raw[(place + old.count)...] }
            }
            var quoted = [dialect.quote]
            for byte in content.utf8 {
                quoted.append(byte)
                if byte == dialect.quote { quoted.append(byte) }
            }
            return quoted + [dialect.quote]
        }

        private static func place(of part: [UInt8], in whole: [UInt8]) -> Int? {
            guard part.count <= whole.count else { return nil }
            return (0...(whole.count - part.count)).first { whole[$0..<$0 + part.count].elementsEqual(part) }
        }
    }

    /// Where it begins in the decoded text.
    let start: Int
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
