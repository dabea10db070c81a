// Flow collections: `[a, b]` and `{a: b}`, over any number of lines.
extension Parser {
    /// Where the outermost bracket stands, and the column that its lines must be right of.
    struct FlowContext {
        let open: YAMLMark
        let bracket: UInt8
        let parent: Int
    }

    /// A flow collection that is a block value, and on to the next content.
    mutating func parseFlowValue(parent: Int) throws(YAMLError) -> YAMLNode {
        let node = try parseFlowCollection(parent: parent)
        var after = position
        while bytes[after] == Byte.space || bytes[after] == Byte.tab { after += 1 }
        if bytes[after] == Byte.colon {
            throw YAMLError(.complexKey, "a key is a list or a mapping", hint: "use text as the key", at: node.mark)
        }
        try skipToContent()
        return node
    }

    private mutating func parseFlowCollection(parent: Int) throws(YAMLError) -> YAMLNode {
        let context = FlowContext(open: mark(), bracket: byte, parent: parent)
        try enter(at: context.open)
        position += 1
        let value: YAMLNode.Value
        if context.bracket == Byte.openBracket {
            value = .sequence(try parseFlowSequence(context))
        } else {
            value = .mapping(try parseFlowMapping(context))
        }
        position += 1
        depth -= 1
        return YAMLNode(value, at: context.open)
    }

    private mutating func parseFlowSequence(_ context: FlowContext) throws(YAMLError) -> [YAMLNode] {
        var items: [YAMLNode] = []
        try skipFlowGap(context)
        while byte != Byte.closeBracket {
            let start = mark()
            items.append(try parseFlowNode(context))
            try skipFlowGap(context)
            if byte == Byte.colon {
                throw YAMLError(
                    .flowSeparator, "a ‘key: value’ stands in a list", hint: "put braces around it, or quote it",
                    at: start)
            }
            try passFlowComma(context, close: Byte.closeBracket)
        }
        return items
    }

    private mutating func parseFlowMapping(_ context: FlowContext) throws(YAMLError) -> [YAMLEntry] {
        var entries: [YAMLEntry] = []
        var keys = KeySet()
        try skipFlowGap(context)
        while byte != Byte.closeBrace {
            let keyMark = mark()
            let keyLine = line
            let key = try parseFlowKey(context)
            try refuseMergeKey(key, at: keyMark)
            try keys.insert(key.text, at: keyMark, after: entries)
            skipBlanks()
            guard byte == Byte.colon, line == keyLine else {
                throw YAMLError(
                    .missingColon, "‘\(key.text)’ has no ‘: ’ after a key in ‘{ }’",
                    hint: "write ‘{key: value}’, or put a text that has braces in quotes", at: keyMark)
            }
            position += 1
            let afterColon = mark()
            try skipFlowGap(context)
            let isEmpty = byte == Byte.comma || byte == Byte.closeBrace
            let value = isEmpty ? YAMLNode(.null, at: afterColon) : try parseFlowNode(context)
            entries.append(YAMLEntry(key: key.text, keyMark: keyMark, value: value))
            try skipFlowGap(context)
            try passFlowComma(context, close: Byte.closeBrace)
        }
        return entries
    }

    private mutating func parseFlowKey(_ context: FlowContext) throws(YAMLError) -> ScalarHead {
        if byte == Byte.openBracket || byte == Byte.openBrace {
            throw error(.complexKey, "a key is a list or a mapping", hint: "use text as the key")
        }
        return try parseFlowScalar(context)
    }

    private mutating func parseFlowNode(_ context: FlowContext) throws(YAMLError) -> YAMLNode {
        if byte == Byte.openBracket || byte == Byte.openBrace {
            return try parseFlowCollection(parent: context.parent)
        }
        let start = mark()
        let head = try parseFlowScalar(context)
        if head.style == .plain && head.text == "~" { return YAMLNode(.null, at: start) }
        return YAMLNode(.scalar(head.text, head.style), at: start)
    }

    private mutating func parseFlowScalar(_ context: FlowContext) throws(YAMLError) -> ScalarHead {
        if byte == Byte.double || byte == Byte.single { return try parseScalarHead(parent: context.parent) }
        if byte == Byte.comma || byte == Byte.closeBracket || byte == Byte.closeBrace {
            throw error(.flowSeparator, "\(excerpt()) stands where a value is expected", hint: "remove it, or quote it")
        }
        try refuseIndicator()
        return ScalarHead(text: scanFlowPlain(), style: .plain)
    }

    /// Plain text on one line: text that runs on is more likely a forgotten comma.
    private mutating func scanFlowPlain() -> String {
        let start = position
        var end = start
        while true {
            let current = byte
            if current == Byte.space || current == Byte.tab {
                position += 1
                continue
            }
            if current == Byte.newline || current == Byte.end || Byte.isFlowIndicator(current) { break }
            if current == Byte.colon && (atIndicatorEnd || Byte.isFlowIndicator(next)) { break }
            if current == Byte.hash && end < position { break }
            position += 1
            end = position
        }
        position = end
        return text(start, end)
    }

    /// Passes the comma between two items, or stays before the closing bracket.
    private mutating func passFlowComma(_ context: FlowContext, close: UInt8) throws(YAMLError) {
        if byte == Byte.comma {
            position += 1
            try skipFlowGap(context)
        } else if byte != close {
            let closing = Character(Unicode.Scalar(close))
            throw error(
                .flowSeparator, "\(excerpt()) stands where ‘,’ or ‘\(closing)’ is expected",
                hint: "separate the items of the list or mapping opened at \(context.open) by commas")
        }
    }

    /// Passes blanks, comments and line ends inside brackets.
    private mutating func skipFlowGap(_ context: FlowContext) throws(YAMLError) {
        while true {
            let start = position
            skipBlanks()
            if byte == Byte.hash && (position > start || position == lineStart) { skipComment() }
            guard byte == Byte.newline else { break }
            passNewline()
            while byte == Byte.space { position += 1 }
            if byte == Byte.tab { try refuseTab() }
            if byte == Byte.hash { skipComment() }
            if byte != Byte.newline && byte != Byte.end { try checkFlowIndent(context) }
        }
        if byte == Byte.end { throw unclosed(context) }
    }

    /// A line at its parent's column can only close the brackets: otherwise they were forgotten above it.
    private func checkFlowIndent(_ context: FlowContext) throws(YAMLError) {
        let isClosing = byte == Byte.closeBracket || byte == Byte.closeBrace
        if indent == 0 && isDocumentMarker(at: position) { throw unclosed(context) }
        guard indent > context.parent || isClosing else { throw unclosed(context) }
    }

    private func unclosed(_ context: FlowContext) -> YAMLError {
        let open = Character(Unicode.Scalar(context.bracket))
        let close = context.bracket == Byte.openBracket ? "]" : "}"
        return YAMLError(
            .unclosedFlow, "the ‘\(open)’ that opens here is not closed",
            hint: "close it with ‘\(close)’, or indent the lines that it goes on for", at: context.open)
    }
}
