import Delimited
import OpenAlloc

/// Classes whose rows become the same records but for words that are only copied: accounts, securities, descriptions.
///
/// A file of many accounts and securities has many classes and few forms. What a class's words decide was decided when
/// its recipe was written; a sink finds out once, for a form, where the others come out.
final class LaneForm {
    let shape: UInt64
    /// One for each record that a row becomes.
    let parts: [Recipe.Part]
    /// What is asked of its rows.
    let guards: [RecipeGuard]
    /// The records of a row of one of its classes, without what the row brings.
    let records: [Record]
    /// How many of its rows were left to recipes.
    var rows = 0
    /// What a lane looks at in its rows besides what makes their classes.
    var extras: ClassExtras?
    /// What the sink said of it; nil while it was not asked.
    var preparation: Preparation?

    /// Whether a sink takes rows of its classes without records.
    enum Preparation {
        case prepared(Int)
        case refused
    }

    /// Texts that no rule for records looks at, save whether they are blank; currencies decide more.
    static let words = Record.Text.allCases.filter { $0 != .currency && $0 != .priceCurrency }

    init(_ shape: UInt64, _ recipe: Recipe) {
        self.shape = shape
        parts = recipe.parts
        guards = recipe.guards
        records = recipe.records
    }

    func isOf(_ shape: UInt64, _ recipe: Recipe) -> Bool {
        guard shape == self.shape, recipe.parts.count == parts.count, recipe.guards == guards else { return false }
        for index in parts.indices {
            guard recipe.parts[index].isLike(parts[index]),
                recipe.records[index].hasForm(of: records[index], words: LaneForm.words)
            else { return false }
        }
        return true
    }
}

/// The forms of a lane.
final class LaneForms {
    @exclusivity(unchecked) private var all: [LaneForm] = []
    /// What they are told apart by at first sight.
    @exclusivity(unchecked) private var signatures: [Int] = []
    /// Rows that could be taken by a form, less those that could not: where these are many, each class waits for a
    /// second row before its recipe is written.
    @exclusivity(unchecked) private var balance = 8

    private static let maximum = 256

    /// Whether classes of a single row are worth a recipe.
    var areFruitful: Bool { balance > 0 }

    func note(isTaken: Bool) { balance = max(-64, min(balance + (isTaken ? 1 : -1), 64)) }

    /// The form of a class; nil when there are too many.
    func form(_ shape: UInt64, _ recipe: Recipe) -> LaneForm? {
        var hasher = Hasher()
        hasher.combine(shape)
        for part in recipe.parts { hasher.combine(part.computed) }
        hasher.combine(recipe.guards)
        for record in recipe.records { record.hashForm(into: &hasher) }
        let signature = hasher.finalize()
        for index in signatures.indices where signatures[index] == signature {
            if all[index].isOf(shape, recipe) { return all[index] }
        }
        guard all.count < LaneForms.maximum else { return nil }
        let new = LaneForm(shape, recipe)
        all.append(new)
        signatures.append(signature)
        return new
    }
}

extension Recipe.Part {
    /// Whether rows bring the same to both.
    fileprivate func isLike(_ other: Recipe.Part) -> Bool {
        amountsAreSigned == other.amountsAreSigned && unitsAreSigned == other.unitsAreSigned && paid == other.paid
            && priceUnit == other.priceUnit && pricedAt == other.pricedAt && price == other.price
            && numbers.elementsEqual(other.numbers, by: { $0 == $1 }) && computed == other.computed
            && moments.elementsEqual(other.moments, by: { $0 == $1 })
            && texts.elementsEqual(other.texts, by: { $0 == $1 })
    }
}

extension ClassLane {
    /// A form pays for its preparation only if it has so many more rows, unless other inputs have them.
    private static let rowsBeforePreparation = 3
    /// So many classes are prepared for a single row; the more there are, the more rows a class must have had.
    private static let classesPerRow = 512
    /// A class is asked for so often.
    private static let attempts = 4

    /// Takes the row that `take` has just left, if it is plain, by the recipe of its class, which the lane now learns.
    ///
    /// - Parameter account: what the row says of its account, where recipes do not have it.
    func take(_ recipe: Recipe, account: ByteView, _ unit: SourceUnit, _ run: DefinitionRun) -> Bool {
        guard isWanted else { return false }
        if case .mark(let outcome, let why) = recipe.verdict {
            // The lane asks its rows nothing; this one is marked by the recipe.
            if recipe.guards.allSatisfy({ isImplied($0) }) { learn(outcome, why) }
            return false
        }
        guard let form = prepared(recipe, account, run) else { return false }
        let extras = recipe.form?.extras
        let learned = learn(recipe, form, run)
        // Where classes are too many for one of a single row, each waits for more of its own.
        forms.note(isTaken: learned != nil)
        guard let id = learned else { return false }
        if let extras { table.keep(extras, of: id) }
        isWanted = false
        run.flushGroups()
        return run.sink.accept(reader.values, of: id, from: unit)
    }

    /// The sink's number of the form of a class.
    private func prepared(_ recipe: Recipe, _ account: ByteView, _ run: DefinitionRun) -> Int? {
        guard recipe.attempts < ClassLane.attempts, let form = form(of: recipe, account, run) else {
            forms.note(isTaken: false)
            return nil
        }
        form.rows += 1
        recipe.rows += 1
        if form.preparation == nil {
            guard run.memory != nil || form.rows > ClassLane.rowsBeforePreparation else { return nil }
            let id = recordClass(form, run).flatMap { run.sink.prepare(form: $0) }
            form.preparation = id.map { .prepared($0) } ?? .refused
        }
        guard case .prepared(let number)? = form.preparation else {
            forms.note(isTaken: false)
            return nil
        }
        return number
    }

    /// The sink's number of a class that it was not asked for, or in vain.
    private func learn(_ recipe: Recipe, _ form: Int, _ run: DefinitionRun) -> Int? {
        guard recipe.rows > table.count / ClassLane.classesPerRow, table.count < ClassTable.maximum else { return nil }
        recipe.attempts += 1
        guard let id = run.sink.prepare(recipe.records, of: form) else { return nil }
        recipe.attempts = 0
        table.insert(reader.hash, reader.shape, prepared: id) { reader.cells[$0] }
        // A row that is not plain works it out again, unless rows of other accounts ask for it.
        if !profile.namesAccount { recipe.forget() }
        return id
    }

    private func form(of recipe: Recipe, _ account: ByteView, _ run: DefinitionRun) -> LaneForm? {
        guard case .records = recipe.verdict, recipe.parts.allSatisfy({ isPlain($0) }) else { return nil }
        for (index, part) in recipe.parts.enumerated() {
            run.builder.withdraw(&recipe.records[index], part)
            if profile.namesAccount, part.texts.contains(where: { $0.field == .account }) {
                recipe.records[index].set(.account, account)
            }
        }
        if let form = recipe.form, form.shape == reader.shape { return form }
        recipe.form = forms.form(reader.shape, recipe)
        return recipe.form
    }

    /// Whether a record takes from its row only what the lane reads.
    private func isPlain(_ part: Recipe.Part) -> Bool {
        part.numbers.allSatisfy { profile.numbers.contains($0.slot) }
            && part.moments.allSatisfy { profile.moments.contains($0.slot) }
            && part.texts.allSatisfy { isFree($0.field, $0.slot) }
    }

    // MARK: examples

    /// Texts that a row may bring: all others decide what the row is.
    static let freeTexts: Set<Record.Text> = [.description, .sourceAction, .sourceTxnID, .lot]

    private func isFree(_ field: Record.Text, _ slot: Int) -> Bool {
        field == .account
            ? slot == profile.account : profile.others.contains(slot) && ClassLane.freeTexts.contains(field)
    }

    private func recordClass(_ form: LaneForm, _ run: DefinitionRun) -> RecordClass? {
        let shape = form.shape
        let momentCount = profile.moments.count
        var signs: [Int?] = []
        for index in profile.numbers.indices {
            let code = shape >> UInt64(momentCount + 2 * (profile.numbers.count - 1 - index)) & 3
            signs.append(code == 0 ? nil : Int(code) - 2)
        }
        let hasMoment = profile.moments.indices.map { shape >> UInt64(momentCount - 1 - $0) & 1 == 1 }
        var places: [Int?] = []
        guard let program = program(form, &places, run), let first = example(form, signs, hasMoment, places, 0, run),
            let second = example(form, signs, hasMoment, places, 1, run)
        else { return nil }
        // Whether a rate is that of pence or pounds, the numbers of each row say.
        for (part, record) in zip(form.parts, [first.record] + first.others) where part.priceUnit == .minor {
            if record[.sourcePrice] != nil { return nil }
        }
        signs += zip(form.parts.flatMap(\.computed), places).filter { $0.1 != nil }.map(\.0.sign)
        // Which text is the account is said of the row.
        let accounts = form.parts.map { part in part.texts.first { $0.field == .account }?.slot }
        guard accounts.allSatisfy({ $0 == accounts.first }) else { return nil }
        let account = accounts.first.flatMap { $0 }.flatMap { profile.others.firstIndex(of: $0) }
        var result = RecordClass(examples: (first, second), signs: signs, account: account)
        result.program = program.isEmpty ? nil : program
        for (index, part) in form.parts.enumerated() {
            let brought = part.texts.map(\.field).filter { $0 != .account || !profile.namesAccount }
            for field in LaneForm.words where !brought.contains(field) && !form.records[index].isBlank(field) {
                result.setWord(field, ofRecord: index)
            }
        }
        return result
    }

    private func example(
        _ form: LaneForm, _ signs: [Int?], _ hasMoment: [Bool], _ places: [Int?], _ variant: Int,
        _ run: DefinitionRun
    ) -> RecordClass.Example? {
        var example = RecordClass.Example(
            record: form.records[0], others: Array(form.records.dropFirst()), numbers: [], moments: [], texts: [])
        for index in signs.indices {
            let digits = RecordClass.exampleDigits(index, variant)
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
        var computed: [ExactDecimal] = []
        for (value, place) in zip(form.parts.flatMap(\.computed), places) {
            let digits: Int128
            if let place {
                digits = RecordClass.exampleDigits(place, variant)
            } else {
                // The number of a cell, with or without its sign.
                guard let slot = value.number.cellOfMagnitude, let index = profile.numbers.firstIndex(of: slot) else {
                    return nil
                }
                digits = RecordClass.exampleDigits(index, variant)
            }
            guard let number = ExactDecimal(coefficient: Int128(value.sign) * digits, scale: 3) else { return nil }
            computed.append(number)
            if place != nil { example.numbers.append(number) }
        }
        let values = example
        for (index, part) in form.parts.enumerated() {
            let own = Array(computed.prefix(part.computed.count))
            computed.removeFirst(own.count)
            var record = form.records[index]
            run.builder.complete(&record, part, example: values, profile, signs, hasMoment, computed: own)
            if index == 0 { example.record = record } else { example.others[index - 1] = record }
        }
        return example
    }

    /// What is to be worked out for each row of a form; nil where a lane cannot.
    ///
    /// - Parameter places: becomes where the computed numbers of its part stand beside the row's; nil for those that are
    ///   a number of the row but for the sign.
    private func program(_ form: LaneForm, _ places: inout [Int?], _ run: DefinitionRun) -> RowProgram? {
        var outputs: [(number: RowNumber, place: Int, sign: Int)] = []
        for computed in form.parts.flatMap(\.computed) {
            if computed.number.cellOfMagnitude != nil {
                places.append(nil)
            } else {
                let place = profile.numbers.count + outputs.count
                guard place < RowValues.capacity else { return nil }
                places.append(place)
                outputs.append((computed.number, place, computed.sign))
            }
        }
        var questions: [CellQuestion] = []
        let program = RowProgram(
            form.guards, outputs: outputs, place: { profile.numbers.firstIndex(of: $0) },
            isImplied: { condition, answer in
                if isImplied(condition, answer: answer) { return true }
                guard let question = question(condition, answer, run) else { return false }
                questions.append(question)
                return true
            })
        form.extras = questions.isEmpty ? nil : ClassExtras(questions)
        return program
    }

    /// A question that the lane asks of each row's cells.
    private func question(_ condition: Condition, _ answer: Bool, _ run: DefinitionRun) -> CellQuestion? {
        if case .isOneOf(let slot, _) = condition, !answer, profile.numbers.contains(slot) { return nil }
        return CellQuestion(condition, answer) { slot in
            guard run.state.contextText(slot).isEmpty, !profile.cellRules.cuts(slot) else { return nil }
            if slot == run.firstCellSlot { return -1 }
            let column = run.ground.binding?.columns[slot] ?? -1
            return column >= 0 ? column : nil
        }
    }

    private func isImplied(_ question: RecipeGuard) -> Bool {
        guard case .cells(let condition, let answer) = question else { return false }
        return isImplied(condition, answer: answer)
    }

    /// Whether all rows that a lane reads answer a question about their cells in this way.
    private func isImplied(_ condition: Condition, answer: Bool) -> Bool {
        // It reads dates as dates, which have digits.
        guard !answer else { return false }
        switch condition {
        case .matches(let slot, let templates) where profile.moments.contains(slot):
            return templates.allSatisfy { $0.template.matchesNoDate(of: rules.patterns) }
        case .isOneOf(let slot, let words) where profile.moments.contains(slot):
            return !words.contains { $0.contains(where: isDigit) || $0.isEmpty }
        default: return false
        }
    }
}
