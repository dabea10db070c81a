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
        sink.acceptRows(rows, from: unit, warnings: [])
    }

    private func row(_ emission: RowEmission, _ binding: TableBinding) throws(Finding) -> TableRow {
        var values: [AllocValue] = []
        for (column, expression) in zip(emission.schema.schema.columns, emission.values) {
            guard let expression else {
                values.append(.null)
                continue
            }
            values.append(try value(of: expression, as: column, binding))
        }
        return TableRow(emission.schema, values)
    }

    private func value(of expression: Expression, as column: Column, _ binding: TableBinding) throws(Finding) -> AllocValue {
        switch column.type {
        case .double, .int:
            guard let number = try evaluator.decimal(expression) else { return .null }
            return column.type == .int ? .int(number.asInt ?? 0) : .decimal(number)
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

    func surveyRow(_ table: TableDefinition, _ binding: TableBinding) {
        if let provides = table.provides {
            survey.provide(table.name, key: state.text(provides.key).string, values: provides.values.map { ($0, state.text($0).string) })
        }
        let style = table.numbers ?? definition.numbers
        guard style.decimal == nil else { return }
        for slot in numberSlots {
            if let mark = evaluator.reader.proof(state.text(slot)) { survey.prove(table: binding.table, slot: slot, mark: mark) }
        }
    }

    // MARK: Continued rows

    /// Whether the record continues the held row; then its cells overlay it.
    func continues(_ record: borrowing RecordView, _ unit: SourceUnit, _ binding: TableBinding, _ condition: Condition) -> Bool {
        guard let row = held, row.binding.table == binding.table, evaluator.holds(condition) else { return false }
        row.overlay(state, evaluator, unit, columns: binding.columns, joined: definition.tables[binding.table].joined)
        return true
    }

    func flushHeld() {
        guard let row = held else { return }
        held = nil
        // The current line's values are put back by its own `beginRow`/`bindCells`; a held row is decided on its own.
        row.replay(into: self)
    }

    // MARK: Groups

    func queue(_ new: ArraySlice<Record>, _ unit: SourceUnit, _ rule: GroupRule) {
        let queue = groups ?? GroupQueue(rule: rule, sink: sink)
        groups = queue
        var key: [UInt8] = []
        for slot in rule.by where !evaluator.isBlank(slot) {
            key += state.folded(slot)
            key.append(0)
        }
        queue.add(new, unit, key: key)
    }

    func flushGroups() {
        groups?.flush()
        groups = nil
    }
}
