import Delimited
import OpenAlloc

/// What must hold of a row, compiled to slots.
indirect enum Condition: Sendable, Hashable {
    case all([Condition])
    case any([Condition])
    case not(Condition)
    /// The variable's text is one of these, folded.
    case isOneOf(Int, [[UInt8]])
    /// The variable's text matches one of these; captures set their variables.
    case matches(Int, [BoundTemplate])
    case test(Int, Test)
    /// Two variables have the same text, folded, and it is not blank.
    case isSame(Int, Int)
    /// The variable is a number above and below these bounds.
    case lies(Int, above: ExactDecimal?, below: ExactDecimal?)

    enum Test: String, Sendable, CaseIterable {
        case blank, present, number, zero, nonzero, positive, negative, date
    }

    /// The slots that the condition reads.
    var slots: [Int] {
        switch self {
        case .all(let parts), .any(let parts): parts.flatMap(\.slots)
        case .not(let inner): inner.slots
        case .isOneOf(let slot, _), .matches(let slot, _), .test(let slot, _), .lies(let slot, _, _): [slot]
        case .isSame(let slot, let other): [slot, other]
        }
    }
}

extension Condition {
    /// Whether it reads a slot of which something holds.
    func reads(_ holds: (Int) -> Bool) -> Bool {
        switch self {
        case .all(let parts), .any(let parts): parts.contains { $0.reads(holds) }
        case .not(let inner): inner.reads(holds)
        case .isOneOf(let slot, _), .matches(let slot, _), .test(let slot, _), .lies(let slot, _, _): holds(slot)
        case .isSame(let slot, let other): holds(slot) || holds(other)
        }
    }
}

/// A template whose captures are bound to slots.
struct BoundTemplate: Sendable, Hashable {
    let template: Template
    /// `slots[i]` takes what `template.names[i]` captured.
    let slots: [Int]
}

/// A captured text and its variable.
struct CapturedText: Sendable {
    let slot: Int
    let text: String
}

extension BoundTemplate {
    /// Holds the template against a text and hands out what it captured.
    func capture(_ text: ByteView, _ captures: inout [CapturedText]) -> Bool {
        var views: [ByteView] = []
        guard template.matches(text, captures: &views) else { return false }
        captures = zip(slots, views).map { CapturedText(slot: $0, text: $1.string) }
        return true
    }
}
