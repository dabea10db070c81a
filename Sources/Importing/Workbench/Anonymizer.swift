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

    let definition: Definition
    let binder: HeaderBinder
    /// Variables from which securities and currencies are worked out: a code in one of them stays.
    let coding: Set<Int>
    let grouping: Set<Int>
    /// Variables that prices are taken from: they stay as prices do.
    let pricing: Set<Int>
    let numberSlots: Set<Int>
    /// Variables that end up in an amount, units or a cost.
    let amounting: Set<Int>
    let sample: InputSample
    let survey: Survey
    let reader: NumberReader
    let scale: NumberScale
    let dates: DateShift
    var pseudonyms: Pseudonyms
    /// What was found to name an account, the longest first.
    var accounts: [String] = []

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
        _ importer: DefinitionImporter, _ sample: InputSample, _ bytes: [UInt8], _ vocabulary: Vocabulary,
        _ attempt: Int
    ) {
        definition = importer.definition
        binder = importer.binder
        coding = Self.codingSlots(importer.definition)
        pricing = Self.pricingSlots(importer.definition)
        amounting = Self.amountingSlots(importer.definition)
        numberSlots = Set(importer.definition.numberSlots)
        grouping = Set(importer.definition.tables.flatMap { $0.group?.by ?? [] })
        self.sample = sample
        survey = Survey()
        reader = NumberReader(blanks: importer.definition.blanks)
        var seed = bytes.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
        let patterns = definition.dates + definition.exported + definition.tables.flatMap { $0.dates ?? [] }
        (scale, dates) = Self.changes(&seed, attempt, patterns: patterns + DateGuess.patterns.map(\.pattern))
        pseudonyms = Pseudonyms(seed: seed, plainWords: vocabulary.words)
    }

    /// By what amounts grow and days move back: drawn from the file itself, so that the same file gives the same copy.
    static func changes(_ seed: inout UInt64, _ attempt: Int, patterns: [DatePattern]) -> (NumberScale, DateShift) {
        let start = Int(Pseudonyms.next(&seed) % UInt64(factors.count))
        let scale = NumberScale(factor: factors[(start + attempt) % factors.count])
        // One to three years back: whole weeks keep the weekdays, and nothing comes to lie in the future.
        let weeks = 53 + Int(Pseudonyms.next(&seed) % 104)
        return (scale, DateShift(days: -7 * weeks, patterns: patterns))
    }

    /// The slots that end up in a security or currency, through as many assignments as there may be between.
    private static func codingSlots(_ definition: Definition) -> Set<Int> {
        var sets: [Assignment] = []
        var extracts: [ExtractRule] = []
        for table in definition.tables {
            sets += table.sets + table.rows.flatMap(\.sets) + table.repairs.flatMap(\.sets)
            extracts += table.extracts
            var rules = table.actions?.allRules ?? []
            for rule in table.rows { if case .record(let action) = rule.verdict { rules.append(action) } }
            sets += rules.flatMap(\.records).flatMap(\.sets)
        }
        // Texts of people stay texts, also where they may stand for a security.
        let texts = Set(["description", "account", "accountTitle", "id"].compactMap { definition.variables.known($0) })
        var slots = Set(Self.codes.compactMap { definition.variables.known($0) })
        for _ in 0..<4 {
            for set in sets where slots.contains(set.slot) { slots.formUnion(set.expression.slots) }
            slots.subtract(texts)
            for rule in extracts where rule.patterns.contains(where: { $0.slots.contains { slots.contains($0) } }) {
                slots.insert(rule.from)
            }
        }
        return slots.subtracting(texts)
    }

    private static func amountingSlots(_ definition: Definition) -> Set<Int> {
        let names = Set(RecordField.numbers.keys).subtracting(unscaled)
        var slots = Set(names.compactMap { definition.variables.known($0) })
        let rules = definition.tables.flatMap { $0.actions?.allRules ?? [] }.flatMap(\.records).flatMap(\.sets)
        for _ in 0..<4 {
            for set in definition.tables.flatMap({ $0.sets + $0.rows.flatMap(\.sets) }) + rules
            where slots.contains(set.slot) {
                slots.formUnion(set.expression.slots)
            }
        }
        return slots
    }

    /// The slots whose values become a price by no more than a choice or a product: of a quotient nothing is known.
    private static func pricingSlots(_ definition: Definition) -> Set<Int> {
        var slots = Set(unscaled.compactMap { definition.variables.known($0) })
        func isPlain(_ expression: Expression) -> Bool {
            switch expression {
            case .number, .text, .variable, .map: true
            case .binary(.multiply, let a, let b): isPlain(a) && isPlain(b)
            case .binary: false
            case .call(let function, let arguments):
                [.first, .abs, .number, .ifSame].contains(function) && arguments.allSatisfy(isPlain)
            }
        }
        let amounts = Set(RecordField.numbers.keys).subtracting(unscaled).compactMap { definition.variables.known($0) }
        for _ in 0..<3 {
            for set in definition.tables.flatMap({ $0.sets + $0.rows.flatMap(\.sets) })
            where slots.contains(set.slot) && isPlain(set.expression) {
                slots.formUnion(set.expression.slots)
            }
            slots.subtract(amounts)
        }
        return slots
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
            bytes: (hasBOM ? bom : []) + sample.encoding.encode(result), name: name, days: dates.days,
            factor: scale.factor)
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

    func captures(_ text: String, _ patterns: [BoundTemplate]) -> [(slot: Int, text: String)] {
        for pattern in patterns where !pattern.slots.isEmpty {
            var captures: [CapturedText] = []
            if withView(text, { pattern.capture($0, &captures) }) {
                return captures.filter { !$0.text.isEmpty }.map { ($0.slot, $0.text) }
            }
        }
        return []
    }

    /// The patterns by which the cell of a variable is taken apart.
    func templates(_ slot: Int, _ table: Int) -> [BoundTemplate] {
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
        let ruled =
            line.binding == nil || line.cells.count(where: { !$0.text.trimmingSpaces.isEmpty }) < 3 ? slots(line) : []
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
