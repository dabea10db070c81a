import Delimited
import Digests
import Importing
import OpenAlloc

/// Accounts that rows of classes have named, whose rows stand in their table as they would come again.
struct RowAccounts {
    private var keys: [StableHash: StableHash] = [:]
    /// How many changes the table's rows have had then.
    private var changes = 0

    /// The account as a sink knows it; nil when its row may say something new.
    func key(of name: StableHash, _ changes: Int?) -> StableHash? { changes == self.changes ? keys[name] : nil }

    /// Keeps an account whose row was handed over.
    mutating func keep(_ name: StableHash, key: StableHash, _ changes: Int?) {
        guard let changes else { return }
        if changes != self.changes {
            keys.removeAll()
            self.changes = changes
        }
        keys[name] = key
    }
}

/// The account that a row of a class has named.
struct RowAccount: ~Copyable {
    /// What the class says of accounts besides (`PreparedClass.account`).
    var isOf = StableHash([])
    var text = FlatMemory<UInt8>([])
}

// Rows whose class was prepared: cells → bytes.
extension InputSink {
    func prepare(_ recordClass: RecordClass) -> Int? {
        let record = recordClass.examples.0.record
        guard state.preparesClasses, !isTwin, state.verdicts == nil, !state.tracksLots, !state.classes.isFull,
            recordClass.account == nil ? isAccountKnown(record) : takesFreeAccounts,
            !record.isAccountAssumed || state.inputCount == 1
        else { return nil }
        // What is wrong with a word of the class is to be said of each row.
        var warnings = Warnings()
        guard (try? checks.names(record, &warnings)) != nil, warnings.findings.isEmpty else { return nil }
        guard let form = PreparedForm(recordClass, tools(record)), form.position == nil else { return nil }
        let facts = PreparedClass.Facts(
            account: accountKey(record), isSound: RecordChecks.hasSoundNames(record), input: input)
        let new = PreparedClass(form, [record], state.writer, facts)
        return hold(new, [record]) ? state.classes.append(new, record) : nil
    }

    func prepare(form: RecordClass) -> Int? {
        let record = form.examples.0.record
        guard state.preparesClasses, !isTwin, state.verdicts == nil, !state.tracksLots,
            form.account == nil || takesFreeAccounts, !record.isAccountAssumed || state.inputCount == 1,
            let new = PreparedForm(form, tools(record))
        else { return nil }
        return state.classes.append(new)
    }

    func prepare(_ records: [Record], of form: Int) -> Int? {
        guard !isTwin, !state.classes.isFull, let record = records.first else { return nil }
        let form = state.classes.form(form)
        let account = accountKey(record)
        // Rows that are no transactions bring their account's row.
        let isKnown = form.position != nil || form.accountText >= 0 || knownAccounts.contains(account)
        guard records.allSatisfy({ accountKey($0) == account }) else { return nil }
        let isSound = records.allSatisfy { RecordChecks.hasSoundNames($0) }
        // What is wrong with a word is said of the first row that has it, and that an account was assumed.
        guard isSound || (isKnown && records.allSatisfy { checks.haveSaidAll(of: $0) }),
            !record.isAccountAssumed || accountAssumed != nil
        else { return nil }
        if let position = form.position {
            guard position.exportedAt == exportedAt else { return nil }
            let facts = PreparedClass.Facts(account: account, isSound: isSound, input: input)
            return state.classes.append(PreparedClass(form, [record], state.writer, facts), record)
        }
        // An account that the input does not know yet gets its row with the first one of the class.
        let facts = PreparedClass.Facts(account: account, isSound: isSound, input: isKnown ? input : -1)
        let new = PreparedClass(form, records, state.writer, facts)
        return hold(new, records) ? state.classes.append(new, record) : nil
    }

    private func tools(_ record: borrowing Record) -> PreparedForm.Tools {
        PreparedForm.Tools(
            projector: state.projector, columns: state.options.columns, writer: state.writer,
            salt: ContentKey.salt(of: record, input: metaDigits), exportedAt: exportedAt)
    }

    /// The first row of a class that an earlier input has prepared: its account gets its row. False when something is to
    /// be said of the class's words, once an input.
    @inline(never)
    func admit(_ prepared: PreparedClass, _ line: Int) -> Bool {
        guard prepared.isSound else { return false }
        if prepared.accountText < 0 {
            guard let record = state.classes.record(of: prepared.account) else { return false }
            noteAccount(record, key: prepared.account, line)
        }
        prepared.input = input
        (prepared.firstDay, prepared.lastDay) = (.max, .min)
        return true
    }

    /// Whether rows may name accounts of their own: not where their units are held against an account's positions.
    var desk: DigestDesk? { state.folder.desk }
    var takesFreeAccounts: Bool { !state.looksAtRows && !state.tracksLots }

    /// The account that a row names, which gets its row; mostly it is that of the row before.
    @inline(__always)
    func knows(_ account: ByteView, of prepared: PreparedClass, _ line: Int) -> Bool {
        let isLast = rowAccount.isOf == prepared.account && rowAccount.text.view(0, rowAccount.text.count) == account
        return isLast || note(account, of: prepared, line)
    }

    @inline(never)
    private func note(_ account: ByteView, of prepared: PreparedClass, _ line: Int) -> Bool {
        if account.isEmpty || account.withUnsafeBytes(RoundedNumber.isOne) { return false }
        let name = prepared.account.extended(account)
        if let key = state.accounts.key(of: name, state.stored[.account]?.changes) {
            noteKnownAccount(key)
        } else {
            guard var record = state.classes.record(of: prepared.account) else { return false }
            record.set(.account, account)
            let key = accountKey(record)
            if noteAccount(record, key: key, line) {
                state.accounts.keep(name, key: key, state.stored[.account]?.changes)
            }
        }
        rowAccount = RowAccount(isOf: prepared.account, text: FlatMemory(copying: account))
        return true
    }

    func accept(_ values: RowValues, of index: Int, from unit: SourceUnit) -> Bool {
        state.classes[index]._withUnsafeGuaranteedRef { accept(values, of: $0, from: unit) }
    }

    @inline(__always)
    private func accept(_ values: RowValues, of prepared: PreparedClass, from unit: SourceUnit) -> Bool {
        if isTwin { return false }
        if let position = prepared.position { return accept(values, position, of: prepared, unit) }
        if prepared.accepts(values, times) { return take(values, of: prepared, unit) }
        return takeMismatched(values, of: prepared, unit)
    }

    /// Takes a row that warns of nothing but an amount that does not add up, when such warnings are only counted.
    @inline(never)
    private func takeMismatched(_ values: RowValues, of prepared: PreparedClass, _ unit: SourceUnit) -> Bool {
        guard found.isOnlyCounted(.amountMismatch), let count = prepared.mismatches(values, times),
            take(values, of: prepared, unit)
        else { return false }
        found.count(.amountMismatch, count)
        return true
    }

    @inline(__always)
    private func take(_ values: RowValues, of prepared: PreparedClass, _ unit: SourceUnit) -> Bool {
        guard prepared.input == input || admit(prepared, unit.line) else { return false }
        let account = prepared.accountText
        if account >= 0, !knows(values.text(account), of: prepared, unit.line) { return false }
        if state.countsRows { return acceptCounted(prepared, values, unit) }
        write(prepared.first, values, unit.line, StableHash.none)
        state.report.rowsMade += 1
        if !prepared.isOne { writeOthers(of: prepared, values, unit.line) }
        acceptedUnits += 1
        return true
    }

    @inline(never)
    private func writeOthers(of prepared: PreparedClass, _ values: RowValues, _ line: Int) {
        for row in prepared.rest { write(row, values, line, StableHash.none) }
        state.report.rowsMade += prepared.rest.count
    }

    /// Finds where the units of a class are held against positions; false where each row must be looked at.
    private func hold(_ new: PreparedClass, _ records: [Record]) -> Bool {
        guard state.looksAtRows else { return true }
        for row in [new.first] + new.rest {
            let record = records[row.form.record]
            if let topic = state.told?.topic(of: row.form.example, record) {
                if row.form.units < 0 || (row.form.price < 0 && (row.form.example.price ?? .one) != .one) {
                    return false
                }
                row.topic = topic
            }
            guard let place = state.held?.place(of: row.form.example, record) else { continue }
            if row.form.units < 0 || (row.form.price < 0 && row.form.example.price != nil)
                || HeldUnits.mayBeShort(row.form.example, record)
            {
                return false
            }
            row.holding = place
        }
        if !records[0].isAccountAssumed, let account = state.held?.account(of: records[0]) { new.heldAccount = account }
        return true
    }

    /// A row's day is covered.
    @inline(__always)
    private func cover(_ prepared: PreparedClass, _ day: Int) {
        if day >= prepared.firstDay, day <= prepared.lastDay { return }
        guard !prepared.isAccountAssumed,
            let days = state.held?.cover(account: prepared.heldAccount, day: day, input: input)
        else { return }
        (prepared.firstDay, prepared.lastDay) = (days.lowerBound, days.upperBound)
    }

    /// The units of a row, as it has them.
    @inline(__always)
    private func units(_ row: PreparedClass.Row, _ values: RowValues) -> ExactDecimal? {
        let number = values.number(row.form.units)
        let magnitude = Int128(truncatingIfNeeded: number.coefficient.magnitude)
        let isNegative = row.form.example.units.isNegative
        return ExactDecimal(coefficient: isNegative ? -magnitude : magnitude, scale: Int(number.scale))
    }

    /// The units of a row that stands.
    @inline(__always)
    private func move(_ row: PreparedClass.Row, _ values: RowValues, _ day: Int, _ line: Int) {
        guard row.holding >= 0, let units = units(row, values) else { return }
        let price = row.form.price >= 0 ? values.number(row.form.price) : nil
        let isOne = price.map { $0.coefficient == 1 && $0.scale == 0 } ?? false
        let isSale = HeldUnits.maySell(row.form.example.kind) && units.isNegative && !isOne
        state.held?.take(units, at: row.holding, day: day, saleLine: isSale ? line : 0, input: input)
    }

    /// Keeps a row that other inputs may tell of as well.
    private func tell(_ row: PreparedClass.Row, _ values: RowValues, _ day: Int, isMerged: Bool) {
        guard row.topic >= 0, let units = units(row, values) else { return }
        var price = row.form.example.price
        if row.form.price >= 0 {
            let number = values.number(row.form.price)
            price = ExactDecimal(coefficient: Int128(number.coefficient.magnitude), scale: Int(number.scale))
        }
        state.told?.take(units, price, of: row.topic, day: day, input: input, isMerged: isMerged)
    }

    /// Writes the rows that no earlier input had; the unit is a duplicate when there are none.
    private func acceptCounted(_ prepared: PreparedClass, _ values: RowValues, _ unit: SourceUnit) -> Bool {
        guard let key = key(prepared.first, values) else { return false }
        let seconds = Int(truncatingIfNeeded: values.moment(prepared.tradedAt).secondsSince1970)
        let day = (seconds - (seconds < 0 ? 86_399 : 0)) / 86_400
        if state.held != nil { cover(prepared, day) }
        var isKept = false
        if prepared.isOne {
            isKept = write(prepared.first, key, values, unit.line, day)
        } else {
            // No row is written before it is clear that all have their keys.
            var keys: [StableHash] = []
            for row in prepared.rest {
                guard let other = self.key(row, values) else { return false }
                keys.append(other)
            }
            isKept = write(prepared.first, key, values, unit.line, day)
            for (row, other) in zip(prepared.rest, keys) {
                isKept = write(row, other, values, unit.line, day) || isKept
            }
        }
        if isKept { acceptedUnits += 1 } else { duplicateUnits += 1 }
        return true
    }

    @inline(__always)
    private func key(_ row: PreparedClass.Row, _ values: RowValues) -> StableHash? {
        guard let count = row.key.write(values, to: keyMemory, room: InputSink.keyRoom) else { return nil }
        return StableHash(padded: keyMemory, count: count)
    }

    /// Writes a row unless an earlier input had it; whether it was written.
    private func write(_ row: PreparedClass.Row, _ key: StableHash, _ values: RowValues, _ line: Int, _ day: Int)
        -> Bool
    {
        state.report.rowsMade += 1
        // Most rows are the first of their kind: while the table loads, the id that they then have is made.
        state.occurrences.prefetch(key)
        let first = state.transactions.isExtended ? key.numbered(1) : StableHash.none
        let (occurrence, isKept) = state.count(key, input: input, line: line)
        if state.told != nil { tell(row, values, day, isMerged: !isKept) }
        if !isKept {
            state.report.rowsMerged += 1
            return false
        }
        let id = occurrence == 1 || !state.transactions.isExtended ? first : key.numbered(occurrence)
        write(row, values, line, id)
        move(row, values, day, line)
        return true
    }

    @inline(__always)
    private func write(_ row: PreparedClass.Row, _ values: RowValues, _ line: Int, _ id: StableHash) {
        guard let spool = state.openTransactions() else { return }
        row.template.write(values, line, id, name, &state.textCells, to: spool)
        state.transactionRows += 1
    }
}
