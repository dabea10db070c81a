import Delimited
import Importing
import OpenAlloc

/// Shows every record of an input: for people who write definitions.
final class RecordDump: RecordSink {
    private var counts: [String: Int] = [:]

    /// Reads the input with the importer that was found, and prints what it yields.
    static func print(_ input: any InputSource, _ detection: Detection) {
        guard let best = detection.best, let sample = detection.sample else { return }
        let sink = RecordDump()
        do throws(InputError) {
            let options = ImportOptions()
            let context = try best.importer.context(of: input, sample: sample, options: options)
            if let exportedAt = context.exportedAt { Terminal.result("  exported: \(exportedAt)") }
            for warning in context.warnings { sink.warn(warning, line: nil) }
            try best.importer.read(input, sample: sample, context: context, options: options, into: sink)
        } catch {
            Terminal.complain(error.words)
        }
        let counts = sink.counts.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
        Terminal.result("  " + counts.joined(separator: ", "))
    }

    func accept(_ records: ArraySlice<Record>, from units: [SourceUnit], warnings: [Finding]) {
        counts["accepted", default: 0] += units.count
        for record in records { Terminal.result("  line \(units.first?.line ?? 0): " + RecordDump.text(record)) }
        for warning in warnings { warn(warning, line: units.first?.line) }
    }

    func acceptRows(_ rows: [TableRow], from unit: SourceUnit, warnings: [Finding]) {
        counts["accepted", default: 0] += 1
        for row in rows {
            let cells = zip(row.schema.schema.columns, row.values).filter { $0.1 != .null }
            let text = cells.map { "\($0.0.name)=\(Words.plain($0.1.text))" }.joined(separator: " ")
            Terminal.result("  line \(unit.line): \(row.schema.rawValue) \(text)")
        }
        for warning in warnings { warn(warning, line: unit.line) }
    }

    func reject(_ finding: Finding, from units: [SourceUnit]) {
        counts["rejected", default: 0] += units.count
        Terminal.result("  line \(units.first?.line ?? 0): rejected, " + RecordDump.text(finding))
    }

    func mark(_ unit: SourceUnit, _ outcome: Outcome, code: String) {
        counts[outcome.rawValue, default: 0] += 1
        guard outcome != .blank else { return }
        let why = code.isEmpty ? "" : " (\(code))"
        Terminal.result("  line \(unit.line): \(outcome.rawValue)\(why): \(Words.plain(unit.raw.string, limit: 100))")
    }

    func warn(_ finding: Finding, line: Int?) {
        Terminal.result("  \(line.map { "line \($0): " } ?? "")warning, " + RecordDump.text(finding))
    }

    private static func text(_ finding: Finding) -> String {
        let column = finding.column.isEmpty ? "" : " in ‘\(Words.plain(finding.column))’"
        let value = finding.value.isEmpty ? "" : " (‘\(Words.plain(finding.value))’)"
        return "\(finding.code.rawValue)\(column)\(value): \(Words.plain(finding.reason))"
    }

    private static func text(_ record: Record) -> String {
        var parts = ["\(record.kind)"]
        for field in Record.Text.allCases where !record.isBlank(field) {
            parts.append("\(field)=\(Words.plain(record.string(field)))")
        }
        for field in Record.Number.allCases { if let value = record[field] { parts.append("\(field)=\(value)") } }
        for field in Record.Moment.allCases { if let value = record[field] { parts.append("\(field)=\(value)") } }
        if record.priceUnit != .share { parts.append("priceUnit=\(record.priceUnit)") }
        return parts.joined(separator: " ")
    }
}
