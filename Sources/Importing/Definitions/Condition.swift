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

    enum Test: String, Sendable, CaseIterable {
        case blank, present, number, zero, nonzero, positive, negative, date
    }

    /// The slots that the condition reads.
    var slots: [Int] {
        switch self {
        case .all(let parts), .any(let parts): parts.flatMap(\.slots)
        case .not(let inner): inner.slots
        case .isOneOf(let slot, _), .matches(let slot, _), .test(let slot, _): [slot]
        }
    }
}

/// A template whose captures are bound to slots.
struct BoundTemplate: Sendable, Hashable {
    let template: Template
    /// `slots[i]` takes what `template.names[i]` captured.
    let slots: [Int]
}
