import Delimited

/// The patterns that a table's rules hold against its variables.
enum PatternTests {
    /// By slot.
    static func of(_ table: TableDefinition) -> [Int: [BoundTemplate]] {
        var found: [Int: [BoundTemplate]] = [:]
        if let actions = table.actions, actions.on.count == 1 {
            found[actions.on[0], default: []] += actions.patterns.map(\.template)
        }
        forEachTest(table) { if case .matches(let slot, let patterns) = $0 { found[slot, default: []] += patterns } }
        return found
    }

    /// The words that its rules ask for, folded, by slot: a `1` may be one.
    static func words(_ table: TableDefinition) -> [Int: Set<[UInt8]>] {
        var found: [Int: Set<[UInt8]>] = [:]
        forEachTest(table) { test in
            if case .isOneOf(let slot, let words) = test { found[slot, default: []].formUnion(words.map { Array($0) }) }
        }
        return found
    }

    private static func forEachTest(_ table: TableDefinition, _ body: (Condition) -> Void) {
        func add(_ condition: Condition?) {
            switch condition {
            case .all(let parts), .any(let parts): for part in parts { add(part) }
            case .not(let inner): add(inner)
            case let test?: body(test)
            case nil: break
            }
        }
        if let actions = table.actions {
            for rule in actions.allRules {
                add(rule.condition)
                for record in rule.records { add(record.condition) }
            }
        }
        for rule in table.rows { add(rule.condition) }
        for rule in table.repairs { add(rule.condition) }
        for rule in table.priceUnits { add(rule.condition) }
        for set in table.sets { add(set.condition) }
        for rule in table.extracts { add(rule.condition) }
    }
}

extension Template {
    /// The text in pieces: what stands for the pattern's own words, and what lies between.
    func pieces(of text: String) -> [(text: String, isLiteral: Bool)] {
        let bytes = Array(text.utf8)
        var pieces: [(String, Bool)] = []
        var start = 0
        func add(_ range: Range<Int>, _ isLiteral: Bool) {
            if !range.isEmpty { pieces.append((String(decoding: bytes[range], as: UTF8.self), isLiteral)) }
        }
        for case .literal(let word) in tokens where bytes.count >= start + word.count {
            let place = (start...(bytes.count - word.count)).first { at in
                bytes[at..<at + word.count].elementsEqual(word) { asciiLower($0) == $1 }
            }
            guard let place else { continue }
            add(start..<place, false)
            add(place..<place + word.count, true)
            start = place + word.count
        }
        add(start..<bytes.count, false)
        return pieces
    }
}
