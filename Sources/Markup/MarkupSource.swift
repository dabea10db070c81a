/// Bytes that can be read from the start more than once, in chunks.
public protocol MarkupSource {
    /// Back to the first byte.
    mutating func rewind() throws(MarkupError)
    /// The next chunk, of any size; nil at the end.
    mutating func next() throws(MarkupError) -> [UInt8]?
}

/// Bytes in memory.
public struct BytesSource: MarkupSource {
    private let bytes: [UInt8]
    private let chunk: Int
    private var index = 0

    /// A source over `bytes`, given out in chunks of `chunk` bytes (at least 1).
    public init(_ bytes: [UInt8], chunk: Int = 1 << 16) {
        self.bytes = bytes
        self.chunk = max(1, chunk)
    }

    /// Back to the first byte.
    public mutating func rewind() { index = 0 }

    /// The next chunk.
    public mutating func next() -> [UInt8]? {
        guard index < bytes.count else { return nil }
        let end = min(bytes.count, index + chunk)
        defer { index = end }
        return index == 0 && end == bytes.count ? bytes : Array(bytes[index..<end])
    }
}
