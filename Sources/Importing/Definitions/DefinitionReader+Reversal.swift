import StrictYAML

extension DefinitionReader {
    /// The slots of a table's units and amounts, where their signs tell which trades are taken back.
    mutating func signSlots(_ map: YAMLMapping) throws(YAMLError) -> (units: Int, amount: Int)? {
        guard try map["reverse"]?.word(of: ["true", "false", "signs"]) == "signs" else { return nil }
        return (definition.variables.slot("units"), definition.variables.slot("amount"))
    }

    /// With `reverse: signs`, the rules of a trade: before it, the same trade taken back, which is what a line says whose
    /// units and amount both have the sign of the other side.
    ///
    /// A rule that sets units or amount itself stands alone: what signs they had says nothing of the line.
    func withReversal(_ rule: ActionRule) -> [ActionRule] {
        guard let taken = reversal(of: rule) else { return [rule] }
        return [taken, rule]
    }

    /// The same for a rule of rows.
    func withReversal(_ rule: RowRule) -> [RowRule] {
        guard case .record(let action) = rule.verdict, let taken = reversal(of: action),
            !rule.sets.contains(where: { setsMoney($0) }), let signs = taken.condition
        else { return [rule] }
        var reversed = rule
        reversed.condition = .all([rule.condition, signs])
        reversed.verdict = .record(taken)
        return [reversed, rule]
    }

    private func reversal(of rule: ActionRule) -> ActionRule? {
        guard let signSlots, rule.records.count == 1, let record = rule.records.first, !record.rules.isReversal,
            record.condition == nil, !record.sets.contains(where: { setsMoney($0) })
        else { return nil }
        let (units, amount): (Condition.Test, Condition.Test)
        switch record.kind.shape {
        case .bought: (units, amount) = (.negative, .positive)
        case .sold: (units, amount) = (.positive, .negative)
        default: return nil
        }
        var rules = record.rules
        rules.isReversal = true
        var parts: [Condition] = [.test(signSlots.units, units), .test(signSlots.amount, amount)]
        if let condition = rule.condition { parts.insert(condition, at: 0) }
        return ActionRule(
            condition: .all(parts), records: [RecordRule(kind: record.kind, sets: record.sets, rules: rules)])
    }

    private func setsMoney(_ set: Assignment) -> Bool {
        set.slot == signSlots?.units || set.slot == signSlots?.amount
    }
}
