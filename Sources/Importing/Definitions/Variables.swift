/// The variables of one definition: a name becomes a slot once, when the definition is compiled.
struct Variables: Sendable, Hashable {
    private(set) var names: [String] = []
    private var slots: [String: Int] = [:]

    /// The slot of a name; a new one when the name is new.
    mutating func slot(_ name: String) -> Int {
        if let known = slots[name] { return known }
        names.append(name)
        slots[name] = names.count - 1
        return names.count - 1
    }

    /// The slot of a name that the definition uses.
    func known(_ name: String) -> Int? { slots[name] }

    /// Names that stand for the line itself.
    static let firstCell = "first"
    static let wholeLine = "line"
    static let cellCount = "cells"
}
