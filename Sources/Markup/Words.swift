/// Eight bytes at a time: the first byte of memory is the lowest of the word.
enum Words {
    private static let ones: UInt64 = 0x0101_0101_0101_0101
    private static let highs: UInt64 = 0x8080_8080_8080_8080

    /// The eight bytes at an address; the caller vouches that all of them are readable.
    @inline(__always)
    static func load(_ address: UnsafePointer<UInt8>) -> UInt64 {
        UInt64(littleEndian: UnsafeRawPointer(address).loadUnaligned(as: UInt64.self))
    }

    /// The high bit of each byte that is `byte`; exact up to and including the first one.
    @inline(__always)
    static func marks(_ word: UInt64, _ byte: UInt8) -> UInt64 {
        let difference = word ^ (UInt64(byte) &* ones)
        return (difference &- ones) & ~difference & highs
    }

    /// The high bit of each byte that is `byte`, and of no other.
    @inline(__always)
    static func exact(_ word: UInt64, _ byte: UInt8) -> UInt64 {
        let difference = word ^ (UInt64(byte) &* ones)
        return ~(((difference & ~highs) &+ ~highs) | difference | ~highs)
    }

    /// The high bit of the bytes that end plain text: control characters, `<`, `>`, `&`, and what may begin a character
    /// that XML has not (0xEF); exact up to and including the first one.
    @inline(__always)
    static func ends(_ word: UInt64) -> UInt64 {
        let angle = (word | (0x02 &* ones)) ^ (0x3E &* ones)
        let amp = word ^ (0x26 &* ones)
        let control = (word &- (0x20 &* ones)) & ~word
        let marks = (control | ((angle &- ones) & ~angle) | ((amp &- ones) & ~amp)) & highs
        return word & highs == 0 ? marks : marks | Self.marks(word, 0xEF)
    }

    /// The high bit of the bytes that end plain text in double quotes: the quote, control characters, `<`, `&`, and what
    /// may begin a character that XML has not; exact up to and including the first one.
    @inline(__always)
    static func quoteEnds(_ word: UInt64) -> UInt64 {
        let control = (word &- (0x20 &* ones)) & ~word & highs
        let marks = control | Self.marks(word, 0x22) | Self.marks(word, 0x3C) | Self.marks(word, 0x26)
        return word & highs == 0 ? marks : marks | Self.marks(word, 0xEF)
    }

    /// How many bytes are marked.
    @inline(__always)
    static func count(_ marks: UInt64) -> Int { Int(truncatingIfNeeded: ((marks >> 7) &* ones) >> 56) }

    /// The place of the first marked byte; `marks` is not 0.
    @inline(__always)
    static func first(_ marks: UInt64) -> Int { marks.trailingZeroBitCount >> 3 }

    /// The first `count` bytes, 0 to 7, and zeros behind.
    @inline(__always)
    static func prefix(_ word: UInt64, _ count: Int) -> UInt64 { word & ((1 << UInt64(count * 8)) &- 1) }

    /// ASCII letters in upper case.
    @inline(__always)
    static func upper(_ word: UInt64) -> UInt64 {
        let low = word & ~highs
        let isAbove = low &+ (UInt64(0x7F - 0x7A) &* ones)
        let isFrom = low &+ (UInt64(0x80 - 0x61) &* ones)
        let isLower = ~word & highs & (isFrom ^ isAbove)
        return word ^ (isLower >> 2)
    }
}

/// The bytes of names.
enum NameByte {
    @inline(__always)
    static func starts(_ byte: UInt8) -> Bool {
        (byte | 0x20 >= 0x61 && byte | 0x20 <= 0x7A) || byte == 0x5F || byte >= 0x80
    }

    @inline(__always)
    static func isName(_ byte: UInt8) -> Bool {
        starts(byte) || (byte >= 0x30 && byte <= 0x3A) || byte == 0x2E || byte == 0x2D
    }
}
