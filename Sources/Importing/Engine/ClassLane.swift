import Delimited
import OpenAlloc

/// The shortest road of a table: a row whose class a sink has prepared goes from cells to the sink without a record.
///
/// A row's class is what its words say (in this way of quoting them), the signs of its numbers, and which dates it has. What the rules make of a class
/// was worked out by its recipe; whatever is not plain here (a number in a rare shape, a date not met before that has a
/// time, a line that may be no row) is left to the recipe and the rules, which are the oracle in tests.
final class ClassLane {
    private let profile: RecipeProfile
    private let binding: TableBinding
    /// The first and the last of columns of words that stand side by side.
    private let wordColumns: FlatMemory<ColumnRange>
    private let numberColumns: FlatMemory<Int>
    private let marks: FlatMemory<UInt8>
    private let momentColumns: FlatMemory<Int>
    private let textColumns: FlatMemory<Int>
    private let hasLines: Bool
    private let headerColumn: Int
    private let width: Int
    private let patterns: [DatePattern]
    private let values = RowValues()
    @exclusivity(unchecked) private var dates = DateCache()

    /// The classes, by open addressing: -1 in `places` is a free slot.
    @exclusivity(unchecked) private var places = FlatMemory<Int32>(repeating: -1, count: 32)
    @exclusivity(unchecked) private var hashes = FlatMemory<UInt64>([])
    @exclusivity(unchecked) private var shapes = FlatMemory<UInt64>([])
    @exclusivity(unchecked) private var prepared = FlatMemory<Int>([])
    /// The words of class `i` from `i * wordColumns.count`.
    @exclusivity(unchecked) private var words = FlatMemory<ByteView>([])
    private let memory = ByteArena()

    /// The class of the row at hand, while it is known to be none of the table.
    @exclusivity(unchecked) private var wanted: (hash: UInt64, shape: UInt64)?
    @exclusivity(unchecked) private var cells: FlatMemory<ByteView>

    private static let maximum = 4096

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
        self.marks = FlatMemory(marks)
        hasLines = !run.definition.lines.isEmpty
        self.profile = profile
        self.binding = binding
        let ranges = ColumnRange.ranges(of: profile.words.map { binding.columns[$0] })
        wordColumns = FlatMemory(ranges)
        numberColumns = FlatMemory(profile.numbers.map { binding.columns[$0] })
        momentColumns = FlatMemory(profile.moments.map { binding.columns[$0] })
        textColumns = FlatMemory(profile.others.map { binding.columns[$0] })
        headerColumn = binding.firstRequired ?? 0
        width = binding.width
        patterns = run.datePatterns
        cells = FlatMemory(repeating: .empty, count: ranges.count)
    }

    /// Takes a row, if it is plain and of a prepared class.
    func take(_ record: borrowing RecordView, _ run: DefinitionRun) -> Bool {
        wanted = nil
        guard record.count >= width, record.flags.isDisjoint(with: [.tooLong, .unclosedQuote, .invalidEncoding]),
            isRow(record, run), let shape = read(record, run)
        else { return false }
        var hash = shape
        for index in 0..<wordColumns.count {
            let columns = wordColumns[index]
            let cell = record.rawCells(columns.first, columns.last)
            cells[index] = cell
            hash = cell.sample(into: hash)
        }
        let index = find(hash, shape)
        guard index >= 0 else {
            if index == ClassLane.unknown { wanted = (hash, shape) }
            return false
        }
        let unit = SourceUnit(line: record.line, byteOffset: record.byteOffset, raw: record.rawBytes)
        return run.sink.accept(values, of: prepared[index], from: unit)
    }

    /// Whether the line is neither a header nor one that rules for lines speak of, and not longer than its header.
    @inline(__always)
    private func isRow(_ record: borrowing RecordView, _ run: DefinitionRun) -> Bool {
        for index in width..<max(width, record.count) where !record.cell(index).isEmpty { return false }
        if let first = record.cell(headerColumn).content.first, isDigit(first) {
        } else if run.binder.hasName(record) {
            return false
        }
        if !hasLines { return true }
        guard let byte = record.cell(0).content.first else { return false }
        return !run.lineFilter.mayBegin(with: byte)
    }

    /// Reads numbers, dates and texts; the signs and which dates there are, or nil when one is not plain.
    @inline(__always)
    private func read(_ record: borrowing RecordView, _ run: DefinitionRun) -> UInt64? {
        var shape: UInt64 = 1
        for index in 0..<numberColumns.count {
            let column = numberColumns[index]
            shape <<= 2
            if record.cell(column).isEmpty { continue }
            if let number = record.plainDecimal(
                column, mark: marks[index], scratch: values.scratch + index * PlainDecimal.scratchBytes)
            {
                values.set(number: index, number)
                shape |= UInt64(truncatingIfNeeded: 2 + number.signum)
            } else if !run.evaluator.reader.isBlank(record.cell(column).content) {
                return nil
            }
        }
        for index in 0..<momentColumns.count {
            let cell = record.cell(momentColumns[index]).content
            shape <<= 1
            if cell.isEmpty { continue }
            guard let words = cell.words else { return nil }
            guard let moment = dates.known(words, cell.count) ?? readDate(cell, words, run) else { return nil }
            values.set(moment: index, moment)
            if !moment.isBlank { shape |= 1 }
        }
        for index in 0..<textColumns.count {
            let cell = record.cell(textColumns[index]).content
            values.set(text: index, cell.isEmpty || run.evaluator.reader.isBlank(cell) ? .empty : cell)
        }
        return shape
    }

    @inline(never)
    private func readDate(_ cell: ByteView, _ words: (UInt64, UInt64), _ run: DefinitionRun) -> RowValues.Moment? {
        if cell.contains(where: isSpace) { return nil }
        if run.evaluator.reader.isBlank(cell) { return dates.keep(words, cell.count, nil) }
        guard let instant = run.builder.dates.instant(cell, time: .empty, patterns: patterns),
            instant.nanoseconds == 0
        else { return nil }
        return dates.keep(words, cell.count, instant)
    }

    // MARK: classes

    private static let unknown = -1
    private static let crowded = -2

    /// The class, or why there is none.
    @inline(__always)
    private func find(_ hash: UInt64, _ shape: UInt64) -> Int {
        let mask = places.count - 1
        var place = Int(truncatingIfNeeded: hash) & mask
        // The hash sees a part of long words only: words made to collide are left to the recipes.
        for _ in 0..<32 {
            let index = Int(places[place])
            if index < 0 { return ClassLane.unknown }
            if hashes[index] == hash, shapes[index] == shape, hasWords(index) { return index }
            place = (place + 1) & mask
        }
        return ClassLane.crowded
    }

    @inline(__always)
    private func hasWords(_ index: Int) -> Bool {
        let first = index * cells.count
        for place in 0..<cells.count where words[first + place] != cells[place] { return false }
        return true
    }

    /// Learns the class of the row that `take` has just left to its recipe, which was followed.
    func learn(_ recipe: Recipe, _ run: DefinitionRun) {
        guard let wanted, hashes.count < ClassLane.maximum else { return }
        if recipe.preparation == nil {
            let id = recordClass(recipe, shape: wanted.shape, run).flatMap { run.sink.prepare($0) }
            recipe.preparation = id.map { .prepared($0) } ?? .refused
        }
        guard case .prepared(let id)? = recipe.preparation else { return }
        if hashes.count * 2 >= places.count { grow() }
        place(Int32(truncatingIfNeeded: hashes.count), wanted.hash)
        hashes.append(wanted.hash)
        shapes.append(wanted.shape)
        prepared.append(id)
        for index in 0..<cells.count { words.append(memory.copy(cells[index])) }
        self.wanted = nil
    }

    private func place(_ index: Int32, _ hash: UInt64) {
        let mask = places.count - 1
        var place = Int(truncatingIfNeeded: hash) & mask
        while places[place] >= 0 { place = (place + 1) & mask }
        places[place] = index
    }

    private func grow() {
        places = FlatMemory(repeating: -1, count: places.count * 2)
        for index in 0..<hashes.count { place(Int32(truncatingIfNeeded: index), hashes[index]) }
    }

    // MARK: examples

    /// Texts that a row may bring: all others decide what the row is.
    private static let freeTexts: Set<Record.Text> = [.description, .sourceAction, .sourceTxnID, .lot]

    private func recordClass(_ recipe: Recipe, shape: UInt64, _ run: DefinitionRun) -> RecordClass? {
        guard case .records = recipe.verdict, recipe.parts.count == 1, let part = recipe.parts.first,
            part.computed.isEmpty, part.numbers.allSatisfy({ profile.numbers.contains($0.slot) }),
            part.moments.allSatisfy({ profile.moments.contains($0.slot) }),
            part.texts.allSatisfy({ profile.others.contains($0.slot) && ClassLane.freeTexts.contains($0.field) })
        else { return nil }
        var signs: [Int?] = []
        for index in profile.numbers.indices {
            let code = shape >> UInt64(profile.moments.count + 2 * (profile.numbers.count - 1 - index)) & 3
            signs.append(code == 0 ? nil : Int(code) - 2)
        }
        let momentCount = profile.moments.count
        let hasMoment = profile.moments.indices.map { shape >> UInt64(momentCount - 1 - $0) & 1 == 1 }
        var examples: [RecordClass.Example] = []
        for variant in 0..<2 {
            guard let example = example(recipe.records[0], part, signs, hasMoment, variant, run) else { return nil }
            examples.append(example)
        }
        return RecordClass(examples: (examples[0], examples[1]), signs: signs)
    }

    private func example(
        _ record: Record, _ part: Recipe.Part, _ signs: [Int?], _ hasMoment: [Bool], _ variant: Int,
        _ run: DefinitionRun
    ) -> RecordClass.Example? {
        var example = RecordClass.Example(record: record, numbers: [], moments: [], texts: [])
        for index in signs.indices {
            // Numbers of seven digits that are sums, products or parts of each other in no way.
            let digits = 6_700_417 + 104_729 * Int128(index) + 1_299_709 * Int128(variant)
            guard let number = ExactDecimal(coefficient: Int128(signs[index] ?? 0) * digits, scale: 3) else {
                return nil
            }
            example.numbers.append(number)
        }
        for index in hasMoment.indices {
            let seconds = 1_000_000_000 + 86_407 * Int64(index) + 40_000_003 * Int64(variant)
            guard let instant = Instant(secondsSince1970: seconds) else { return nil }
            example.moments.append(instant)
        }
        for index in 0..<textColumns.count { example.texts.append(Array("example \(variant) text \(index)".utf8)) }
        run.builder.complete(&example.record, part, example: example, profile, signs, hasMoment)
        return example
    }
}

/// Columns side by side.
struct ColumnRange: BitwiseCopyable {
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
