import Delimited
import Digests
import OpenAlloc

/// What a lane must know of a table and its binding.
struct LaneRules: Sendable {
    let wordColumns: [ColumnRange]
    let numberColumns: [Int]
    /// The decimal mark of each number.
    let marks: [UInt8]
    let momentColumns: [Int]
    let textColumns: [Int]
    /// Which of these texts is the account; −1 where the account is a word.
    let accountText: Int
    let hasLines: Bool
    let headerColumn: Int
    let width: Int
    let patterns: [DatePattern]
    let blanks: NumberReader
    let binder: HeaderBinder
    let lineFilter: LineFilter

    /// Nil for tables whose rows are not plain.
    init?(_ run: DefinitionRun, _ profile: RecipeProfile, _ binding: TableBinding) {
        let count = RowValues.capacity
        guard profile.numbers.count <= count, profile.moments.count <= count, profile.others.count <= count,
            run.definition.variables.known("time") == nil
        else { return nil }
        var marks: [UInt8] = []
        for slot in profile.numbers {
            guard let mark = run.evaluator.styles[slot].decimal else { return nil }
            marks.append(mark)
        }
        self.marks = marks
        hasLines = !run.definition.lines.isEmpty
        let words = profile.words + (profile.namesAccount ? [profile.account ?? -1] : [])
        wordColumns = ColumnRange.ranges(of: words.map { $0 < 0 ? -1 : binding.columns[$0] })
        numberColumns = profile.numbers.map { binding.columns[$0] }
        momentColumns = profile.moments.map { binding.columns[$0] }
        textColumns = profile.others.map { binding.columns[$0] }
        accountText = profile.account.flatMap { profile.others.firstIndex(of: $0) } ?? -1
        headerColumn = binding.firstRequired ?? 0
        width = binding.width
        patterns = run.datePatterns
        blanks = run.evaluator.reader
        binder = run.binder
        lineFilter = run.lineFilter
    }
}

/// Takes rows apart for a lane: their class and what they bring to it. It belongs to one thread.
final class LaneReader {
    /// What the row that was read last brings.
    let values = RowValues()
    /// Its class.
    @exclusivity(unchecked) private(set) var hash: UInt64 = 0
    @exclusivity(unchecked) private(set) var shape: UInt64 = 0
    /// Its words.
    @exclusivity(unchecked) private(set) var cells: FlatMemory<ByteView>

    private let rules: LaneRules
    private let wordColumns: FlatMemory<ColumnRange>
    struct NumberColumn: BitwiseCopyable {
        var index: Int
        var mark: UInt8
    }
    private let numbers: FlatMemory<NumberColumn>
    private let momentColumns: FlatMemory<Int>
    private let textColumns: FlatMemory<Int>
    private let resolver: DateResolver
    /// Digests that are made beside the reading.
    @exclusivity(unchecked) var digests = DigestSteps()
    @exclusivity(unchecked) private var dates = DateCache()

    init(_ rules: LaneRules, dates resolver: DateResolver) {
        self.rules = rules
        self.resolver = resolver
        wordColumns = FlatMemory(rules.wordColumns)
        numbers = FlatMemory(zip(rules.numberColumns, rules.marks).map { NumberColumn(index: $0, mark: $1) })
        momentColumns = FlatMemory(rules.momentColumns)
        textColumns = FlatMemory(rules.textColumns)
        cells = FlatMemory(repeating: .empty, count: rules.wordColumns.count)
    }

    /// Reads a row: the sink's number of its class, or one of `ClassTable`'s answers; nil when the row is not plain.
    @inline(__always)
    func classify<Row: RecordCells & ~Copyable>(_ record: borrowing Row, _ table: ClassTable) -> Int? {
        guard record.count >= rules.width,
            record.flags.isDisjoint(with: [.tooLong, .unclosedQuote, .invalidEncoding]),
            isRow(record)
        else { return nil }
        // Before the numbers: what is found by it should not have to wait for it.
        var words: UInt64 = 1
        for index in 0..<wordColumns.count {
            let columns = wordColumns[index]
            let cell = record.rawCells(columns.first, columns.last)
            cells[index] = cell
            words = cell.mix(into: words)
        }
        digests.take()
        guard read(record) else { return nil }
        hash = ClassTable.hash(words: words, shape: shape)
        let answer = table.find(hash, shape, cells)
        digests.take()
        return answer
    }

    /// Whether the line is neither a header nor one that rules for lines speak of, and not longer than its header.
    @inline(__always)
    private func isRow<Row: RecordCells & ~Copyable>(_ record: borrowing Row) -> Bool {
        for index in rules.width..<max(rules.width, record.count) where !record.cell(index).isEmpty { return false }
        let head = opening(record, rules.headerColumn)
        if !isDigit(head), rules.binder.hasName(record) { return false }
        if !rules.hasLines { return true }
        let first = rules.headerColumn == 0 ? head : opening(record, 0)
        return first != 0 && !rules.lineFilter.mayBegin(with: first)
    }

    /// The first byte of what a cell says; 0 when that is nothing.
    @inline(__always)
    private func opening<Row: RecordCells & ~Copyable>(_ record: borrowing Row, _ column: Int) -> UInt8 {
        let cell = record.cell(column)
        // Of most cells it is the first byte; a digit is never taken off.
        if let first = cell.first, isDigit(first) { return first }
        return cell.content.first ?? 0
    }

    /// Reads numbers, dates and texts, and into `shape` the signs and which dates there are; false when one is not
    /// plain.
    @inline(__always)
    private func read<Row: RecordCells & ~Copyable>(_ record: borrowing Row) -> Bool {
        var shape: UInt64 = 1
        for index in 0..<numbers.count {
            let column = numbers[index]
            shape &<<= 2
            let cell = record.cell(column.index)
            if cell.isEmpty { continue }
            if let number = record.plainDecimal(
                column.index, cell, mark: column.mark, scratch: values.scratch + index &* PlainDecimal.scratchBytes)
            {
                values.set(number: index, number)
                shape |= UInt64(truncatingIfNeeded: 2 &+ number.signum)
            } else if !rules.blanks.isBlank(cell.content) {
                return false
            }
        }
        digests.take()
        var last = (words: (UInt64(0), UInt64(0)), count: 0, index: 0)
        for index in 0..<momentColumns.count {
            let cell = record.cell(momentColumns[index])
            shape &<<= 1
            if cell.isEmpty { continue }
            let words = cell.words
            // Many rows have one day twice.
            if let words, words == last.words, cell.count == last.count {
                values.set(moment: index, values.moment(last.index))
            } else {
                guard let moment = known(words, cell.count) ?? readDate(cell.content) else { return false }
                values.set(moment: index, moment)
                if let words { last = (words, cell.count, index) }
            }
            if !values.moment(index).isBlank { shape |= 1 }
        }
        for index in 0..<textColumns.count {
            let cell = record.cell(textColumns[index]).content
            values.set(text: index, cell.isEmpty || rules.blanks.isBlank(cell) ? .empty : cell)
        }
        digests.take()
        // Above all signs and dates.
        if rules.accountText >= 0, !values.text(rules.accountText).isEmpty { shape |= 1 << 62 }
        self.shape = shape
        return true
    }

    @inline(__always)
    private func known(_ words: (UInt64, UInt64)?, _ count: Int) -> RowValues.Moment? {
        guard let words else { return nil }
        return dates.known(words, count)
    }

    /// A date that is not known as it stands.
    @inline(never)
    private func readDate(_ cell: ByteView) -> RowValues.Moment? {
        guard let words = cell.words else { return nil }
        if let moment = dates.known(words, cell.count) { return moment }
        if cell.contains(where: isSpace) { return nil }
        if cell.isEmpty || rules.blanks.isBlank(cell) { return dates.keep(words, cell.count, nil) }
        guard let instant = resolver.instant(cell, time: .empty, patterns: rules.patterns) else { return nil }
        return dates.keep(words, cell.count, instant)
    }
}

/// Columns side by side.
struct ColumnRange: BitwiseCopyable, Sendable {
    var first: Int
    var last: Int

    /// The ranges that columns make up; those that a file does not have are below 0.
    static func ranges(of columns: [Int]) -> [ColumnRange] {
        var ranges: [ColumnRange] = []
        for column in Set(columns).sorted() where column >= 0 {
            if let last = ranges.last, last.last + 1 == column {
                ranges[ranges.count - 1].last = column
            } else {
                ranges.append(ColumnRange(first: column, last: column))
            }
        }
        return ranges
    }
}
