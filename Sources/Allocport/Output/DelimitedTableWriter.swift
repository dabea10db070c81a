import Delimited
import OpenAlloc

/// Tables as RFC 4180 text (or with tabs): UTF-8, no byte order mark, line feeds, a header always.
struct DelimitedTableWriter: TableWriter {
    let delimiter: UInt8
    let csvSafe: Bool

    var delimiterOfPlainTexts: UInt8? { delimiter }

    func opening(_ columns: [Column]) -> [UInt8] {
        var out: [UInt8] = []
        RFC4180.appendRow(columns.map { Array($0.name.utf8) }, to: &out, dialect: Dialect(delimiter: delimiter))
        return out
    }

    func beginRow(_ out: inout [UInt8]) {}

    func beginCell(_ column: Column, isFirst: Bool, _ out: inout [UInt8]) { if !isFirst { out.append(delimiter) } }

    func text(_ bytes: UnsafeRawBufferPointer, _ out: inout [UInt8]) {
        // Most cells need no quotes and begin with a letter or digit: those are copied as they are.
        let typed = bytes.assumingMemoryBound(to: UInt8.self)
        if ByteView.with(typed, { PlainCell.isPlain($0, delimiter: delimiter) }) || isPlain(bytes) {
            out.append(contentsOf: typed)
        } else {
            RFC4180.appendCell([UInt8](bytes), to: &out, delimiter: delimiter, csvSafe: csvSafe)
        }
    }

    private func isPlain(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard let first = bytes.first, let last = bytes.last else { return true }
        if first <= 0x2F || first == 0x3D || first == 0x40 || first == 0xEF || last == 0x20 || last == 0x09 {
            return false
        }
        for byte in bytes where byte == delimiter || byte == 0x22 || byte == 0x0A || byte == 0x0D { return false }
        return true
    }

    func number(_ number: ExactDecimal, _ out: inout [UInt8]) { number.append(to: &out) }
    func moment(_ moment: Instant, _ out: inout [UInt8]) { moment.append(to: &out) }
    func flag(_ flag: Bool, _ out: inout [UInt8]) { out.append(contentsOf: flag ? "true".utf8 : "false".utf8) }
    func null(_ out: inout [UInt8]) {}
    func endRow(_ out: inout [UInt8]) { out.append(0x0A) }
}
