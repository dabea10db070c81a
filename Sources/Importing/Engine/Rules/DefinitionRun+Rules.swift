import Delimited
import OpenAlloc

// What a row is: the rules of its table, one after the other.
extension DefinitionRun {
    /// Decides what the row in `state` is. One that has no cells in the table's columns takes none of the row above, and
    /// is like no other one.
    func decide(_ unit: SourceUnit, _ binding: TableBinding, _ anomaly: Finding?, isOfColumns: Bool = true) {
        let plan = plan(binding.table)
        if isOfColumns, !plan.fill.isEmpty {
            let takes = fill(plan.fill)
            if purpose == .records { fillSource.note(unit, takes: takes, sink) }
        }
        if isOfColumns, anomaly == nil, raggedCells < 0, recipes != nil, decideByRecipe(unit, binding, plan) { return }
        for index in plan.repairs.indices where evaluator.holds(plan.repairs[index].condition, plan.program) {
            apply(plan.repairs[index].rule)
        }
        for index in plan.extracts.indices where evaluator.holds(plan.extracts[index].condition, plan.program) {
            evaluator.extract(plan.extracts[index].rule)
        }
        if purpose == .survey {
            surveyRow(plan, binding)
            return
        }
        cellFinding = unreadable(plan.tests.cells, binding)
        if let lookup = plan.lookup { survey.fill(lookup, state, evaluator) }
        var finding = anomaly
        assign(plan.sets, plan, &finding)
        for index in plan.rows.indices where evaluator.holds(plan.rows[index].condition, plan.program) {
            switch plan.rows[index].verdict {
            case .goOn: assign(plan.rows[index].sets, plan, &finding)
            case .mark:
                let rule = plan.rows[index].rule
                if let anomaly, isSpoiled(rule, by: anomaly) { return rejectRow(anomaly, unit, plan, binding) }
                return markRow(rule, unit)
            case .record(let action):
                if let finding { return rejectRow(finding, unit, plan, binding) }
                return emit(action, unit, plan, binding)
            }
        }
        if let finding { return rejectRow(finding, unit, plan, binding) }
        if plan.emits { return emitRows(plan.table, unit, binding) }
        if plan.emitsNothing { return mark(unit, .skipped, "table.informational") }
        guard let actions = plan.actions else {
            if let always = plan.always { return emit(always, unit, plan, binding) }
            if plan.provides { return mark(unit, .skipped, "table.informational") }
            // A rule may be missing only for a number that cannot be read.
            return rejectRow(
                cellFinding
                    ?? Finding(
                        .rowUnplaced,
                        reason:
                            "the definition \(definition.id) has no rule for this row, so its meaning is not guessed.",
                        suggestion: "Add a rule for it to the definition's rows, or a kind for all others."), unit,
                plan,
                binding)
        }
        guard let rule = choose(actions, plan) else {
            let isKnown = isKnown(actions.table)
            let finding = isKnown ? cellFinding : nil
            return rejectRow(
                finding ?? unknownAction(actions.table, binding, isKnown: isKnown), unit, plan, binding)
        }
        emit(rule, unit, plan, binding)
    }

    /// Sets variables; the first finding stands.
    private func assign(_ sets: [TablePlan.SetPlan], _ plan: TablePlan, _ finding: inout Finding?) {
        if sets.isEmpty { return }
        do throws(Finding) {
            try assign(sets, plan)
        } catch {
            finding = finding ?? error
        }
    }

    private func assign(_ sets: [TablePlan.SetPlan], _ plan: TablePlan) throws(Finding) {
        let program = plan.program
        for index in sets.indices where evaluator.holds(sets[index].condition, program) {
            try evaluator.assign(sets[index].slot, sets[index].expression)
        }
    }

    /// Whether what is wrong with a line's cells is why a rule passes it over: cells that stand in other columns, or are
    /// not there, say nothing of its status.
    private func isSpoiled(_ rule: RowRule, by anomaly: Finding) -> Bool {
        guard case .mark(let outcome, _) = rule.verdict, outcome == .skipped || outcome == .total else { return false }
        return switch anomaly.code {
        case .rowLong, .quoteMalformed, .rowTooLong: !isStated(rule.condition)
        // A sum has fewer cells in many files.
        case .rowShort: outcome == .skipped && !isStated(rule.condition)
        default: false
        }
    }

    /// Whether a condition that holds does so by what cells say, not by what they do not.
    private func isStated(_ condition: Condition) -> Bool {
        switch condition {
        case .all(let parts): parts.allSatisfy { isStated($0) }
        case .any(let parts): parts.contains { isStated($0) && evaluator.holds($0) }
        case .not, .test(_, .blank): false
        case .isOneOf(let slot, _), .matches(let slot, _), .test(let slot, _), .isSame(let slot, _),
            .lies(let slot, _, _):
            !evaluator.isBlank(slot)
        }
    }

    private func markRow(_ rule: RowRule, _ unit: SourceUnit) {
        guard case .mark(let outcome, let why) = rule.verdict else { return }
        mark(unit, outcome, why)
        if outcome == .section { for set in rule.sets { keepSection(set) } }
    }

    private func keepSection(_ set: Assignment) {
        if (try? evaluator.assign(set)) != nil { state.setContext(set.slot, state.text(set.slot)) }
    }

    // MARK: Actions

    /// The action words of the row as one text.
    func actionText(_ actions: ActionTable) -> ByteView {
        if actions.on.count == 1 { return state.text(actions.on[0]) }
        return ByteView.with(actionKey(actions)) { state.keep($0) }
    }

    private func actionKey(_ actions: ActionTable) -> [UInt8] {
        var key: [UInt8] = []
        for (index, slot) in actions.on.enumerated() {
            if index > 0 { key += [0x20, 0x2F, 0x20] }
            key += state.folded(slot)
        }
        // "a / b" with a blank part keeps its slash; white space at the ends never counts.
        while key.last == 0x20 { key.removeLast() }
        return key
    }

    /// The rules of the row's exact action word, and all patterns that come after.
    func candidates(_ actions: ActionTable) -> ([ActionRule]?, [(template: BoundTemplate, rules: [ActionRule])]) {
        (actions.words[actionKey(actions)], actions.patterns)
    }

    private func choose(_ actions: TablePlan.ActionsPlan, _ plan: TablePlan) -> TablePlan.ActionPlan? {
        let isOne = actions.table.on.count == 1
        let whole = actionText(actions.table)
        let key = isOne ? state.foldedText(actions.table.on[0]) : whole
        if let place = actions.table.words.place(key), let rule = first(of: actions.words[place], plan) { return rule }
        if actions.patterns.isEmpty { return first(of: actions.otherwise, plan) }
        let opening = Template.opening(of: whole)
        let letters = state.letters(whole)
        for index in actions.patterns.indices
        where actions.patterns[index].template.template.mayMatch(textWithOpening: opening)
            && actions.patterns[index].template.template.mayMatch(letters)
        {
            let bound = actions.patterns[index].template
            // What a pattern captured belongs to its rules: when none of them holds, it was never there.
            let saved = actions.patterns[index].mayFail ? bound.slots.map { state.saved($0) } : []
            guard evaluator.capture(bound, whole) else { continue }
            if let rule = first(of: actions.patterns[index].rules, plan) { return rule }
            for value in saved { state.restore(value) }
        }
        return first(of: actions.otherwise, plan)
    }

    /// Whether the word is one that the definition has, so that something else kept its rules from holding.
    private func isKnown(_ actions: ActionTable) -> Bool {
        actions.words.place(actions.on.count == 1 ? state.foldedText(actions.on[0]) : actionText(actions)) != nil
    }

    private func first(of rules: [TablePlan.ActionPlan], _ plan: TablePlan) -> TablePlan.ActionPlan? {
        for index in rules.indices where evaluator.holds(rules[index].condition, plan.program) { return rules[index] }
        return nil
    }

    // MARK: Output

    /// A value that rules took for a number and that is none.
    private func unreadable(_ slots: [Int], _ binding: TableBinding) -> Finding? {
        for slot in slots {
            let reading = evaluator.number(slot)
            switch reading {
            case .value, .blank: continue
            default:
                return NumberFinding.make(
                    reading, column: binding.columnName(slot), value: state.text(slot).string)
            }
        }
        return nil
    }

    private func finding(of rule: RejectRule, _ binding: TableBinding) -> Finding {
        Finding(
            rule.code, column: rule.column.map { binding.columnName($0) } ?? "",
            value: rule.column.map { state.text($0).string } ?? "", reason: rule.why, suggestion: rule.advice)
    }

    private func emit(
        _ rule: TablePlan.ActionPlan, _ unit: SourceUnit, _ plan: TablePlan, _ binding: TableBinding
    ) {
        if let finding = cellFinding ?? unreadable(plan.tests.all, binding) {
            return rejectRow(finding, unit, plan, binding)
        }
        if let why = rule.skip { return mark(unit, .skipped, why) }
        if let reject = rule.reject { return rejectRow(finding(of: reject, binding), unit, plan, binding) }
        var count = 0
        do throws(Finding) {
            for index in rule.records.indices {
                let part = rule.records[index]
                guard evaluator.holds(part.condition, plan.program) else { continue }
                let saved = rule.records.count > 1 ? part.sets.map { state.saved($0.slot) } : []
                try assign(part.sets, plan)
                if records.count == count { records.append(Record()) }
                try builder.build(&records[count], part, plan, binding, evaluator)
                count += 1
                for value in saved { state.restore(value) }
            }
        } catch {
            return rejectRow(error, unit, plan, binding)
        }
        guard count > 0 else { return mark(unit, .skipped, "row.noEffect") }
        noteIfRagged(unit, binding)
        if let group = plan.group {
            queue(count, unit, group)
        } else {
            flushGroups()
            if units.isEmpty {
                oneUnit[0] = unit
                sink.accept(records[0..<count], from: oneUnit, warnings: [])
            } else {
                sink.accept(records[0..<count], from: units, warnings: [])
            }
        }
    }
}
