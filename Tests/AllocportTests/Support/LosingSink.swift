import Digests
import Importing
import OpenAlloc

/// What an importer, or somebody between it and the run, may do wrong.
enum LostUnit: CaseIterable {
    /// All is right.
    case none
    /// A unit by itself is not handed over.
    case unit
    /// A unit is handed over twice.
    case twice
    /// A batch says that it has taken a row, and has not.
    case row
    /// Rows that a batch has taken are not handed over.
    case batch
}

/// Passes on what an importer says, with one mistake.
final class LosingSink: RecordSink {
    private let sink: any RecordSink
    private let lost: LostUnit
    /// The unit, of those that are handed over by themselves, that it concerns.
    private var units = 3
    private(set) var isDone = false

    init(_ sink: any RecordSink, _ lost: LostUnit) {
        self.sink = sink
        self.lost = lost
    }

    private func pass(_ body: () -> Void) {
        units -= 1
        if units == 0, lost == .unit || lost == .twice {
            isDone = true
            if lost == .unit { return }
            body()
        }
        body()
    }

    func accept(_ records: ArraySlice<Record>, from units: [SourceUnit], warnings: [Finding]) {
        pass { sink.accept(records, from: units, warnings: warnings) }
    }
    func acceptRows(_ rows: [TableRow], from unit: SourceUnit, warnings: [Finding]) {
        pass { sink.acceptRows(rows, from: unit, warnings: warnings) }
    }
    func reject(_ finding: Finding, from units: [SourceUnit]) { pass { sink.reject(finding, from: units) } }
    func mark(_ unit: SourceUnit, _ outcome: Outcome, code: String) {
        pass { sink.mark(unit, outcome, code: code) }
    }
    func accept(_ values: RowValues, of prepared: Int, from unit: SourceUnit) -> Bool {
        var isTaken = true
        pass { isTaken = sink.accept(values, of: prepared, from: unit) }
        return isTaken
    }
    func makeBatch() -> (any RowBatch)? { sink.makeBatch().map { LosingBatch($0, loses: lost == .row && !isDone) } }
    func accept(_ batch: any RowBatch, from start: BatchMark, to end: BatchMark) {
        var batch = batch
        if let losing = batch as? LosingBatch {
            if losing.hasLost { isDone = true }
            batch = losing.batch
        }
        if lost == .batch, !isDone, end.units > start.units {
            isDone = true
            return
        }
        sink.accept(batch, from: start, to: end)
    }

    func hasRead(units: Int) { sink.hasRead(units: units) }
    func note(account record: borrowing Record, line: Int) { sink.note(account: record, line: line) }
    func warn(_ finding: Finding, line: Int?) { sink.warn(finding, line: line) }
    func setEnvelope(_ envelope: MarkupEnvelope) { sink.setEnvelope(envelope) }
    func keepContext(_ unit: SourceUnit) { sink.keepContext(unit) }
    func setRowAbove(_ unit: SourceUnit?) { sink.setRowAbove(unit) }
    var memory: ImportMemory? { sink.memory }
    var guess: InputGuess? { sink.guess }
    var desk: DigestDesk? { sink.desk }
    var takesFreeAccounts: Bool { sink.takesFreeAccounts }
    var takesGuesses: Bool { sink.takesGuesses }
    func takeBack() { sink.takeBack() }
    func hasNoHoldings() { sink.hasNoHoldings() }
    func listsHoldings(of moment: Instant) { sink.listsHoldings(of: moment) }
    func isEncoded(as name: String) { sink.isEncoded(as: name) }
    func prepare(_ recordClass: RecordClass) -> Int? { sink.prepare(recordClass) }
    func prepare(form: RecordClass) -> Int? { sink.prepare(form: form) }
    func prepare(_ records: [Record], of form: Int) -> Int? { sink.prepare(records, of: form) }
    func workAside() -> (@Sendable () -> Void)? { sink.workAside() }
    func passedBlock() { sink.passedBlock() }
}

/// A batch that may lose a row.
private final class LosingBatch: RowBatch, @unchecked Sendable {
    let batch: any RowBatch
    private let loses: Bool
    private(set) var hasLost = false

    init(_ batch: any RowBatch, loses: Bool) {
        self.batch = batch
        self.loses = loses
    }

    func take(_ values: RowValues, of prepared: Int, line: Int) -> Bool {
        if loses, !hasLost {
            hasLost = true
            return true
        }
        return batch.take(values, of: prepared, line: line)
    }
    var needsLines: Bool { batch.needsLines }
    var mark: BatchMark { batch.mark }
    func removeAll() { batch.removeAll() }
    func use(_ desk: DigestDesk?, isAlone: Bool) { batch.use(desk, isAlone: isAlone) }
}
