/// A scalar as far as its first line tells; a plain one may go on below.
struct ScalarHead {
    var text: String
    var style: YAMLStyle
}

// Plain scalars.
extension Parser {
    /// A quoted scalar, or the part of a plain scalar that stands on this line.
    mutating func parseScalarHead(parent: Int) throws(YAMLError) -> ScalarHead {
        if byte == Byte.double { return ScalarHead(text: try parseDoubleQuoted(parent: parent), style: .quoted) }
        if byte == Byte.single { return ScalarHead(text: try parseSingleQuoted(parent: parent), style: .quoted) }
        try refuseIndicator()
        return ScalarHead(text: scanPlain(), style: .plain)
    }

    /// One line of plain text, without blanks around it; stops before a key's `:`, a comment or the line's end.
    mutating func scanPlain() -> String {
        let start = position
        var end = start
        while true {
            let current = byte
            if current == Byte.space || current == Byte.tab {
                position += 1
                continue
            }
            if current == Byte.newline || current == Byte.end { break }
            if current == Byte.colon && atIndicatorEnd { break }
            if current == Byte.hash && end < position { break }
            position += 1
            end = position
        }
        position = end
        return text(start, end)
    }

    /// Throws at a byte that cannot start plain text.
    mutating func refuseIndicator() throws(YAMLError) {
        switch byte {
        case UInt8(ascii: "&"):
            throw error(.anchor, "anchors are not read", hint: "write the value out, or put \(excerpt()) in quotes")
        case UInt8(ascii: "*"):
            throw error(.alias, "aliases are not read", hint: "write the value out, or put \(excerpt()) in quotes")
        case UInt8(ascii: "!"):
            throw error(.tag, "tags are not read", hint: "remove the tag, or put \(excerpt()) in quotes")
        case UInt8(ascii: "%"), UInt8(ascii: "@"), UInt8(ascii: "`"), Byte.comma, Byte.closeBracket,
            Byte.closeBrace, Byte.hash, Byte.bar, Byte.greater:
            throw error(.reservedCharacter, "plain text cannot start like \(excerpt())", hint: "put it in quotes")
        case Byte.question where atIndicatorEnd:
            throw error(.complexKey, "keys with ‘?’ are not read", hint: "write ‘key: value’")
        case Byte.colon where atIndicatorEnd:
            throw error(.missingColon, "there is no key before this ‘:’", hint: "write ‘key: value’, or quote the text")
        default:
            return
        }
    }

    /// The whole of a scalar that is a value, and on to the next content.
    mutating func finish(_ head: ScalarHead, at start: YAMLMark, parent: Int) throws(YAMLError) -> YAMLNode {
        var gap = try skipToContent()
        guard head.style == .plain else { return YAMLNode(.scalar(head.text, head.style), at: start) }
        var text = head.text
        var isOneLine = true
        while byte != Byte.end, indent > parent, !gap.hasComment, !(indent == 0 && isDocumentMarker(at: position)) {
            text += gap.blankLines == 0 ? " " : String(repeating: "\n", count: gap.blankLines)
            text += try parseContinuation()
            isOneLine = false
            gap = try skipToContent()
        }
        if isOneLine && text == "~" { return YAMLNode(.null, at: start) }
        return YAMLNode(.scalar(text, .plain), at: start)
    }

    /// A further line of plain text. One that looks like a key or an item is more likely a slip than text.
    private mutating func parseContinuation() throws(YAMLError) -> String {
        let start = position
        let startMark = mark()
        let line = scanPlain()
        let isItem = bytes[start] == Byte.dash && Byte.isBlank(bytes[start + 1])
        guard !isItem, try !passKeySeparator() else {
            throw YAMLError(
                .indentation, "\(excerpt(from: start)) is indented as if it belonged to the text above it",
                hint: "indent it like the key that it goes with, or quote the text", at: startMark)
        }
        return line
    }
}
