import CByteMask

extension ByteView {
    /// Which ASCII characters there are, a bit for each: those below 64 (`low`), and from 64 on (`high`). Capital letters are
    /// taken for small ones, bytes that are not ASCII for none.
    public var letters: (low: UInt64, high: UInt64) {
        let found = withUnsafeBytes { bytes in
            bytes.assumingMemoryBound(to: UInt8.self).baseAddress.map { letters_of($0, bytes.count) }
        }
        return (found?.low ?? 0, found?.high ?? 0)
    }
}
