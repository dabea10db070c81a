import Delimited

/// A text pattern with named captures: the pattern language of definitions (Importers/README.md, section 6).
///
/// Matching is anchored at both ends, ASCII case-folded, and bounded in steps, so that no input can make it run long.
struct Template: Sendable, Hashable {
    /// What a capture may hold.
    enum CaptureClass: String, Sendable, CaseIterable {
        case text, number, int, word, code, isin, cusip, date, id, mask, rest
    }

    enum Token: Sendable, Hashable {
        /// Lower-cased bytes.
        case literal([UInt8])
        /// One or more white-space characters.
        case space
        /// Anything, also nothing.
        case any
        /// Index into `names`; nil captures nothing.
        case capture(Int?, CaptureClass)
    }

    /// Why a pattern is not one.
    struct Malformed: Error { let reason: String }

    let source: String
    let tokens: [Token]
    /// The first byte, lower-cased, of every text that matches, where the pattern opens with a literal.
    let opening: UInt8?
    /// Captured variables in order of appearance.
    let names: [String]

    /// The exact lower-cased text when the pattern has no wild card and no capture.
    var exactText: [UInt8]? {
        var bytes: [UInt8] = []
        for token in tokens {
            switch token {
            case .literal(let text): bytes += text
            case .space: bytes.append(0x20)
            case .any, .capture: return nil
            }
        }
        return bytes
    }

    init(_ source: String) throws(Malformed) {
        self.source = source
        var tokens: [Token] = []
        var names: [String] = []
        var literal: [UInt8] = []
        func flush() {
            if !literal.isEmpty { tokens.append(.literal(literal)) }
            literal = []
        }
        let bytes = Array(source.utf8)
        var i = 0
        while i < bytes.count {
            let byte = bytes[i]
            switch byte {
            case UInt8(ascii: "\\") where i + 1 < bytes.count:
                literal.append(asciiLower(bytes[i + 1]))
                i += 1
            case UInt8(ascii: "*"):
                flush()
                if tokens.last != .any { tokens.append(.any) }
            case UInt8(ascii: "{"):
                flush()
                guard let end = bytes[i...].firstIndex(of: UInt8(ascii: "}")) else {
                    throw Malformed(reason: "‘{’ is not closed by ‘}’; write \\{ for a brace")
                }
                tokens.append(try Self.capture(String(decoding: bytes[i + 1..<end], as: UTF8.self), &names))
                i = end
            case _ where isSpace(byte):
                flush()
                if tokens.last != .space, !tokens.isEmpty { tokens.append(.space) }
            default:
                literal.append(asciiLower(byte))
            }
            i += 1
        }
        flush()
        if tokens.last == .space { tokens.removeLast() }
        // "YOU BOUGHT *" also stands for the bare words.
        if tokens.count >= 3, tokens.last == .any, tokens[tokens.count - 2] == .space {
            tokens.removeLast(2)
            tokens.append(.any)
            self.needsBreakBeforeTail = true
        } else {
            self.needsBreakBeforeTail = false
        }
        self.tokens = tokens
        self.names = names
        if case .literal(let bytes)? = tokens.first { opening = bytes.first } else { opening = nil }
    }

    /// The trailing `*` stands after a space: what it matches is empty or begins with white space.
    let needsBreakBeforeTail: Bool

    private static func capture(_ inner: String, _ names: inout [String]) throws(Malformed) -> Token {
        let colon = inner.utf8.firstIndex(of: UInt8(ascii: ":"))
        let name = String(inner[..<(colon ?? inner.endIndex)])
        var kind = CaptureClass.text
        if let colon {
            let word = String(inner[inner.utf8.index(after: colon)...])
            guard let known = CaptureClass(rawValue: word) else {
                let all = CaptureClass.allCases.map(\.rawValue).joined(separator: ", ")
                throw Malformed(reason: "‘\(word)’ is no capture type; there are \(all)")
            }
            kind = known
        }
        guard !name.isEmpty, name.utf8.allSatisfy({ isWordByte($0) }) else {
            throw Malformed(reason: "‘{\(inner)}’ needs a name of letters and digits")
        }
        if name == "_" { return .capture(nil, kind) }
        if let known = names.firstIndex(of: name) { return .capture(known, kind) }
        names.append(name)
        return .capture(names.count - 1, kind)
    }

    /// Whether only texts with white space match.
    var needsSpace: Bool { tokens.contains(.space) }

    /// Whether only texts with letters match.
    var needsLetters: Bool {
        tokens.contains { token in
            switch token {
            case .literal(let bytes): bytes.contains(where: isLetter)
            case .capture(_, .code), .capture(_, .isin): true
            default: false
            }
        }
    }

    /// Whether a text may match by its first byte: a cheap test before all else.
    func mayMatch(textWithOpening first: UInt8?) -> Bool { opening == nil || first == opening }

    /// The first byte of a text as `mayMatch` asks for it.
    static func opening(of text: ByteView) -> UInt8? { text.stripped().first.map(asciiLower) }

    /// Whether the whole text matches; on success `captures[i]` is the part of `names[i]`.
    func matches(_ text: ByteView, captures: inout [ByteView]) -> Bool {
        // Most texts begin otherwise; only white space and letters of other scripts are looked at more closely.
        if let opening, let first = text.first, first > 0x20, first < 0x80, asciiLower(first) != opening {
            return false
        }
        let text = text.stripped()
        if let opening, text.first.map(asciiLower) != opening { return false }
        captures.removeAll(keepingCapacity: true)
        for _ in names { captures.append(ByteView.empty) }
        var matcher = TemplateMatcher(template: self, text: text, steps: 20_000)
        return matcher.match(0, 0, &captures)
    }

    /// Whether the whole text matches.
    func matches(_ text: ByteView) -> Bool {
        var captures: [ByteView] = []
        return matches(text, captures: &captures)
    }
}

/// One attempt of a template on a text: backtracking, bounded in steps.
private struct TemplateMatcher {
    let template: Template
    let text: ByteView
    var steps: Int

    mutating func match(_ index: Int, _ position: Int, _ captures: inout [ByteView]) -> Bool {
        steps -= 1
        guard steps > 0 else { return false }
        guard index < template.tokens.count else { return position == text.count }
        switch template.tokens[index] {
        case .literal(let literal):
            guard position + literal.count <= text.count else { return false }
            for i in 0..<literal.count where asciiLower(text[position + i]) != literal[i] { return false }
            return match(index + 1, position + literal.count, &captures)
        case .space:
            var end = position
            while let width = spaceWidth(text, end) { end += width }
            return end > position && match(index + 1, end, &captures)
        case .any:
            if index + 1 == template.tokens.count {
                return !template.needsBreakBeforeTail || position == text.count || spaceWidth(text, position) != nil
            }
            return shortest(index, position, from: position, &captures) { _, _ in }
        case .capture(let name, .text):
            return shortest(index, position, from: position + 1, &captures) { [text] end, captures in
                if let name { captures[name] = text[position..<end].trimmed() }
            }
        case .capture(let name, .rest):
            guard position < text.count else { return false }
            if let name { captures[name] = text[position..<text.count].trimmed() }
            return index + 1 == template.tokens.count
        case .capture(let name, let kind):
            return run(index, position, kind, name, &captures)
        }
    }

    /// Tries ever longer parts for a wild card.
    private mutating func shortest(
        _ index: Int, _ position: Int, from first: Int, _ captures: inout [ByteView],
        _ keep: (Int, inout [ByteView]) -> Void
    ) -> Bool {
        guard first <= text.count else { return false }
        if index + 1 == template.tokens.count {
            keep(text.count, &captures)
            return true
        }
        // The first byte of a literal, or the white space that must follow: most places have another.
        var following: UInt8?
        var needsSpace = false
        switch template.tokens[index + 1] {
        case .literal(let bytes): following = bytes.first
        case .space: needsSpace = true
        case .any, .capture: break
        }
        for end in first...text.count where text.isBoundary(end) {
            let fails =
                if let following {
                    end >= text.count || asciiLower(text[end]) != following
                } else {
                    needsSpace && spaceWidth(text, end) == nil
                }
            if fails {
                // As many steps as an attempt that fails at once.
                steps -= 1
                if steps <= 0 { return false }
                continue
            }
            if match(index + 1, end, &captures) {
                keep(end, &captures)
                return true
            }
        }
        return false
    }

    /// Takes the longest run of a character class, then gives back.
    private mutating func run(
        _ index: Int, _ position: Int, _ kind: Template.CaptureClass, _ name: Int?, _ captures: inout [ByteView]
    ) -> Bool {
        var longest = position
        while longest < text.count {
            if CaptureClassRules.allows(text[longest], kind) {
                longest += 1
            } else if kind == .number, text[longest] == 0x20, longest > position, isDigit(text[longest - 1]),
                longest + 1 < text.count, isDigit(text[longest + 1])
            {
                // `1 046,38`: a space between digits groups them.
                longest += 1
            } else {
                break
            }
        }
        var end = longest
        while end > position {
            let part = text[position..<end]
            if text.isBoundary(end), CaptureClassRules.accepts(part, kind), match(index + 1, end, &captures) {
                if let name { captures[name] = part }
                return true
            }
            end -= 1
        }
        return false
    }
}

/// Which bytes and which wholes a capture class admits.
private enum CaptureClassRules {
    static func allows(_ byte: UInt8, _ kind: Template.CaptureClass) -> Bool {
        switch kind {
        case .text, .rest: true
        case .word: !isSpace(byte)
        case .int: isDigit(byte)
        case .number: isDigit(byte) || byte >= 0x80 || isNumberMark(byte)
        case .code: isLetter(byte)
        case .isin, .cusip: isLetter(byte) || isDigit(byte)
        case .date: isLetter(byte) || isDigit(byte) || isDateMark(byte)
        case .id: isLetter(byte) || isDigit(byte) || isMaskMark(byte) || byte == UInt8(ascii: "_")
        case .mask: isLetter(byte) || isDigit(byte) || byte >= 0x80 || isMaskMark(byte)
        }
    }

    private static func isNumberMark(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "."), UInt8(ascii: ","), UInt8(ascii: "'"), UInt8(ascii: "+"), UInt8(ascii: "-"),
            UInt8(ascii: "("), UInt8(ascii: ")"), UInt8(ascii: "%"), UInt8(ascii: "$"):
            true
        default: false
        }
    }

    private static func isDateMark(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "/"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: ","), UInt8(ascii: ":"): true
        default: false
        }
    }

    private static func isMaskMark(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "."), UInt8(ascii: "*"), UInt8(ascii: "-"), UInt8(ascii: "#"): true
        default: false
        }
    }

    static func accepts(_ part: ByteView, _ kind: Template.CaptureClass) -> Bool {
        switch kind {
        case .code: part.count == 3
        case .isin:
            part.count == 12 && isLetter(part[0]) && isLetter(part[1]) && isDigit(part[11])
        case .number: part.contains(where: isDigit)
        case .cusip: part.count == 9 && CheckDigit.isCUSIP(part)
        case .id, .date: part.contains(where: isDigit)
        case .mask: isMasked(part)
        default: true
        }
    }

    /// A masked account: a run of mask characters, then digits or letters (`XXX123`, `...234`, `XXXX-1234`, `...XXX`).
    private static func isMasked(_ part: ByteView) -> Bool {
        var i = 0
        while i < part.count, part[i] == 0x58 || part[i] == 0x78 || part[i] >= 0x80 || ".*#".utf8.contains(part[i]) {
            i += 1
        }
        guard i >= 2 else { return false }
        if i < part.count, part[i] == UInt8(ascii: "-") { i += 1 }
        guard part.count - i <= 12 else { return false }
        for j in i..<part.count where !isLetter(part[j]) && !isDigit(part[j]) { return false }
        return part.count > i || part[part.count - 1] != UInt8(ascii: ".")
    }
}
