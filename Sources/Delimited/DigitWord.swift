/// Eight bytes of text as digits, the first in the lowest byte.
@usableFromInline
enum DigitWord {
    /// How many of the first bytes are digits.
    @inline(__always)
    static func count(_ word: UInt64) -> Int {
        let digits = word ^ 0x3030_3030_3030_3030
        let others = ((digits & 0x7F7F_7F7F_7F7F_7F7F) &+ 0x7676_7676_7676_7676 | digits) & 0x8080_8080_8080_8080
        return others == 0 ? 8 : others.trailingZeroBitCount >> 3
    }

    /// How many of the first `count` digits are left without the zeros that end them.
    @inline(__always)
    static func significant(_ word: UInt64, _ count: Int) -> Int {
        let digits = (word ^ 0x3030_3030_3030_3030) << UInt64(64 - 8 * count)
        if digits == 0 { return 0 }
        return count - digits.leadingZeroBitCount >> 3
    }

    /// How many zeros end the first `count` digits; 8 or less.
    @inline(__always)
    static func zeros(_ word: UInt64, _ count: Int) -> Int {
        ((word ^ 0x3030_3030_3030_3030) << UInt64(truncatingIfNeeded: 64 - 8 * count)).leadingZeroBitCount >> 3
    }

    /// The number that the first `count` digits are; 1 to 8 of them.
    @inline(__always)
    static func value(_ word: UInt64, _ count: Int) -> UInt64 {
        // The digits move to the high end; zeros come before them.
        sum((word << UInt64(64 - 8 * count)) & 0x0F0F_0F0F_0F0F_0F0F)
    }

    /// The number whose eight digits the bytes are, each 0 to 9.
    @inlinable
    @inline(__always)
    static func sum(_ digits: UInt64) -> UInt64 {
        var sum = (digits &* 10 &+ digits &>> 8) & 0x00FF_00FF_00FF_00FF
        sum = (sum &* 100 &+ sum &>> 16) & 0x0000_FFFF_0000_FFFF
        return (sum &* 10000 &+ sum &>> 32) & 0xFFFF_FFFF
    }

    /// 10^`exponent`, 0 to 18.
    @inline(__always)
    static func power(_ exponent: Int) -> UInt64 { powers[exponent] }

    private static let powers: [UInt64] = [
        1, 10, 100, 1000, 10000, 100000, 1_000_000, 10_000_000, 100_000_000, 1_000_000_000, 10_000_000_000,
        100_000_000_000, 1_000_000_000_000, 10_000_000_000_000, 100_000_000_000_000, 1_000_000_000_000_000,
        10_000_000_000_000_000, 100_000_000_000_000_000, 1_000_000_000_000_000_000,
    ]
}
