/// A number in the shape that most exports print: a sign, perhaps a dollar sign, digits in groups of three or in one
/// row, a decimal mark, digits. Every other shape is for a slower reader.
///
/// Invariant: `digits` points at `digitCount` readable bytes for as long as the cell or the scratch memory that
/// `read` was given stands.
public struct PlainDecimal: BitwiseCopyable {
    /// The number is `coefficient / 10^scale`, without a zero at the end of its decimals; zero has scale 0.
    public private(set) var coefficient: Int64
    /// 0 to 18.
    public let scale: UInt8
    private let digitCount: UInt8
    private let digits: UnsafePointer<UInt8>

    /// The number 0.
    public init() {
        let literal: StaticString = "0"
        self.init(0, scale: 0, digits: literal.utf8Start, count: 1)
    }

    @inline(__always)
    private init(_ coefficient: Int64, scale: Int, digits: UnsafePointer<UInt8>, count: Int) {
        self.coefficient = coefficient
        self.scale = UInt8(truncatingIfNeeded: scale)
        self.digits = digits
        digitCount = UInt8(truncatingIfNeeded: count)
    }

    /// The shortest text of the number without its sign.
    public var magnitude: ByteView {
        @inline(__always) get { ByteView(base: digits, count: Int(digitCount)) }
    }

    /// −1, 0 or 1.
    public var signum: Int {
        @inline(__always) get { coefficient == 0 ? 0 : (coefficient < 0 ? -1 : 1) }
    }

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
        read(cell, mark: mark, scratch: scratch, isPadded: false)
    }

    /// The same; `isPadded` vouches that 8 bytes are readable from every byte of the cell on.
    @inline(__always)
    fileprivate static func read(
        _ cell: ByteView, mark: UInt8, scratch: UnsafeMutablePointer<UInt8>, isPadded: Bool
    ) -> PlainDecimal? {
        var base = cell.base
        var count = cell.count
        var isNegative = false
        if count > 0, base[0] == 0x2D || base[0] == 0x2B {
            isNegative = base[0] == 0x2D
            base += 1
            count -= 1
        }
        if count > 0, base[0] == 0x24 {
            base += 1
            count -= 1
        }
        while count > 1, base[0] == 0x30, base[1] &- 0x30 < 10 {
            base += 1
            count -= 1
        }
        var number: PlainDecimal
        if isPadded, count > 0, count <= 8, let plain = oneWord(base, count, mark) {
            number = plain
        } else if let plain = short(base, count, mark) ?? long(ByteView(base: base, count: count), mark, scratch) {
            number = plain
        } else {
            return nil
        }
        if isNegative { number.coefficient = -number.coefficient }
        return number
    }

    /// Up to 8 bytes with or without a point, in one word. Reads 8 bytes from `base` on.
    @inline(__always)
    private static func oneWord(_ base: UnsafePointer<UInt8>, _ count: Int, _ mark: UInt8) -> PlainDecimal? {
        let loaded = UnsafeRawPointer(base).loadUnaligned(as: UInt64.self)
        let word = UInt64(littleEndian: loaded) & (UInt64.max >> UInt64(truncatingIfNeeded: 64 - 8 * count))
        let length = DigitWord.count(word)
        if length == count { return made(DigitWord.value(word, count), 0, base, count) }
        let places = count - length - 1
        // A comma as the mark needs a text of its own.
        guard length > 0, places > 0, mark == 0x2E, base[length] == mark else { return nil }
        let whole = (1 as UInt64) << UInt64(truncatingIfNeeded: 8 * length) &- 1
        let digits = (word & whole) | (word >> 8 & ~whole)
        guard DigitWord.count(digits) == count - 1 else { return nil }
        let kept = length + places - min(places, DigitWord.zeros(digits, count - 1))
        let scale = kept - length
        return made(DigitWord.value(digits, kept), scale, base, scale == 0 ? length : kept + 1)
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

    @inline(__always)
    private static func made(
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
        var length = 0
        func put(_ byte: UInt8) {
            scratch[length] = byte
            length += 1
        }
        var divisor = DigitWord.power(number.scale)
        var rest = number.value / divisor
        if number.value == 0 { return PlainDecimal() }
        var unit = DigitWord.power(18)
        while unit > 1, unit > rest { unit /= 10 }
        while unit > 0 {
            put(0x30 &+ UInt8(truncatingIfNeeded: rest / unit))
            rest %= unit
            unit /= 10
        }
        rest = number.value % divisor
        if number.scale > 0 { put(0x2E) }
        while divisor > 1 {
            divisor /= 10
            put(0x30 &+ UInt8(truncatingIfNeeded: rest / divisor))
            rest %= divisor
        }
        return made(number.value, number.scale, UnsafePointer(scratch), length)
    }
}

extension RecordView {
    /// A cell as a number; nil when it has another shape, see ``PlainDecimal/read(_:mark:scratch:)``.
    @inline(__always)
    func readDecimal(_ index: Int, mark: UInt8, scratch: UnsafeMutablePointer<UInt8>) -> PlainDecimal? {
        PlainDecimal.read(cell(index).content, mark: mark, scratch: scratch, isPadded: !cells[index].isInScratch)
    }

    /// A cell as a number; nil when there is none, or it has another shape than ``PlainDecimal`` reads.
    ///
    /// - Parameters:
    ///   - mark: the decimal mark, a point or a comma; the other one groups.
    ///   - scratch: ``PlainDecimal/scratchBytes`` bytes that are used when the shortest text does not stand in the cell.
    public func plainDecimal(_ index: Int, mark: UInt8, scratch: UnsafeMutablePointer<UInt8>) -> PlainDecimal? {
        guard UInt(bitPattern: index) < UInt(bitPattern: count) else { return nil }
        return readDecimal(index, mark: mark, scratch: scratch)
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
