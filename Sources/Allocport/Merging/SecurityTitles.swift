/// Names of securities, as reports spell, shorten and complete them.
enum SecurityTitles {
    /// Whether two titles of one identifier may name one security: they share a word that tells something, or the start of
    /// one, and no numbers (of a bond's year or rate) contradict.
    static func mayNameOne(_ one: String, _ other: String) -> Bool {
        let (left, right) = (words(one), words(other))
        if left == right { return true }
        let numbers = (left.filter(isNumber), right.filter(isNumber))
        if !numbers.0.isEmpty, !numbers.1.isEmpty, numbers.0.isDisjoint(with: numbers.1) { return false }
        return left.contains { word in right.contains { isShortened(word, $0) || isShortened($0, word) } }
    }

    /// At least so many letters tell something.
    private static let fewest = 3
    /// What names of many securities have.
    private static let common: Set<String> = [
        "acc", "accum", "accumulating", "accumulation", "adr", "ads", "and", "bond", "capital", "class", "com",
        "common",
        "company", "corp", "corporation", "dis", "dist", "distributing", "equity", "etf", "fds", "fund", "funds",
        "group",
        "gruppe", "holding", "holdings", "inc", "income", "incorporated", "index", "international", "limited", "ltd",
        "new",
        "ord", "ordinary", "plc", "portfolio", "reg", "registered", "sa", "share", "shares", "spa", "stock", "the",
        "trust",
        "tst", "ucits", "units", "usd", "eur", "gbp", "cad", "aud", "chf", "jpy",
    ]

    private static func words(_ title: String) -> Set<String> {
        Set(title.lowercased().split { !$0.isLetter && !$0.isNumber }.map(String.init))
    }

    private static func isNumber(_ word: String) -> Bool { word.allSatisfy(\.isNumber) }

    private static func isShortened(_ short: String, _ long: String) -> Bool {
        short.count >= fewest && !isNumber(short) && !common.contains(short) && !common.contains(long)
            && long.hasPrefix(short)
    }
}
