import Delimited
import Digests
import Markup
import OpenAlloc

/// The shortest road of Flex: a row whose names and quotes were met before, and whose class a sink has prepared, goes
/// from its values to the sink without a record.
///
/// A row's class is its shape, its statement, what its words say, the signs of its numbers, and which values are blank.
/// What becomes of a class is what the mapper makes of made-up rows of it; a row of which the mapper might make
/// something else goes to the mapper, which is the oracle in tests.
final class FlexRowLane {
    private let sink: any RecordSink
    private let queue: RowQueue
    /// Digests are made beside the reading of rows; the steps are those of `desk`.
    private let desk: DigestDesk?
    let digests: DigestSteps
    private let seen: FlexSeenRows
    private let values = RowValues()
    @exclusivity(unchecked) private var dates: FlexDates
    @exclusivity(unchecked) private var caches = StampCaches()
    /// The plans by the number of a shape, those that there are; counting references would cost as much as a value.
    @exclusivity(unchecked) private var plans = FlatMemory<Unmanaged<FlexRowPlan>?>([])
    @exclusivity(unchecked) private var owned: [FlexRowPlan] = []
    @exclusivity(unchecked) private var classes = RowClasses(words: FlexAttribute.allCases.count)
    /// The row that the lane has left to the mapper, its class, and where its moments stand.
    @exclusivity(unchecked) private var wanted = Wanted()

    private struct Wanted: BitwiseCopyable {
        var offset = -1
        var index = 0
        var shape = 0
        var tradedAt = -1
        var settledAt = -1
    }

    private let visitsBefore: Int32
    private let forms = RowForms()

    /// - Parameter byteCount: how large the input is.
    init(sink: any RecordSink, dates: FlexDates, seen: FlexSeenRows, byteCount: Int) {
        visitsBefore = RowClasses.visitsBefore(inBytes: byteCount)
        self.sink = sink
        self.dates = dates
        self.seen = seen
        queue = RowQueue(sink)
        desk = sink.desk
        digests = DigestSteps(desk)
    }

    /// Hands the sink the rows that wait, before it gets anything else.
    func settle() { queue.settle() }

    /// Forgets the rows that wait, at the end.
    func giveUp() { queue.giveUp() }

    /// A shape was met, the next one by number.
    func meet(_ shape: FlexShape) {
        let plan = FlexRowPlan(shape)
        if let plan { owned.append(plan) }
        plans.append(plan.map { .passUnretained($0) })
    }

    /// Takes a row, if it is plain, of a prepared class, and not there already.
    func take(_ row: MarkupRow, statement: Int) -> Bool {
        wanted.offset = -1
        guard let plan = plans[row.shapeNumber] else { return false }
        // `owned` keeps it for as long as the lane lives.
        return plan._withUnsafeGuaranteedRef { plan in
            ByteView.with(row.bytes) { take(row, $0, plan, statement) }
        }
    }

    /// What the value at a place says; empty where the row has none.
    @inline(__always)
    private func cell(_ row: MarkupRow, _ bytes: ByteView, _ place: Int) -> ByteView {
        place < 0 ? .empty : FlexRow.said(bytes[row.range(place)])
    }

    @inline(__always)
    private func take(_ row: MarkupRow, _ bytes: ByteView, _ plan: FlexRowPlan, _ statement: Int) -> Bool {
        let shape = UInt64(truncatingIfNeeded: row.shapeNumber) << 32 | UInt64(truncatingIfNeeded: statement)
        var hash = shape
        for index in 0..<plan.words.count {
            let span = plan.words[index]
            let cell = bytes[row.range(span.first, span.last)]
            guard cell.count <= RowClasses.maximumWord else { return false }
            classes.cells[index] = cell
            hash = cell.mix(into: hash)
        }
        digests.take()
        guard var signs = readNumbers(row, bytes, plan) else { return false }
        for index in 0..<plan.texts.count {
            let cell = cell(row, bytes, plan.texts[index])
            values.set(text: index, cell)
            signs = signs << 1 | (cell.isEmpty ? 0 : 1)
        }
        digests.take()
        guard let traded = readMoment(row, bytes, plan.tradedAt, 0),
            let settled = readMoment(row, bytes, plan.settledAt, 1),
            traded == plan.dateTime || plan.tradeTime < 0 || cell(row, bytes, plan.tradeTime).isEmpty
        else { return false }
        signs = signs << 2 | (traded < 0 ? 0 : 2) | (settled < 0 ? 0 : 1)
        hash ^= signs &* 0x9E37_79B9_7F4A_7C15
        guard let known = classes.find(hash, shape, signs, plan.words.count), classes[known].visits >= 0 else {
            return false
        }
        guard classes[known].prepared >= 0 else {
            wanted = Wanted(
                offset: row.offset, index: known, shape: row.shapeNumber, tradedAt: traded, settledAt: settled)
            return false
        }
        if plan.speaking >= 0, FlexWords.returnCapital(bytes[row.range(plan.speaking)]) { return false }
        return pass(row, bytes, plan, Int(classes[known].prepared))
    }

    /// Hands the row on, unless the same was there before.
    @inline(__always)
    private func pass(_ row: MarkupRow, _ bytes: ByteView, _ plan: FlexRowPlan, _ prepared: Int) -> Bool {
        if cell(row, bytes, plan.transactionID).isEmpty, cell(row, bytes, plan.tradeID).isEmpty {
            return hand(row, bytes, prepared)
        }
        var key = plan.keyStart
        for index in 0..<plan.key.count { key.add(cell(row, bytes, plan.key[index]), at: index) }
        guard !seen.contains(key), hand(row, bytes, prepared) else { return false }
        _ = seen.insert(key)
        return true
    }

    @inline(__always)
    private func hand(_ row: MarkupRow, _ bytes: ByteView, _ prepared: Int) -> Bool {
        if queue.take(values, of: prepared, line: row.line) { return true }
        queue.settle()
        let unit = SourceUnit(line: row.line, column: row.column, byteOffset: row.offset, raw: bytes)
        return sink.accept(values, of: prepared, from: unit)
    }

    /// Reads the numbers; two bits for each say its sign, or that there is none. Nil where one must be read otherwise.
    @inline(__always)
    private func readNumbers(_ row: MarkupRow, _ bytes: ByteView, _ plan: FlexRowPlan) -> UInt64? {
        var signs: UInt64 = 1
        var hasAlternative = false
        let isPadded = PlainNumber.isPadded(row)
        for index in 0..<plan.numbers.count {
            signs <<= 2
            if hasAlternative { continue }
            let cell = cell(row, bytes, plan.numbers[index])
            if cell.isEmpty { continue }
            guard let number = PlainNumber.read(cell, values.scratch(index), isPadded: isPadded) else { return nil }
            if index == plan.price, number.signum < 0 { return nil }
            values.set(number: index, number)
            signs |= UInt64(truncatingIfNeeded: 2 + number.signum)
            hasAlternative = index >= plan.firstAlternative
        }
        return signs
    }

    /// Reads the first of the moments that is there, and says which; −1 where all are blank, nil where it is no moment.
    @inline(__always)
    private func readMoment(_ row: MarkupRow, _ bytes: ByteView, _ places: borrowing FlatMemory<Int>, _ place: Int)
        -> Int?
    {
        for index in 0..<places.count {
            let cell = cell(row, bytes, places[index])
            if cell.isEmpty { continue }
            guard let moment = caches.read(cell, place, &dates) else { return nil }
            values.set(moment: place, moment)
            return places[index]
        }
        return -1
    }

    // MARK: learning

    /// The mapper has made one record of the row that `take` left to it, and the sink has taken it: its class may be
    /// prepared. `map` is the mapper.
    func learn(_ row: MarkupRow, _ map: (FlexRow) -> Record?) {
        guard wanted.offset == row.offset, let plan = plans[wanted.shape] else { return }
        let wanted = wanted
        self.wanted.offset = -1
        classes[wanted.index].visits += 1
        guard classes[wanted.index].visits >= visitsBefore else { return }
        guard let recordClass = recordClass(row, plan.takeUnretainedValue(), wanted, map),
            let id = forms.prepare(recordClass, plan: wanted.shape, for: sink)
        else {
            classes[wanted.index].visits = -1
            return
        }
        classes[wanted.index].prepared = Int32(truncatingIfNeeded: id)
    }

    private func recordClass(
        _ row: MarkupRow, _ plan: FlexRowPlan, _ wanted: Wanted, _ map: (FlexRow) -> Record?
    ) -> RecordClass? {
        // Behind the numbers stand the texts, one bit each, and the moments, two.
        let bits = classes[wanted.index].signs >> UInt64(plan.texts.count + 2)
        let signs = (0..<plan.numbers.count).map { index -> Int? in
            let sign = Int(bits >> UInt64(2 * (plan.numbers.count - 1 - index)) & 3)
            return sign == 0 ? nil : sign - 2
        }
        var examples: [RecordClass.Example] = []
        for variant in 0..<2 {
            guard var example = Self.example(plan, signs, variant) else { return nil }
            var texts = (0..<row.count).map { Array(row.bytes[row.range($0)]) }
            for (index, sign) in signs.enumerated() where sign != nil {
                var bytes: [UInt8] = []
                example.numbers[index].append(to: &bytes)
                texts[plan.numbers[index]] = bytes
            }
            for index in 0..<plan.texts.count where plan.texts[index] >= 0 {
                let place = plan.texts[index]
                if ByteView.with(texts[place], { !FlexRow.said($0).isEmpty }) { texts[place] = example.texts[index] }
            }
            for (index, place) in [wanted.tradedAt, wanted.settledAt].enumerated() where place >= 0 {
                // A row may have one date for both.
                if index == 1, place == wanted.tradedAt { example.moments[1] = example.moments[0] }
                texts[place] = Self.stamp(example.moments[index])
            }
            let made = plan.example(texts)
            // A name that is a security here would be one text of many there.
            if made.isNamedByDescription { return nil }
            guard let record = map(made) else { return nil }
            // How much its money is decides, and not the sign of it alone.
            if made.mayBePaidByDay, record.priceUnit == .contract { return nil }
            // Proceeds beside the money do too, where an option ends.
            if record.kind.shape == .optionClosed { return nil }
            if made.tellsAnEnd, record.priceUnit == .contract || made.isBlank(.assetCategory) { return nil }
            example.record = record
            examples.append(example)
        }
        return RecordClass(examples: (examples[0], examples[1]), signs: signs)
    }

    /// Numbers of which none is a sum, product or part of others.
    private static func example(_ plan: FlexRowPlan, _ signs: [Int?], _ variant: Int) -> RecordClass.Example? {
        var example = RecordClass.Example(record: Record(), numbers: [], moments: [], texts: [])
        for (index, sign) in signs.enumerated() {
            let digits = RecordClass.exampleDigits(index, variant)
            guard let number = ExactDecimal(coefficient: Int128(sign ?? 0) * digits, scale: 3) else { return nil }
            example.numbers.append(number)
        }
        for index in 0..<2 {
            let seconds = 1_000_000_000 + 86_407 * Int64(index) + 40_000_003 * Int64(variant)
            guard let instant = Instant(secondsSince1970: seconds) else { return nil }
            example.moments.append(instant)
        }
        for index in 0..<plan.texts.count { example.texts.append(Array("example \(variant) text \(index)".utf8)) }
        return example
    }

    /// `YYYYMMDD;HHMMSS Z`.
    private static func stamp(_ instant: Instant) -> [UInt8] {
        var bytes: [UInt8] = []
        instant.append(to: &bytes)
        let digits = bytes.filter { $0 &- 0x30 < 10 }
        return Array(digits.prefix(8)) + [0x3B] + Array(digits.dropFirst(8)) + Array(" Z".utf8)
    }
}
