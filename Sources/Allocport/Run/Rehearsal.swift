import Delimited
import Importing
import OpenAlloc

/// What an importer says of one input before the input's turn, to be said again to the run.
///
/// Reading an input is most of the work, and needs nothing of the run; only what comes of it must be handed over in order.
/// So the outcome is that of reading it in its turn. One thread at a time uses it.
final class Rehearsal: RecordSink {
    /// What was said; units, records and findings stand in lists of their own.
    private enum Event {
        case records(Range<Int>, units: Range<Int>, warnings: Range<Int>)
        case rows([TableRow], unit: Int, warnings: Range<Int>)
        case reject(finding: Int, units: Range<Int>)
        case lost(record: Int, line: Int)
        case mark(unit: Int, Outcome, code: String)
        case account(record: Int, line: Int)
        case columns(@Sendable (String) -> String?)
        case warning(finding: Int, line: Int?)
        case envelope(MarkupEnvelope)
        case context(unit: Int)
        case rowAbove(unit: Int?)
        case noHoldings
        case holdings(of: Instant)
        case encoded(String)
        case hasRead(units: Int)
    }

    private var events: [Event] = []
    private var units: [SourceUnit] = []
    private var records: [Record] = []
    private var findings: [Finding] = []
    /// The bytes of the units.
    private let memory = ByteArena()
    private var failure: InputError?

    /// Larger inputs are read in their turn: what is said of one takes about ten times its bytes.
    static let maximumBytes = 1 << 19
    /// Rows of more bytes pay for the classes that they teach.
    static let fewBytes = 1 << 16

    /// Has the importer of an input say what it has to say.
    func make(_ plan: InputPlan, _ options: RunOptions) {
        forget()
        guard let importer = plan.importer, let sample = plan.sample else { return }
        do throws(InputError) {
            try importer.read(
                plan.source, sample: sample, context: plan.context, options: options.importOptions, into: self)
        } catch {
            failure = error
        }
    }

    /// Says it again.
    ///
    /// - Throws: what the importer has thrown in the end.
    func replay(into sink: any RecordSink) throws(InputError) {
        for event in events {
            switch event {
            case .records(let range, let units, let warnings):
                sink.accept(records[range], from: Array(self.units[units]), warnings: Array(findings[warnings]))
            case .rows(let rows, let unit, let warnings):
                sink.acceptRows(rows, from: units[unit], warnings: Array(findings[warnings]))
            case .reject(let finding, let units): sink.reject(findings[finding], from: Array(self.units[units]))
            case .lost(let record, let line): sink.lose(records[record], line: line)
            case .mark(let unit, let outcome, let code): sink.mark(units[unit], outcome, code: code)
            case .account(let record, let line): sink.note(account: records[record], line: line)
            case .columns(let column): sink.readsColumns(column)
            case .warning(let finding, let line): sink.warn(findings[finding], line: line)
            case .envelope(let envelope): sink.setEnvelope(envelope)
            case .context(let unit): sink.keepContext(units[unit])
            case .rowAbove(let unit): sink.setRowAbove(unit.map { units[$0] })
            case .noHoldings: sink.hasNoHoldings()
            case .holdings(of: let moment): sink.listsHoldings(of: moment)
            case .encoded(let name): sink.isEncoded(as: name)
            case .hasRead(let units): sink.hasRead(units: units)
            }
        }
        if let failure { throw failure }
    }

    /// Forgets what was said, keeps the memory for it.
    func forget() {
        events.removeAll(keepingCapacity: true)
        units.removeAll(keepingCapacity: true)
        records.removeAll(keepingCapacity: true)
        findings.removeAll(keepingCapacity: true)
        memory.reset()
        failure = nil
    }

    // MARK: RecordSink

    func accept(_ records: ArraySlice<Record>, from units: [SourceUnit], warnings: [Finding]) {
        let first = self.records.count
        self.records.append(contentsOf: records)
        events.append(.records(first..<self.records.count, units: keep(units), warnings: keep(warnings)))
    }

    func acceptRows(_ rows: [TableRow], from unit: SourceUnit, warnings: [Finding]) {
        events.append(.rows(rows, unit: keep(unit), warnings: keep(warnings)))
    }

    func reject(_ finding: Finding, from units: [SourceUnit]) {
        events.append(.reject(finding: keep(finding), units: keep(units)))
    }

    func lose(_ position: borrowing Record, line: Int) {
        records.append(copy position)
        events.append(.lost(record: records.count - 1, line: line))
    }

    func mark(_ unit: SourceUnit, _ outcome: Outcome, code: String) {
        events.append(.mark(unit: keep(unit), outcome, code: code))
    }

    func note(account record: borrowing Record, line: Int) {
        records.append(copy record)
        events.append(.account(record: records.count - 1, line: line))
    }

    func readsColumns(_ column: @escaping @Sendable (String) -> String?) { events.append(.columns(column)) }

    func warn(_ finding: Finding, line: Int?) { events.append(.warning(finding: keep(finding), line: line)) }

    func setEnvelope(_ envelope: MarkupEnvelope) { events.append(.envelope(envelope)) }

    func keepContext(_ unit: SourceUnit) { events.append(.context(unit: keep(unit))) }

    func setRowAbove(_ unit: SourceUnit?) { events.append(.rowAbove(unit: unit.map { keep($0) })) }

    func hasNoHoldings() { events.append(.noHoldings) }
    func listsHoldings(of moment: Instant) { events.append(.holdings(of: moment)) }
    func isEncoded(as name: String) { events.append(.encoded(name)) }

    func hasRead(units: Int) { events.append(.hasRead(units: units)) }

    // MARK: lists

    private func keep(_ unit: SourceUnit) -> Int {
        var unit = unit
        unit.raw = memory.copy(unit.raw)
        units.append(unit)
        return units.count - 1
    }

    private func keep(_ units: [SourceUnit]) -> Range<Int> {
        let first = self.units.count
        for unit in units { _ = keep(unit) }
        return first..<self.units.count
    }

    private func keep(_ finding: Finding) -> Int {
        findings.append(finding)
        return findings.count - 1
    }

    private func keep(_ findings: [Finding]) -> Range<Int> {
        let first = self.findings.count
        self.findings += findings
        return first..<self.findings.count
    }
}
