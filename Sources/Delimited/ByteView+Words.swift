import CByteMask

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

    /// The eight bytes from a position on, as they stand in memory; traps when there are fewer.
    @inlinable
    @inline(__always)
    public func word(at position: Int) -> UInt64 {
        precondition(position >= 0 && position <= count &- 8, "position outside the view")
        return load8(position)
    }

    /// Mixes the bytes and their number into a hash for tables in memory that compare all bytes; it never leaves the
    /// process. Sixteen bytes take one multiplication, as in wyhash.
    @inlinable
    @inline(__always)
    public func mix(into hash: UInt64) -> UInt64 {
        let hash = hash ^ UInt64(truncatingIfNeeded: count) &* 0x9E37_79B9_7F4A_7C15
        if count < 16 {
            return count < 8 ? ByteView.folded(hash, short, 0) : ByteView.folded(hash, load8(0), load8(count &- 8))
        }
        // Loads that overlap: a loop whose turns depend on the length would be guessed wrong for every other row.
        let last = count &- 16
        if count <= 64 {
            let next = min(16, last)
            let first = folded(folded(hash, 0), next)
            return folded(first ^ ByteView.turned(folded(hash, last &- next)), last)
        }
        var (first, second) = (hash, hash)
        var offset = 0
        if count <= 128 {
            first = folded(folded(folded(first, 0), 32), last &- 48)
            second = folded(folded(folded(second, 16), 48), last &- 32)
            return folded(folded(first ^ ByteView.turned(second), last &- 16), last)
        }
        while offset < last {
            first = folded(first, offset)
            second = folded(second, min(offset &+ 16, last))
            offset &+= 32
        }
        return folded(first ^ ByteView.turned(second), last)
    }

    /// Mixes the 16 bytes at an offset into a hash.
    @inlinable
    @inline(__always)
    func folded(_ hash: UInt64, _ offset: Int) -> UInt64 {
        ByteView.folded(hash, load8(offset), load8(offset &+ 8))
    }

    @inlinable
    @inline(__always)
    static func turned(_ word: UInt64) -> UInt64 { word &<< 1 | word &>> 63 }

    @inlinable
    @inline(__always)
    static func folded(_ hash: UInt64, _ first: UInt64, _ second: UInt64) -> UInt64 {
        let wide = (first ^ 0xA076_1D64_78BD_642F).multipliedFullWidth(by: second ^ hash)
        return wide.high ^ wide.low
    }

    /// Whether two views of one length have the same bytes.
    @inlinable
    @inline(__always)
    func hasSameBytes(_ other: ByteView) -> Bool {
        if count < 16 {
            if count < 8 { return short == other.short }
            return load8(0) == other.load8(0) && load8(count &- 8) == other.load8(count &- 8)
        }
        let last = count &- 16
        var odd = difference(other, 0) | difference(other, last)
        if count > 32 {
            // Loads that overlap, as in `mix`; all of them, for most are the same.
            odd |= difference(other, 16) | difference(other, last &- 16)
            if count > 128 { return hasSameLongBytes(other) }
            if count > 64 {
                odd |= difference(other, 32) | difference(other, 48)
                odd |= difference(other, last &- 32) | difference(other, last &- 48)
            }
        }
        return odd[0] | odd[1] == 0
    }

    @inlinable
    @inline(__always)
    func difference(_ other: ByteView, _ offset: Int) -> SIMD2<UInt64> {
        UnsafeRawPointer(base).loadUnaligned(fromByteOffset: offset, as: SIMD2<UInt64>.self)
            ^ UnsafeRawPointer(other.base).loadUnaligned(fromByteOffset: offset, as: SIMD2<UInt64>.self)
    }

    /// The library compares with the widest instructions that are there.
    @usableFromInline
    func hasSameLongBytes(_ other: ByteView) -> Bool { byte_same(base, other.base, count) }

    /// Copies the bytes to memory that has room for them.
    @inlinable
    public func copy(to target: UnsafeMutablePointer<UInt8>) {
        let to = UnsafeMutableRawPointer(target)
        if count >= 8 {
            var offset = 0
            while offset &+ 8 < count {
                to.storeBytes(of: load8(offset), toByteOffset: offset, as: UInt64.self)
                offset &+= 8
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
            // Bytes that neither white space, nor what nobody sees, nor a formula begins or ends with.
            if first &- 0x21 < 0xA1, first != 0x3D, last &- 0x21 < 0x5F { return self }
            return uncovered
        }
    }

    /// The same for a view that may begin or end so; not in line, as it is rare.
    @inline(never)
    public var uncovered: ByteView { unwrappedFormula().trimmed() }
}
