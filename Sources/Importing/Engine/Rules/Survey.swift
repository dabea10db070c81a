import Delimited

/// What is known of a file before its first row is read: proofs of number styles, values for lookups, and whether there
/// are rows that say what the others are.
final class Survey {
    private struct Column: Hashable {
        let table: Int
        let slot: Int
    }
    private var points: [Column: Int] = [:]
    private var commas: [Column: Int] = [:]
    private var provided: [String: [String: [(slot: Int, text: String)]]] = [:]

    private var present: Set<Column> = []
    /// Whether dates were seen that have the day first, or the month first.
    var (provesDayFirst, provesMonthFirst) = (false, false)

    /// A row fulfils the condition by which a variable is filled in all rows of its table.
    func note(table: Int, slot: Int) { present.insert(Column(table: table, slot: slot)) }

    /// Whether one does.
    func isPresent(table: Int, slot: Int) -> Bool { present.contains(Column(table: table, slot: slot)) }

    func prove(table: Int, slot: Int, mark: UInt8) {
        if mark == UInt8(ascii: ".") {
            points[Column(table: table, slot: slot), default: 0] += 1
        } else {
            commas[Column(table: table, slot: slot), default: 0] += 1
        }
    }

    /// The style proven for a column; else the one proven for the whole file; else none (each cell must prove itself).
    func style(table: Int, slot: Int) -> NumberStyle {
        let key = Column(table: table, slot: slot)
        if let style = Self.decided(points[key] ?? 0, commas[key] ?? 0) { return style }
        if points[key] != nil, commas[key] != nil { return .auto }
        return Self.decided(points.values.reduce(0, +), commas.values.reduce(0, +)) ?? .auto
    }

    /// Only an undivided column proves anything.
    private static func decided(_ points: Int, _ commas: Int) -> NumberStyle? {
        if points > 0, commas == 0 { return .us }
        if commas > 0, points == 0 { return .eu }
        return nil
    }

    func provide(_ table: String, key: String, values: [(Int, String)]) {
        // `VTI, VTI.OLD` is known by either name, `ACME, INC.` by the whole.
        for part in [key[...]] + (key.contains(",") ? key.split(separator: ",") : []) {
            let name = String(decoding: foldedWordBytes(String(part)), as: UTF8.self)
            if provided[table]?[name] == nil {
                provided[table, default: [:]][name] = values.map { (slot: $0.0, text: $0.1) }
            }
        }
    }

    /// Fills blank variables of a row from the table that has its key.
    func fill(_ lookup: LookupRule, _ state: RowState, _ evaluator: Evaluator) {
        guard let table = provided[lookup.table] else { return }
        let key = String(decoding: state.folded(lookup.by), as: UTF8.self)
        for value in table[key] ?? [] where evaluator.isBlank(value.slot) {
            state.set(value.slot, copying: Array(value.text.utf8))
        }
    }
}
