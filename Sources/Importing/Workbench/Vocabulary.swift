import Delimited
import OpenAlloc

/// What the definitions of a catalogue already know: header names with their variables, action words with their kinds.
public struct Vocabulary: Sendable {
    /// What the catalogue says of an action word.
    struct Meaning: Sendable, Hashable {
        /// What a definition would write: a kind, or `{skip: …}`.
        let yaml: String
        /// Why it is thought so; empty when the catalogue has the very word.
        let doubt: String
    }

    /// Header key → variable → how many definitions say so.
    private(set) var columns: [String: [String: Int]] = [:]
    /// Header names that definitions know and do not use.
    private(set) var unused: Set<String> = []
    /// Folded action word → what it becomes → how many definitions say so.
    private var actions: [[UInt8]: [String: Int]] = [:]
    private var patterns: [(template: Template, yaml: String)] = []
    /// All words of names, action words and texts of the definitions, lower-cased: nobody's secret.
    private(set) var words: Set<String> = []
    /// The definitions, for overlaps and drift.
    let definitions: [DefinitionImporter]

    /// The vocabulary of these importers; those that are code add nothing.
    public init(_ importers: [any Importer]) {
        definitions = importers.compactMap { $0.asDefinition }
        for importer in definitions { learn(importer.definition) }
    }

    private mutating func learn(_ definition: Definition) {
        for bound in definition.lines.flatMap(\.patterns) + definition.files { note(bound.template.source) }
        for map in definition.maps {
            for key in map.values.words { note(String(decoding: key, as: UTF8.self)) }
            for pattern in map.patterns { note(pattern.template.source) }
        }
        for table in definition.tables {
            for column in table.columns {
                guard case .names(let list) = column.place else { continue }
                for case .name(let name) in list {
                    columns[name.key, default: [:]][definition.variables.names[column.slot], default: 0] += 1
                    note(name.key)
                }
            }
            for pattern in table.known {
                note(pattern.text)
                if case .name(let name) = pattern { unused.insert(name.key) }
            }
            if let actions = table.actions { learn(actions) }
            for section in table.sections { note(String(decoding: section, as: UTF8.self)) }
            for key in table.captures?.keys.words ?? [] { note(String(decoding: key, as: UTF8.self)) }
            for pattern in table.extracts.flatMap(\.patterns) { note(pattern.template.source) }
            for rule in table.rows {
                note(rule.condition)
                if case .record(let action) = rule.verdict { note([action]) }
            }
            for rule in table.repairs { note(rule.condition) }
            for rule in table.priceUnits { note(rule.condition) }
            for set in table.sets { note(set.condition) }
            if let continuation = table.continuation { note(continuation) }
            for entry in table.anywhere { note(entry.condition) }
            if let actions = table.actions { note(actions.allRules) }
        }
    }

    private mutating func learn(_ table: ActionTable) {
        for (word, rules) in zip(table.words.words, table.words.values) {
            let text = String(decoding: word, as: UTF8.self)
            note(text)
            guard let yaml = Self.yaml(rules) else { continue }
            // Words of several columns are joined by a slash: each row's own word is the first.
            if table.on.count == 1 { actions[word, default: [:]][yaml, default: 0] += 1 }
        }
        for (bound, rules) in table.patterns {
            note(bound.template.source)
            let letters = bound.template.tokens.reduce(0) { sum, token in
                if case .literal(let bytes) = token { sum + bytes.count(where: isLetter) } else { sum }
            }
            guard letters >= 4, table.on.count == 1, let yaml = Self.yaml(rules) else { continue }
            patterns.append((bound.template, yaml))
        }
    }

    /// What the rules of a word come to: their unconditional rule, else the first.
    private static func yaml(_ rules: [ActionRule]) -> String? {
        guard let rule = rules.first(where: { $0.condition == nil }) ?? rules.first else { return nil }
        if let why = rule.skip { return "{skip: \(why)}" }
        return rule.records.first?.kind.rawValue
    }

    private mutating func note(_ text: String) {
        for word in Self.words(of: text) { words.insert(word) }
    }

    private mutating func note(_ rules: [ActionRule]) {
        for rule in rules {
            note(rule.condition)
            for record in rule.records { note(record.condition) }
        }
    }

    private mutating func note(_ condition: Condition?) {
        switch condition {
        case .all(let parts), .any(let parts): for part in parts { note(part) }
        case .not(let inner): note(inner)
        case .isOneOf(_, let literals): for literal in literals { note(String(decoding: literal, as: UTF8.self)) }
        case .matches(_, let patterns): for pattern in patterns { note(pattern.template.source) }
        default: break
        }
    }

    /// The words of a text: runs of letters, lower-cased.
    static func words(of text: String) -> [String] {
        text.split { !$0.isLetter }.map { $0.lowercased() }
    }

    /// The variables that the catalogue binds to a header name, the most usual first.
    func variables(_ key: String) -> [String] {
        (columns[key] ?? [:]).sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map(\.key)
    }

    /// Why a header name may mean another field than this; empty when the catalogue is of one mind.
    func doubt(of key: String, _ field: String) -> String {
        let counts = columns[key] ?? [:]
        let own = counts[field] ?? 0
        let others = variables(key).filter { $0 != field && RecordField.all.contains($0) && counts[$0] ?? 0 >= own }
        if !others.isEmpty { return "elsewhere also \(others.joined(separator: ", "))" }
        // Names of anything are accounts at one brokerage.
        return field == "account" && own == 1 ? "a guess: one brokerage's word for the account" : ""
    }

    /// The known header name that shares most words with one that is not known.
    func nearestName(_ key: String) -> String? {
        let sought = Set(Self.words(of: key))
        guard !sought.isEmpty else { return nil }
        var best: (name: String, share: Double)?
        for name in columns.keys.sorted() {
            let words = Set(Self.words(of: name))
            let common = words.intersection(sought).count
            guard common > 0 else { continue }
            let share = Double(common) / Double(words.union(sought).count)
            if share >= 0.5, share > best?.share ?? 0 { best = (name, share) }
        }
        return best?.name
    }

    /// What a word most likely means; nil when nothing is known of it.
    func meaning(_ word: String) -> Meaning? {
        if let votes = actions[foldedWordBytes(word)], let top = Self.top(votes) {
            let others = votes.keys.filter { $0 != top }.sorted()
            return Meaning(yaml: top, doubt: others.isEmpty ? "" : "elsewhere also \(others.joined(separator: ", "))")
        }
        if let pattern = patterns.first(where: { pattern in withView(word) { pattern.template.matches($0) } }) {
            return Meaning(yaml: pattern.yaml, doubt: "like ‘\(pattern.template.source)’")
        }
        let parts = Self.words(of: word)
        for (stems, kind) in Self.stems {
            if let part = parts.first(where: { part in stems.contains { part.hasPrefix($0) } }) {
                return Meaning(yaml: kind, doubt: "a guess by the word ‘\(part)’")
            }
        }
        return nil
    }

    /// What parts of a header name say when no definition has the name; the more special ones first.
    private static let nameParts: [(parts: [String], variable: String)] = [
        (["isin"], "isin"), (["cusip"], "cusip"), (["ticker", "symbol"], "symbol"),
        (["marktwert", "kurswert", "market value", "marknadsvärde", "marktwaarde"], "marketValue"),
        (["einstandskurs", "kaufkurs", "cost per", "average cost", "avg cost", "average price"], "unitCost"),
        (["einstandswert", "cost basis", "kaufwert", "total cost", "book value", "anskaffningsvärde"], "costBasis"),
        (["wertpapier", "security name", "instrument", "bezeichnung", "värdepapper", "omschrijving"], "description"),
        (["stück", "quantity", "nominal", "shares", "units", "aantal", "antal", "anzahl", "cantidad"], "units"),
        (["kurs", "price", "preis", "koers", "precio", "prezzo", "prix"], "price"),
        (["valuta", "settle"], "settled"),
        (["provision", "commission", "brokerage", "courtage"], "commission"),
        (["gebühr", "fee", "kosten", "frais"], "fees"),
        (["währung", "currency", "devise", "divisa"], "currency"),
        (["betrag", "amount", "montant", "bedrag", "importe", "belopp", "importo"], "amount"),
    ]
    private static let shortNames = [
        "sym": "symbol", "qty": "units", "tkr": "symbol", "desc": "description", "amt": "amount", "comm": "commission",
        "ccy": "currency", "curr": "currency", "acct": "account", "px": "price",
    ]

    /// The variables that the words of a header name speak for, when no definition has that name.
    func variables(byPartsOf key: String) -> [String] {
        if let short = Self.shortNames[key] { return [short] }
        return Self.nameParts.filter { $0.parts.contains { key.contains($0) } }.map(\.variable)
    }

    private static func top(_ votes: [String: Int]) -> String? {
        votes.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.first?.key
    }

    /// Beginnings of words that say what happened, in the languages of exports; the more special ones first.
    private static let stems: [(stems: [String], kind: String)] = [
        (["dividend", "dividende", "utdelning", "ausschüttung", "distribution"], "dividend"),
        (["interest", "zins", "intérêt", "interes", "rente", "ränta"], "interest"),
        (["withholding", "tax", "steuer", "impôt", "belasting", "impuesto"], "tax"),
        (["fee", "gebühr", "frais", "kosten", "commission", "comisión", "avgift"], "fee"),
        (["sell", "sold", "sale", "verkauf", "vente", "venta", "vendita", "verkoop", "sälj"], "sell"),
        (["buy", "bought", "purchase", "kauf", "achat", "compra", "acquisto", "koop", "aankoop", "köp"], "buy"),
        (["deposit", "einzahlung", "dépôt", "storting", "insättning", "versement", "contribution"], "deposit"),
        (["withdraw", "auszahlung", "retrait", "opname", "uttag", "retiro", "prelievo"], "withdrawal"),
        (["split"], "split"),
        (["transfer", "überweisung", "virement", "movement", "payment", "wire", "ach"], "cash"),
    ]
}
