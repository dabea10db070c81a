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
}
