import Delimited

/// Which lines of a table rules for lines may speak of: a cheap "this is a row" for most, a closer look at the others.
struct LineFilter: Sendable {
    /// One pattern of a rule that may speak of lines in a table.
    private struct Candidate: Sendable {
        let template: Template
        /// How every text begins that matches, lower-cased.
        let opening: [UInt8]
        let cells: ClosedRange<Int>?
        let isWhole: Bool
    }

    private var allowed = [Bool](repeating: false, count: 256)
    private var candidates: [Candidate] = []

    init(_ rules: [LineRule]) {
        for rule in rules {
            for pattern in rule.patterns {
                allow(pattern.template)
                if rule.place == .preamble { continue }
                var opening: [UInt8] = []
                if case .literal(let bytes)? = pattern.template.tokens.first { opening = bytes }
                candidates.append(
                    Candidate(template: pattern.template, opening: opening, cells: rule.cells, isWhole: rule.isWhole))
            }
        }
    }

    /// A whole line begins as its first cell does; where that is blank, no line is ruled out.
    private mutating func allow(_ template: Template) {
        guard case .literal(let bytes) = template.tokens.first, let first = bytes.first else {
            // A pattern that opens with a capture or a wild card rules nothing out.
            for byte in allowed.indices { allowed[byte] = true }
            return
        }
        allowed[Int(first)] = true
        if isLetter(first) { allowed[Int(first & 0xDF)] = true }
    }

    @inline(__always)
    func mayBegin(with byte: UInt8) -> Bool { allowed[Int(byte)] }

    /// Whether a rule may speak of a line below a header; one for the end of a file, though the line may not be there.
    @inline(never)
    func mayMean<Row: RecordCells & ~Copyable>(_ record: borrowing Row) -> Bool {
        var filled = -1
        let head = record.cell(0).stripped()
        var first = head
        if first.isEmpty {
            for index in 0..<record.count where !record.cell(index).isBlank {
                first = record.cell(index).trimmed().stripped()
                break
            }
        }
        for index in candidates.indices {
            // A whole line begins with its first cell, or with the comma behind that.
            let text = candidates[index].isWhole ? head : first
            guard LineFilter.mayOpen(text, candidates[index].opening, mayGoOn: candidates[index].isWhole) else {
                continue
            }
            if let cells = candidates[index].cells {
                if filled < 0 { filled = LineFilter.filled(record) }
                guard cells.contains(filled) else { continue }
            }
            if candidates[index].isWhole || candidates[index].template.matches(text) { return true }
        }
        return false
    }

    /// Whether a text begins so; one that goes on behind its end need only begin with its part of it.
    @inline(__always)
    private static func mayOpen(_ text: ByteView, _ opening: [UInt8], mayGoOn: Bool) -> Bool {
        if text.count < opening.count, !mayGoOn { return false }
        for place in 0..<min(text.count, opening.count) where asciiLower(text[place]) != opening[place] { return false }
        return true
    }

    private static func filled<Row: RecordCells & ~Copyable>(_ record: borrowing Row) -> Int {
        var filled = 0
        for index in 0..<record.count where !record.cell(index).isBlank { filled += 1 }
        return filled
    }
}
