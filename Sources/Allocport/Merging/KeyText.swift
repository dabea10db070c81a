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
///
/// Invariant: `base` has room for `capacity` bytes and `KeyBytes.padding` more, of which the first `count` are initialised.
struct KeyBytes: ~Copyable {
    private var base: UnsafeMutablePointer<UInt8>
    private var capacity = 256
    private var count = 0
    /// Texts that Unicode takes for the same have the bytes of the first of them.
    private var unicode: [String: [UInt8]] = [:]
    static let separator: UInt8 = 0x1F
    /// So much is read behind the last byte to be hashed.
    private static let padding = 8

    init() {
        base = .allocate(capacity: capacity + KeyBytes.padding)
        base.initialize(repeating: 0, count: capacity + KeyBytes.padding)
    }

    deinit { base.deallocate() }

    mutating func removeAll() { count = 0 }

    var hash: StableHash { StableHash(padded: UnsafePointer(base), count: count) }

    /// Appends a key text, trimmed and case-folded, with its separator.
    mutating func append(_ cell: Cell) {
        reserve(cell.count + 1)
        let text = cell.bytes
        let range = KeyText.trimmed(text)
        if appendFolded(cell.base + range.lowerBound, range.count) {
            base[count] = KeyBytes.separator
            count += 1
        } else {
            // What Unicode trims and folds may be another part of it.
            append(unicode: cell.text)
        }
    }

    /// Appends a text of ASCII; false for others.
    private mutating func appendFolded(_ text: UnsafePointer<UInt8>, _ size: Int) -> Bool {
        let (source, target) = (UnsafeRawPointer(text), UnsafeMutableRawPointer(base + count))
        var offset = 0
        while offset &+ 8 <= size {
            let word = source.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
            if word & 0x8080_8080_8080_8080 != 0 { return false }
            // The top bit of each byte from A on, and of each behind Z: capitals have but the first.
            let capitals = (word &+ 0x3F3F_3F3F_3F3F_3F3F) ^ (word &+ 0x2525_2525_2525_2525)
            target.storeBytes(
                of: word | (capitals & 0x8080_8080_8080_8080) &>> 2, toByteOffset: offset, as: UInt64.self)
            offset &+= 8
        }
        while offset < size {
            let byte = text[offset]
            if byte >= 0x80 { return false }
            base[count &+ offset] = KeyText.folded(byte)
            offset &+= 1
        }
        count += size
        return true
    }

    private mutating func append(unicode text: String) {
        let folded = KeyText.foldedUnicode(text)
        let bytes = unicode[folded] ?? Array(folded.utf8)
        unicode[folded] = bytes
        reserve(bytes.count + 1)
        for byte in bytes + [KeyBytes.separator] {
            base[count] = byte
            count += 1
        }
    }

    @inline(__always)
    private mutating func reserve(_ size: Int) { if capacity &- count < size { grow(size) } }

    @inline(never)
    private mutating func grow(_ size: Int) {
        capacity = max(capacity * 2, count + size)
        let larger = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity + KeyBytes.padding)
        larger.initialize(repeating: 0, count: capacity + KeyBytes.padding)
        larger.update(from: base, count: count)
        base.deallocate()
        base = larger
    }
}
