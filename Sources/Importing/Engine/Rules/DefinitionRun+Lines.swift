import Delimited
import OpenAlloc

// Rules for lines outside the rows.
extension DefinitionRun {
    /// The text that holds for a variable at this point of the file.
    func contextText(_ name: String) -> String {
        definition.variables.known(name).map { state.contextText($0).string } ?? ""
    }

    /// Values known before the first line, from the file name.
    func setContext(_ values: [(slot: Int, text: String)]) {
        for value in values { withView(value.text) { state.setContext(value.slot, $0) } }
    }

    /// Whether a line is a row at first sight: neither a header nor one that rules for lines speak of.
    func isPlainRow(_ record: borrowing RecordView) -> Bool {
        guard let first = record.cell(telling).trimmed().first, isDigit(first) else { return false }
        if definition.lines.isEmpty { return true }
        guard let byte = record.cell(0).trimmed().first else { return false }
        return !lineFilter.mayBegin(with: byte)
    }

    func takeLine(_ record: borrowing RecordView, _ unit: SourceUnit) -> Bool {
        guard !definition.lines.isEmpty else { return false }
        // Most lines are rows, and begin as no rule does.
        if let byte = record.cell(0).trimmed().first, !lineFilter.mayBegin(with: byte) { return false }
        let (filled, cell) = Self.filledCells(of: record)
        for rule in definition.lines {
            switch rule.place {
            case .any: break
            case .preamble: if hasSeenHeader { continue }
            case .table: if !hasSeenHeader { continue }
            case .end: if !hasSeenHeader || !(isAfterBlank || isResting) { continue }
            }
            if let cells = rule.cells, !cells.contains(filled) { continue }
            guard let pattern = capture(rule, record, first: cell) else { continue }
            flushHeld()
            guard let outcome = rule.outcome else {
                takeLineRow(record, unit, rule)
                return true
            }
            keepCaptures(pattern)
            noteAccount(pattern, line: unit.line)
            if rule.isRest { isResting = true }
            mark(unit, outcome, rule.why)
            return true
        }
        return false
    }

    /// The pattern of a rule that a line matches; what it captures is set for this line.
    func capture(_ rule: LineRule, _ record: borrowing RecordView, first cell: ByteView) -> BoundTemplate? {
        var texts = rule.isWhole ? [tidyLine(record), wholeLine(record)] : [cell]
        // A column put in front of all others leaves an empty cell before the lines outside the rows.
        if rule.isWhole, record.count > 1, record.cell(0).isBlank, !record.cell(1).isBlank {
            texts.append(tidyLine(record, from: 1))
        }
        for text in texts {
            if let pattern = rule.patterns.first(where: { evaluator.capture($0, text) }) { return pattern }
        }
        return nil
    }

    /// How many cells are not blank, and the first of them.
    static func filledCells(of record: borrowing RecordView) -> (count: Int, first: ByteView) {
        var count = 0
        var first = 0
        for i in 0..<record.count where !record.cell(i).isBlank {
            if count == 0 { first = i }
            count += 1
        }
        return (count, record.cell(first).trimmed())
    }

    private func noteAccount(_ pattern: BoundTemplate, line: Int) {
        guard purpose == .records, let accountSlot, pattern.slots.contains(accountSlot),
            !state.contextText(accountSlot).isEmpty
        else { return }
        var record = Record()
        record.kind = .account
        record.set(.account, state.contextText(accountSlot))
        if let titleSlot { record.set(.accountTitle, state.contextText(titleSlot)) }
        record.set(.institution, definition.institution)
        sink.note(account: record, line: line)
    }

    /// The same without padding and without empty cells at the end, which a spreadsheet adds to every line.
    private func tidyLine(_ record: borrowing RecordView, from start: Int = 0) -> ByteView {
        var last = record.count
        while last > 0, record.cell(last - 1).isBlank { last -= 1 }
        var bytes: [UInt8] = []
        for i in start..<max(start, last) {
            if i > start { bytes.append(UInt8(ascii: ",")) }
            record.cell(i).trimmed().withUnsafeBytes { bytes.append(contentsOf: $0) }
        }
        return ByteView.with(bytes) { state.keep($0) }
    }

    /// The cells joined by commas, so that quoting makes no difference.
    private func wholeLine(_ record: borrowing RecordView) -> ByteView {
        var bytes: [UInt8] = []
        for i in 0..<record.count {
            if i > 0 { bytes.append(UInt8(ascii: ",")) }
            record.cell(i).withUnsafeBytes { bytes.append(contentsOf: $0) }
        }
        return ByteView.with(bytes) { state.keep($0) }
    }

    private func keepCaptures(_ pattern: BoundTemplate) {
        // A line that names another account does not leave the former one's title standing.
        if let accountSlot, let titleSlot, pattern.slots.contains(accountSlot), !pattern.slots.contains(titleSlot) {
            state.setContext(titleSlot, .empty)
        }
        for slot in pattern.slots { state.setContext(slot, state.text(slot)) }
    }
}
