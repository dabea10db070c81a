import Delimited
import OpenAlloc

/// A definition drafted from one export: what can be proven from it, what can be guessed, and what nobody can know.
public struct DefinitionDraft: Sendable {
    /// The definition's id.
    public let id: String
    /// What the draft could not know, one sentence each, for the person who has to decide.
    public private(set) var unknowns: [String] = []
    /// The definition as YAML, with proofs and doubts as comments. It holds no value of a cell.
    public private(set) var yaml = ""

    let sheet: Sheet
    let vocabulary: Vocabulary
    let tables: [FoundTable]
    let columns: [[DraftColumn]]
    let context: DraftContext
    let numbers: String
    let currency: String?
    var lines: [String] = []

    /// Drafts a definition; nil when no line of the sheet looks like a header with rows below.
    ///
    /// - Parameters:
    ///   - id: `<brokerage>.<report>`.
    ///   - vocabulary: what is known already.
    public init?(_ sheet: Sheet, id: String, vocabulary: Vocabulary) {
        self.sheet = sheet
        self.id = id
        self.vocabulary = vocabulary
        let found = FoundTable.find(in: sheet, vocabulary)
        guard !found.isEmpty else { return nil }
        tables = found
        columns = found.map { ColumnGuesser($0, vocabulary).columns }
        let hasAccount = columns.contains { $0.contains { $0.variable == "account" } }
        context = DraftContext(sheet, found, hasAccountColumn: hasAccount, vocabulary: vocabulary)
        let facts = columns.joined().map(\.facts).filter(\.isNumeric)
        let points = facts.reduce(0) { $0 + $1.points }
        let commas = facts.reduce(0) { $0 + $1.commas }
        numbers = commas == 0 ? "us" : points == 0 ? "eu" : "auto"
        var signs: [String: Int] = [:]
        for fact in facts { signs.merge(fact.currencies, uniquingKeysWith: +) }
        currency = signs.max { ($0.value, $1.key) < ($1.value, $0.key) }?.key
        write(points: points, commas: commas)
        if !hasAccount, !context.namesAccount {
            unknowns.append("no account is named in the file or its name: give it with --account when converting")
        }
        yaml = lines.joined(separator: "\n") + "\n"
    }

    mutating func add(_ line: String) { lines.append(line) }

    mutating func doubt(_ sentence: String) { if !unknowns.contains(sentence) { unknowns.append(sentence) } }

    // MARK: The file

    private mutating func write(points: Int, commas: Int) {
        let parts = id.split(separator: ".")
        let brokerage = String(parts.first ?? "mine")
        add("# A draft. Lines with ‘check’ are guesses; lines that begin with # do nothing until the # is removed.")
        add("# Read from: \(sheet.encoding.name), cells separated by \(Self.delimiter(sheet.dialect)).")
        add("importer: \(id)")
        add("version: 1")
        add("title: \(Self.capital(brokerage)) \(parts.dropFirst().joined()) (draft)")
        add("institution: \(Self.capital(brokerage))")
        let zone = Self.zone(homeCurrency)
        add("zone: \(zone)    # check: the time zone of the dates")
        doubt("the time zone of the dates: \(zone) is a guess")
        writeCurrency()
        writeNumbers(points: points, commas: commas)
        writeDates()
        if !context.files.isEmpty { add("files: [\(context.files.map { Self.quoted($0) }.joined(separator: ", "))]") }
        if !context.fileDates.isEmpty { add("fileDates: [\(context.fileDates.joined(separator: ", "))]") }
        if !context.exported.isEmpty {
            add("exported: [\(context.exported.map { Self.quoted($0) }.joined(separator: ", "))]")
        }
        writeRules()
        add("tables:")
        for index in tables.indices { writeTable(index) }
    }

    /// The currency that most speaks for the account's.
    private var homeCurrency: String {
        if let currency { return currency }
        for column in columns.joined() where column.variable == "currency" {
            if let code = column.facts.texts.max(by: { ($0.value, $1.key) < ($1.value, $0.key) })?.key {
                return code.uppercased()
            }
        }
        if let named = columns.joined().compactMap(\.currency).first { return named }
        return numbers == "eu" ? "EUR" : "USD"
    }

    private mutating func writeCurrency() {
        if columns.allSatisfy({ table in table.contains { $0.variable == "currency" } }) { return }
        if let currency {
            add("currency: \(currency)    # by the signs in the cells")
        } else if let named = columns.joined().compactMap(\.currency).first {
            add("currency: \(named)    # by the header")
        } else {
            add("currency: \(homeCurrency)    # check: nothing in the file says it")
            doubt("the currency: nothing in the file says it, \(homeCurrency) is a guess")
        }
    }

    private mutating func writeNumbers(points: Int, commas: Int) {
        switch (points, commas) {
        case (0, 0): add("numbers: us    # check: no number of the file proves a decimal mark")
        case (_, 0):
            add("numbers: us    # \(Self.count(points, "cell proves", "cells prove")) a decimal point, none a comma")
        case (0, _):
            add("numbers: eu    # \(Self.count(commas, "cell proves", "cells prove")) a decimal comma, none a point")
        default:
            add(
                "numbers: auto    # \(Self.count(points, "cell proves", "cells prove")) a decimal point and \(commas) a comma: proven per column"
            )
            doubt("the decimal mark: some cells have a point and some a comma")
        }
    }

    private mutating func writeDates() {
        var sources: [String] = []
        var comments: [String] = []
        for column in columns.joined() where RecordField.moments[column.variable] != nil || column.facts.isDate {
            let (chosen, comment, doubtful) = Self.dates(column.facts, currency: homeCurrency)
            for source in chosen where !sources.contains(source) { sources.append(source) }
            if !comment.isEmpty { comments.append("#   \(Self.plain(column.name)): \(comment)") }
            if doubtful { doubt("day or month first in ‘\(column.name)’: no cell of the file has a day over 12") }
        }
        if sources.isEmpty {
            add("# dates: [MM/DD/YYYY]    # no column of dates was found")
            if let column = columns.joined().first(where: { isNamedAsDate($0) }) {
                let name = Self.plain(column.name)
                doubt(
                    "how the dates in ‘\(name)’ are written: no usual pattern reads them, so write one under ‘dates’, and "
                        + "move ‘\(name)’ from ‘known’ to ‘columns’, under the name ‘date’")
            } else if !columns.joined().contains(where: { $0.variable == "marketValue" }) {
                doubt("no column of dates was found")
            }
            return
        }
        add("dates: [\(sources.map { Self.quoted($0) }.joined(separator: ", "))]")
        lines += comments
    }

    /// Whether the catalogue has the name for one of dates first of all.
    private func isNamedAsDate(_ column: DraftColumn) -> Bool {
        column.facts.filled > 0 && !RecordField.all.contains(column.variable)
            && vocabulary.variables(column.key).first { RecordField.all.contains($0) } == "date"
    }

    /// The fewest patterns that read a column, and how that is proven.
    static func dates(
        _ facts: ColumnFacts, currency: String
    ) -> (patterns: [String], proof: String, isDoubtful: Bool) {
        guard facts.filled > 0, let most = facts.dates.max(), most > 0 else { return ([], "no dates in it", false) }
        let guesses = DateGuess.ofColumns
        let fitting = guesses.indices.filter { facts.dates[$0] == most }
        let monthFirst = fitting.filter { guesses[$0].pattern.dayMonthOrder == false }
        let dayFirst = fitting.filter { guesses[$0].pattern.dayMonthOrder == true }
        let isYearFirst = fitting.first.map { guesses[$0].source.hasPrefix("Y") } ?? false
        var chosen = fitting.first ?? 0
        let isDoubtful = !isYearFirst && !monthFirst.isEmpty && !dayFirst.isEmpty
        if isDoubtful, ["USD", "CAD"].contains(currency), let first = monthFirst.first { chosen = first }
        if isDoubtful, !["USD", "CAD"].contains(currency), let first = dayFirst.first { chosen = first }
        var patterns = [guesses[chosen].source]
        var proof = "\(most) of \(facts.filled) cells are such dates"
        if isDoubtful { proof += "; check: day and month could be the other way round" }
        if most < facts.filled {
            // What the first pattern leaves may be read by another of the same order.
            let order = guesses[chosen].pattern.dayMonthOrder
            let others = guesses.indices.filter {
                facts.dates[$0] > 0 && $0 != chosen && guesses[$0].pattern.dayMonthOrder == order
            }
            if let other = others.max(by: { (facts.dates[$0], $1) < (facts.dates[$1], $0) }) {
                patterns.append(guesses[other].source)
            }
        }
        return (patterns, proof, isDoubtful)
    }

    private mutating func writeRules() {
        guard !context.rules.isEmpty else { return }
        add("lines:")
        for rule in context.rules {
            add("  - text: \(Self.quoted(rule.pattern))    # line \(rule.line)")
            if rule.isWhole { add("    whole: true") }
            add("    is: \(rule.outcome)")
            if !rule.place.isEmpty { add("    where: \(rule.place)") }
            if rule.isRest { add("    rest: true") }
        }
    }

    // MARK: Words

    /// A text as a YAML value: plain where it is plain beyond doubt.
    static func quoted(_ text: String) -> String {
        // Single quotes fold line ends; a text as JSON writes it is YAML too.
        if text.unicodeScalars.contains(where: { $0.value < 0x20 || $0.value == 0x7F }) {
            var bytes: [UInt8] = []
            JSONWriter.append(string: text, to: &bytes)
            return String(decoding: bytes, as: UTF8.self)
        }
        let isPlain =
            text.first?.isLetter == true && text.last != " "
            && text.utf8.allSatisfy { isWordByte($0) || " -./()%".utf8.contains($0) }
            && !["true", "false", "null", "yes", "no", "on", "off"].contains(text.lowercased())
        return isPlain ? text : "'" + text.replacing("'", with: "''") + "'"
    }

    /// `1 row`, `2 rows`.
    static func count(_ number: Int, _ one: String, _ many: String) -> String {
        "\(number) \(number == 1 ? one : many)"
    }

    /// A text in a comment: on one line.
    static func plain(_ text: String) -> String {
        String(
            text.map { $0.isNewline || $0.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x7F } ? " " : $0 })
    }

    static func capital(_ word: String) -> String { word.prefix(1).uppercased() + word.dropFirst() }

    private static func delimiter(_ dialect: Dialect) -> String {
        switch dialect.delimiter {
        case 0x2C: "commas"
        case 0x3B: "semicolons"
        case 0x09: "tabs"
        default: "‘\(String(decoding: [dialect.delimiter], as: UTF8.self))’"
        }
    }

    private static func zone(_ currency: String) -> String {
        let zones = [
            "USD": "America/New_York", "CAD": "America/Toronto", "GBP": "Europe/London", "EUR": "Europe/Berlin",
            "CHF": "Europe/Zurich", "SEK": "Europe/Stockholm", "NOK": "Europe/Oslo", "DKK": "Europe/Copenhagen",
            "AUD": "Australia/Sydney", "NZD": "Pacific/Auckland", "INR": "Asia/Kolkata", "JPY": "Asia/Tokyo",
            "PLN": "Europe/Warsaw", "CZK": "Europe/Prague",
        ]
        return zones[currency] ?? "UTC"
    }
}
