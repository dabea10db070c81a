extension Instant: CustomStringConvertible {
    /// RFC 3339 in UTC: `2012-12-31T19:00:00Z`, with decimals only where the moment has them.
    public var description: String {
        var bytes: [UInt8] = []
        append(to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Appends the RFC 3339 text, in ASCII.
    public func append(to bytes: inout [UInt8]) {
        let (date, time) = civil
        if time.nanosecond == 0, date.year >= 0, date.year <= 9999 {
            Instant.append(date, time, to: &bytes)
            return
        }
        date.append(to: &bytes)
        bytes.append(0x54)
        time.append(to: &bytes)
        bytes.append(0x5A)
    }

    /// The same of a whole second in a year of four digits, in one piece.
    private static func append(_ date: CivilDate, _ time: CivilTime, to bytes: inout [UInt8]) {
        var text = InlineArray<20, UInt8>(repeating: 0x2D)
        func write(_ value: Int, _ place: Int) {
            let value = UInt32(truncatingIfNeeded: value)
            text[place] = 0x30 &+ UInt8(truncatingIfNeeded: value / 10)
            text[place + 1] = 0x30 &+ UInt8(truncatingIfNeeded: value % 10)
        }
        write(date.year / 100, 0)
        write(date.year % 100, 2)
        write(date.month, 5)
        write(date.day, 8)
        write(time.hour, 11)
        write(time.minute, 14)
        write(time.second, 17)
        text[10] = 0x54
        text[13] = 0x3A
        text[16] = 0x3A
        text[19] = 0x5A
        text.span.withUnsafeBufferPointer { bytes.append(contentsOf: $0) }
    }
}

extension Instant {
    /// Reads RFC 3339 (`2012-12-31T19:00:00.5-05:00`), or a naked day, which means 00:00:00Z.
    ///
    /// `nil` for anything else: no offset, an impossible day, a leap second, more than nine decimals that are not 0.
    public static func parse(_ bytes: UnsafeBufferPointer<UInt8>) -> Instant? {
        var scanner = DigitScanner(bytes: bytes)
        guard let date = scanner.date() else { return nil }
        if scanner.isAtEnd { return Instant(date) }
        guard scanner.takeSeparator(), let time = scanner.time(), let offset = scanner.offset(), scanner.isAtEnd else {
            return nil
        }
        return Instant(date, time, secondsAheadOfUTC: offset)
    }

    /// Reads RFC 3339 text; see ``parse(_:)``.
    public init?(rfc3339 text: some StringProtocol) {
        var copy = String(text)
        guard let parsed = copy.withUTF8({ Instant.parse($0) }) else { return nil }
        self = parsed
    }
}

extension CivilDate {
    /// Reads `2012-12-31` and nothing else.
    public static func parse(_ bytes: UnsafeBufferPointer<UInt8>) -> CivilDate? {
        var scanner = DigitScanner(bytes: bytes)
        guard let date = scanner.date(), scanner.isAtEnd else { return nil }
        return date
    }

    /// Reads `2012-12-31` and nothing else.
    public init?(iso8601 text: some StringProtocol) {
        var copy = String(text)
        guard let parsed = copy.withUTF8({ CivilDate.parse($0) }) else { return nil }
        self = parsed
    }
}

/// Takes fixed-width fields off a text. `position` never passes the end: each read checks the count first.
private struct DigitScanner {
    let bytes: UnsafeBufferPointer<UInt8>
    var position = 0

    var isAtEnd: Bool { position == bytes.count }

    mutating func number(digits: Int) -> Int? {
        guard position + digits <= bytes.count else { return nil }
        var value = 0
        for _ in 0..<digits {
            let digit = bytes[position] &- 0x30
            if digit > 9 { return nil }
            value = value * 10 + Int(digit)
            position += 1
        }
        return value
    }

    mutating func take(_ byte: UInt8) -> Bool {
        guard position < bytes.count, bytes[position] == byte else { return false }
        position += 1
        return true
    }

    /// `T`, `t` or the blank that RFC 3339 tolerates.
    mutating func takeSeparator() -> Bool { take(0x54) || take(0x74) || take(0x20) }

    mutating func date() -> CivilDate? {
        guard let year = number(digits: 4), take(0x2D), let month = number(digits: 2), take(0x2D),
            let day = number(digits: 2)
        else { return nil }
        return CivilDate(year: year, month: month, day: day)
    }

    mutating func time() -> CivilTime? {
        guard let hour = number(digits: 2), take(0x3A), let minute = number(digits: 2), take(0x3A),
            let second = number(digits: 2), let nanosecond = fraction()
        else { return nil }
        return CivilTime(hour: hour, minute: minute, second: second, nanosecond: nanosecond)
    }

    /// Nanoseconds of `.123`; 0 without a point; `nil` for a bare point or what nanoseconds cannot hold.
    private mutating func fraction() -> UInt32? {
        guard take(0x2E) else { return 0 }
        var value: UInt32 = 0
        var digits = 0
        while position < bytes.count, bytes[position] &- 0x30 <= 9 {
            let digit = UInt32(bytes[position] &- 0x30)
            position += 1
            digits += 1
            if digits <= 9 {
                value = value * 10 + digit
            } else if digit != 0 {
                return nil
            }
        }
        if digits == 0 { return nil }
        for _ in min(digits, 9)..<9 { value *= 10 }
        return value
    }

    /// Seconds ahead of UTC.
    mutating func offset() -> Int? {
        if take(0x5A) || take(0x7A) { return 0 }
        let isBehind = take(0x2D)
        guard isBehind || take(0x2B) else { return nil }
        guard let hours = number(digits: 2), take(0x3A), let minutes = number(digits: 2), hours < 24, minutes < 60
        else { return nil }
        let seconds = hours * 3600 + minutes * 60
        return isBehind ? -seconds : seconds
    }
}
