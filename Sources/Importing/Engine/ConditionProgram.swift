import Delimited
import OpenAlloc

/// The conditions of a table as steps in flat memory: a step asks one thing of one variable and says which step follows.
///
/// `Evaluator.holds(_: Condition)` says the same of the tree that it was made of, one node after the other.
final class ConditionProgram {
    /// Where a condition begins, or what it is worth without a question.
    typealias Entry = Int32

    /// In place of a step: the condition holds, or fails.
    static let holds: Entry = -1
    static let fails: Entry = -2

    enum Question: UInt8 {
        case isOneOf, matches, isSame, lies
        case blank, present, number, zero, nonzero, positive, negative, date
    }

    struct Step: BitwiseCopyable {
        let question: Question
        let slot: Int32
        /// The words, templates, bounds or the other variable that the question is about.
        let operand: Int32
        let ifTrue: Entry
        let ifFalse: Entry
    }

    struct Bounds {
        let above: ExactDecimal?
        let below: ExactDecimal?
    }

    @exclusivity(unchecked) private var steps = FlatMemory<Step>([])
    private(set) var words: [WordSet] = []
    private(set) var templates: [[BoundTemplate]] = []
    private(set) var bounds: [Boxed<Bounds>] = []

    @inline(__always)
    func step(_ place: Entry) -> Step { steps[Int(place)] }

    /// Adds a condition; none always holds.
    func add(_ condition: Condition?) -> Entry {
        guard let condition else { return ConditionProgram.holds }
        return add(condition, ConditionProgram.holds, ConditionProgram.fails)
    }

    private func add(_ condition: Condition, _ ifTrue: Entry, _ ifFalse: Entry) -> Entry {
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
            bounds.append(Boxed(Bounds(above: above, below: below)))
            return append(.lies, slot, bounds.count - 1, ifTrue, ifFalse)
        case .test(let slot, let test):
            let question: Question =
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

    private func append(
        _ question: Question, _ slot: Int, _ operand: Int, _ ifTrue: Entry, _ ifFalse: Entry
    ) -> Entry {
        steps.append(
            Step(
                question: question, slot: Int32(slot), operand: Int32(operand), ifTrue: ifTrue, ifFalse: ifFalse))
        return Entry(steps.count - 1)
    }
}

extension ConditionProgram.Bounds: Sendable {}

/// Folded words in flat memory, found by their hash.
final class WordSet {
    struct Entry: BitwiseCopyable {
        var hash: UInt64 = 0
        var start: Int32 = 0
        /// −1 in a free place.
        var count: Int32 = -1
    }

    @exclusivity(unchecked) private var bytes: FlatMemory<UInt8>
    /// Open addressing: a power of two, at most half full.
    @exclusivity(unchecked) private var entries: FlatMemory<Entry>
    private let mask: Int
    /// A bit for each length of a word, the longest standing for all beyond.
    private let lengths: UInt64

    init(_ words: [[UInt8]]) {
        var size = 4
        while size < words.count * 2 { size *= 2 }
        mask = size - 1
        bytes = FlatMemory(bytes: words.flatMap { $0 })
        entries = FlatMemory(repeating: Entry(), count: size)
        var lengths = 0 as UInt64
        var start = 0
        for word in words {
            let hash = WordSet.hash(bytes.view(start, word.count))
            lengths |= 1 << UInt64(min(word.count, 63))
            var place = Int(truncatingIfNeeded: hash) & mask
            while entries[place].count >= 0 { place = (place + 1) & mask }
            entries[place] = Entry(hash: hash, start: Int32(start), count: Int32(word.count))
            start += word.count
        }
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
            if entry.count < 0 { return false }
            if entry.hash == hash, bytes.view(Int(entry.start), Int(entry.count)) == text { return true }
            place = (place &+ 1) & mask
        }
    }
}
