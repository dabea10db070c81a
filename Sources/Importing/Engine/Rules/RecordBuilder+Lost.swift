import OpenAlloc

extension RecordBuilder {
    /// What can be read of a row that is rejected, of a list of several days: its account, its security and its day.
    func lost(_ plan: TablePlan, _ evaluator: Evaluator) -> Record {
        var record = Record()
        record.kind = .position
        record.covers = plan.covers
        for index in fields.texts.indices where !evaluator.isBlank(fields.texts[index].slot) {
            record.set(fields.texts[index].field, evaluator.state.text(fields.texts[index].slot))
        }
        for slot in plan.securitySlots where !evaluator.isBlank(slot) {
            record.set(.symbol, evaluator.state.text(slot))
            break
        }
        fillAccount(&record, evaluator)
        for (slot, field) in fields.moments where field == .pricedAt {
            try? fill(&record, field, slot, plan.dates ?? datePatterns, nil, evaluator)
        }
        return record
    }
}
