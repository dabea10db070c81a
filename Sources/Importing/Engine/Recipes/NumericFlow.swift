/// Finds the variables of a table whose cells are only read as numbers: what is computed with, and what goes as it stands
/// into a variable that is a number.
///
/// Their digits need not make the class of a row. Where a cell of theirs is no number, the row goes by the rules.
struct NumericFlow {
    private var sets: [Assignment] = []
    /// Variables of which rules read the words.
    private var texts = SlotSet()
    private var found: SlotSet
    private var isGrowing = true

    /// - Parameters:
    ///   - numeric: variables that are numbers in any case.
    ///   - isFree: whether a variable fills nothing itself, and may be one.
    static func numbers(of table: TableDefinition, _ numeric: SlotSet, isFree: (Int) -> Bool) -> SlotSet {
        var flow = NumericFlow(found: numeric)
        flow.collect(table)
        while flow.isGrowing {
            flow.isGrowing = false
            for set in flow.sets { flow.read(set.expression, asNumber: flow.found.contains(set.slot)) }
        }
        var numbers = numeric
        numbers.formUnion(flow.found.subtracting(flow.texts).sorted.filter(isFree))
        return numbers
    }

    private init(found: SlotSet) { self.found = found }

    private mutating func collect(_ table: TableDefinition) {
        texts = SlotSet(table.securitySlots)
        texts.formUnion(table.actions?.on ?? [])
        sets = table.sets
        for repair in table.repairs { sets += repair.sets }
        for row in table.rows {
            sets += row.sets
            if case .record(let rule) = row.verdict { collect(rule) }
        }
        if let always = table.always { collect(always) }
        table.actions?.forEachRule { collect($0) }
    }

    private mutating func collect(_ rule: ActionRule) { for record in rule.records { sets += record.sets } }

    private mutating func read(_ expression: Expression, asNumber: Bool) {
        switch expression {
        case .number, .text: break
        case .variable(let slot): if asNumber, found.insert(slot) { isGrowing = true }
        case .binary(_, let left, let right):
            read(left, asNumber: true)
            read(right, asNumber: true)
        case .map(_, let key, let otherwise):
            texts.formUnion(key.slots)
            if let otherwise { read(otherwise, asNumber: asNumber) }
        case .call(let function, let operands): read(function, operands, asNumber: asNumber)
        }
    }

    private mutating func read(_ function: Expression.Function, _ operands: [Expression], asNumber: Bool) {
        var words = 0..<0
        switch function {
        case .neg, .abs, .sum, .percent, .number:
            for operand in operands { read(operand, asNumber: true) }
            return
        case .first: break
        case .ifSame: words = 0..<2
        case .negIf: words = 1..<3
        case .text, .upper, .lower, .trim, .before, .after, .currencyOf, .digits: words = 0..<operands.count
        }
        for place in operands.indices {
            if words.contains(place) {
                texts.formUnion(operands[place].slots)
            } else {
                read(operands[place], asNumber: asNumber)
            }
        }
    }
}
