import OpenAlloc

/// Tables as JSON: an array of objects, or one object a line. Numbers are JSON numbers with all their digits.
struct JSONTableWriter: TableWriter {
    /// One object a line, nothing around them.
    let isLines: Bool

    func opening(_ columns: [Column]) -> [UInt8] { isLines ? [] : [0x5B, 0x0A] }
    var separator: [UInt8] { isLines ? [] : [0x2C] }
    var closing: [UInt8] { isLines ? [] : [0x5D, 0x0A] }

    func beginRow(_ out: inout [UInt8]) { out.append(0x7B) }

    func beginCell(_ column: Column, isFirst: Bool, _ out: inout [UInt8]) {
        if !isFirst { out.append(0x2C) }
        JSONWriter.append(string: column.name, to: &out)
        out.append(0x3A)
    }

    func text(_ bytes: UnsafeRawBufferPointer, _ out: inout [UInt8]) { JSONWriter.append(utf8: bytes, to: &out) }
    func number(_ number: ExactDecimal, _ out: inout [UInt8]) { number.append(to: &out) }

    func moment(_ moment: Instant, _ out: inout [UInt8]) {
        out.append(0x22)
        moment.append(to: &out)
        out.append(0x22)
    }

    func flag(_ flag: Bool, _ out: inout [UInt8]) { out.append(contentsOf: flag ? "true".utf8 : "false".utf8) }
    func null(_ out: inout [UInt8]) { out.append(contentsOf: "null".utf8) }

    func endRow(_ out: inout [UInt8]) {
        out.append(0x7D)
        out.append(0x0A)
    }
}
