import OpenAlloc

/// A 128-bit hash that is the same on every machine: SipHash-2-4 with 128-bit output and a fixed key.
///
/// Sixteen bytes stand for a whole row in the merge, so that a run remembers little; a chance collision among a
/// billion rows has odds of about 1 in 10^21.
struct StableHash: Sendable, Hashable {
    var high: UInt64
    var low: UInt64

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

    /// Appends the 32 hex digits.
    func appendHex(to bytes: inout [UInt8]) {
        for word in [high, low] {
            var shift: UInt64 = 64
            while shift > 0 {
                shift -= 4
                let digit = UInt8(truncatingIfNeeded: (word >> shift) & 15)
                bytes.append(digit < 10 ? 0x30 + digit : 0x57 + digit)
            }
        }
    }
}

private struct SipState {
    private var v0: UInt64 = 0x736F_6D65_7073_6575
    private var v1: UInt64 = 0x646F_7261_6E64_6F6D ^ 0xEE
    private var v2: UInt64 = 0x6C79_6765_6E65_7261
    private var v3: UInt64 = 0x7465_6462_7974_6573

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
