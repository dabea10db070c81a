import Delimited
import OpenAlloc

// What holds of all rows of a recipe.
extension RecipeWriter {
    mutating func holds(_ condition: Condition) throws(Undecided) -> Bool {
        switch condition {
        case .all(let parts):
            // What the class says for itself asks nothing of its rows.
            if !parts.contains(where: \.captures) {
                for part in parts where isSurelyFalse(part) { return false }
            }
            for part in parts where !(try holds(part)) { return false }
            return true
        case .any(let parts):
            for part in parts where try holds(part) { return true }
            return false
        case .not(let inner): return !(try holds(inner))
        case .isOneOf(let slot, _):
            if isConstant(slot) { return run.evaluator.holds(condition) }
            if isSurelyFalse(condition) { return false }
            return try answer(condition, slot)
        case .lies(let slot, let above, let below): return try lies(condition, slot, above, below)
        case .isSame(let slot, let other):
            if isConstant(slot), isConstant(other) { return run.evaluator.holds(condition) }
            guard case .cell(slot) = sources[slot], case .cell(other) = sources[other],
                !overwritten.contains(slot), !overwritten.contains(other)
            else { throw Undecided() }
            let answer = run.evaluator.holds(condition)
            ask(.cells(condition, answer))
            return answer
        case .matches(let slot, let templates): return try matches(condition, slot, templates)
        case .test(let slot, let test): return try passes(condition, slot, test)
        }
    }

    /// Whether a condition fails, by nothing but what the class says.
    private func isSurelyFalse(_ condition: Condition) -> Bool {
        switch condition {
        case .isOneOf(let slot, let words):
            if isConstant(slot) { return !run.evaluator.holds(condition) }
            guard slot == profile.cellCount, case .cell(slot) = sources[slot] else { return false }
            let least = leastCells
            return words.allSatisfy { word in
                guard word.allSatisfy({ isDigit($0) }), let count = Int(String(decoding: word, as: UTF8.self)) else {
                    return false
                }
                return count < least
            }
        case .test(let slot, _) where isConstant(slot): return !run.evaluator.holds(condition)
        default: return false
        }
    }

    /// How many cells of a row say something, at least.
    private var leastCells: Int {
        var columns = SlotSet()
        for slot in profile.numbers where !cells.isBlank[slot] { columns.insert(binding.columns[slot]) }
        for slot in profile.moments where !cells.isBlank[slot] { columns.insert(binding.columns[slot]) }
        // Of words only what no rule has touched, and no line above has said.
        for slot in profile.words where isConstant(slot) && !overwritten.contains(slot) {
            if state.contextText(slot).isEmpty, !state.text(slot).isBlank { columns.insert(binding.columns[slot]) }
        }
        return columns.sorted.count
    }

    /// Holds a condition against a cell as it stands, and asks the same of other rows.
    private mutating func answer(_ condition: Condition, _ slot: Int) throws(Undecided) -> Bool {
        guard case .cell(let cell) = sources[slot], !overwritten.contains(cell) else { throw Undecided() }
        let question: Condition
        switch condition {
        case .isOneOf(_, let words): question = .isOneOf(cell, words)
        case .matches(_, let templates): question = .matches(cell, templates)
        case .test(_, let test): question = .test(cell, test)
        default: throw Undecided()
        }
        let answer = run.evaluator.holds(question)
        ask(.cells(question, answer))
        return answer
    }

    private mutating func lies(
        _ condition: Condition, _ slot: Int, _ above: ExactDecimal?, _ below: ExactDecimal?
    ) throws(Undecided) -> Bool {
        let number: RowNumber
        switch sources[slot] {
        case .constant: return run.evaluator.holds(condition)
        case .cell(let cell):
            guard cells.isNumber[cell] else { throw Undecided() }
            if cells.isBlank[cell] { return false }
            number = .cell(cell)
        case .computed(let computed): number = computed
        case .opaque: throw Undecided()
        }
        guard let value = number.value({ cells.numbers[$0] }) else { throw Undecided() }
        let answer = RecipeGuard.lies(value, above: above, below: below)
        ask(.lies(number, above: above, below: below, answer))
        return answer
    }

    private mutating func matches(
        _ condition: Condition, _ slot: Int, _ templates: [BoundTemplate]
    ) throws(Undecided) -> Bool {
        if isConstant(slot) {
            for template in templates where run.evaluator.capture(template, state.text(slot)) {
                for captured in template.slots { makeConstant(captured) }
                return true
            }
            return false
        }
        if case .cell(let cell) = sources[slot], cells.isNumber[cell] {
            if cells.isBlank[cell] {
                // Rows of the class say nothing there, or one of the words for it.
                let blanks = run.evaluator.reader.blanks
                let words = [[]] + blanks + blanks.map { $0.map { $0 &- 0x61 < 26 ? $0 & 0xDF : $0 } }
                let matches = words.contains { word in
                    ByteView.with(word) { view in templates.contains { $0.template.matches(view) } }
                }
                if !matches { return false }
            } else if templates.allSatisfy(\.template.needsLetters) {
                // A plain number has no letters: a template that needs some matches no row of the class.
                return false
            }
        }
        let holds = try answer(condition, slot)
        // What it captures is the row's.
        if holds, templates.contains(where: { !$0.slots.isEmpty }) { throw Undecided() }
        return holds
    }

    private mutating func passes(
        _ condition: Condition, _ slot: Int, _ test: Condition.Test
    ) throws(Undecided) -> Bool {
        switch sources[slot] {
        case .constant: return run.evaluator.holds(condition)
        case .cell(let cell):
            // The class fixes the sign of a number, and whether a date is blank.
            if cells.isNumber[cell], test != .date {
                return passes(cells.isBlank[cell], cells.numbers[cell].signum, test)
            }
            if test == .blank || test == .present {
                if cells.isMoment[cell] || cells.isCopied[cell] { return cells.isBlank[cell] == (test == .blank) }
                // The class has only rows that name one.
                if profile.account == cell { return test == .present }
            }
            return try answer(condition, slot)
        case .computed(let number):
            switch test {
            case .blank: return false
            case .present, .number: return true
            case .date: throw Undecided()
            default: return passes(false, try sign(of: number), test)
            }
        case .opaque: throw Undecided()
        }
    }

    private func passes(_ isBlank: Bool, _ sign: Int, _ test: Condition.Test) -> Bool {
        switch test {
        case .blank: isBlank
        case .present, .number: !isBlank
        case .zero: !isBlank && sign == 0
        case .nonzero: !isBlank && sign != 0
        case .positive: !isBlank && sign > 0
        case .negative: !isBlank && sign < 0
        case .date: false
        }
    }
}

extension Condition {
    /// Whether holding it sets variables.
    fileprivate var captures: Bool {
        switch self {
        case .all(let parts), .any(let parts): parts.contains(where: \.captures)
        case .not(let inner): inner.captures
        case .matches(_, let templates): templates.contains { !$0.slots.isEmpty }
        case .isOneOf, .test, .isSame, .lies: false
        }
    }
}
