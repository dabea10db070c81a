import Delimited
import OpenAlloc

/// What all cells of a column say about it.
struct ColumnFacts: Sendable {
    /// Cells that say something.
    private(set) var filled = 0
    /// Cells that are numbers under either decimal mark.
    private(set) var numbers = 0
    /// Cells that prove a decimal point, or a decimal comma.
    private(set) var points = 0
    private(set) var commas = 0
    private(set) var negatives = 0
    private(set) var percents = 0
    private(set) var currencies: [String: Int] = [:]
    /// Cells that are currency codes, ISINs, CUSIPs.
    private(set) var codes = 0
    private(set) var isins = 0
    private(set) var cusips = 0
    /// How many cells each of `DateGuess.ofColumns` reads.
    private(set) var dates = [Int](repeating: 0, count: DateGuess.ofColumns.count)
    /// Different texts and how often each stands there.
    private(set) var texts: [String: Int] = [:]

    private static let most = 4096

    init(_ rows: [Sheet.Line], column: Int, _ reader: NumberReader) {
        for row in rows { add(row.cell(column), reader) }
    }

    private mutating func add(_ cell: String, _ reader: NumberReader) {
        withView(cell) { view in
            guard !reader.isBlank(view) else { return }
            filled += 1
            if texts.count < Self.most || texts[cell] != nil { texts[cell, default: 0] += 1 }
            addNumber(view, reader)
            if cell.utf8.count == 3, Currency.isKnown(cell.uppercased()) { codes += 1 }
            if cell.utf8.count == 12, Self.isin?.matches(view) ?? false { isins += 1 }
            if cell.utf8.count == 9, Self.cusip?.matches(view) ?? false { cusips += 1 }
            guard cell.utf8.count >= 6, cell.utf8.contains(where: isDigit) else { return }
            // What read none of many cells will not begin to.
            for (index, guess) in DateGuess.ofColumns.enumerated() where filled < 200 || dates[index] > 0 {
                if guess.pattern.read(view) != nil { dates[index] += 1 }
            }
        }
    }

    private mutating func addNumber(_ view: ByteView, _ reader: NumberReader) {
        var reading = reader.read(view, .us)
        if case .value = reading {} else { reading = reader.read(view, .eu) }
        guard case .value(let value, let isPercent) = reading else { return }
        numbers += 1
        if value.isNegative { negatives += 1 }
        if isPercent { percents += 1 }
        switch reader.proof(view) {
        case UInt8(ascii: "."): points += 1
        case UInt8(ascii: ","): commas += 1
        default: break
        }
        if let code = reader.currency(view) { currencies[code, default: 0] += 1 }
    }

    var isNumeric: Bool { filled > 0 && numbers * 10 >= filled * 9 && !isDate }
    /// Eight digits may be a number too: then only the header's name can tell.
    var isDate: Bool { filled > 0 && (dates.max() ?? 0) * 10 >= filled * 8 && numbers * 2 < filled }
    var mayBeDate: Bool { filled > 0 && (dates.max() ?? 0) * 10 >= filled * 8 }
    var isISIN: Bool { filled > 0 && isins * 10 >= filled * 7 }
    var isCUSIP: Bool { filled > 0 && cusips * 10 >= filled * 7 }
    var isCurrency: Bool { filled > 0 && codes == filled }

    private static let isin = try? Template("{x:isin}")
    private static let cusip = try? Template("{x:cusip}")
}

/// Date patterns that are tried on a column that nobody described.
struct DateGuess: Sendable {
    let source: String
    let pattern: DatePattern

    static let patterns: [DateGuess] = {
        var sources = ["iso"]
        for day in days {
            sources.append(day)
            for time in [" hh:mm:ss", " hh:mm", ", hh:mm:ss", ", hh:mm", " h:mm a", " h:mm:ss a", ", h:mm a"] {
                sources.append(day + time)
            }
            for time in [" h:mm a zzz", " hh:mm a zzz", " hh:mm:ss zzz"] { sources.append(day + time) }
        }
        return guesses(sources)
    }()

    private static let days = [
        "YYYY-MM-DD", "YYYY/MM/DD", "YYYY.MM.DD", "MM/DD/YYYY", "DD/MM/YYYY", "MM-DD-YYYY", "DD-MM-YYYY", "DD.MM.YYYY",
        "MM/DD/YY", "DD/MM/YY", "DD.MM.YY", "M/D/YYYY", "D/M/YYYY", "D.M.YYYY", "M/D/YY", "D/M/YY", "MMM D, YYYY",
        "MMM-DD-YYYY", "D MMM YYYY", "DD-MMM-YYYY", "DD-MMM-YY", "MMMM D, YYYY", "D MMMM YYYY", "YYYYMMDD",
    ]

    /// The same, and what only a whole cell can tell: any word before a date may be a weekday.
    static let ofColumns: [DateGuess] = {
        var sources: [String] = []
        for day in days where day != "YYYYMMDD" { sources += ["EEE " + day, "EEE, " + day, "EEE. " + day] }
        for day in ["YYYY年M月D日", "YYYY年MM月DD日"] { sources += [day, day + "(EEE)"] }
        return patterns + guesses(sources)
    }()

    private static func guesses(_ sources: [String]) -> [DateGuess] {
        sources.compactMap { source in
            (try? DatePattern(source)).map { DateGuess(source: source, pattern: $0) }
        }
    }

    /// The first pattern that reads a text.
    static func reading(_ text: String) -> DateGuess? {
        patterns.first { guess in withView(text) { guess.pattern.read($0) } != nil }
    }
}
