import Delimited
import OpenAlloc

/// The shortest road of a table: a row whose class a sink has prepared goes from cells to the sink without a record.
///
/// A row's class is what its words say (in this way of quoting them), the signs of its numbers, and which dates it has.
/// What the rules make of a class was worked out by its recipe; whatever is not plain here (a number in a rare shape, a
/// date not met before that has a time, a line that may be no row) is left to the recipe and the rules, which are the
/// oracle in tests.
final class ClassLane {
    let rules: LaneRules
    let table: ClassTable
    private let profile: RecipeProfile
    private let reader: LaneReader
    private let dates: DateResolver
    /// How many rows it has taken.
    @exclusivity(unchecked) private(set) var taken = 0
    /// Whether the row at hand is plain and of no class of the table.
    @exclusivity(unchecked) private var isWanted = false

    /// A class pays for its preparation only if it has so many more rows, unless other inputs have them.
    private static let rowsBeforePreparation = 3

    /// Nil for tables whose rows are not plain.
    init?(_ run: DefinitionRun, _ profile: RecipeProfile, _ binding: TableBinding) {
        guard let rules = LaneRules(run, profile, binding) else { return nil }
        self.rules = rules
        self.profile = profile
        dates = run.builder.dates
        reader = LaneReader(rules, dates: dates)
        table = ClassTable(wordCount: rules.wordColumns.count)
    }

    /// A reader for another thread.
    func makeReader() -> LaneReader { LaneReader(rules, dates: DateResolver(copying: dates)) }

    /// Takes a row, if it is plain and of a prepared class.
    func take(_ record: borrowing RecordView, _ run: DefinitionRun) -> Bool {
        isWanted = false
        guard let id = reader.classify(record, table) else { return false }
        guard id >= 0 else {
            isWanted = id == ClassTable.unknown
            return false
        }
        let unit = SourceUnit(line: record.line, byteOffset: record.byteOffset, raw: record.rawBytes)
        guard run.sink.accept(reader.values, of: id, from: unit) else { return false }
        taken &+= 1
        return true
    }

    /// Learns the class of the row that `take` has just left to its recipe, which was followed.
    func learn(_ recipe: Recipe, _ run: DefinitionRun) {
        guard isWanted, table.count < ClassTable.maximum else { return }
        if recipe.preparation == nil {
            recipe.uses += 1
            guard run.memory != nil || recipe.uses > ClassLane.rowsBeforePreparation else { return }
            let id = recordClass(recipe, shape: reader.shape, run).flatMap { run.sink.prepare($0) }
            recipe.preparation = id.map { .prepared($0) } ?? .refused
        }
        guard case .prepared(let id)? = recipe.preparation else { return }
        // A run of many inputs has many classes: what few rows will need is worked out again for them.
        if run.memory != nil { recipe.forget() }
        table.insert(reader.hash, reader.shape, prepared: id) { reader.cells[$0] }
        isWanted = false
    }

    // MARK: examples

    /// Texts that a row may bring: all others decide what the row is.
    private static let freeTexts: Set<Record.Text> = [.description, .sourceAction, .sourceTxnID, .lot]

    private func recordClass(_ recipe: Recipe, shape: UInt64, _ run: DefinitionRun) -> RecordClass? {
        guard case .records = recipe.verdict, recipe.parts.count == 1, let part = recipe.parts.first,
            part.computed.isEmpty, part.numbers.allSatisfy({ profile.numbers.contains($0.slot) }),
            part.moments.allSatisfy({ profile.moments.contains($0.slot) }),
            part.texts.allSatisfy({ isFree($0.field, $0.slot) })
        else { return nil }
        var signs: [Int?] = []
        for index in profile.numbers.indices {
            let code = shape >> UInt64(profile.moments.count + 2 * (profile.numbers.count - 1 - index)) & 3
            signs.append(code == 0 ? nil : Int(code) - 2)
        }
        let momentCount = profile.moments.count
        let hasMoment = profile.moments.indices.map { shape >> UInt64(momentCount - 1 - $0) & 1 == 1 }
        var examples: [RecordClass.Example] = []
        for variant in 0..<2 {
            guard let example = example(recipe.records[0], part, signs, hasMoment, variant, run) else { return nil }
            examples.append(example)
        }
        let account = part.texts.first { $0.field == .account }.flatMap { profile.others.firstIndex(of: $0.slot) }
        return RecordClass(examples: (examples[0], examples[1]), signs: signs, account: account)
    }

    private func isFree(_ field: Record.Text, _ slot: Int) -> Bool {
        profile.others.contains(slot)
            && (ClassLane.freeTexts.contains(field) || (field == .account && slot == profile.account))
    }

    private func example(
        _ record: Record, _ part: Recipe.Part, _ signs: [Int?], _ hasMoment: [Bool], _ variant: Int,
        _ run: DefinitionRun
    ) -> RecordClass.Example? {
        var example = RecordClass.Example(record: record, numbers: [], moments: [], texts: [])
        for index in signs.indices {
            // Numbers of seven digits that are sums, products or parts of each other in no way.
            let digits = 6_700_417 + 104_729 * Int128(index) + 1_299_709 * Int128(variant)
            guard let number = ExactDecimal(coefficient: Int128(signs[index] ?? 0) * digits, scale: 3) else {
                return nil
            }
            example.numbers.append(number)
        }
        for index in hasMoment.indices {
            let seconds = 1_000_000_000 + 86_407 * Int64(index) + 40_000_003 * Int64(variant)
            guard let instant = Instant(secondsSince1970: seconds) else { return nil }
            example.moments.append(instant)
        }
        for index in 0..<rules.textColumns.count {
            example.texts.append(Array("example \(variant) text \(index)".utf8))
        }
        run.builder.complete(&example.record, part, example: example, profile, signs, hasMoment)
        return example
    }
}
