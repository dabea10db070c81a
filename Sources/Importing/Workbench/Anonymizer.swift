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
    /// The last ones are small: a definition may allow for a cent of rounding, and what is rounded grows too.
    private static let lastFactors = [3, 2]
    /// How many attempts differ.
    public static let attempts = 4 + lastFactors.count

    private(set) var definition: Definition
    let binder: HeaderBinder
    let flow: ValueFlow
    let grouping: Set<Int>
    let numberSlots: Set<Int>
    /// The patterns that rules hold against a variable, by table and slot.
    let tests: [[Int: [BoundTemplate]]]
    /// The words that rules ask for, by table and slot.
    let words: [[Int: Set<[UInt8]>]]
    let sample: InputSample
    let survey: Survey
    let reader: NumberReader
    let scale: NumberScale
    let dates: DateShift
    var pseudonyms: Pseudonyms
    /// What was found to name an account, the longest first.
    var accounts: [String] = []
    /// By line, numbers that an earlier copy had as they were, and whether they may stand where prices do.
    let unchanged: (numbers: [Int: [ExactDecimal]], isOfPrices: Bool)

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
        try copy(input, by: importer, vocabulary: vocabulary, attempt: attempt, unchanged: ([:], false))
    }

    /// The same, by line with numbers that the proof of an earlier copy found as they were.
    static func copy(
        _ input: any InputSource, by importer: any Importer, vocabulary: Vocabulary, attempt: Int,
        unchanged: (numbers: [Int: [ExactDecimal]], isOfPrices: Bool)
    ) throws(InputError) -> Copy? {
        guard let made = importer.asDefinition else { return nil }
        let sample = try InputSample(input, for: importer)
        guard sample.format == .delimited else { return nil }
        let bytes = try input.bytes(at: 0, count: input.byteCount)
        var anonymizer = Anonymizer(made, sample, bytes, vocabulary, attempt, unchanged)
        return anonymizer.copy(bytes)
    }

    private init(
        _ importer: DefinitionImporter, _ sample: InputSample, _ bytes: [UInt8], _ vocabulary: Vocabulary,
        _ attempt: Int, _ unchanged: (numbers: [Int: [ExactDecimal]], isOfPrices: Bool)
    ) {
        self.unchanged = unchanged
        definition = importer.definition
        binder = importer.binder
        flow = ValueFlow(importer.definition)
        tests = importer.definition.tables.map(PatternTests.of)
        words = importer.definition.tables.map(PatternTests.words)
        numberSlots = Set(importer.definition.numberSlots)
        grouping = Set(importer.definition.tables.flatMap { $0.group?.by ?? [] })
        self.sample = sample
        survey = Survey()
        reader = NumberReader(blanks: importer.definition.blanks)
        var seed = bytes.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
        let patterns = definition.dates + definition.exported + definition.tables.flatMap { $0.dates ?? [] }
        // Any number of ten digits is a count from 1970 to them: only cells of dates are read by such patterns.
        let general = patterns.filter { !$0.isEpoch } + DateGuess.patterns.map(\.pattern)
        (scale, dates) = Self.changes(&seed, attempt, patterns: general)
        pseudonyms = Pseudonyms(seed: seed, plainWords: vocabulary.words, original: bytes)
        pseudonyms.ownWords = Vocabulary([importer]).words
    }

    /// By what amounts grow and days move back: drawn from the file itself, so that the same file gives the same copy.
    static func changes(_ seed: inout UInt64, _ attempt: Int, patterns: [DatePattern]) -> (NumberScale, DateShift) {
        let start = Int(Pseudonyms.next(&seed) % UInt64(factors.count))
        let drawn = factors[(start + attempt) % factors.count]
        let last = attempt - (attempts - lastFactors.count)
        let scale = NumberScale(factor: lastFactors.indices.contains(last) ? lastFactors[last] : drawn)
        // One to three years back: whole weeks keep the weekdays, and nothing comes to lie in the future. Where each
        // day may be a month too, nothing proves their order any more: another shift does.
        let weeks = 53 + (Int(Pseudonyms.next(&seed) % 104) + 7 * attempt) % 104
        return (scale, DateShift(days: -7 * weeks, patterns: patterns))
    }

    // MARK: The file

    private mutating func copy(_ bytes: [UInt8]) -> Copy? {
        let text = TextDecoder.decode(bytes, as: sample.encoding)
        guard let resolver = try? DateResolver(definition: definition, options: ImportOptions()) else { return nil }
        let fileValues = FileNameContext.values(of: sample.name, definition)
        let lines = AnonymousLines(
            definition, binder: binder, survey: survey, dialect: sample.dialect, dates: resolver, context: fileValues,
            text: text)
        lines.prepare()
        definition = definition.settled(survey)
        learnAccounts(lines, fileValues)
        var result: [UInt8] = []
        var end = 0
        result.reserveCapacity(text.count + text.count / 8)
        lines.forEach { line in
            result += text[end..<line.start]
            result += line.isKept ? line.raw : written(line)
            end = line.start + line.raw.count
        }
        result += text[end...]
        let bom = sample.encoding.byteOrderMark
        let hasBOM = !bom.isEmpty && bytes.starts(with: bom)
        let encoded = sample.encoding.encode(result)
        let name = fileName(fileValues)
        return Copy(
            bytes: hasBOM ? bom + encoded : encoded, name: name, days: dates.days,
            factor: scale.factor)
    }

    /// Accounts are learnt first, so that a mention of one in a text above or beside is replaced too.
    private mutating func learnAccounts(_ lines: AnonymousLines, _ fileValues: [(slot: Int, text: String)]) {
        var found = Set(fileValues.filter { definition.variables.names[$0.slot] == "account" }.map(\.text))
        lines.forEach { line in
            if line.isKept { return }
            for part in slots(line) where definition.variables.names[part.slot] == "account" { found.insert(part.text) }
        }
        accounts = found.filter { $0.count > 3 && $0.contains(where: \.isNumber) }
            .sorted { ($1.count, $0) < ($0.count, $1) }
    }

    /// The name with its account, days and whatever else is no word of the format replaced.
    private mutating func fileName(_ values: [(slot: Int, text: String)]) -> String {
        let end = sample.name.lastIndex(of: ".").map { String(sample.name[$0...]) } ?? ""
        guard !values.isEmpty else { return "anonymous" + end }
        var rest = sample.name.dropLast(end.count)
        var name = ""
        for (slot, text) in values where !text.isEmpty {
            guard let range = rest.firstRange(of: text) else { continue }
            let moved =
                definition.variables.names[slot] == "exported"
                ? dates.shift(text, definition.fileDates + definition.exported + definition.dates)
                : replacement(text, definition.variables.names[slot])
            name += nameWords(rest[..<range.lowerBound]) + (moved ?? text)
            rest = rest[range.upperBound...]
        }
        return name + nameWords(rest) + end
    }

    private mutating func nameWords(_ text: Substring) -> String {
        var parts: [String] = []
        for part in text.split(separator: "_", omittingEmptySubsequences: false) {
            parts.append(free(String(part), [], keepsWords: false))
        }
        return parts.joined(separator: "_")
    }

    // MARK: Lines

    /// What a line's cells, and the captures of the rules that it matches, say by variable.
    func slots(_ line: AnonymousLine) -> [Part] {
        var found: [Part] = []
        if let binding = line.binding {
            for (slot, column) in line.columns.enumerated() where column >= 0 && column < line.cells.count {
                let text = line.cells[column].text.trimmingSpaces
                found.append(Part(slot: slot, text: text))
                found += captures(text, templates(slot, binding.table))
            }
        }
        let whole = AnonymousLines.tidy(line.cells.map(\.text))
        let first = line.cells.first { !$0.text.trimmingSpaces.isEmpty }?.text.trimmingSpaces ?? ""
        for rule in definition.lines { found += captures(rule.isWhole ? whole : first, rule.patterns) }
        return found
    }

    /// A part of a text and its variable.
    struct Part {
        let slot: Int
        let text: String
        /// The byte of the text where it begins; nil when it was captured elsewhere.
        var start: Int?
    }

    func captures(_ text: String, _ patterns: [BoundTemplate]) -> [Part] {
        for pattern in patterns where !pattern.slots.isEmpty {
            let found = withView(text) { view -> [Part]? in
                var views: [ByteView] = []
                guard pattern.template.matches(view, captures: &views) else { return nil }
                return zip(pattern.slots, views).filter { !$0.1.isEmpty }.map { slot, part in
                    Part(slot: slot, text: part.string, start: part.position(in: view))
                }
            }
            if let found { return found }
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

    /// The variable of each column. Of two, the currency behind a sum and the next sum, say, a number is the number's.
    private func slotsByColumn(_ line: AnonymousLine) -> [Int: Int] {
        var columns: [Int: Int] = [:]
        for (slot, column) in line.columns.enumerated() where line.cells.indices.contains(column) {
            if let other = columns[column], numberSlots.contains(other), !numberSlots.contains(slot),
                !line.cells[column].text.contains(where: \.isLetter)
            {
                continue
            }
            columns[column] = slot
        }
        return columns
    }

    /// Where one unit of nothing costs the sum that was moved: the sum is multiplied in the place of the unit; nil
    /// elsewhere, and for the line's other cells.
    private func sumOfCash(_ text: String, slot: Int?, _ line: AnonymousLine) -> String? {
        func cell(_ name: String) -> String? {
            guard let slot = definition.variables.known(name), line.columns.indices.contains(slot),
                line.cells.indices.contains(line.columns[slot])
            else { return nil }
            let text = line.cells[line.columns[slot]].text.trimmingSpaces
            return withView(text) { reader.isBlank($0) } ? nil : text
        }
        guard let slot, ["units", "price"].contains(definition.variables.names[slot]),
            ["symbol", "isin", "cusip", "description"].allSatisfy({ cell($0) == nil }),
            let units = cell("units"), let number = ExactDecimal(exactly: units.replacing(",", with: ".")), number == 1
        else { return nil }
        if definition.variables.names[slot] == "units" { return text }
        return [NumberStyle.us, .eu].lazy.compactMap { scale.scale(text, reader, $0, mayGroup: false) }.first
    }

    /// The line with its cells replaced, each in the quotes that it has.
    private mutating func written(_ line: AnonymousLine) -> [UInt8] {
        let columns = slotsByColumn(line)
        let hasSecurity = ["symbol", "isin", "cusip"].contains { name in
            guard let slot = definition.variables.known(name), line.columns.indices.contains(slot),
                line.cells.indices.contains(line.columns[slot])
            else { return false }
            return !withView(line.cells[line.columns[slot]].text) { reader.isBlank($0) }
        }
        let ruled =
            line.binding == nil || line.cells.count(where: { !$0.text.trimmingSpaces.isEmpty }) < 3 ? slots(line) : []
        let units = line.binding == nil ? [] : units(line)
        var result: [UInt8] = []
        for (index, cell) in line.cells.enumerated() {
            if index > 0 { result.append(sample.dialect.delimiter) }
            let padding = cell.text.prefix { $0 == " " }
            let text = cell.text.trimmingSpaces
            guard !text.isEmpty else {
                result += cell.raw
                continue
            }
            // The words of a section stay; an account among them does not.
            let isLayout = index < definition.layout?.width ?? 0
            let made =
                isLayout
                ? free(text, [], keepsWords: true)
                : sumOfCash(text, slot: columns[index], line)
                    ?? anonymous(
                        text, column: index, slot: columns[index], line: line, hasSecurity: hasSecurity,
                        captured: ruled, units: units)
            let whole = isLayout ? made : remultiplied(made, slot: columns[index], line)
            if whole == text {
                result += cell.raw
            } else {
                let tail = cell.text.reversed().prefix { $0 == " " }
                result += cell.written(String(padding) + whole + String(tail), sample.dialect)
            }
        }
        return result
    }
}
