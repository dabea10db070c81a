import Delimited
import Importing
import OpenAlloc

/// What the rows of all classes of a form of positions, securities or accounts become, worked out once as `PreparedForm`
/// does for transactions: two made-up rows go through `ReferenceProjection`, and where a value or a word of theirs comes
/// out, that of each row and class will. The oracle is the projection itself.
final class PositionForm {
    /// A piece of a stored row.
    enum Piece {
        /// A cell that all rows have, encoded.
        case constant([UInt8])
        case number(Int, isNegative: Bool)
        /// A number of a hundredth: pence, or per cent of par.
        case hundredth(Int, isNegative: Bool)
        /// The magnitude of one number divided by another.
        case quotient(Int, by: Int)
        case moment(Int)
        case text(Int)
        /// A text of the class.
        case word(Record.Text)
        /// The row ends.
        case end(SchemaID, RowHead.Flags)
    }

    let pieces: [Piece]
    /// What must come to the same: units × one, and the whole; of a row that may not, a record is made.
    let products: [HoldingCheck.Product]
    /// The place of the date before which nothing is acquired; −1 where rows have none.
    let acquiredAt: Int
    /// Whether the account is assumed, which is said once an input.
    let isAccountAssumed: Bool
    /// When the export was made by which prices are dated.
    let exportedAt: Instant?

    /// Nil for a form whose rows must be projected one by one.
    init?(_ recordClass: RecordClass, exportedAt: Instant?, extended: Bool) {
        let (first, second) = recordClass.examples
        guard !first.record.isBlank(.account) || first.record.kind.shape == .security else { return nil }
        var left = PendingRows()
        var right = PendingRows()
        let projection = ReferenceProjection(exportedAt: exportedAt)
        guard (try? projection.project(first.record, extended: extended, into: &left)) != nil,
            (try? projection.project(second.record, extended: extended, into: &right)) != nil,
            left.count == right.count
        else { return nil }
        let values = PositionForm.Values(recordClass)
        var pieces: [Piece] = []
        for (one, other) in zip(left.rows, right.rows) {
            guard one.schema == other.schema, one.flags == other.flags else { return nil }
            var (cells, others) = (CellCursor(left.cells(of: one)), CellCursor(right.cells(of: other)))
            while !cells.isAtEnd, !others.isAtEnd {
                guard let piece = values.piece(cells.next(), others.next()) else { return nil }
                pieces.append(piece)
            }
            guard cells.isAtEnd, others.isAtEnd else { return nil }
            pieces.append(.end(one.schema, one.flags))
        }
        var acquiredAt = -1
        if let acquired = first.record[.acquiredAt] {
            guard let place = first.moments.firstIndex(of: acquired),
                second.record[.acquiredAt] == second.moments[place]
            else { return nil }
            acquiredAt = place
        }
        guard let products = values.products(first.record, second.record) else { return nil }
        self.products = products
        self.pieces = pieces
        self.acquiredAt = acquiredAt
        isAccountAssumed = left.rows.contains { $0.flags.contains(.accountAssumed) }
        self.exportedAt = exportedAt
    }

    /// Finds in cells of both examples what they were made of.
    private struct Values {
        let texts: ExampleValues
        let numbers: [(ExactDecimal, ExactDecimal)]

        init(_ recordClass: RecordClass) {
            texts = ExampleValues(recordClass)
            numbers = zip(recordClass.examples.0.numbers, recordClass.examples.1.numbers).map {
                ($0.magnitude, $1.magnitude)
            }
        }

        func piece(_ first: Cell, _ second: Cell) -> Piece? {
            guard first.kind == second.kind else { return nil }
            let (one, other) = (Array(first.bytes), Array(second.bytes))
            if one == other {
                var buffer = CellBuffer()
                buffer.cell(first)
                return .constant(buffer.cells.bytes)
            }
            switch first.kind {
            case .decimal: return number(one, other)
            case .date: return texts.moment(one, other).map { .moment($0) }
            case .text:
                if let word = texts.word(one, other) { return .word(word) }
                return texts.text(one, other).map { .text($0) }
            default: return nil
            }
        }

        /// Nil where a number of them is not found.
        func products(_ first: borrowing Record, _ second: borrowing Record) -> [HoldingCheck.Product]? {
            var found: [HoldingCheck.Product] = []
            for pair in HoldingCheck.pairs where HoldingCheck.applies(pair, first) {
                guard case .number(let units, _)? = plain(first, second, .units),
                    case .number(let whole, _)? = plain(first, second, pair.whole),
                    let one = unit(first, second, pair.unit)
                else { return nil }
                switch one {
                case .number(let place, _):
                    found.append(.init(units: units, one: .place(place, shift: 0), whole: whole))
                case .hundredth(let place, _):
                    found.append(.init(units: units, one: .place(place, shift: 2), whole: whole))
                case .constant(let text):
                    guard let price = PositionForm.number(text) else { return nil }
                    found.append(.init(units: units, one: .constant(price), whole: whole))
                // A price that is made of both comes to the whole.
                case .quotient(whole, by: units): continue
                default: return nil
                }
            }
            return found
        }

        private func plain(_ first: borrowing Record, _ second: borrowing Record, _ field: Record.Number) -> Piece? {
            guard let one = first[field], let other = second[field] else { return nil }
            return number(Array(one.description.utf8), Array(other.description.utf8))
        }

        private func unit(_ first: borrowing Record, _ second: borrowing Record, _ field: Record.Number) -> Piece? {
            guard let one = first[field], let other = second[field],
                let left = try? Money.unitPrice(one, of: first), let right = try? Money.unitPrice(other, of: second)
            else { return nil }
            let text = Array(left.magnitude.description.utf8)
            return left == right ? .constant(text) : number(text, Array(right.magnitude.description.utf8))
        }

        private func number(_ one: [UInt8], _ other: [UInt8]) -> Piece? {
            let isNegative = one.first == 0x2D
            if let place = texts.number(one, other) { return .number(place, isNegative: isNegative) }
            guard isNegative == (other.first == 0x2D), let left = PositionForm.number(one),
                let right = PositionForm.number(other)
            else { return nil }
            for (place, pair) in numbers.enumerated() {
                if pair.0.multiplied(by: Money.hundredth) == left.magnitude,
                    pair.1.multiplied(by: Money.hundredth) == right.magnitude
                {
                    return .hundredth(place, isNegative: isNegative)
                }
            }
            if isNegative { return nil }
            for (place, pair) in numbers.enumerated() {
                for (divisor, by) in numbers.enumerated() where !by.0.isZero && !by.1.isZero {
                    if pair.0.divided(by: by.0)?.value == left, pair.1.divided(by: by.1)?.value == right {
                        return .quotient(place, by: divisor)
                    }
                }
            }
            return nil
        }
    }

    private static func number(_ text: [UInt8]) -> ExactDecimal? {
        text.withUnsafeBufferPointer { try? ExactDecimal.parse($0) }
    }
}

/// The rows of one class of a `PositionForm`, with its words: cells → stored cells.
final class PositionClass {
    enum Gap: UInt8 {
        case number, negativeNumber, hundredth, negativeHundredth, quotient, moment, text, end
    }

    /// So many bytes of `constants`, and the gap after them.
    struct Part: BitwiseCopyable {
        var count = 0
        var gap: Gap
        var place: UInt8 = 0
        var other: UInt8 = 0
    }

    let form: PositionForm
    private let constants: FlatMemory<UInt8>
    private let parts: FlatMemory<Part>
    private let ends: [(schema: SchemaID, flags: RowHead.Flags)]

    init(_ form: PositionForm, _ record: borrowing Record) {
        self.form = form
        var buffer = CellBuffer()
        var parts: [Part] = []
        var ends: [(schema: SchemaID, flags: RowHead.Flags)] = []
        var start = 0
        func part(_ gap: Gap, _ place: Int = 0, _ other: Int = 0, _ count: Int) -> Part {
            defer { start += count }
            return Part(
                count: count, gap: gap, place: UInt8(truncatingIfNeeded: place), other: UInt8(truncatingIfNeeded: other)
            )
        }
        for piece in form.pieces {
            let count = buffer.count - start
            switch piece {
            case .constant(let bytes): ByteView.with(bytes) { buffer.append(encoded: $0) }
            case .word(let text): buffer.text(record.bytes(text))
            case .number(let place, let isNegative):
                parts.append(part(isNegative ? .negativeNumber : .number, place, 0, count))
            case .hundredth(let place, let isNegative):
                parts.append(part(isNegative ? .negativeHundredth : .hundredth, place, 0, count))
            case .quotient(let place, let by): parts.append(part(.quotient, place, by, count))
            case .moment(let place): parts.append(part(.moment, place, 0, count))
            case .text(let place): parts.append(part(.text, place, 0, count))
            case .end(let schema, let flags):
                parts.append(part(.end, ends.count, 0, count))
                ends.append((schema, flags))
            }
        }
        constants = FlatMemory(bytes: buffer.cells.bytes)
        self.parts = FlatMemory(parts)
        self.ends = ends
    }

    /// Appends the rows that a row's values make; false when one of them has too many digits.
    func fill(_ values: RowValues, into rows: inout PendingRows) -> Bool {
        var start = 0
        for index in 0..<parts.count {
            let part = parts[index]
            if part.count > 0 { rows.cells.append(encoded: constants.view(start, part.count)) }
            start += part.count
            let place = Int(part.place)
            switch part.gap {
            case .number: rows.cells.number(values.number(place), isNegative: false)
            case .negativeNumber: rows.cells.number(values.number(place), isNegative: true)
            case .hundredth, .negativeHundredth:
                guard let number = PositionClass.magnitude(values.number(place), shiftedBy: 2) else { return false }
                rows.cells.number(part.gap == .hundredth ? number : number.negated)
            case .quotient:
                guard let left = PositionClass.magnitude(values.number(place)),
                    let right = PositionClass.magnitude(values.number(Int(part.other))), !right.isZero,
                    let quotient = left.divided(by: right)
                else { return false }
                rows.cells.number(quotient.value)
            case .moment: rows.cells.moment(values.moment(place))
            case .text: rows.cells.text(values.text(place))
            case .end: rows.finishRow(ends[place].schema, ends[place].flags)
            }
        }
        return true
    }

    /// Whether a row has a zero before another digit, and behind these a group of three digits; true also of some rows
    /// in which that is no number.
    static func mayHaveGroupsAfterZero(_ raw: ByteView) -> Bool {
        func isDigit(_ place: Int) -> Bool { place < raw.count && raw[place] &- 0x30 < 10 }
        var place = 0
        while place < raw.count {
            let start = place
            while isDigit(place) { place += 1 }
            if place > start + 1, raw[start] == 0x30, place < raw.count, raw[place] == 0x2C || raw[place] == 0x2E,
                isDigit(place + 1), isDigit(place + 2), isDigit(place + 3), !isDigit(place + 4)
            {
                return true
            }
            if place == start { place += 1 }
        }
        return false
    }

    static func magnitude(_ number: PlainDecimal, shiftedBy shift: Int = 0) -> ExactDecimal? {
        ExactDecimal(coefficient: Int128(number.coefficient.magnitude), scale: Int(number.scale) + shift)
    }
}

// Positions whose class was prepared: cells → stored rows.
extension InputSink {
    /// Takes a row of a class of positions; false when it must be handed over as a record.
    func accept(_ values: RowValues, _ position: PositionClass, of prepared: PreparedClass, _ unit: SourceUnit) -> Bool
    {
        guard prepared.accepts(values, times), accountAssumed != nil || !position.form.isAccountAssumed else {
            return false
        }
        // An earlier input's class: prices may be dated by its export, and what is wrong with words is said once an input.
        guard prepared.input == input || (prepared.isSound && position.form.exportedAt == exportedAt) else {
            return false
        }
        if position.form.acquiredAt >= 0, let oldest = checks.oldest,
            values.moment(position.form.acquiredAt).secondsSince1970 < oldest.secondsSince1970
        {
            return false
        }
        if prepared.accountText >= 0 {
            let account = values.text(prepared.accountText)
            if account.isEmpty || account.withUnsafeBytes(RoundedNumber.isOne) { return false }
        }
        for product in position.form.products where !product.comesOut(values) { return false }
        // The lane passes over zeros before a number, also where the rules want none: before groups of digits.
        if PositionClass.mayHaveGroupsAfterZero(unit.raw) { return false }
        pendingStored.removeAll()
        guard position.fill(values, into: &pendingStored) else { return false }
        // Its unit is one line, and one holding at most is made of it.
        storePending(unit.line, unit: nil)
        acceptedUnits += 1
        return true
    }
}
