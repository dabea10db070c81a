import Delimited
import Digests
import OpenAlloc

/// What a lane must know of a table and its binding.
struct LaneRules: Sendable {
    let wordColumns: [ColumnRange]
    let numberColumns: [NumberColumn]
    let momentColumns: [MomentColumn]
    let textColumns: [TextColumn]
    /// Which of these texts is the account; −1 where the account is a word.
    let accountText: Int
    /// The column that has the times of day of dates; −1 for none.
    let timeColumn: Int
    let hasLines: Bool
    let headerColumn: Int
    let width: Int
    /// Whether rows that end before their header are nothing to speak of.
    let allowsShort: Bool
    /// How many cells a row must have.
    let cellsNeeded: Int
    /// How many cells a row has in which no column that is read is missing; none has so many when the file lacks one.
    let cellsRead: Int
    /// Columns beyond the header.
    let farColumns: [Int]
    let patterns: [DatePattern]
    let blanks: NumberReader
    let binder: HeaderBinder
    let lineFilter: LineFilter
    let cellRules: CellRules
    /// The currency that all rows have; empty where they name their own.
    let home: String

    struct NumberColumn: BitwiseCopyable {
        var index: Int
        /// The decimal mark; 0 where each cell has to prove its own.
        var mark: UInt8
        /// Whether a rule reads more of it than a number.
        var isRead: Bool
    }

    struct TextColumn: BitwiseCopyable {
        var index: Int
        /// What is set in the shape of rows that have a text there; 0 where that makes no class.
        var bit: UInt64
    }

    struct MomentColumn: BitwiseCopyable {
        var index: Int
        var slot: Int
        /// Whether rules cut something out of its text.
        var isCut: Bool
        var use: Use

        enum Use: BitwiseCopyable {
            case date
            /// A date of a time in another column.
            case dateWithTime
            /// A time of day, of which only counts whether there is one.
            case time
        }
    }

    /// Above the signs and dates of a shape, and below the account's bit.
    private static let firstCopiedBit = 50

    /// Nil for tables whose rows are not plain.
    init?(_ run: DefinitionRun, _ profile: RecipeProfile, _ binding: TableBinding) {
        let count = RowValues.capacity
        blanks = run.evaluator.reader
        guard profile.numbers.count <= count, profile.moments.count <= count, profile.others.count <= count,
            !blanks.hasNumericBlanks, let times = LaneTimes(run, profile, binding)
        else { return nil }
        cellRules = profile.cellRules
        home = profile.home
        timeColumn = times.column
        numberColumns = profile.numbers.map { slot in
            NumberColumn(
                index: binding.columns[slot], mark: run.evaluator.styles[slot].decimal ?? 0,
                isRead: profile.cellRules.readNumbers.contains(slot))
        }
        momentColumns = profile.moments.map { slot in
            MomentColumn(
                index: binding.columns[slot], slot: slot, isCut: profile.cellRules.cuts(slot), use: times.use(of: slot))
        }
        hasLines = !run.definition.lines.isEmpty
        let words = profile.words + (profile.namesAccount ? [profile.account ?? -1] : [])
        // What says of which section a row is.
        let layout = run.layout.map { [$0.kind, $0.section] } ?? []
        wordColumns = ColumnRange.ranges(of: words.map { $0 < 0 ? -1 : binding.columns[$0] } + layout)
        textColumns = profile.others.map { slot in
            let place = profile.copied.firstIndex(of: slot)
            let bit: UInt64 = place.map { 1 << UInt64(LaneRules.firstCopiedBit + $0) } ?? 0
            return TextColumn(index: binding.columns[slot], bit: bit)
        }
        accountText = profile.account.flatMap { profile.others.firstIndex(of: $0) } ?? -1
        headerColumn = binding.firstRequired ?? 0
        width = binding.width
        allowsShort = run.plan(binding.table).allowsShortRows
        cellsNeeded = profile.cellsNeeded
        let read = numberColumns.map(\.index) + momentColumns.map(\.index) + textColumns.map(\.index)
        cellsRead = read.contains { $0 < 0 } ? .max : (read.max() ?? -1) + 1
        farColumns = binding.columns.filter { $0 >= binding.width }
        patterns = run.datePatterns
        binder = run.binder
        lineFilter = run.lineFilter
    }
}

/// Which dates of a table take their time of day from another column.
struct LaneTimes {
    /// −1 for none.
    let column: Int
    private let timeSlot: Int
    private let timed: SlotSet

    /// Nil where rules make more of the time than a date's.
    init?(_ run: DefinitionRun, _ profile: RecipeProfile, _ binding: TableBinding) {
        let slot = run.definition.variables.known("time") ?? -1
        timeSlot = slot
        guard slot >= 0 else {
            (column, timed) = (-1, SlotSet())
            return
        }
        guard !profile.cellRules.assigned.contains(slot), run.state.contextText(slot).isEmpty else { return nil }
        column = binding.columns[slot]
        guard column >= 0 else {
            timed = SlotSet()
            return
        }
        let fields = run.binder.fields.moments
        timed = profile.cellRules.sources(of: SlotSet(fields.filter { $0.field == .tradedAt }.map(\.slot)))
        let others = profile.cellRules.sources(of: SlotSet(fields.filter { $0.field != .tradedAt }.map(\.slot)))
        for moment in profile.moments where others.contains(moment) {
            if timed.contains(moment) || moment == slot { return nil }
        }
        if timed.contains(slot) { return nil }
    }

    func use(of slot: Int) -> LaneRules.MomentColumn.Use {
        if column < 0 { return .date }
        return slot == timeSlot ? .time : timed.contains(slot) ? .dateWithTime : .date
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
    private let numbers: FlatMemory<LaneRules.NumberColumn>
    private let momentColumns: FlatMemory<LaneRules.MomentColumn>
    private let textColumns: FlatMemory<LaneRules.TextColumn>
    /// Digests that are made beside the reading.
    @exclusivity(unchecked) var digests = DigestSteps()
    @exclusivity(unchecked) private var moments: MomentReader
    @exclusivity(unchecked) private var odd: OddNumber
    @exclusivity(unchecked) private var folded: [UInt8] = []

    init(_ rules: LaneRules, dates resolver: DateResolver) {
        self.rules = rules
        odd = OddNumber(home: rules.home)
        moments = MomentReader(rules.patterns, resolver, blanks: rules.blanks)
        wordColumns = FlatMemory(rules.wordColumns)
        numbers = FlatMemory(rules.numberColumns)
        momentColumns = FlatMemory(rules.momentColumns)
        textColumns = FlatMemory(rules.textColumns)
        cells = FlatMemory(repeating: .empty, count: rules.wordColumns.count)
    }

    /// Reads a row: the sink's number of its class, or one of `ClassTable`'s answers; nil when the row is not plain.
    @inline(__always)
    func classify<Row: RecordCells & ~Copyable>(_ record: borrowing Row, _ table: ClassTable) -> Int? {
        guard record.count >= rules.cellsNeeded,
            record.flags.isDisjoint(with: .anyDamage),
            isRow(record)
        else { return nil }
        // Before the numbers: what is found by it should not have to wait for it.
        var words: UInt64 = 1
        for index in 0..<wordColumns.count {
            let columns = wordColumns[index]
            // What a short row leaves out is not there either.
            let cell = record.rawCells(columns.first, min(columns.last, record.count &- 1))
            cells[index] = cell
            words = cell.mix(into: words)
        }
        digests.take()
        // Most rows have all columns: their cells are not looked for one by one.
        let isWhole = record.count >= rules.cellsRead
        guard isWhole ? read(record, WholeRow.self) : read(record, ShortRow.self) else { return nil }
        hash = ClassTable.hash(words: words, shape: shape)
        let answer = table.find(hash, shape, cells)
        digests.take()
        if answer >= 0, table.hasExtras, !holds(record, table, answer) { return ClassTable.otherwise }
        return answer
    }

    /// Whether a row has what its class wants besides.
    @inline(never)
    private func holds<Row: RecordCells & ~Copyable>(_ record: borrowing Row, _ table: ClassTable, _ id: Int) -> Bool {
        guard let extras = table.extras(of: id) else { return true }
        return extras.isOf(record, rules.blanks, &folded)
    }

    /// Whether the line is neither a header nor one that rules for lines speak of, and not longer than its header.
    @inline(__always)
    private func isRow<Row: RecordCells & ~Copyable>(_ record: borrowing Row) -> Bool {
        if record.count != rules.width, !fits(record) { return false }
        let head = opening(record, rules.headerColumn)
        if !isDigit(head), HeaderCells.mayBe(record), rules.binder.hasName(record) { return false }
        if !rules.hasLines { return true }
        let first = rules.headerColumn == 0 ? head : opening(record, 0)
        return first != 0 && !rules.lineFilter.mayBegin(with: first) || !rules.lineFilter.mayMean(record)
    }

    /// Whether a row that is longer or shorter than the header has nothing beyond it, and something at all.
    @inline(never)
    private func fits<Row: RecordCells & ~Copyable>(_ record: borrowing Row) -> Bool {
        for index in rules.width..<max(rules.width, record.count) where !record.cell(index).isBlank {
            if !rules.farColumns.contains(index) { return false }
        }
        if record.count >= rules.width { return true }
        if !rules.allowsShort { return false }
        for index in 0..<record.count where !record.cell(index).isBlank { return true }
        return false
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
    private func read<Row: RecordCells & ~Copyable, Cells: RowCells>(
        _ record: borrowing Row, _ cells: Cells.Type
    ) -> Bool {
        var (shape, fewDigits): (UInt64, UInt64) = (1, 0)
        for index in 0..<numbers.count {
            let column = numbers[index]
            shape &<<= 2
            let cell = Cells.cell(record, column.index)
            if cell.isEmpty { continue }
            if column.mark != 0,
                let number = record.plainDecimal(
                    column.index, cell, mark: column.mark, scratch: values.scratch + index &* PlainDecimal.scratchBytes)
            {
                values.set(number: index, number)
                // A text of 8 bytes has few digits (`DigitBounds`) without a look at them.
                fewDigits |= number.isShort && number.coefficient != 0 ? 1 &<< UInt64(truncatingIfNeeded: index) : 0
                shape |= UInt64(truncatingIfNeeded: 2 &+ number.signum)
            } else {
                guard let code = readOdd(cell.content, index) else { return false }
                shape |= code
            }
        }
        values.fewDigits = fewDigits
        digests.take()
        var last = (words: (UInt64(0), UInt64(0)), count: 0, index: 0)
        for index in 0..<momentColumns.count {
            let column = momentColumns[index]
            let cell = Cells.cell(record, column.index)
            shape &<<= 1
            if cell.isEmpty { continue }
            if column.isCut {
                guard readCut(cell.content, column, index, record.cell(rules.timeColumn).content) else { return false }
            } else if column.use == .date {
                let words = cell.words
                // Many rows have one day twice.
                if let words, words == last.words, cell.count == last.count {
                    values.set(moment: index, values.moment(last.index))
                } else {
                    guard let moment = moments.known(words, cell.count) ?? moments.read(cell.content) else {
                        return false
                    }
                    values.set(moment: index, moment)
                    if let words { last = (words, cell.count, index) }
                }
            } else {
                guard readTimed(cell.content, column.use, index, record.cell(rules.timeColumn).content) else {
                    return false
                }
            }
            if !values.moment(index).isBlank { shape |= 1 }
        }
        for index in 0..<textColumns.count {
            let column = textColumns[index]
            let cell = Cells.cell(record, column.index).content
            let isBlank = cell.isEmpty || rules.blanks.isBlank(cell)
            values.set(text: index, isBlank ? .empty : cell)
            if !isBlank { shape |= column.bit }
        }
        digests.take()
        // Above all signs and dates.
        if rules.accountText >= 0, !values.text(rules.accountText).isEmpty { shape |= 1 << 62 }
        self.shape = shape
        return true
    }

    /// Reads a number in a rare shape, or none: what the class says of it; nil when it cannot be read.
    @inline(never)
    private func readOdd(_ cell: ByteView, _ index: Int) -> UInt64? {
        let column = numbers[index]
        guard let number = odd.read(cell, mark: column.mark, scratch: values.scratch(index)) else {
            return rules.blanks.isBlank(cell) ? 0 : nil
        }
        if column.isRead, cell.contains(where: { isLetter($0) || $0 >= 0x80 }) { return nil }
        values.set(number: index, number)
        return UInt64(truncatingIfNeeded: 2 &+ number.signum)
    }

    /// Reads a date out of which rules may cut something.
    @inline(never)
    private func readCut(
        _ cell: ByteView, _ column: LaneRules.MomentColumn, _ index: Int, _ time: ByteView
    ) -> Bool {
        let text = rules.cellRules.date(in: cell, of: column.slot) ?? cell
        if rules.cellRules.cuts(text, of: column.slot) { return false }
        if column.use != .date { return readTimed(text, column.use, index, time) }
        guard let moment = moments.known(text.words, text.count) ?? moments.read(text) else { return false }
        values.set(moment: index, moment)
        return true
    }

    /// Reads a time of day, or a date that has its time in another column.
    @inline(never)
    private func readTimed(
        _ cell: ByteView, _ use: LaneRules.MomentColumn.Use, _ index: Int, _ time: ByteView
    ) -> Bool {
        if use == .time {
            values.set(moment: index, rules.blanks.isBlank(cell) ? RowValues.Moment() : .someTime)
            return true
        }
        guard let moment = moments.read(cell, time: time) else { return false }
        values.set(moment: index, moment)
        return true
    }
}

/// How a row's cells are found.
private protocol RowCells {
    static func cell<Row: RecordCells & ~Copyable>(_ record: borrowing Row, _ index: Int) -> ByteView
}

/// Of a row that has all columns that are read.
private enum WholeRow: RowCells {
    @inline(__always)
    static func cell<Row: RecordCells & ~Copyable>(_ record: borrowing Row, _ index: Int) -> ByteView {
        record.knownCell(index)
    }
}

/// Of any row.
private enum ShortRow: RowCells {
    @inline(__always)
    static func cell<Row: RecordCells & ~Copyable>(_ record: borrowing Row, _ index: Int) -> ByteView {
        record.cell(index)
    }
}

extension RowValues.Moment {
    /// Stands for a time of day that no record has.
    fileprivate static var someTime: RowValues.Moment {
        var moment = RowValues.Moment()
        moment.secondsSince1970 = 0
        return moment
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
