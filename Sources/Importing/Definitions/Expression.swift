import OpenAlloc

/// A computed value of a definition (Importers/README.md, section 5), compiled to slots.
indirect enum Expression: Sendable, Hashable {
    case number(ExactDecimal)
    case text([UInt8])
    case variable(Int)
    case binary(Operator, Expression, Expression)
    case call(Function, [Expression])
    /// A named value table and what stands for a value that it does not have.
    case map(Int, Expression, otherwise: Expression?)

    typealias Operator = RowNumber.Operator

    enum Function: String, Sendable, CaseIterable {
        case neg, abs, first, sum, text, upper, lower, trim, before, after, currencyOf, percent, negIf, number, digits,
            ifSame
    }

    /// Why a text is no expression.
    struct Malformed: Error { let reason: String }

    /// The slots that are computed with: operands of arithmetic.
    var computedSlots: [Int] {
        switch self {
        case .binary(_, let a, let b): a.operandSlots + b.operandSlots
        case .call(.neg, let arguments), .call(.abs, let arguments), .call(.sum, let arguments),
            .call(.percent, let arguments),
            .call(.number, let arguments):
            arguments.flatMap(\.operandSlots)
        case .call(_, let arguments): arguments.flatMap(\.computedSlots)
        default: []
        }
    }

    /// The slots whose cells are numbers, or have some to be cut out, where the expression is a number: not what a value
    /// is looked up by.
    private var operandSlots: [Int] {
        switch self {
        case .map(_, _, let otherwise): otherwise?.operandSlots ?? []
        case .binary(_, let a, let b): a.operandSlots + b.operandSlots
        default: slots
        }
    }

    /// Whether it reads a slot of which something holds.
    func reads(_ holds: (Int) -> Bool) -> Bool {
        switch self {
        case .number, .text: false
        case .variable(let slot): holds(slot)
        case .binary(_, let a, let b): a.reads(holds) || b.reads(holds)
        case .call(_, let arguments): arguments.contains { $0.reads(holds) }
        case .map(_, let value, let otherwise): value.reads(holds) || otherwise?.reads(holds) ?? false
        }
    }

    /// The slots that the expression reads.
    var slots: [Int] {
        switch self {
        case .number, .text: []
        case .variable(let slot): [slot]
        case .binary(_, let a, let b): a.slots + b.slots
        case .call(_, let arguments): arguments.flatMap(\.slots)
        case .map(_, let value, let otherwise): value.slots + (otherwise?.slots ?? [])
        }
    }
}

/// Reads an expression's text: precedence climbing over bytes.
struct ExpressionParser {
    /// Bounds the depth of what is evaluated.
    private static let longest = 1000
    private let bytes: [UInt8]
    private var position = 0
    private let mapNames: [String]
    private var slot: (String) -> Int

    static func parse(
        _ text: String, mapNames: [String], slot: @escaping (String) -> Int
    ) throws(Expression.Malformed) -> Expression {
        guard text.utf8.count <= longest else {
            throw Expression.Malformed(reason: "it is longer than \(longest) bytes")
        }
        var parser = ExpressionParser(bytes: Array(text.utf8), mapNames: mapNames, slot: slot)
        let expression = try parser.sum(depth: 0)
        parser.skipSpace()
        guard parser.position == parser.bytes.count else {
            throw Expression.Malformed(reason: "‘\(parser.rest)’ is left over")
        }
        return expression
    }

    private init(bytes: [UInt8], mapNames: [String], slot: @escaping (String) -> Int) {
        self.bytes = bytes
        self.mapNames = mapNames
        self.slot = slot
    }

    private var rest: String { String(decoding: bytes[position...], as: UTF8.self) }

    private mutating func skipSpace() { while position < bytes.count, isSpace(bytes[position]) { position += 1 } }

    private mutating func take(_ character: Character) -> Bool {
        skipSpace()
        guard position < bytes.count, bytes[position] == character.asciiValue else { return false }
        position += 1
        return true
    }

    private mutating func sum(depth: Int) throws(Expression.Malformed) -> Expression {
        guard depth < 32 else { throw Expression.Malformed(reason: "it is nested too deeply") }
        var left = try product(depth: depth)
        while true {
            if take("+") {
                left = .binary(.add, left, try product(depth: depth))
            } else if take("-") {
                left = .binary(.subtract, left, try product(depth: depth))
            } else {
                return left
            }
        }
    }

    private mutating func product(depth: Int) throws(Expression.Malformed) -> Expression {
        var left = try factor(depth: depth)
        while true {
            if take("*") {
                left = .binary(.multiply, left, try factor(depth: depth))
            } else if take("/") {
                left = .binary(.divide, left, try factor(depth: depth))
            } else {
                return left
            }
        }
    }

    private mutating func factor(depth: Int) throws(Expression.Malformed) -> Expression {
        if take("(") {
            let inner = try sum(depth: depth + 1)
            guard take(")") else { throw Expression.Malformed(reason: "a ‘)’ is missing") }
            return inner
        }
        guard depth < 32 else { throw Expression.Malformed(reason: "it is nested too deeply") }
        if take("-") { return .call(.neg, [try factor(depth: depth + 1)]) }
        skipSpace()
        guard position < bytes.count else { throw Expression.Malformed(reason: "a value is missing at the end") }
        if bytes[position] == UInt8(ascii: "'") { return try quoted() }
        let start = position
        while position < bytes.count, isWordByte(bytes[position]) || bytes[position] == UInt8(ascii: ".") {
            position += 1
        }
        guard position > start else { throw Expression.Malformed(reason: "‘\(rest)’ is no value") }
        let word = String(decoding: bytes[start..<position], as: UTF8.self)
        if isDigit(bytes[start]) {
            guard let number = ExactDecimal(exactly: word) else {
                throw Expression.Malformed(reason: "‘\(word)’ is no number")
            }
            return .number(number)
        }
        guard !word.contains(".") else { throw Expression.Malformed(reason: "‘\(word)’ is no name and no number") }
        return take("(") ? try call(word, depth: depth) : .variable(slot(word))
    }

    private mutating func quoted() throws(Expression.Malformed) -> Expression {
        let start = position + 1
        guard let end = bytes[start...].firstIndex(of: UInt8(ascii: "'")) else {
            throw Expression.Malformed(reason: "a text is not closed by ‘'’")
        }
        position = end + 1
        return .text(Array(bytes[start..<end]))
    }

    private mutating func call(_ word: String, depth: Int) throws(Expression.Malformed) -> Expression {
        if word == "map" || word == "mapOr" { return try mapCall(hasDefault: word == "mapOr", depth: depth) }
        guard let function = Expression.Function(rawValue: word) else {
            let all = (Expression.Function.allCases.map(\.rawValue) + ["map", "mapOr"]).joined(separator: ", ")
            throw Expression.Malformed(reason: "‘\(word)’ is no function; there are \(all)")
        }
        var arguments: [Expression] = []
        if !take(")") {
            repeat { arguments.append(try sum(depth: depth + 1)) } while take(",")
            guard take(")") else { throw Expression.Malformed(reason: "‘\(word)(’ is not closed by ‘)’") }
        }
        let counts: ClosedRange<Int> =
            switch function {
            case .neg, .abs, .upper, .lower, .trim, .currencyOf, .percent, .number, .digits: 1...1
            case .before, .after: 2...2
            case .negIf: 3...3
            case .ifSame: 4...4
            case .first, .sum, .text: 1...32
            }
        guard counts.contains(arguments.count) else {
            throw Expression.Malformed(reason: "‘\(word)’ takes \(counts.lowerBound) value(s), not \(arguments.count)")
        }
        return .call(function, arguments)
    }

    private mutating func mapCall(hasDefault: Bool, depth: Int) throws(Expression.Malformed) -> Expression {
        skipSpace()
        let start = position
        while position < bytes.count, isWordByte(bytes[position]) { position += 1 }
        let name = String(decoding: bytes[start..<position], as: UTF8.self)
        guard let index = mapNames.firstIndex(of: name) else {
            throw Expression.Malformed(reason: "there is no table ‘\(name)’ under ‘maps’")
        }
        guard take(",") else { throw Expression.Malformed(reason: "map needs a table and a value") }
        let value = try sum(depth: depth + 1)
        var otherwise: Expression?
        if hasDefault {
            guard take(",") else {
                throw Expression.Malformed(reason: "mapOr needs a value for what the table does not have")
            }
            otherwise = try sum(depth: depth + 1)
        }
        guard take(")") else { throw Expression.Malformed(reason: "‘map(’ is not closed by ‘)’") }
        return .map(index, value, otherwise: otherwise)
    }
}
