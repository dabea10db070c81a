extension ByteView {
    /// Without the white space and the characters that nobody sees at both ends.
    ///
    /// White space is that of Unicode in UTF-8, but for what ASCII has besides spaces, tabs and line ends; unseen are the
    /// byte order mark (U+FEFF) and the marks of U+200B to U+200F and U+202A to U+206F: joiners and directions of
    /// writing, with which pages and spreadsheets wrap a date or an amount.
    @inlinable
    public func trimmed() -> ByteView {
        var lower = 0
        var upper = count
        while lower < upper {
            let width = unseenWidth(lower, upper)
            if width == 0 { break }
            lower += width
        }
        while upper > lower {
            let width = unseenWidth(before: upper, lower)
            if width == 0 { break }
            upper -= width
        }
        return self[lower..<upper]
    }

    /// Whether there is nothing but white space and characters that nobody sees.
    @inlinable
    public var isBlank: Bool {
        var position = 0
        while position < count {
            let width = unseenWidth(position, count)
            if width == 0 { return false }
            position += width
        }
        return true
    }

    /// The bytes of the white space or unseen character that begins at a position; 0 where there is none.
    @inlinable
    func unseenWidth(_ at: Int, _ end: Int) -> Int {
        let byte = self[at]
        if byte == Ascii.space || byte == Ascii.tab || Ascii.isLineEnd(byte) { return 1 }
        if byte < 0xC2 { return 0 }
        if byte == 0xC2 { return at + 1 < end && self[at + 1] == 0xA0 ? 2 : 0 }
        guard at + 2 < end else { return 0 }
        return ByteView.isUnseen(byte, self[at + 1], self[at + 2]) ? 3 : 0
    }

    /// The bytes of the one that ends at a position.
    @inlinable
    func unseenWidth(before end: Int, _ start: Int) -> Int {
        let byte = self[end - 1]
        if byte == Ascii.space || byte == Ascii.tab || Ascii.isLineEnd(byte) { return 1 }
        if byte < 0x80 { return 0 }
        if byte == 0xA0, end - 1 > start, self[end - 2] == 0xC2 { return 2 }
        guard end - 2 > start else { return 0 }
        return ByteView.isUnseen(self[end - 3], self[end - 2], byte) ? 3 : 0
    }

    /// Whether three bytes are a space or an unseen character.
    @inlinable
    static func isUnseen(_ first: UInt8, _ second: UInt8, _ third: UInt8) -> Bool {
        switch (first, second) {
        // U+2000 to U+200F, U+2028 to U+202F; U+205F to U+206F; U+3000; U+FEFF.
        case (0xE2, 0x80): 0x80...0x8F ~= third || 0xA8...0xAF ~= third
        case (0xE2, 0x81): 0x9F...0xAF ~= third
        case (0xE3, 0x80): third == 0x80
        case (0xEF, 0xBB): third == 0xBF
        default: false
        }
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
