/// A number in the shape that most exports print: a sign, perhaps a dollar sign, digits in groups of three or in one
/// row, a decimal mark, digits. Every other shape is for a slower reader.
///
/// Invariant: `digits` points at `digitCount` readable bytes, and `textRoom` bytes are readable from it on, for as long as
/// the cell or the scratch memory that `read` was given stands.
public struct PlainDecimal: BitwiseCopyable {
    /// The number is `coefficient / 10^scale`, without a zero at the end of its decimals; zero has scale 0.
    public let coefficient: Int64
    /// 0 to 18.
    public let scale: UInt8
    @usableFromInline let digitCount: UInt8
    @usableFromInline let digits: UnsafePointer<UInt8>

    /// The number 0.
    @inlinable
    public init() {
        let literal: StaticString = "0                               "
        self.init(0, scale: 0, digits: literal.utf8Start, count: 1)
    }

    @inlinable
    @inline(__always)
    init(_ coefficient: Int64, scale: Int, digits: UnsafePointer<UInt8>, count: Int) {
        self.coefficient = coefficient
        self.scale = UInt8(truncatingIfNeeded: scale)
        self.digits = digits
        digitCount = UInt8(truncatingIfNeeded: count)
    }

    /// The shortest text of the number without its sign.
    @inlinable
    public var magnitude: ByteView {
        @inline(__always) get { ByteView(base: digits, count: Int(digitCount)) }
    }

    /// Copies the shortest text of the number without its sign; returns how many bytes that are.
    ///
    /// - Parameter target: room for ``textRoom`` bytes; what stands after the text is left undefined.
    @inlinable
    @inline(__always)
    public func copyMagnitude(to target: UnsafeMutablePointer<UInt8>) -> Int {
        PaddedBytes.copy(digits, Int(digitCount), to: target)
        return Int(digitCount)
    }

    /// −1, 0 or 1.
    @inlinable
    public var signum: Int {
        @inline(__always) get { coefficient == 0 ? 0 : (coefficient < 0 ? -1 : 1) }
    }

    /// Whether it is written in at most 8 bytes without its sign: at most 8 digits, 6 of them decimals.
    @inlinable
    public var isShort: Bool {
        @inline(__always) get { digitCount <= 8 }
    }

    /// The room that a text is copied to: 18 digits, a mark and a zero before it, in steps of 16 bytes.
    @inlinable public static var textRoom: Int { 32 }

    /// How many bytes of scratch memory `read` may use.
    @inlinable public static var scratchBytes: Int { textRoom }

    /// Reads a cell; nil when it has another shape or more than 18 digits.
    ///
    /// - Parameters:
    ///   - mark: the decimal mark, a point or a comma; the other one groups.
    ///   - scratch: ``scratchBytes`` bytes that are used for the shortest text.
    public static func read(
        _ cell: ByteView, mark: UInt8, scratch: UnsafeMutablePointer<UInt8>
    ) -> PlainDecimal? {
        guard let (isNegative, text) = opened(cell, mark), let number = slow(text, mark, scratch) else { return nil }
        if number.digits == UnsafePointer(scratch) || number.coefficient == 0 {
            return number.signed(isNegative)
        }
        // Nobody vouches for what stands behind the cell.
        number.magnitude.copy(to: scratch)
        return PlainDecimal(
            number.coefficient, scale: Int(number.scale), digits: scratch, count: Int(number.digitCount)
        ).signed(isNegative)
    }

    /// The same for a cell from each byte of which on ``textRoom`` bytes are readable.
    @inlinable
    @inline(__always)
    public static func readPadded(
        _ cell: ByteView, mark: UInt8, scratch: UnsafeMutablePointer<UInt8>
    ) -> PlainDecimal? {
        guard let (isNegative, text) = opened(cell, mark) else { return nil }
        if text.count <= 8, mark == 0x2E, let number = oneWord(text.base, text.count) {
            return number.signed(isNegative)
        }
        return slow(text, mark, scratch)?.signed(isNegative)
    }

    /// Digits with or without a minus sign and a point in the middle, no zero before another digit. `textRoom` bytes are
    /// readable from each byte of the cell on.
    @inlinable
    @inline(__always)
    public static func readBare(_ cell: ByteView, mark: UInt8) -> PlainDecimal? {
        guard cell.count > 0, mark == 0x2E else { return nil }
        let sign = cell.base[0] == 0x2D ? 1 : 0
        let (base, count) = (cell.base + sign, cell.count &- sign)
        guard UInt(bitPattern: count &- 1) < 8 else { return nil }
        if base[0] == 0x30, count > 1, base[1] != 0x2E { return nil }
        return oneWord(base, count)?.signed(sign == 1)
    }

    /// A cell without its sign, a dollar sign, and zeros before the first digit; nil when nothing is left.
    @inlinable
    @inline(__always)
    static func opened(_ cell: ByteView, _ mark: UInt8) -> (isNegative: Bool, text: ByteView)? {
        var base = cell.base
        var count = cell.count
        var isNegative = false
        guard count > 0 else { return nil }
        if base[0] &- 0x31 >= 9 {
            if base[0] == 0x2D || base[0] == 0x2B {
                isNegative = base[0] == 0x2D
                base += 1
                count &-= 1
            }
            if count > 0, base[0] == 0x24 {
                base += 1
                count &-= 1
            }
            guard count > 0 else { return nil }
            if base[0] == 0x30 {
                // Thousands do not begin with a zero.
                for place in 1..<count where base[place] == (mark == 0x2E ? 0x2C : 0x2E) { return nil }
                while count > 1, base[0] == 0x30, base[1] &- 0x30 < 10 {
                    base += 1
                    count &-= 1
                }
            }
        }
        return (isNegative, ByteView(base: base, count: count))
    }

    @inlinable
    @inline(__always)
    func signed(_ isNegative: Bool) -> PlainDecimal {
        PlainDecimal(
            isNegative ? 0 &- coefficient : coefficient, scale: Int(scale), digits: digits, count: Int(digitCount))
    }

    /// 1 to 8 bytes with or without a point, in one word. Reads 8 bytes from `base` on.
    @inlinable
    @inline(__always)
    static func oneWord(_ base: UnsafePointer<UInt8>, _ count: Int) -> PlainDecimal? {
        let drop = UInt64(truncatingIfNeeded: 64 &- 8 &* count)
        let loaded = UInt64(littleEndian: UnsafeRawPointer(base).loadUnaligned(as: UInt64.self))
        // Digits are 0 to 9; the last one stands in the highest byte, and zeros stand before the first.
        let digits = (loaded ^ 0x3030_3030_3030_3030) &<< drop
        let others =
            (((digits & 0x7F7F_7F7F_7F7F_7F7F) &+ 0x7676_7676_7676_7676) | digits) & 0x8080_8080_8080_8080
        if others == 0 { return made(DigitWord.sum(digits), 0, base, count) }
        // The lowest bit of the one byte that is no digit.
        let mark = others &>> 7
        let places = 7 &- mark.trailingZeroBitCount &>> 3
        let numerals = digits ^ mark &* (0x2E ^ 0x30)
        // There is no other, it is a point, and digits stand on both sides of it.
        guard mark & (mark &- 1) | numerals & (mark &<< 8 &- mark) == 0,
            UInt(bitPattern: places &- 1) < UInt(bitPattern: count &- 2)
        else { return nil }
        // What stands before the point moves next to what stands after it.
        let whole = numerals & (mark &- 1)
        let joined = numerals &+ whole &* 0xFF
        if joined &>> 56 != 0 {
            let value = Int64(truncatingIfNeeded: DigitWord.sum(joined))
            return PlainDecimal(value, scale: places, digits: base, count: count)
        }
        let zeros = min(places, joined.leadingZeroBitCount &>> 3)
        let value = DigitWord.sum(joined &<< UInt64(truncatingIfNeeded: 8 &* zeros))
        let scale = places &- zeros
        return made(value, scale, base, scale == 0 ? count &- places &- 1 : count &- zeros)
    }

    @inline(never)
    @usableFromInline
    static func slow(
        _ text: ByteView, _ mark: UInt8, _ scratch: UnsafeMutablePointer<UInt8>
    ) -> PlainDecimal? {
        short(text.base, text.count, mark) ?? long(text, mark, scratch)
    }

    /// Up to 8 digits, and up to 8 decimals after a point: eight bytes at a time.
    @inline(__always)
    private static func short(_ base: UnsafePointer<UInt8>, _ count: Int, _ mark: UInt8) -> PlainDecimal? {
        let head = ByteView(base: base, count: min(count, 8)).leadingWord
        let length = DigitWord.count(head)
        guard length > 0 else { return nil }
        let whole = DigitWord.value(head, length)
        if length == count { return made(whole, 0, base, count) }
        // A comma as the mark needs a text of its own.
        guard length < 8, mark == 0x2E, base[length] == mark else { return nil }
        let places = count - length - 1
        guard places > 0, places <= 8 else { return nil }
        let tail = ByteView(base: base + length + 1, count: places).leadingWord
        guard DigitWord.count(tail) == places else { return nil }
        let kept = DigitWord.significant(tail, places)
        if kept == 0 { return made(whole, 0, base, length) }
        let value = whole &* DigitWord.power(kept) &+ DigitWord.value(tail, kept)
        return made(value, kept, base, length + 1 + kept)
    }

    @inlinable
    @inline(__always)
    static func made(
        _ value: UInt64, _ scale: Int, _ digits: UnsafePointer<UInt8>, _ count: Int
    ) -> PlainDecimal {
        if value == 0 { return PlainDecimal() }
        return PlainDecimal(Int64(truncatingIfNeeded: value), scale: scale, digits: digits, count: count)
    }

    /// The same, byte by byte, for up to 18 digits, groups of three, either mark, and a point without a digit before
    /// it. The shortest text is put together in the scratch memory.
    @inline(never)
    private static func long(
        _ cell: ByteView, _ mark: UInt8, _ scratch: UnsafeMutablePointer<UInt8>
    ) -> PlainDecimal? {
        guard let number = DigitScan(cell, mark: mark) else { return nil }
        return written(number.value, scale: number.scale, to: scratch)
    }

    /// A number of at most 18 digits, with its shortest text in scratch memory.
    ///
    /// - Parameters:
    ///   - scale: 0 to 18; the last of so many decimals is not 0.
    ///   - scratch: ``scratchBytes`` bytes that must stand as long as the number.
    public static func written(
        _ magnitude: UInt64, scale: Int, isNegative: Bool = false, to scratch: UnsafeMutablePointer<UInt8>
    ) -> PlainDecimal {
        if magnitude == 0 { return PlainDecimal() }
        var length = 0
        func put(_ byte: UInt8) {
            scratch[length] = byte
            length += 1
        }
        var divisor = DigitWord.power(scale)
        var rest = magnitude / divisor
        var unit = DigitWord.power(18)
        while unit > 1, unit > rest { unit /= 10 }
        while unit > 0 {
            put(0x30 &+ UInt8(truncatingIfNeeded: rest / unit))
            rest %= unit
            unit /= 10
        }
        rest = magnitude % divisor
        if scale > 0 { put(0x2E) }
        while divisor > 1 {
            divisor /= 10
            put(0x30 &+ UInt8(truncatingIfNeeded: rest / divisor))
            rest %= divisor
        }
        return made(magnitude, scale, UnsafePointer(scratch), length).signed(isNegative)
    }
}

extension RecordView {
    /// A cell as a number; nil when there is none, or it has another shape than ``PlainDecimal`` reads.
    ///
    /// - Parameters:
    ///   - cell: what `cell(_:)` gives.
    ///   - mark: the decimal mark, a point or a comma; the other one groups.
    ///   - scratch: ``PlainDecimal/scratchBytes`` bytes that are used when the shortest text does not stand in the cell.
    @inlinable
    public func plainDecimal(
        _ index: Int, _ cell: ByteView, mark: UInt8, scratch: UnsafeMutablePointer<UInt8>
    ) -> PlainDecimal? {
        guard UInt(bitPattern: index) < UInt(bitPattern: count) else { return nil }
        return cells[index].isInScratch
            ? PlainDecimal.read(cell.content, mark: mark, scratch: scratch)
            : PlainDecimal.readPadded(cell.content, mark: mark, scratch: scratch)
    }
}

/// A number without a sign, read byte by byte.
private struct DigitScan {
    var value: UInt64 = 0
    var scale = 0

    /// Nil when the text is no number of at most 18 digits, or its groups are not of three.
    init?(_ text: ByteView, mark: UInt8) {
        let group: UInt8 = mark == 0x2E ? 0x2C : 0x2E
        var digits = 0
        /// Digits since the last group mark; -1 before any.
        var run = -1
        var at = 0
        while at < text.count, text[at] != mark {
            let byte = text[at]
            if byte &- 0x30 < 10 {
                value = value &* 10 &+ UInt64(byte &- 0x30)
                digits += 1
                guard digits <= 18 else { return nil }
                if run >= 0 { run += 1 }
            } else {
                // The first group has one to three digits and does not begin with zero.
                guard byte == group, run < 0 ? digits > 0 && digits <= 3 && text[0] != 0x30 : run == 3 else {
                    return nil
                }
                run = 0
            }
            at += 1
        }
        guard run < 0 || run == 3 else { return nil }
        at += 1
        var kept = value
        var places = 0
        while at < text.count {
            guard text[at] &- 0x30 < 10, digits < 18 else { return nil }
            value = value &* 10 &+ UInt64(text[at] &- 0x30)
            digits += 1
            places += 1
            at += 1
            if value % 10 != 0 {
                kept = value
                scale = places
            }
        }
        guard digits > 0 else { return nil }
        value = kept
    }
}
