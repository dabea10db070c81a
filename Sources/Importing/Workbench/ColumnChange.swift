import Delimited

/// What a brokerage may do to its tables without saying anything else: a definition must still claim the file.
public enum ColumnChange: String, CaseIterable, Sendable {
    /// Another file name, and UTF-8.
    case renamed
    /// The columns in another order; a table whose columns are found by their place stays as it is.
    case shuffled, reversed
    /// Columns that no definition knows, in the middle and at the end.
    case widened
    /// The header in another case.
    case upperCase, lowerCase

    /// The input with its tables changed, under the name `export.csv`; nil when it is no delimited text, or when the
    /// importer is code.
    ///
    /// - Throws: what reading throws.
    public func applied(to input: any InputSource, readBy importer: any Importer) throws(InputError) -> MemoryInput? {
        guard let made = importer.asDefinition,
            let sheet = try Sheet(input, InputSample(input, for: importer))
        else { return nil }
        let definition = made.definition
        let start = definition.layout?.width ?? 0
        var random = Draw(state: 17)
        var rows = sheet.lines.map(\.cells)
        /// The order of the columns of the table that a row belongs to.
        var order: [Int] = []
        for index in rows.indices {
            let cells = rows[index]
            if let table = Self.table(cells, made) {
                order = Array(start..<max(start, cells.count))
                if Self.isBoundByPlace(definition.tables[table]) { order = [] }
                switch self {
                case .shuffled: order.shuffle(using: &random)
                case .reversed: order.reverse()
                case .upperCase: rows[index] = cells.map { Self.cased($0, $0.uppercased()) }
                case .lowerCase: rows[index] = cells.map { Self.cased($0, $0.lowercased()) }
                case .widened:
                    rows[index] = Self.widened(cells, from: start, "Qwertz Uiop", "Asdf")
                    continue
                case .renamed: break
                }
            }
            switch self {
            case .shuffled, .reversed:
                guard cells.count >= order.count + start, order.count > 1, cells.count > 1 else { continue }
                rows[index] = Array(cells[..<start]) + order.map { cells[$0] } + cells[(start + order.count)...]
            case .widened:
                guard cells.count > start + 1, !order.isEmpty else { continue }
                rows[index] = Self.widened(cells, from: start, "zzz", "1.50")
            default: continue
            }
        }
        let delimiter = String(decoding: [sheet.dialect.delimiter], as: UTF8.self)
        let text = rows.map { $0.map { Self.quoted($0, delimiter) }.joined(separator: delimiter) }
        return MemoryInput(name: "export.csv", bytes: Array(text.joined(separator: "\n").utf8))
    }

    private static func widened(_ cells: [String], from start: Int, _ middle: String, _ last: String) -> [String] {
        guard cells.count > start else { return cells }
        var cells = cells
        cells.insert(middle, at: start + (cells.count - start) / 2)
        cells.append(last)
        return cells
    }

    /// The table whose header the cells are.
    private static func table(_ cells: [String], _ importer: DefinitionImporter) -> Int? {
        guard cells.count > 1 else { return nil }
        guard let layout = importer.definition.layout else { return importer.binder.bind(HeaderCells(cells))?.table }
        guard cells.count > layout.width, layout.kinds[foldedWordBytes(cells[layout.kind])] == .header else {
            return nil
        }
        return importer.binder.bind(HeaderCells(cells), section: foldedWordBytes(cells[layout.section]))?.table
    }

    /// Columns without a name are found by their place: such a table cannot be in another order.
    private static func isBoundByPlace(_ table: TableDefinition) -> Bool {
        table.columns.contains { column in
            switch column.place {
            case .names: column.occurrence > 1
            case .after, .position: true
            }
        }
    }

    /// Another case, where it can be undone: `ß` has none.
    private static func cased(_ text: String, _ other: String) -> String {
        other.lowercased() == text.lowercased() ? other : text
    }

    private static func quoted(_ cell: String, _ delimiter: String) -> String {
        guard cell.contains(delimiter) || cell.contains("\"") || cell.contains(where: \.isNewline) else { return cell }
        return "\"" + cell.replacing("\"", with: "\"\"") + "\""
    }

    /// The same order for the same file.
    private struct Draw: RandomNumberGenerator {
        var state: UInt64
        mutating func next() -> UInt64 { Pseudonyms.next(&state) }
    }
}
