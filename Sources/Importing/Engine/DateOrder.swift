import Delimited

/// Dates whose day and month stand the other way round than their format has them: a file that was saved again in
/// another country. One such date says that its neighbours, which can be read both ways, may be wrong, too.
enum DateOrder {
    /// Whether the text begins with two numbers that are a day and a month only when they change places.
    static func isSwapped(_ text: ByteView, patterns: [DatePattern]) -> Bool {
        let orders = Set(patterns.compactMap(\.dayMonthOrder))
        guard orders.count == 1, let dayFirst = orders.first else { return false }
        var scanner = Scanner(text: text)
        guard let first = scanner.number(), scanner.separator(), let second = scanner.number(), scanner.separator(),
            scanner.number() != nil
        else { return false }
        let (day, month) = dayFirst ? (second, first) : (first, second)
        return (13...31).contains(day) && (1...12).contains(month)
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

        mutating func separator() -> Bool {
            guard at < text.count, [0x2F, 0x2E, 0x2D].contains(text[at]) else { return false }
            at += 1
            return true
        }
    }
}
