extension Template {
    /// Whether no text that one of these patterns reads as a date matches: it asks for a word that no date has.
    func matchesNoDate(of patterns: [DatePattern]) -> Bool {
        var words = MonthNames.names + MonthNames.abbreviations + [["am", "pm", "gmt", "utc"]]
        for pattern in patterns {
            var literals: [UInt8] = []
            for field in pattern.fields {
                switch field {
                case .zoneWord, .weekday: return false
                case .literal(let byte): literals.append(asciiLower(byte))
                default: break
                }
            }
            words.append([String(decoding: literals, as: UTF8.self)])
        }
        return tokens.contains { token in
            guard case .literal(let bytes) = token else { return false }
            return bytes.split(whereSeparator: { !isLetter($0) }).contains { run in
                run.count >= 2
                    && !words.contains { $0.contains { Array($0.utf8).firstRange(of: Array(run)) != nil } }
            }
        }
    }
}

extension [UInt8] {
    /// Where bytes first occur.
    fileprivate func firstRange(of bytes: [UInt8]) -> Range<Int>? {
        guard bytes.count <= count else { return nil }
        for start in 0...(count - bytes.count) where self[start..<start + bytes.count].elementsEqual(bytes) {
            return start..<start + bytes.count
        }
        return nil
    }
}
