import Delimited

/// Lines that are rows of a table, and stand above its header or below its end: those of a file whose lines were sorted,
/// of two files that were put together; and those that a rule calls rows. What stands above is told when the header is
/// known.
struct StrayRows {
    private struct Line {
        enum Kind { case other, mayBeRow, row(LineRule), unlike }

        var unit: SourceUnit
        var raw: [UInt8]
        /// What it is unless it is a row.
        var outcome = Outcome.preamble
        var code = ""
        var kind: Kind
        var cells = 0
        /// Whether it looks like a header.
        var isNames = false
    }

    private var lines: [Line] = []
    private var trial: StrayTrial?
    /// A title or a note has fewer cells.
    private static let fewest = 3
    /// As many filled cells has but a row.
    private static let many = 7
    /// … and as many a row that stands below a line of as many names: a header that is not known.
    fileprivate static let some = 4
    /// The cells of the last line of names below the footer.
    private var names = 0

    /// Keeps a line until the header is known; false if it is none of those.
    mutating func keep(_ record: borrowing RecordView, _ unit: SourceUnit, _ outcome: Outcome) -> Bool {
        guard record.count >= StrayRows.fewest else { return false }
        lines.append(
            Line(
                unit: unit, raw: unit.raw.array, outcome: outcome, kind: .mayBeRow, cells: record.count,
                isNames: HeaderCells.mayBe(record)))
        return true
    }

    /// Keeps what is none of those in its order; false where none is kept.
    mutating func keep(_ unit: SourceUnit, _ outcome: Outcome, _ code: String) -> Bool {
        if lines.isEmpty { return false }
        lines.append(Line(unit: unit, raw: unit.raw.array, outcome: outcome, code: code, kind: .other))
        return true
    }

    /// Keeps a row that a rule names.
    mutating func keep(_ unit: SourceUnit, _ rule: LineRule) {
        lines.append(Line(unit: unit, raw: unit.raw.array, kind: .row(rule)))
    }

    /// Gives back what was kept: first what is none, as it was called, then, below the header, the rows: those that a rule
    /// names as rows of its table, the others to be rejected, those of no table that is known among them.
    mutating func settle(_ run: DefinitionRun, under binding: TableBinding?, header: () -> Void) {
        let kept = lines
        lines = []
        var rows: [Line] = []
        var names = 0
        for line in kept {
            if line.isNames { names = line.cells }
            switch line.kind {
            case .row: rows.append(line)
            case .mayBeRow where binding.map { isRow(line.raw, run, $0) } == true: rows.append(line)
            case .mayBeRow
            where binding != nil
                && StrayRows.hasShape(line.raw, run.dialect, line.cells == names ? StrayRows.some : StrayRows.many):
                var unlike = line
                unlike.kind = .unlike
                rows.append(unlike)
            default: StrayRows.lend(line) { run.sink.mark($0, line.outcome, code: line.code) }
            }
        }
        header()
        for row in rows {
            StrayRows.lend(row) { unit in
                switch (row.kind, binding) {
                case (.row(let rule), let binding?): run.takeLineRow(unit, rule, under: binding)
                case (.row, nil): run.reject(StrayRows.alone, unit)
                case (.unlike, _): run.reject(StrayRows.unknown, unit)
                default: run.reject(StrayRows.above, unit)
                }
            }
        }
    }

    /// What is wrong with a line below the end of a table, if anything is.
    mutating func finding(
        _ record: borrowing RecordView, _ run: DefinitionRun, _ binding: TableBinding
    ) -> Finding? {
        guard record.count >= StrayRows.fewest else { return nil }
        if isRow(record, run, binding) { return StrayRows.below }
        let hasNames = record.count == names
        if HeaderCells.mayBe(record) { names = record.count }
        return StrayRows.hasShape(record, hasNames ? StrayRows.some : StrayRows.many) ? StrayRows.unknown : nil
    }

    /// What is wrong with a line of one quoted cell whose content is a row.
    mutating func wrapped(
        _ record: borrowing RecordView, _ run: DefinitionRun, _ binding: TableBinding
    ) -> Finding? {
        let content = record.cell(0).array
        guard content.count(where: { $0 == run.dialect.delimiter }) >= StrayRows.fewest - 1,
            isRow(content, run, binding)
        else { return nil }
        return StrayRows.quoted
    }

    private static let quoted = Finding(
        .quoteMalformed, reason: "the whole line stands in quotation marks, so that it is one cell.",
        suggestion: "Remove the marks at its ends, and make two marks in a row one.")
    private static let above = Finding(
        .rowUnplaced, reason: "the line reads like a row, and stands above the header, where none is read",
        suggestion: "Convert the reject file as it is, where it stands below the header.")
    private static let alone = Finding(
        .rowUnplaced, reason: "the line belongs to a table whose header does not stand in the file",
        suggestion: "Convert the whole file as it was downloaded.")
    private static let below = Finding(
        .rowUnplaced, reason: "the line reads like a row, and stands below the footer, where none is read",
        suggestion: "Move it above the footer.")

    private static let unknown = Finding(
        .rowUnplaced, reason: "the line reads like a row of a table, and no header above it is known",
        suggestion: "Convert the file as it was downloaded; if it is, the definition does not know the table's header.")

    private static func lend(_ line: Line, _ body: (SourceUnit) -> Void) {
        ByteView.with(line.raw) { raw in
            var unit = line.unit
            unit.raw = raw
            body(unit)
        }
    }

    /// Whether a line reads like a row of any table: its own may have a header that is not known, or none. Titles and
    /// settings have fewer cells.
    fileprivate static func hasShape(_ record: borrowing RecordView, _ fewest: Int) -> Bool {
        guard record.count >= fewest else { return false }
        let cells = DefinitionRun.cells(of: record).map(\.trimmingSpaces).filter { !$0.isEmpty }
        return cells.count >= fewest && cells.contains(where: StrayTrial.isDate)
            && cells.contains(where: StrayTrial.isNumber)
    }

    private static func hasShape(_ line: [UInt8], _ dialect: Dialect, _ fewest: Int) -> Bool {
        var reader = DelimitedReader(dialect: dialect)
        var result = false
        reader.read(line) { (record: borrowing RecordView) in result = hasShape(record, fewest) }
        return result
    }

    private mutating func isRow(_ line: [UInt8], _ run: DefinitionRun, _ binding: TableBinding) -> Bool {
        var reader = DelimitedReader(dialect: run.dialect)
        var result = false
        reader.read(line) { (record: borrowing RecordView) in result = isRow(record, run, binding) }
        return result
    }

    private mutating func isRow(
        _ record: borrowing RecordView, _ run: DefinitionRun, _ binding: TableBinding
    ) -> Bool {
        let trial = self.trial.flatMap { $0.binding === binding ? $0 : nil } ?? StrayTrial(run, binding)
        self.trial = trial
        return trial.accepts(record)
    }
}

/// Reads lines for trial, as rows of a table.
final class StrayTrial {
    private final class Probe: RecordSink {
        var isRow = false
        var isRejected = false

        func accept(_ records: ArraySlice<Record>, from units: [SourceUnit], warnings: [Finding]) {
            if records.contains(where: { Probe.isWhole($0) }) { isRow = true }
        }
        func acceptRows(_ rows: [TableRow], from unit: SourceUnit, warnings: [Finding]) {
            if !rows.isEmpty { isRow = true }
        }
        func reject(_ finding: Finding, from units: [SourceUnit]) { isRejected = true }
        func mark(_ unit: SourceUnit, _ outcome: Outcome, code: String) {}
        func warn(_ finding: Finding, line: Int?) {}

        /// Whether a record has the number without which it is none.
        private static func isWhole(_ record: borrowing Record) -> Bool {
            switch record.kind.shape {
            case .position: record[.units] != nil
            case .security: record[.price] != nil
            case .account: true
            default: record[.units] != nil || record[.amount] != nil || record[.fees] != nil
            }
        }
    }

    let binding: TableBinding
    private let run: DefinitionRun
    private let probe = Probe()

    init(_ run: DefinitionRun, _ binding: TableBinding) {
        self.binding = binding
        self.run = DefinitionRun(trying: run, probe)
        self.run.use(binding)
    }

    /// Whether it becomes rows, or what a row with a mistake looks like: as many cells are filled as a row needs, one of
    /// them with a date and another one with a number.
    func accepts(_ record: borrowing RecordView) -> Bool {
        (probe.isRow, probe.isRejected) = (false, false)
        run.takeAlone(record)
        return probe.isRow || probe.isRejected && hasShape(record)
    }

    private func hasShape(_ record: borrowing RecordView) -> Bool {
        guard record.count <= binding.header.count + 1 else { return false }
        let cells = DefinitionRun.cells(of: record)
        guard cells.count(where: { !$0.isEmpty }) >= max(4, binding.width / 2) else { return false }
        let used = binding.bound.filter { $0.column < cells.count }
        let others = used.filter { !run.numberSlots.contains($0.slot) }.map { cells[$0.column].trimmingSpaces }
        // Rules may take a number out of any cell.
        return others.contains(where: Self.isDate)
            && used.contains { Self.isAmount(cells[$0.column].trimmingSpaces) }
    }

    /// Three parts of digits, or of which one is the name of a month; or eight digits, as `20260105;101500`.
    static func isDate(_ cell: String) -> Bool {
        if isCompactDay(cell) { return true }
        let parts = cell.split(maxSplits: 3) { "-/. T,".contains($0) }.prefix(3)
        let numbers = parts.filter { $0.allSatisfy(\.isWholeNumber) }
        let months = parts.filter { $0.count >= 3 && $0.allSatisfy(\.isLetter) }
        return numbers.count + months.count == 3 && months.count <= 1
            && (3...8).contains(numbers.reduce(0) { $0 + $1.count })
    }

    /// `YYYYMMDD`, and nothing or no digit behind it.
    private static func isCompactDay(_ cell: String) -> Bool {
        let bytes = Array(cell.utf8.prefix(9))
        guard bytes.count >= 8, bytes.prefix(8).allSatisfy(isDigit), bytes.count == 8 || !isDigit(bytes[8]) else {
            return false
        }
        let day = bytes.prefix(8).reduce(0) { $0 * 10 + Int($1 &- 0x30) }
        return (1900...2099).contains(day / 10_000) && (1...12).contains(day / 100 % 100)
            && (1...31).contains(day % 100)
    }

    /// A number, or one with a word for its unit: `2499.8 USDC`.
    private static func isAmount(_ cell: String) -> Bool {
        if isNumber(cell) { return true }
        let parts = cell.split(separator: " ")
        return parts.count == 2 && isNumber(String(parts[0])) && parts[1].count <= 12
            && parts[1].first?.isLetter == true
    }

    static func isNumber(_ cell: String) -> Bool {
        cell.contains(where: \.isWholeNumber) && !isDate(cell)
            && cell.allSatisfy { $0.isWholeNumber || "+-−.,'() $€£%".contains($0) }
    }
}

extension InputSample {
    /// Whether the first line that says something reads like a row of a table: the names of its columns are missing.
    public var beginsWithRow: Bool {
        var isRow = false
        _ = hasRecord { record in
            if record.isBlank { return false }
            isRow = StrayRows.hasShape(record, StrayRows.some)
            return true
        }
        return isRow
    }
}
