extension PosixRule {
    /// Nil if the text is no such rule.
    init?(_ text: some StringProtocol) {
        var reader = RuleReader(text: Array(text.utf8))
        guard let standardName = reader.name(), let standardOffset = reader.time() else { return nil }
        standard = LocalType(offset: -standardOffset, abbreviation: standardName)
        guard !reader.isAtEnd else {
            daylight = nil
            return
        }
        guard let name = reader.name() else { return nil }
        var offset = standard.offset + 3600
        if reader.peek != UInt8(ascii: ",") {
            guard let given = reader.time() else { return nil }
            offset = -given
        }
        guard let start = reader.change(), let end = reader.change(), reader.isAtEnd else { return nil }
        daylight = Daylight(
            type: LocalType(offset: offset, abbreviation: name), start: start.day, startTime: start.time, end: end.day,
            endTime: end.time)
    }
}

/// Reads the parts of a rule from left to right.
private struct RuleReader {
    let text: [UInt8]
    var position = 0

    var isAtEnd: Bool { position == text.count }
    var peek: UInt8? { position < text.count ? text[position] : nil }

    mutating func pass(_ character: Unicode.Scalar) -> Bool {
        guard peek == UInt8(ascii: character) else { return false }
        position += 1
        return true
    }

    /// `EST` or `<-03>`.
    mutating func name() -> String? {
        let isQuoted = pass("<")
        let start = position
        while let byte = peek {
            let isLetter = (byte | 0x20) >= UInt8(ascii: "a") && (byte | 0x20) <= UInt8(ascii: "z")
            guard isLetter || (isQuoted && byte != UInt8(ascii: ">")) else { break }
            position += 1
        }
        let name = String(decoding: text[start..<position], as: UTF8.self)
        guard !name.isEmpty, !isQuoted || pass(">") else { return nil }
        return name
    }

    mutating func number(upTo limit: Int) -> Int? {
        let start = position
        var value = 0
        while let byte = peek, byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9"), position - start < 4 {
            value = value * 10 + Int(byte - UInt8(ascii: "0"))
            position += 1
        }
        return position > start && value <= limit ? value : nil
    }

    /// `[+-]hh[:mm[:ss]]` in seconds; hours to 167.
    mutating func time() -> Int? {
        let isNegative = pass("-")
        if !isNegative { _ = pass("+") }
        guard var seconds = number(upTo: 167).map({ $0 * 3600 }) else { return nil }
        for unit in [60, 1] where pass(":") {
            guard let part = number(upTo: 59) else { return nil }
            seconds += part * unit
        }
        return isNegative ? -seconds : seconds
    }

    /// `,date[/time]`; 02:00 where no time is given.
    mutating func change() -> (day: PosixRule.Day, time: Int)? {
        guard pass(","), let day = day() else { return nil }
        guard pass("/") else { return (day, 7200) }
        return time().map { (day, $0) }
    }

    private mutating func day() -> PosixRule.Day? {
        if pass("J") { return number(upTo: 365).flatMap { $0 > 0 ? .julian($0) : nil } }
        guard pass("M") else { return number(upTo: 365).map { .ordinal($0) } }
        guard let month = number(upTo: 12), pass("."), let week = number(upTo: 5), pass("."),
            let weekday = number(upTo: 6), month > 0, week > 0
        else { return nil }
        return .week(month: month, week: week, weekday: weekday)
    }
}
