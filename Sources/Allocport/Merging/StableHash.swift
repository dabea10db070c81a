import OpenAlloc

/// A 128-bit hash that is the same on every machine: SipHash-2-4 with 128-bit output and a fixed key.
///
/// Sixteen bytes stand for a whole row in the merge, so that a run remembers little; a chance collision among a
/// billion rows has odds of about 1 in 10^21.
struct StableHash: Sendable, Hashable {
    var high: UInt64
    var low: UInt64

    /// In place of a hash where none is asked for.
    static var none: StableHash { StableHash(high: 0, low: 0) }

    private init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// The hash of bytes.
    init(_ bytes: UnsafeRawBufferPointer) {
        var state = SipState()
        let whole = bytes.count & ~7
        var offset = 0
        while offset < whole {
            state.absorb(UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)))
            offset += 8
        }
        var last = UInt64(truncatingIfNeeded: bytes.count) << 56
        for index in whole..<bytes.count { last |= UInt64(bytes[index]) << UInt64(8 * (index - whole)) }
        state.absorb(last)
        (high, low) = state.finish()
    }

    /// The hash of bytes.
    init(_ bytes: [UInt8]) { self = bytes.withUnsafeBytes { StableHash($0) } }

    /// The id of the n-th row of this key: the hash of its hex digits, `#` and n.
    func numbered(_ occurrence: Int) -> StableHash {
        var bytes = InlineArray<56, UInt8>(repeating: 0)
        var count = 33
        bytes[32] = 0x23
        var digits = 1
        var rest = occurrence
        while rest > 9 {
            rest /= 10
            digits += 1
        }
        rest = occurrence
        for index in stride(from: count + digits - 1, through: count, by: -1) {
            bytes[index] = 0x30 &+ UInt8(truncatingIfNeeded: rest % 10)
            rest /= 10
        }
        count += digits
        let words = hexWords
        return withUnsafeMutableBytes(of: &bytes) { bytes in
            for index in 0..<4 {
                bytes.storeBytes(of: words[index].littleEndian, toByteOffset: 8 * index, as: UInt64.self)
            }
            return StableHash(UnsafeRawBufferPointer(rebasing: bytes[..<count]))
        }
    }

    /// Appends the 32 hex digits.
    func appendHex(to bytes: inout [UInt8]) {
        let words = hexWords
        for index in words.indices {
            withUnsafeBytes(of: words[index].littleEndian) { bytes.append(contentsOf: $0) }
        }
    }

    /// Writes the 32 hex digits.
    func writeHex(to target: UnsafeMutablePointer<UInt8>) {
        let words = hexWords
        for index in 0..<4 {
            UnsafeMutableRawPointer(target).storeBytes(
                of: words[index].littleEndian, toByteOffset: 8 * index, as: UInt64.self)
        }
    }

    /// The 32 digits, eight in a word, the first in its lowest byte.
    private var hexWords: InlineArray<4, UInt64> {
        [
            StableHash.hex(UInt32(truncatingIfNeeded: high >> 32)), StableHash.hex(UInt32(truncatingIfNeeded: high)),
            StableHash.hex(UInt32(truncatingIfNeeded: low >> 32)), StableHash.hex(UInt32(truncatingIfNeeded: low)),
        ]
    }

    /// Eight hex digits at once: one nibble a byte, then 0x30 or 0x57 added to each.
    @inline(__always)
    private static func hex(_ word: UInt32) -> UInt64 {
        var spread = UInt64(word.byteSwapped)
        spread = (spread | spread << 16) & 0x0000_FFFF_0000_FFFF
        spread = (spread | spread << 8) & 0x00FF_00FF_00FF_00FF
        // The higher nibble of each byte comes first.
        spread = (spread >> 4 | spread << 8) & 0x0F0F_0F0F_0F0F_0F0F
        let letters = ((spread &+ 0x0606_0606_0606_0606) >> 4) & 0x0101_0101_0101_0101
        return spread &+ 0x3030_3030_3030_3030 &+ letters &* 0x27
    }
}

private struct SipState {
    private var v0: UInt64 = 0x736F_6D65_7073_6575
    private var v1: UInt64 = 0x646F_7261_6E64_6F6D ^ 0xEE
    private var v2: UInt64 = 0x6C79_6765_6E65_7261
    private var v3: UInt64 = 0x7465_6462_7974_6573

    @inline(__always)
    private mutating func round() {
        v0 &+= v1
        v1 = (v1 << 13 | v1 >> 51) ^ v0
        v0 = v0 << 32 | v0 >> 32
        v2 &+= v3
        v3 = (v3 << 16 | v3 >> 48) ^ v2
        v0 &+= v3
        v3 = (v3 << 21 | v3 >> 43) ^ v0
        v2 &+= v1
        v1 = (v1 << 17 | v1 >> 47) ^ v2
        v2 = v2 << 32 | v2 >> 32
    }

    @inline(__always)
    mutating func absorb(_ word: UInt64) {
        v3 ^= word
        round()
        round()
        v0 ^= word
    }

    mutating func finish() -> (UInt64, UInt64) {
        v2 ^= 0xEE
        for _ in 0..<4 { round() }
        let first = v0 ^ v1 ^ v2 ^ v3
        v1 ^= 0xDD
        for _ in 0..<4 { round() }
        return (first, v0 ^ v1 ^ v2 ^ v3)
    }
}
