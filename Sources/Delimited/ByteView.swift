/// A bounds-checked window on bytes that somebody else owns: a cell, a record, a part of either.
///
/// Invariant: `base` points at `count` readable bytes for as long as the callback runs that handed the view out.
/// A view must not outlive that callback; copy what must (`string`, `array`). It is not `Sendable` for that reason.
/// Positions count from 0 in every view, also in slices.
public struct ByteView: Hashable {
    @usableFromInline let base: UnsafePointer<UInt8>
    /// How many bytes the view has.
    public let count: Int

    /// The caller vouches that `count` bytes at `base` stay readable while the view is in use.
    @inlinable
    init(base: UnsafePointer<UInt8>, count: Int) {
        self.base = base
        self.count = count
    }

    /// Runs `body` with a view of `bytes`; the view is valid only inside `body`.
    @inlinable
    public static func with<R, E: Error>(_ bytes: [UInt8], _ body: (ByteView) throws(E) -> R) throws(E) -> R {
        // One byte more than none, so that an empty array has an address too.
        if bytes.isEmpty { return try with([0]) { (view: ByteView) throws(E) -> R in try body(view.prefix(0)) } }
        return try bytes.withUnsafeBufferPointer { (buffer: UnsafeBufferPointer<UInt8>) throws(E) -> R in
            guard let address = buffer.baseAddress else { preconditionFailure("a non-empty array has an address") }
            return try body(ByteView(base: address, count: buffer.count))
        }
    }

    /// Whether there are no bytes.
    @inlinable
    public var isEmpty: Bool { count == 0 }

    /// The positions: `0 ..< count`.
    @inlinable
    public var indices: Range<Int> { 0..<count }

    /// The byte at a position; traps outside `indices`.
    @inlinable
    public subscript(_ position: Int) -> UInt8 {
        precondition(UInt(bitPattern: position) < UInt(bitPattern: count), "position outside the view")
        return base[position]
    }

    /// The part at `range`; traps when it is not within `indices`.
    @inlinable
    public subscript(_ range: Range<Int>) -> ByteView {
        precondition(range.lowerBound >= 0 && range.upperBound <= count, "range outside the view")
        return ByteView(base: base + range.lowerBound, count: range.count)
    }

    /// The first byte, if any.
    @inlinable
    public var first: UInt8? { count > 0 ? base[0] : nil }

    /// The last byte, if any.
    @inlinable
    public var last: UInt8? { count > 0 ? base[count - 1] : nil }

    /// The first `length` bytes, or all if there are fewer.
    @inlinable
    public func prefix(_ length: Int) -> ByteView { self[0..<Swift.min(Swift.max(length, 0), count)] }

    /// The last `length` bytes, or all if there are fewer.
    @inlinable
    public func suffix(_ length: Int) -> ByteView { self[count - Swift.min(Swift.max(length, 0), count)..<count] }

    /// All but the first `length` bytes.
    @inlinable
    public func dropFirst(_ length: Int = 1) -> ByteView { self[Swift.min(Swift.max(length, 0), count)..<count] }

    /// All but the last `length` bytes.
    @inlinable
    public func dropLast(_ length: Int = 1) -> ByteView { self[0..<count - Swift.min(Swift.max(length, 0), count)] }

    /// The bytes for a function that wants a buffer; valid only inside `body`.
    @inlinable
    public func withUnsafeBytes<R, E: Error>(_ body: (UnsafeRawBufferPointer) throws(E) -> R) throws(E) -> R {
        try body(UnsafeRawBufferPointer(start: base, count: count))
    }

    /// A copy of the bytes.
    public var array: [UInt8] { [UInt8](UnsafeBufferPointer(start: base, count: count)) }

    /// The bytes as text; what is not UTF-8 becomes U+FFFD.
    public var string: String { String(decoding: UnsafeBufferPointer(start: base, count: count), as: UTF8.self) }

    /// Whether two views have the same bytes.
    @inlinable
    public static func == (left: ByteView, right: ByteView) -> Bool {
        left.count == right.count && left.hasSameBytes(right)
    }

    /// Feeds the bytes and their number to the hasher.
    @inlinable
    public func hash(into hasher: inout Hasher) {
        hasher.combine(count)
        hasher.combine(bytes: UnsafeRawBufferPointer(start: base, count: count))
    }

    /// FNV-1a over the bytes: the same on every machine and in every run, unlike `hashValue`.
    @inlinable
    public var stableHash: UInt64 {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for position in 0..<count { hash = (hash ^ UInt64(base[position])) &* 0x100_0000_01B3 }
        return hash
    }

    /// Whether the view begins with the bytes of `other`.
    @inlinable
    public func hasPrefix(_ other: ByteView) -> Bool {
        guard other.count <= count else { return false }
        for position in 0..<other.count where base[position] != other.base[position] { return false }
        return true
    }

    /// The position of the first such byte.
    @inlinable
    public func firstIndex(of byte: UInt8) -> Int? {
        for position in 0..<count where base[position] == byte { return position }
        return nil
    }
}
