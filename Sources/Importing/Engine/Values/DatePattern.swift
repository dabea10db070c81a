import Delimited
import OpenAlloc

/// What a date text says.
struct DateReading: Sendable, Hashable {
    var date: CivilDate
    /// Nil when the text has no time of day.
    var time: CivilTime?
    /// Seconds ahead of UTC, when the text says so.
    var offset: Int?
    /// A zone word such as `ET`, upper-cased, when the text has one.
    var zoneWord: String?
}

/// A date pattern of a definition (Importers/README.md, section 6), compiled.
struct DatePattern: Sendable, Hashable {
    enum Field: Sendable, Hashable {
        case year4, year2
        case month(min: Int), monthName
        case day(min: Int)
        case hour(min: Int), hour12(min: Int), minute, second(min: Int), halfDay
        /// A run of fraction digits, with its leading mark optional.
        case fraction
        case offset, zoneWord, weekday
        /// Seconds since 1970, or milliseconds, as a whole number of UTC.
        case epoch, epochMilliseconds
        case literal(UInt8)
        case space

        /// Whether digits alone make it up.
        var isOfDigits: Bool {
            switch self {
            case .year4, .year2, .month, .day, .hour, .hour12, .minute, .second, .epoch,
                .epochMilliseconds:
                true
            case .literal(let byte): isDigit(byte)
            case .monthName, .halfDay, .fraction, .offset, .zoneWord, .weekday, .space: false
            }
        }
    }

    struct Malformed: Error { let reason: String }

    let source: String
    /// What is read.
    let fields: [Field]
    /// The same as the definition writes it: a date that is made anew gets so many digits.
    let declared: [Field]
    let hasTime: Bool

    init(_ source: String) throws(Malformed) {
        self.source = source
        if source == "epoch" || source == "epochms" {
            hasTime = true
            declared = source == "epoch" ? [.epoch, .fraction] : [.epochMilliseconds]
            fields = declared
            return
        }
        let text = source == "iso" ? "YYYY-MM-DDThh:mm:ss" : source
        var fields: [Field] = []
        let bytes = Array(text.utf8)
        var i = 0
        func run(_ letter: UInt8) -> Int {
            var n = 0
            while i + n < bytes.count, bytes[i + n] == letter { n += 1 }
            return n
        }
        while i < bytes.count {
            let byte = bytes[i]
            var width = 1
            switch byte {
            case UInt8(ascii: "Y"):
                width = run(byte)
                guard width == 4 || width == 2 else { throw Malformed(reason: "a year is YYYY or YY") }
                fields.append(width == 4 ? .year4 : .year2)
            case UInt8(ascii: "M"):
                width = run(byte)
                fields.append(width >= 3 ? .monthName : .month(min: width))
            case UInt8(ascii: "D"):
                width = run(byte)
                fields.append(.day(min: min(width, 2)))
            case UInt8(ascii: "h"):
                width = run(byte)
                fields.append(.hour(min: min(width, 2)))
            case UInt8(ascii: "m"):
                width = run(byte)
                fields.append(.minute)
            case UInt8(ascii: "s"):
                width = run(byte)
                fields.append(.second(min: min(width, 2)))
            case UInt8(ascii: "S"):
                width = run(byte)
                guard fields.contains(where: { if case .second = $0 { true } else { false } }) else {
                    throw Malformed(reason: "SSS are parts of a second and stand after ss, the seconds")
                }
                if fields.last == .literal(UInt8(ascii: ".")) { fields.removeLast() }
                fields.append(.fraction)
            case UInt8(ascii: "E"):
                width = run(byte)
                fields.append(.weekday)
            case UInt8(ascii: "a"): fields.append(.halfDay)
            case UInt8(ascii: "Z"): fields.append(.offset)
            case UInt8(ascii: "z"):
                width = run(byte)
                fields.append(.zoneWord)
            case UInt8(ascii: "'"):
                guard let end = bytes[(i + 1)...].firstIndex(of: byte) else {
                    throw Malformed(reason: "a quoted part of the pattern is not closed")
                }
                for literal in bytes[i + 1..<end] {
                    fields.append(isSpace(literal) ? .space : .literal(asciiLower(literal)))
                }
                width = end - i + 1
            case _ where isSpace(byte): if fields.last != .space { fields.append(.space) }
            // The T of a stamp needs no quotes; other letters are mostly those of another language's patterns.
            case _ where isLetter(byte) && byte != UInt8(ascii: "T"):
                let letters = String(decoding: bytes[i...].prefix(while: isLetter), as: UTF8.self)
                throw Malformed(reason: "‘\(letters)’ is no part of a date; words stand in single quotes")
            default: fields.append(.literal(asciiLower(byte)))
            }
            i += width
        }
        if fields.contains(.halfDay) {
            fields = fields.map { if case .hour(let min) = $0 { .hour12(min: min) } else { $0 } }
        }
        if source == "iso" { fields += [.fraction, .offset] }
        let hasYear = fields.contains(.year4) || fields.contains(.year2)
        let hasMonth = fields.contains { if case .month = $0 { true } else { $0 == .monthName } }
        let hasDay = fields.contains { if case .day = $0 { true } else { false } }
        self.hasTime = fields.contains { if case .hour = $0 { true } else if case .hour12 = $0 { true } else { false } }
        guard hasYear && hasMonth && hasDay || hasTime && !hasYear && !hasMonth && !hasDay else {
            throw Malformed(reason: "a pattern needs a year, a month and a day, or a time")
        }
        if !hasYear, fields.contains(.offset) || fields.contains(.zoneWord) {
            throw Malformed(reason: "a zone stands beside a date, not beside a time of day alone")
        }
        declared = fields
        self.fields = DatePattern.withoutLeadingZeros(fields)
    }

    /// A pattern as other programs write it (`yyyy-MM-dd HH:mm`, `%d.%m.%Y`), in the letters of definitions; nil where that
    /// is no pattern either.
    static func likeOurs(_ text: String) -> String? {
        var ours = text
        let pairs = [
            ("%Y", "YYYY"), ("%y", "YY"), ("%m", "MM"), ("%d", "DD"), ("%b", "MMM"), ("%B", "MMMM"), ("%H", "hh"),
            ("%M", "mm"), ("%S", "ss"), ("%p", "a"), ("yyyy", "YYYY"), ("yy", "YY"), ("dd", "DD"), ("HH", "hh"),
            ("MON", "MMM"), ("Mon", "MMM"), ("aa", "a"), (":MM", ":mm"), (":SS", ":ss"),
        ]
        for (theirs, word) in pairs { ours = ours.replacing(theirs, with: word) }
        // Spreadsheets write months and minutes alike.
        if !ours.contains("M"), let month = ours.firstRange(of: "mm") { ours.replaceSubrange(month, with: "MM") }
        return ours != text && (try? DatePattern(ours)) != nil ? ours : nil
    }

    /// Spreadsheets save `01/05/2024` as `1/5/2024`: where no digits stand beside it, a field is found by its ends.
    private static func withoutLeadingZeros(_ fields: [Field]) -> [Field] {
        fields.indices.map { index in
            let before = index > 0 && fields[index - 1].isOfDigits
            let after = index + 1 < fields.count && fields[index + 1].isOfDigits
            switch fields[index] {
            case .month where !before && !after: return .month(min: 1)
            case .day where !before && !after: return .day(min: 1)
            case .hour where !before && !after: return .hour(min: 1)
            case .hour12 where !before && !after: return .hour12(min: 1)
            case let field: return field
            }
        }
    }

    /// Whether it is a count from 1970, which only the place where it stands tells from any other number.
    var isEpoch: Bool { fields.first == .epoch || fields.first == .epochMilliseconds }

    /// Whether day stands before month, month before day, or neither alone can be meant.
    var dayMonthOrder: Bool? {
        for field in fields where !fields.contains(.monthName) {
            if case .day = field { return true }
            if case .month = field { return false }
        }
        return nil
    }

    /// Reads the whole text; nil when it does not have this shape or the day does not exist.
    func read(_ text: ByteView) -> DateReading? {
        var reader = DateScanner(text: text.trimmed())
        for (index, field) in fields.enumerated()
        where !reader.take(field, next: index + 1 < fields.count ? fields[index + 1] : nil) {
            return nil
        }
        return reader.result()
    }

    /// Where the parts of the text stand; nil when it does not have this shape, whatever its digits say.
    ///
    /// What comes out depends on the text's bytes that are no digits, and on where its digits stand.
    func layout(of text: ByteView) -> (layout: DateLayout, zoneWord: String?)? {
        var reader = DateScanner(text: text)
        for (index, field) in fields.enumerated()
        where !reader.take(field, next: index + 1 < fields.count ? fields[index + 1] : nil) {
            return nil
        }
        return reader.isAtEnd ? (reader.layout, reader.zoneWord) : nil
    }

    /// Reads a time of day alone.
    func readTime(_ text: ByteView) -> CivilTime? {
        var reader = DateScanner(text: text.trimmed())
        for (index, field) in fields.enumerated()
        where !reader.take(field, next: index + 1 < fields.count ? fields[index + 1] : nil) {
            return nil
        }
        return reader.isAtEnd && reader.isInRange ? reader.time : nil
    }
}
