import Testing

@testable import Importing

/// A variable that is read and that nothing sets is a slip of the pen: it would be blank for ever, in silence.
@Suite struct VariableTests {
    @Test(arguments: Catalogue.files)
    func whatIsReadIsSet(_ file: String) throws {
        let definition = try Catalogue.importer(file).definition
        let names = definition.variables.names
        let missing = Self.read(definition).subtracting(Self.written(definition)).map { names[$0] }
        #expect(missing.filter { !["first", "line", "cells", "exported"].contains($0) }.sorted() == [])
    }

    @Test func findsASlip() throws {
        let table = "  - columns: {date: Day, amount: Sum}\n    require: [date, amount]\n"
        let yaml = definition("tables:\n" + table + "    set: {fees: neg(amuont)}\n    kind: cash\n")
        let definition = try importer(yaml).definition
        #expect(
            Self.read(definition).subtracting(Self.written(definition)).map { definition.variables.names[$0] } == [
                "amuont"
            ])
    }

    private static func records(_ table: TableDefinition) -> [ActionRule] {
        var rules = table.actions?.allRules ?? []
        if let always = table.always { rules.append(always) }
        for row in table.rows { if case .record(let rule) = row.verdict { rules.append(rule) } }
        return rules
    }

    private static func assignments(_ table: TableDefinition) -> [Assignment] {
        table.sets + table.rows.flatMap(\.sets) + table.repairs.flatMap(\.sets)
            + records(table).flatMap(\.records).flatMap(\.sets)
    }

    private static func conditions(_ table: TableDefinition) -> [Condition] {
        var all = table.rows.map(\.condition) + table.repairs.map(\.condition) + table.priceUnits.map(\.condition)
        all += table.extracts.compactMap(\.condition) + assignments(table).compactMap(\.condition)
        all += records(table).compactMap(\.condition) + records(table).flatMap(\.records).compactMap(\.condition)
        all += table.emit.compactMap(\.condition)
        if let continuation = table.continuation { all.append(continuation) }
        all += table.anywhere.map(\.condition)
        return all
    }

    private static func read(_ definition: Definition) -> Set<Int> {
        var slots: Set<Int> = []
        for table in definition.tables {
            for condition in conditions(table) { slots.formUnion(condition.slots) }
            for assignment in assignments(table) { slots.formUnion(assignment.expression.slots) }
            slots.formUnion(table.extracts.map(\.from))
            slots.formUnion(table.fill)
            slots.formUnion(table.actions?.on ?? [])
            slots.formUnion(table.group?.by ?? [])
            if let lookup = table.lookup { slots.insert(lookup.by) }
            if let provides = table.provides { slots.formUnion([provides.key] + provides.values) }
        }
        return slots
    }

    private static func captured(_ condition: Condition) -> [Int] {
        switch condition {
        case .all(let parts), .any(let parts): parts.flatMap(captured)
        case .not(let inner): captured(inner)
        case .matches(_, let templates): templates.flatMap(\.slots)
        default: []
        }
    }

    private static func written(_ definition: Definition) -> Set<Int> {
        var slots: Set<Int> = []
        for bound in definition.lines.flatMap(\.patterns) + definition.files { slots.formUnion(bound.slots) }
        for table in definition.tables {
            for column in table.columns {
                slots.insert(column.slot)
                if let currency = column.currencySlot { slots.insert(currency) }
                if case .names(let list) = column.place {
                    for case .template(let bound) in list { slots.formUnion(bound.slots) }
                }
            }
            slots.formUnion(assignments(table).map(\.slot))
            slots.formUnion(table.extracts.flatMap(\.patterns).flatMap(\.slots))
            slots.formUnion(table.actions?.patterns.flatMap(\.template.slots) ?? [])
            slots.formUnion(conditions(table).flatMap(captured))
            slots.formUnion(table.captures?.keys.values.map { $0 } ?? [])
            slots.formUnion(table.provides?.values ?? [])
            slots.formUnion(table.anywhere.map(\.slot))
        }
        return slots
    }
}
