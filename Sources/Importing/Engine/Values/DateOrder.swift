import Delimited

/// Dates whose day and month stand the other way round than their format has them: a file that was saved again in
/// another country. One such date says that its neighbours, which can be read both ways, may be wrong, too.
enum DateOrder {
    /// Why a text is no date of these patterns, and what to do.
    static func advice(
        on text: ByteView, patterns: [DatePattern], undecided: [DatePattern] = []
    ) -> (reason: String, suggestion: String) {
        if LostValue.isOne(text.array) { return (LostValue.reason, LostValue.suggestion) }
        if undecided.contains(where: { $0.read(text) != nil }) {
            let plain = patterns.first { $0.source == "YYYY-MM-DD" }?.source
            return (
                "no other line tells whether the day or the month stands first, or they do not agree.",
                plain.map { "Write it as \($0)." } ?? "Convert it with lines of the same export whose day is beyond 12."
            )
        }
        // A long list helps nobody: its first pattern is the plainest.
        let named = patterns.count > 8 ? patterns.prefix(1) : patterns[...]
        let styles = named.map(\.source).joined(separator: " or ")
        if isSwapped(text, patterns: patterns) {
            let reason =
                "day and month stand the other way round than the format has them; other dates of the file may, too."
            return (reason, "Convert the file as it was downloaded, or write all of its dates as \(styles).")
        }
        if isOfAnotherStyle(text, patterns: patterns) {
            let reason =
                "this is not how the format writes dates; a spreadsheet that has saved the file does such a thing."
            return (reason, "Convert the file as it was downloaded, or write the date as \(styles).")
        }
        return ("this is no date that the format knows, or a day that does not exist.", "Write it as \(styles).")
    }

    /// Whether the text begins with two numbers that are a day and a month only when they change places.
    static func isSwapped(_ text: ByteView, patterns: [DatePattern]) -> Bool {
        let orders = Set(patterns.compactMap(\.dayMonthOrder))
        guard orders.count == 1, let dayFirst = orders.first else { return false }
        var scanner = Scanner(text: text)
        guard let first = scanner.number(), scanner.separator() != nil, let second = scanner.number(),
            scanner.separator() != nil,
            scanner.number() != nil
        else { return false }
        let (day, month) = dayFirst ? (second, first) : (first, second)
        return (13...31).contains(day) && (1...12).contains(month)
    }

    /// Whether the text is three numbers and perhaps a time, apart by a sign that no pattern has between its numbers:
    /// what a spreadsheet makes of a date when it saves the file again. Which of them is the month it does not say.
    static func isOfAnotherStyle(_ text: ByteView, patterns: [DatePattern]) -> Bool {
        var scanner = Scanner(text: text)
        guard scanner.number() != nil, let sign = scanner.separator(), scanner.number() != nil,
            scanner.separator() == sign, scanner.number() != nil,
            scanner.at == text.count || isSpace(text[scanner.at])
        else { return false }
        return !patterns.contains { $0.fields.contains(.literal(sign)) }
    }

    private struct Scanner {
        let text: ByteView
        var at = 0

        /// One to four digits.
        mutating func number() -> Int? {
            var value = 0
            let start = at
            while at < text.count, at - start < 4, (0x30...0x39).contains(text[at]) {
                value = value * 10 + Int(text[at] - 0x30)
                at += 1
            }
            return at > start ? value : nil
        }

        /// `/`, `.` or `-`.
        mutating func separator() -> UInt8? {
            guard at < text.count, [0x2F, 0x2E, 0x2D].contains(text[at]) else { return nil }
            at += 1
            return text[at - 1]
        }
    }
}
