import Delimited
import OpenAlloc

/// The conditions of a table as steps in flat memory: a step asks one thing of one variable and says which step follows.
///
/// `Evaluator.holds(_: Condition)` says the same of the tree that it was made of, one node after the other.
final class ConditionProgram: Sendable {
    /// Where a condition begins, or what it is worth without a question.
    typealias Entry = Int32

    /// In place of a step: the condition holds, or fails.
    static let holds: Entry = -1
    static let fails: Entry = -2

    enum Question: UInt8, Sendable {
        case isOneOf, matches, isSame, lies
        case blank, present, number, zero, nonzero, positive, negative, date
    }

    struct Step: BitwiseCopyable, Sendable {
        let question: Question
        let slot: Int32
        /// The words, templates, bounds or the other variable that the question is about.
        let operand: Int32
        let ifTrue: Entry
        let ifFalse: Entry
    }

    struct Bounds: Sendable {
        let above: ExactDecimal?
        let below: ExactDecimal?
    }

    private let steps: [Step]
    let words: [WordSet]
    let templates: [[BoundTemplate]]
    let bounds: [Boxed<Bounds>]

    init(_ builder: ConditionBuilder) {
        steps = builder.steps
        words = builder.words
        templates = builder.templates
        bounds = builder.bounds
    }

    @inline(__always)
    func step(_ place: Entry) -> Step { steps[Int(place)] }
}

/// Makes the steps of conditions.
struct ConditionBuilder {
    typealias Entry = ConditionProgram.Entry

    fileprivate var steps: [ConditionProgram.Step] = []
    fileprivate var words: [WordSet] = []
    fileprivate var templates: [[BoundTemplate]] = []
    fileprivate var bounds: [Boxed<ConditionProgram.Bounds>] = []

    /// Adds a condition; none always holds.
    mutating func add(_ condition: Condition?) -> Entry {
        guard let condition else { return ConditionProgram.holds }
        return add(condition, ConditionProgram.holds, ConditionProgram.fails)
    }

    private mutating func add(_ condition: Condition, _ ifTrue: Entry, _ ifFalse: Entry) -> Entry {
        switch condition {
        case .all(let parts):
            // From the last to the first: each goes on where the next begins.
            var next = ifTrue
            for part in parts.reversed() { next = add(part, next, ifFalse) }
            return next
        case .any(let parts):
            var next = ifFalse
            for part in parts.reversed() { next = add(part, ifTrue, next) }
            return next
        case .not(let inner): return add(inner, ifFalse, ifTrue)
        case .isOneOf(let slot, let list):
            words.append(WordSet(list))
            return append(.isOneOf, slot, words.count - 1, ifTrue, ifFalse)
        case .matches(let slot, let list):
            templates.append(list)
            return append(.matches, slot, templates.count - 1, ifTrue, ifFalse)
        case .isSame(let slot, let other): return append(.isSame, slot, other, ifTrue, ifFalse)
        case .lies(let slot, let above, let below):
            bounds.append(Boxed(ConditionProgram.Bounds(above: above, below: below)))
            return append(.lies, slot, bounds.count - 1, ifTrue, ifFalse)
        case .test(let slot, let test):
            let question: ConditionProgram.Question =
                switch test {
                case .blank: .blank
                case .present: .present
                case .number: .number
                case .zero: .zero
                case .nonzero: .nonzero
                case .positive: .positive
                case .negative: .negative
                case .date: .date
                }
            return append(question, slot, 0, ifTrue, ifFalse)
        }
    }

    private mutating func append(
        _ question: ConditionProgram.Question, _ slot: Int, _ operand: Int, _ ifTrue: Entry, _ ifFalse: Entry
    ) -> Entry {
        steps.append(
            ConditionProgram.Step(
                question: question, slot: Int32(slot), operand: Int32(operand), ifTrue: ifTrue, ifFalse: ifFalse))
        return Entry(steps.count - 1)
    }
}

/// Folded words, found by their hash.
final class WordSet: Sendable {
    struct Entry: BitwiseCopyable, Sendable {
        var hash: UInt64 = 0
        /// Which word; −1 in a free place.
        var word = -1
    }

    private let words: [[UInt8]]
    /// Open addressing: a power of two, at most half full.
    private let entries: [Entry]
    private let mask: Int
    /// A bit for each length of a word, the longest standing for all beyond.
    private let lengths: UInt64

    init(_ words: [[UInt8]]) {
        var size = 4
        while size < words.count * 2 { size *= 2 }
        mask = size - 1
        var entries = [Entry](repeating: Entry(), count: size)
        var lengths = 0 as UInt64
        for (index, word) in words.enumerated() {
            let hash = ByteView.with(word) { WordSet.hash($0) }
            lengths |= 1 << UInt64(min(word.count, 63))
            var place = Int(truncatingIfNeeded: hash) & mask
            while entries[place].word >= 0 { place = (place + 1) & mask }
            entries[place] = Entry(hash: hash, word: index)
        }
        self.words = words
        self.entries = entries
        self.lengths = lengths
    }

    private static func hash(_ text: ByteView) -> UInt64 {
        let hash = text.mix(into: 0)
        return hash ^ hash >> 32
    }

    func contains(_ text: ByteView) -> Bool {
        guard lengths >> UInt64(min(text.count, 63)) & 1 == 1 else { return false }
        let hash = WordSet.hash(text)
        var place = Int(truncatingIfNeeded: hash) & mask
        while true {
            let entry = entries[place]
            if entry.word < 0 { return false }
            if entry.hash == hash, text == words[entry.word] { return true }
            place = (place &+ 1) & mask
        }
    }
}
