import Delimited
import OpenAlloc

/// Holds a definition against a sample: score, evidence, drift.
struct DefinitionDetector {
    let definition: Definition
    let binder: HeaderBinder
    let sample: InputSample

    func examination() -> Examination? {
        guard linesFit else { return nil }
        var best: TableBinding?
        var tables = SlotSet()
        var line = 0
        var drift = HeaderDrift()
        for row in sample.headerRows {
            guard let found = bind(row.header) else { continue }
            drift.note(found, definition, line: row.line)
            tables.insert(found.table)
            if best == nil || found.boundCount > (best?.boundCount ?? 0) {
                best = found
                line = row.line
            }
        }
        guard let best else { return nearest() }
        return fit(best, line: line, tables: tables.sorted.count, drift: drift.texts)
    }

    private func bind(_ header: HeaderCells) -> TableBinding? {
        guard let layout = definition.layout else { return binder.bind(header) }
        guard isHeader(header, layout) else { return nil }
        return binder.bind(header, section: foldedWordBytes(header.cells[layout.section]))
    }

    /// Whether a line says that it is a header.
    private func isHeader(_ header: HeaderCells, _ layout: Layout) -> Bool {
        let cells = header.cells
        return cells.count > layout.width && layout.kinds[foldedWordBytes(cells[layout.kind])] == .header
    }

    /// Whether a line that the definition demands is there.
    private var linesFit: Bool {
        guard !definition.detectLines.isEmpty else { return true }
        return sample.lineTexts.fit(definition.detectLines.map(\.template))
    }

    private func fit(_ best: TableBinding, line: Int, tables: Int, drift: [String]) -> Examination {
        let table = definition.tables[best.table]
        let named = best.header.filter { !$0.trimmingSpaces.isEmpty }.count
        // A name that is known and not used tells the format as well as one that is.
        let unused = best.unknown.count { definition.knows($0, in: table) }
        let known = best.boundCount + unused
        let share = named == 0 ? 0 : Double(min(known, named)) / Double(named)
        // Columns without a name may be read, too: those that the header names are told.
        let told = min(known, named - (best.unknown.count - unused))
        var evidence = [
            "line \(line): \(told) of \(named) columns are known, all \(table.required.count) required ones among them"
        ]
        var score = 0.7 + 0.2 * share
        var specificity = known * 4 + table.required.count
        if tables > 1 {
            evidence.append("\(tables) of its tables stand in the file")
            score += 0.02
            specificity += 2 * (tables - 1)
        }
        if definition.layout != nil {
            evidence.append("sections are named in column \((definition.layout?.section ?? 0) + 1)")
        }
        let lineRuleMatches = lineRuleMatches
        if lineRuleMatches > 0 {
            evidence.append("\(lineRuleMatches) line\(lineRuleMatches == 1 ? "" : "s") outside the rows as expected")
            score += 0.04
            specificity += 2
        }
        if !definition.detectLines.isEmpty { specificity += 8 }
        if FileNameContext.matches(sample.name, definition) {
            evidence.append("the file name fits")
            score += 0.04
            specificity += 1
        }
        if definition.isFallback {
            evidence.append("it reads only what no other definition fits")
            specificity = 0
        }
        return Examination(
            score: min(1, (score * 1000).rounded() / 1000), specificity: specificity, evidence: evidence,
            drift: drift, refusal: definition.refusal)
    }

    private var lineRuleMatches: Int {
        let rules = definition.lines.filter { !$0.isWhole }
        if rules.isEmpty { return 0 }
        return sample.lineTexts.count(40) { first, _ in
            guard let byte = first.first else { return false }
            // White space in front is passed over by the patterns.
            if byte > 0x20, byte < 0x80, !binder.lineFilter.mayBegin(with: byte) { return false }
            return rules.contains { $0.patterns.contains { $0.template.matches(first) } }
        }
    }

    /// Nothing fits: what the nearest header lacks, whatever lines stand around it.
    func nearest() -> Examination? {
        var headers = sample.headerRows.filter { $0.place < 60 && $0.header.cells.count > 1 }.map(\.header)
        // Rows, whose cell for the word may be as blank as a header's, decide nothing.
        if let layout = definition.layout { headers.removeAll { !isHeader($0, layout) } }
        return binder.nearest(headers.map(\.cells)) { nearest(headers) }
    }

    private func nearest(_ headers: [HeaderCells]) -> Examination? {
        var best: Examination?
        for header in headers {
            let named = header.cells.count { !$0.trimmingSpaces.isEmpty }
            for (index, table) in definition.tables.enumerated() where !table.required.isEmpty {
                let missing = binder.missing(header, table: index)
                if missing.names.count == table.required.count { continue }
                // Columns by their position are never missing: only a section's name tells such a table.
                if missing.names.isEmpty, definition.layout != nil { continue }
                let examination = Examination.nearest(
                    missing: missing.names, required: table.required.count, known: min(missing.known, named), of: named)
                if best.map({ $0.score < examination.score }) ?? true { best = examination }
            }
        }
        return best
    }
}
