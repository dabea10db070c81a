import Delimited
import Importing
import OpenAlloc

/// What the rows of a class become: its form (`PreparedForm`), filled with its words.
///
/// A class is prepared only if nothing that the projection decides can differ between its rows: it decides by kinds,
/// words, signs and what is blank, which the class fixes. Where it looks at how large a number is (do units × price and
/// costs come to the amount) every row is checked (`PriceCheck`), and one that fails is left to the projection itself.
final class PreparedClass {
    /// One row of openalloc/transaction.
    final class Row {
        let template: RowTemplate
        /// What its content key is made of.
        let key: RowTemplate
        private let check: PriceCheck?
        private let isChecked: Bool
        let form: PreparedForm.Row
        /// Where its units are held against positions; −1 where they are not.
        @exclusivity(unchecked) var holding = -1
        /// What it is of where rows of inputs are held against each other; −1 where they are not.
        @exclusivity(unchecked) var topic: Int32 = -1

        init(_ form: PreparedForm.Row, _ record: borrowing Record, _ writer: any TableWriter) {
            template = form.template.filled(by: record, writer)
            key = form.key.filled(by: record, writer)
            check = form.check
            self.form = form
            isChecked = form.check != nil || form.exactCheck != nil
        }

        /// Whether units × price is the amount, where that must be.
        @inline(__always)
        func addsUp(_ values: RowValues) -> Bool {
            !isChecked || check?.isExact(values) == true || addsUpOnTheWhole(values)
        }

        /// The same where that is not told by the amount alone. Apart, so that no check is copied for a row without it.
        @inline(never)
        private func addsUpOnTheWhole(_ values: RowValues) -> Bool {
            if let check { return check.verdict(values) == true }
            return form.exactCheck?.passes(values) ?? true
        }

        /// Whether it differs from it: 1 when it does; nil where that cannot be told.
        fileprivate func mismatches(_ values: RowValues) -> Int? {
            if !isChecked { return 0 }
            if let addsUp = check?.verdict(values) { return addsUp ? 0 : 1 }
            switch form.exactCheck?.verdict(values) {
            case .addsUp: return 0
            case .differs: return 1
            case .unknown, nil: return nil
            }
        }
    }

    /// Most are one row.
    let first: Row
    /// The others, where there are more.
    let rest: [Row]
    /// Whether there are.
    let isOne: Bool
    /// What its rows are where they are no transactions.
    let position: PositionClass?
    /// The place of the date that must lie between the oldest and the newest plausible one; −1 for none.
    let tradedAt: Int
    /// The place of the date that must not lie before the oldest plausible one; −1 for none.
    let acquiredAt: Int
    /// The account that its rows name, as a sink knows accounts; where each row names its own, what else is said of it.
    let account: StableHash
    /// Which text of a row is its account; −1 where the class has the account.
    let accountText: Int
    /// Whether there is nothing about its words to be said of an input.
    let isSound: Bool
    /// The input that last took rows of it; −1 when none has.
    @exclusivity(unchecked) var input: Int
    /// The account as positions are held against it, and the days of it that the input is known to cover.
    let isAccountAssumed: Bool
    /// What is worked out for each row.
    private let program: RowProgram?
    private let derived: RowProgram?
    /// The same without counting references for every row.
    private let programs: (first: Unmanaged<RowProgram>?, second: Unmanaged<RowProgram>?)
    @exclusivity(unchecked) var heldAccount = StableHash.none
    @exclusivity(unchecked) var firstDay = Int.max
    @exclusivity(unchecked) var lastDay = Int.min

    /// What a sink knows of a class besides.
    struct Facts {
        let account: StableHash
        let isSound: Bool
        let input: Int
    }

    /// The class of a form whose texts the records of a row have.
    init(_ form: PreparedForm, _ records: [Record], _ writer: any TableWriter, _ facts: Facts) {
        (account, isSound, input) = (facts.account, facts.isSound, facts.input)
        (tradedAt, acquiredAt) = (form.tradedAt, form.acquiredAt)
        (accountText, isAccountAssumed) = (form.accountText, form.isAccountAssumed)
        position = form.position.map { PositionClass($0, records[0]) }
        (program, derived) = (form.program, form.derived)
        programs = (form.program.map { .passUnretained($0) }, form.derived.map { .passUnretained($0) })
        first = Row(form.first, records[form.first.record], writer)
        rest = form.rest.map { Row($0, records[$0.record], writer) }
        isOne = rest.isEmpty
    }

    /// Whether what depends on how large a row's values are holds.
    @inline(__always)
    func accepts(_ values: RowValues, _ times: PlausibleTimes) -> Bool {
        isPlain(values, times) && first.addsUp(values) && (isOne || doOthersAddUp(values))
    }

    @inline(never)
    private func doOthersAddUp(_ values: RowValues) -> Bool {
        for row in rest where !row.addsUp(values) { return false }
        return true
    }

    /// How many of a row's amounts differ from units × price and costs, about which there is a warning each; nil where
    /// the row is to be projected.
    @inline(never)
    func mismatches(_ values: RowValues, _ times: PlausibleTimes) -> Int? {
        guard isPlain(values, times), var count = first.mismatches(values) else { return nil }
        for row in rest {
            guard let more = row.mismatches(values) else { return nil }
            count += more
        }
        return count
    }

    /// Works out what is to be worked out; false when a number or date is not as in the class.
    @inline(__always)
    private func isPlain(_ values: RowValues, _ times: PlausibleTimes) -> Bool {
        if let first = programs.first, !first._withUnsafeGuaranteedRef({ $0.isTold(values) || $0.run(values) }) {
            return false
        }
        if let second = programs.second, !second._withUnsafeGuaranteedRef({ $0.isTold(values) || $0.run(values) }) {
            return false
        }
        if acquiredAt >= 0, values.moment(acquiredAt).secondsSince1970 < times.first { return false }
        return tradedAt < 0 || times.contains(values.moment(tradedAt).secondsSince1970)
    }
}
