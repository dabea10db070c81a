import Delimited

/// What a lane asks of a row's cells as they stand, because rules have asked it of the row that taught its class: the
/// same as `Evaluator.answers`, on cells.
struct CellQuestion: Sendable {
    private enum Ask: Sendable {
        case isOneOf(WordSet)
        case matches([Template])
        case isSame(Int)
        case blank
    }

    private let ask: Ask
    /// The column; −1 for the first cell that says something.
    private let column: Int
    private let answer: Bool

    /// Nil for what is not asked of cells here.
    ///
    /// - Parameter column: where a variable's cells stand, if nothing else gives it a value; −1 for the first that says
    ///   something.
    init?(_ condition: Condition, _ answer: Bool, column: (Int) -> Int?) {
        var isTurned = false
        switch condition {
        case .isOneOf(let slot, let words):
            guard let place = column(slot) else { return nil }
            (self.column, ask) = (place, .isOneOf(WordSet(words)))
        case .matches(let slot, let templates):
            guard let place = column(slot) else { return nil }
            (self.column, ask) = (place, .matches(templates.map(\.template)))
        case .isSame(let slot, let other):
            guard let place = column(slot), let second = column(other), place >= 0, second >= 0 else { return nil }
            (self.column, ask) = (place, .isSame(second))
        case .test(let slot, let test) where test == .blank || test == .present:
            guard let place = column(slot), place >= 0 else { return nil }
            (self.column, ask) = (place, .blank)
            isTurned = test == .present
        default: return nil
        }
        self.answer = answer != isTurned
    }

    /// Whether a row answers as its class does.
    func isAnswered<Row: RecordCells & ~Copyable>(
        by record: borrowing Row, _ blanks: NumberReader, _ folded: inout [UInt8]
    ) -> Bool {
        let text = column >= 0 ? record.cell(column).content : CellQuestion.first(record)
        let holds: Bool
        switch ask {
        case .isOneOf(let words):
            foldedWords(text, into: &folded)
            holds = ByteView.with(folded) { words.contains($0) }
        case .matches(let templates): holds = templates.contains { $0.matches(text) }
        case .isSame(let other):
            let text = text.trimmed()
            holds = !text.isEmpty && text.equalsIgnoringCase(record.cell(other).content.trimmed())
        case .blank: holds = text.isEmpty || blanks.isBlank(text)
        }
        return holds == answer
    }

    private static func first<Row: RecordCells & ~Copyable>(_ record: borrowing Row) -> ByteView {
        for index in 0..<record.count where !record.cell(index).isBlank { return record.cell(index).trimmed() }
        return .empty
    }
}

/// What a lane looks at in rows of a class besides what makes the class.
final class ClassExtras: Sendable {
    let questions: [CellQuestion]

    init(_ questions: [CellQuestion]) { self.questions = questions }

    /// Whether a row answers all questions as its class does.
    func isOf<Row: RecordCells & ~Copyable>(
        _ record: borrowing Row, _ blanks: NumberReader, _ folded: inout [UInt8]
    ) -> Bool {
        for index in questions.indices where !questions[index].isAnswered(by: record, blanks, &folded) { return false }
        return true
    }
}
