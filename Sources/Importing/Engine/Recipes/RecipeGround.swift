/// What the recipes of a run's current table rest on besides its rows.
struct RecipeGround {
    /// What earlier inputs have left of the table, where it is in use.
    var memoryTable: ImportMemory.Table?
    /// The tables of this input alone, once what holds from line to line has changed.
    var contextMemory: ImportMemory?
    /// The table.
    var binding: TableBinding?
    /// The headers of a single input by their numbers.
    var bindings: [TableBinding] = []
    /// How often what holds from line to line has changed in a row before a class was met again, and whether that was so
    /// often that its classes are not looked for any more.
    var barrenChanges = 0
    var isBarren = false
    /// Its date patterns.
    var datePatterns: [DatePattern] = []
    /// Whether what holds from line to line is what it was when the row at hand was read.
    var isContextOfRow = true
    /// Tables that were met last, by their header and what held from line to line.
    private var recent: [(binding: TableBinding, version: Int, table: ImportMemory.Table)] = []
    private static let mostRecent = 16

    /// A table that was met lately; nil where it was not, or is not to be used.
    func recent(_ binding: TableBinding, _ version: Int) -> ImportMemory.Table? {
        for entry in recent where entry.binding === binding && entry.version == version {
            return entry.table.isForgotten ? nil : entry.table
        }
        return nil
    }

    mutating func keep(_ table: ImportMemory.Table, _ binding: TableBinding, _ version: Int) {
        recent.removeAll { $0.binding === binding && $0.version == version }
        if recent.count == RecipeGround.mostRecent { recent.removeFirst() }
        recent.append((binding, version, table))
    }
}
