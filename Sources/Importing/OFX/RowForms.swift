import OpenAlloc

/// Classes of rows of markup whose records differ only in texts that are copied (accounts, securities): a sink works out
/// once, for their form, where texts come out (`LaneForm` is the same of delimited rows).
final class RowForms {
    private final class Form {
        let plan: Int
        let signs: [Int?]
        /// The examples of its first class.
        let records: [Record]
        /// What the sink calls it; nil when it was refused.
        let number: Int?

        init(_ recordClass: borrowing RecordClass, plan: Int, number: Int?) {
            self.plan = plan
            signs = recordClass.signs
            records = [recordClass.examples.0.record, recordClass.examples.1.record]
            self.number = number
        }

        func has(_ recordClass: borrowing RecordClass, plan: Int) -> Bool {
            plan == self.plan && recordClass.signs == signs
                && recordClass.examples.0.record.hasForm(of: records[0], words: LaneForm.words)
                && recordClass.examples.1.record.hasForm(of: records[1], words: LaneForm.words)
        }
    }

    private var all: [Form] = []
    private static let maximum = 64

    /// Prepares a class of rows of a plan, by its form if possible: what a sink calls it, or nil.
    func prepare(_ recordClass: RecordClass, plan: Int, for sink: any RecordSink) -> Int? {
        let form = form(of: recordClass, plan, sink)
        if let number = form?.number, let id = sink.prepare([recordClass.examples.0.record], of: number) {
            return id
        }
        return sink.prepare(recordClass)
    }

    private func form(of recordClass: RecordClass, _ plan: Int, _ sink: any RecordSink) -> Form? {
        if let known = all.first(where: { $0.has(recordClass, plan: plan) }) { return known }
        guard all.count < RowForms.maximum else { return nil }
        let new = Form(recordClass, plan: plan, number: sink.prepare(form: Self.form(of: recordClass)))
        all.append(new)
        return new
    }

    /// A class with other words in place of its own; what rows bring differs between its examples.
    private static func form(of recordClass: RecordClass) -> RecordClass {
        var form = recordClass
        let record = recordClass.examples.0.record
        for field in LaneForm.words where !record.isBlank(field) {
            guard record.bytes(field) == recordClass.examples.1.record.bytes(field) else { continue }
            let words = [0, 1].map { Array("example \($0) word \(field.rawValue)".utf8) }
            form.examples.0.record.set(field, utf8: words[0])
            form.examples.1.record.set(field, utf8: words[1])
            form.words.append((field, words[0], words[1]))
        }
        return form
    }
}
