// Documents, block mappings and block sequences.
extension Parser {
    mutating func parseDocument() throws(YAMLError) -> YAMLNode {
        try skipToFirstContent()
        if byte == UInt8(ascii: "%"), indent == 0 {
            throw error(.directive, "directives are not read", hint: "remove the line \(excerpt())")
        }
        if indent == 0, byte == Byte.dash, isDocumentMarker(at: position) {
            position += 3
            skipBlanks()
            guard byte == Byte.newline || byte == Byte.hash || byte == Byte.end else {
                throw error(.trailingText, "\(excerpt()) follows ‘---’", hint: "start it on a line of its own")
            }
            if byte == Byte.hash { skipComment() }
            try skipToContent()
        }
        guard byte != Byte.end else { return YAMLNode(.null, at: YAMLMark(line: 1, column: 1)) }
        let root = try parseBlockNode(parent: -1)
        guard byte == Byte.end else {
            try refuseMarker()
            throw error(
                .indentation, "\(excerpt()) stands outside of what came before",
                hint: "bring it to the indentation of the lines that it belongs to")
        }
        return root
    }

    private mutating func skipToFirstContent() throws(YAMLError) {
        while byte == Byte.space { position += 1 }
        if byte == Byte.tab { try refuseTab() }
        if byte == Byte.hash { skipComment() }
        if byte == Byte.newline { try skipToContent() }
    }

    /// Throws at a document marker, which can only be a second one here.
    mutating func refuseMarker() throws(YAMLError) {
        guard indent == 0, byte == Byte.dash || byte == UInt8(ascii: "."), isDocumentMarker(at: position) else {
            return
        }
        throw error(
            .severalDocuments, "\(excerpt()) would end the document", hint: "keep one document in a file")
    }

    /// A node that starts a line or stands after `- `; `parent` is the column of what it belongs to.
    mutating func parseBlockNode(parent: Int) throws(YAMLError) -> YAMLNode {
        try refuseMarker()
        if byte == Byte.dash && atIndicatorEnd { return try parseBlockSequence() }
        let start = mark()
        let column = indent
        let startLine = line
        switch byte {
        case Byte.openBracket, Byte.openBrace:
            return try parseFlowValue(parent: parent)
        case Byte.bar, Byte.greater:
            return try parseBlockScalar(parent: parent)
        default:
            let head = try parseScalarHead(parent: parent)
            guard try passKeySeparator() else { return try finish(head, at: start, parent: parent) }
            guard line == startLine else { throw multilineKey(at: start) }
            return try parseBlockMapping(indent: column, firstKey: head, at: start)
        }
    }

    private func multilineKey(at mark: YAMLMark) -> YAMLError {
        YAMLError(.complexKey, "a key runs over several lines", hint: "keep it on one line", at: mark)
    }

    /// Passes `:` if the key before it ends here; the colon must be followed by a blank.
    mutating func passKeySeparator() throws(YAMLError) -> Bool {
        var colon = position
        while bytes[colon] == Byte.space || bytes[colon] == Byte.tab { colon += 1 }
        guard bytes[colon] == Byte.colon else { return false }
        position = colon
        guard atIndicatorEnd else {
            throw error(.missingSpace, "there is no space after the ‘:’ of a key", hint: "write ‘key: value’")
        }
        position += 1
        return true
    }

    private mutating func parseBlockMapping(
        indent column: Int, firstKey: ScalarHead, at start: YAMLMark
    ) throws(YAMLError) -> YAMLNode {
        try enter(at: start)
        var entries: [YAMLEntry] = []
        var keys = KeySet()
        var key = firstKey.text
        var keyMark = start
        try refuseMergeKey(firstKey, at: start)
        while true {
            try keys.insert(key, at: keyMark, after: entries)
            lastIndent = 0
            entries.append(YAMLEntry(key: key, keyMark: keyMark, value: try parseEntryValue(indent: column)))
            guard byte != Byte.end, indent >= column else { break }
            try refuseMarker()
            keyMark = mark()
            guard indent == column else { throw tooDeep(column) }
            let head = try parseKey(at: keyMark)
            try refuseMergeKey(head, at: keyMark)
            key = head.text
        }
        depth -= 1
        lastIndent = column
        return YAMLNode(.mapping(entries), at: start)
    }

    private mutating func tooDeep(_ column: Int) -> YAMLError {
        // Between two depths either may be meant.
        let deeper = lastIndent > indent ? " or \(lastIndent)" : ""
        return error(
            .indentation, "\(excerpt()) is indented by \(indent), the lines it follows by \(column)\(deeper)",
            hint: "indent it by \(column)\(deeper)")
    }

    private mutating func parseKey(at start: YAMLMark) throws(YAMLError) -> ScalarHead {
        let startPosition = position
        let startLine = line
        if byte == Byte.dash && atIndicatorEnd {
            throw error(.indentation, "a list item stands among keys", hint: "indent the list under its key")
        }
        if byte == Byte.openBracket || byte == Byte.openBrace || byte == Byte.bar || byte == Byte.greater {
            throw error(.missingColon, "\(excerpt()) stands where a key is expected", hint: "write ‘key: value’")
        }
        let head = try parseScalarHead(parent: indent)
        guard try passKeySeparator() else {
            throw YAMLError(
                .missingColon, "\(excerpt(from: startPosition)) has no ‘: ’ after a key",
                hint: "write ‘key: value’ with a space after the colon", at: start)
        }
        guard line == startLine else { throw multilineKey(at: start) }
        return head
    }

    func refuseMergeKey(_ key: ScalarHead, at mark: YAMLMark) throws(YAMLError) {
        guard key.style == .plain, key.text == "<<" else { return }
        throw YAMLError(.mergeKey, "merge keys are not read", hint: "write the keys out", at: mark)
    }

    /// What stands after `key:`, on the same line or below it.
    private mutating func parseEntryValue(indent column: Int) throws(YAMLError) -> YAMLNode {
        let afterColon = mark()
        skipBlanks()
        guard byte == Byte.newline || byte == Byte.end || byte == Byte.hash else {
            return try parseInlineValue(parent: column)
        }
        if byte == Byte.hash { skipComment() }
        try skipToContent()
        if byte != Byte.end {
            if indent > column { return try parseBlockNode(parent: column) }
            if indent == column, byte == Byte.dash, atIndicatorEnd { return try parseBlockSequence() }
        }
        return YAMLNode(.null, at: afterColon)
    }

    /// A value on its key's line.
    private mutating func parseInlineValue(parent: Int) throws(YAMLError) -> YAMLNode {
        switch byte {
        case Byte.openBracket, Byte.openBrace:
            return try parseFlowValue(parent: parent)
        case Byte.bar, Byte.greater:
            return try parseBlockScalar(parent: parent)
        case Byte.dash where atIndicatorEnd:
            throw error(.inlineBlock, "a list starts on its key's line", hint: "start it on the next line")
        default:
            let start = mark()
            let head = try parseScalarHead(parent: parent)
            if try passKeySeparator() {
                throw YAMLError(
                    .inlineBlock, "a second ‘: ’ stands on the line of a key",
                    hint: "quote the value, or start the inner mapping on the next line", at: start)
            }
            return try finish(head, at: start, parent: parent)
        }
    }

    /// `- item` lines at this column.
    private mutating func parseBlockSequence() throws(YAMLError) -> YAMLNode {
        let start = mark()
        let column = indent
        try enter(at: start)
        var items: [YAMLNode] = []
        while byte == Byte.dash, indent == column, atIndicatorEnd {
            try refuseMarker()
            items.append(try parseItem(dash: column))
        }
        if byte != Byte.end {
            try refuseMarker()
            if indent > column { throw tooDeep(column) }
        }
        depth -= 1
        return YAMLNode(.sequence(items), at: start)
    }

    private mutating func parseItem(dash column: Int) throws(YAMLError) -> YAMLNode {
        position += 1
        let afterDash = mark()
        while byte == Byte.space { position += 1 }
        if byte == Byte.tab { try refuseTab() }
        if byte != Byte.newline && byte != Byte.end && byte != Byte.hash {
            return try parseBlockNode(parent: column)
        }
        if byte == Byte.hash { skipComment() }
        try skipToContent()
        if byte != Byte.end, indent > column { return try parseBlockNode(parent: column) }
        return YAMLNode(.null, at: afterDash)
    }
}

/// The keys of one mapping: compared in place while they are few, hashed when they are many.
struct KeySet {
    private var hashed: Set<String> = []

    /// Throws if `key` is among `entries`, to which the caller then adds it.
    mutating func insert(_ key: String, at mark: YAMLMark, after entries: [YAMLEntry]) throws(YAMLError) {
        let isNew: Bool
        if entries.count < 12 {
            isNew = !entries.contains { $0.key == key }
        } else {
            if hashed.isEmpty { hashed = Set(entries.map(\.key)) }
            isNew = hashed.insert(key).inserted
        }
        guard isNew else {
            let first = entries.first { $0.key == key }?.keyMark ?? mark
            throw YAMLError(
                .duplicateKey, "the key ‘\(key)’ is already on line \(first.line)", hint: "remove one of the two",
                at: mark)
        }
    }
}
