import Delimited
import Importing
import OpenAlloc

/// The bytes of a row of a prepared class: what all rows of the class have, and in between what a row brings.
struct RowTemplate {
    /// What stands in a gap.
    enum Gap: UInt8 {
        /// The magnitude of a number; its sign is the class's.
        case number
        case moment
        case text
        case rowID
        case line
    }

    private struct Part {
        /// Bytes before the gap, in `constants`.
        var start: Int32
        var count: Int32
        var gap: Gap?
        var place: Int32
    }

    private var constants: [UInt8] = []
    private var parts: [Part] = []
    private var pending = 0

    /// Appends bytes that all rows have.
    mutating func append(_ bytes: some Sequence<UInt8>) { constants.append(contentsOf: bytes) }

    /// Appends a gap.
    mutating func append(_ gap: Gap, place: Int = 0) {
        parts.append(
            Part(
                start: Int32(pending), count: Int32(constants.count - pending), gap: gap,
                place: Int32(place)))
        pending = constants.count
    }

    /// Ends the template.
    mutating func close() {
        parts.append(Part(start: Int32(pending), count: Int32(constants.count - pending), gap: nil, place: 0))
        pending = constants.count
    }

    /// Writes a row to a spool.
    func write(_ values: RowValues, _ line: Int, _ rowID: StableHash, _ texts: inout TextCells, to spool: Spool) {
        constants.withUnsafeBufferPointer { constants in
            for part in parts {
                let bytes = ByteView.of(constants, Int(part.start), Int(part.count))
                bytes.copy(to: spool.tail(bytes.count + 48))
                spool.advance(by: bytes.count)
                guard let gap = part.gap else { return }
                let target = spool.tail(48)
                switch gap {
                case .number: spool.advance(by: RowTemplate.copy(values.number(Int(part.place)).magnitude, to: target))
                case .moment: spool.advance(by: RowTemplate.copy(values.moment(Int(part.place)).text, to: target))
                case .text: texts.append(values.text(Int(part.place)), to: spool)
                case .rowID:
                    rowID.writeHex(to: target)
                    spool.advance(by: 32)
                case .line: spool.advance(by: RowTemplate.write(line, to: target))
                }
            }
        }
    }

    /// Writes what a row's key is made of; returns how many bytes, at most `room`, or nil when there are more.
    func write(_ values: RowValues, to target: UnsafeMutablePointer<UInt8>, room: Int) -> Int? {
        constants.withUnsafeBufferPointer { constants in
            var used = 0
            for part in parts {
                let bytes = ByteView.of(constants, Int(part.start), Int(part.count))
                guard used + bytes.count + 48 <= room else { return nil }
                bytes.copy(to: target + used)
                used += bytes.count
                guard let gap = part.gap else { return used }
                switch gap {
                case .number: used += RowTemplate.copy(values.number(Int(part.place)).magnitude, to: target + used)
                case .moment: used += RowTemplate.copy(values.moment(Int(part.place)).text, to: target + used)
                case .text:
                    let text = values.text(Int(part.place))
                    guard used + text.count <= room else { return nil }
                    used += RowTemplate.copy(text, to: target + used)
                case .rowID, .line: return nil
                }
            }
            return used
        }
    }

    @inline(__always)
    private static func copy(_ view: ByteView, to target: UnsafeMutablePointer<UInt8>) -> Int {
        view.copy(to: target)
        return view.count
    }

    private static func write(_ number: Int, to target: UnsafeMutablePointer<UInt8>) -> Int {
        var digits = 1
        var bound = 10
        while digits < 18, number >= bound {
            digits += 1
            bound *= 10
        }
        var rest = number
        for index in stride(from: digits - 1, through: 0, by: -1) {
            target[index] = 0x30 &+ UInt8(truncatingIfNeeded: rest % 10)
            rest /= 10
        }
        return digits
    }
}

/// Writes texts as a table's format has them.
struct TextCells {
    let writer: any TableWriter
    private var bytes: [UInt8] = []

    init(writer: any TableWriter) { self.writer = writer }

    mutating func append(_ text: ByteView, to spool: Spool) {
        bytes.removeAll(keepingCapacity: true)
        if text.isEmpty {
            writer.null(&bytes)
        } else {
            text.withUnsafeBytes { writer.text($0, &bytes) }
        }
        spool.append(bytes)
    }
}

/// Writes cells as they are said, so that it can be seen where each value of a row comes out.
struct CellRecorder: TableWriter {
    /// What a cell says.
    enum Cell: Equatable {
        case null
        case text([UInt8])
        case number([UInt8])
        case moment([UInt8])
        case flag(Bool)
    }

    private enum Mark {
        static let cell: UInt8 = 0, text: UInt8 = 1, number: UInt8 = 2, moment: UInt8 = 3, flag: UInt8 = 4
    }

    func opening(_ columns: [Column]) -> [UInt8] { [] }
    func beginRow(_ out: inout [UInt8]) {}
    func beginCell(_ column: Column, isFirst: Bool, _ out: inout [UInt8]) {}
    func endRow(_ out: inout [UInt8]) {}

    func text(_ bytes: UnsafeRawBufferPointer, _ out: inout [UInt8]) { put(Mark.text, Array(bytes), &out) }
    func null(_ out: inout [UInt8]) { put(Mark.cell, [], &out) }
    func flag(_ flag: Bool, _ out: inout [UInt8]) { put(Mark.flag, [flag ? 1 : 0], &out) }

    func number(_ number: ExactDecimal, _ out: inout [UInt8]) {
        var bytes: [UInt8] = []
        number.append(to: &bytes)
        put(Mark.number, bytes, &out)
    }

    func moment(_ moment: Instant, _ out: inout [UInt8]) {
        var bytes: [UInt8] = []
        moment.append(to: &bytes)
        put(Mark.moment, bytes, &out)
    }

    private func put(_ mark: UInt8, _ bytes: [UInt8], _ out: inout [UInt8]) {
        out.append(mark)
        for shift in [0, 8, 16, 24] { out.append(UInt8(truncatingIfNeeded: bytes.count >> shift)) }
        out += bytes
    }

    /// The cells of a row that was recorded.
    static func cells(of row: [UInt8]) -> [Cell] {
        var cells: [Cell] = []
        var at = 0
        while at + 5 <= row.count {
            var count = 0
            for index in 0..<4 { count |= Int(row[at + 1 + index]) << (8 * index) }
            let bytes = Array(row[(at + 5)..<(at + 5 + count)])
            switch row[at] {
            case Mark.text: cells.append(.text(bytes))
            case Mark.number: cells.append(.number(bytes))
            case Mark.moment: cells.append(.moment(bytes))
            case Mark.flag: cells.append(.flag(bytes == [1]))
            default: cells.append(.null)
            }
            at += 5 + count
        }
        return cells
    }
}
