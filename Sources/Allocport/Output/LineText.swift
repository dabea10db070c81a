/// Decimal digits of line numbers.
enum LineText {
    /// The most bytes that are written to.
    static var room: Int { 19 }

    /// Writes a number that is not below 0; returns how many digits it has. Those of numbers below 100 million are found
    /// all at once.
    @inline(never)
    static func write(_ number: Int, to target: UnsafeMutablePointer<UInt8>) -> Int {
        guard number < 100_000_000 else { return writeDigits(number, to: target) }
        // Fours, pairs, and single digits in lanes of one word; the division by 100 or 10 is a multiplication that is
        // exact for all numbers that a lane may have.
        let number = UInt64(truncatingIfNeeded: number)
        let high = number / 10_000
        let fours = high | (number &- high &* 10_000) &<< 32
        let hundreds = (fours &* 10_486) &>> 20 & 0x0000_007F_0000_007F
        let pairs = hundreds | (fours &- hundreds &* 100) &<< 16
        let tens = (pairs &* 103) &>> 10 & 0x000F_000F_000F_000F
        let digits = tens | (pairs &- tens &* 10) &<< 8
        // The first digit is in the lowest byte; at least one is written.
        let zeros = min(digits.trailingZeroBitCount &>> 3, 7)
        let text = (digits | 0x3030_3030_3030_3030) &>> UInt64(truncatingIfNeeded: 8 &* zeros)
        UnsafeMutableRawPointer(target).storeBytes(of: text.littleEndian, as: UInt64.self)
        return 8 &- zeros
    }

    /// The same digit by digit.
    static func writeDigits(_ number: Int, to target: UnsafeMutablePointer<UInt8>) -> Int {
        var count = 1
        var rest = number / 10
        while rest > 0 {
            count += 1
            rest /= 10
        }
        rest = number
        for index in stride(from: count - 1, through: 0, by: -1) {
            target[index] = 0x30 &+ UInt8(truncatingIfNeeded: rest % 10)
            rest /= 10
        }
        return count
    }
}
