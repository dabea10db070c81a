import Delimited
import OpenAlloc

/// What the lines around the rows and the file name seem to say: account, date of the export.
struct DraftContext {
    /// A rule for a line that is no row.
    struct Rule {
        let line: Int
        let pattern: String
        var isWhole = false
        let outcome: String
        var isRest = false
        var place = ""
    }

    private(set) var rules: [Rule] = []
    private(set) var exported: [String] = []
    private(set) var files: [String] = []
    private(set) var fileDates: [String] = []
    private(set) var namesAccount = false

    private let known: Set<String>

    init(_ sheet: Sheet, _ tables: [FoundTable], hasAccountColumn: Bool, vocabulary: Vocabulary) {
        known = vocabulary.words
        let top = tables.first?.header.number ?? 0
        for line in sheet.lines
        where line.number < top && !line.isBlank && line.header == nil || line.number < top && line.filled < 3 {
            if !line.isBlank { preamble(line, hasAccountColumn: hasAccountColumn) }
        }
        for table in tables { others(table, hasAccountColumn: hasAccountColumn) }
        fileName(sheet.name, needsAccount: !hasAccountColumn && !namesAccount)
    }

    /// Lines above the table need a rule only when they say something that is wanted.
    private mutating func preamble(_ line: Sheet.Line, hasAccountColumn: Bool) {
        let isWhole = line.filled > 1
        let text = isWhole ? line.cells.joined(separator: ",") : line.first
        var pieces = Self.pieces(text)
        let isPersonal = !Self.personal.isDisjoint(with: Vocabulary.words(of: text))
        let hasDate = !isPersonal && markDate(&pieces)
        let hasAccount = !hasAccountColumn && markAccount(&pieces)
        guard hasDate || hasAccount else { return }
        // Another account may be named in the same words further below.
        rules.append(
            Rule(
                line: line.number, pattern: pattern(pieces), isWhole: isWhole,
                outcome: hasAccount ? "section" : "preamble", place: hasAccount ? "" : "preamble"))
    }

    private mutating func others(_ table: FoundTable, hasAccountColumn: Bool) {
        if !hasAccountColumn { for (line, isLast) in table.others where !isLast { markSection(line) } }
        var known: Set<String> = Set(rules.map(\.pattern))
        for (line, isLast) in table.others where !rules.contains(where: { $0.line == line.number }) {
            var pieces = Self.pieces(line.first)
            let hasDate = isLast && markDate(&pieces)
            let isTotal = Self.totalPattern(line.first) != nil
            let pattern = hasDate ? pattern(pieces) : Self.opening(line.first)
            guard known.insert(pattern).inserted else { continue }
            rules.append(
                Rule(
                    line: line.number, pattern: pattern, outcome: isTotal ? "total" : isLast ? "footer" : "section",
                    isRest: isLast && !isTotal && !hasDate))
        }
    }

    /// A line between rows that names another account; the rule above the table for such a line is that of all.
    private mutating func markSection(_ line: Sheet.Line) {
        let isWhole = line.filled > 1
        var pieces = Self.pieces(isWhole ? line.cells.joined(separator: ",") : line.first)
        guard markAccount(&pieces) else { return }
        let pattern = pattern(pieces)
        rules.removeAll { $0.pattern == pattern && $0.isWhole == isWhole }
        rules.append(Rule(line: line.number, pattern: pattern, isWhole: isWhole, outcome: "section"))
    }

    private static let totals: Set<String> = [
        "total", "totals", "subtotal", "summe", "gesamt", "gesamtwert", "gesamtsumme", "zwischensumme", "totaal",
        "totale",
        "summa", "totalt", "yhteensä", "suma", "razem", "összesen", "celkem", "toplam",
        "合計", "合计", "小計", "小计", "總計", "总计", "합계", "итого", "всего",
    ]

    /// The pattern of a text with a word for a total: that word, and a wild card for what stands around it.
    static func totalPattern(_ text: String) -> String? {
        guard let word = Vocabulary.words(of: text).first(where: { totals.contains($0) }),
            let range = text.lowercased().firstRange(of: word)
        else { return nil }
        let lowered = text.lowercased()
        let before = range.lowerBound == lowered.startIndex ? "" : "*"
        let after = range.upperBound == lowered.endIndex ? "" : "*"
        return before + DefinitionDraft.capital(word) + after
    }

    /// The same of a row that begins with a few words, one of which is such.
    static func totalPattern(ofRow row: Sheet.Line) -> String? {
        Vocabulary.words(of: row.first).count <= 4 ? totalPattern(row.first) : nil
    }

    /// Words of dates that are somebody's, not the export's.
    private static let personal: Set<String> = [
        "born", "birth", "birthday", "dob", "geboren", "geburtsdatum", "naissance", "né", "née", "nacimiento",
        "nascita",
        "geboortedatum", "opened", "eröffnet", "ouvert", "since", "seit", "joined", "geopend",
    ]

    /// A piece of a line: words as they are, or what is captured there.
    private enum Piece {
        case text(Substring)
        case capture(String)
    }

    private static func pieces(_ text: String) -> [Piece] {
        var pieces: [Piece] = []
        var rest = text[...]
        while let first = rest.first {
            let isBreak = first == " " || first == "," || first == "\""
            let end = rest.firstIndex { (($0 == " " || $0 == "," || $0 == "\"") != isBreak) } ?? rest.endIndex
            pieces.append(.text(rest[..<end]))
            rest = rest[end...]
        }
        return pieces
    }

    /// Finds the longest run of words that is a date; of several the latest: no export is made before the end of what it
    /// tells of.
    private mutating func markDate(_ pieces: inout [Piece]) -> Bool {
        for length in [9, 7, 5, 3, 1] {
            var best: (start: Int, guess: DateGuess, date: CivilDate)?
            for start in pieces.indices where start + length <= pieces.count {
                var text = ""
                for case .text(let part) in pieces[start..<start + length] { text += part }
                guard text.utf8.count >= 8, text.first != " ", text.last != " ", let guess = DateGuess.reading(text),
                    let date = withView(text, { guess.pattern.read($0)?.date }), best.map({ $0.date < date }) ?? true
                else { continue }
                best = (start, guess, date)
            }
            guard let best else { continue }
            pieces.replaceSubrange(best.start..<best.start + length, with: [.capture("{exported}")])
            if !exported.contains(best.guess.source) { exported.append(best.guess.source) }
            return true
        }
        return false
    }

    /// Finds what looks like an account's number on a line that speaks of one.
    private mutating func markAccount(_ pieces: inout [Piece]) -> Bool {
        let marks = [
            "account", "acct", "konto", "depot", "compte", "cuenta", "conto", "rekening", "portfolio", "iban", "klient",
        ]
        var speaks = false
        for case .text(let part) in pieces
        where Vocabulary.words(of: String(part)).contains(where: { word in marks.contains { word.hasPrefix($0) } }) {
            speaks = true
        }
        guard speaks else { return false }
        for (index, piece) in pieces.enumerated() {
            guard case .text(let part) = piece, Self.isAccount(part) else { continue }
            pieces[index] = .capture("{account:id}")
            namesAccount = true
            return true
        }
        return false
    }

    private static func isAccount(_ part: Substring) -> Bool {
        let digits = part.count { $0.isNumber }
        let isID = part.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || ".*-_#".contains($0)) }
        let isMasked = part.hasPrefix("...") || part.contains("*") || part.uppercased().contains("XX")
        return isID && (digits >= 5 || digits >= 2 && isMasked)
    }

    /// The pieces as a pattern; what may be somebody's is a wild card.
    private func pattern(_ pieces: [Piece]) -> String {
        var result = ""
        for (index, piece) in pieces.enumerated() {
            switch piece {
            case .capture(let name): result += name
            case .text(let part) where part.contains(where: \.isNumber): result += "*"
            // A capital after the first word may begin a name.
            case .text(let part)
            where index > 0 && part.first?.isUppercase == true
                && !Vocabulary.words(of: String(part)).allSatisfy({ known.contains($0) }):
                result += "*"
            case .text(let part):
                result += part.replacing("*", with: "\\*").replacing("{", with: "\\{").replacing("\"", with: "*")
            }
        }
        for double in ["**", "* *"] {
            while result.contains(double) { result = result.replacing(double, with: "*") }
        }
        return result
    }

    /// The first words of a text without digits, as a pattern.
    private static func opening(_ text: String) -> String {
        let words = text.split(separator: " ")
        let plain = words.prefix(4).prefix { !$0.contains(where: \.isNumber) }
        let start = plain.joined(separator: " ").replacing("*", with: "\\*").replacing("{", with: "\\{")
        if plain.count == words.count { return start }
        return start.isEmpty ? "*" : start + "*"
    }

    private mutating func fileName(_ name: String, needsAccount: Bool) {
        let stem = FileNameContext.stem(name)
        var pattern = ""
        var found = false
        for part in Self.split(stem) {
            let digits = part.count { $0.isNumber }
            let isDay = digits == 8 && part.count == 8 && (part.hasPrefix("19") || part.hasPrefix("20"))
            if isDay, !pattern.contains("{exported}") {
                pattern += "{exported}"
                fileDates = ["YYYYMMDD"]
                found = true
            } else if needsAccount, !namesAccount, !isDay, Self.isAccount(part) {
                pattern += "{account:id}"
                namesAccount = true
                found = true
            } else if digits > 0 {
                pattern += "*"
            } else {
                pattern += part
            }
        }
        if found { files = [pattern] }
    }

    /// Runs of letters and digits, and what stands between them.
    private static func split(_ text: String) -> [Substring] {
        var parts: [Substring] = []
        var rest = text[...]
        while let first = rest.first {
            let isWord = first.isLetter || first.isNumber
            let end = rest.firstIndex { ($0.isLetter || $0.isNumber) != isWord } ?? rest.endIndex
            parts.append(rest[..<end])
            rest = rest[end...]
        }
        return parts
    }
}
