import Delimited
import OpenAlloc

/// What a cell of a stored row holds.
enum CellKind: UInt8 {
    case null, text, decimal, int, flag, date
}

/// A cell of a stored row: what it holds, and its text as `AllocValue.append(to:)` has it.
///
/// Invariant: `base` points at `count` bytes of the row, which stay as long as the row is neither changed nor freed.
struct Cell: BitwiseCopyable {
    let kind: CellKind
    let base: UnsafePointer<UInt8>
    let count: Int

    /// Whether nothing was said: null, or text of no characters.
    var isBlank: Bool { kind == .null || (kind == .text && count == 0) }
    var bytes: UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(start: base, count: count) }
    var text: String { String(decoding: bytes, as: UTF8.self) }

    /// The moment of a date.
    var moment: Instant? { kind == .date ? Instant.parse(bytes) : nil }

    /// Whether both say the same; texts do if Unicode takes them for the same.
    func says(_ other: Cell) -> Bool {
        guard kind == other.kind else { return false }
        if count == other.count, UnsafeRawBufferPointer(bytes).isSame(as: other.base) { return true }
        guard kind == .text, !isASCII || !other.isASCII else { return false }
        return text == other.text
    }

    private var isASCII: Bool { bytes.allSatisfy { $0 < 0x80 } }
}

/// The cells of a stored row, one after the other.
///
/// A cell is a byte with its kind above and the length of its text in the five bits below, and the text. Where these bits
/// are all set, four bytes with the length stand before the text.
///
/// Invariant: `base` points at `size` bytes that `CellBuffer` has made.
struct Cells: BitwiseCopyable {
    let base: UnsafePointer<UInt8>
    let size: Int

    /// A copy of their bytes.
    var bytes: [UInt8] { Array(UnsafeBufferPointer(start: base, count: size)) }

    /// Whether both are the same bytes.
    @inline(__always)
    func isSame(as other: Cells) -> Bool {
        size == other.size && UnsafeRawBufferPointer(start: base, count: size).isSame(as: other.base)
    }

    /// A cell by its place.
    subscript(_ place: Int) -> Cell {
        var cursor = CellCursor(self)
        for _ in 0..<place { cursor.skip() }
        return cursor.next()
    }
}

extension UnsafeRawBufferPointer {
    /// Whether so many bytes elsewhere are the same as these.
    @inline(__always)
    func isSame(as other: UnsafePointer<UInt8>) -> Bool {
        guard let base = baseAddress else { return true }
        let from = UnsafeRawPointer(other)
        var offset = 0
        while offset &+ 8 <= count {
            let (left, right) = (
                base.loadUnaligned(fromByteOffset: offset, as: UInt64.self),
                from.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
            )
            if left != right { return false }
            offset &+= 8
        }
        while offset < count {
            if self[offset] != other[offset] { return false }
            offset &+= 1
        }
        return true
    }
}

/// Goes from cell to cell; behind the last one there are nulls.
struct CellCursor {
    private var position: UnsafePointer<UInt8>
    private let end: UnsafePointer<UInt8>

    static var longMark: UInt8 { 31 }

    init(_ cells: Cells) {
        position = cells.base
        end = cells.base + cells.size
    }

    /// Whether all cells were passed.
    var isAtEnd: Bool { position == end }

    @inline(__always)
    mutating func next() -> Cell {
        guard position < end else { return Cell(kind: .null, base: end, count: 0) }
        let mark = position.pointee
        position += 1
        var count = Int(mark & CellCursor.longMark)
        if mark & CellCursor.longMark == CellCursor.longMark {
            count = Int(UnsafeRawPointer(position).loadUnaligned(as: UInt32.self))
            position += 4
        }
        precondition(count <= end - position, "a cell ends within its row")
        defer { position += count }
        return Cell(kind: CellKind(rawValue: mark >> 5) ?? .null, base: position, count: count)
    }

    @inline(__always)
    mutating func skip() { _ = next() }
}
