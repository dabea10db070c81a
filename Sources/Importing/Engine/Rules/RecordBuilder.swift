import Delimited
import OpenAlloc

/// Which variables of a definition fill which fields of a record, in the order of the variables.
struct RecordFields: Sendable {
    let texts: [(slot: Int, field: Record.Text)]
    let numbers: [(slot: Int, field: Record.Number)]
    let moments: [(slot: Int, field: Record.Moment)]
    /// What each variable fills.
    let uses: [Use]

    enum Use {
        case text(Record.Text)
        case number(Record.Number)
        case moment(Record.Moment)
        /// Something that the class of a row must have.
        case decision
        /// Something that the engine reads elsewhere.
        case engine
        case nothing
    }

    init(_ names: Variables) {
        texts = RecordField.texts.compactMap { name, field in names.known(name).map { ($0, field) } }
            .sorted { $0.slot < $1.slot }
        numbers = RecordField.numbers.compactMap { name, field in names.known(name).map { ($0, field) } }
            .sorted { $0.slot < $1.slot }
        moments = RecordField.moments.compactMap { name, field in names.known(name).map { ($0, field) } }
            .sorted { $0.slot < $1.slot }
        var uses = [Use](repeating: .nothing, count: names.names.count)
        for (slot, field) in texts { uses[slot] = .text(field) }
        for (slot, field) in numbers { uses[slot] = .number(field) }
        for (slot, field) in moments { uses[slot] = .moment(field) }
        for name in ["symbol", "isTaxable", "canTrade"] { if let slot = names.known(name) { uses[slot] = .decision } }
        for name in ["time", "exported"] { if let slot = names.known(name) { uses[slot] = .engine } }
        self.uses = uses
    }
}

/// Builds records from a row's variables by a table's rules.
final class RecordBuilder {
    private let definition: Definition
    let dates: DateResolver
    let options: ImportOptions
    private let account: String?
    private let slug: [UInt8]
    /// The definition's patterns of dates.
    let datePatterns: [DatePattern]
    private let undecidedDates: [DatePattern]
    private let institution: [UInt8]
    private let exportedAt: Instant?
    let fields: RecordFields
    let timeSlot: Int?
    private let accountSlot: Int?
    private let taxableSlot: Int?
    private let tradeSlot: Int?

    init(
        definition: Definition, fields: RecordFields, dates: DateResolver, options: ImportOptions, exportedAt: Instant?
    ) {
        self.exportedAt = exportedAt
        self.definition = definition
        self.dates = dates
        self.options = options
        account = options.account
        slug = Array(definition.slug.utf8)
        datePatterns = definition.dates
        undecidedDates = definition.undecidedDates
        institution = Array(definition.institution.utf8)
        let names = definition.variables
        self.fields = fields
        timeSlot = names.known("time")
        accountSlot = names.known("account")
        taxableSlot = names.known("isTaxable")
        tradeSlot = names.known("canTrade")
    }

    /// Fills a record. Throws the finding that rejects the line.
    func build(
        _ record: inout Record, _ rule: TablePlan.RecordPlan, _ plan: TablePlan, _ binding: TableBinding,
        _ evaluator: Evaluator
    ) throws(Finding) {
        let paid = Self.paid(rule.rules, plan.defaults, rule.kind)
        try fill(&record, rule.kind, plan.securitySlots, plan.dates, paid, binding, evaluator)
        applyRules(&record, rule.rules, plan.defaults, covers: plan.covers)
        if rule.rules.priceUnit == nil {
            for index in plan.priceUnits.indices where evaluator.holds(plan.priceUnits[index], plan.program) {
                apply(plan.table.priceUnits[index], to: &record)
                break
            }
        }
        settle(
            &record, amountsAreSigned: rule.rules.amountsAreSigned ?? plan.defaults.amountsAreSigned ?? true,
            unitsAreSigned: rule.rules.unitsAreSigned ?? plan.defaults.unitsAreSigned ?? true)
        try checkUnits(record, binding, evaluator)
    }

    /// Which sign a cost has that was paid.
    enum Paid {
        case either, negative
        /// Whatever sign it has, it was given back.
        case givenBack

        /// A cost as the record has it: positive when paid, negative when given back.
        @inline(__always)
        func stated(_ value: ExactDecimal, _ field: Record.Number) -> ExactDecimal {
            guard field.isCost else { return value }
            return switch self {
            case .either: value.magnitude
            case .negative: value.negated
            case .givenBack: value.magnitude.negated
            }
        }
    }

    static func paid(_ rules: RecordRules, _ defaults: RecordRules, _ kind: RecordKind) -> Paid {
        if rules.paidIsNegative ?? defaults.paidIsNegative ?? false { return .negative }
        // Who takes a trade back gives its costs back with it.
        return (rules.isReversal || defaults.isReversal) && kind.isTrade ? .givenBack : .either
    }

    /// What rules have decided for all rows of a class.
    struct ClassRules {
        /// The rule that says in which unit the price is.
        let priceUnit: PriceUnitRule?
    }

    /// The same for a class: only what its words say is filled, and nothing follows from it yet.
    func build(
        _ record: inout Record, _ rule: RecordRule, _ table: TableDefinition, _ binding: TableBinding,
        _ evaluator: inout Evaluator, ofClass: ClassRules
    ) throws(Finding) {
        let paid = Self.paid(rule.rules, table.defaults, rule.kind)
        try fill(&record, rule.kind, table.securitySlots, table.dates, paid, binding, evaluator)
        applyRules(&record, rule.rules, table.defaults, covers: table.covers)
        guard rule.rules.priceUnit == nil, let unit = ofClass.priceUnit else { return }
        apply(unit, to: &record)
    }

    private func fill(
        _ record: inout Record, _ kind: RecordKind, _ securitySlots: [Int], _ dates: [DatePattern]?, _ paid: Paid,
        _ binding: TableBinding, _ evaluator: Evaluator
    ) throws(Finding) {
        let state = evaluator.state
        record.reset()
        record.kind = kind
        for index in fields.texts.indices where !evaluator.isBlank(fields.texts[index].slot) {
            record.set(fields.texts[index].field, state.text(fields.texts[index].slot))
        }
        for slot in securitySlots where !evaluator.isBlank(slot) {
            record.set(.symbol, state.text(slot))
            break
        }
        try fillNumbers(&record, paid, binding, evaluator)
        try fillMoments(&record, dates ?? datePatterns, binding, evaluator)
        fillAccount(&record, evaluator)
        fillCurrency(&record)
    }

    /// Completes a record of a class by what the row brings.
    func complete(
        _ record: inout Record, _ part: Recipe.Part, _ run: DefinitionRun
    ) throws(Finding) {
        let evaluator = run.evaluator
        if !part.texts.isEmpty { record.rewind(to: part.textMark) }
        for index in part.texts.indices {
            let (field, slot) = part.texts[index]
            if evaluator.isBlank(slot) { record.clear(field) } else { record.set(field, evaluator.state.text(slot)) }
        }
        // What an earlier row of the class has left behind.
        record[.sourcePrice] = nil
        record.isPriceDerived = false
        record.priceUnit = part.priceUnit
        record[.pricedAt] = part.pricedAt
        if let price = part.price.first { record[.price] = price }
        for index in part.numbers.indices {
            let (field, slot) = part.numbers[index]
            try fill(&record, field, slot, part.paid, run.binding, evaluator)
        }
        for index in part.computed.indices {
            let field = part.computed[index].field
            // The recipe's questions make sure that there is one.
            guard let value = evaluator.value(of: part.computed[index].number) else {
                record[field] = nil
                continue
            }
            record[field] = part.paid.stated(value, field)
        }
        if !part.moments.isEmpty {
            let patterns = run.ground.datePatterns
            for (field, slot) in part.moments { try fill(&record, field, slot, patterns, run.binding, evaluator) }
        }
        settle(&record, amountsAreSigned: part.amountsAreSigned, unitsAreSigned: part.unitsAreSigned)
        try checkUnits(record, run.binding, evaluator)
    }

    /// Leaves of a record of a class what all its rows have in common, and what must be set anew by each.
    private static func strip(_ record: inout Record, _ part: Recipe.Part) {
        record.rewind(to: part.textMark)
        record[.sourcePrice] = nil
        record.isPriceDerived = false
        record.priceUnit = part.priceUnit
        record[.pricedAt] = part.pricedAt
        if let price = part.price.first { record[.price] = price }
    }

    /// Takes from a record of a class what its rows bring.
    func withdraw(_ record: inout Record, _ part: Recipe.Part) {
        Self.strip(&record, part)
        for (field, _) in part.texts { record.clear(field) }
        for (field, _) in part.numbers { record[field] = nil }
        for computed in part.computed { record[computed.field] = nil }
        for (field, _) in part.moments { record[field] = nil }
    }

    /// Completes the record of a made-up row of a class.
    func complete(
        _ record: inout Record, _ part: Recipe.Part, example: RecordClass.Example, _ profile: RecipeProfile,
        _ signs: [Int?], _ hasMoment: [Bool], computed: [ExactDecimal]
    ) {
        Self.strip(&record, part)
        for (field, slot) in part.texts {
            guard let place = profile.others.firstIndex(of: slot) else { continue }
            record.set(field, utf8: example.texts[place])
        }
        for (field, slot) in part.numbers {
            guard let place = profile.numbers.firstIndex(of: slot) else { continue }
            record[field] = nil
            guard signs[place] != nil else { continue }
            record[field] = part.paid.stated(example.numbers[place], field)
        }
        for (index, value) in computed.enumerated() {
            let field = part.computed[index].field
            record[field] = part.paid.stated(value, field)
        }
        for (field, slot) in part.moments {
            guard let place = profile.moments.firstIndex(of: slot) else { continue }
            record[field] = hasMoment[place] ? example.moments[place] : nil
        }
        settle(&record, amountsAreSigned: part.amountsAreSigned, unitsAreSigned: part.unitsAreSigned)
    }

    /// What follows from all values of the record.
    private func settle(_ record: inout Record, amountsAreSigned: Bool, unitsAreSigned: Bool) {
        sign(&record, amountsAreSigned: amountsAreSigned, unitsAreSigned: unitsAreSigned)
        convertPrice(&record)
        // A position's price is current when the export was made, unless the source says otherwise.
        if record.kind.shape == .position, record[.pricedAt] == nil { record[.pricedAt] = exportedAt }
    }

    private func fillNumbers(
        _ record: inout Record, _ paid: Paid, _ binding: TableBinding, _ evaluator: Evaluator
    ) throws(Finding) {
        for index in fields.numbers.indices {
            try fill(&record, fields.numbers[index].field, fields.numbers[index].slot, paid, binding, evaluator)
        }
    }

    private func fill(
        _ record: inout Record, _ field: Record.Number, _ slot: Int, _ paid: Paid, _ binding: TableBinding?,
        _ evaluator: Evaluator
    ) throws(Finding) {
        switch evaluator.number(slot) {
        case .blank: record[field] = nil
        case .value(_, isPercent: true) where field.isSum:
            throw NumberFinding.percentage(
                column: binding?.columnName(slot) ?? "", value: evaluator.state.text(slot).string)
        case .value(let value, _): record[field] = paid.stated(value, field)
        case let reading:
            throw NumberFinding.make(
                reading, column: binding?.columnName(slot) ?? "", value: evaluator.state.text(slot).string)
        }
    }

    private func fillMoments(
        _ record: inout Record, _ patterns: [DatePattern], _ binding: TableBinding, _ evaluator: Evaluator
    ) throws(Finding) {
        for index in fields.moments.indices {
            try fill(&record, fields.moments[index].field, fields.moments[index].slot, patterns, binding, evaluator)
        }
    }

    func fill(
        _ record: inout Record, _ field: Record.Moment, _ slot: Int, _ patterns: [DatePattern],
        _ binding: TableBinding?,
        _ evaluator: Evaluator
    ) throws(Finding) {
        guard !evaluator.isBlank(slot) else {
            record[field] = nil
            return
        }
        let text = evaluator.state.text(slot)
        let time = field == .tradedAt ? timeSlot.map { evaluator.state.text($0) } ?? .empty : .empty
        guard let instant = dates.instant(text.trimmed(), time: time.trimmed(), patterns: patterns) else {
            let advice = DateOrder.advice(on: text.trimmed(), patterns: patterns, undecided: undecidedDates)
            throw Finding(
                .dateInvalid, column: binding?.columnName(slot) ?? "",
                value: time.isEmpty ? text.string : text.string + " " + time.string,
                reason: advice.reason, suggestion: advice.suggestion)
        }
        record[field] = instant
    }

    func fillAccount(_ record: inout Record, _ evaluator: Evaluator) {
        if record.isBlank(.account) {
            if let account {
                record.set(.account, account)
            } else {
                record.set(.account, utf8: slug)
                record.isAccountAssumed = true
            }
        }
        if record.isBlank(.institution) { record.set(.institution, utf8: institution) }
        if let taxableSlot { record.isTaxable = flag(evaluator.state.text(taxableSlot)) }
        if let tradeSlot { record.canTrade = flag(evaluator.state.text(tradeSlot)) }
    }

    private func flag(_ text: ByteView) -> Bool? {
        if text.equalsIgnoringCase("true") || text.equalsIgnoringCase("yes") { return true }
        if text.equalsIgnoringCase("false") || text.equalsIgnoringCase("no") { return false }
        return nil
    }

    private func fillCurrency(_ record: inout Record) {
        if record.isBlank(.currency) {
            if let currency = definition.currency { record.set(.currency, currency) }
        } else if record.bytes(.currency).count != 3 || record.bytes(.currency).first.map({ !isLetter($0) }) ?? false {
            if let code = Currency.code(ofSign: record.string(.currency)) { record.set(.currency, code) }
        }
    }

    /// The signs that the kind gives where the source prints none.
    private func sign(_ record: inout Record, amountsAreSigned: Bool, unitsAreSigned: Bool) {
        record.isSignDropped = false
        if !amountsAreSigned, let amount = record[.amount] {
            let signed = Self.signed(amount, record.kind, record.isReversal)
            // What a sale is worth often has the sign of its units.
            let hasUnitsSign = record.kind.shape == .sold && record[.units]?.isNegative ?? true
            record.isSignDropped = amount.signum < signed.signum && !hasUnitsSign
            record[.amount] = signed
        }
        // A minus before shares that come in stays, to be judged: a source that prints no signs did not print it for nothing.
        if !unitsAreSigned, record.kind == .sharesOut, let units = record[.units] {
            record[.units] = units.magnitude.negated
        }
    }

    private func applyRules(
        _ record: inout Record, _ rules: RecordRules, _ defaults: RecordRules, covers: Record.Coverage
    ) {
        record.covers = covers
        record.isReversal = rules.isReversal || defaults.isReversal
        record.costsInAmount = rules.costsInside ?? defaults.costsInside ?? true
        record.isMarkedToMarket = rules.isMarkedToMarket ?? defaults.isMarkedToMarket ?? false
        record.priceUnit = rules.priceUnit ?? defaults.priceUnit ?? .share
        if let multiplier = rules.multiplier ?? defaults.multiplier, record[.multiplier] == nil {
            record[.multiplier] = multiplier.value
        }
    }

    private func apply(_ rule: PriceUnitRule, to record: inout Record) {
        record.priceUnit = rule.unit
        if let multiplier = rule.multiplier, record[.multiplier] == nil { record[.multiplier] = multiplier.value }
        guard let currency = rule.currency else { return }
        if !record.isBlank(.priceCurrency) {
            record.set(.priceCurrency, currency)
        } else {
            record.set(.currency, currency)
        }
    }

    /// The sign that a kind gives to an unsigned amount.
    private static func signed(_ amount: ExactDecimal, _ kind: RecordKind, _ isReversal: Bool) -> ExactDecimal {
        let magnitude = amount.magnitude
        let isOut: Bool
        switch kind {
        case .withdrawal, .fee, .tax, .marginInterest: isOut = true
        case .adjustment, .currencyExchange, .cash, .trade: return amount
        default: isOut = kind.shape == .bought || kind.shape == .reinvested
        }
        return isOut != isReversal ? magnitude.negated : magnitude
    }
}
