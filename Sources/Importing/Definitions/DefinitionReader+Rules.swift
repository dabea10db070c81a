import NearWords
import OpenAlloc
import StrictYAML

extension DefinitionReader {
    static let ruleKeys = [
        "kind", "reverse", "set", "when", "skip", "reject", "priceUnit", "multiplier", "amounts", "units", "costs",
        "paid",
        "records",
    ]
    /// Those of one record.
    static let recordKeys = ruleKeys.filter { !["records", "skip", "reject"].contains($0) }

    mutating func condition(_ node: YAMLNode) throws(YAMLError) -> Condition {
        var parts: [Condition] = []
        for entry in try node.mapping().entries {
            if entry.key == "all" {
                for item in try entry.value.sequence() { parts.append(try condition(item)) }
            } else if entry.key == "any" {
                var choices: [Condition] = []
                for item in try entry.value.sequence() { choices.append(try condition(item)) }
                parts.append(.any(choices))
            } else {
                parts.append(try test(definition.variables.slot(entry.key), entry.value))
            }
        }
        return parts.count == 1 ? parts[0] : .all(parts)
    }

    private mutating func test(_ slot: Int, _ node: YAMLNode) throws(YAMLError) -> Condition {
        if case .mapping = node.value {
            let map = try node.mapping(allowed: ["not", "matches", "same", "above", "below"])
            let isRange = map["above"] != nil || map["below"] != nil
            guard
                map.entries.count == 1 || isRange && map.entries.allSatisfy({ $0.key == "above" || $0.key == "below" })
            else {
                throw node.wrongValue("a condition tests one thing", hint: "join several with ‘all: [ {…}, {…} ]’")
            }
            if let inner = map["not"] { return .not(try test(slot, inner)) }
            if let other = try map.string("same") { return .isSame(slot, definition.variables.slot(other)) }
            if map["above"] != nil || map["below"] != nil {
                return .lies(slot, above: try decimal(map["above"]), below: try decimal(map["below"]))
            }
            var templates: [BoundTemplate] = []
            for item in try map.required("matches").oneOrMany() { templates.append(try template(item)) }
            return .matches(slot, templates)
        }
        var literals: [[UInt8]] = []
        var choices: [Condition] = []
        var templates: [BoundTemplate] = []
        for item in try node.oneOrMany() {
            let text = try item.string()
            if text.utf8.first == UInt8(ascii: "("), text.utf8.last == UInt8(ascii: ")"),
                let word = Condition.Test(rawValue: String(text.utf8.dropFirst().dropLast()) ?? "")
            {
                choices.append(.test(slot, word))
            } else if let slip = Self.slip(text) {
                throw item.wrongValue(
                    "‘\(text)’ is no test, and would be taken for the text itself",
                    hint: slip.isEmpty
                        ? "write ‘{above: 0.5}’, ‘{below: 2}’, ‘(positive)’ or ‘(negative)’"
                        : "did you mean ‘(\(slip))’?")
            } else if text.utf8.contains(UInt8(ascii: "*")) || text.utf8.contains(UInt8(ascii: "{")) {
                templates.append(try template(text, at: item))
            } else {
                literals.append(foldedWordBytes(text))
            }
        }
        if !literals.isEmpty { choices.append(.isOneOf(slot, literals)) }
        if !templates.isEmpty { choices.append(.matches(slot, templates)) }
        return choices.count == 1 ? choices[0] : .any(choices)
    }

    /// The test that a text in parentheses is a slip of; empty when it compares numbers as no test does, nil when it may
    /// be a text of a cell.
    private static func slip(_ text: String) -> String? {
        guard text.hasPrefix("("), text.hasSuffix(")"), text.utf8.count > 2 else { return nil }
        let inner = String(text.dropFirst().dropLast())
        if let first = inner.first, "<>=!".contains(first) { return "" }
        guard inner.allSatisfy({ $0.isASCII && ($0.isLetter || $0 == " ") }) else { return nil }
        return NearWords.nearest(to: inner, among: Condition.Test.allCases.map(\.rawValue))
    }

    /// - Parameter reversal: whether the event is undone; nil is what the key says.
    func recordRules(_ map: YAMLMapping, reversal: Bool? = nil) throws(YAMLError) -> RecordRules {
        var rules = RecordRules()
        if let reversal { rules.isReversal = reversal } else { rules.isReversal = try map.bool("reverse") ?? false }
        if let node = map["amounts"] {
            let word = try node.word(of: ["signed", "unsigned", "stated"])
            (rules.amountsAreSigned, rules.isMarkedToMarket) = (word != "unsigned", word == "stated")
        }
        if let node = map["units"] { rules.unitsAreSigned = try node.word(of: ["signed", "unsigned"]) == "signed" }
        if let node = map["costs"] { rules.costsInside = try node.word(of: ["inside", "outside"]) == "inside" }
        if let node = map["paid"] { rules.paidIsNegative = try node.word(of: ["negative", "either"]) == "negative" }
        rules.priceUnit = try map.enum("priceUnit", of: PriceUnit.self)
        rules.multiplier = try decimal(map["multiplier"]).map { Boxed($0) }
        return rules
    }

    mutating func rowRule(_ node: YAMLNode) throws(YAMLError) -> RowRule {
        let map = try node.mapping(allowed: ["is", "why"] + Self.ruleKeys)
        let condition = try condition(try map.required("when"))
        let word = try map.string("is") ?? "record"
        guard word == "record" else {
            let outcome = try outcome(try map.required("is"))
            return RowRule(
                condition: condition, verdict: .mark(outcome, why: try map.string("why") ?? ""),
                sets: try assignments(map["set"]))
        }
        if map["kind"] == nil, map["records"] == nil, map["skip"] == nil, map["reject"] == nil {
            return RowRule(condition: condition, verdict: .goOn, sets: try assignments(try map.required("set")))
        }
        return RowRule(condition: condition, verdict: .record(try actionRule(map, withCondition: false)))
    }

    mutating func actions(_ node: YAMLNode) throws(YAMLError) -> ActionTable {
        let map = try node.mapping(allowed: ["on", "words", "else"])
        var table = ActionTable()
        table.on = try slots(try map.required("on"))
        var marks = WordTable<(key: String, mark: YAMLMark)>()
        for entry in try map.required("words").mapping().entries {
            let rules = try actionRules(entry.value)
            let place = YAMLNode(.null, at: entry.keyMark)
            // Many are words as they stand.
            let plain = Template.plainText(entry.key)
            let bound = plain == nil ? try template(entry.key, at: place) : nil
            let exact = plain ?? bound?.template.exactText
            // Words are compared folded: of two that fold to the same one would never be met.
            let folded = exact ?? foldedWordBytes(entry.key)
            if let first = marks.updateValue((entry.key, entry.keyMark), forKey: folded) {
                throw place.wrongValue(
                    "‘\(entry.key)’ is the same word as ‘\(first.key)’ in line \(first.mark.line)",
                    hint: "case and spaces make no difference; keep one of them")
            }
            if let exact {
                table.words.updateValue(rules, forKey: exact)
            } else if let bound {
                table.patterns.append((bound, rules))
            }
        }
        if let node = map["else"] { table.otherwise = try actionRules(node) }
        return table
    }

    private mutating func actionRules(_ node: YAMLNode) throws(YAMLError) -> [ActionRule] {
        switch node.value {
        case .scalar:
            let kind = try node.enum(of: RecordKind.self)
            return withReversal(ActionRule(records: [RecordRule(kind: kind)]))
        case .sequence(let items):
            var rules: [ActionRule] = []
            for item in items { rules.append(contentsOf: try actionRules(item)) }
            return rules
        default:
            let rule = try actionRule(try node.mapping(allowed: Self.ruleKeys), withCondition: true)
            return withReversal(rule)
        }
    }

    private mutating func actionRule(_ map: YAMLMapping, withCondition: Bool) throws(YAMLError) -> ActionRule {
        var holds: Condition?
        if withCondition, let when = map["when"] { holds = try condition(when) }
        if let skip = try map.string("skip") { return ActionRule(condition: holds, skip: skip) }
        if let reject = map["reject"] { return ActionRule(condition: holds, reject: try rejectRule(reject)) }
        let shared = try assignments(map["set"])
        guard let records = map["records"] else {
            let kind = try map.required("kind").enum(of: RecordKind.self)
            let record = RecordRule(kind: kind, sets: shared, rules: try recordRules(map))
            return ActionRule(condition: holds, records: [record])
        }
        var made: [RecordRule] = []
        for item in try records.sequence() { made.append(try recordRule(item, shared)) }
        return ActionRule(condition: holds, records: made)
    }

    private mutating func recordRule(_ node: YAMLNode, _ shared: [Assignment]) throws(YAMLError) -> RecordRule {
        if case .scalar = node.value {
            return RecordRule(kind: try node.enum(of: RecordKind.self), sets: shared)
        }
        let map = try node.mapping(allowed: Self.recordKeys)
        let kind = try map.required("kind").enum(of: RecordKind.self)
        let sets = shared + (try assignments(map["set"]))
        let rules = try recordRules(map)
        var holds: Condition?
        if let when = map["when"] { holds = try condition(when) }
        return RecordRule(kind: kind, condition: holds, sets: sets, rules: rules)
    }

    /// A reason alone, or with the column to blame, another code, and advice.
    private mutating func rejectRule(_ node: YAMLNode) throws(YAMLError) -> RejectRule {
        func sentence(_ text: String) -> String { text.hasSuffix(".") ? text : text + "." }
        guard case .mapping = node.value else { return RejectRule(why: sentence(try node.string())) }
        let map = try node.mapping(allowed: ["why", "column", "code", "advice"])
        var rule = RejectRule(why: sentence(try map.required("why").string()))
        if let name = try map.string("column") { rule.column = definition.variables.slot(name) }
        if let node = map["code"] {
            let word = try node.word(of: Self.rejectCodes)
            rule.code = FindingCode(rawValue: word) ?? .actionUnknown
        }
        if let advice = try map.string("advice") { rule.advice = sentence(advice) }
        return rule
    }

    /// The codes that reject a line.
    static let rejectCodes = FindingCode.allCases.filter { $0.severity == .error }.map(\.rawValue)
}
