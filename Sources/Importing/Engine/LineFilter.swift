/// Which first bytes of a line's first cell any rule for lines can match: a cheap "this is a row" for most lines.
struct LineFilter: Sendable {
    private var allowed = [Bool](repeating: false, count: 256)

    init(_ rules: [LineRule]) {
        for rule in rules {
            for pattern in rule.patterns {
                guard !rule.isWhole, case .literal(let bytes) = pattern.template.tokens.first, let first = bytes.first
                else {
                    // A pattern that opens with a capture or a wild card rules nothing out.
                    for byte in allowed.indices { allowed[byte] = true }
                    return
                }
                allowed[Int(first)] = true
                if isLetter(first) { allowed[Int(first & 0xDF)] = true }
            }
        }
    }

    @inline(__always)
    func mayBegin(with byte: UInt8) -> Bool { allowed[Int(byte)] }
}
