extension ByteView {
    /// Runs `body` with a view of a buffer; the caller vouches for the buffer until `body` returns.
    @inlinable
    public static func with<R>(_ buffer: UnsafeBufferPointer<UInt8>, _ body: (ByteView) -> R) -> R {
        guard let address = buffer.baseAddress else { return ByteView.with([]) { body($0) } }
        return body(ByteView(base: address, count: buffer.count))
    }
}
