import Delimited
import OpenAlloc
import StrictYAML

/// Something about a definition that is allowed and seldom meant.
public struct DefinitionWarning: Sendable, Hashable {
    /// The definition's file, as its user named it.
    public let file: String
    /// 1-based; 1 where no place can be named.
    public let line: Int
    /// 1-based, in characters.
    public let column: Int
    /// What is unusual.
    public let message: String
    /// What to do about it.
    public let hint: String

    /// A warning at a place of a file.
    public init(file: String, line: Int, column: Int, message: String, hint: String) {
        self.file = file
        self.line = line
        self.column = column
        self.message = message
        self.hint = hint
    }
}

/// Looks at definitions that load, for what will go wrong later.
public struct DefinitionLint: Sendable {
    /// A table's fingerprint: the names that each required column may have.
    private struct Fingerprint: Sendable {
        let id: String
        let table: String
        let required: [Set<String>]
        let forbidden: Set<String>
        let hasLines: Bool
        let hasLayout: Bool
        let sections: Set<[UInt8]>
    }

    private var known: [Fingerprint] = []

    /// A lint that knows these importers, for overlaps.
    public init(against importers: [any Importer] = []) {
        for importer in importers {
            guard let made = importer.asDefinition else { continue }
            known += Self.fingerprints(made.definition)
        }
    }

    /// The warnings about one definition, in the order of its text. A definition that does not load has none.
    public func warnings(
        _ bytes: [UInt8], file: String, parts: SharedParts = SharedParts()
    ) -> [DefinitionWarning] {
        guard let tree = try? parts.tree(of: bytes), let root = try? tree.mapping(),
            let definition = try? DefinitionReader.read(tree, origin: file),
            let nodes = try? root["tables"]?.sequence()
        else { return [] }
        var found = DefinitionSlips(definition, tree).found.map { slip in
            DefinitionWarning(
                file: parts.file(of: slip.mark, or: file), line: slip.mark.line, column: slip.mark.column,
                message: slip.message, hint: slip.hint)
        }
        let used = Self.usedSlots(definition)
        for (table, node) in zip(definition.tables, nodes) {
            guard let map = try? node.mapping() else { continue }
            func warn(_ mark: YAMLMark, _ message: String, _ hint: String) {
                found.append(
                    DefinitionWarning(
                        file: parts.file(of: mark, or: file), line: mark.line, column: mark.column, message: message,
                        hint: hint))
            }
            let require = map["require"]?.mark ?? node.mark
            if table.required.count < 3, definition.layout == nil, definition.detectLines.isEmpty,
                definition.refusal == nil || table.columns.count > table.required.count
            {
                warn(
                    require, "the table ‘\(table.name)’ is told by \(table.required.count) column(s) only",
                    "add columns to ‘require’ until there are three, or a line under ‘detect’")
            }
            let idle = ((try? map["columns"]?.mapping().entries) ?? []).filter { entry in
                guard let slot = definition.variables.known(entry.key), !RecordField.all.contains(entry.key),
                    let column = table.columns.first(where: { $0.slot == slot }), Self.canBeKnown(column)
                else { return false }
                return !used.contains(slot) && !table.required.contains(slot)
            }
            if let first = idle.first {
                warn(
                    first.keyMark, "columns that are read and never used: \(idle.map(\.key).joined(separator: ", "))",
                    "use them in a rule, or name those that only keep a column from being reported as new under ‘known’"
                )
            }
            for slot in Self.blamedInVain(table) {
                warn(
                    map["name"]?.mark ?? node.mark,
                    "a row is rejected for ‘\(definition.variables.names[slot])’, which no column of the table feeds",
                    "name a variable of ‘columns’, or leave ‘column’ out of the reject")
            }
            let doubled = table.known.filter { Self.isOnlyColumn($0, table) }
            if let first = doubled.first, let mark = map["known"]?.mark {
                warn(
                    mark, "‘\(first.text)’ is known as unused, and a column too", "take it away from one of the two")
            }
            if definition.layout == nil { overlaps(Self.fingerprint(table, definition), require, warn) }
        }
        if definition.layout != nil, let mark = nodes.first?.mark { found += layoutOverlaps(definition, file, mark) }
        return found
    }

    /// Variables that rejections blame, which are in no cell of the table's rows.
    private static func blamedInVain(_ table: TableDefinition) -> [Int] {
        let patterns = table.extracts.flatMap(\.patterns) + (table.actions?.patterns.map(\.template) ?? [])
        let fed = Set(table.columns.map(\.slot) + patterns.flatMap(\.slots))
        var rules = table.actions?.allRules ?? []
        for row in table.rows { if case .record(let action) = row.verdict { rules.append(action) } }
        return Set(rules.compactMap { $0.reject?.column }).subtracting(fed).sorted()
    }

    /// A column without a name, or one whose name says something, is there for more than its cells.
    private static func canBeKnown(_ column: ColumnDefinition) -> Bool {
        guard case .names(let list) = column.place, column.currencySlot == nil else { return false }
        return list.allSatisfy { name in if case .template(let bound) = name { bound.slots.isEmpty } else { true } }
    }

    /// Whether a name is a column's only one, and no other column of that name can be meant.
    private static func isOnlyColumn(_ known: HeaderPattern, _ table: TableDefinition) -> Bool {
        table.columns.count { $0.place == .names([known]) } == 1
            && table.columns.contains { $0.place == .names([known]) && $0.occurrence == 1 }
    }

    // MARK: Overlaps

    private func overlaps(_ mine: Fingerprint?, _ mark: YAMLMark, _ warn: (YAMLMark, String, String) -> Void) {
        guard let mine else { return }
        var told: Set<String> = []
        for other in known where other.id != mine.id && !other.hasLayout && !told.contains(other.id) {
            if Self.implies(mine, other) {
                told.insert(other.id)
                warn(
                    mark, "every file of the table ‘\(mine.table)’ also has what \(other.id) requires",
                    "the one that knows more columns wins; put a name that only the other has under its ‘forbid’")
            } else if Self.implies(other, mine) {
                told.insert(other.id)
                warn(
                    mark, "every file of \(other.id) also has what the table ‘\(mine.table)’ requires",
                    "require a column that \(other.id) does not have, or forbid one that it requires")
            }
        }
    }

    /// A file with sections is told by all of them together: one that is in another definition too says nothing.
    private func layoutOverlaps(_ definition: Definition, _ file: String, _ mark: YAMLMark) -> [DefinitionWarning] {
        let mine = Self.fingerprints(definition)
        let others = Dictionary(grouping: known.filter { $0.hasLayout && $0.id != definition.id }, by: \.id)
        return others.keys.sorted().filter { id in
            mine.allSatisfy { table in
                (others[id] ?? []).contains { !$0.sections.isDisjoint(with: table.sections) && Self.implies(table, $0) }
            }
        }.map { id in
            DefinitionWarning(
                file: file, line: mark.line, column: mark.column,
                message: "every section of this definition is one of \(id) too",
                hint:
                    "the one that knows more columns wins; add a section or a line under ‘detect’ that tells them apart"
            )
        }
    }

    /// Whether every header that has what `a` requires also has what `b` requires.
    private static func implies(_ a: Fingerprint, _ b: Fingerprint) -> Bool {
        guard !b.hasLines, !b.required.isEmpty, a.required.allSatisfy({ $0.isDisjoint(with: b.forbidden) }) else {
            return false
        }
        return b.required.allSatisfy { names in a.required.contains { $0.isSubset(of: names) } }
    }

    private static func fingerprints(_ definition: Definition) -> [Fingerprint] {
        definition.tables.compactMap { fingerprint($0, definition) }
    }

    private static func fingerprint(_ table: TableDefinition, _ definition: Definition) -> Fingerprint? {
        if definition.isFallback { return nil }
        var required: [Set<String>] = []
        for slot in table.required {
            guard let column = table.columns.first(where: { $0.slot == slot }), case .names(let list) = column.place
            else {
                return nil
            }
            required.append(Set(list.map(\.text)))
        }
        return Fingerprint(
            id: definition.id, table: table.name, required: required, forbidden: Set(table.forbidden),
            hasLines: !definition.detectLines.isEmpty, hasLayout: definition.layout != nil,
            sections: table.sections)
    }

    // MARK: Use

    /// The slots that something reads.
    static func usedSlots(_ definition: Definition) -> Set<Int> {
        var used: Set<Int> = []
        func add(_ condition: Condition?) { used.formUnion(condition?.slots ?? []) }
        func add(_ sets: [Assignment]) {
            for set in sets {
                used.formUnion(set.expression.slots)
                add(set.condition)
            }
        }
        func add(_ rules: [ActionRule]) {
            for rule in rules {
                add(rule.condition)
                if let column = rule.reject?.column { used.insert(column) }
                for record in rule.records {
                    add(record.condition)
                    add(record.sets)
                }
            }
        }
        for table in definition.tables {
            used.formUnion(table.fill + table.joined + table.securitySlots)
            add(table.sets)
            add(table.continuation)
            for entry in table.anywhere { add(entry.condition) }
            for rule in table.rows {
                add(rule.condition)
                add(rule.sets)
                if case .record(let action) = rule.verdict { add([action]) }
            }
            for rule in table.repairs {
                add(rule.condition)
                add(rule.sets)
            }
            for rule in table.extracts {
                used.insert(rule.from)
                add(rule.condition)
            }
            if let actions = table.actions {
                used.formUnion(actions.on)
                add(actions.allRules)
            }
            if let always = table.always { add([always]) }
            for rule in table.priceUnits { add(rule.condition) }
            used.formUnion(table.group?.by ?? [])
            if let lookup = table.lookup { used.insert(lookup.by) }
            if let provides = table.provides { used.formUnion(provides.values + [provides.key]) }
            if let captures = table.captures { used.formUnion([captures.from, captures.to]) }
            for column in table.columns { if case .after(let slot) = column.place { used.insert(slot) } }
            for row in table.emit {
                add(row.condition)
                for case let value? in row.values { used.formUnion(value.slots) }
            }
        }
        return used
    }
}
