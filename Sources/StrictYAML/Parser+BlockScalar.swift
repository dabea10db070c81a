// Literal `|` and folded `>` scalars.
extension Parser {
    private enum Chomping {
        case clip
        case strip
        case keep
    }

    private struct Header {
        var isFolded: Bool
        var chomping = Chomping.clip
        var indent: Int?
    }

    mutating func parseBlockScalar(parent: Int) throws(YAMLError) -> YAMLNode {
        let start = mark()
        let header = try parseBlockHeader()
        var lines: [Range<Int>] = []
        var column = header.indent.map { max(parent, 0) + $0 }
        while byte == Byte.newline {
            let before = (position, line, lineStart)
            passNewline()
            let content = position
            while byte == Byte.space && position - content < column ?? .max { position += 1 }
            if column == nil, byte == Byte.tab { try refuseTab() }
            if byte == Byte.end { break }
            if byte == Byte.newline {
                lines.append(position..<position)
                continue
            }
            guard indent > parent, indent >= column ?? 0, !(indent == 0 && isDocumentMarker(at: position)) else {
                (position, line, lineStart) = before
                break
            }
            column = column ?? indent
            let lineContent = position
            skipComment()
            lines.append(lineContent..<position)
        }
        let text = join(lines, header)
        try skipToContent()
        return YAMLNode(.scalar(text, .block), at: start)
    }

    private mutating func parseBlockHeader() throws(YAMLError) -> Header {
        var header = Header(isFolded: byte == Byte.greater)
        position += 1
        var hasChomping = false
        while true {
            let current = byte
            if (current == Byte.dash || current == UInt8(ascii: "+")) && !hasChomping {
                header.chomping = current == Byte.dash ? .strip : .keep
                hasChomping = true
            } else if current >= UInt8(ascii: "1"), current <= UInt8(ascii: "9"), header.indent == nil {
                header.indent = Int(current - UInt8(ascii: "0"))
            } else {
                break
            }
            position += 1
        }
        let afterHeader = position
        skipBlanks()
        if byte == Byte.hash && position > afterHeader { skipComment() }
        guard byte == Byte.newline || byte == Byte.end else {
            throw error(
                .blockHeader, "\(excerpt()) cannot follow ‘|’ or ‘>’",
                hint: "start the text on the next line, or put it in quotes")
        }
        return header
    }

    private func join(_ lines: [Range<Int>], _ header: Header) -> String {
        let last = lines.lastIndex { !$0.isEmpty }
        let body = last.map { lines[...$0] } ?? []
        var result: [UInt8] = []
        var isLastKept = false
        var pending = 0
        for (index, line) in body.enumerated() {
            guard !line.isEmpty else {
                pending += 1
                continue
            }
            let isKept = !header.isFolded || bytes[line.lowerBound] == Byte.space || bytes[line.lowerBound] == Byte.tab
            if index == pending {
                result.append(contentsOf: repeatElement(Byte.newline, count: pending))
            } else if isKept || isLastKept {
                result.append(contentsOf: repeatElement(Byte.newline, count: pending + 1))
            } else if pending == 0 {
                result.append(Byte.space)
            } else {
                result.append(contentsOf: repeatElement(Byte.newline, count: pending))
            }
            pending = 0
            isLastKept = isKept
            result.append(contentsOf: bytes[line])
        }
        switch header.chomping {
        case .strip: break
        case .clip: if last != nil { result.append(Byte.newline) }
        case .keep:
            let breaks = lines.count - body.count + (last == nil ? 0 : 1)
            result.append(contentsOf: repeatElement(Byte.newline, count: breaks))
        }
        return String(decoding: result, as: UTF8.self)
    }
}
