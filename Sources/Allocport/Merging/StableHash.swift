import CByteMask
import Delimited

/// A 128-bit hash that is the same on every machine: SipHash-2-4 with 128-bit output and a fixed key.
///
/// Sixteen bytes stand for a whole row in the merge, so that a run remembers little; a chance collision among a
/// billion rows has odds of about 1 in 10^21.
struct StableHash: Sendable, Hashable {
    var high: UInt64
    var low: UInt64

    /// In place of a hash where none is asked for.
    static var none: StableHash { StableHash(high: 0, low: 0) }

    init(high: UInt64, low: UInt64) {
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

    /// The hash of so many bytes in memory from which on 8 more are readable.
    @inline(__always)
    init(padded memory: UnsafePointer<UInt8>, count: Int) {
        let raw = UnsafeRawPointer(memory)
        var state = SipState()
        var offset = 0
        while offset &+ 8 <= count {
            state.absorb(UInt64(littleEndian: raw.loadUnaligned(fromByteOffset: offset, as: UInt64.self)))
            offset &+= 8
        }
        let rest = UInt64(littleEndian: raw.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
        let isRest = (UInt64(1) &<< UInt64(truncatingIfNeeded: 8 &* (count &- offset))) &- 1
        state.absorb(rest & isRest | UInt64(truncatingIfNeeded: count) &<< 56)
        (high, low) = state.finish()
    }

    /// The hash of this one and a text.
    func extended(_ text: ByteView) -> StableHash {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(16 + text.count)
        for word in [high, low] { withUnsafeBytes(of: word.littleEndian) { bytes.append(contentsOf: $0) } }
        text.withUnsafeBytes { bytes.append(contentsOf: $0) }
        return StableHash(bytes)
    }

    /// The id of the n-th row of this key: the hash of its hex digits, `#` and n.
    func numbered(_ occurrence: Int) -> StableHash {
        var bytes = InlineArray<64, UInt8>(repeating: 0)
        var count = 34
        bytes[32] = 0x23
        if occurrence < 10 {
            bytes[33] = 0x30 &+ UInt8(truncatingIfNeeded: occurrence)
        } else {
            var rest = occurrence / 10
            while rest > 0 {
                rest /= 10
                count += 1
            }
            rest = occurrence
            for index in stride(from: count - 1, through: 33, by: -1) {
                bytes[index] = 0x30 &+ UInt8(truncatingIfNeeded: rest % 10)
                rest /= 10
            }
        }
        return withUnsafeMutableBytes(of: &bytes) { buffer in
            // An array of 64 bytes has an address.
            guard let memory = buffer.assumingMemoryBound(to: UInt8.self).baseAddress else { return self }
            writeHex(to: memory)
            return StableHash(padded: memory, count: count)
        }
    }

    /// The 32 hex digits.
    var hex: String {
        var bytes: [UInt8] = []
        appendHex(to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Appends the 32 hex digits.
    func appendHex(to bytes: inout [UInt8]) {
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 32) { digits in
            guard let memory = digits.baseAddress else { return }
            writeHex(to: memory)
            bytes.append(contentsOf: UnsafeBufferPointer(digits))
        }
    }

    /// Writes the 32 hex digits.
    @inline(__always)
    func writeHex(to target: UnsafeMutablePointer<UInt8>) {
        let words = (high.bigEndian, low.bigEndian)
        withUnsafeBytes(of: words) { bytes in
            guard let memory = bytes.assumingMemoryBound(to: UInt8.self).baseAddress else { return }
            byte_hex(memory, target)
        }
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
        v1 = (v1 &<< 13 | v1 &>> 51) ^ v0
        v0 = v0 &<< 32 | v0 &>> 32
        v2 &+= v3
        v3 = (v3 &<< 16 | v3 &>> 48) ^ v2
        v0 &+= v3
        v3 = (v3 &<< 21 | v3 &>> 43) ^ v0
        v2 &+= v1
        v1 = (v1 &<< 17 | v1 &>> 47) ^ v2
        v2 = v2 &<< 32 | v2 &>> 32
    }

    @inline(__always)
    mutating func absorb(_ word: UInt64) {
        v3 ^= word
        round()
        round()
        v0 ^= word
    }

    @inline(__always)
    mutating func finish() -> (UInt64, UInt64) {
        v2 ^= 0xEE
        round()
        round()
        round()
        round()
        let first = v0 ^ v1 ^ v2 ^ v3
        v1 ^= 0xDD
        round()
        round()
        round()
        round()
        return (first, v0 ^ v1 ^ v2 ^ v3)
    }
}
