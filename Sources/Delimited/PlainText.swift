import CByteMask

/// Text that is the same in every encoding, and of one dialect at most.
public enum PlainText {
    /// Whether all bytes are printable ASCII or line feeds, and none is `<`, `;` or `|`: no tag, and no delimiter but the
    /// comma.
    public static func isPlain(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard let base = bytes.assumingMemoryBound(to: UInt8.self).baseAddress else { return true }
        return plain_text_is_all(base, bytes.count)
    }
}
