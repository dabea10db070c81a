import Delimited

// Dates that can be read with the day first and with the month first: where a definition knows both, the file decides.

extension DatePattern {
    /// Whether the other pattern is the same but for the places of day and month.
    func isTwin(of other: DatePattern) -> Bool {
        guard let order = dayMonthOrder, other.dayMonthOrder == !order, declared.count == other.declared.count else {
            return false
        }
        return zip(declared, other.declared).allSatisfy { mine, theirs in
            switch (mine, theirs) {
            case (.day(let a), .month(let b)), (.month(let a), .day(let b)): a == b
            default: mine == theirs
            }
        }
    }
}

extension Definition {
    /// Whether a list of patterns by which rows are read has two that differ in the order of day and month alone.
    var hasBothDayOrders: Bool {
        ([dates] + tables.compactMap(\.dates)).contains { patterns in
            patterns.contains { pattern in patterns.contains { $0.isTwin(of: pattern) } }
        }
    }

    /// The same with the patterns of the order that the file's own dates prove; where none does, or some prove one and
    /// some the other, without both.
    func settled(_ survey: Survey) -> Definition {
        guard asksForDayOrder else { return self }
        var settled = self
        func keep(_ patterns: [DatePattern]) -> [DatePattern] {
            patterns.filter { pattern in
                if pattern.dayMonthOrder == survey.isDayFirst { return true }
                guard patterns.contains(where: { $0.isTwin(of: pattern) }) else { return true }
                if survey.isDayFirst == nil { settled.undecidedDates.append(pattern) }
                return false
            }
        }
        settled.dates = keep(dates)
        for index in tables.indices { settled.tables[index].dates = tables[index].dates.map(keep) }
        return settled
    }
}

extension Survey {
    /// Whether the day stands first in the file's dates; nil when no date tells, or they do not agree.
    var isDayFirst: Bool? { provesDayFirst == provesMonthFirst ? nil : provesDayFirst }

    /// Learns from a date that only one of two patterns can read.
    func learnDayOrder(_ text: ByteView, _ patterns: [DatePattern]) {
        for pattern in patterns where pattern.dayMonthOrder == true {
            guard let twin = patterns.first(where: { $0.isTwin(of: pattern) }) else { continue }
            switch (pattern.read(text) != nil, twin.read(text) != nil) {
            case (true, false): provesDayFirst = true
            case (false, true): provesMonthFirst = true
            default: continue
            }
        }
    }
}
