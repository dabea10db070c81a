import OpenAlloc
import StrictYAML
import Zones

/// Reads a definition's YAML strictly: an unknown key, word or pattern is an error with its line and column.
struct DefinitionReader {
    var definition = Definition()
    var mapNames: [String] = []
    /// Where the table that is read has its units and amounts, if their signs tell which trades are taken back.
    var signSlots: (units: Int, amount: Int)?

    /// Reads one definition.
    ///
    /// - Throws: `YAMLError` with line, column and what to do.
    static func read(_ bytes: [UInt8], origin: String) throws(YAMLError) -> Definition {
        try read(YAML.parse(bytes), origin: origin)
    }

    /// Reads one definition's tree.
    ///
    /// - Throws: `YAMLError` with line, column and what to do.
    static func read(_ root: YAMLNode, origin: String) throws(YAMLError) -> Definition {
        var reader = DefinitionReader()
        reader.definition.origin = origin
        try reader.root(root)
        return reader.definition
    }

    static let rootKeys = [
        "importer", "version", "title", "institution", "zone", "time", "currency", "numbers", "blank", "dates", "times",
        "aliases", "files", "fileDates", "exported", "layout", "detect", "refuse", "fallback", "lines", "known",
        "tables", "maps",
    ]

    private mutating func root(_ node: YAMLNode) throws(YAMLError) {
        let map = try node.mapping(allowed: Self.rootKeys)
        try identity(map)
        if let node = map["maps"] { try maps(node) }
        definition.numbers = try numberStyle(map["numbers"]) ?? .us
        definition.blanks += try map.stringList("blank")
        definition.dates = try datePatterns(map["dates"])
        definition.times = try datePatterns(map["times"])
        if definition.times.isEmpty {
            definition.times = ["hh:mm:ssS", "h:mm:ss a", "hh:mm", "h:mm a"].compactMap { try? DatePattern($0) }
        }
        definition.fileDates = try datePatterns(map["fileDates"])
        definition.exported = try datePatterns(map["exported"])
        for node in try map["files"]?.oneOrMany() ?? [] {
            var text = try node.string()
            // Names are compared without their extension.
            if let dot = text.lastIndex(of: "."), text[dot...].count <= 5, !text[dot...].contains("}") {
                text = String(text[..<dot])
            }
            definition.files.append(try template(text, at: node))
        }
        if let node = map["layout"] { definition.layout = try layout(node) }
        if let node = map["detect"] {
            for line in try node.mapping(allowed: ["line"]).required("line").oneOrMany() {
                definition.detectLines.append(try template(line))
            }
        }
        definition.refusal = try map.string("refuse")
        definition.isFallback = try map.bool("fallback") ?? false
        for node in try map["lines"]?.sequence() ?? [] { definition.lines.append(try lineRule(node)) }
        if let node = map["known"] { definition.known = try headerPatterns(node) }
        for node in try map.required("tables").sequence() { definition.tables.append(try table(node)) }
        definition.asksForDayOrder = definition.hasBothDayOrders
        guard !definition.tables.isEmpty else {
            throw node.wrongValue("a definition needs at least one table", hint: "add one under ‘tables:’")
        }
    }

    private mutating func identity(_ map: YAMLMapping) throws(YAMLError) {
        let id = try map.required("importer")
        definition.id = try id.string()
        let parts = definition.id.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 2, parts.allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy { isWordByte($0) } }) else {
            throw id.wrongValue(
                "‘\(definition.id)’ is no importer id", hint: "write ‘<brokerage>.<report>’, for example ‘acme.history’"
            )
        }
        let version = try map.required("version")
        guard try version.int() == 1 else {
            throw version.wrongValue("this version of the language is not known", hint: "write ‘version: 1’")
        }
        definition.title = try map.required("title").string()
        definition.institution = try map.string("institution") ?? ""
        definition.aliases = try map.stringList("aliases")
        if definition.refusal == nil, map["refuse"] == nil {
            definition.zone = try map.required("zone").string()
        } else {
            definition.zone = try map.string("zone") ?? "UTC"
        }
        guard (try? Zone.named(definition.zone)) != nil else {
            throw (map["zone"] ?? id).wrongValue(
                "‘\(definition.zone)’ is no time zone", hint: "write an IANA name, for example America/New_York")
        }
        if let node = map["currency"] { definition.currency = try currency(node) }
        if let node = map["time"] {
            let text = try node.string()
            guard let pattern = try? DatePattern("hh:mm"),
                let time = Self.time(text, pattern)
            else { throw node.wrongValue("‘\(text)’ is no time of day", hint: "write it in quotes as \"12:00\"") }
            definition.secondOfDay = time.secondOfDay
        }
    }

    /// A currency that no row could be in would reject them all, each with a message about a cell that is not there.
    func currency(_ node: YAMLNode) throws(YAMLError) -> String {
        let code = try node.string()
        guard Currency.isKnown(code) else {
            let meant = Currency.code(ofSign: code).map { ", such as \($0)" } ?? ", such as USD"
            throw node.wrongValue("‘\(code)’ is no currency code", hint: "write the three letters of ISO 4217\(meant)")
        }
        return code
    }

    private static func time(_ text: String, _ pattern: DatePattern) -> CivilTime? {
        withView(text) { pattern.readTime($0) }
    }

    private mutating func maps(_ node: YAMLNode) throws(YAMLError) {
        for entry in try node.mapping().entries {
            var values = WordTable<[UInt8]>()
            var patterns: [(template: Template, value: [UInt8])] = []
            for pair in try entry.value.mapping().entries {
                let value = Array(try pair.value.string().utf8)
                if let plain = Template.plainText(pair.key) {
                    values.updateValue(value, forKey: plain)
                    continue
                }
                let bound = try template(pair.key, at: YAMLNode(.null, at: pair.keyMark))
                if let exact = bound.template.exactText {
                    values.updateValue(value, forKey: exact)
                } else {
                    patterns.append((bound.template, value))
                }
            }
            definition.maps.append(ValueMap(name: entry.key, values: values, patterns: patterns))
            mapNames.append(entry.key)
        }
    }

    private mutating func layout(_ node: YAMLNode) throws(YAMLError) -> Layout {
        let map = try node.mapping(allowed: ["section", "kind", "kinds", "ignore"])
        var layout = Layout()
        layout.section = try map.required("section").int(in: 1...64) - 1
        layout.kind = try map.required("kind").int(in: 1...64) - 1
        for entry in try map.required("kinds").mapping().entries {
            layout.kinds.updateValue(
                try entry.value.enum(of: Layout.RowKind.self), forKey: foldedWordBytes(entry.key))
        }
        layout.ignored = Set(try map.stringList("ignore").map { foldedWordBytes($0) })
        return layout
    }

    private mutating func lineRule(_ node: YAMLNode) throws(YAMLError) -> LineRule {
        let map = try node.mapping(allowed: ["text", "is", "rest", "whole", "cells", "where", "why"])
        var rule = LineRule()
        for pattern in try map.required("text").oneOrMany() { rule.patterns.append(try template(pattern)) }
        let word = try map.required("is")
        rule.outcome = try word.string() == "row" ? nil : try outcome(word)
        rule.why = try map.string("why") ?? ""
        rule.isRest = try map.bool("rest") ?? false
        rule.isWhole = try map.bool("whole") ?? false
        rule.place = try map.enum("where", of: LineRule.Place.self) ?? .any
        if let cells = map["cells"] { rule.cells = try range(cells) }
        if rule.outcome == nil, let key = ["where", "rest", "why"].first(where: { map[$0] != nil }),
            let other = map[key]
        {
            throw other.wrongValue(
                "a line that is a row has no ‘\(key)’", hint: "as a reject, it is fed back below the header")
        }
        return rule
    }

    private func range(_ node: YAMLNode) throws(YAMLError) -> ClosedRange<Int> {
        let text = try node.string()
        let parts = text.split(separator: "-").map { Int($0) }
        switch parts.count {
        case 1: if let n = parts[0] { return n...n }
        case 2: if let low = parts[0], let high = parts[1], low <= high { return low...high }
        default: break
        }
        throw node.wrongValue("‘\(text)’ is no count", hint: "write ‘1’ or ‘1-3’")
    }

    func outcome(_ node: YAMLNode) throws(YAMLError) -> Outcome {
        let word = try node.word(of: ["preamble", "section", "footer", "total", "skipped", "blank", "header"])
        return Outcome(rawValue: word) ?? .skipped
    }

    func numberStyle(_ node: YAMLNode?) throws(YAMLError) -> NumberStyle? {
        guard let node else { return nil }
        return NumberStyle.named(try node.word(of: ["us", "eu", "ch", "space", "auto"]))
    }

    func datePatterns(_ node: YAMLNode?) throws(YAMLError) -> [DatePattern] {
        var patterns: [DatePattern] = []
        for item in try node?.oneOrMany() ?? [] {
            let text = try item.string()
            do throws(DatePattern.Malformed) {
                patterns.append(try DatePattern(text))
            } catch {
                let hint = DatePattern.likeOurs(text).map { "did you mean ‘\($0)’?" } ?? "write it like MM/DD/YYYY"
                throw item.wrongValue("‘\(text)’ is no date pattern: \(error.reason)", hint: hint)
            }
        }
        return patterns
    }

    mutating func template(_ node: YAMLNode) throws(YAMLError) -> BoundTemplate {
        try template(node.string(), at: node)
    }

    mutating func template(_ text: String, at node: YAMLNode) throws(YAMLError) -> BoundTemplate {
        do throws(Template.Malformed) {
            let template = try Template(text)
            return BoundTemplate(template: template, slots: template.names.map { definition.variables.slot($0) })
        } catch {
            throw node.wrongValue(
                "‘\(text)’ is no pattern: \(error.reason)", hint: "see section 6 of the language reference")
        }
    }

    mutating func assignments(_ node: YAMLNode?) throws(YAMLError) -> [Assignment] {
        guard let node else { return [] }
        var result: [Assignment] = []
        if case .sequence(let items) = node.value {
            for item in items {
                let map = try item.mapping(allowed: ["when", "set"])
                let set = try map.required("set")
                guard let when = map["when"] else {
                    result += try assignments(set)
                    continue
                }
                let holds = try condition(when)
                for var part in try inOrder(try assignments(set), under: holds, set) {
                    part.condition = holds
                    result.append(part)
                }
            }
            return result
        }
        for entry in try node.mapping().entries {
            let value = try expression(entry.value)
            result.append(Assignment(slot: definition.variables.slot(entry.key), expression: value))
        }
        return result
    }

    /// Each assignment asks the condition anew: what changes its outcome comes last, so that all are made or none.
    private func inOrder(
        _ parts: [Assignment], under condition: Condition, _ node: YAMLNode
    ) throws(YAMLError) -> [Assignment] {
        let asked = Set(condition.slots)
        guard let first = parts.firstIndex(where: { asked.contains($0.slot) }), first < parts.count - 1 else {
            return parts
        }
        let last = parts[first]
        let others = parts[(first + 1)...]
        guard
            others.allSatisfy({ part in
                !asked.contains(part.slot) && !part.expression.slots.contains(last.slot)
                    && !last.expression.slots.contains(part.slot)
            })
        else {
            throw node.wrongValue(
                "‘\(definition.variables.names[last.slot])’, which ‘when’ asks for, is set before others that depend on it",
                hint: "make a block of its own for each")
        }
        return parts[..<first] + others + [last]
    }

    mutating func expression(_ node: YAMLNode) throws(YAMLError) -> Expression {
        let text = try node.string()
        // The parser asks for slots while it runs.
        let collector = NameCollector(definition.variables)
        do throws(Expression.Malformed) {
            let expression = try ExpressionParser.parse(text, mapNames: mapNames) { collector.slot($0) }
            definition.variables = collector.variables
            return expression
        } catch {
            throw node.wrongValue(
                "‘\(text)’ is no expression: \(error.reason)", hint: "see section 5 of the language reference")
        }
    }

    private final class NameCollector {
        var variables: Variables
        init(_ variables: Variables) { self.variables = variables }
        func slot(_ name: String) -> Int { variables.slot(name) }
    }
}
