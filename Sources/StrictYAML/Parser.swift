/// The position in a prepared text, and what every part of the parser needs.
///
/// Between block nodes the position is always at the first byte of the next line's content, or at the end.
struct Parser {
    let bytes: [UInt8]
    var position = 0
    var line = 1
    var lineStart = 0
    var depth = 0
    /// By how much the keys of the mapping that ended last are indented.
    var lastIndent = 0
    // Columns are counted from the last mark on, so that one long line costs linear time.
    private var countedPosition = 0
    private var countedColumn = 1

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// The byte here; the end of the text is NUL.
    @inline(__always)
    var byte: UInt8 { bytes[position] }

    /// The byte after this one; `byte` must not be the end.
    @inline(__always)
    var next: UInt8 { bytes[position + 1] }

    /// The number of bytes before this one on its line. Before content they are spaces and dashes only.
    @inline(__always)
    var indent: Int { position - lineStart }

    @inline(__always)
    var atIndicatorEnd: Bool { Byte.isBlank(next) }

    mutating func mark() -> YAMLMark { mark(at: position) }

    /// The mark of a place on the current line.
    mutating func mark(at place: Int) -> YAMLMark {
        if countedPosition < lineStart || countedPosition > place {
            countedPosition = lineStart
            countedColumn = 1
        }
        while countedPosition < place {
            if bytes[countedPosition] & 0xC0 != 0x80 { countedColumn += 1 }
            countedPosition += 1
        }
        return YAMLMark(line: line, column: countedColumn)
    }

    mutating func error(_ code: YAMLError.Code, _ message: String, hint: String) -> YAMLError {
        YAMLError(code, message, hint: hint, at: mark())
    }

    @inline(__always)
    mutating func passNewline() {
        position += 1
        line += 1
        lineStart = position
    }

    @inline(__always)
    mutating func skipBlanks() {
        while byte == Byte.space || byte == Byte.tab { position += 1 }
    }

    /// What lay between two contents.
    struct Gap {
        var blankLines = 0
        var hasComment = false
    }

    /// From after a line's content to the next line's content: over blanks, a comment, blank and comment lines.
    @discardableResult
    mutating func skipToContent() throws(YAMLError) -> Gap {
        var gap = Gap()
        try skipLineEnd(&gap)
        while byte == Byte.newline {
            passNewline()
            while byte == Byte.space { position += 1 }
            switch byte {
            case Byte.newline:
                gap.blankLines += 1
            case Byte.hash:
                gap.hasComment = true
                skipComment()
            case Byte.tab:
                try refuseTab()
                gap.blankLines += 1
            case 0xC2 where position + 1 < bytes.count && bytes[position + 1] == 0xA0:
                // It looks like a space, and would be the first character of a key.
                throw error(.indentation, "a no-break space indents this line", hint: "indent with spaces")
            default:
                break
            }
        }
        return gap
    }

    private mutating func skipLineEnd(_ gap: inout Gap) throws(YAMLError) {
        let start = position
        skipBlanks()
        if byte == Byte.hash, position > start || position == lineStart {
            gap.hasComment = true
            skipComment()
        }
        guard byte == Byte.newline || byte == Byte.end else {
            throw error(
                .trailingText, "\(excerpt()) does not belong here", hint: "end the line before it, or quote the whole")
        }
    }

    mutating func skipComment() {
        while byte != Byte.newline && byte != Byte.end { position += 1 }
    }

    /// At a tab before a line's content: a line of nothing but blanks is fine, anything else is not.
    mutating func refuseTab() throws(YAMLError) {
        let tab = mark()
        skipBlanks()
        guard byte == Byte.newline || byte == Byte.end else {
            throw YAMLError(.tab, "a tab indents this line", hint: "indent with spaces", at: tab)
        }
    }

    /// The text from here to the line's end, quoted for a message, at most 24 characters.
    func excerpt() -> String { excerpt(from: position) }

    func excerpt(from start: Int) -> String {
        var end = start
        while bytes[end] != Byte.newline && bytes[end] != Byte.end && end - start < 96 { end += 1 }
        let text = String(decoding: bytes[start..<end], as: UTF8.self)
        return text.count > 24 ? "‘\(text.prefix(23))…’" : "‘\(text)’"
    }

    func text(_ start: Int, _ end: Int) -> String {
        String(decoding: bytes[start..<end], as: UTF8.self)
    }

    /// Whether a line starting here is `---` or `...`.
    func isDocumentMarker(at place: Int) -> Bool {
        let first = bytes[place]
        guard first == Byte.dash || first == UInt8(ascii: ".") else { return false }
        return bytes[place + 1] == first && bytes[place + 2] == first && Byte.isBlank(bytes[place + 3])
    }

    mutating func enter(at mark: YAMLMark) throws(YAMLError) {
        depth += 1
        guard depth <= YAML.maximumDepth else {
            throw YAMLError(
                .depth, "lists and mappings are nested more than \(YAML.maximumDepth) deep", hint: "flatten them",
                at: mark)
        }
    }
}
