import Delimited
import Digests
import Importing
import OpenAlloc

/// The bytes of a row of a prepared class: what all rows of the class have, and in between what a row brings.
///
/// Invariant: the bytes before each gap stand at `constants`, one after the other, and behind them `step` more; the last
/// of `parts`, and no other, is `.end`. Before each gap there is room for `gapBytes` more than all constants; every gap but
/// a text takes less, and a text asks for its own room. Constants are copied in steps, up to one too many.
struct RowTemplate: ~Copyable {
    /// What stands in a gap.
    enum Gap: UInt8 {
        /// The magnitude of a number; its sign is the class's.
        case number
        case moment
        case text
        case rowID
        /// What names the input.
        case metaID
        case line
        /// The row ends.
        case end
    }

    /// So many bytes, and the gap after them.
    struct Part: BitwiseCopyable {
        var count: UInt32
        var gap: Gap
        var place: UInt8
    }

    private let constants: UnsafeMutablePointer<UInt8>
    private let parts: UnsafeMutablePointer<Part>
    private let room: Int

    /// The most bytes of a number, a moment, an id or a line with what is copied too many.
    private static var gapBytes: Int { 40 }
    private static var step: Int { 32 }

    init(_ constants: [UInt8], _ parts: [Part]) {
        precondition(
            parts.last?.gap == .end && parts.dropLast().allSatisfy { $0.gap != .end }
                && parts.reduce(0) { $0 + Int($1.count) } == constants.count, "parts are not those of the constants")
        self.constants = .allocate(capacity: constants.count + RowTemplate.step)
        self.constants.initialize(repeating: 0, count: constants.count + RowTemplate.step)
        for (index, byte) in constants.enumerated() { self.constants[index] = byte }
        self.parts = .allocate(capacity: parts.count)
        for (index, part) in parts.enumerated() { (self.parts + index).initialize(to: part) }
        room = constants.count + (parts.count + 1) * RowTemplate.gapBytes
    }

    deinit {
        constants.deallocate()
        parts.deallocate()
    }

    /// Writes a row, and some of what the digests have put off.
    @inline(__always)
    func write<Target: RowTarget>(
        _ values: RowValues, _ line: Int, _ rowID: StableHash, _ metaID: SourceName, _ texts: inout TextCells,
        to rows: Target, beside digests: DigestSteps = DigestSteps()
    ) {
        var start = rows.tail(room)
        var target = start
        var (next, source) = (parts, constants)
        while true {
            let part = next.pointee
            next += 1
            RowTemplate.copy(source, Int(part.count), to: target)
            source += Int(part.count)
            target += Int(part.count)
            switch part.gap {
            case .number: target += values.number(Int(part.place)).copyMagnitude(to: target)
            case .moment: target += values.moment(Int(part.place)).copyText(to: target)
            case .text:
                rows.advance(by: target - start)
                texts.append(values.text(Int(part.place)), to: rows)
                start = rows.tail(room)
                target = start
            case .rowID:
                rows.place(rowID, at: target - start, target)
                target += 32
                digests.take()
            case .metaID: target += metaID.write(to: target)
            case .line: target += LineText.write(line, to: target)
            case .end: return rows.advance(by: target - start)
            }
        }
    }

    /// Writes what a row's key is made of; returns how many bytes, at most `room`, or nil when there are more.
    func write(_ values: RowValues, to memory: UnsafeMutablePointer<UInt8>, room: Int) -> Int? {
        var left = room - self.room
        guard left >= 0 else { return nil }
        var target = memory
        var (next, source) = (parts, constants)
        while true {
            let part = next.pointee
            next += 1
            RowTemplate.copy(source, Int(part.count), to: target)
            source += Int(part.count)
            target += Int(part.count)
            switch part.gap {
            case .number: target += values.number(Int(part.place)).copyMagnitude(to: target)
            case .moment: target += values.moment(Int(part.place)).copyText(to: target)
            case .text:
                let text = values.text(Int(part.place))
                left -= text.count
                guard left >= 0 else { return nil }
                text.copy(to: target)
                target += text.count
            case .end: return target - memory
            case .rowID, .metaID, .line: break
            }
        }
    }

    /// Copies so many bytes in steps, one at least.
    @inline(__always)
    private static func copy(
        _ source: UnsafeMutablePointer<UInt8>, _ count: Int, to target: UnsafeMutablePointer<UInt8>
    ) {
        let (from, to) = (UnsafeMutableRawPointer(source), UnsafeMutableRawPointer(target))
        var offset = 0
        repeat {
            to.storeBytes(
                of: from.loadUnaligned(fromByteOffset: offset, as: SIMD4<UInt64>.self), toByteOffset: offset,
                as: SIMD4<UInt64>.self)
            offset &+= step
        } while offset < count
    }
}

/// What names an input in its rows: at most 32 hex digits.
struct SourceName: BitwiseCopyable {
    private var digits = SIMD4<UInt64>()
    private let count: Int

    init(_ bytes: [UInt8]) {
        precondition(bytes.count <= 32, "a name of an input has 32 hex digits")
        count = bytes.count
        withUnsafeMutableBytes(of: &digits) { $0.copyBytes(from: bytes) }
    }

    /// Writes the name; returns how many bytes it has.
    ///
    /// - Parameter target: room for 32 bytes, of which those behind the name are undefined.
    @inline(__always)
    func write(to target: UnsafeMutablePointer<UInt8>) -> Int {
        UnsafeMutableRawPointer(target).storeBytes(of: digits, as: SIMD4<UInt64>.self)
        return count
    }
}

/// Where rows are written.
///
/// `tail` gives memory for so many bytes, which stays until the next `tail` or `append`; `advance` follows.
protocol RowTarget: AnyObject {
    /// Where the next bytes go; there is room for so many.
    func tail(_ needed: Int) -> UnsafeMutablePointer<UInt8>
    /// Says that so many bytes now stand at `tail`.
    func advance(by written: Int)
    /// Appends bytes.
    func append(_ bytes: [UInt8])
    /// The row's id goes to an address, which is so many bytes after `tail`: 32 hex digits.
    func place(_ id: StableHash, at offset: Int, _ target: UnsafeMutablePointer<UInt8>)
}

extension Spool: RowTarget {
    @inline(__always)
    func place(_ id: StableHash, at offset: Int, _ target: UnsafeMutablePointer<UInt8>) { id.writeHex(to: target) }
}

/// Puts a template together.
struct RowTemplateBuilder {
    private var constants: [UInt8] = []
    private var parts: [RowTemplate.Part] = []
    private var start = 0

    /// An empty one with room for about so much.
    init(bytes: Int = 0, gaps: Int = 0) {
        constants.reserveCapacity(bytes)
        parts.reserveCapacity(gaps + 1)
    }

    /// Appends bytes that all rows have.
    mutating func append(_ bytes: some Sequence<UInt8>) { constants.append(contentsOf: bytes) }

    /// Appends a gap.
    mutating func append(_ gap: RowTemplate.Gap, place: Int = 0) {
        parts.append(
            RowTemplate.Part(
                count: UInt32(truncatingIfNeeded: constants.count - start), gap: gap,
                place: UInt8(truncatingIfNeeded: place)))
        start = constants.count
    }

    /// The template.
    mutating func finish() -> RowTemplate {
        append(.end)
        return RowTemplate(constants, parts)
    }
}

/// Writes texts as a table's format has them.
struct TextCells: ~Copyable {
    let writer: any TableWriter
    private var bytes: [UInt8] = []
    /// The short text that `bytes` is the cell of: an account mostly is that of the row before.
    private var last: (words: (UInt64, UInt64), count: Int) = ((0, 0), 0)
    private let delimiter: UInt8?

    init(writer: any TableWriter) {
        self.writer = writer
        delimiter = writer.delimiterOfPlainTexts
    }

    @inline(__always)
    mutating func append<Target: RowTarget>(_ text: ByteView, to rows: Target) {
        guard let delimiter, PlainCell.isPlain(text, delimiter: delimiter) else { return appendOther(text, to: rows) }
        text.copy(to: rows.tail(text.count))
        rows.advance(by: text.count)
    }

    @inline(never)
    private mutating func appendOther<Target: RowTarget>(_ text: ByteView, to rows: Target) {
        // Of more than 16 bytes there are none.
        let words = text.words
        if let words, text.count > 0, text.count == last.count, words == last.words { return rows.append(bytes) }
        bytes.removeAll(keepingCapacity: true)
        last = (words ?? (0, 0), words == nil ? 0 : text.count)
        if text.isEmpty {
            writer.null(&bytes)
        } else {
            text.withUnsafeBytes { writer.text($0, &bytes) }
        }
        rows.append(bytes)
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
