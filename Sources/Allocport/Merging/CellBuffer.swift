import Delimited
import Importing
import OpenAlloc

/// Puts the cells of rows together (`Cells` says how they stand).
///
/// Invariant: `base` has room for `capacity` bytes, of which `count` are initialised. `moments` has `momentSlots` cells
/// of `momentRoom` bytes, those of the moments in `momentKeys`.
struct CellBuffer: ~Copyable {
    private var base: UnsafeMutablePointer<UInt8>
    private var capacity = 1024
    private(set) var count = 0
    private let moments: UnsafeMutablePointer<UInt8>
    private let momentKeys: UnsafeMutablePointer<Int64>
    private var text: [UInt8] = []

    private static var momentSlots: Int { 64 }
    private static var momentRoom: Int { 32 }
    /// A kind, a length, and what is written beyond the text.
    private static var headRoom: Int { 40 }

    init() {
        base = .allocate(capacity: capacity)
        moments = .allocate(capacity: CellBuffer.momentSlots * CellBuffer.momentRoom)
        moments.initialize(repeating: 0, count: CellBuffer.momentSlots * CellBuffer.momentRoom)
        momentKeys = .allocate(capacity: CellBuffer.momentSlots)
        // No moment is that long ago.
        momentKeys.initialize(repeating: .min, count: CellBuffer.momentSlots)
    }

    deinit {
        base.deallocate()
        moments.deallocate()
        momentKeys.deallocate()
    }

    /// The cells from an offset on to the end or another offset, until something is appended.
    func cells(_ start: Int, _ end: Int) -> Cells {
        precondition(start >= 0 && start <= end && end <= count, "cells outside the buffer")
        return Cells(base: UnsafePointer(base + start), size: end - start)
    }

    /// All of them.
    var cells: Cells { cells(0, count) }

    mutating func removeAll() { count = 0 }

    // MARK: values

    mutating func null() {
        let target = tail(1)
        target[0] = 0
        count += 1
    }

    /// A text, null if it is empty.
    mutating func text(_ bytes: ArraySlice<UInt8>) {
        if bytes.isEmpty { return null() }
        bytes.withUnsafeBufferPointer { append(.text, $0) }
    }

    /// A number, null if there is none.
    mutating func number(_ number: ExactDecimal?) {
        if let number { self.number(number, .decimal) } else { null() }
    }

    /// A moment, null if there is none.
    mutating func moment(_ moment: Instant?) {
        guard let moment else { return null() }
        guard moment.nanoseconds == 0 else { return slowly(.date, moment.append) }
        let seconds = moment.secondsSince1970
        // Most moments of a table are noon or midnight of some day.
        let slot = Int(truncatingIfNeeded: (seconds / 3600) % Int64(CellBuffer.momentSlots - 3)).magnitude
        let known = moments + Int(slot) * CellBuffer.momentRoom
        if momentKeys[Int(slot)] != seconds {
            text.removeAll(keepingCapacity: true)
            moment.append(to: &text)
            guard text.count < CellBuffer.momentRoom - 1 else { return slowly(.date, moment.append) }
            known[0] = CellKind.date.rawValue << 5 | UInt8(truncatingIfNeeded: text.count)
            for (index, byte) in text.enumerated() { known[index + 1] = byte }
            momentKeys[Int(slot)] = seconds
        }
        let target = UnsafeMutableRawPointer(tail(CellBuffer.momentRoom))
        target.storeBytes(of: UnsafeRawPointer(known).loadUnaligned(as: SIMD4<UInt64>.self), as: SIMD4<UInt64>.self)
        count += Int(known[0] & CellCursor.longMark) + 1
    }

    /// A flag, null if there is none.
    mutating func flag(_ flag: Bool?) {
        guard let flag else { return null() }
        let word: StaticString = flag ? "true" : "false"
        word.withUTF8Buffer { append(.flag, $0) }
    }

    /// Any value.
    mutating func value(_ value: AllocValue) {
        switch value {
        case .null: null()
        case .string(var text): text.withUTF8 { append(.text, $0) }
        case .decimal(let number): self.number(number, .decimal)
        case .int(let number): self.number(ExactDecimal(number), .int)
        case .bool(let flag): self.flag(flag)
        case .date(let moment): self.moment(moment)
        }
    }

    /// A cell of another row.
    @inline(__always)
    mutating func cell(_ cell: Cell) { append(cell.kind, cell.bytes) }

    // MARK: values of rows without a record

    /// A number of a row; its sign is the class's.
    @inline(__always)
    mutating func number(_ number: PlainDecimal, isNegative: Bool) {
        let target = tail(PlainDecimal.textRoom)
        var size = 0
        if isNegative {
            target[1] = 0x2D
            size = 1
        }
        size += number.copyMagnitude(to: target + 1 + size)
        target[0] = CellKind.decimal.rawValue << 5 | UInt8(truncatingIfNeeded: size)
        count += size + 1
    }

    /// A moment of a row, null if it has none.
    @inline(__always)
    mutating func moment(_ moment: RowValues.Moment) {
        if moment.isBlank { return null() }
        let target = tail(RowValues.Moment.textRoom)
        let size = moment.copyText(to: target + 1)
        target[0] = CellKind.date.rawValue << 5 | UInt8(truncatingIfNeeded: size)
        count += size + 1
    }

    /// A text of a row, null if it is empty.
    mutating func text(_ view: ByteView) {
        if view.isEmpty { return null() }
        view.withUnsafeBytes { append(.text, $0.assumingMemoryBound(to: UInt8.self)) }
    }

    /// Cells that a buffer has made.
    mutating func append(encoded bytes: ByteView) {
        bytes.copy(to: tail(bytes.count))
        count += bytes.count
    }

    // MARK: memory

    @inline(__always)
    private mutating func append(_ kind: CellKind, _ bytes: UnsafeBufferPointer<UInt8>) {
        let size = bytes.count
        var target = tail(size)
        if size < CellCursor.longMark {
            target[0] = kind.rawValue << 5 | UInt8(truncatingIfNeeded: size)
            target += 1
        } else {
            precondition(size <= UInt32.max, "a cell has less than 4 GB")
            target[0] = kind.rawValue << 5 | CellCursor.longMark
            UnsafeMutableRawPointer(target + 1).storeBytes(of: UInt32(truncatingIfNeeded: size), as: UInt32.self)
            target += 5
        }
        if let source = bytes.baseAddress { target.update(from: source, count: size) }
        count = target + size - base
    }

    /// Numbers of up to 64 bits are written backwards where they go.
    private mutating func number(_ number: ExactDecimal, _ kind: CellKind) {
        guard let magnitude = UInt64(exactly: number.coefficient.magnitude), number.scale <= 20 else {
            return slowly(kind, number.append)
        }
        let scale = Int(number.scale)
        let digits = max(CellBuffer.digits(of: magnitude), scale + 1)
        let isNegative = number.isNegative
        let size = digits + (scale > 0 ? 1 : 0) + (isNegative ? 1 : 0)
        let target = tail(size)
        target[0] = kind.rawValue << 5 | UInt8(truncatingIfNeeded: size)
        var place = size
        var rest = magnitude
        for written in 0..<digits {
            if written == scale, scale > 0 {
                target[place] = 0x2E
                place &-= 1
            }
            let (quotient, digit) = rest.quotientAndRemainder(dividingBy: 10)
            target[place] = 0x30 &+ UInt8(truncatingIfNeeded: digit)
            rest = quotient
            place &-= 1
        }
        if isNegative { target[1] = 0x2D }
        count += size + 1
    }

    private static func digits(of number: UInt64) -> Int {
        var (count, bound) = (1, 10 as UInt64)
        while number >= bound, count < 19 {
            count += 1
            bound &*= 10
        }
        return number >= 10_000_000_000_000_000_000 ? 20 : count
    }

    private mutating func slowly(_ kind: CellKind, _ write: (inout [UInt8]) -> Void) {
        text.removeAll(keepingCapacity: true)
        write(&text)
        text.withUnsafeBufferPointer { append(kind, $0) }
    }

    /// Where the next cell goes; there is room for a text of so many bytes.
    @inline(__always)
    private mutating func tail(_ size: Int) -> UnsafeMutablePointer<UInt8> {
        if capacity &- count < size &+ CellBuffer.headRoom { grow(size + CellBuffer.headRoom) }
        return base + count
    }

    @inline(never)
    private mutating func grow(_ needed: Int) {
        capacity = max(capacity * 2, count + needed)
        let larger = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity)
        larger.moveInitialize(from: base, count: count)
        base.deallocate()
        base = larger
    }
}
