/// What clocks show for a time: an offset from UTC and its name.
struct LocalType: Sendable, Equatable {
    /// Seconds east of UTC.
    let offset: Int
    let abbreviation: String
}

/// The moment from which on a type holds.
struct Transition: Sendable, Equatable {
    /// Seconds since 1970 in UTC.
    let second: Int64
    let type: LocalType
}

/// A table of transitions in order of time, what holds before it, and the rule after it.
struct ZoneData: Sendable {
    let initial: LocalType
    let transitions: [Transition]
    let rule: PosixRule?

    /// The index after the last transition at or before a moment.
    private func upperBound(_ second: Int64) -> Int {
        var low = 0
        var high = transitions.count
        while low < high {
            let middle = (low + high) / 2
            if transitions[middle].second <= second { low = middle + 1 } else { high = middle }
        }
        return low
    }

    func type(at second: Int64) -> LocalType {
        let index = upperBound(second)
        if index == transitions.count, let rule { return rule.type(at: second) }
        return index == 0 ? initial : transitions[index - 1].type
    }

    func firstTransition(after second: Int64) -> Transition? {
        let index = upperBound(second)
        return index < transitions.count ? transitions[index] : rule?.firstChange(after: second)
    }
}

extension ZoneData {
    /// Reads the text that `generate-zones.py` writes: `types;transitions;rule`.
    init?(embedded text: String) {
        // By bytes: a zone is a thousand of them, and is read at each start.
        let semicolon = UInt8(ascii: ";")
        guard let one = text.utf8.firstIndex(of: semicolon), let two = text.utf8.lastIndex(of: semicolon), one < two
        else { return nil }
        let types = text[..<one].split(separator: ",").compactMap { Self.type($0) }
        let changes = text[text.utf8.index(after: one)..<two]
        guard let first = types.first else { return nil }
        rule = PosixRule(text[text.utf8.index(after: two)...])
        initial = changes.isEmpty ? rule?.standard ?? first : first
        transitions = Self.transitions(changes, types)
    }

    private static func type(_ text: Substring) -> LocalType? {
        let parts = text.split(separator: "=")
        guard parts.count == 2, let offset = Int(parts[0]) else { return nil }
        return LocalType(offset: offset, abbreviation: String(parts[1]))
    }

    private static func transitions(_ text: Substring, _ types: [LocalType]) -> [Transition] {
        var result: [Transition] = []
        var second: Int64 = 0
        var index = 0
        var unit: Int64 = 900
        var distance: Int64 = -1
        func finish() {
            guard distance >= 0, index < types.count else { return }
            second += result.isEmpty ? -distance * unit : distance * unit
            result.append(Transition(second: second, type: types[index]))
        }
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "A")...UInt8(ascii: "Z"):
                finish()
                (index, unit, distance) = (Int(byte - UInt8(ascii: "A")), 900, 0)
            case UInt8(ascii: "."): unit = 1
            case UInt8(ascii: "0")...UInt8(ascii: "9"): distance = distance * 36 + Int64(byte - UInt8(ascii: "0"))
            default: distance = distance * 36 + Int64(byte - UInt8(ascii: "a")) + 10
            }
        }
        finish()
        return result
    }
}
