import Delimited
import Importing
import OpenAlloc

/// Takes the units of one input: projects, checks, merges, writes, and counts every one of them in exactly one outcome.
final class InputSink: RecordSink {
    let state: RunState
    let input: Int
    let exportedAt: Instant?
    /// The same bytes were read before: everything that is data is a duplicate.
    let isTwin: Bool
    /// What names the input in its rows, or stands for that (`late`).
    @exclusivity(unchecked) private(set) var metaBytes: [UInt8]
    /// The same, for rows of prepared classes.
    @exclusivity(unchecked) private(set) var name: SourceName
    /// Set as long as rows may have a stand-in for the name.
    @exclusivity(unchecked) private(set) var late: LateName?
    /// The name itself, also where rows have a stand-in.
    var metaDigits: [UInt8] { late?.digits() ?? metaBytes }
    @exclusivity(unchecked) var checks: RecordChecks
    let times: PlausibleTimes
    @exclusivity(unchecked) var pending: [TransactionRow] = []
    @exclusivity(unchecked) var pendingStored = PendingRows()
    @exclusivity(unchecked) var accountRow = PendingRows()
    @exclusivity(unchecked) var found = Warnings()
    @exclusivity(unchecked) private(set) var knownAccounts: Set<StableHash> = []
    @exclusivity(unchecked) private var accountBytes: [UInt8] = []
    /// What the last key of an account was made of.
    @exclusivity(unchecked) private var hashedAccount: (bytes: [UInt8], key: StableHash) = ([], .none)
    @exclusivity(unchecked) private var lastAccount: StableHash?
    private(set) var accountAssumed: String?
    /// The account that the last row of a prepared class has named itself.
    @exclusivity(unchecked) var rowAccount = RowAccount()
    /// Units of prepared classes, added to the report in the end.
    @exclusivity(unchecked) var acceptedUnits = 0
    @exclusivity(unchecked) var duplicateUnits = 0
    /// What the file calls the column of a field.
    private var columnName: @Sendable (String) -> String? = { _ in nil }
    /// How many units the importer has counted, if it has.
    private var unitsRead: Int?
    /// Memory for content keys.
    let keyMemory = UnsafeMutablePointer<UInt8>.allocate(capacity: InputSink.keyRoom + 8)
    static let keyRoom = 4096
    @exclusivity(unchecked) var verdictLine: [UInt8] = []
    @exclusivity(unchecked) var verdictRows: [UInt8] = []

    /// What another thread has read of the input.
    let guess: InputGuess?
    /// Where its lines come from; nil when nobody wants to know what is wrong with them.
    private let source: (any InputSource)?
    /// Asked for once a line stops short.
    private lazy var cutLine = source.flatMap { CutLine(of: $0) }

    /// - Parameter digest: makes the name where rows have one and the report does not know it yet.
    init(
        state: RunState, input: Int, exportedAt: Instant?, isTwin: Bool, source: (any InputSource)? = nil,
        guess: InputGuess? = nil, digest: LateDigest? = nil
    ) {
        self.guess = guess
        self.source = source
        self.state = state
        self.input = input
        self.exportedAt = exportedAt
        self.isTwin = isTwin
        if let digest, state.transactions.isExtended, state.inputs[input].sha256.isEmpty {
            let name = LateName(digest)
            late = state.putOff(name) ? name : nil
            metaBytes = late == nil ? name.digits() : LateName.standIn
        } else {
            metaBytes = Array(state.inputs[input].sourceMetaID.utf8)
        }
        name = SourceName(metaBytes)
        checks = state.freshChecks(exportedAt: exportedAt)
        times = checks.plausible
    }

    deinit { keyMemory.deallocate() }

    /// From now on rows have the name.
    func settleName() {
        guard let late else { return }
        state.endPuttingOff()
        metaBytes = late.digits()
        name = SourceName(metaBytes)
        self.late = nil
    }

    // MARK: RecordSink

    /// A twin has no rows of its own, and a single input no others.
    var memory: ImportMemory? {
        isTwin || state.inputCount < 2 || !state.preparesClasses ? nil : state.importMemory
    }

    func accept(_ records: ArraySlice<Record>, from units: [SourceUnit], warnings: [Finding]) {
        if isTwin {
            settle(units, .duplicate)
            return
        }
        pending.removeAll(keepingCapacity: true)
        pendingStored.removeAll()
        found.dropUnit()
        let line = units.first?.line ?? 0
        do throws(Finding) {
            // A buffer lends its records, a slice copies them.
            let first = records.startIndex
            try records.withUnsafeBufferPointer { (records) throws(Finding) in
                for index in records.indices { try prepare(records[index], first + index) }
                try RecordChecks.requireUse(ofUnits: records)
            }
        } catch {
            for index in records.indices where records[index].covers == .days { lose(records[index], line: line) }
            reject(inFile(error), from: units)
            return
        }
        for finding in warnings { state.inputs[input].warn(Issue(finding, line: line)) }
        report(line)
        commit(records, units, line)
    }

    func acceptRows(_ rows: [TableRow], from unit: SourceUnit, warnings: [Finding]) {
        if isTwin {
            settle([unit], .duplicate)
            return
        }
        found.dropUnit()
        do throws(Finding) {
            for row in rows { try checks.check(row, &found) }
        } catch {
            return reject(error, from: [unit])
        }
        for finding in warnings { state.inputs[input].warn(Issue(finding, line: unit.line)) }
        report(unit.line)
        commit(rows, unit)
    }

    private func report(_ line: Int) {
        for finding in found.findings { state.inputs[input].warn(Issue(inFile(finding), line: line)) }
        found.keepUnit()
    }

    func readsColumns(_ column: @escaping @Sendable (String) -> String?) { columnName = column }

    /// What was found out about a record, with the column that its user sees.
    private func inFile(_ finding: Finding) -> Finding {
        guard !finding.column.isEmpty, let name = columnName(finding.column) else { return finding }
        var finding = finding
        finding.column = name
        return finding
    }

    /// After the last unit: warnings that were only counted count.
    func finish() {
        settleName()
        state.report.preparedUnits += acceptedUnits + duplicateUnits
        state.inputs[input].units += acceptedUnits + duplicateUnits
        state.inputs[input].outcomes[.accepted] += acceptedUnits
        state.inputs[input].outcomes[.duplicate] += duplicateUnits
        (acceptedUnits, duplicateUnits) = (0, 0)
        // From here on the report does not add up if another number was handed over.
        if let unitsRead { state.inputs[input].units = unitsRead }
        for (code, count) in found.hidden { state.inputs[input].warningCounts[code.rawValue, default: 0] += count }
    }

    func reject(_ finding: Finding, from units: [SourceUnit]) {
        if isTwin {
            settle(units, .duplicate)
            return
        }
        let isShort = finding.code == .rowShort || finding.code == .quoteMalformed
        for unit in units {
            let finding = isShort ? cutLine?.advice(on: finding, unit) ?? finding : finding
            state.rejects.reject(finding, unit)
            if state.inputCount > 1 { state.memory.note(reject: finding, unit.raw, input: input) }
            state.inputs[input].fail(Issue(finding, line: unit.line))
            state.report.rejectsByCode[finding.code.rawValue, default: 0] += 1
        }
        settle(units, .rejected, code: finding.code.rawValue)
    }

    func lose(_ position: borrowing Record, line: Int) {
        if !isTwin { state.lostPositions.note(position, input: input, line: line) }
    }

    func mark(_ unit: SourceUnit, _ outcome: Outcome, code: String) {
        switch outcome {
        case .preamble where state.headerless.contains(input): return reject(.noHeader, from: [unit])
        case .preamble, .header, .section, .footer: state.rejects.keep(context: unit.raw, outcome)
        case .blank: state.rejects.keep(blank: unit.raw)
        default: break
        }
        // `accept` alone accepts: what an importer marks so has made no row.
        settle([unit], outcome == .accepted ? .skipped : outcome, code: code)
    }

    func note(account record: borrowing Record, line: Int) {
        if isTwin { return }
        storeAccount(record, line)
    }

    func keepContext(_ unit: SourceUnit) { state.rejects.keep(needed: unit.raw) }

    func setRowAbove(_ unit: SourceUnit?) { state.rejects.setRowAbove(unit) }

    func warn(_ finding: Finding, line: Int?) {
        guard finding.isOfCutInput else {
            let likelier = finding.code == .importerFallback ? state.inputs[input].likelier : nil
            return state.inputs[input].warn(Issue(likelier.map(finding.naming) ?? finding, line: line))
        }
        // No line of what is missing can be rejected; the run must not pass for a whole one.
        state.inputs[input].fail(Issue(finding, line: line))
        state.inputs[input].exitCode = 65
    }

    func hasRead(units: Int) { unitsRead = units }

    var takesGuesses: Bool { state.takesGuesses && !isTwin }

    func takeBack() { state.isTakenBack = true }

    func hasNoHoldings() {
        // Units are held against positions alone.
        if state.inputCount == 1 { state.held = nil }
    }

    func listsHoldings(of moment: Instant) { if !isTwin { state.listedAt[input] = moment } }

    func isEncoded(as name: String) {
        state.inputs[input].encoding = name
        state.rejects.isEncoded(as: name)
    }

    func setEnvelope(_ envelope: MarkupEnvelope) { state.rejects.setEnvelope(envelope) }

    // MARK: records

    private func prepare(_ record: borrowing Record, _ index: Int) throws(Finding) {
        try checks.check(record, &found)
        let first = pending.count
        try state.projector.project(record, at: index, into: &pending)
        for place in first..<pending.count { try checks.check(pending[place], of: record, &found) }
        try state.projector.splitCosts(record, at: index, &pending, from: first)
        switch record.kind.shape {
        case .position, .security, .account: break
        default: return
        }
        try ReferenceProjection(exportedAt: exportedAt)
            .project(record, extended: state.transactions.isExtended, into: &pendingStored)
    }

    private func commit(_ records: ArraySlice<Record>, _ units: [SourceUnit], _ line: Int) {
        verdictRows.removeAll(keepingCapacity: true)
        var kept = 0
        var lateRows = 0
        let late = state.lateUnits.count
        let first = records.startIndex
        records.withUnsafeBufferPointer { records in
            for index in pending.indices {
                let row = pending[index]
                if write(row, records[row.record - first], line, late, &lateRows) { kept += 1 }
            }
        }
        let isUnit = pendingStored.holdings == 1 && pending.isEmpty && units.count == 1 && state.verdicts == nil
        storePending(line, unit: isUnit ? nil : late)
        kept += pendingStored.count
        lateRows += pendingStored.holdings
        records.withUnsafeBufferPointer { records in
            for index in records.indices {
                noteAccount(records[index], line)
                if records[index].isAccountAssumed, records[index].kind.shape == .position {
                    noteAssumed(records[index])
                }
            }
        }
        let isDuplicate = kept == 0 && !pending.isEmpty
        let marks = settle(units, isDuplicate ? .duplicate : .accepted, isLate: lateRows > 0)
        if lateRows > 0, !isUnit {
            // Rows that a later input cannot supersede keep their unit accepted; references say nothing of their own.
            let firm = kept - lateRows - (pendingStored.count - pendingStored.holdings)
            state.lateUnits.append(
                LateUnit(input: input, unitCount: units.count, rowsLeft: lateRows + max(0, firm), verdicts: marks))
        }
    }

    /// Writes a row unless an earlier input had it; whether it was written.
    private func write(
        _ row: TransactionRow, _ record: borrowing Record, _ line: Int, _ late: Int, _ lateRows: inout Int
    ) -> Bool {
        state.report.rowsMade += 1
        let salt = ContentKey.salt(of: record, input: metaDigits)
        var rowID: StableHash?
        if state.countsRows {
            let key = state.keys.key(row, record, salt: salt)
            // The table of keys may be large: what is asked of it comes while the row is begun.
            state.occurrences.prefetch(key)
            state.transactions.begin(row, record)
            if record.isAccountAssumed {
                noteAssumed(record)
                if state.inputCount > 1 { noteMerging(state.keys.unsalted()) }
            }
            state.held?.cover(record, input: input)
            let (occurrence, isKept) = state.count(key, input: input, line: line)
            state.told?.take(row, record, input: input, isMerged: !isKept)
            if !isKept {
                state.report.rowsMerged += 1
                return false
            }
            if state.transactions.isExtended { rowID = key.numbered(occurrence) }
        } else {
            state.transactions.begin(row, record)
            if record.isAccountAssumed {
                noteAssumed(record)
                if state.inputCount > 1 { noteMerging(state.keys.key(row, record, salt: [])) }
            }
        }
        state.transactions.complete(row, record, rowID: rowID, metaID: metaBytes, line: line)
        let offset = state.writeTransaction()
        noteLots(row, record, offset: offset, line, late, &lateRows, salt: salt)
        state.held?.take(row, record, input: input, line: line)
        if state.verdicts != nil { verdict(row, record) }
        return true
    }

    private func noteAssumed(_ record: borrowing Record) {
        if accountAssumed == nil { accountAssumed = record.string(.account) }
    }

    /// Counts a row of an unnamed account, by its key without salt, that would merge with one of another input.
    private func noteMerging(_ key: StableHash) {
        if !state.assumed.count(key, input: input).isKept { state.inputs[input].wouldMerge += 1 }
    }

    private func noteLots(
        _ row: borrowing TransactionRow, _ record: borrowing Record, offset: Int, _ line: Int, _ late: Int,
        _ lateRows: inout Int, salt: [UInt8]
    ) {
        guard state.tracksLots, row.action == .buysell, row.units.isNegative else { return }
        let key = state.keys.lotKey(record, salt: salt)
        if row.kind == .closedLot {
            state.lots.take(
                lot: key, units: row.units, input: input, line: line,
                label: String(decoding: TransactionTable.security(of: record), as: UTF8.self))
        } else {
            lateRows += 1
            state.lots.take(
                LotMatcher.Sale(
                    key: key, units: row.units, offset: offset, length: state.transactions.row.count, unit: late,
                    input: input))
        }
    }

    private static let accountTexts = [Record.Text.account, .accountTitle, .accountKind, .institution]

    /// Every account that a transaction names has its row, made once an input.
    private func noteAccount(_ record: borrowing Record, _ line: Int) {
        switch record.kind.shape {
        case .position, .security, .account: return
        default: break
        }
        noteAccount(record, key: accountKey(record), line)
    }

    /// Hands over the row of an account, once an input; whether it did.
    @discardableResult
    func noteAccount(_ record: borrowing Record, key: StableHash, _ line: Int) -> Bool {
        if key == lastAccount { return false }
        lastAccount = key
        guard knownAccounts.insert(key).inserted else { return false }
        storeAccount(record, line)
        return true
    }

    /// The same of an account whose row says nothing that the table does not have.
    func noteKnownAccount(_ key: StableHash) {
        if key == lastAccount { return }
        lastAccount = key
        guard knownAccounts.insert(key).inserted else { return }
        state.report.rowsMade += 1
        state.report.rowsMerged += 1
    }

    func accountKey(_ record: borrowing Record) -> StableHash {
        accountBytes.removeAll(keepingCapacity: true)
        for text in InputSink.accountTexts {
            accountBytes.append(contentsOf: record.bytes(text))
            accountBytes.append(0x1F)
        }
        if accountBytes != hashedAccount.bytes { hashedAccount = (accountBytes, StableHash(accountBytes)) }
        return hashedAccount.key
    }

    /// Whether the account that a record names has its row.
    func isAccountKnown(_ record: borrowing Record) -> Bool { knownAccounts.contains(accountKey(record)) }
}
