import Delimited
import OpenAlloc

// Rows of openalloc schemas made of variables, and what a survey collects.
extension DefinitionRun {
    func emitRows(_ table: TableDefinition, _ unit: SourceUnit, _ binding: TableBinding) {
        var rows: [TableRow] = []
        do throws(Finding) {
            for emission in table.emit {
                if let condition = emission.condition, !evaluator.holds(condition) { continue }
                let row = try row(emission, binding)
                if emission.isOnce, !onceKeys.insert(row).inserted { continue }
                rows.append(row)
            }
        } catch {
            return reject(error, unit)
        }
        if rows.isEmpty { return mark(unit, .skipped, "row.noEffect") }
        sink.acceptRows(rows, from: units.first ?? unit, warnings: [])
        // Lines that continue the row add nothing of their own.
        for part in units.dropFirst() { sink.acceptRows([], from: part, warnings: []) }
    }

    private func row(_ emission: RowEmission, _ binding: TableBinding) throws(Finding) -> TableRow {
        var values: [AllocValue] = []
        for (column, expression) in zip(emission.schema.schema.columns, emission.values) {
            guard let expression else {
                values.append(.null)
                continue
            }
            values.append(try value(of: expression, as: column))
        }
        return TableRow(emission.schema, values)
    }

    private func value(of expression: Expression, as column: Column) throws(Finding) -> AllocValue {
        switch column.type {
        case .double, .int:
            guard let number = try evaluator.decimal(expression) else { return .null }
            guard column.type == .int else { return .decimal(number) }
            guard let whole = number.asInt else {
                throw Finding(
                    .valueInvalid, column: column.name, value: number.description, reason: "this is no whole number.",
                    suggestion: "Correct the cell.")
            }
            return .int(whole)
        default:
            switch try evaluator.value(expression) {
            case .blank: return .null
            case .number(let number): return .string(number.description)
            case .text(let view):
                do throws(RowCode) {
                    return try column.parse(view.string)
                } catch {
                    throw Finding(error, column: column.name, value: view.string)
                }
            }
        }
    }

    func surveyRow(_ plan: TablePlan, _ binding: TableBinding) {
        if plan.provides, let provides = plan.table.provides {
            survey.provide(
                plan.table.name, key: state.text(provides.key).string,
                values: provides.values.map { ($0, state.text($0).string) })
        }
        for entry in plan.anywhere where evaluator.holds(entry.condition, plan.program) {
            survey.note(table: binding.table, slot: entry.slot)
        }
        if definition.asksForDayOrder {
            for moment in builder.fields.moments where !evaluator.isBlank(moment.slot) {
                survey.learnDayOrder(state.text(moment.slot).trimmed(), plan.dates ?? definition.dates)
            }
        }
        let style = plan.numbers ?? definition.numbers
        guard style.decimal == nil else { return }
        for slot in numberSlots where !plan.points.contains(slot) {
            if let mark = evaluator.reader.proof(state.text(slot)) {
                survey.prove(table: binding.table, slot: slot, mark: mark)
            }
        }
    }

    // MARK: Continued rows

    /// Whether the record continues the held row; then its cells overlay it.
    func continues(
        _ unit: SourceUnit, _ binding: TableBinding, _ condition: ConditionProgram.Entry, _ plan: TablePlan,
        _ anomaly: Finding?
    ) -> Bool {
        guard let row = held, row.table == binding.table, evaluator.holds(condition, plan.program) else { return false }
        // A continuing line has only the cells that it adds; whatever else is wrong with it is wrong with the row.
        if let anomaly, anomaly.code != .rowShort { row.note(anomaly) }
        row.overlay(state, evaluator, unit, binding, joined: plan.joined)
        return true
    }

    func flushHeld() {
        guard let row = held else { return }
        held = nil
        // The current line's values are put back by its own `beginRow`/`bindCells`; a held row is decided on its own.
        row.replay(into: self)
        spareHeld = row
    }

    // MARK: Rows as such

    /// What is wrong with the record as such, before its values are looked at.
    func anomaly(_ record: borrowing RecordView, _ binding: TableBinding, allowsShort: Bool) -> Finding? {
        if record.flags.contains(.tooLong) {
            return Finding(
                .rowTooLong, reason: "the line is longer than 1 MiB.", suggestion: "Check whether the file is damaged.")
        }
        if record.flags.contains(.unclosedQuote) {
            return Finding(
                .quoteMalformed, reason: "a quotation mark opens a cell and is not closed on this line.",
                suggestion: "Close the quotation, or remove the mark.")
        }
        if record.flags.contains(.hidesRecords) {
            return Finding(
                .quoteMalformed, reason: "a quoted cell goes over lines that read like rows.",
                suggestion: "Close the quotation where it opens, or take the line ends out of the cell.")
        }
        if record.flags.contains(.invalidEncoding) {
            return Finding(
                .encodingInvalid, reason: "the line holds bytes that are not valid in the encoding of the file.",
                suggestion: "Save the file as UTF-8, or correct the characters of this line.")
        }
        if record.flags.contains(.nul) {
            return Finding(
                .encodingInvalid, reason: "the line holds bytes of zero, which no text has.",
                suggestion: "Download the file again, or correct the characters of this line.")
        }
        for i in binding.width..<max(binding.width, record.count) where !record.cell(i).isBlank {
            if binding.uses(i) { continue }
            return Finding(
                .rowLong, column: "\(i + 1)", value: record.cell(i).string,
                reason: "the line has a value beyond the last column of the header.",
                suggestion:
                    "Check for a delimiter inside a cell that is not quoted; a note of your own needs a column with a "
                    + "name.")
        }
        if !allowsShort, let last = binding.lastColumn, record.count <= last {
            let cells = record.count == 1 ? "1 cell" : "\(record.count) cells"
            return Finding(
                .rowShort,
                reason: "the line has \(cells); the header's columns reach to the \(Self.ordinal(last + 1)).",
                suggestion: Finding.completion(missing: last + 1 - record.count))
        }
        return nil
    }

    /// What is wrong with the last line where the file ends in it.
    func cutFinding(_ record: borrowing RecordView, _ binding: TableBinding) -> Finding? {
        // Lines that continue a row have but the cells that they add.
        guard purpose == .records, let source, plan(binding.table).continuation == nil else { return nil }
        return LastLine.finding(
            source, (dialect, encoding), cells: record.count, width: binding.width,
            rows: record.line - 1 - ragged.headerLine)
    }

    func isRagged(_ record: borrowing RecordView, _ binding: TableBinding) -> Bool {
        let plan = plan(binding.table)
        // Lines that continue a row have but the cells that they add.
        if plan.allowsShortRows || plan.continuation != nil { return false }
        return ragged.isRagged(record.count, width: binding.width, line: record.line)
    }

    /// The row that was decided became a record.
    func noteIfRagged(_ unit: SourceUnit, _ binding: TableBinding) {
        if raggedCells >= 0 { ragged.note(line: unit.line, cells: raggedCells, width: binding.width) }
    }

    // MARK: Filling, repairing, extracting

    /// Gives a row the cells of the row above where it leaves them out; whether it does.
    @discardableResult
    func fill(_ fill: [Int]) -> Bool {
        // The cells of a fill belong together: a row that has one of them fills none.
        let takes = fill.allSatisfy { evaluator.isBlank($0) }
        for slot in fill {
            if takes { state.set(slot, state.filledText(slot)) } else { state.setFill(slot, state.text(slot)) }
        }
        return takes
    }

    func apply(_ repair: RepairRule) {
        var values: [(Int, Evaluator.Value)] = []
        for set in repair.sets {
            guard let value = try? evaluator.value(set.expression) else { return }
            values.append((set.slot, value))
        }
        for (slot, value) in values {
            switch value {
            case .blank: state.set(slot, .empty)
            case .text(let view): state.set(slot, view)
            case .number(let number): state.set(slot, number)
            }
        }
    }

    /// - Parameter isKnown: whether the word is one of the definition's, and none of its rules is for such a line.
    func unknownAction(_ actions: ActionTable, _ binding: TableBinding, isKnown: Bool) -> Finding {
        let words = actions.on.map { state.text($0).string.trimmingSpaces }.filter { !$0.isEmpty }
        let place = actions.on.first.map { binding.columnName($0) } ?? ""
        if isKnown {
            return Finding(
                .actionUnknown, column: place, value: words.joined(separator: " / "),
                reason:
                    "the definition \(definition.id) has no rule for this action with such values, so its meaning is "
                    + "not guessed.",
                suggestion: "Check the signs of the line's numbers and what is blank, or write the event into an "
                    + "openalloc.transaction.csv of your own.")
        }
        return Finding(
            .actionUnknown, column: place, value: words.joined(separator: " / "),
            reason: words.isEmpty
                ? "the line does not say what happened."
                : "the definition \(definition.id) does not know this action, so its meaning is not guessed.",
            suggestion:
                "Correct the word, or add it to the definition's actions (a copy of it in your importers folder wins).")
    }
}

extension DefinitionRun {
    /// `1st`, `2nd`, `3rd`, `11th`.
    fileprivate static func ordinal(_ number: Int) -> String {
        let ending = number / 10 % 10 == 1 ? "th" : [1: "st", 2: "nd", 3: "rd"][number % 10] ?? "th"
        return "\(number)\(ending)"
    }
}
