import Delimited
import OpenAlloc

/// A table of a definition as its rows are decided: rules in objects that stay where they are, conditions as steps.
///
/// Rules of a definition are values of many parts; a row would copy each of them that it looks at.
final class TablePlan: Sendable {
    typealias Entry = ConditionProgram.Entry

    struct SetPlan: Sendable {
        let slot: Int
        let condition: Entry
        let expression: Expression
    }

    struct RowPlan: Sendable {
        let condition: Entry
        let verdict: Verdict
        let sets: [SetPlan]
        let rule: RowRule
    }

    enum Verdict: Sendable {
        case goOn, mark
        case record(ActionPlan)
    }

    struct RepairPlan: Sendable {
        let condition: Entry
        let rule: RepairRule
    }

    struct ExtractPlan: Sendable {
        let condition: Entry
        let rule: ExtractRule
    }

    /// One thing that a row may be.
    final class ActionPlan: Sendable {
        let condition: Entry
        let skip: String?
        let reject: RejectRule?
        let records: [RecordPlan]

        init(_ rule: ActionRule, _ program: inout ConditionBuilder) {
            condition = program.add(rule.condition)
            skip = rule.skip
            reject = rule.reject
            records = rule.records.map { RecordPlan($0, &program) }
        }
    }

    /// One record that a row becomes.
    final class RecordPlan: Sendable {
        let kind: RecordKind
        let rules: RecordRules
        let condition: Entry
        let sets: [SetPlan]

        init(_ rule: RecordRule, _ program: inout ConditionBuilder) {
            kind = rule.kind
            rules = rule.rules
            condition = program.add(rule.condition)
            sets = rule.sets.map { SetPlan($0, &program) }
        }
    }

    struct PatternPlan: Sendable {
        let template: BoundTemplate
        let rules: [ActionPlan]
        /// Whether the rules may all fail.
        let mayFail: Bool
    }

    /// What a row is by its action word.
    final class ActionsPlan: Sendable {
        let table: ActionTable
        /// By the place of a word in the table.
        let words: [[ActionPlan]]
        let patterns: [PatternPlan]
        let otherwise: [ActionPlan]

        init(_ table: ActionTable, _ program: inout ConditionBuilder) {
            self.table = table
            words = table.words.values.map { rules in rules.map { ActionPlan($0, &program) } }
            patterns = table.patterns.map { pattern in
                PatternPlan(
                    template: pattern.template, rules: pattern.rules.map { ActionPlan($0, &program) },
                    mayFail: pattern.rules.allSatisfy { $0.condition != nil })
            }
            otherwise = table.otherwise.map { ActionPlan($0, &program) }
        }
    }

    let table: TableDefinition
    let program: ConditionProgram
    let tests: NumericTests
    let repairs: [RepairPlan]
    let extracts: [ExtractPlan]
    let sets: [SetPlan]
    let rows: [RowPlan]
    let actions: ActionsPlan?
    let always: ActionPlan?
    let priceUnits: [Entry]
    let continuation: Entry?
    let anywhere: [(slot: Int, condition: Entry)]
    let defaults: RecordRules
    let securitySlots: [Int]
    let dates: [DatePattern]?
    let numbers: NumberStyle?
    let covers: Record.Coverage
    let allowsShortRows: Bool
    let group: GroupRule?
    let lookup: LookupRule?
    let captures: CaptureRule?
    let fill: [Int]
    let points: [Int]
    let joined: [Int]
    let provides: Bool
    let emits: Bool
    let emitsNothing: Bool

    init(_ table: TableDefinition) {
        self.table = table
        tests = NumericTests.of(table)
        var program = ConditionBuilder()
        repairs = table.repairs.map { RepairPlan(condition: program.add($0.condition), rule: $0) }
        extracts = table.extracts.map { ExtractPlan(condition: program.add($0.condition), rule: $0) }
        sets = table.sets.map { SetPlan($0, &program) }
        rows = table.rows.map { RowPlan($0, &program) }
        actions = table.actions.map { ActionsPlan($0, &program) }
        always = table.always.map { ActionPlan($0, &program) }
        priceUnits = table.priceUnits.map { program.add($0.condition) }
        continuation = table.continuation.map { program.add($0) }
        anywhere = table.anywhere.map { ($0.slot, program.add($0.condition)) }
        defaults = table.defaults
        securitySlots = table.securitySlots
        dates = table.dates
        covers = table.covers
        allowsShortRows = table.allowsShortRows
        group = table.group
        lookup = table.lookup
        captures = table.captures
        fill = table.fill
        points = table.points
        joined = table.joined
        numbers = table.numbers
        provides = table.provides != nil
        emits = !table.emit.isEmpty
        emitsNothing = table.emitsNothing
        self.program = ConditionProgram(program)
    }
}

extension TablePlan.SetPlan {
    init(_ set: Assignment, _ program: inout ConditionBuilder) {
        self.init(slot: set.slot, condition: program.add(set.condition), expression: set.expression)
    }
}

extension TablePlan.RowPlan {
    init(_ rule: RowRule, _ program: inout ConditionBuilder) {
        let verdict: TablePlan.Verdict =
            switch rule.verdict {
            case .goOn: .goOn
            case .mark: .mark
            case .record(let action): .record(TablePlan.ActionPlan(action, &program))
            }
        self.init(
            condition: program.add(rule.condition), verdict: verdict,
            sets: rule.sets.map { TablePlan.SetPlan($0, &program) }, rule: rule)
    }
}
