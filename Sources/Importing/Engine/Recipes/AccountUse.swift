/// Whether rules take the account that a row names as it stands, so that rows of many accounts are one class.
///
/// They do where they ask no more of it than whether it is blank, and set it to nothing but itself or, where it is
/// blank, to something else: `first(account, …)`.
struct AccountUse {
    private let slot: Int

    static func isPlain(_ slot: Int, _ table: TableDefinition) -> Bool { AccountUse(slot: slot).isPlain(table) }

    private func isPlain(_ table: TableDefinition) -> Bool {
        if table.securitySlots.contains(slot) || table.actions?.on.contains(slot) ?? false { return false }
        for repair in table.repairs {
            guard isPlain(repair.condition), !repair.sets.contains(where: { touches($0) }) else { return false }
        }
        for rule in table.extracts {
            guard rule.from != slot, isPlain(rule.condition) else { return false }
            // What is cut out fills the account only of rows that name none.
            guard sets(rule.patterns) == false || demandsBlank(rule.condition) else { return false }
        }
        guard table.sets.allSatisfy(isPlain), table.priceUnits.allSatisfy({ isPlain($0.condition) }) else {
            return false
        }
        for row in table.rows {
            guard isPlain(row.condition), row.sets.allSatisfy(isPlain) else { return false }
            if case .record(let rule) = row.verdict, !isPlain(rule) { return false }
        }
        if let always = table.always, !isPlain(always) { return false }
        guard let actions = table.actions else { return true }
        return !sets(actions.patterns.map(\.template)) && actions.allRules.allSatisfy(isPlain)
    }

    private func isPlain(_ rule: ActionRule) -> Bool {
        isPlain(rule.condition)
            && rule.records.allSatisfy { isPlain($0.condition) && $0.sets.allSatisfy(isPlain) }
    }

    private func isPlain(_ condition: Condition?) -> Bool {
        switch condition {
        case nil: true
        case .all(let parts), .any(let parts): parts.allSatisfy(isPlain)
        case .not(let inner): isPlain(inner)
        case .test(let read, let test): read != slot || test == .blank || test == .present
        case .matches(let read, let templates): read != slot && !sets(templates)
        case .isOneOf(let read, _), .lies(let read, _, _): read != slot
        case .isSame(let read, let other): read != slot && other != slot
        }
    }

    private func isPlain(_ set: Assignment) -> Bool {
        guard isPlain(set.condition) else { return false }
        guard touches(set) else { return true }
        guard set.slot == slot, case .call(.first, let operands) = set.expression,
            case .variable(let first)? = operands.first
        else { return false }
        return first == slot && !operands.dropFirst().contains { $0.slots.contains(slot) }
    }

    private func touches(_ set: Assignment) -> Bool { set.slot == slot || set.expression.slots.contains(slot) }

    private func sets(_ templates: [BoundTemplate]) -> Bool { templates.contains { $0.slots.contains(slot) } }

    private func demandsBlank(_ condition: Condition?) -> Bool {
        switch condition {
        case .test(let read, .blank): read == slot
        case .all(let parts): parts.contains { demandsBlank($0) }
        default: false
        }
    }
}
