import Delimited
import Importing
import OpenAlloc

// Outcomes of units, and verdicts where a run writes them.
extension InputSink {
    /// Counts the units in an outcome; where the outcome words of late units stand among the verdicts.
    @discardableResult
    func settle(
        _ units: [SourceUnit], _ outcome: Outcome, code: String = "", isLate: Bool = false
    ) -> Range<Int> {
        state.inputs[input].units += units.count
        state.inputs[input].outcomes[outcome] += units.count
        let first = state.verdictMarks.count
        if let spool = state.verdicts {
            let lead = units.count > InputSink.widestVerdict ? units.first?.line : nil
            for unit in units { writeVerdict(unit, outcome, code, isLate: isLate, rowsOf: lead, spool) }
        }
        verdictRows.removeAll(keepingCapacity: true)
        return first..<state.verdictMarks.count
    }

    /// The rows of an event stand with each of its lines. Of more lines the first has them and the others name it: an
    /// order of thousands of lines would have them a thousand times.
    private static let widestVerdict = 16

    private func writeVerdict(
        _ unit: SourceUnit, _ outcome: Outcome, _ code: String, isLate: Bool, rowsOf lead: Int?, _ spool: Spool
    ) {
        verdictLine.removeAll(keepingCapacity: true)
        verdictLine.append(contentsOf: #"{"file":"#.utf8)
        JSONWriter.append(string: state.inputs[input].name, to: &verdictLine)
        verdictLine.append(contentsOf: #","sourceMetaID":""#.utf8)
        verdictLine.append(contentsOf: metaBytes)
        verdictLine.append(contentsOf: #"","line":\#(unit.line),"outcome":""#.utf8)
        if isLate, outcome == .accepted { state.verdictMarks.append(spool.count + verdictLine.count) }
        verdictLine.append(contentsOf: #"\#(outcome.rawValue)","code":"#.utf8)
        JSONWriter.append(string: code, to: &verdictLine)
        verdictLine.append(contentsOf: #","rows":["#.utf8)
        let isElsewhere = outcome == .accepted && lead.map { $0 != unit.line } ?? false
        if outcome == .accepted, !isElsewhere { verdictLine.append(contentsOf: verdictRows) }
        verdictLine.append(0x5D)
        if isElsewhere, let lead { verdictLine.append(contentsOf: #","rowsOf":\#(lead)"#.utf8) }
        verdictLine.append(contentsOf: "}\n".utf8)
        spool.append(verdictLine)
    }

    func verdict(_ schema: SchemaID, _ values: [AllocValue]) {
        guard state.verdicts != nil else { return }
        appendVerdict(schema) { JSONTableWriter(isLines: true).row(schema.schema.columns, values, &$0) }
    }

    func verdict(_ schema: SchemaID, _ cells: Cells) {
        let row = state.verdictWriter(schema).row(cells)
        appendVerdict(schema) { $0.append(contentsOf: row) }
    }

    func verdict(_ row: borrowing TransactionRow, _ record: borrowing Record) {
        var table = TransactionTable(writer: JSONTableWriter(isLines: true), extended: false)
        table.build(row, record, rowID: nil, metaID: [], line: 0)
        let built = table.row
        appendVerdict(.transaction) { $0.append(contentsOf: built) }
    }

    private func appendVerdict(_ schema: SchemaID, _ body: (inout [UInt8]) -> Void) {
        if !verdictRows.isEmpty { verdictRows.append(0x2C) }
        verdictRows.append(contentsOf: #"{"schema":"\#(schema.rawValue)","row":"#.utf8)
        body(&verdictRows)
        if verdictRows.last == 0x0A { verdictRows.removeLast() }
        verdictRows.append(0x7D)
    }
}
