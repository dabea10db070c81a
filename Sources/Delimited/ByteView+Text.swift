extension ByteView {
    /// Without the spaces, tabs, line ends and no-break spaces (U+00A0 in UTF-8) at both ends.
    @inlinable
    public func trimmed() -> ByteView {
        var lower = 0
        var upper = count
        while lower < upper {
            let byte = self[lower]
            if byte == Ascii.space || byte == Ascii.tab || Ascii.isLineEnd(byte) {
                lower += 1
            } else if byte == 0xC2, lower + 1 < upper, self[lower + 1] == 0xA0 {
                lower += 2
            } else {
                break
            }
        }
        while upper > lower {
            let byte = self[upper - 1]
            if byte == Ascii.space || byte == Ascii.tab || Ascii.isLineEnd(byte) {
                upper -= 1
            } else if byte == 0xA0, upper - 1 > lower, self[upper - 2] == 0xC2 {
                upper -= 2
            } else {
                break
            }
        }
        return self[lower..<upper]
    }

    /// Whether there is nothing but spaces, tabs, no-break spaces and line ends.
    @inlinable
    public var isBlank: Bool {
        var position = 0
        while position < count {
            let byte = self[position]
            if byte == Ascii.space || byte == Ascii.tab || Ascii.isLineEnd(byte) {
                position += 1
            } else if byte == 0xC2, position + 1 < count, self[position + 1] == 0xA0 {
                position += 2
            } else {
                return false
            }
        }
        return true
    }

    /// The content of a spreadsheet's text formula `="…"`, or the view itself when it is none.
    @inlinable
    public func unwrappedFormula() -> ByteView {
        guard count >= 3, self[0] == 0x3D, self[1] == Ascii.quote, self[count - 1] == Ascii.quote else { return self }
        return self[2..<count - 1]
    }

    /// Whether the bytes are those of the literal.
    @inlinable
    public static func == (left: ByteView, right: StaticString) -> Bool {
        left.count == right.utf8CodeUnitCount && left.hasPrefix(right)
    }

    /// Whether the bytes differ from those of the literal.
    @inlinable
    public static func != (left: ByteView, right: StaticString) -> Bool { !(left == right) }

    /// Whether the bytes are those of the array.
    @inlinable
    public static func == (left: ByteView, right: [UInt8]) -> Bool {
        left.count == right.count && left.hasPrefix(right)
    }

    /// Whether the bytes differ from those of the array.
    @inlinable
    public static func != (left: ByteView, right: [UInt8]) -> Bool { !(left == right) }

    /// Whether the view begins with the literal.
    @inlinable
    public func hasPrefix(_ literal: StaticString) -> Bool {
        literal.withUTF8Buffer { buffer in
            guard buffer.count <= count else { return false }
            for position in 0..<buffer.count where self[position] != buffer[position] { return false }
            return true
        }
    }

    /// Whether the view begins with the bytes.
    @inlinable
    public func hasPrefix(_ bytes: [UInt8]) -> Bool {
        guard bytes.count <= count else { return false }
        for position in 0..<bytes.count where self[position] != bytes[position] { return false }
        return true
    }

    /// Whether the view ends with the bytes.
    @inlinable
    public func hasSuffix(_ bytes: [UInt8]) -> Bool {
        bytes.count <= count && suffix(bytes.count).hasPrefix(bytes)
    }

    /// Whether the bytes are equal when ASCII letters are folded; other letters must be the same.
    @inlinable
    public func equalsIgnoringCase(_ other: ByteView) -> Bool {
        guard count == other.count else { return false }
        for position in 0..<count where Ascii.lowered(self[position]) != Ascii.lowered(other[position]) {
            return false
        }
        return true
    }

    /// Whether the bytes are equal when ASCII letters are folded; other letters must be the same.
    @inlinable
    public func equalsIgnoringCase(_ other: [UInt8]) -> Bool {
        guard count == other.count else { return false }
        for position in 0..<count where Ascii.lowered(self[position]) != Ascii.lowered(other[position]) {
            return false
        }
        return true
    }

    /// Whether the bytes are equal when ASCII letters are folded; other letters must be the same.
    @inlinable
    public func equalsIgnoringCase(_ literal: StaticString) -> Bool {
        literal.withUTF8Buffer { buffer in
            guard count == buffer.count else { return false }
            for position in 0..<count where Ascii.lowered(self[position]) != Ascii.lowered(buffer[position]) {
                return false
            }
            return true
        }
    }

    /// Where `bytes` first occur, at or after `start`.
    @inlinable
    public func firstRange(of bytes: [UInt8], from start: Int = 0) -> Range<Int>? {
        guard let head = bytes.first, bytes.count <= count, start >= 0 else { return nil }
        var position = start
        while position <= count - bytes.count {
            if self[position] == head, self[position..<count].hasPrefix(bytes) {
                return position..<position + bytes.count
            }
            position += 1
        }
        return nil
    }
}
