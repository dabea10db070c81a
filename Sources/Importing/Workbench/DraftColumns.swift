import Delimited
import OpenAlloc

/// A column of a draft: its header, the variable that it is taken for, and why.
struct DraftColumn: Sendable {
    let index: Int
    let name: String
    let key: String
    /// 1-based occurrence among columns of this name.
    let occurrence: Int
    let currency: String?
    let facts: ColumnFacts
    var variable = ""
    /// Why it is taken for that; empty when the catalogue has the very name.
    var doubt = ""
}

/// Guesses what the columns of a table are.
struct ColumnGuesser {
    let vocabulary: Vocabulary
    private(set) var columns: [DraftColumn] = []

    init(_ table: FoundTable, _ vocabulary: Vocabulary) {
        self.vocabulary = vocabulary
        let reader = NumberReader(blanks: ["-", "--", "n/a"])
        // The word for a total stands where the rows have a date or a name.
        let rows = table.rows.filter { DraftContext.totalPattern(ofRow: $0) == nil }
        var seen: [String: Int] = [:]
        for (index, cell) in table.header.cells.enumerated() {
            let name = cell.split(whereSeparator: \.isWhitespace).joined(separator: " ")
            guard !name.trimmingSpaces.isEmpty else { continue }
            let header = HeaderName(name)
            seen[header.key, default: 0] += 1
            columns.append(
                DraftColumn(
                    index: index, name: name, key: header.key, occurrence: seen[header.key] ?? 1,
                    currency: header.currency, facts: ColumnFacts(rows, column: index, reader)))
        }
        var taken: Set<String> = []
        chooseAction(&taken)
        assign(&taken, doubt: { [vocabulary] in vocabulary.doubt(of: $0.key, $1) }) {
            [vocabulary] column in vocabulary.variables(column.key)
        }
        assign(&taken, doubt: { column, _ in vocabulary.nearestName(column.key).map { "a guess: like ‘\($0)’" } ?? "" })
        {
            [vocabulary] column in vocabulary.nearestName(column.key).map { vocabulary.variables($0) } ?? []
        }
        assign(&taken, doubt: { _, _ in "a guess by its name" }) {
            [vocabulary] column in vocabulary.variables(byPartsOf: column.key)
        }
        assign(&taken, doubt: { _, _ in "a guess by its values" }) { column in
            if column.facts.isISIN { return ["isin"] }
            if column.facts.isCUSIP { return ["cusip"] }
            if column.facts.isCurrency { return ["currency"] }
            return column.facts.isDate ? ["date"] : []
        }
        // Nothing is read without a date: of events with one alone it is that.
        if taken.contains("action"), !taken.contains("date"),
            let index = columns.firstIndex(where: { $0.variable == "settled" && $0.facts.mayBeDate })
        {
            columns[index].variable = "date"
            columns[index].doubt = "a guess: there is no other date"
            taken.insert("date")
            taken.remove("settled")
        }
        for index in columns.indices where columns[index].variable.isEmpty {
            columns[index].variable = Self.name(columns[index].name, taken)
            taken.insert(columns[index].variable)
        }
    }

    private static let namesThings: Set<String> = ["symbol", "isin", "cusip", "sedol", "account"]

    /// The column whose values are action words that the catalogue knows is the action, whatever its name.
    private mutating func chooseAction(_ taken: inout Set<String>) {
        var best: (index: Int, share: Double)?
        for (index, column) in columns.enumerated() where !column.facts.isNumeric && !column.facts.isDate {
            let facts = column.facts
            guard facts.filled > 0, facts.texts.count * 2 <= facts.filled + 12 else { continue }
            // A word that the catalogue only knows something like counts half.
            // A letter or two may stand for anything.
            let known = facts.texts.reduce(0.0) { sum, entry in
                guard let meaning = vocabulary.meaning(entry.key) else { return sum }
                let isShort = entry.key.utf8.count < 3
                return sum + Double(entry.value) * (isShort ? 0.25 : meaning.doubt.isEmpty ? 1 : 0.5)
            }
            var share = known / Double(facts.filled)
            // A column of names of securities has words, too: of those all but a few must be known.
            let names = vocabulary.variables(column.key)
            let isOfNames = names.first.map { Self.namesThings.contains($0) } ?? false
            if names.contains("action"), !isOfNames { share += 0.6 }
            if share > (isOfNames ? 0.8 : 0.3), share > best?.share ?? 0 { best = (index, share) }
        }
        guard let best else { return }
        columns[best.index].variable = "action"
        if !vocabulary.variables(columns[best.index].key).contains("action") {
            columns[best.index].doubt = "a guess: its values are action words"
        }
        taken.insert("action")
    }

    /// Gives columns the first of their candidates that is a record field, free, and has a fitting shape.
    private mutating func assign(
        _ taken: inout Set<String>, doubt: (DraftColumn, String) -> String, _ candidates: (DraftColumn) -> [String]
    ) {
        for index in columns.indices where columns[index].variable.isEmpty {
            let fields = candidates(columns[index]).filter { RecordField.all.contains($0) }
            guard let field = fields.first(where: { !taken.contains($0) && Self.fits($0, columns[index].facts) }) else {
                continue
            }
            columns[index].variable = field
            columns[index].doubt = doubt(columns[index], field)
            taken.insert(field)
        }
    }

    /// Whether the values of a column can be those of a field; a column without values can be any.
    static func fits(_ field: String, _ facts: ColumnFacts) -> Bool {
        guard facts.filled > 0 else { return true }
        if RecordField.numbers[field] != nil { return facts.isNumeric && facts.percents * 2 < facts.filled }
        if RecordField.moments[field] != nil { return facts.mayBeDate }
        switch field {
        case "currency", "priceCurrency": return facts.codes * 10 >= facts.filled * 9
        case "isin": return facts.isISIN
        case "cusip": return facts.isCUSIP
        case "account", "id", "time", "sedol", "lot": return !facts.isDate
        default: return !facts.isNumeric && !facts.isDate
        }
    }

    private static let plainLetters: [Character: String] = [
        "ä": "ae", "ö": "oe", "ü": "ue", "Ä": "ae", "Ö": "oe", "Ü": "ue", "ß": "ss", "å": "a", "Å": "a", "à": "a",
        "á": "a",
        "â": "a", "ã": "a", "ç": "c", "è": "e", "é": "e", "ê": "e", "ë": "e", "í": "i", "ì": "i", "î": "i", "ñ": "n",
        "ó": "o", "ò": "o", "ô": "o", "õ": "o", "ø": "o", "ú": "u", "ù": "u", "û": "u", "æ": "ae",
    ]

    /// A variable of its own for a column that fills no field: its name as one word.
    private static func name(_ header: String, _ taken: Set<String>) -> String {
        var name = ""
        let plain = header.map { Self.plainLetters[$0] ?? String($0) }.joined()
        for part in plain.split(whereSeparator: { !($0.isASCII && ($0.isLetter || $0.isNumber)) }) {
            let word = part.lowercased()
            name += name.isEmpty ? word : word.prefix(1).uppercased() + word.dropFirst()
        }
        if name.isEmpty || name.first?.isNumber == true { name = "column" + name }
        // A field's name would fill the field.
        if RecordField.all.contains(name) || ["first", "line", "cells"].contains(name) { name += "Text" }
        var unique = name
        var count = 2
        while taken.contains(unique) {
            unique = "\(name)\(count)"
            count += 1
        }
        return unique
    }
}
