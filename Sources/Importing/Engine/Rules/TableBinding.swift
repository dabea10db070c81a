import Delimited
import Synchronization

/// One table of a definition bound to the header of a file.
final class TableBinding: Sendable {
    /// Index of the table in the definition.
    let table: Int
    /// Column of each slot that is bound; -1 when the header does not have it.
    let columns: [Int]
    /// Those that are, in the order of the slots.
    let bound: [(slot: Int, column: Int)]
    /// The last of them.
    let lastColumn: Int?
    private let usedColumns: SlotSet
    /// The header's cells as the source writes them.
    let header: [String]
    /// Cells of the header up to the last with a name.
    let width: Int
    /// Currency that a column's header names, by slot.
    let currencies: [(slot: Int, code: String)]
    /// Columns of the header that no variable uses.
    let unknown: [String]
    /// How many header cells are bound.
    let boundCount: Int
    /// Required slot → column, for telling repeated headers.
    let firstRequired: Int?

    fileprivate init(_ draft: BindingDraft) {
        table = draft.table
        columns = draft.columns
        bound = columns.indices.filter { [columns = draft.columns] in columns[$0] >= 0 }
            .map { [columns = draft.columns] in ($0, columns[$0]) }
        lastColumn = columns.max()
        usedColumns = SlotSet(columns)
        header = draft.header
        width = draft.width
        currencies = draft.currencies
        unknown = draft.unknown
        boundCount = draft.boundCount
        firstRequired = draft.firstRequired
    }

    /// Whether a variable has the column.
    func uses(_ column: Int) -> Bool { usedColumns.contains(column) }

    /// The header's name of a slot's column.
    func columnName(_ slot: Int) -> String {
        let column = columns[slot]
        return column >= 0 && column < header.count ? header[column].trimmingSpaces : ""
    }
}

extension Definition {
    /// The header's name of the column that a record's field is read from; nil where it is worked out, or has no name.
    func column(ofField field: String, in binding: TableBinding) -> String? {
        let slots = field == "symbol" ? tables[binding.table].securitySlots : variables.known(field).map { [$0] } ?? []
        return slots.lazy.map { binding.columnName($0) }.first { !$0.isEmpty }
    }
}

/// A binding that is being worked out.
private struct BindingDraft {
    let table: Int
    var columns: [Int]
    let header: [String]
    let width: Int
    var currencies: [(slot: Int, code: String)] = []
    var unknown: [String] = []
    var boundCount = 0
    var firstRequired: Int?
}

extension String {
    /// Without white space at the ends.
    var trimmingSpaces: String {
        // Mostly there is none.
        guard let first = utf8.first, let last = utf8.last, first < 0x21 || first > 0x7E || last < 0x21 || last > 0x7E
        else { return self }
        var view = self[...]
        while let first = view.first, first.isWhitespace || first == "\u{FEFF}" { view.removeFirst() }
        while let last = view.last, last.isWhitespace { view.removeLast() }
        return String(view)
    }
}

/// Binds headers to tables.
struct HeaderBinder: Sendable {
    let definition: Definition
    /// Keys of all header names of the definition: a cheap test for "may this be a header".
    let allNames: Set<String>
    /// How every header name begins.
    private let openings: NameOpenings
    private let templates: [Template]
    /// What every reading needs of the definition: worked out once.
    let numberSlots: [Int]
    let lineFilter: LineFilter
    let numberReader: NumberReader
    let fields: RecordFields
    /// The header last bound: the files of a folder mostly have the same.
    private let memo = Memo()

    private final class Memo: Sendable {
        let bound = Mutex<(cells: [String], binding: TableBinding?)?>(nil)
        let nearest = Mutex<(headers: [[String]], examination: Examination?)?>(nil)
        let plans = Mutex<[Int: TablePlan]>([:])
        let unreadSlot = Mutex<Int??>(nil)
    }

    /// The date of the export, where no rule reads it: what holds of it decides nothing.
    var unreadSlot: Int? {
        if let known = memo.unreadSlot.withLock({ $0 }) { return known }
        let found = definition.variables.known("exported").flatMap { slot in
            let isRead = definition.tables.contains { table in
                table.columns.contains { $0.slot == slot } || RecipeProfile.slotsRead(table, definition).contains(slot)
            }
            return isRead ? nil : slot
        }
        memo.unreadSlot.withLock { $0 = .some(found) }
        return found
    }

    /// For each table the names of each required column that has plain names only: a cheap test before binding.
    private let requiredKeys: [[Set<String>]]

    init(_ definition: Definition) {
        self.definition = definition
        numberSlots = definition.numberSlots
        lineFilter = LineFilter(definition.lines)
        numberReader = NumberReader(blanks: definition.blanks)
        fields = RecordFields(definition.variables)
        var names: Set<String> = []
        for table in definition.tables {
            for column in table.columns {
                if case .names(let list) = column.place { for case .name(let name) in list { names.insert(name.key) } }
            }
        }
        allNames = names
        openings = NameOpenings(names)
        var templates: [Template] = []
        for case .names(let list) in definition.tables.flatMap(\.columns).map(\.place) {
            for case .template(let bound) in list { templates.append(bound.template) }
        }
        self.templates = templates
        requiredKeys = definition.tables.map { table in
            table.required.compactMap { slot in
                guard let column = table.columns.first(where: { $0.slot == slot }), case .names(let list) = column.place
                else { return nil }
                var keys: Set<String> = []
                for pattern in list {
                    guard case .name(let name) = pattern else { return nil }
                    keys.insert(name.key)
                }
                return keys
            }
        }
    }

    /// Whether some cell of a row is a header's name: a cheap test before binding, wherever the known columns stand.
    func hasName<Row: RecordCells & ~Copyable>(_ record: borrowing Row) -> Bool {
        for index in 0..<min(record.count, 512) {
            let cell = record.cell(index).unwrappedFormula().stripped()
            guard let first = cell.first, cell.count <= 256, !isDigit(first) else { continue }
            if openings.mayBegin(cell), allNames.contains(HeaderName(cell.string).key) { return true }
            for template in templates where template.matches(cell) { return true }
        }
        return false
    }

    /// The rules of a table as rows are decided, made when the first row asks.
    func plan(_ table: Int) -> TablePlan {
        if let known = memo.plans.withLock({ $0[table] }) { return known }
        let plan = TablePlan(definition.tables[table])
        memo.plans.withLock { $0[table] = plan }
        return plan
    }

    /// What is said of headers none of which binds, worked out once for the same headers.
    func nearest(_ headers: [[String]], _ body: () -> Examination?) -> Examination? {
        if let known = memo.nearest.withLock({ $0 }), known.headers == headers { return known.examination }
        let examination = body()
        memo.nearest.withLock { $0 = (headers, examination) }
        return examination
    }

    /// The table whose header these cells are; of several the one that binds most.
    func bind(_ cells: HeaderCells) -> TableBinding? {
        if let known = memo.bound.withLock({ $0 }), known.cells == cells.cells { return known.binding }
        let binding = bind(cells, section: nil)
        memo.bound.withLock { $0 = (cells.cells, binding) }
        return binding
    }

    /// The same among the tables of a section.
    func bind(_ cells: HeaderCells, section: [UInt8]?, isHeaderLine: Bool = false) -> TableBinding? {
        var best: TableBinding?
        for index in definition.tables.indices {
            let table = definition.tables[index]
            if let section { guard table.sections.contains(section) else { continue } }
            guard requiredKeys[index].allSatisfy({ !$0.isDisjoint(with: cells.keys) }) else { continue }
            guard cells.keys.isDisjoint(with: table.forbidden) else { continue }
            let binding = bind(cells.names, cells.cells, index)
            guard table.required.allSatisfy({ binding.columns[$0] >= 0 }), binding.boundCount > 0 || isHeaderLine else {
                continue
            }
            if best == nil || binding.boundCount > (best?.boundCount ?? 0) { best = binding }
        }
        return best
    }

    /// Required columns of a table that the cells lack, and how many of the cells the definition knows.
    func missing(_ cells: HeaderCells, table index: Int) -> (names: [String], known: Int) {
        let table = definition.tables[index]
        // Nothing in common is the usual case and needs no binding.
        guard requiredKeys[index].isEmpty || requiredKeys[index].contains(where: { !$0.isDisjoint(with: cells.keys) })
        else {
            return (table.required.map { definition.variables.names[$0] }, 0)
        }
        let binding = bind(cells.names, cells.cells, index)
        let missing = table.required.filter { binding.columns[$0] < 0 }.map { slot in
            let title = table.columns.first { $0.slot == slot && !$0.title.isEmpty }?.title
            return title ?? definition.variables.names[slot]
        }
        return (missing, binding.boundCount + binding.unknown.count { definition.knows($0, in: table) })
    }

    private func bind(_ names: [HeaderName], _ cells: [String], _ index: Int) -> TableBinding {
        let table = definition.tables[index]
        let width = (cells.lastIndex { !$0.trimmingSpaces.isEmpty } ?? -1) + 1
        var binding = BindingDraft(
            table: index, columns: .init(repeating: -1, count: definition.variables.names.count), header: cells,
            width: width)
        var used = SlotSet()
        for column in table.columns {
            guard case .names(let wanted) = column.place else { continue }
            guard let found = find(wanted, of: column, in: names, cells, &binding) else { continue }
            place(column, found, &binding, &used, currency: names[found].currency)
        }
        for column in table.columns {
            switch column.place {
            case .names: continue
            case .after(let slot):
                let before = binding.columns[slot]
                guard before >= 0, before + 1 < cells.count, mayFollow(before + 1, cells, names, table) else {
                    continue
                }
                place(column, before + 1, &binding, &used, currency: nil)
            case .position(let position):
                guard position < cells.count else {
                    // Rows that start with an empty cell reach beyond the header.
                    if binding.columns[column.slot] < 0 { binding.columns[column.slot] = position }
                    continue
                }
                place(column, position, &binding, &used, currency: nil)
            }
        }
        if let layout = definition.layout { used.formUnion([layout.section, layout.kind]) }
        for (position, cell) in cells.enumerated() where !used.contains(position) && !cell.trimmingSpaces.isEmpty {
            binding.unknown.append(cell.trimmingSpaces)
        }
        // A column of dates or numbers tells a repeated header from a row at first sight.
        let required = table.required.filter { binding.columns[$0] >= 0 }
        let names = definition.variables.names
        let telling = required.first { RecordField.moments[names[$0]] != nil || RecordField.numbers[names[$0]] != nil }
        binding.firstRequired = (telling ?? required.first).map { [columns = binding.columns] in columns[$0] }
        return TableBinding(binding)
    }

    /// Whether a column may be the one that belongs to the one before it: it has no name of its own, one that others
    /// share, or one that the definition knows. Any other is new, and says something else.
    private func mayFollow(
        _ column: Int, _ cells: [String], _ names: [HeaderName], _ table: TableDefinition
    ) -> Bool {
        let name = names[column].key
        return cells[column].trimmingSpaces.isEmpty || names.count { $0.key == name } > 1 || allNames.contains(name)
            || definition.knows(cells[column], in: table)
    }

    private func place(
        _ column: ColumnDefinition, _ found: Int, _ binding: inout BindingDraft, _ used: inout SlotSet,
        currency: String?
    ) {
        if binding.columns[column.slot] < 0 { binding.columns[column.slot] = found }
        if used.insert(found) { binding.boundCount += 1 }
        if let slot = column.currencySlot, let code = currency { binding.currencies.append((slot, code)) }
    }

    /// The synonyms are tried in their order, so that another order of columns binds the same.
    private func find(
        _ wanted: [HeaderPattern], of column: ColumnDefinition, in names: [HeaderName], _ cells: [String],
        _ binding: inout BindingDraft
    ) -> Int? {
        for name in wanted {
            var seen = 0
            var places = names.indices.filter { name.matches(names[$0], cells[$0]) }
            // `Total (USD)` says which currency it is of: `Total (EUR)` is another column, unless the header tells.
            if case .name(let wanted) = name, let currency = wanted.currency, column.currencySlot == nil {
                places.removeAll { names[$0].currency.map { $0 != currency } ?? false }
            }
            // `GAV` and `GAV (SEK)` have one key: the column that is written like the name comes first.
            if places.count > 1, case .name(let wanted) = name, names[places[0]].full != wanted.full {
                let exact = places.filter { names[$0].full == wanted.full }
                if !exact.isEmpty { places = exact + places.filter { names[$0].full != wanted.full } }
            }
            for index in places {
                seen += 1
                guard seen == column.occurrence else { continue }
                if case .template(let bound) = name {
                    var captures: [CapturedText] = []
                    _ = withView(cells[index]) { bound.capture($0, &captures) }
                    binding.currencies += captures.map { ($0.slot, $0.text) }
                }
                return index
            }
        }
        return nil
    }
}
