import Importing

/// The bytes of a row of a form: a `RowTemplate` in which the words of a class are still to be filled in.
struct FormTemplate {
    private enum Piece {
        case bytes([UInt8])
        case gap(RowTemplate.Gap, place: Int)
        /// A text of the class, as a cell has it.
        case cell(Record.Text)
        /// The same as it is.
        case text(Record.Text)
    }

    private var pieces: [Piece] = []
    private var bytes: [UInt8] = []

    /// Appends bytes that all rows have.
    mutating func append(_ new: some Sequence<UInt8>) { bytes.append(contentsOf: new) }

    /// Appends what a row brings.
    mutating func append(_ gap: RowTemplate.Gap, place: Int = 0) { append(.gap(gap, place: place)) }

    /// Appends a text of the class as a cell.
    mutating func append(cell text: Record.Text) { append(.cell(text)) }

    /// Appends a text of the class.
    mutating func append(text: Record.Text) { append(.text(text)) }

    private mutating func append(_ piece: Piece) {
        if !bytes.isEmpty { pieces.append(.bytes(bytes)) }
        bytes = []
        pieces.append(piece)
    }

    /// The template of the class whose texts a record has; none of those that are asked for is blank.
    func filled(by record: borrowing Record, _ writer: any TableWriter) -> RowTemplate {
        var builder = RowTemplateBuilder(bytes: 256, gaps: pieces.count)
        var cell: [UInt8] = []
        cell.reserveCapacity(64)
        for piece in pieces {
            switch piece {
            case .bytes(let bytes): builder.append(bytes)
            case .gap(let gap, let place): builder.append(gap, place: place)
            case .cell(let text):
                cell.removeAll(keepingCapacity: true)
                record.bytes(text).withUnsafeBytes { writer.text($0, &cell) }
                builder.append(cell)
            case .text(let text): builder.append(record.bytes(text))
            }
        }
        builder.append(bytes)
        return builder.finish()
    }
}
