import Delimited

// What the columns of a header are called, and where on a line the value is that was found wrong.
extension DefinitionRun {
    /// Tells the sink what the columns of a header are called, and notes those that are new.
    func tell(_ found: TableBinding, line: Int) {
        sink.readsColumns { [definition] in definition.column(ofField: $0, in: found) }
        if layout == nil { drift.note(found, definition, line: line) }
    }

    /// Names the column of a value that rules have cut out or computed, so that no variable of a column has it: the only
    /// one whose cell is the value, or else has it in it.
    func placed(_ finding: Finding, _ unit: SourceUnit, _ binding: TableBinding) -> Finding {
        guard finding.column.isEmpty, !finding.value.isEmpty else { return finding }
        let value = finding.value.lowercased()
        var same: Set<Int> = [], around: Set<Int> = []
        var reader = DelimitedReader(dialect: dialect)
        for part in units.isEmpty ? [unit] : units {
            reader.read(part.raw.array) { (record: borrowing RecordView) in
                for column in 0..<min(record.count, binding.header.count) {
                    let cell = record.cell(column).string.trimmingSpaces.lowercased()
                    if cell == value {
                        same.insert(column)
                    } else if cell.utf8.count > value.utf8.count, cell.contains(value) {
                        around.insert(column)
                    }
                }
            }
        }
        let found = same.isEmpty ? around : same
        guard found.count == 1, let column = found.first else { return finding }
        var placed = finding
        placed.column = binding.header[column].trimmingSpaces
        return placed
    }
}
