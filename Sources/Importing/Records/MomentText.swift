import OpenAlloc

/// The RFC 3339 text of a whole second in UTC as three words, the first byte in the lowest of the first word: what
/// `Instant.append(to:)` writes, without an array.
enum MomentText {
    /// `2012-12-31T19:00:00Z`: years have four digits.
    static let count = 20

    static func words(of instant: Instant) -> (UInt64, UInt64, UInt64) {
        let (date, time) = instant.civil
        let day =
            twoDigits(date.year / 100) | twoDigits(date.year % 100) << 16 | 0x2D << 32 | twoDigits(date.month) << 40
            | 0x2D << 56
        let hour =
            twoDigits(date.day) | 0x54 << 16 | twoDigits(time.hour) << 24 | 0x3A << 40 | twoDigits(time.minute) << 48
        return (day, hour, 0x3A | twoDigits(time.second) << 8 | 0x5A << 24)
    }

    /// `.25Z`, with as many decimals as it needs, and how many bytes that are more than the `Z`.
    static func decimals(_ nanoseconds: UInt32) -> (UInt128, Int) {
        var (rest, length) = (nanoseconds, 9)
        while length > 1, rest % 10 == 0 { (rest, length) = (rest / 10, length - 1) }
        var text: UInt128 = 0x5A
        for _ in 0..<length {
            text = text << 8 | UInt128(0x30 + rest % 10)
            rest /= 10
        }
        return (text << 8 | 0x2E, length + 1)
    }

    static func twoDigits(_ value: Int) -> UInt64 {
        let value = UInt64(truncatingIfNeeded: value)
        return 0x3030 | (value / 10 % 10) | (value % 10) << 8
    }
}
