/// Rows that end before their header does, where those around them do not: if a cell is missing in their middle, all
/// behind it stand in wrong columns, and may be read there without anything being wrong with them.
struct RaggedRows {
    /// Cells of the row right below the header, where it ends early; so may all others.
    private var usual = 0
    private(set) var headerLine = 0
    private var rows = 0
    /// The first of them: its line, its cells and its header's.
    private var first = (line: 0, cells: 0, width: 0)

    /// Rows of a header follow.
    mutating func begin(headerLine: Int) {
        self.headerLine = headerLine
        usual = 0
    }

    /// Whether a row with so many cells ends early.
    mutating func isRagged(_ cells: Int, width: Int, line: Int) -> Bool {
        if cells >= width || cells == usual { return false }
        if line != headerLine + 1 { return true }
        usual = cells
        return false
    }

    /// Such a row became a record.
    mutating func note(line: Int, cells: Int, width: Int) {
        if rows == 0 { first = (line, cells, width) }
        rows += 1
    }

    /// What is to be said of them, once, with the line of the first.
    var finding: (finding: Finding, line: Int)? {
        if rows == 0 { return nil }
        let more = rows == 1 ? "" : ", and \(rows - 1) more \(rows == 2 ? "line ends" : "lines end") early"
        return (
            Finding(
                .rowRagged,
                reason:
                    "the line has \(first.cells) cells, its header \(first.width)\(more): the last were taken for blank",
                suggestion:
                    "Check that no cell is missing in the middle, which would put those behind it into wrong columns."
            ), first.line
        )
    }
}
