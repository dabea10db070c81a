import Delimited

/// A template's tokens without arrays within arrays, for matching.
final class TemplateSteps: Sendable {
    enum Kind: UInt8, Sendable { case literal, space, any, text, rest, run }

    struct Step: BitwiseCopyable, Sendable {
        let kind: Kind
        /// Of a run.
        let characters: Template.CaptureClass
        /// Which capture takes it; −1 for none.
        let capture: Int32
        /// Where a literal stands in `bytes`.
        let start: Int32
        let count: Int32
    }

    let steps: [Step]
    let bytes: [UInt8]
    let needsBreakBeforeTail: Bool
    /// What all literals have.
    let letters: Template.Letters
    /// Whether to look for the literals before matching: where a template opens with what matches anything.
    private let searchesLiterals: Bool

    init(_ tokens: [Template.Token], needsBreakBeforeTail: Bool) {
        var steps: [Step] = []
        var bytes: [UInt8] = []
        steps.reserveCapacity(tokens.count)
        bytes.reserveCapacity(64)
        for token in tokens {
            var (kind, characters, capture, count) = (Kind.literal, Template.CaptureClass.text, -1, 0)
            switch token {
            case .literal(let literal):
                count = literal.count
                bytes += literal
            case .space: kind = .space
            case .any: kind = .any
            case .capture(let name, let wanted):
                kind = wanted == .text ? .text : wanted == .rest ? .rest : .run
                characters = wanted
                capture = name ?? -1
            }
            steps.append(
                Step(
                    kind: kind, characters: characters, capture: Int32(capture), start: Int32(bytes.count - count),
                    count: Int32(count)))
        }
        self.steps = steps
        self.bytes = bytes
        self.needsBreakBeforeTail = needsBreakBeforeTail
        letters = ByteView.with(bytes) { Template.Letters($0) }
        searchesLiterals =
            (steps.first?.kind == .any || steps.first?.kind == .text) && steps.contains { $0.kind == .literal }
    }

    /// Whether a text has all literals, one behind the other: else nothing of it can match.
    func areLiterals(in text: ByteView) -> Bool {
        guard searchesLiterals else { return true }
        var from = 0
        for step in steps where step.kind == .literal {
            let last = text.count - Int(step.count)
            let first = bytes[Int(step.start)]
            while from <= last, asciiLower(text[from]) != first || !isLiteral(step, in: text, at: from) { from += 1 }
            if from > last { return false }
            from += Int(step.count)
        }
        return true
    }

    /// Whether a literal stands in a text at a place from which on there are as many bytes.
    @inline(__always)
    func isLiteral(_ step: Step, in text: ByteView, at position: Int) -> Bool {
        let start = Int(step.start)
        for place in 0..<Int(step.count) where asciiLower(text[position + place]) != bytes[start + place] {
            return false
        }
        return true
    }
}

/// One attempt of a template on a text: backtracking, bounded in steps.
struct TemplateMatcher {
    let template: TemplateSteps
    let text: ByteView
    var steps: Int

    mutating func match(_ first: Int, _ start: Int, _ captures: inout [ByteView]) -> Bool {
        var (index, position) = (first, start)
        while true {
            steps -= 1
            guard steps > 0 else { return false }
            guard index < template.steps.count else { return position == text.count }
            let step = template.steps[index]
            switch step.kind {
            case .literal:
                guard position + Int(step.count) <= text.count, template.isLiteral(step, in: text, at: position)
                else { return false }
                position += Int(step.count)
            case .space:
                guard spaceWidth(text, position) != nil else { return false }
                let start = position
                while let width = spaceWidth(text, position) { position += width }
                pay(forBytes: position - start)
            case .any:
                if index + 1 == template.steps.count {
                    return !template.needsBreakBeforeTail || position == text.count
                        || spaceWidth(text, position) != nil
                }
                return shortest(index, position, from: position, -1, &captures)
            case .text: return shortest(index, position, from: position + 1, Int(step.capture), &captures)
            case .rest:
                guard position < text.count else { return false }
                if step.capture >= 0 { captures[Int(step.capture)] = text[position..<text.count].trimmed() }
                return index + 1 == template.steps.count
            case .run: return run(index, position, step, &captures)
            }
            index += 1
        }
    }

    /// A step may pass over many bytes: more than words have count as steps of their own, so that the bound on steps is
    /// one on time, however long a run of blanks or digits is.
    private mutating func pay(forBytes count: Int) { steps -= count >> 6 }

    /// Tries ever longer parts for a wild card or a capture.
    private mutating func shortest(
        _ index: Int, _ position: Int, from first: Int, _ capture: Int, _ captures: inout [ByteView]
    ) -> Bool {
        guard first <= text.count else { return false }
        if index + 1 == template.steps.count {
            if capture >= 0 { captures[capture] = text[position..<text.count].trimmed() }
            return true
        }
        let next = template.steps[index + 1]
        for end in first...text.count where text.isBoundary(end) {
            if fails(next, at: end) {
                // As many steps as an attempt that fails at once.
                steps -= 1
                if steps <= 0 { return false }
                continue
            }
            if match(index + 1, end, &captures) {
                if capture >= 0 { captures[capture] = text[position..<end].trimmed() }
                return true
            }
        }
        return false
    }

    /// Whether the step that follows fails at once: the first byte of a literal, or the white space that must be there.
    @inline(__always)
    private func fails(_ next: TemplateSteps.Step, at end: Int) -> Bool {
        switch next.kind {
        case .literal: end >= text.count || asciiLower(text[end]) != template.bytes[Int(next.start)]
        case .space: spaceWidth(text, end) == nil
        default: false
        }
    }

    /// Takes the longest run of a character class, then gives back.
    private mutating func run(
        _ index: Int, _ position: Int, _ step: TemplateSteps.Step, _ captures: inout [ByteView]
    ) -> Bool {
        let kind = step.characters
        var longest = position
        // Ends within an exponent end no number.
        var exponents = 0..<0
        while longest < text.count {
            if CaptureClassRules.allows(text[longest], kind) {
                longest += 1
            } else if kind == .number, text[longest] == 0x20, longest > position, isDigit(text[longest - 1]),
                longest + 1 < text.count, isDigit(text[longest + 1])
            {
                // `1 046,38`: a space between digits groups them.
                longest += 1
            } else if kind == .number, let behind = exponent(at: longest, from: position) {
                exponents = longest + 1..<behind
                longest = behind
            } else {
                break
            }
        }
        pay(forBytes: longest - position)
        var end = longest
        while end > position {
            // Whether a part is what it has to be takes a look at all of it.
            pay(forBytes: end - position)
            guard steps > 0 else { return false }
            if exponents.contains(end) {
                end -= 1
                continue
            }
            let part = text[position..<end]
            if kind == .number, end < longest, text[end] == 0x20, splitsGroups(part, end), isOpen(index) {
                end -= 1
                continue
            }
            if text.isBoundary(end), CaptureClassRules.accepts(part, kind), match(index + 1, end, &captures) {
                if step.capture >= 0 { captures[Int(step.capture)] = part }
                return true
            }
            end -= 1
        }
        return false
    }

    /// Where the exponent of a number ends, if one begins here: `E-7` of `1.5E-7BNB`. One without a sign may be the
    /// beginning of a name, so it ends a word.
    private func exponent(at position: Int, from start: Int) -> Int? {
        guard text[position] | 0x20 == UInt8(ascii: "e"), position > start, isDigit(text[position - 1]) else {
            return nil
        }
        var end = position + 1
        let hasSign = end < text.count && (text[end] == UInt8(ascii: "-") || text[end] == UInt8(ascii: "+"))
        if hasSign { end += 1 }
        let first = end
        while end < text.count, isDigit(text[end]) { end += 1 }
        guard end > first, end - first <= 3 else { return nil }
        if !hasSign, end < text.count, isLetter(text[end]) || text[end] >= 0x80 { return nil }
        return end
    }

    /// Whether anything may stand behind a number and a blank.
    private func isOpen(_ index: Int) -> Bool {
        guard index + 2 < template.steps.count, template.steps[index + 1].kind == .space else { return false }
        let step = template.steps[index + 2]
        return step.kind != .literal && step.kind != .run || step.characters == .word && step.kind == .run
    }

    /// Whether digits before a blank are the first group of a number that goes on behind it: `1` of `1 942.00`.
    private func splitsGroups(_ part: ByteView, _ blank: Int) -> Bool {
        let digits = blank + 1..<blank + 4
        guard digits.upperBound <= text.count, digits.allSatisfy({ isDigit(text[$0]) }) else { return false }
        if part.count > 3, (1...4).allSatisfy({ isDigit(part[part.count - $0]) }) { return false }
        if part.contains(where: isFractionMark) { return false }
        let next = digits.upperBound
        // Where a blank follows, the digits may be a word of their own.
        if next == text.count { return true }
        return isFractionMark(text[next]) && next + 1 < text.count && isDigit(text[next + 1])
    }

    private func isFractionMark(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: ".") || byte == UInt8(ascii: ",")
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
