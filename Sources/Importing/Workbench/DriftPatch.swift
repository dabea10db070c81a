import Delimited
import OpenAlloc

/// What to change in a definition so that it reads a file that its brokerage writes in a new way.
public struct DriftPatch: Sendable, Hashable {
    /// A name that a column has besides those that the definition knows.
    public struct Change: Sendable, Hashable {
        /// The number of the table, from 0.
        public let table: Int
        /// The variable.
        public let column: String
        /// The name as the file has it.
        public let name: String
    }

    /// The definition's id.
    public let importer: String
    /// What to add, columns that are required first.
    public let changes: [Change]
    /// One line each, for example `columns.units: add "Share Qty"`.
    public var lines: [String] { changes.map { "columns.\($0.column): add \"\($0.name)\"" } }

    /// The patch that adapts an importer; nil when it is code, or when the file lacks more than names can mend.
    ///
    /// A column is proposed only when it is of no use yet and its values have the shape of what is missing.
    public init?(_ importer: any Importer, for sheet: Sheet) {
        guard let made = importer.asDefinition else { return nil }
        let definition = made.definition
        var best: (changes: [Change], known: Int)?
        for (index, line) in sheet.lines.prefix(200).enumerated() {
            guard let header = line.header else { continue }
            let rows = sheet.lines[(index + 1)...].prefix(200).prefix { $0.header == nil }.filter { $0.filled > 1 }
            guard !rows.isEmpty else { continue }
            for number in definition.tables.indices {
                let attempt = Attempt(definition, number, header, rows)
                guard let changes = attempt.changes, !changes.isEmpty, attempt.known > best?.known ?? 0 else {
                    continue
                }
                best = (changes, attempt.known)
            }
        }
        guard let best else { return nil }
        self.importer = definition.id
        changes = best.changes
    }

    /// One table of a definition held against one header.
    private struct Attempt {
        /// Columns of the table that the header has.
        private(set) var known = 0
        private(set) var changes: [Change]?

        init(_ definition: Definition, _ number: Int, _ header: HeaderCells, _ rows: [Sheet.Line]) {
            let table = definition.tables[number]
            let names = definition.variables.names
            var claimed: Set<Int> = []
            var missing: [(slot: Int, isRequired: Bool, wanted: [String])] = []
            var requiredFound = 0
            for column in table.columns {
                guard case .names(let list) = column.place, column.occurrence == 1 else { continue }
                let found = header.names.indices.filter { index in
                    list.contains { $0.matches(header.names[index], header.cells[index]) }
                }
                claimed.formUnion(found)
                let isRequired = table.required.contains(column.slot)
                if found.isEmpty {
                    if isRequired || RecordField.all.contains(names[column.slot]) {
                        missing.append((column.slot, isRequired, list.map(\.text)))
                    }
                } else {
                    known += 1
                    if isRequired { requiredFound += 1 }
                }
            }
            let requiredMissing = missing.count { $0.isRequired }
            guard requiredFound >= 2, requiredFound >= requiredMissing else { return }
            let free = header.cells.indices.filter {
                !claimed.contains($0) && !header.cells[$0].trimmingSpaces.isEmpty
                    && !definition.knows(header.cells[$0], in: table)
            }
            // A file of whose columns the definition does not know most is another's.
            guard free.count * 2 < header.cells.count(where: { !$0.trimmingSpaces.isEmpty }) else { return }
            let reader = NumberReader(blanks: definition.blanks)
            var facts: [Int: ColumnFacts] = [:]
            for index in free { facts[index] = ColumnFacts(rows, column: index, reader) }
            var used: Set<Int> = []
            var found: [Change] = []
            for lack in missing.sorted(by: { $0.isRequired && !$1.isRequired }) {
                let name = names[lack.slot]
                let fitting = free.filter { index in
                    guard !used.contains(index), let fact = facts[index] else { return false }
                    return Self.fits(name, fact, table)
                }
                let ranked = fitting.map { ($0, Self.likeness(header.names[$0].key, lack.wanted)) }
                    .sorted { ($1.1, $0.0) < ($0.1, $1.0) }
                guard let top = ranked.first, top.1 > 0 || lack.isRequired && ranked.count == 1 else {
                    // A required column without a successor cannot be mended by a name.
                    if lack.isRequired { return }
                    continue
                }
                used.insert(top.0)
                let newName = DefinitionDraft.plain(header.cells[top.0].trimmingSpaces)
                found.append(Change(table: number, column: name, name: newName))
            }
            changes = found
        }

        private static func fits(_ name: String, _ facts: ColumnFacts, _ table: TableDefinition) -> Bool {
            guard facts.filled > 0 else { return false }
            if name == "action", let actions = table.actions {
                let known = facts.texts.keys.filter { text in
                    actions.words[foldedWordBytes(text)] != nil
                        || actions.patterns.contains { pattern in
                            withView(text) { pattern.template.template.matches($0) }
                        }
                }
                return !known.isEmpty
            }
            return !RecordField.all.contains(name) || ColumnGuesser.fits(name, facts)
        }

        /// How many words a name has in common with those that are wanted; a beginning of three letters counts too.
        private static func likeness(_ key: String, _ wanted: [String]) -> Int {
            let words = Vocabulary.words(of: key)
            return wanted.map { name in
                let others = Vocabulary.words(of: name)
                return words.reduce(0) { sum, word in
                    if others.contains(word) { return sum + 3 }
                    let isLike = others.contains { other in
                        (word.count >= 3 && other.hasPrefix(word)) || (other.count >= 3 && word.hasPrefix(other))
                            || Self.isShortened(word, of: other) || Self.isShortened(other, of: word)
                    }
                    return sum + (isLike ? 2 : 0)
                }
            }.max() ?? 0
        }

        /// `qty` is `quantity` with letters left out.
        private static func isShortened(_ short: String, of long: String) -> Bool {
            guard short.count >= 3, short.count < long.count, short.first == long.first else { return false }
            var rest = long[...]
            for letter in short {
                guard let place = rest.firstIndex(of: letter) else { return false }
                rest = rest[rest.index(after: place)...]
            }
            return true
        }
    }
}
