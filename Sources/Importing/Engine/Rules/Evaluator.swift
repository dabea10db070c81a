import Delimited
import OpenAlloc

/// Evaluates conditions and expressions of a definition on a row.
final class Evaluator {
    let state: RowState
    let reader: NumberReader
    let maps: [ValueMap]
    /// The number style of each slot.
    @exclusivity(unchecked) var styles: [NumberStyle]
    /// Names the columns of cells that are no numbers.
    @exclusivity(unchecked) var binding: TableBinding?
    /// The variables whose cells may prove a mark to their row; none where the definition states the style.
    @exclusivity(unchecked) var provingSlots: [Int] = []
    @exclusivity(unchecked) private var captures: [ByteView] = []
    /// The mark that the row proves, as long as no variable changes.
    @exclusivity(unchecked) private var proven: (version: Int, mark: UInt8?) = (-1, nil)
    private let mapMemory: MapMemory

    init(state: RowState, reader: NumberReader, maps: [ValueMap], style: NumberStyle) {
        self.state = state
        self.reader = reader
        self.maps = maps
        mapMemory = MapMemory(maps)
        styles = .init(repeating: style, count: state.count)
    }

    func number(_ slot: Int) -> NumberReading {
        let reading = state.number(slot, reader, styles[slot])
        guard case .ambiguous = reading else { return reading }
        if proven.version != state.version { proven = (state.version, markOfRow) }
        guard let mark = proven.mark else { return reading }
        return reader.read(state.text(slot), NumberStyle(decimal: mark))
    }

    /// The decimal mark that the row's own cells prove, where its columns mix both; nil when they prove none or both.
    var markOfRow: UInt8? {
        var proven: UInt8?
        for slot in provingSlots where state.computed(slot) == nil {
            guard let mark = reader.proof(state.text(slot)) else { continue }
            if let proven, proven != mark { return nil }
            proven = mark
        }
        return proven
    }

    @inline(__always)
    func isBlank(_ slot: Int) -> Bool { state.isBlank(slot, reader) }

    // MARK: Conditions

    func holds(_ condition: Condition) -> Bool {
        switch condition {
        case .all(let parts):
            for part in parts where !holds(part) { return false }
            return true
        case .any(let parts):
            for part in parts where holds(part) { return true }
            return false
        case .not(let inner): return !holds(inner)
        case .isOneOf(let slot, let words):
            let folded = state.foldedText(slot)
            for word in words where folded == word { return true }
            return false
        case .matches(let slot, let templates): return matches(slot, templates)
        case .test(let slot, let test): return passes(slot, test)
        case .isSame(let slot, let other): return isSame(slot, other)
        case .lies(let slot, let above, let below):
            guard case .value(let value, _) = number(slot) else { return false }
            if let above, value <= above { return false }
            if let below, value >= below { return false }
            return true
        }
    }

    /// The same of a condition's steps.
    @inline(__always)
    func holds(_ entry: ConditionProgram.Entry, _ program: ConditionProgram) -> Bool {
        entry == ConditionProgram.holds || run(entry, program)
    }

    private func run(_ entry: ConditionProgram.Entry, _ program: ConditionProgram) -> Bool {
        var place = entry
        while place >= 0 {
            let step = program.step(place)
            place = passes(step, program) ? step.ifTrue : step.ifFalse
        }
        return place == ConditionProgram.holds
    }

    private func passes(_ step: ConditionProgram.Step, _ program: ConditionProgram) -> Bool {
        let slot = Int(step.slot)
        switch step.question {
        case .isOneOf: return program.words[Int(step.operand)].contains(state.foldedText(slot))
        case .matches: return matches(slot, program.templates[Int(step.operand)])
        case .isSame: return isSame(slot, Int(step.operand))
        case .lies:
            guard case .value(let value, _) = number(slot) else { return false }
            let bounds = program.bounds[Int(step.operand)].value
            if let above = bounds.above, value <= above { return false }
            if let below = bounds.below, value >= below { return false }
            return true
        case .blank: return isBlank(slot)
        case .present: return !isBlank(slot)
        case .date: return passes(slot, .date)
        case .number, .zero, .nonzero, .positive, .negative:
            guard case .value(let value, _) = number(slot) else { return false }
            switch step.question {
            case .zero: return value.isZero
            case .nonzero: return !value.isZero
            case .positive: return value.signum > 0
            case .negative: return value.signum < 0
            default: return true
            }
        }
    }

    private func matches(_ slot: Int, _ templates: [BoundTemplate]) -> Bool {
        let text = state.text(slot)
        let letters = state.letters(text)
        for index in templates.indices where templates[index].template.mayMatch(letters) {
            if capture(templates[index], text) { return true }
        }
        return false
    }

    private func isSame(_ slot: Int, _ other: Int) -> Bool {
        let text = state.text(slot).trimmed()
        return !text.isEmpty && text.equalsIgnoringCase(state.text(other).trimmed())
    }

    /// Holds a template against a text; captures set their variables for this row.
    func capture(_ bound: BoundTemplate, _ text: ByteView) -> Bool {
        guard bound.template.matches(text, captures: &captures) else { return false }
        for index in bound.slots.indices { state.set(bound.slots[index], captures[index]) }
        return true
    }

    /// Cuts variables out of a cell by the first pattern that matches it.
    func extract(_ rule: ExtractRule) {
        let text = state.text(rule.from)
        let letters = state.letters(text)
        for index in rule.patterns.indices
        where rule.patterns[index].template.mayMatch(letters)
            && rule.patterns[index].template.matches(text, captures: &captures)
        {
            let slots = rule.patterns[index].slots
            for (place, slot) in slots.enumerated() where !rule.onlyBlank || isBlank(slot) {
                state.set(slot, captures[place])
            }
            return
        }
    }

    private func passes(_ slot: Int, _ test: Condition.Test) -> Bool {
        switch test {
        case .blank: return isBlank(slot)
        case .present: return !isBlank(slot)
        case .date: return state.text(slot).contains(where: isDigit) && state.text(slot).count >= 6
        case .number, .zero, .nonzero, .positive, .negative:
            guard case .value(let value, _) = number(slot) else { return false }
            switch test {
            case .zero: return value.isZero
            case .nonzero: return !value.isZero
            case .positive: return value.signum > 0
            case .negative: return value.signum < 0
            default: return true
            }
        }
    }

    // MARK: Expressions

    enum Value {
        case blank
        case text(ByteView)
        case number(ExactDecimal)
    }

    /// Sets a variable to an expression's value, if the assignment's condition holds.
    func assign(_ assignment: Assignment) throws(Finding) {
        if let condition = assignment.condition, !holds(condition) { return }
        try assign(assignment.slot, assignment.expression)
    }

    /// Sets a variable to an expression's value.
    func assign(_ slot: Int, _ expression: Expression) throws(Finding) {
        switch try value(expression) {
        case .blank: state.set(slot, .empty)
        case .text(let view): state.set(slot, view)
        case .number(let number): state.set(slot, number)
        }
    }

    func value(_ expression: Expression) throws(Finding) -> Value {
        switch expression {
        case .number(let number): return .number(number)
        case .text(let bytes): return bytes.isEmpty ? .blank : .text(state.keep(copy(bytes)))
        case .variable(let slot):
            // A computed number stays one: printed and read again it could change with the column's style.
            if let number = state.computed(slot) { return .number(number) }
            return isBlank(slot) ? .blank : .text(state.text(slot))
        case .binary(let op, let a, let b):
            guard let left = try decimal(a), let right = try decimal(b) else { return .blank }
            return .number(try combine(op, left, right))
        case .map(let table, let value, let otherwise): return try mapped(table, value, otherwise)
        case .call(let function, let arguments): return try call(function, arguments)
        }
    }

    private func copy(_ bytes: [UInt8]) -> ByteView { ByteView.with(bytes) { state.keep($0) } }

    /// The number of an expression; nil when it is blank.
    func decimal(_ expression: Expression) throws(Finding) -> ExactDecimal? {
        switch expression {
        case .variable(let slot): return try decimal(number(slot), text: state.text(slot), of: slot)
        case .call(.first, let arguments):
            for argument in arguments { if let found = try decimal(argument) { return found } }
            return nil
        case .call(.ifSame, let arguments): return try decimal(arguments[try isSame(arguments) ? 2 : 3])
        case .map(let table, let inner, let otherwise):
            // A value of a table is the definition's, its stand-in perhaps a cell.
            if case .text(let view) = try mapped(table, inner, nil) {
                return try decimal(reader.read(view, .us), text: view)
            }
            guard let otherwise else { return nil }
            return try decimal(otherwise)
        default: break
        }
        switch try value(expression) {
        case .blank: return nil
        case .number(let number): return number
        case .text(let view):
            // What is cut out of a cell is written as the cell is.
            let style = expression.slots.first.map { styles[$0] } ?? .us
            return try decimal(reader.read(view, style), text: view, of: expression.slots.first)
        }
    }

    private func isSame(_ arguments: [Expression]) throws(Finding) -> Bool {
        let a = try text(arguments[0])
        let b = try text(arguments[1])
        return !a.isBlank && a.trimmed().equalsIgnoringCase(b.trimmed())
    }

    private func decimal(
        _ reading: NumberReading, text: ByteView, of slot: Int? = nil
    ) throws(Finding) -> ExactDecimal? {
        switch reading {
        case .value(let value, _): return value
        case .blank: return nil
        default:
            let column = slot.flatMap { binding?.columnName($0) } ?? ""
            throw NumberFinding.make(reading, column: column, value: text.string)
        }
    }

    private func combine(_ op: Expression.Operator, _ a: ExactDecimal, _ b: ExactDecimal) throws(Finding)
        -> ExactDecimal
    {
        let result: ExactDecimal? =
            switch op {
            case .add: a.adding(b)
            case .subtract: a.subtracting(b)
            case .multiply: a.multiplied(by: b)
            case .divide: a.divided(by: b)?.value
            }
        if let result { return result }
        if op == .divide, b.isZero {
            throw Finding(.numberInvalid, value: "0", reason: "a value of this row would have to be divided by zero.")
        }
        throw Finding(.numberRange, reason: "the result of a calculation has more than 38 digits.")
    }

    private func mapped(_ table: Int, _ expression: Expression, _ otherwise: Expression?) throws(Finding) -> Value {
        if case .text(let view) = try textValue(expression) {
            if let found = mapMemory.value(of: view, in: table, letters: { state.letters(view) }) {
                return .text(copy(found))
            }
        }
        return try otherwise.map { (e: Expression) throws(Finding) in try value(e) } ?? .blank
    }

    /// The value as text.
    private func textValue(_ expression: Expression) throws(Finding) -> Value {
        let result = try value(expression)
        guard case .number(let number) = result else { return result }
        var bytes: [UInt8] = []
        number.append(to: &bytes)
        return .text(copy(bytes))
    }

    private func text(_ expression: Expression) throws(Finding) -> ByteView {
        if case .text(let view) = try textValue(expression) { return view }
        return .empty
    }

    private func call(_ function: Expression.Function, _ arguments: [Expression]) throws(Finding) -> Value {
        switch function {
        case .neg: return try decimal(arguments[0]).map { .number($0.negated) } ?? .blank
        case .abs: return try decimal(arguments[0]).map { .number($0.magnitude) } ?? .blank
        case .number: return try decimal(arguments[0]).map { .number($0) } ?? .blank
        case .percent:
            guard let value = try decimal(arguments[0]) else { return .blank }
            return .number(try combine(.divide, value, 100))
        case .first:
            for argument in arguments {
                let candidate = try value(argument)
                if case .blank = candidate { continue }
                return candidate
            }
            return .blank
        case .sum:
            var total: ExactDecimal?
            for argument in arguments {
                guard let part = try decimal(argument) else { continue }
                total = try total.map { (t: ExactDecimal) throws(Finding) in try combine(.add, t, part) } ?? part
            }
            return total.map { .number($0) } ?? .blank
        case .text:
            var bytes: [UInt8] = []
            for argument in arguments {
                if case .text(let literal) = argument { bytes += literal } else { bytes += try text(argument).array }
            }
            return bytes.isEmpty ? .blank : .text(copy(bytes))
        case .upper: return cased(try text(arguments[0]), upper: true)
        case .lower: return cased(try text(arguments[0]), upper: false)
        case .trim: return wrap(try text(arguments[0]).trimmed())
        case .digits: return wrap(copy(try text(arguments[0]).array.filter(isDigit)))
        case .before, .after: return try cut(function, arguments)
        case .currencyOf:
            guard let code = reader.currency(try text(arguments[0])) else { return .blank }
            return .text(copy(Array(code.utf8)))
        case .ifSame: return try value(arguments[try isSame(arguments) ? 2 : 3])
        case .negIf:
            guard let number = try decimal(arguments[0]) else { return .blank }
            let isMeant = try text(arguments[1]).equalsIgnoringCase(try text(arguments[2]))
            return .number(isMeant ? number.magnitude.negated : number.magnitude)
        }
    }

    private func wrap(_ view: ByteView) -> Value { view.isEmpty ? .blank : .text(view) }

    private func cased(_ view: ByteView, upper: Bool) -> Value {
        let text = upper ? view.string.uppercased() : view.string.lowercased()
        return wrap(copy(Array(text.utf8)))
    }

    private func cut(_ function: Expression.Function, _ arguments: [Expression]) throws(Finding) -> Value {
        let whole = try text(arguments[0])
        var mark: [UInt8] = []
        if case .text(let literal) = arguments[1] { mark = literal } else { mark = try text(arguments[1]).array }
        guard !mark.isEmpty, let range = whole.firstRange(of: mark) else {
            return function == .before ? wrap(whole) : .blank
        }
        return wrap(
            (function == .before ? whole[0..<range.lowerBound] : whole[range.upperBound..<whole.count]).trimmed())
    }
}
