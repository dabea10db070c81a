import Delimited
import OpenAlloc

/// A table of a definition as its rows are decided: rules in objects that stay where they are, conditions as steps.
///
/// Rules of a definition are values of many parts; a row would copy each of them that it looks at.
final class TablePlan {
    typealias Entry = ConditionProgram.Entry

    struct SetPlan {
        let slot: Int
        let condition: Entry
        let expression: Expression
    }

    struct RowPlan {
        let condition: Entry
        let verdict: Verdict
        let sets: [SetPlan]
        let rule: RowRule
    }

    enum Verdict {
        case goOn, mark
        case record(ActionPlan)
    }

    /// One thing that a row may be.
    final class ActionPlan {
        let condition: Entry
        let skip: String?
        let records: [RecordPlan]

        init(_ rule: ActionRule, _ program: ConditionProgram) {
            condition = program.add(rule.condition)
            skip = rule.skip
            records = rule.records.map { RecordPlan($0, program) }
        }
    }

    /// One record that a row becomes.
    final class RecordPlan {
        let rule: RecordRule
        let condition: Entry
        let sets: [SetPlan]

        init(_ rule: RecordRule, _ program: ConditionProgram) {
            self.rule = rule
            condition = program.add(rule.condition)
            sets = rule.sets.map { SetPlan($0, program) }
        }
    }

    /// What a row is by its action word.
    final class ActionsPlan {
        let table: ActionTable
        /// By the place of a word in the table.
        let words: [[ActionPlan]]
        let patterns: [(template: BoundTemplate, rules: [ActionPlan], mayFail: Bool)]
        let otherwise: [ActionPlan]

        init(_ table: ActionTable, _ program: ConditionProgram) {
            self.table = table
            words = table.words.values.map { rules in rules.map { ActionPlan($0, program) } }
            patterns = table.patterns.map { pattern in
                (
                    pattern.template, pattern.rules.map { ActionPlan($0, program) },
                    pattern.rules.allSatisfy { $0.condition != nil }
                )
            }
            otherwise = table.otherwise.map { ActionPlan($0, program) }
        }
    }

    let table: TableDefinition
    let program = ConditionProgram()
    let tests: NumericTests
    let repairs: [(condition: Entry, rule: RepairRule)]
    let extracts: [(condition: Entry, rule: ExtractRule)]
    let sets: [SetPlan]
    let rows: [RowPlan]
    let actions: ActionsPlan?
    let always: ActionPlan?
    let priceUnits: [Entry]
    let continuation: Entry?

    init(_ table: TableDefinition) {
        self.table = table
        tests = NumericTests.of(table)
        let program = program
        repairs = table.repairs.map { (program.add($0.condition), $0) }
        extracts = table.extracts.map { (program.add($0.condition), $0) }
        sets = table.sets.map { SetPlan($0, program) }
        rows = table.rows.map { RowPlan($0, program) }
        actions = table.actions.map { ActionsPlan($0, program) }
        always = table.always.map { ActionPlan($0, program) }
        priceUnits = table.priceUnits.map { program.add($0.condition) }
        continuation = table.continuation.map { program.add($0) }
    }
}

extension TablePlan.SetPlan {
    init(_ set: Assignment, _ program: ConditionProgram) {
        self.init(slot: set.slot, condition: program.add(set.condition), expression: set.expression)
    }
}

extension TablePlan.RowPlan {
    init(_ rule: RowRule, _ program: ConditionProgram) {
        let verdict: TablePlan.Verdict =
            switch rule.verdict {
            case .goOn: .goOn
            case .mark: .mark
            case .record(let action): .record(TablePlan.ActionPlan(action, program))
            }
        self.init(
            condition: program.add(rule.condition), verdict: verdict,
            sets: rule.sets.map { TablePlan.SetPlan($0, program) }, rule: rule)
    }
}
