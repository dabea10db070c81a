/// Eight bytes at a time.
///
/// Invariant: every load lies within the view; what is shorter than a load is gathered from loads that overlap.
extension ByteView {
    /// The bytes of a view of at most 16, as two numbers that together with `count` tell it from all others.
    @inlinable
    public var words: (UInt64, UInt64)? {
        if count > 16 { return nil }
        if count >= 8 { return (load8(0), load8(count - 8)) }
        return (short, 0)
    }

    /// The bytes of a view of fewer than 8, as a number that together with `count` tells it from all others.
    @inlinable
    var short: UInt64 {
        let raw = UnsafeRawPointer(base)
        if count >= 4 {
            let low = raw.loadUnaligned(as: UInt32.self)
            let high = raw.loadUnaligned(fromByteOffset: count - 4, as: UInt32.self)
            return UInt64(low) | UInt64(high) << 32
        }
        if count == 0 { return 0 }
        return UInt64(base[0]) | UInt64(base[count >> 1]) << 8 | UInt64(base[count - 1]) << 16
    }

    /// The first eight bytes, the first in the lowest byte; zeros stand for those that are not there.
    @inlinable
    @inline(__always)
    var leadingWord: UInt64 {
        count >= 8 ? UInt64(littleEndian: load8(0)) : leadingShort
    }

    @inlinable
    @inline(__always)
    var leadingShort: UInt64 {
        let raw = UnsafeRawPointer(base)
        if count >= 4 {
            let low = UInt64(UInt32(littleEndian: raw.loadUnaligned(as: UInt32.self)))
            let high = UInt64(UInt32(littleEndian: raw.loadUnaligned(fromByteOffset: count - 4, as: UInt32.self)))
            return low | high << UInt64(truncatingIfNeeded: 8 * (count - 4))
        }
        if count == 0 { return 0 }
        var word = UInt64(base[0])
        if count > 1 { word |= UInt64(base[1]) << 8 }
        if count > 2 { word |= UInt64(base[2]) << 16 }
        return word
    }

    @inlinable
    @inline(__always)
    func load8(_ offset: Int) -> UInt64 {
        UnsafeRawPointer(base).loadUnaligned(fromByteOffset: offset, as: UInt64.self)
    }

    /// Mixes the length and up to 40 of the bytes, from both ends and between, into a hash for tables in memory that
    /// compare all bytes; it never leaves the process.
    @inlinable
    @inline(__always)
    public func sample(into hash: UInt64) -> UInt64 {
        var first = UInt64(truncatingIfNeeded: count) << 56
        var last: UInt64 = 0
        if count >= 8 {
            first ^= load8(0)
            last = load8(count - 8) ^ (load8(count / 2 - 4) &* 0xFF51_AFD7_ED55_8CCD)
        } else {
            first ^= short
        }
        var hash = hash
        if count >= 32 {
            let wide = (hash ^ load8(count / 4)).multipliedFullWidth(by: load8(count / 4 * 3) ^ 0xC4CE_B9FE_1A85_EC53)
            hash = wide.high ^ wide.low
        }
        let wide = (hash ^ first).multipliedFullWidth(by: last ^ 0x9E37_79B9_7F4A_7C15)
        return wide.high ^ wide.low
    }

    /// Mixes the bytes into a hash for tables in memory; it never leaves the process.
    @inlinable
    public func mix(into hash: UInt64) -> UInt64 {
        var hash = hash ^ UInt64(truncatingIfNeeded: count)
        if count < 8 { return ByteView.folded(hash, short) }
        var offset = 0
        while offset + 8 < count {
            hash = ByteView.folded(hash, load8(offset))
            offset += 8
        }
        return ByteView.folded(hash, load8(count - 8))
    }

    @inlinable
    static func folded(_ hash: UInt64, _ word: UInt64) -> UInt64 {
        let wide = (hash ^ word).multipliedFullWidth(by: 0x9E37_79B9_7F4A_7C15)
        return wide.high ^ wide.low
    }

    /// Whether two views of one length have the same bytes.
    @inlinable
    func hasSameBytes(_ other: ByteView) -> Bool {
        if count < 8 { return short == other.short }
        var offset = 0
        while offset + 8 < count {
            if load8(offset) != other.load8(offset) { return false }
            offset += 8
        }
        return load8(count - 8) == other.load8(count - 8)
    }

    /// Copies the bytes to memory that has room for them.
    @inlinable
    public func copy(to target: UnsafeMutablePointer<UInt8>) {
        let to = UnsafeMutableRawPointer(target)
        if count >= 8 {
            var offset = 0
            while offset + 8 < count {
                to.storeBytes(of: load8(offset), toByteOffset: offset, as: UInt64.self)
                offset += 8
            }
            to.storeBytes(of: load8(count - 8), toByteOffset: count - 8, as: UInt64.self)
            return
        }
        for position in 0..<count { target[position] = base[position] }
    }

    /// The view without white space at its ends and without the shell of a text formula: what a cell says.
    @inlinable
    public var content: ByteView {
        @inline(__always) get {
            guard count > 0 else { return self }
            let first = base[0]
            let last = base[count - 1]
            // Bytes that neither white space nor a formula begins or ends with.
            if first > 0x20, first != 0x3D, first != 0xC2, last > 0x20, last != 0xA0 { return self }
            return uncovered
        }
    }

    /// The same for a view that may begin or end so; not in line, as it is rare.
    @inline(never)
    public var uncovered: ByteView { unwrappedFormula().trimmed() }
}
