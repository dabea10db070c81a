import Delimited
import Importing
import OpenAlloc

/// Writes rows that were held until the end: cells → bytes.
///
/// What `write` puts at the end of a spool has room there: all cells as they stand, and `room` for the rest; a text that
/// stands otherwise is appended by itself, and room asked for anew.
final class StoredRowWriter {
    private let layout: TableLayout
    private let writer: any TableWriter
    private let sources: [TableLayout.Source]
    /// What stands before each cell.
    private let openings: [[UInt8]]
    /// What names each input.
    private let metaIDs: [[UInt8]]
    private let names: FlatMemory<SourceName>
    @exclusivity(unchecked) private var bytes: [UInt8] = []
    private let room: Int

    /// In place of what a row has.
    struct Additions {
        var lot: [UInt8]?
        var rowID = StableHash.none
        fileprivate static let lotColumn = 2
    }

    init(_ layout: TableLayout, _ writer: any TableWriter, metaIDs: [[UInt8]] = []) {
        self.layout = layout
        self.writer = writer
        self.metaIDs = metaIDs
        names = FlatMemory(metaIDs.map { SourceName($0) })
        sources = layout.columns.map(\.source)
        openings = layout.columns.enumerated().map { index, item in
            var bytes: [UInt8] = []
            writer.beginCell(item.column, isFirst: index == 0, &bytes)
            return bytes
        }
        // Delimiters and a line feed, an id, the name of an input, the number of a line, that of a lot.
        room = openings.count + 1 + 32 + 32 + LineText.room + StoredRowWriter.lotRoom
    }

    /// Writes a row.
    func write(_ row: StoredRow, _ additions: Additions = Additions(), to spool: Spool) {
        if let delimiter = writer.delimiterOfPlainTexts {
            write(row, additions, delimiter, to: spool)
        } else {
            bytes.removeAll(keepingCapacity: true)
            build(row.cells, row, additions)
            spool.append(bytes)
        }
    }

    /// The core columns of a row that has no place yet, as verdicts tell of them.
    func row(_ cells: Cells) -> [UInt8] {
        bytes.removeAll(keepingCapacity: true)
        build(cells, nil, Additions())
        return bytes
    }

    // MARK: delimited

    private func write(_ row: StoredRow, _ additions: Additions, _ delimiter: UInt8, to spool: Spool) {
        let cells = row.cells
        let needed = room + cells.size
        var cursor = CellCursor(cells)
        var start = spool.tail(needed)
        var target = start
        for place in sources.indices {
            if place > 0 {
                target.pointee = delimiter
                target += 1
            }
            switch sources[place] {
            case .cell:
                let cell = cursor.next()
                let lot = place == Additions.lotColumn ? additions.lot : nil
                if let lot, StoredRowWriter.isNumber(lot), lot.count <= StoredRowWriter.lotRoom {
                    for byte in lot {
                        target.pointee = byte
                        target += 1
                    }
                } else if lot == nil, StoredRowWriter.isPlain(cell, delimiter) {
                    target.update(from: cell.base, count: cell.count)
                    target += cell.count
                } else {
                    spool.advance(by: target - start)
                    bytes.removeAll(keepingCapacity: true)
                    if let lot { text(lot) } else { append(cell) }
                    spool.append(bytes)
                    start = spool.tail(needed)
                    target = start
                }
            case .rowID:
                additions.rowID.writeHex(to: target)
                target += 32
            case .metaID: target += names[row.input].write(to: target)
            case .line: target += LineText.write(row.line, to: target)
            }
        }
        target.pointee = 0x0A
        spool.advance(by: target + 1 - start)
    }

    private static var lotRoom: Int { 21 }

    /// Whether a lot is a number sign and digits, which a delimited table has as they are.
    private static func isNumber(_ lot: [UInt8]) -> Bool {
        lot.first == 0x23 && lot.dropFirst().allSatisfy { $0 &- 0x30 < 10 }
    }

    /// Whether a delimited table has a cell's text as it is.
    @inline(__always)
    private static func isPlain(_ cell: Cell, _ delimiter: UInt8) -> Bool {
        guard cell.kind == .text else { return true }
        if cell.count >= 4 { return ByteView.with(cell.bytes) { PlainCell.isPlain($0, delimiter: delimiter) } }
        for byte in cell.bytes where (byte | 0x20) &- 0x61 >= 26 && byte &- 0x30 >= 10 { return false }
        return true
    }

    // MARK: any format

    private func build(_ cells: Cells, _ row: StoredRow?, _ additions: Additions) {
        writer.beginRow(&bytes)
        var cursor = CellCursor(cells)
        for (place, source) in sources.enumerated() {
            bytes.append(contentsOf: openings[place])
            switch source {
            case .cell:
                let cell = cursor.next()
                if place == Additions.lotColumn, let lot = additions.lot { text(lot) } else { append(cell) }
            case .rowID:
                var hex: [UInt8] = []
                additions.rowID.appendHex(to: &hex)
                text(hex)
            case .metaID: if let row { text(metaIDs[row.input]) }
            case .line: if let row { writer.number(ExactDecimal(row.line), &bytes) }
            }
        }
        writer.endRow(&bytes)
    }

    private func text(_ text: [UInt8]) { text.withUnsafeBytes { writer.text($0, &bytes) } }

    private func append(_ cell: Cell) {
        switch cell.kind {
        case .null: writer.null(&bytes)
        case .text: writer.text(UnsafeRawBufferPointer(cell.bytes), &bytes)
        // Every format has numbers and flags so.
        case .decimal, .int, .flag: bytes.append(contentsOf: cell.bytes)
        case .date:
            if let moment = cell.moment { writer.moment(moment, &bytes) } else { writer.null(&bytes) }
        }
    }
}
