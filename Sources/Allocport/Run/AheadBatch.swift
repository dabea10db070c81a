import Delimited
import Digests
import Importing

/// Prepared classes as other threads see them: nobody changes the list any more.
final class ClassSnapshot: @unchecked Sendable {
    private let all: [PreparedClass]
    private let references: FlatMemory<Unmanaged<PreparedClass>>

    init(_ classes: [PreparedClass]) {
        all = classes
        references = FlatMemory(classes.map { .passUnretained($0) })
    }

    var count: Int { all.count }

    /// A class without counting references; it lives as long as the snapshot.
    @inline(__always)
    subscript(_ index: Int) -> Unmanaged<PreparedClass> { references[index] }
}

/// Rows of prepared classes of an input that is read ahead of its turn. Which accounts the input knows is settled when
/// the batch is handed over: until then it is kept which classes and accounts its rows were the first of.
///
/// One thread at a time uses it, see `RowBatch`. Of a class it looks at nothing that the run changes.
final class AheadBatch: RowBatch, @unchecked Sendable {
    /// The first row of a class, or of an account that rows name themselves.
    struct Use {
        /// How many units the batch had taken before.
        var unit: Int
        var line: Int
        var index: Int
        /// The account's place in `accounts`; empty for a class that has its account.
        var account: Range<Int>
    }

    let rows: PreparedBatch
    @exclusivity(unchecked) private(set) var classes: ClassSnapshot
    @exclusivity(unchecked) private(set) var uses: [Use] = []
    @exclusivity(unchecked) private(set) var accounts = FlatMemory<UInt8>([])
    @exclusivity(unchecked) private var seen: Set<Int> = []
    /// The class of the last row that has its account, and what the last row said that names its own.
    @exclusivity(unchecked) private var lastClass = -1
    @exclusivity(unchecked) private var lastAccount: (isOf: StableHash, place: Range<Int>) = (StableHash([]), 0..<0)

    init(_ classes: ClassSnapshot, _ rows: PreparedBatch) {
        self.classes = classes
        self.rows = rows
    }

    /// Begins with another input.
    func begin(_ classes: ClassSnapshot, metaID: [UInt8], _ checks: RecordChecks) {
        removeAll()
        self.classes = classes
        rows.begin(metaID: metaID, checks)
    }

    var mark: BatchMark { rows.mark }

    func use(_ desk: DigestDesk?, isAlone: Bool) { rows.use(desk, isAlone: isAlone) }

    /// Lines are those of a whole input, counted from its start.
    var needsLines: Bool { true }

    func removeAll() {
        rows.removeAll()
        uses.removeAll()
        accounts.removeAll()
        seen.removeAll()
        lastClass = -1
        lastAccount = (StableHash([]), 0..<0)
    }

    func take(_ values: RowValues, of index: Int, line: Int) -> Bool {
        guard index < classes.count else { return false }
        return classes[index]._withUnsafeGuaranteedRef { take(values, of: $0, index, line) }
    }

    @inline(__always)
    private func take(_ values: RowValues, of prepared: PreparedClass, _ index: Int, _ line: Int) -> Bool {
        let unit = rows.mark.units
        // Where something is to be said of the class's words, once an input, the run says it.
        guard prepared.isSound else { return false }
        if prepared.accountText < 0 {
            guard rows.take(values, of: prepared, line) else { return false }
            if index != lastClass { note(index, unit, line) }
            return true
        }
        let account = values.text(prepared.accountText)
        if account.isEmpty { return false }
        let known = accounts.view(lastAccount.place.lowerBound, lastAccount.place.count)
        let isKnown = prepared.account == lastAccount.isOf && account == known
        if !isKnown, account.withUnsafeBytes(RoundedNumber.isOne) { return false }
        guard rows.take(values, of: prepared, line) else { return false }
        if !isKnown { note(prepared, account, index, unit, line) }
        return true
    }

    @inline(never)
    private func note(_ index: Int, _ unit: Int, _ line: Int) {
        lastClass = index
        if seen.insert(index).inserted { uses.append(Use(unit: unit, line: line, index: index, account: 0..<0)) }
    }

    @inline(never)
    private func note(_ prepared: PreparedClass, _ account: ByteView, _ index: Int, _ unit: Int, _ line: Int) {
        let start = accounts.count
        accounts.append(account)
        lastAccount = (prepared.account, start..<accounts.count)
        uses.append(Use(unit: unit, line: line, index: index, account: lastAccount.place))
    }
}

// Rows that another thread has written before the input's turn.
extension InputSink {
    func accept(_ batch: AheadBatch, from start: BatchMark, to end: BatchMark) {
        for use in batch.uses where use.unit >= start.units && use.unit < end.units {
            batch.classes[use.index]._withUnsafeGuaranteedRef { prepared in
                if prepared.accountText < 0 {
                    if prepared.input != input { _ = admit(prepared, use.line) }
                } else {
                    _ = knows(
                        batch.accounts.view(use.account.lowerBound, use.account.count), of: prepared, use.line)
                }
            }
        }
        accept(batch.rows, from: start, to: end)
    }
}
