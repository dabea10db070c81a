import Delimited

/// Texts of keys as the model compares them: trimmed and case-folded.
enum KeyText {
    /// A key text, trimmed and case-folded.
    static func folded(_ text: String) -> String {
        var text = text
        return text.withUTF8 { foldedASCII($0) } ?? foldedUnicode(text)
    }

    /// The same of a text of ASCII; nil for others.
    private static func foldedASCII(_ bytes: UnsafeBufferPointer<UInt8>) -> String? {
        guard bytes.allSatisfy({ $0 < 0x80 }) else { return nil }
        let range = trimmed(bytes)
        return String(unsafeUninitializedCapacity: range.count) { target in
            for (index, place) in range.enumerated() { target[index] = folded(bytes[place]) }
            return range.count
        }
    }

    fileprivate static func foldedUnicode(_ text: String) -> String {
        var slice = text[...]
        while slice.first?.isWhitespace == true { slice.removeFirst() }
        while slice.last?.isWhitespace == true { slice.removeLast() }
        return slice.lowercased()
    }

    @inline(__always)
    fileprivate static func folded(_ byte: UInt8) -> UInt8 { byte &- 0x41 < 26 ? byte | 0x20 : byte }

    @inline(__always)
    fileprivate static func trimmed(_ bytes: UnsafeBufferPointer<UInt8>) -> Range<Int> {
        var (start, end) = (0, bytes.count)
        while end > 0, isSpace(bytes[end - 1]) { end -= 1 }
        while start < end, isSpace(bytes[start]) { start += 1 }
        return start..<end
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte &- 0x09 < 5 }
}

/// Makes the bytes of keys: folded texts, each with what parts it from the next.
struct KeyBytes {
    private(set) var bytes: [UInt8] = []
    /// Texts that Unicode takes for the same have the bytes of the first of them.
    private var unicode: [String: [UInt8]] = [:]
    static let separator: UInt8 = 0x1F

    mutating func removeAll() { bytes.removeAll(keepingCapacity: true) }

    var hash: StableHash { StableHash(bytes) }

    /// Appends a key text, trimmed and case-folded, with its separator.
    mutating func append(_ cell: Cell) {
        appendFolded(cell)
        bytes.append(KeyBytes.separator)
    }

    private mutating func appendFolded(_ cell: Cell) {
        let text = cell.bytes
        var bits: UInt8 = 0
        for byte in text { bits |= byte }
        guard bits < 0x80 else { return append(unicode: cell.text) }
        for place in KeyText.trimmed(text) { bytes.append(KeyText.folded(text[place])) }
    }

    private mutating func append(unicode text: String) {
        let folded = KeyText.foldedUnicode(text)
        if let known = unicode[folded] {
            bytes += known
            return
        }
        let new = Array(folded.utf8)
        unicode[folded] = new
        bytes += new
    }
}
