import Delimited
import OpenAlloc

/// The shortest road of a table: a row whose class a sink has prepared goes from cells to the sink without a record.
///
/// A row's class is what its words say, the signs of its numbers, and which dates it has. What the rules make of a class
/// was worked out by its recipe; whatever is not plain here (a number in a rare shape, a date not met before that has a
/// time, a line that may be no row) is left to the recipe and the rules, which are the oracle in tests.
final class ClassLane {
    private let profile: RecipeProfile
    private let binding: TableBinding
    private let wordColumns: [Int]
    private let numberColumns: [Int]
    private let marks: [UInt8]
    private let momentColumns: [Int]
    private let textColumns: [Int]
    private let headerColumn: Int
    private let width: Int
    private let patterns: [DatePattern]
    private let values = RowValues()
    @exclusivity(unchecked) private var dates = DateCache()

    /// The classes, by open addressing: -1 in `places` is a free slot.
    @exclusivity(unchecked) private var places = [Int32](repeating: -1, count: 32)
    @exclusivity(unchecked) private var hashes: [UInt64] = []
    @exclusivity(unchecked) private var shapes: [UInt64] = []
    @exclusivity(unchecked) private var prepared: [Int] = []
    /// The words of class `i` from `i * wordColumns.count`.
    @exclusivity(unchecked) private var words: [ByteView] = []
    private let memory = ByteArena()

    /// The class of the row at hand, while it is known to be none of the table.
    @exclusivity(unchecked) private var wanted: (hash: UInt64, shape: UInt64)?
    @exclusivity(unchecked) private var cells: [ByteView]

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
        self.marks = marks
        self.profile = profile
        self.binding = binding
        wordColumns = profile.words.map { binding.columns[$0] }
        numberColumns = profile.numbers.map { binding.columns[$0] }
        momentColumns = profile.moments.map { binding.columns[$0] }
        textColumns = profile.others.map { binding.columns[$0] }
        headerColumn = binding.firstRequired ?? 0
        width = binding.width
        patterns = run.datePatterns
        cells = .init(repeating: .empty, count: wordColumns.count)
    }

    /// Takes a row, if it is plain and of a prepared class.
    func take(_ record: borrowing RecordView, _ run: DefinitionRun) -> Bool {
        wanted = nil
        guard record.count >= width, record.flags.isDisjoint(with: [.tooLong, .unclosedQuote, .invalidEncoding]),
            isRow(record, run), let shape = read(record, run)
        else { return false }
        var hash = shape
        for index in wordColumns.indices {
            let cell = record.cell(wordColumns[index]).content
            cells[index] = cell
            hash = cell.mix(into: hash)
        }
        guard let index = find(hash, shape) else {
            wanted = (hash, shape)
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
        if run.definition.lines.isEmpty { return true }
        guard let byte = record.cell(0).content.first else { return false }
        return !run.lineFilter.mayBegin(with: byte)
    }

    /// Reads numbers, dates and texts; the signs and which dates there are, or nil when one is not plain.
    @inline(__always)
    private func read(_ record: borrowing RecordView, _ run: DefinitionRun) -> UInt64? {
        var shape: UInt64 = 1
        for index in numberColumns.indices {
            let cell = record.cell(numberColumns[index]).content
            shape <<= 2
            if cell.isEmpty { continue }
            if let number = PlainDecimal.read(
                cell, mark: marks[index], scratch: values.scratch + index * PlainDecimal.scratchBytes)
            {
                values.set(number: index, number)
                shape |= UInt64(truncatingIfNeeded: 2 + number.signum)
            } else if !run.evaluator.reader.isBlank(cell) {
                return nil
            }
        }
        for index in momentColumns.indices {
            let cell = record.cell(momentColumns[index]).content
            shape <<= 1
            if cell.isEmpty { continue }
            guard let words = cell.words else { return nil }
            guard let moment = dates.known(words, cell.count) ?? readDate(cell, words, run) else { return nil }
            values.set(moment: index, moment)
            if !moment.isBlank { shape |= 1 }
        }
        for index in textColumns.indices {
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

    @inline(__always)
    private func find(_ hash: UInt64, _ shape: UInt64) -> Int? {
        let mask = places.count - 1
        var place = Int(truncatingIfNeeded: hash) & mask
        while true {
            let index = Int(places[place])
            if index < 0 { return nil }
            if hashes[index] == hash, shapes[index] == shape, hasWords(index) { return index }
            place = (place + 1) & mask
        }
    }

    @inline(__always)
    private func hasWords(_ index: Int) -> Bool {
        let first = index * cells.count
        for place in cells.indices where words[first + place] != cells[place] { return false }
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
        for cell in cells { words.append(memory.copy(cell)) }
        self.wanted = nil
    }

    private func place(_ index: Int32, _ hash: UInt64) {
        let mask = places.count - 1
        var place = Int(truncatingIfNeeded: hash) & mask
        while places[place] >= 0 { place = (place + 1) & mask }
        places[place] = index
    }

    private func grow() {
        places = .init(repeating: -1, count: places.count * 2)
        for index in hashes.indices { place(Int32(truncatingIfNeeded: index), hashes[index]) }
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
            let code = shape >> UInt64(momentColumns.count + 2 * (numberColumns.count - 1 - index)) & 3
            signs.append(code == 0 ? nil : Int(code) - 2)
        }
        let hasMoment = momentColumns.indices.map { shape >> UInt64(momentColumns.count - 1 - $0) & 1 == 1 }
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
        for index in textColumns.indices { example.texts.append(Array("example \(variant) text \(index)".utf8)) }
        run.builder.complete(&example.record, part, example: example, profile, signs, hasMoment)
        return example
    }
}
