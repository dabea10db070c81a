import Delimited
import OpenAlloc

// Files whose rows name their section and their kind in columns.
extension DefinitionRun {
    func takeLayout(_ record: borrowing RecordView, _ unit: SourceUnit, _ plan: LayoutPlan) {
        foldedWords(record.cell(plan.kind), into: &folded)
        guard let kind = plan.kinds(folded) else {
            if takeLine(record, unit) { return }
            // Spreadsheets write the separator above the rows: `sep=,`.
            if !hasSeenHeader, record.cell(0).prefix(4).equalsIgnoringCase("sep=") { return mark(unit, .preamble, "") }
            foldedWords(record.cell(plan.section), into: &folded)
            if plan.layout.ignored.contains(folded) { return mark(unit, .skipped, "section.ignored") }
            reject(
                Finding(
                    .rowUnplaced, value: record.cell(plan.kind).string,
                    reason: "the line says no row kind that the format knows.",
                    suggestion: "Check whether the line was cut."), unit)
            return
        }
        foldedWords(record.cell(plan.section), into: &section)
        if takeLine(record, unit) { return }
        if kind == .data, let lastSection, lastSection.name == section {
            return takeData(record, unit, lastSection.binding, plan)
        }
        if plan.layout.ignored.contains(section) {
            mark(unit, kind == .header ? .header : .skipped, "section.ignored")
            return
        }
        switch kind {
        case .header:
            flushHeld()
            flushGroups()
            let found = bind(record, section)
            if let lane { (restingLane, self.lane) = (lane, nil) }
            sectionBindings[section] = found
            lastSection = nil
            if purpose == .records, let found { drift.note(found, definition, line: unit.line) }
            hasSeenHeader = true
            mark(unit, .header, "")
        case .data:
            guard let found = sectionBindings[section] else {
                reject(
                    Finding(
                        .sectionUnknown, value: record.cell(plan.section).string,
                        reason: "the format has no rule for rows of this section, or its header was not recognised.",
                        suggestion: "If the section holds nothing that you need, it can be left out of the file."), unit
                )
                return
            }
            lastSection = (section, found)
            takeData(record, unit, found, plan)
        case .total: mark(unit, .total, "")
        case .skipped: mark(unit, .skipped, "row.informational")
        case .section: mark(unit, .section, "")
        case .preamble: mark(unit, .preamble, "")
        case .footer: mark(unit, .footer, "")
        case .blank: mark(unit, .blank, "")
        }
    }

    private func takeData(
        _ record: borrowing RecordView, _ unit: SourceUnit, _ found: TableBinding, _ plan: LayoutPlan
    ) {
        if binding !== found, binding?.table != found.table || binding?.header != found.header {
            use(found)
            if purpose == .records, profile?.isOfState == false {
                flushHeld()
                if let lane, contextVersion == state.contextVersion, lane.take(record, self) {
                    restingLane = nil
                    return
                }
            }
        } else if let restingLane {
            lane = restingLane
        }
        restingLane = nil
        takeRow(record, unit, found)
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

/// A layout that stays where it is.
final class LayoutPlan {
    let layout: Layout
    let kind: Int
    let section: Int

    init(_ layout: Layout) {
        self.layout = layout
        kind = layout.kind
        section = layout.section
    }

    /// The kind of row that a folded word names.
    func kinds(_ word: [UInt8]) -> Layout.RowKind? { layout.kinds[word] }
}
