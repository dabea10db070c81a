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

        /// Whether texts differ in what it matches.
        var isWild: Bool {
            switch self {
            case .literal, .space: false
            case .any, .capture: true
            }
        }
    }

    /// Why a pattern is not one.
    struct Malformed: Error { let reason: String }

    /// All of it, in one place: templates are handed about for every row.
    private let parts: Parts

    private final class Parts: Sendable {
        let source: String
        let tokens: [Token]
        let names: [String]
        /// The tokens as they are matched.
        let steps: TemplateSteps
        let opening: UInt8?

        init(_ source: String, _ tokens: [Token], _ names: [String], needsBreakBeforeTail: Bool) {
            self.source = source
            self.tokens = tokens
            self.names = names
            steps = TemplateSteps(tokens, needsBreakBeforeTail: needsBreakBeforeTail)
            if case .literal(let bytes)? = tokens.first { opening = bytes.first } else { opening = nil }
        }
    }

    var source: String { parts.source }
    var tokens: [Token] { parts.tokens }
    /// The first byte, lower-cased, of every text that matches, where the pattern opens with a literal.
    var opening: UInt8? { parts.opening }
    /// Captured variables in order of appearance.
    var names: [String] { parts.names }
    private var steps: TemplateSteps { parts.steps }

    /// The exact lower-cased text when the pattern has no wild card and no capture.
    var exactText: [UInt8]? {
        guard !tokens.contains(where: \.isWild) else { return nil }
        var bytes: [UInt8] = []
        for token in tokens {
            switch token {
            case .literal(let text): bytes += text
            case .space: bytes.append(0x20)
            case .any, .capture: break
            }
        }
        // Exact words are compared as folded words are, in all scripts.
        foldLetters(&bytes)
        return bytes
    }

    /// `exactText` of a pattern that is text as it stands, without making the pattern; nil where it may be more.
    static func plainText(_ source: String) -> [UInt8]? {
        guard !source.utf8.contains(where: { $0 == 0x2A || $0 == 0x5C || $0 == 0x7B }) else { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(source.utf8.count)
        for byte in source.utf8 {
            if !isSpace(byte) {
                bytes.append(asciiLower(byte))
            } else if let last = bytes.last, last != 0x20 {
                bytes.append(0x20)
            }
        }
        if bytes.last == 0x20 { bytes.removeLast() }
        foldLetters(&bytes)
        return bytes
    }

    init(_ source: String) throws(Malformed) {
        var tokens: [Token] = []
        var names: [String] = []
        var literal: [UInt8] = []
        tokens.reserveCapacity(8)
        literal.reserveCapacity(source.utf8.count)
        func flush() {
            if !literal.isEmpty { tokens.append(.literal(Array(literal))) }
            literal.removeAll(keepingCapacity: true)
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
        var needsBreakBeforeTail = false
        if tokens.count >= 3, tokens.last == .any, tokens[tokens.count - 2] == .space {
            tokens.removeLast(2)
            tokens.append(.any)
            needsBreakBeforeTail = true
        }
        parts = Parts(source, tokens, names, needsBreakBeforeTail: needsBreakBeforeTail)
    }

    /// The trailing `*` stands after a space: what it matches is empty or begins with white space.
    var needsBreakBeforeTail: Bool { steps.needsBreakBeforeTail }

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

    /// The ASCII characters that a text has, small for capital letters: a bit each.
    struct Letters {
        let low: UInt64
        let high: UInt64

        /// Of a text that was not looked at.
        static var all: Letters { Letters(low: .max, high: .max) }

        private init(low: UInt64, high: UInt64) { (self.low, self.high) = (low, high) }

        init(_ text: ByteView) { (low, high) = text.letters }

        /// Whether all of others are among these.
        @inline(__always)
        func contain(_ other: Letters) -> Bool { other.low & ~low | other.high & ~high == 0 }
    }

    /// Whether a text of these characters may match: what a literal has, it must have.
    @inline(__always)
    func mayMatch(_ letters: Letters) -> Bool { letters.contain(steps.letters) }

    /// Whether the whole text matches; on success `captures[i]` is the part of `names[i]`.
    func matches(_ text: ByteView, captures: inout [ByteView]) -> Bool {
        // Most texts begin otherwise; only white space and letters of other scripts are looked at more closely.
        if let opening, let first = text.first, first > 0x20, first < 0x80, asciiLower(first) != opening {
            return false
        }
        let text = text.stripped()
        if let opening, text.first.map(asciiLower) != opening { return false }
        guard steps.areLiterals(in: text) else { return false }
        captures.removeAll(keepingCapacity: true)
        for _ in 0..<names.count { captures.append(ByteView.empty) }
        var matcher = TemplateMatcher(template: steps, text: text, steps: 20_000)
        return matcher.match(0, 0, &captures)
    }

    /// Whether the whole text matches.
    func matches(_ text: ByteView) -> Bool {
        var captures: [ByteView] = []
        return matches(text, captures: &captures)
    }

    /// All of a template follows from its source.
    static func == (left: Template, right: Template) -> Bool { left.source == right.source }

    func hash(into hasher: inout Hasher) { hasher.combine(source) }
}
