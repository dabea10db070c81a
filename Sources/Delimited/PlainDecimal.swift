/// A number in the shape that most exports print: a sign, perhaps a dollar sign, digits in groups of three or in one
/// row, a decimal mark, digits. Every other shape is for a slower reader.
///
/// Invariant: `digits` points at `digitCount` readable bytes for as long as the cell or the scratch memory that
/// `read` was given stands.
public struct PlainDecimal: BitwiseCopyable {
    /// The number is `coefficient / 10^scale`, without a zero at the end of its decimals; zero has scale 0.
    public private(set) var coefficient: Int64 = 0
    /// 0 to 18.
    public private(set) var scale: UInt8 = 0
    private var digitCount: UInt8 = 0
    private var digits: UnsafePointer<UInt8>

    /// The number 0.
    @inlinable
    public init() { self = Self.zero }

    @usableFromInline
    init(coefficient: Int64, scale: UInt8, digits: UnsafePointer<UInt8>, digitCount: UInt8) {
        self.coefficient = coefficient
        self.scale = scale
        self.digits = digits
        self.digitCount = digitCount
    }

    @usableFromInline static var zero: PlainDecimal {
        let literal: StaticString = "0"
        return PlainDecimal(coefficient: 0, scale: 0, digits: literal.utf8Start, digitCount: 1)
    }

    /// The shortest text of the number without its sign.
    public var magnitude: ByteView { ByteView(base: digits, count: Int(digitCount)) }

    /// −1, 0 or 1.
    public var signum: Int { coefficient == 0 ? 0 : (coefficient < 0 ? -1 : 1) }

    /// How many bytes of scratch memory `read` may use.
    public static var scratchBytes: Int { 24 }

    /// Reads a cell; nil when it has another shape or more than 18 digits.
    ///
    /// - Parameters:
    ///   - mark: the decimal mark, a point or a comma; the other one groups.
    ///   - scratch: ``scratchBytes`` bytes that are used when the shortest text does not stand in the cell.
    public static func read(
        _ cell: ByteView, mark: UInt8, scratch: UnsafeMutablePointer<UInt8>
    ) -> PlainDecimal? {
        let base = cell.base
        let count = cell.count
        var at = 0
        var isNegative = false
        if count > 0, base[0] == 0x2D || base[0] == 0x2B {
            isNegative = base[0] == 0x2D
            at = 1
        }
        if at < count, base[at] == 0x24 { at += 1 }
        guard count - at <= 20 else { return nil }
        while at + 1 < count, base[at] == 0x30, base[at + 1] &- 0x30 < 10 { at += 1 }
        let first = at
        var value: UInt64 = 0
        while at < count {
            let digit = base[at] &- 0x30
            if digit > 9 { break }
            value = value &* 10 &+ UInt64(digit)
            at += 1
        }
        var places = at - first
        // 19 digits fit 64 bits, one more may not.
        guard places <= 18 else { return nil }
        if at < count, base[at] != mark {
            return grouped(cell, isNegative: isNegative, from: first, mark: mark, scratch: scratch)
        }
        guard at < count else {
            return places == 0 ? nil : made(value, isNegative, 0, UnsafePointer(base + first), places)
        }
        let point = at
        var kept = value
        var keptEnd = at
        at += 1
        while at < count {
            let digit = base[at] &- 0x30
            if digit > 9 { return nil }
            value = value &* 10 &+ UInt64(digit)
            at += 1
            if digit != 0 {
                kept = value
                keptEnd = at
            }
        }
        places += at - point - 1
        guard places > 0, places <= 18 else { return nil }
        let scale = keptEnd == point ? 0 : keptEnd - point - 1
        if first == point {
            // `.5` lacks the zero that its shortest text has.
            scratch[0] = 0x30
            for index in point..<keptEnd { scratch[1 + index - point] = index == point ? 0x2E : base[index] }
            return made(kept, isNegative, scale, UnsafePointer(scratch), 1 + keptEnd - point)
        }
        if mark != 0x2E, scale > 0 {
            for index in first..<keptEnd { scratch[index - first] = index == point ? 0x2E : base[index] }
            return made(kept, isNegative, scale, UnsafePointer(scratch), keptEnd - first)
        }
        return made(kept, isNegative, scale, UnsafePointer(base + first), keptEnd - first)
    }

    @inline(__always)
    private static func made(
        _ value: UInt64, _ isNegative: Bool, _ scale: Int, _ digits: UnsafePointer<UInt8>, _ count: Int
    ) -> PlainDecimal {
        if value == 0 { return zero }
        let coefficient = Int64(truncatingIfNeeded: value)
        return PlainDecimal(
            coefficient: isNegative ? -coefficient : coefficient, scale: UInt8(truncatingIfNeeded: scale),
            digits: digits, digitCount: UInt8(truncatingIfNeeded: count))
    }

    /// The same with groups of three, which the scratch memory gets without their marks.
    @inline(never)
    private static func grouped(
        _ cell: ByteView, isNegative: Bool, from first: Int, mark: UInt8, scratch: UnsafeMutablePointer<UInt8>
    ) -> PlainDecimal? {
        let base = cell.base
        let group: UInt8 = mark == 0x2E ? 0x2C : 0x2E
        var at = first
        var length = 0
        var run = 0
        var groups = 0
        while at < cell.count {
            let byte = base[at]
            if byte &- 0x30 < 10 {
                guard run < 3, length < scratchBytes else { return nil }
                scratch[length] = byte
                length += 1
                run += 1
            } else if byte == group {
                // The first group has one to three digits and begins with none that is zero.
                guard run == 3 || groups == 0 && run > 0, scratch[0] != 0x30 else { return nil }
                groups += 1
                run = 0
            } else {
                break
            }
            at += 1
        }
        guard groups > 0, run == 3 else { return nil }
        if at < cell.count {
            guard base[at] == mark, length + cell.count - at <= scratchBytes else { return nil }
            scratch[length] = 0x2E
            length += 1
            for index in at + 1..<cell.count {
                scratch[length] = base[index]
                length += 1
            }
        }
        // Without groups it has the common shape, in memory that stays.
        return ungrouped(ByteView(base: UnsafePointer(scratch), count: length), isNegative)
    }

    private static func ungrouped(_ text: ByteView, _ isNegative: Bool) -> PlainDecimal? {
        var spare: UInt8 = 0
        guard let first = text.first, first &- 0x30 < 10,
            let plain = read(text, mark: 0x2E, scratch: &spare)
        else { return nil }
        var number = plain
        if isNegative { number.coefficient = -number.coefficient }
        return number
    }
}
