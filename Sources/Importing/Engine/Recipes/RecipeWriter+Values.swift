import Delimited
import OpenAlloc

// Where the values of variables come from.
extension RecipeWriter {
    /// A variable has a value of the class from now on, which `state` has.
    mutating func makeConstant(_ slot: Int) {
        sources[slot] = .constant
        overwritten.insert(slot)
    }

    mutating func extract(_ rule: ExtractRule) throws(Undecided) {
        if let condition = rule.condition, !(try holds(condition)) { return }
        if case .constant = sources[rule.from] {
            var captures: [ByteView] = []
            let text = state.text(rule.from)
            for pattern in rule.patterns where pattern.template.matches(text, captures: &captures) {
                for (index, slot) in pattern.slots.enumerated() {
                    if rule.onlyBlank {
                        guard isConstant(slot) else { throw Undecided() }
                        if !run.evaluator.isBlank(slot) { continue }
                    }
                    state.set(slot, captures[index])
                    makeConstant(slot)
                }
                return
            }
            return
        }
        // What is cut out of a cell that a row brings is the row's: the recipe holds where there is nothing.
        if try holds(.matches(rule.from, rule.patterns.map { BoundTemplate(template: $0.template, slots: []) })) {
            throw Undecided()
        }
    }

    mutating func assign(_ set: Assignment) throws(Undecided) {
        if let condition = set.condition, !(try holds(condition)) { return }
        try assign(set.slot, try simplified(set.expression))
    }

    private mutating func assign(_ slot: Int, _ expression: Expression) throws(Undecided) {
        if case .variable(let other) = expression, !isConstant(other) {
            // What stands in one column is read as that of another.
            if case .cell(let cell) = sources[other], cells.isNumber[cell],
                run.evaluator.styles[cell] != run.evaluator.styles[slot]
            {
                throw Undecided()
            }
            sources[slot] = sources[other]
            return
        }
        if !expression.reads({ !isConstant($0) }) { return try store(slot, expression) }
        if case .call(.ifSame, let operands) = expression, operands.count == 4 {
            return try assign(slot, try simplified(operands[try isSame(operands) ? 2 : 3]))
        }
        if case .map(let table, let key, let otherwise) = expression, !key.reads({ !isConstant($0) }) {
            let found = Expression.map(table, key, otherwise: nil)
            if try !isBlank(found) { return try store(slot, found) }
            guard let otherwise else { return try store(slot, .text([])) }
            return try assign(slot, try simplified(otherwise))
        }
        guard expression.isNumeric else {
            // Nothing in it can fail.
            guard !expression.mayReject else { throw Undecided() }
            sources[slot] = .opaque
            return
        }
        guard let number = try number(expression) else { return try store(slot, .text([])) }
        guard number.value({ cells.numbers[$0] }) != nil else { throw Undecided() }
        // A row of which it cannot be worked out is to be rejected, whether or not somebody asks for it.
        if number.mayFail { ask(.works(number)) }
        sources[slot] = .computed(number)
    }

    private mutating func store(_ slot: Int, _ expression: Expression) throws(Undecided) {
        do throws(Finding) {
            try run.evaluator.assign(Assignment(slot: slot, expression: expression))
        } catch {
            throw Undecided()
        }
        makeConstant(slot)
    }

    /// Whether an expression of words of the class is blank.
    private func isBlank(_ expression: Expression) throws(Undecided) -> Bool {
        do throws(Finding) {
            if case .blank = try run.evaluator.value(expression) { return true }
            return false
        } catch {
            throw Undecided()
        }
    }

    /// Whether the first two operands are the same words of the class.
    private func isSame(_ operands: [Expression]) throws(Undecided) -> Bool {
        guard !operands[0].reads({ !isConstant($0) }), !operands[1].reads({ !isConstant($0) }) else {
            throw Undecided()
        }
        return try !isBlank(.call(.ifSame, [operands[0], operands[1], .number(1), .text([])]))
    }

    // MARK: numbers

    /// The number of an expression, nil where it is blank, as `Evaluator.decimal` has it.
    private mutating func number(_ expression: Expression) throws(Undecided) -> RowNumber? {
        if !expression.reads({ !isConstant($0) }) { return try constant(expression) }
        switch expression {
        case .number, .text: return try constant(expression)
        case .variable(let slot):
            switch sources[slot] {
            case .constant: return try constant(expression)
            case .cell(let cell):
                guard cells.isNumber[cell], run.evaluator.styles[cell] == run.evaluator.styles[slot] else {
                    throw Undecided()
                }
                return cells.isBlank[cell] ? nil : .cell(cell)
            case .computed(let number): return number
            case .opaque: throw Undecided()
            }
        case .binary(let op, let a, let b):
            guard let left = try number(a) else { return nil }
            guard let right = try number(b) else {
                if left.mayFail { ask(.works(left)) }
                return nil
            }
            return .binary(op, left, right)
        case .map(let table, let key, let otherwise):
            guard !key.reads({ !isConstant($0) }) else { throw Undecided() }
            let found = Expression.map(table, key, otherwise: nil)
            if try !isBlank(found) { return try constant(found) }
            guard let otherwise else { return nil }
            return try number(otherwise)
        case .call(let function, let arguments): return try call(function, arguments)
        }
    }

    private mutating func call(
        _ function: Expression.Function, _ arguments: [Expression]
    ) throws(Undecided) -> RowNumber? {
        switch function {
        case .number: return try number(arguments[0])
        case .neg:
            guard let number = try number(arguments[0]) else { return nil }
            return .negated(number)
        case .abs:
            guard let number = try number(arguments[0]) else { return nil }
            return .magnitude(number)
        case .percent:
            guard let number = try number(arguments[0]) else { return nil }
            return .binary(.divide, number, .constant(100))
        case .first:
            for argument in arguments { if let found = try number(argument) { return found } }
            return nil
        case .sum:
            var total: RowNumber?
            for argument in arguments {
                guard let part = try number(argument) else { continue }
                if let sum = total { total = .binary(.add, sum, part) } else { total = part }
            }
            return total
        case .ifSame: return try number(arguments[try isSame(arguments) ? 2 : 3])
        case .negIf:
            guard let number = try number(arguments[0]) else { return nil }
            let words = Expression.call(.negIf, [.number(1), arguments[1], arguments[2]])
            guard !words.reads({ !isConstant($0) }), case .constant(let sign)? = try constant(words) else {
                throw Undecided()
            }
            return sign.isNegative ? .negated(.magnitude(number)) : .magnitude(number)
        case .text, .upper, .lower, .trim, .before, .after, .currencyOf, .digits: throw Undecided()
        }
    }

    /// The number of words of the class.
    private func constant(_ expression: Expression) throws(Undecided) -> RowNumber? {
        do throws(Finding) {
            guard let value = try run.evaluator.decimal(expression) else { return nil }
            return .constant(value)
        } catch {
            throw Undecided()
        }
    }

    // MARK: first

    /// `first(a, b)` with a blank word in front is `b`.
    private mutating func simplified(_ expression: Expression) throws(Undecided) -> Expression {
        guard case .call(.first, let operands) = expression else { return expression }
        var rest = operands[...]
        while let operand = rest.first, rest.count > 1 {
            guard case .variable(let slot) = operand else {
                guard operand.isNumeric else { break }
                if try number(operand) != nil { return operand }
                rest = rest.dropFirst()
                continue
            }
            if !isBlankForAll(slot) {
                if isConstant(slot) || isPresentForAll(slot) { return operand }
                break
            }
            rest = rest.dropFirst()
        }
        return rest.count == 1 ? (rest.first ?? expression) : .call(.first, Array(rest))
    }

    private func isBlankForAll(_ slot: Int) -> Bool {
        switch sources[slot] {
        case .constant: run.evaluator.isBlank(slot)
        case .cell(let cell):
            (cells.isNumber[cell] || cells.isMoment[cell] || cells.isCopied[cell]) && cells.isBlank[cell]
        case .computed, .opaque: false
        }
    }

    private func isPresentForAll(_ slot: Int) -> Bool {
        switch sources[slot] {
        case .constant: !run.evaluator.isBlank(slot)
        case .cell(let cell):
            profile.account == cell
                || ((cells.isNumber[cell] || cells.isMoment[cell] || cells.isCopied[cell]) && !cells.isBlank[cell])
        case .computed: true
        case .opaque: false
        }
    }
}

extension Expression {
    /// Whether its value is a number or blank.
    fileprivate var isNumeric: Bool {
        switch self {
        case .number, .binary: true
        case .call(let function, let arguments):
            switch function {
            case .neg, .abs, .sum, .percent, .number, .negIf: true
            case .first: arguments.allSatisfy(\.isNumeric)
            default: false
            }
        case .text, .variable, .map: false
        }
    }

    /// Whether working it out may show that a row is to be rejected.
    fileprivate var mayReject: Bool {
        switch self {
        case .number, .text, .variable: false
        case .binary: true
        case .map(_, let key, let otherwise): key.mayReject || otherwise?.mayReject ?? false
        case .call(let function, let arguments):
            switch function {
            case .neg, .abs, .sum, .percent, .number, .negIf: true
            default: arguments.contains(where: \.mayReject)
            }
        }
    }
}
