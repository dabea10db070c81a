// Quoted scalars.
extension Parser {
    mutating func parseSingleQuoted(parent: Int) throws(YAMLError) -> String {
        let open = mark()
        position += 1
        var start = position
        var result: [UInt8] = []
        while true {
            switch byte {
            case Byte.single where next == Byte.single:
                result.append(contentsOf: bytes[start...position])
                position += 2
                start = position
            case Byte.single:
                let end = position
                position += 1
                if result.isEmpty { return text(start, end) }
                result.append(contentsOf: bytes[start..<end])
                return String(decoding: result, as: UTF8.self)
            case Byte.newline, Byte.end:
                result.append(contentsOf: bytes[start..<position])
                try foldQuotedLine(into: &result, keeping: 0, open: open, parent: parent)
                start = position
            default:
                position += 1
            }
        }
    }

    mutating func parseDoubleQuoted(parent: Int) throws(YAMLError) -> String {
        let open = mark()
        position += 1
        var start = position
        var result: [UInt8] = []
        // What escapes made is never trimmed as the blank end of a line.
        var kept = 0
        while true {
            switch byte {
            case Byte.double:
                let end = position
                position += 1
                if result.isEmpty { return text(start, end) }
                result.append(contentsOf: bytes[start..<end])
                return String(decoding: result, as: UTF8.self)
            case Byte.backslash:
                result.append(contentsOf: bytes[start..<position])
                try parseEscape(into: &result, open: open, parent: parent)
                kept = result.count
                start = position
            case Byte.newline, Byte.end:
                result.append(contentsOf: bytes[start..<position])
                try foldQuotedLine(into: &result, keeping: kept, open: open, parent: parent)
                start = position
            default:
                position += 1
            }
        }
    }

    /// At a line's end inside quotes: one break is a space, each further one a newline; blanks around are dropped.
    private mutating func foldQuotedLine(
        into result: inout [UInt8], keeping kept: Int, open: YAMLMark, parent: Int
    ) throws(YAMLError) {
        while result.count > kept, let last = result.last, last == Byte.space || last == Byte.tab {
            result.removeLast()
        }
        let breaks = try passQuotedBreaks(open: open, parent: parent)
        if breaks == 1 {
            result.append(Byte.space)
        } else {
            result.append(contentsOf: repeatElement(Byte.newline, count: breaks - 1))
        }
    }

    /// Passes line ends, blank lines and the next line's indentation; returns how many line ends there were.
    private mutating func passQuotedBreaks(open: YAMLMark, parent: Int) throws(YAMLError) -> Int {
        var breaks = 0
        while byte == Byte.newline {
            passNewline()
            breaks += 1
            while byte == Byte.space { position += 1 }
            if byte == Byte.tab { try refuseTab() }
        }
        // A line at its parent's column cannot belong to the quoted text: the quote was forgotten above it.
        guard byte != Byte.end, indent > parent, !(indent == 0 && isDocumentMarker(at: position)) else {
            throw YAMLError(
                .unclosedQuote, "the quote that opens here is not closed",
                hint: "close it, or indent the lines that it goes on for", at: open)
        }
        return breaks
    }

    /// At a backslash in double quotes (YAML 1.2.2, section 5.7).
    private mutating func parseEscape(
        into result: inout [UInt8], open: YAMLMark, parent: Int
    ) throws(YAMLError) {
        let simple: UInt32
        switch next {
        case UInt8(ascii: "0"): simple = 0
        case UInt8(ascii: "a"): simple = 7
        case UInt8(ascii: "b"): simple = 8
        case UInt8(ascii: "t"), Byte.tab: simple = 9
        case UInt8(ascii: "n"): simple = 10
        case UInt8(ascii: "v"): simple = 11
        case UInt8(ascii: "f"): simple = 12
        case UInt8(ascii: "r"): simple = 13
        case UInt8(ascii: "e"): simple = 27
        case Byte.space, Byte.double, UInt8(ascii: "/"), Byte.backslash: simple = UInt32(next)
        case UInt8(ascii: "N"): simple = 0x85
        case UInt8(ascii: "_"): simple = 0xA0
        case UInt8(ascii: "L"): simple = 0x2028
        case UInt8(ascii: "P"): simple = 0x2029
        case UInt8(ascii: "x"): return try parseHexEscape(digits: 2, into: &result)
        case UInt8(ascii: "u"): return try parseHexEscape(digits: 4, into: &result)
        case UInt8(ascii: "U"): return try parseHexEscape(digits: 8, into: &result)
        case Byte.newline:
            position += 1
            let breaks = try passQuotedBreaks(open: open, parent: parent)
            result.append(contentsOf: repeatElement(Byte.newline, count: breaks - 1))
            return
        default:
            throw unknownEscape()
        }
        position += 2
        append(simple, to: &result)
    }

    private mutating func unknownEscape() -> YAMLError {
        error(
            .escape, "\(excerpt()) starts with an unknown escape",
            hint: "write ‘\\\\’ for a backslash, or use single quotes")
    }

    private mutating func parseHexEscape(digits: Int, into result: inout [UInt8]) throws(YAMLError) {
        guard var code = hexNumber(at: position + 2, digits: digits) else { throw unknownEscape() }
        var length = 2 + digits
        // JSON writes characters beyond U+FFFF as two escapes.
        if digits == 4, code >= 0xD800, code < 0xDC00, bytes[position + 6] == Byte.backslash,
            bytes[position + 7] == UInt8(ascii: "u"), let low = hexNumber(at: position + 8, digits: 4),
            low >= 0xDC00, low < 0xE000
        {
            code = 0x10000 + (code - 0xD800) << 10 + (low - 0xDC00)
            length = 12
        }
        guard Unicode.Scalar(code) != nil else {
            throw error(.escape, "\(excerpt()) starts with an escape of no character", hint: "write another character")
        }
        position += length
        append(code, to: &result)
    }

    /// Stops at the first byte that is no digit, so it never looks past the end.
    private func hexNumber(at place: Int, digits: Int) -> UInt32? {
        var value: UInt32 = 0
        for index in place..<place + digits {
            guard let digit = Character(Unicode.Scalar(bytes[index])).hexDigitValue else { return nil }
            value = value << 4 | UInt32(digit)
        }
        return value
    }

    private func append(_ code: UInt32, to result: inout [UInt8]) {
        guard let scalar = Unicode.Scalar(code) else { return }
        result.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
    }
}
