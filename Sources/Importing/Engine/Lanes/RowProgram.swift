import Delimited
import OpenAlloc

/// What a lane works out of the numbers of a row of a class before it takes the row: numbers that rules compute, and
/// whether the row answers what rules ask as the class's others do.
///
/// The same values as `RowNumber` has, in one pass over `nodes`; each node stands after those that it is made of.
public final class RowProgram: Sendable {
    private enum Code: UInt8 { case constant, cell, add, subtract, multiply, divide, negate, magnitude }
    private struct Node {
        var code: Code
        var left = 0
        var right = 0
    }
    private struct Output {
        var node: Int
        var place: Int
        var sign: Int
    }
    private enum Question {
        case sign(Int, Int)
        case lies(Int, above: ExactDecimal?, below: ExactDecimal?, Bool)
        case isNot(Int, [ExactDecimal])
    }

    private let nodes: [Node]
    private let constants: [ExactDecimal]
    private let outputs: [Output]
    private let questions: [Question]
    /// The places of cells, a bit each, by which alone can be told that all can be worked out, where nobody asks what it
    /// comes to; all of them where it must be worked out.
    @usableFromInline let tellingPlaces: UInt64

    /// Whether there is nothing to be done.
    var isEmpty: Bool { nodes.isEmpty }

    /// Nil where a row's plain numbers do not tell all that is asked.
    ///
    /// - Parameters:
    ///   - outputs: numbers, the places that they get, and their signs.
    ///   - place: where a row has the number of a variable's cell.
    ///   - isImplied: whether all rows that a lane reads answer a question about cells in the same way as the class.
    init?(
        _ guards: [RecipeGuard], outputs: [(number: RowNumber, place: Int, sign: Int)], place: (Int) -> Int?,
        isImplied: (Condition, Bool) -> Bool
    ) {
        var builder = Builder()
        var questions: [Question] = []
        for question in guards {
            switch question {
            case .cells(let condition, let answer):
                if isImplied(condition, answer) { continue }
                // A number that is none of the words' is not written as one of them.
                guard !answer, case .isOneOf(let slot, let words) = condition,
                    let node = builder.add(.cell(slot), place)
                else { return nil }
                let numbers = words.filter { $0.count <= 18 && $0.allSatisfy { isDigit($0) } }
                    .compactMap { ExactDecimal(exactly: String(decoding: $0, as: UTF8.self)) }
                guard numbers.count == words.count else { return nil }
                questions.append(.isNot(node, numbers))
            case .sign(let number, let sign):
                guard let node = builder.add(number, place) else { return nil }
                questions.append(.sign(node, sign))
            case .lies(let number, let above, let below, let answer):
                guard let node = builder.add(number, place) else { return nil }
                questions.append(.lies(node, above: above, below: below, answer))
            case .works(let number): guard builder.add(number, place) != nil else { return nil }
            }
        }
        var results: [Output] = []
        for output in outputs {
            guard let node = builder.add(output.number, place) else { return nil }
            results.append(Output(node: node, place: output.place, sign: output.sign))
        }
        (nodes, constants, self.outputs, self.questions) = (builder.nodes, builder.constants, results, questions)
        let isAsked = !outputs.isEmpty || !questions.isEmpty
        let isTold = guards.allSatisfy { $0.number.map { DigitBounds($0) != nil } ?? true }
        let places = nodes.filter { $0.code == .cell }.map(\.left)
        let isTelling = !isAsked && isTold && places.allSatisfy { $0 < UInt64.bitWidth }
        tellingPlaces = isTelling ? places.reduce(0) { $0 | 1 << UInt64($1) } : .max
    }

    /// Whether a row's cells have few digits, and none is zero, so that there is nothing to be worked out.
    @inlinable
    @inline(__always)
    public func isTold(_ values: RowValues) -> Bool { tellingPlaces & ~values.fewDigits == 0 }

    /// The same where the reader of the row has not looked at its digits.
    private func areFew(_ values: RowValues) -> Bool {
        if tellingPlaces == .max { return false }
        var rest = tellingPlaces
        while rest != 0 {
            if !DigitBounds.hold(values.number(rest.trailingZeroBitCount)) { return false }
            rest &= rest &- 1
        }
        return true
    }

    /// Numbers that are worked out of those at other places.
    package convenience init?(outputs: [(number: RowNumber, place: Int, sign: Int)]) {
        self.init([], outputs: outputs, place: { $0 }, isImplied: { _, _ in false })
    }

    private struct Builder {
        var nodes: [Node] = []
        var constants: [ExactDecimal] = []
        private var known: [RowNumber: Int] = [:]

        mutating func add(_ number: RowNumber, _ place: (Int) -> Int?) -> Int? {
            if let node = known[number] { return node }
            var node: Node
            switch number {
            case .constant(let value):
                node = Node(code: .constant, left: constants.count)
                constants.append(value)
            case .cell(let slot):
                guard let place = place(slot) else { return nil }
                node = Node(code: .cell, left: place)
            case .negated(let inner):
                guard let left = add(inner, place) else { return nil }
                node = Node(code: .negate, left: left)
            case .magnitude(let inner):
                guard let left = add(inner, place) else { return nil }
                node = Node(code: .magnitude, left: left)
            case .binary(let op, let left, let right):
                guard let left = add(left, place), let right = add(right, place) else { return nil }
                let code: Code =
                    switch op {
                    case .add: .add
                    case .subtract: .subtract
                    case .multiply: .multiply
                    case .divide: .divide
                    }
                node = Node(code: code, left: left, right: right)
            }
            nodes.append(node)
            known[number] = nodes.count - 1
            return nodes.count - 1
        }
    }

    /// Works a row's numbers out and puts them beside its own; false when the row is to be left to others: it answers
    /// otherwise than its class, or a number is too long for a plain one.
    public func run(_ values: RowValues) -> Bool {
        if areFew(values) { return true }
        return withUnsafeTemporaryAllocation(of: ExactDecimal.self, capacity: nodes.count) { results in
            // What is uninitialized is never read: each node reads those before it.
            for index in nodes.indices {
                guard let value = value(nodes[index], results, values) else { return false }
                results.initializeElement(at: index, to: value)
            }
            for question in questions where !holds(question, results) { return false }
            for output in outputs {
                let value = results[output.node]
                guard value.signum == output.sign, values.set(number: output.place, computed: value) else {
                    return false
                }
            }
            return true
        }
    }

    @inline(__always)
    private func value(_ node: Node, _ results: UnsafeMutableBufferPointer<ExactDecimal>, _ values: RowValues)
        -> ExactDecimal?
    {
        switch node.code {
        case .constant: return constants[node.left]
        case .cell:
            let number = values.number(node.left)
            return ExactDecimal(coefficient: Int128(number.coefficient), scale: Int(number.scale))
        case .add: return results[node.left].adding(results[node.right])
        case .subtract: return results[node.left].subtracting(results[node.right])
        case .multiply: return results[node.left].multiplied(by: results[node.right])
        case .divide:
            guard let quotient = results[node.left].divided(by: results[node.right]) else { return nil }
            return quotient.value
        case .negate: return results[node.left].negated
        case .magnitude: return results[node.left].magnitude
        }
    }

    private func holds(_ question: Question, _ results: UnsafeMutableBufferPointer<ExactDecimal>) -> Bool {
        switch question {
        case .sign(let node, let sign): results[node].signum == sign
        case .lies(let node, let above, let below, let answer):
            RecipeGuard.lies(results[node], above: above, below: below) == answer
        case .isNot(let node, let numbers): !numbers.contains(results[node])
        }
    }
}

extension RowValues {
    /// Puts a number that was worked out beside those of the row; false when it has more digits than a plain one.
    func set(number place: Int, computed value: ExactDecimal) -> Bool {
        guard let coefficient = Int64(exactly: value.coefficient),
            let number = PlainDecimal(coefficient, scale: Int(value.scale), scratch: scratch(place))
        else { return false }
        set(number: place, number)
        return true
    }
}
