import Delimited
import OpenAlloc

// Rows that belong together, and what becomes of them when one of them is rejected.
extension DefinitionRun {
    func queue(_ count: Int, _ unit: SourceUnit, _ rule: GroupRule) {
        beginGroupKey(rule).add(&records, count: count, units.isEmpty ? nil : units, unit)
    }

    /// The same of records that stay where they are.
    func queue(_ new: ArraySlice<Record>, _ units: [SourceUnit], _ rule: GroupRule) {
        guard let first = units.first else { return }
        while records.count < new.count { records.append(Record()) }
        new.withUnsafeBufferPointer { new in for place in new.indices { records[place].assign(new[place]) } }
        let proxy = self.units
        self.units = units
        queue(new.count, first, rule)
        self.units = proxy
    }

    func flushGroups() {
        groups?.flush()
        groups = nil
    }

    /// The queue, with the key of the row in `state`.
    private func beginGroupKey(_ rule: GroupRule) -> GroupQueue {
        let queue = groups ?? GroupQueue(rule: rule, sink: sink)
        groups = queue
        queue.beginKey()
        for slot in rule.by where !evaluator.isBlank(slot) { queue.addKey(state.foldedText(slot)) }
        return queue
    }

    // MARK: Rejected rows

    /// Rejects a row of a table, and with it the other lines of its event.
    func rejectRow(_ finding: Finding, _ unit: SourceUnit, _ plan: TablePlan, _ binding: TableBinding) {
        let finding = placed(finding, unit, binding)
        if purpose == .records, plan.covers == .days { sink.lose(builder.lost(plan, evaluator), line: unit.line) }
        guard purpose == .records, let group = plan.group else { return reject(finding, unit) }
        let membership = membership(finding, group, plan, binding)
        beginGroupKey(group).add(broken: units.isEmpty ? [unit] : units, finding, membership)
    }

    /// Computes the key of a row that is rejected: its rules may have stopped at what is wrong with it.
    private func membership(
        _ finding: Finding, _ rule: GroupRule, _ plan: TablePlan, _ binding: TableBinding
    ) -> GroupQueue.Membership {
        var hasKey: Bool { !rule.by.allSatisfy { evaluator.isBlank($0) } }
        let sets = plan.sets.filter { rule.by.contains($0.slot) }
        let slots = rule.by + sets.flatMap(\.expression.slots)
        if !finding.column.isEmpty, slots.contains(where: { binding.columnName($0) == finding.column }) {
            // The rules give a line a key, and none of them holds: it is of no event.
            let isOfEvent = sets.isEmpty || sets.contains { evaluator.holds($0.condition, plan.program) }
            return isOfEvent ? .lost : .certain
        }
        if hasKey { return .certain }
        for set in sets where evaluator.holds(set.condition, plan.program) {
            try? evaluator.assign(set.slot, set.expression)
        }
        if hasKey { return .certain }
        // The rules that give others a key do not hold: what they ask for, the action word, may be what is broken.
        for set in sets {
            try? evaluator.assign(set.slot, set.expression)
            // Those that follow are for lines that are not as others are.
            if hasKey { return .possible }
        }
        return .keyless
    }
}
