import Delimited
import Importing
import OpenAlloc

/// What the rows of all classes of a form become, worked out once: two made-up rows go through the projection, and where
/// a value or a word of theirs comes out, that of each row and class will.
final class PreparedForm {
    /// One row of openalloc/transaction.
    final class Row {
        let template: FormTemplate
        let key: FormTemplate
        let check: PriceCheck?
        /// The same on exact numbers: where the price is not the cell's own, and for rows that fail the quick check.
        let exactCheck: ExactCheck?
        /// What a row looks like, and the places of its units and price; −1 where they are no number of the row as it
        /// stands.
        let example: TransactionRow
        let units: Int
        let price: Int
        /// Which of the records that the source's row becomes it is of.
        let record: Int

        init(
            _ template: FormTemplate, key: FormTemplate, check: PriceCheck?, _ exactCheck: ExactCheck?,
            _ example: TransactionRow, _ values: ExampleValues, record: Int
        ) {
            self.record = record
            self.template = template
            self.key = key
            self.check = check
            self.exactCheck = exactCheck
            self.example = example
            units = values.number(example.units) ?? -1
            price = example.price.flatMap { values.number($0) } ?? -1
        }
    }

    let first: Row
    /// The others, where there are more.
    let rest: [Row]
    /// As in ``PreparedClass``.
    let tradedAt: Int
    let acquiredAt: Int
    let accountText: Int
    let isAccountAssumed: Bool
    /// What its rows are where they are no transactions; `first` is empty then.
    let position: PositionForm?
    let program: RowProgram?
    /// What the projection works out of the numbers of a row.
    let derived: RowProgram?

    /// The most rows; a batch has room for the keys of so many.
    private static let mostRows = 4

    /// What preparing needs of the run.
    struct Tools {
        let projector: Projector
        let columns: RunOptions.Columns
        let writer: any TableWriter
        let salt: [UInt8]
        let exportedAt: Instant?
    }

    /// Nil for a form whose rows must be projected one by one.
    init?(_ recordClass: RecordClass, _ tools: Tools) {
        let (first, second) = recordClass.examples
        switch first.record.kind.shape {
        case .position, .security, .account:
            guard recordClass.recordCount == 1 else { return nil }
            let isExtended = tools.columns == .extended
            guard let form = PositionForm(recordClass, exportedAt: tools.exportedAt, extended: isExtended) else {
                return nil
            }
            position = form
            (tradedAt, acquiredAt) = (-1, -1)
            accountText = recordClass.account ?? -1
            isAccountAssumed = first.record.isAccountAssumed
            let none = TransactionRow(.miscflow, first.record.kind, record: 0, units: .zero)
            self.first = Row(
                FormTemplate(), key: FormTemplate(), check: nil, nil, none, ExampleValues(recordClass), record: 0)
            rest = []
            (program, derived) = (recordClass.program, nil)
            return
        default: position = nil
        }
        // Whether units are lost may depend on how large a row's are.
        guard !RecordChecks.mayLoseUnits([first.record] + first.others),
            let dates = PreparedForm.dates(recordClass),
            PreparedForm.haveOneAccount([first.record] + first.others),
            PreparedForm.haveOneAccount([second.record] + second.others)
        else { return nil }
        (tradedAt, acquiredAt) = dates
        var values = ExampleValues(recordClass)
        var derived = DerivedNumbers(recordClass)
        var rows: [Row] = []
        for index in 0..<recordClass.recordCount {
            let alone = recordClass.alone(index)
            guard let left = PreparedForm.project(alone.examples.0, tools),
                let right = PreparedForm.project(alone.examples.1, tools), left.rows.count == right.rows.count
            else { return nil }
            derived.use(alone)
            for row in left.rows.indices {
                derived.find(left.rows[row].price, right.rows[row].price, &values)
                derived.find(left.rows[row].amount, right.rows[row].amount, &values)
            }
            for (row, other) in zip(left.whole, right.whole) { derived.find(row.amount, other.amount, &values) }
            for row in left.rows.indices {
                guard let new = PreparedForm.row(row, left, right, alone, values, tools, record: index) else {
                    return nil
                }
                rows.append(new)
            }
        }
        guard let row = rows.first, rows.count <= PreparedForm.mostRows else { return nil }
        self.derived = derived.program
        accountText = recordClass.account ?? -1
        isAccountAssumed = first.record.isAccountAssumed
        program = recordClass.program
        self.first = row
        rest = Array(rows.dropFirst())
    }

    /// Where the dates of a row stand that are looked at, the same for all its records; nil where they are none of its own.
    private static func dates(_ recordClass: RecordClass) -> (traded: Int, acquired: Int)? {
        var found: (traded: Int, acquired: Int)?
        for index in 0..<recordClass.recordCount {
            let (first, second) = recordClass.alone(index).examples
            guard let traded = first.record[.tradedAt], let place = first.moments.firstIndex(of: traded),
                second.record[.tradedAt] == second.moments[place], let acquired = acquired(first, second)
            else { return nil }
            if let found, found != (place, acquired) { return nil }
            found = (place, acquired)
        }
        return found
    }

    private static func haveOneAccount(_ records: [Record]) -> Bool {
        records.allSatisfy { record in
            record.isAccountAssumed == records[0].isAccountAssumed && record.accountPart == records[0].accountPart
                && record.bytes(.account).elementsEqual(records[0].bytes(.account))
        }
    }

    /// The place of the date on which a lot was acquired, −1 where there is none; nil where it is none of a row's dates.
    private static func acquired(_ first: RecordClass.Example, _ second: RecordClass.Example) -> Int? {
        guard let acquired = first.record[.acquiredAt] else { return second.record[.acquiredAt] == nil ? -1 : nil }
        guard let place = first.moments.firstIndex(of: acquired), second.record[.acquiredAt] == second.moments[place]
        else { return nil }
        return place
    }

    // MARK: examples

    private struct Projected {
        var rows: [TransactionRow] = []
        /// The first of them as they are checked, before costs become rows.
        var whole: [TransactionRow] = []
        var cells: [[CellRecorder.Cell]] = []
        var keys: [[UInt8]] = []
    }

    private static let recordedLine = 987_654_321
    private static let recordedID = StableHash(Array("row id".utf8))
    private static let recordedHex = hex(recordedID)
    private static let recordedMeta = hex(StableHash(Array("source meta id".utf8)))

    private static func hex(_ hash: StableHash) -> [UInt8] {
        var bytes: [UInt8] = []
        hash.appendHex(to: &bytes)
        return bytes
    }

    private static func project(_ example: RecordClass.Example, _ tools: Tools) -> Projected? {
        switch example.record.kind.shape {
        case .position, .security, .account: return nil
        default: break
        }
        var result = Projected()
        guard (try? tools.projector.project(example.record, at: 0, into: &result.rows)) != nil else { return nil }
        for row in result.rows {
            guard (try? RecordChecks.requireSecurity(row, example.record)) != nil,
                (try? RecordChecks.requireMoney(example.record)) != nil, !isSignInDoubt(row, example.record)
            else { return nil }
        }
        result.whole = result.rows
        guard (try? tools.projector.splitCosts(example.record, at: 0, &result.rows, from: 0)) != nil else { return nil }
        var table = TransactionTable(writer: CellRecorder(), extended: tools.columns == .extended)
        var keys = ContentKey()
        for row in result.rows {
            table.build(row, example.record, rowID: recordedID, metaID: recordedMeta, line: recordedLine)
            result.cells.append(CellRecorder.cells(of: table.row))
            _ = keys.key(row, example.record, salt: tools.salt)
            result.keys.append(keys.bytes)
        }
        return result
    }

    /// An amount that points the way of the units: whether its sign is turned depends on how large the costs are, and
    /// where it is, that is said of each row.
    private static func isSignInDoubt(_ row: TransactionRow, _ record: borrowing Record) -> Bool {
        if RecordChecks.isTurned(row, record) || RecordChecks.areUnitsTurned(record) { return true }
        guard row.action == .buysell, !record.isMarkedToMarket, let amount = record[.amount], let price = row.price
        else { return false }
        // Without costs nothing but the sign of units × price decides.
        if !record.costsInAmount || ((try? Money.costs(of: record).isZero) ?? false) { return false }
        return amount.signum * row.units.signum * price.signum > 0
    }

    // MARK: rows

    private static func row(
        _ index: Int, _ left: Projected, _ right: Projected, _ recordClass: RecordClass, _ values: ExampleValues,
        _ tools: Tools, record: Int
    ) -> Row? {
        var template = FormTemplate()
        var keyTemplate = FormTemplate()
        let columns = Schema.transaction.allColumns
        let (first, second) = (left.cells[index], right.cells[index])
        guard first.count == second.count, first.count <= columns.count else { return nil }
        var bytes: [UInt8] = []
        tools.writer.beginRow(&bytes)
        template.append(bytes)
        for place in first.indices {
            var opening: [UInt8] = []
            tools.writer.beginCell(columns[place], isFirst: place == 0, &opening)
            template.append(opening)
            guard append(first[place], second[place], to: &template, values, tools.writer) else { return nil }
        }
        bytes = []
        tools.writer.endRow(&bytes)
        template.append(bytes)
        guard key(left.keys[index], right.keys[index], to: &keyTemplate, values) else { return nil }
        var check: PriceCheck?
        var exactCheck: ExactCheck?
        if index < left.whole.count, RecordChecks.mustAddUp(left.whole[index], recordClass.examples.0.record) {
            check = PriceCheck(left.whole[index], recordClass.examples.0, values)
            exactCheck = ExactCheck((left.whole[index], right.whole[index]), recordClass, values)
            if check == nil, exactCheck == nil { return nil }
        }
        return Row(template, key: keyTemplate, check: check, exactCheck, left.rows[index], values, record: record)
    }

    private static func append(
        _ first: CellRecorder.Cell, _ second: CellRecorder.Cell, to template: inout FormTemplate,
        _ values: ExampleValues, _ writer: any TableWriter
    ) -> Bool {
        var bytes: [UInt8] = []
        switch (first, second) {
        case (.number(let text), .number(let other)):
            if text == other, text == Array("\(recordedLine)".utf8) {
                template.append(.line)
            } else if text == other {
                template.append(text)
            } else {
                guard let place = values.number(text, other) else { return false }
                if text.first == 0x2D { template.append([0x2D]) }
                template.append(.number, place: place)
            }
        case (.moment(let text), .moment(let other)):
            guard let place = values.moment(text, other) else { return false }
            // A format may put something around the text of a moment.
            guard let moment = Instant(rfc3339: String(decoding: text, as: UTF8.self)) else { return false }
            writer.moment(moment, &bytes)
            guard let range = bytes.firstRange(of: text) else { return false }
            template.append(bytes[..<range.lowerBound])
            template.append(.moment, place: place)
            template.append(bytes[range.upperBound...])
        case (.text(let text), .text(let other)):
            if text == other {
                text.withUnsafeBytes { writer.text($0, &bytes) }
                guard text == recordedHex || text == recordedMeta else {
                    template.append(bytes)
                    return true
                }
                guard let range = bytes.firstRange(of: text) else { return false }
                template.append(bytes[..<range.lowerBound])
                template.append(text == recordedHex ? .rowID : .metaID)
                template.append(bytes[range.upperBound...])
            } else if let field = values.word(text, other) {
                template.append(cell: field)
            } else {
                guard let place = values.text(text, other) else { return false }
                template.append(.text, place: place)
            }
        case (.null, .null):
            writer.null(&bytes)
            template.append(bytes)
        case (.flag(let flag), .flag(let other)) where flag == other:
            writer.flag(flag, &bytes)
            template.append(bytes)
        default: return false
        }
        return true
    }

    /// The fields of a content key that differ between the examples end in a value of the row.
    private static func key(
        _ left: [UInt8], _ right: [UInt8], to template: inout FormTemplate, _ values: ExampleValues
    ) -> Bool {
        let first = left.split(separator: 0x1F, omittingEmptySubsequences: false).map(Array.init)
        let second = right.split(separator: 0x1F, omittingEmptySubsequences: false).map(Array.init)
        guard first.count == second.count else { return false }
        for index in first.indices {
            if index > 0 { template.append([0x1F]) }
            if first[index] == second[index] {
                template.append(first[index])
                continue
            }
            if let field = values.word(first[index], second[index]) {
                template.append(text: field)
                continue
            }
            guard let found = values.suffix(first[index], second[index]) else { return false }
            template.append(first[index].dropLast(found.length))
            template.append(found.gap, place: found.place)
        }
        return true
    }
}

extension [UInt8] {
    /// Where bytes first occur.
    func firstRange(of bytes: [UInt8]) -> Range<Int>? {
        ByteView.with(self) { $0.firstRange(of: bytes) }
    }
}
