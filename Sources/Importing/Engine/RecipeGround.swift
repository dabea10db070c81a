/// What the recipes of a run's current table rest on besides its rows.
struct RecipeGround {
    /// What earlier inputs have left of the table, where it is in use.
    var memoryTable: ImportMemory.Table?
    /// The tables of this input alone, once what holds from line to line has changed.
    var contextMemory: ImportMemory?
    /// The table.
    var binding: TableBinding?
    /// Its date patterns.
    var datePatterns: [DatePattern] = []
    /// Whether what holds from line to line is what it was when the row at hand was read.
    var isContextOfRow = true
}
