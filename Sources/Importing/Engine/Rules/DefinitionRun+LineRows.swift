import Delimited

// Lines outside the table that are rows of it, such as the cash that stands above the holdings.
extension DefinitionRun {
    /// Takes a line that a rule for lines calls a row: of the table whose header stands above it, else of the first one,
    /// when that is known.
    func takeLineRow(_ record: borrowing RecordView, _ unit: SourceUnit, _ rule: LineRule) {
        guard purpose != .context else { return }
        guard let binding else { return strayRows.keep(unit, rule) }
        decideLine(record, unit, binding)
    }

    /// The same of one that stood above the header.
    func takeLineRow(_ unit: SourceUnit, _ rule: LineRule, under binding: TableBinding) {
        state.beginRow()
        var reader = DelimitedReader(dialect: dialect)
        reader.read(unit.raw.array) { (record: borrowing RecordView) in
            let cell = Self.filledCells(of: record).first
            if capture(rule, record, first: cell) != nil { decideLine(record, unit, binding) }
        }
    }

    /// Only what the pattern captured, and what holds for the rows here, are values of the row: its cells stand in no
    /// columns.
    private func decideLine(_ record: borrowing RecordView, _ unit: SourceUnit, _ binding: TableBinding) {
        raggedCells = -1
        setPseudoVariables(record)
        decide(unit, binding, anomaly(record, binding, allowsShort: true), isOfColumns: false)
    }
}
