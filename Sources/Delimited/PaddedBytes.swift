/// Copies of short texts in steps of 16 bytes.
///
/// Invariant: from a text on, and at its target, so many bytes are readable and may be written as 16-byte steps over the
/// text take; the caller vouches for both.
@usableFromInline
enum PaddedBytes {
    @inlinable
    @inline(__always)
    static func copy(_ source: UnsafePointer<UInt8>, _ count: Int, to target: UnsafeMutablePointer<UInt8>) {
        let from = UnsafeRawPointer(source)
        let to = UnsafeMutableRawPointer(target)
        var offset = 0
        repeat {
            to.storeBytes(
                of: from.loadUnaligned(fromByteOffset: offset, as: SIMD2<UInt64>.self), toByteOffset: offset,
                as: SIMD2<UInt64>.self)
            offset &+= 16
        } while offset < count
    }
}
