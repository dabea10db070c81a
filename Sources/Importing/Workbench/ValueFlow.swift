/// Which variables end up in what, through as many assignments as there may be between.
struct ValueFlow {
    /// Variables from which securities and currencies are worked out: a code in one of them stays.
    private(set) var coding: Set<Int> = []
    /// Variables that prices are taken from: they stay as prices do.
    private(set) var pricing: Set<Int> = []
    /// Variables that end up in an amount, units or a cost.
    private(set) var amounting: Set<Int> = []
    /// Variables that end up in an account, a name of its owner, an id.
    private(set) var naming: Set<Int> = []

    init(_ definition: Definition) {
        var sets = definition.tables.flatMap { $0.sets + $0.rows.flatMap(\.sets) }
        for table in definition.tables {
            var rules = table.actions?.allRules ?? []
            for rule in table.rows { if case .record(let action) = rule.verdict { rules.append(action) } }
            if let always = table.always { rules.append(always) }
            sets += rules.flatMap(\.records).flatMap(\.sets)
        }
        func slots(_ names: some Sequence<String>) -> Set<Int> {
            Set(names.compactMap { definition.variables.known($0) })
        }
        let extracts = definition.tables.flatMap(\.extracts)
        // Texts of people stay texts, also where they may stand for a security.
        let texts = slots(["description", "account", "accountTitle", "id"])
        coding = slots(Anonymizer.codes)
        for _ in 0..<4 {
            for set in sets where coding.contains(set.slot) {
                coding.formUnion(Self.textSources(set.expression))
            }
            coding.subtract(texts)
            for rule in extracts where rule.patterns.contains(where: { !coding.isDisjoint(with: $0.slots) }) {
                coding.insert(rule.from)
            }
        }
        coding.subtract(texts)
        naming = slots(["account", "accountTitle", "id"])
        amounting = slots(Set(RecordField.numbers.keys).subtracting(Anonymizer.unscaled))
        let amounts = amounting
        for _ in 0..<4 {
            for set in sets where amounting.contains(set.slot) {
                amounting.formUnion(Self.numberSources(set.expression))
            }
            for set in sets where naming.contains(set.slot) { naming.formUnion(Self.textSources(set.expression)) }
        }
        pricing = slots(Anonymizer.unscaled)
        for _ in 0..<3 {
            for set in sets where pricing.contains(set.slot) && Self.isPlain(set.expression) {
                pricing.formUnion(Self.numberSources(set.expression))
            }
            pricing.subtract(amounts)
        }
    }

    /// Whose text the expression's text has parts of. A currency in a cell leaves the cell a number.
    private static func textSources(_ expression: Expression) -> [Int] {
        switch expression {
        case .call(.currencyOf, _): []
        case .call(.ifSame, let arguments): arguments.dropFirst(2).flatMap(textSources)
        case .call(_, let arguments): arguments.flatMap(textSources)
        default: expression.slots
        }
    }

    /// Whose number the expression computes with.
    private static func numberSources(_ expression: Expression) -> [Int] {
        switch expression {
        case .number, .text, .call(.currencyOf, _): []
        case .variable(let slot): [slot]
        case .binary(_, let a, let b): numberSources(a) + numberSources(b)
        case .call(.before, let arguments), .call(.after, let arguments): arguments.prefix(1).flatMap(numberSources)
        case .call(.ifSame, let arguments): arguments.dropFirst(2).flatMap(numberSources)
        case .call(_, let arguments): arguments.flatMap(numberSources)
        case .map(_, _, let otherwise): otherwise.map(numberSources) ?? []
        }
    }

    /// Whether a value becomes the result by no more than a choice or a product: of a quotient nothing is known.
    private static func isPlain(_ expression: Expression) -> Bool {
        switch expression {
        case .number, .text, .variable, .map: true
        case .binary(.multiply, let a, let b): isPlain(a) && isPlain(b)
        case .binary: false
        case .call(let function, let arguments):
            [.first, .abs, .number, .ifSame].contains(function) && arguments.allSatisfy(isPlain)
        }
    }
}
