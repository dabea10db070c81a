import Delimited
import OpenAlloc

// Files whose rows name their section and their kind in columns.
extension DefinitionRun {
    func takeLayout(_ record: borrowing RecordView, _ unit: SourceUnit, _ layout: Layout) {
        foldedWords(record.cell(layout.kind), into: &folded)
        guard let kind = layout.kinds[folded] else {
            if takeLine(record, unit) { return }
            foldedWords(record.cell(layout.section), into: &folded)
            if layout.ignored.contains(folded) { return mark(unit, .skipped, "section.ignored") }
            reject(
                Finding(
                    .rowUnplaced, value: record.cell(layout.kind).string,
                    reason: "the line says no row kind that the format knows.",
                    suggestion: "Check whether the line was cut."), unit)
            return
        }
        foldedWords(record.cell(layout.section), into: &folded)
        let section = folded
        if takeLine(record, unit) { return }
        if layout.ignored.contains(section) {
            mark(unit, kind == .header ? .header : .skipped, "section.ignored")
            return
        }
        switch kind {
        case .header:
            flushHeld()
            flushGroups()
            let found = bind(record, section)
            sectionBindings[section] = found
            if firstBinding == nil { firstBinding = found }
            hasSeenHeader = true
            mark(unit, .header, "")
        case .data:
            guard let found = sectionBindings[section] else {
                reject(
                    Finding(
                        .sectionUnknown, value: record.cell(layout.section).string,
                        reason: "the format has no rule for rows of this section, or its header was not recognised.",
                        suggestion: "If the section holds nothing that you need, it can be left out of the file."), unit
                )
                return
            }
            if binding !== found, binding?.table != found.table || binding?.header != found.header { use(found) }
            takeRow(record, unit, found, cellOffset: layout.width)
        case .total: mark(unit, .total, "")
        case .skipped: mark(unit, .skipped, "row.informational")
        case .section: mark(unit, .section, "")
        case .preamble: mark(unit, .preamble, "")
        case .footer: mark(unit, .footer, "")
        case .blank: mark(unit, .blank, "")
        }
    }

    /// Binds a header; files of many accounts or sections repeat theirs.
    private func bind(_ record: borrowing RecordView, _ section: [UInt8]) -> TableBinding? {
        var key = section
        key.append(0)
        record.rawBytes.withUnsafeBytes { key.append(contentsOf: $0) }
        if let known = boundHeaders[key] { return known }
        let found = binder.bind(HeaderCells(Self.cells(of: record)), section: section, isHeaderLine: true)
        if boundHeaders.count < 256 { boundHeaders[key] = .some(found) }
        return found
    }
}
