import Delimited
import OpenAlloc

/// Makes a copy of an export that can be shown to others: other names, accounts, ids, amounts and days, and the same
/// in all that a reader of the format can see.
public struct Anonymizer {
    /// What was made.
    public struct Copy: Sendable {
        /// The copy's bytes, in the encoding of the input.
        public let bytes: [UInt8]
        /// A file name without what the real one says of a person; definitions may read the account from it.
        public let name: String
        /// By how many days all dates were moved.
        public let days: Int
        /// By what all amounts and units were multiplied; prices are as they were.
        public let factor: Int
    }

    private static let factors = [7, 3, 11, 13, 17, 19, 23, 29]

    private let definition: Definition
    private let binder: HeaderBinder
    /// Variables that rules look at: a code in one of them is what the format says, nobody's secret.
    private let ruling: Set<Int>
    private let grouping: Set<Int>
    private let numberSlots: Set<Int>
    let sample: InputSample
    let survey: Survey
    let reader: NumberReader
    let scale: NumberScale
    let dates: DateShift
    var pseudonyms: Pseudonyms
    /// What was found to name an account, the longest first.
    private var accounts: [String] = []

    /// Copies an input.
    ///
    /// - Parameters:
    ///   - attempt: which of several factors is used; a copy whose proof fails may succeed with the next.
    ///   - vocabulary: the catalogue, whose words are nobody's secret.
    /// - Returns: nil when the input is not delimited text or the importer is code.
    /// - Throws: what reading throws.
    public static func copy(
        _ input: any InputSource, by importer: any Importer, vocabulary: Vocabulary, attempt: Int
    ) throws(InputError) -> Copy? {
        guard let made = Vocabulary.definition(of: importer) else { return nil }
        let sample = try InputSample(input)
        guard sample.format == .delimited else { return nil }
        let bytes = try input.bytes(at: 0, count: input.byteCount)
        var anonymizer = Anonymizer(made, sample, bytes, vocabulary, attempt)
        return anonymizer.copy(bytes)
    }

    private init(
        _ importer: DefinitionImporter, _ sample: InputSample, _ bytes: [UInt8], _ vocabulary: Vocabulary, _ attempt: Int
    ) {
        definition = importer.definition
        binder = importer.binder
        ruling = DefinitionLint.usedSlots(importer.definition)
        numberSlots = Set(importer.definition.numberSlots)
        grouping = Set(importer.definition.tables.flatMap { $0.group?.by ?? [] })
        self.sample = sample
        survey = Survey()
        reader = NumberReader(blanks: importer.definition.blanks)
        var seed = bytes.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
        let draw = Pseudonyms.next(&seed)
        let start = Int(draw % UInt64(Self.factors.count))
        scale = NumberScale(factor: Self.factors[(start + attempt) % Self.factors.count])
        // One to three years back: whole weeks keep the weekdays, and nothing comes to lie in the future.
        let weeks = 53 + Int(Pseudonyms.next(&seed) % 104)
        let patterns = definition.dates + definition.exported + definition.tables.flatMap { $0.dates ?? [] }
        dates = DateShift(days: -7 * weeks, patterns: patterns + DateGuess.patterns.map(\.pattern))
        pseudonyms = Pseudonyms(seed: seed, plainWords: vocabulary.words)
    }

    // MARK: The file

    private mutating func copy(_ bytes: [UInt8]) -> Copy? {
        let text = TextDecoder.decode(bytes, as: sample.encoding)
        guard let resolver = try? DateResolver(definition: definition, options: ImportOptions()) else { return nil }
        let fileValues = FileNameContext.values(of: sample.name, definition)
        func run(_ purpose: DefinitionRun.Purpose, _ sink: any RecordSink) -> DefinitionRun {
            let run = DefinitionRun(
                definition, binder: binder, purpose: purpose, survey: survey, dates: resolver, options: ImportOptions(),
                sink: sink)
            run.setContext(fileValues)
            return run
        }
        var lines: [AnonymousLine] = []
        let first = run(.survey, NullSink())
        var reader = DelimitedReader(dialect: sample.dialect)
        reader.read(text) { (record: borrowing RecordView) in first.take(record) }
        first.finish()
        let mark = LastMark()
        let second = run(.records, mark)
        reader = DelimitedReader(dialect: sample.dialect)
        reader.read(text) { (record: borrowing RecordView) in
            mark.outcome = nil
            second.take(record)
            var binding = second.binding
            if mark.outcome == .header || record.isBlank { binding = nil }
            // Lines that a rule names are texts, unless they are rows of a table of names and values.
            let isText = mark.outcome == .footer || mark.outcome == .preamble || mark.outcome == .section
            if isText, binding.map({ definition.tables[$0.table].captures == nil }) ?? true { binding = nil }
            lines.append(
                AnonymousLine(record, isKept: mark.outcome == .header || record.isBlank, binding: binding))
        }
        second.finish()
        learnAccounts(lines, fileValues)
        var result: [UInt8] = []
        var end = 0
        for line in lines {
            result += text[end..<line.start]
            result += line.isKept ? line.raw : written(line)
            end = line.start + line.raw.count
        }
        result += text[end...]
        let bom = sample.encoding.byteOrderMark
        let hasBOM = !bom.isEmpty && bytes.starts(with: bom)
        let name = fileName(fileValues)
        return Copy(
            bytes: (hasBOM ? bom : []) + sample.encoding.encode(result), name: name, days: dates.days, factor: scale.factor)
    }

    /// Accounts are learnt first, so that a mention of one in a text above or beside is replaced too.
    private mutating func learnAccounts(_ lines: [AnonymousLine], _ fileValues: [(slot: Int, text: String)]) {
        var found = Set(fileValues.filter { definition.variables.names[$0.slot] == "account" }.map(\.text))
        for line in lines where !line.isKept {
            for (slot, text) in slots(line) where definition.variables.names[slot] == "account" { found.insert(text) }
        }
        accounts = found.filter { $0.count > 3 && $0.contains(where: \.isNumber) }
            .sorted { ($1.count, $0) < ($0.count, $1) }
    }

    private mutating func fileName(_ values: [(slot: Int, text: String)]) -> String {
        var name = sample.name
        for (slot, text) in values where !text.isEmpty {
            let moved =
                definition.variables.names[slot] == "exported"
                ? dates.shift(text, definition.fileDates + definition.exported + definition.dates)
                : replacement(text, definition.variables.names[slot])
            if let moved { name = name.replacing(text, with: moved, maxReplacements: 1) }
        }
        guard values.isEmpty else { return name }
        return "anonymous" + (name.lastIndex(of: ".").map { String(name[$0...]) } ?? "")
    }

    // MARK: Lines

    /// What a line's cells, and the captures of the rules that it matches, say by variable.
    private func slots(_ line: AnonymousLine) -> [(slot: Int, text: String)] {
        var found: [(Int, String)] = []
        if let binding = line.binding {
            for (slot, column) in binding.columns.enumerated() where column >= 0 && column < line.cells.count {
                let text = line.cells[column].text.trimmingSpaces
                found.append((slot, text))
                found += captures(text, templates(slot, binding.table))
            }
        }
        let whole = line.cells.map(\.text).joined(separator: ",")
        let first = line.cells.first { !$0.text.trimmingSpaces.isEmpty }?.text.trimmingSpaces ?? ""
        for rule in definition.lines { found += captures(rule.isWhole ? whole : first, rule.patterns) }
        return found
    }

    private func captures(_ text: String, _ patterns: [BoundTemplate]) -> [(slot: Int, text: String)] {
        for pattern in patterns where !pattern.slots.isEmpty {
            var captures: [CapturedText] = []
            if withView(text, { pattern.capture($0, &captures) }) {
                return captures.filter { !$0.text.isEmpty }.map { ($0.slot, $0.text) }
            }
        }
        return []
    }

    /// The patterns by which the cell of a variable is taken apart.
    private func templates(_ slot: Int, _ table: Int) -> [BoundTemplate] {
        let table = definition.tables[table]
        var found = table.extracts.filter { $0.from == slot }.flatMap(\.patterns)
        if let actions = table.actions, actions.on == [slot] { found += actions.patterns.map(\.template) }
        return found
    }

    /// The line with its cells replaced, each in the quotes that it has.
    private mutating func written(_ line: AnonymousLine) -> [UInt8] {
        var columns: [Int: Int] = [:]
        if let binding = line.binding {
            for (slot, column) in binding.columns.enumerated() where column >= 0 { columns[column] = slot }
        }
        let hasSecurity = ["symbol", "isin", "cusip"].contains { name in
            guard let slot = definition.variables.known(name), let column = line.binding?.columns[slot], column >= 0,
                column < line.cells.count
            else { return false }
            return !withView(line.cells[column].text) { reader.isBlank($0) }
        }
        let ruled = line.binding == nil || line.cells.count(where: { !$0.text.trimmingSpaces.isEmpty }) < 3 ? slots(line) : []
        var result: [UInt8] = []
        for (index, cell) in line.cells.enumerated() {
            if index > 0 { result.append(sample.dialect.delimiter) }
            let padding = cell.text.prefix { $0 == " " }
            let text = cell.text.trimmingSpaces
            guard !text.isEmpty, index >= definition.layout?.width ?? 0 else {
                result += cell.raw
                continue
            }
            let made = anonymous(
                text, column: index, slot: columns[index], line: line, hasSecurity: hasSecurity, captured: ruled)
            if made == text {
                result += cell.raw
            } else {
                let tail = cell.text.reversed().prefix { $0 == " " }
                result += cell.written(String(padding) + made + String(tail), sample.dialect)
            }
        }
        return result
    }

    // MARK: Cells

    private mutating func anonymous(
        _ text: String, column: Int, slot: Int?, line: AnonymousLine, hasSecurity: Bool, captured: [(slot: Int, text: String)]
    ) -> String {
        if withView(text, { reader.isBlank($0) }) { return text }
        var name = slot.map { definition.variables.names[$0] } ?? ""
        if let captures = line.binding.flatMap({ definition.tables[$0.table].captures }), let binding = line.binding {
            if slot != captures.to { return text }
            let from = binding.columns[captures.from]
            let key = from >= 0 && from < line.cells.count ? foldedWordBytes(line.cells[from].text) : []
            guard let target = captures.keys[key] else { return free(text, [], keepsWords: false) }
            name = definition.variables.names[target]
            return replacement(text, name) ?? free(text, [], keepsWords: false)
        }
        if let binding = line.binding {
            let table = definition.tables[binding.table]
            let header = column < binding.header.count ? binding.header[column] : ""
            if let made = value(text, name: name, slot: slot, header: header, table, binding, line.cells[column]) {
                return made
            }
            if let slot {
                let found = captures(text, templates(slot, binding.table))
                if !found.isEmpty { return free(text, found, keepsWords: hasSecurity) }
            }
        }
        let here = captured.filter { text.contains($0.text) }
        let keeps = hasSecurity && ["description", "action"].contains(name)
        return free(text, here, keepsWords: keeps)
    }

    /// A cell that is one value: a date, a number, an identifier; nil when it is text.
    private mutating func value(
        _ text: String, name: String, slot: Int?, header: String, _ table: TableDefinition, _ binding: TableBinding,
        _ cell: AnonymousLine.Cell
    ) -> String? {
        if Self.codes.contains(name) { return text }
        if ["account", "id", "accountTitle"].contains(name) { return replacement(text, name) }
        if RecordField.moments[name] != nil || name == "exported" {
            if let moved = dates.shift(text, (table.dates ?? definition.dates) + definition.exported) { return moved }
            // A day that does not exist must not become one that does.
            if let slot, captures(text, templates(slot, binding.table)).isEmpty { return text }
        }
        if name == "time" { return text }
        let style = slot.map { survey.style(table: binding.table, slot: $0) } ?? .auto
        let declared = table.numbers ?? definition.numbers
        let used = declared.decimal == nil ? style : declared
        let isNumber = withView(text) { view in
            if case .value = reader.read(view, used) { true } else { false }
        }
        if isNumber {
            if Self.unscaled.contains(name) { return text }
            let isKnown = RecordField.numbers[name] != nil
            if !isKnown, Self.isRate(header) || Self.isRate(name) || text.contains("%") { return text }
            if !isKnown, Self.isReference(header, text) { return pseudonyms.code(text) }
            return scale.scale(text, reader, used, mayGroup: cell.isQuoted && text.contains(","))
        }
        if let slot, !templates(slot, binding.table).isEmpty { return nil }
        if let moved = dates.shift(text) { return moved }
        if text.utf8.count == 3, Currency.isKnown(text.uppercased()) { return text }
        let digits = text.count { $0.isNumber }
        let isCode = text.allSatisfy { $0.isASCII && !$0.isWhitespace }
        guard isCode, name != "description" else { return nil }
        if let slot, grouping.contains(slot) { return pseudonyms.code(text) }
        if digits >= 5 {
            let isSecurity = withView(text) { view in
                view.count == 12 && CheckDigit.isin(view) == view[11] || CheckDigit.isCUSIP(view)
            }
            return isSecurity ? text : pseudonyms.code(text)
        }
        if let slot, ruling.contains(slot) { return text }
        return nil
    }

    /// Texts that name a security or a currency stay.
    private static let codes: Set<String> = [
        "symbol", "isin", "cusip", "sedol", "currency", "priceCurrency", "securityKind", "assetID", "accountKind",
        "isTaxable", "canTrade",
    ]
    /// Numbers that stay: with units and amounts multiplied alike, units × price is still the amount.
    private static let unscaled: Set<String> = ["price", "unitCost", "multiplier", "exchangeRate"]

    private static func isRate(_ header: String) -> Bool {
        let words = Vocabulary.words(of: header)
        let rates = ["price", "rate", "percent", "kurs", "prix", "prijs", "precio", "prezzo", "koers", "nav", "fairmarketvalue", "fmv", "ratio", "average", "pct"]
        return header.contains("%") || words.contains { word in rates.contains { word.hasPrefix($0) || word.hasSuffix($0) } }
            || words.contains("per")
    }

    private static func isReference(_ header: String, _ text: String) -> Bool {
        let words = Vocabulary.words(of: header)
        let marks = ["id", "number", "no", "nr", "reference", "ref", "order", "orderid", "tradeid", "wkn", "nummer", "code"]
        return text.allSatisfy { $0.isNumber || $0 == "-" } && words.contains { marks.contains($0) }
    }

    /// What stands for a value of a variable in a text.
    private mutating func replacement(_ text: String, _ name: String) -> String? {
        switch name {
        case "account", "id": return pseudonyms.code(text)
        case "exported", "date", "settled", "acquired", "priced", "posted": return dates.shift(text)
        case "accountTitle": return words(text, keepsWords: false)
        default: break
        }
        if Self.codes.contains(name) || Self.unscaled.contains(name) { return text }
        let style = definition.numbers
        if RecordField.numbers[name] != nil { return scale.scale(text, reader, style, mayGroup: false) ?? text }
        guard let slot = definition.variables.known(name) else { return nil }
        if numberSlots.contains(slot), !Self.isRate(name) {
            // Both marks are tried: a text beside the numbers may be written in another style than they.
            for style in [style, .us, .eu] {
                if let made = scale.scale(text, reader, style, mayGroup: false) { return made }
            }
        }
        let isCode = !text.contains(where: \.isWhitespace) && text.count(where: \.isNumber) < 5
        return isCode && ruling.contains(slot) ? text : nil
    }

    /// A text of words: what was captured is replaced by its meaning, the rest word by word.
    private mutating func free(_ text: String, _ captured: [(slot: Int, text: String)], keepsWords: Bool) -> String {
        var result = ""
        var rest = text[...]
        let parts = captured.compactMap { part in rest.firstRange(of: part.text).map { (range: $0, part: part) } }
            .sorted { $0.range.lowerBound < $1.range.lowerBound }
        for (range, part) in parts where range.lowerBound >= rest.startIndex {
            guard let made = replacement(part.text, definition.variables.names[part.slot]) else { continue }
            result += words(String(rest[..<range.lowerBound]), keepsWords: keepsWords) + made
            rest = rest[range.upperBound...]
        }
        return result + words(String(rest), keepsWords: keepsWords)
    }

    /// Replaces accounts, dates, long numbers and words that are not plain.
    private mutating func words(_ text: String, keepsWords: Bool) -> String {
        for account in accounts {
            guard let range = text.firstRange(of: account) else { continue }
            return words(String(text[..<range.lowerBound]), keepsWords: keepsWords) + pseudonyms.code(account)
                + words(String(text[range.upperBound...]), keepsWords: keepsWords)
        }
        var result = ""
        var rest = text[...]
        while let first = rest.first {
            if first.isWhitespace || "()[]\",;:".contains(first) {
                result.append(first)
                rest = rest.dropFirst()
                continue
            }
            if !keepsWords, let (moved, length) = dateRun(rest) {
                result += moved
                rest = rest.dropFirst(length)
                continue
            }
            let token = rest.prefix { !$0.isWhitespace && !"()[]\",;:".contains($0) }
            rest = rest.dropFirst(token.count)
            result += self.token(token, keepsWords: keepsWords)
        }
        return result
    }

    /// The longest run of words at the beginning of a text that is a date, moved, with its length.
    private func dateRun(_ text: Substring) -> (moved: String, length: Int)? {
        var ends: [Substring.Index] = []
        var rest = text
        while ends.count < 6, let space = rest.firstIndex(of: " ") {
            ends.append(space)
            rest = rest[rest.index(after: space)...].drop { $0 == " " }
        }
        if ends.count < 6 { ends.append(text.endIndex) }
        for end in ends.reversed() {
            let run = text[..<end]
            guard run.utf8.count <= 48, run.count(where: \.isNumber) >= 3 else { continue }
            if let moved = dates.shift(String(run)) { return (moved, run.count) }
        }
        return nil
    }

    private mutating func token(_ token: Substring, keepsWords: Bool) -> String {
        let text = String(token)
        let digits = token.count { $0.isNumber }
        if digits >= 4, !keepsWords, let moved = dates.shift(text) { return moved }
        if digits >= 4, !keepsWords { return pseudonyms.code(text) }
        if keepsWords || digits > 0 && !token.contains(where: \.isLetter) { return text }
        var result = ""
        var rest = token
        while let first = rest.first {
            var part = rest.prefix { $0.isLetter == first.isLetter }
            // `flatexDEGIRO` is two words.
            if !pseudonyms.plainWords.contains(part.lowercased()), let bend = zip(part.indices, part.dropFirst().indices).first(where: { part[$0].isLowercase && part[$1].isUppercase })
            {
                part = part[..<bend.1]
            }
            result += first.isLetter ? pseudonyms.word(part) : String(part)
            rest = rest.dropFirst(part.count)
        }
        return result
    }
}

/// Keeps what a run said of the last line.
private final class LastMark: RecordSink {
    var outcome: Outcome?

    func accept(_ records: ArraySlice<Record>, from units: [SourceUnit], warnings: [Finding]) {}
    func acceptRows(_ rows: [TableRow], from unit: SourceUnit, warnings: [Finding]) {}
    func reject(_ finding: Finding, from units: [SourceUnit]) {}
    func mark(_ unit: SourceUnit, _ outcome: Outcome, code: String) { self.outcome = outcome }
    func warn(_ finding: Finding, line: Int?) {}
    func setEnvelope(opening: [UInt8], closing: [UInt8]) {}
}
