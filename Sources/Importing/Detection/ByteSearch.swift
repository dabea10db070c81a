#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Where a byte next stands at or after a place. The C library looks at many bytes at once; it is told of no more than
/// there are.
func place(of byte: UInt8, in bytes: UnsafeRawBufferPointer, from start: Int = 0) -> Int? {
    guard start < bytes.count, let base = bytes.baseAddress,
        let found = memchr(base + start, Int32(byte), bytes.count - start)
    else { return nil }
    return UnsafeRawPointer(found) - base
}

/// Whether two pieces of memory have the same bytes.
func areSame(_ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer) -> Bool {
    guard left.count == right.count else { return false }
    guard let first = left.baseAddress, let second = right.baseAddress else { return true }
    return memcmp(first, second, left.count) == 0
}

/// Whether bytes stand somewhere among others.
func hasPart(_ part: [UInt8], in bytes: UnsafeRawBufferPointer) -> Bool {
    guard let first = part.first else { return true }
    return part.withUnsafeBytes { part in
        var start = 0
        while let found = place(of: first, in: bytes, from: start), found + part.count <= bytes.count {
            if areSame(UnsafeRawBufferPointer(rebasing: bytes[found..<found + part.count]), part) { return true }
            start = found + 1
        }
        return false
    }
}
