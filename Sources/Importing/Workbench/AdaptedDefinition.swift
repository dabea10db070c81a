import StrictYAML

/// The text of a definition with the names that a brokerage has given to its columns since. All else of it stays as it
/// stands, comments and all.
public struct AdaptedDefinition: Sendable, Hashable {
    /// The text of the definition.
    public let text: String

    /// Adds the names of a patch; nil where the text is no definition, or has a column in a form that takes no name.
    ///
    /// - Parameters:
    ///   - text: of the definition that the patch is for.
    ///   - parts: those that its tables may name.
    public init?(_ text: String, adding patch: DriftPatch, parts: SharedParts) {
        var editor = Editor(text)
        guard let root = try? YAML.parse(editor.text), let whole = try? parts.tree(of: Array(editor.text.utf8)) else {
            return nil
        }
        for change in patch.changes {
            guard let own = root["tables"]?[change.table], let full = whole["tables"]?[change.table] else { return nil }
            if let column = own["columns"]?[change.column] {
                guard editor.add(change.name, to: column) else { return nil }
            } else if let names = full["columns"]?[change.column]?.texts {
                // The column is of a part, where it stays as it is for others.
                let list = (names + [change.name]).map { DefinitionDraft.quoted($0) }.joined(separator: ", ")
                let entry = "\(change.column): [\(list)]"
                let isAdded =
                    own["columns"].map { editor.add(entry, first: $0) } ?? editor.add("columns: {\(entry)}", first: own)
                guard isAdded else { return nil }
            } else {
                return nil
            }
        }
        self.text = editor.edited
        guard
            let adapted = try? DefinitionLoader.load(Array(self.text.utf8), file: "", parts: parts),
            patch.changes.allSatisfy({ adapted.definition.knows($0) })
        else { return nil }
    }
}

extension Definition {
    /// Whether a column takes the name that was added to it.
    fileprivate func knows(_ change: DriftPatch.Change) -> Bool {
        tables.indices.contains(change.table)
            && tables[change.table].columns.contains { column in
                guard variables.names[column.slot] == change.column, case .names(let names) = column.place else {
                    return false
                }
                return names.contains { $0.matches(HeaderName(change.name), change.name) }
            }
    }
}

extension YAMLNode {
    fileprivate subscript(key: String) -> YAMLNode? {
        guard case .mapping(let entries) = value else { return nil }
        return entries.first { $0.key == key }?.value
    }

    fileprivate subscript(index: Int) -> YAMLNode? {
        guard case .sequence(let items) = value, items.indices.contains(index) else { return nil }
        return items[index]
    }

    /// The names of a column that has nothing but names.
    fileprivate var texts: [String]? {
        switch value {
        case .scalar(let text, _): [text]
        case .sequence(let items):
            items.reduce(into: Optional([])) { texts, item in
                if case .scalar(let text, _) = item.value { texts?.append(text) } else { texts = nil }
            }
        default: nil
        }
    }
}

/// Changes a text at the places of its nodes.
private struct Editor {
    private let scalars: [Unicode.Scalar]
    /// Where each line begins.
    private var lines = [0]
    private var edits: [(range: Range<Int>, text: String)] = []

    init(_ text: String) {
        var whole = text.replacing("\r\n", with: "\n").replacing("\r", with: "\n")
        if whole.unicodeScalars.first == "\u{FEFF}" { whole.unicodeScalars.removeFirst() }
        scalars = Array(whole.unicodeScalars)
        for (place, scalar) in scalars.enumerated() where scalar == "\n" { lines.append(place + 1) }
    }

    /// The text as it was, with line ends as places count them.
    var text: String { Self.string(scalars[...]) }

    /// The text as it is now.
    var edited: String {
        var result = ""
        var place = 0
        for edit in edits.sorted(by: { $0.range.lowerBound < $1.range.lowerBound }) {
            result += Self.string(scalars[place..<edit.range.lowerBound]) + edit.text
            place = edit.range.upperBound
        }
        return result + Self.string(scalars[place...])
    }

    private static func string(_ scalars: ArraySlice<Unicode.Scalar>) -> String {
        var view = String.UnicodeScalarView()
        view.append(contentsOf: scalars)
        return String(view)
    }

    /// Adds a name to those of a column.
    mutating func add(_ name: String, to column: YAMLNode) -> Bool {
        let name = DefinitionDraft.quoted(name)
        switch column.value {
        case .scalar(let text, _):
            guard let range = range(of: column) else { return false }
            edits.append((range, "[\(DefinitionDraft.quoted(text)), \(name)]"))
            return true
        case .sequence(let items):
            guard let last = items.last, let start = place(column.mark), let end = range(of: last)?.upperBound else {
                return false
            }
            let isFlow = scalars[start] == "["
            let indent = String(repeating: " ", count: column.mark.column - 1)
            edits.append((end..<end, isFlow ? ", \(name)" : "\n\(indent)- \(name)"))
            return true
        case .mapping:
            guard let names = column["names"] else { return false }
            return add(name: name, in: names)
        case .null: return false
        }
    }

    private mutating func add(name: String, in names: YAMLNode) -> Bool {
        if case .mapping = names.value { return false }
        return add(name, to: names)
    }

    /// Adds an entry before the first of a mapping.
    mutating func add(_ entry: String, first mapping: YAMLNode) -> Bool {
        guard case .mapping(let entries) = mapping.value, let first = entries.first, let start = place(mapping.mark),
            let place = place(first.keyMark)
        else { return false }
        let indent = String(repeating: " ", count: first.keyMark.column - 1)
        edits.append((place..<place, scalars[start] == "{" ? "\(entry), " : "\(entry)\n\(indent)"))
        return true
    }

    /// Where a mark is, if it is in the text.
    private func place(_ mark: YAMLMark) -> Int? {
        guard lines.indices.contains(mark.line - 1) else { return nil }
        let place = lines[mark.line - 1] + mark.column - 1
        return scalars.indices.contains(place) ? place : nil
    }

    /// The place of a text that stands on one line.
    private func range(of node: YAMLNode) -> Range<Int>? {
        guard case .scalar(let text, let style) = node.value, let start = place(node.mark) else { return nil }
        var end = start
        switch style {
        case .plain:
            end += text.unicodeScalars.count
            guard end <= scalars.count, Self.string(scalars[start..<end]) == text else { return nil }
            return start..<end
        case .quoted:
            let quote = scalars[start]
            end += 1
            while end < scalars.count, scalars[end] != "\n" {
                if scalars[end] == "\\", quote == "\"" {
                    end += 2
                } else if scalars[end] != quote {
                    end += 1
                } else if quote == "'", end + 1 < scalars.count, scalars[end + 1] == "'" {
                    end += 2
                } else {
                    return start..<(end + 1)
                }
            }
            return nil
        case .block: return nil
        }
    }
}
