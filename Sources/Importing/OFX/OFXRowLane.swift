import Delimited
import Digests
import Markup
import OpenAlloc

/// The shortest road of OFX: a row whose tags were met before, and whose class a sink has prepared, goes from its
/// values to the sink without an aggregate and a record.
///
/// A row's class is its tags (and what rows that took the same shortcuts have in common), its statement, what its words
/// say, and the signs of its numbers. What becomes of a class is what the mapper makes of made-up rows of it; a row of
/// which the mapper might make something else goes to the mapper, which is the oracle in tests.
final class OFXRowLane {
    private let sink: any RecordSink
    private let queue: RowQueue
    /// Digests are made beside the reading of rows; the steps are those of `desk`.
    private let desk: DigestDesk?
    let digests: DigestSteps
    private let values = RowValues()
    @exclusivity(unchecked) private var dates: OFXDates
    @exclusivity(unchecked) private var caches = StampCaches()
    /// The plans by the number of a shape, those that there are; counting references would cost as much as a value.
    @exclusivity(unchecked) private var plans = FlatMemory<Unmanaged<OFXRowPlan>?>([])
    @exclusivity(unchecked) private var owned: [OFXRowPlan] = []
    @exclusivity(unchecked) private var classes = RowClasses(words: 128)
    private let forms = RowForms()
    /// For texts of two parts.
    private let joined = UnsafeMutablePointer<UInt8>.allocate(capacity: OFXRowLane.joinedBytes)
    /// The row that the lane has left to the mapper, and its class.
    @exclusivity(unchecked) private var wanted: (offset: Int, index: Int, plan: Int) = (-1, 0, 0)

    private static let joinedBytes = 4096
    private let visitsBefore: Int32

    /// - Parameter byteCount: how large the input is.
    init(sink: any RecordSink, dates: OFXDates, byteCount: Int) {
        visitsBefore = RowClasses.visitsBefore(inBytes: byteCount)
        self.sink = sink
        self.dates = dates
        // What other dates show of them, they must show the survey.
        self.dates.readsSeparated = false
        queue = RowQueue(sink)
        desk = sink.desk
        digests = DigestSteps(desk)
    }

    deinit { joined.deallocate() }

    /// Hands the sink the rows that wait, before it gets anything else.
    func settle() { queue.settle() }

    /// Forgets the rows that wait, at the end or when nothing counts any more.
    func giveUp() { queue.giveUp() }

    /// Takes a row of a statement, if it is plain and of a prepared class.
    func take(_ row: MarkupRow, statement: Int) -> Bool {
        wanted.offset = -1
        if plans.count <= row.shapeNumber { makePlans(row) }
        guard let shapePlan = plans[row.shapeNumber] else { return false }
        // `owned` keeps both for as long as the lane lives.
        let plan = shapePlan._withUnsafeGuaranteedRef { $0.variant(for: row) { keep($0) } }
        return plan._withUnsafeGuaranteedRef { plan in
            ByteView.with(row.bytes) { take(row, $0, plan, statement) }
        }
    }

    /// Makes a plan and keeps it.
    private func keep(_ make: (Int) -> OFXRowPlan?) -> OFXRowPlan? {
        guard let plan = make(owned.count) else { return nil }
        owned.append(plan)
        return plan
    }

    @inline(never)
    private func makePlans(_ row: MarkupRow) {
        while plans.count <= row.shapeNumber {
            let shape = row.shape(plans.count)
            let plan = keep { OFXRowPlan(shape, number: $0) }
            plans.append(plan.map { .passUnretained($0) })
        }
    }

    @inline(__always)
    private func take(_ row: MarkupRow, _ bytes: ByteView, _ plan: OFXRowPlan, _ statement: Int) -> Bool {
        let shape = Self.shape(plan, statement)
        guard var hash = readWords(row, bytes, plan, shape) else { return false }
        digests.take()
        var signs: UInt64 = 1
        let isPadded = PlainNumber.isPadded(row)
        for place in 0..<plan.numbers.count {
            guard
                let number = PlainNumber.read(
                    bytes[row.range(plan.numbers[place])], values.scratch(place), isPadded: isPadded)
            else { return false }
            values.set(number: place, number)
            signs = signs << 2 | UInt64(truncatingIfNeeded: 2 + number.signum)
            digests.take()
        }
        for place in 0..<plan.moments.count {
            guard let moment = caches.read(bytes[row.range(plan.moments[place])], place, &dates) else { return false }
            values.set(moment: place, moment)
            digests.take()
        }
        if plan.id >= 0, mayBeBalance(row, bytes, plan) { return false }
        for place in 0..<plan.texts.count { values.set(text: place, bytes[row.range(plan.texts[place])]) }
        if plan.hasTwoParts, !join(row, bytes, plan) { return false }
        hash ^= signs &* 0x9E37_79B9_7F4A_7C15
        guard fits(plan), let known = classes.find(hash, shape, signs, plan.words.count),
            classes[known].prepared >= 0 || adopt(known, row, bytes, plan, statement, signs)
        else { return false }
        if classes[known].asksWords {
            for index in plan.speaking where OFXWords.speaks(bytes[row.range(index)]) { return false }
        }
        let prepared = Int(classes[known].prepared)
        if queue.take(values, of: prepared, line: row.line) { return true }
        queue.settle()
        return sink.accept(values, of: prepared, from: SourceUnit(line: row.line, byteOffset: row.offset, raw: bytes))
    }

    /// Whether a row of a bank may be a balance.
    @inline(__always)
    private func mayBeBalance(_ row: MarkupRow, _ bytes: ByteView, _ plan: OFXRowPlan) -> Bool {
        let (name, memo) = plan.balanceWords
        return OFXMapper.isNoID(bytes[row.range(plan.id)])
            || (name >= 0 && OFXWords.isBalance(bytes[row.range(name)]))
            || (memo >= 0 && OFXWords.isBalance(bytes[row.range(memo)]))
    }

    @inline(__always)
    private static func shape(_ plan: OFXRowPlan, _ statement: Int) -> UInt64 {
        UInt64(truncatingIfNeeded: plan.number) << 32 | UInt64(truncatingIfNeeded: statement)
    }

    /// Reads the words, and what they and the shape come to; nil if one is too long.
    @inline(__always)
    private func readWords(_ row: MarkupRow, _ bytes: ByteView, _ plan: OFXRowPlan, _ shape: UInt64) -> UInt64? {
        var hash = shape
        for place in 0..<plan.words.count {
            let cell = bytes[row.range(plan.words[place].first, plan.words[place].last)]
            guard cell.count <= RowClasses.maximumWord else { return nil }
            classes.cells[place] = cell
            hash = cell.mix(into: hash)
        }
        return hash
    }

    /// A row's class is not prepared. What is known of the row as one of all its shape is as true of those that have values
    /// in common; it is learned there. Whether the class is prepared now.
    @inline(never)
    private func adopt(
        _ known: Int, _ row: MarkupRow, _ bytes: ByteView, _ plan: OFXRowPlan, _ statement: Int, _ signs: UInt64
    ) -> Bool {
        guard classes[known].visits >= 0 else { return false }
        guard let whole = plan.whole?.takeUnretainedValue() else {
            wanted = (row.offset, known, plan.number)
            return false
        }
        let shape = Self.shape(whole, statement)
        guard let hash = readWords(row, bytes, whole, shape),
            let origin = classes.find(hash ^ signs &* 0x9E37_79B9_7F4A_7C15, shape, signs, whole.words.count)
        else { return false }
        guard classes[origin].prepared < 0 else {
            classes[known].prepared = classes[origin].prepared
            classes[known].asksWords = classes[origin].asksWords
            return true
        }
        if classes[origin].visits < 0 {
            classes[known].visits = -1
        } else {
            wanted = (row.offset, origin, whole.number)
        }
        return false
    }

    /// NAME and MEMO as one description, as the mapper has it. NAME may stand after MEMO.
    private func join(_ row: MarkupRow, _ bytes: ByteView, _ plan: OFXRowPlan) -> Bool {
        guard plan.name >= 0, plan.name < plan.memo else { return false }
        let (name, memo) = (bytes[row.range(plan.name)], bytes[row.range(plan.memo)])
        if name == memo {
            values.set(text: plan.textCount - 1, name)
            return true
        }
        let count = name.count + 1 + memo.count
        guard count <= Self.joinedBytes else { return false }
        name.copy(to: joined)
        joined[name.count] = 0x20
        memo.copy(to: joined + (name.count + 1))
        return ByteView.with(UnsafeBufferPointer(start: joined, count: count)) {
            values.set(text: plan.textCount - 1, $0)
            return true
        }
    }

    /// Whether units × price is within a factor of 5 of the total, so that the mapper takes the price as it stands.
    @inline(__always)
    private func fits(_ plan: OFXRowPlan) -> Bool {
        guard plan.units >= 0, plan.price >= 0, plan.total >= 0 else { return true }
        let (units, price, total) = (values.number(plan.units), values.number(plan.price), values.number(plan.total))
        if total.signum == 0 || price.signum == 0 { return true }
        let value = units.coefficient.magnitude.multipliedFullWidth(by: price.coefficient.magnitude)
        let shift = Int(units.scale) + Int(price.scale) - Int(total.scale)
        guard value.high == 0, shift >= 0, shift <= 18 else { return false }
        let other = total.coefficient.magnitude.multipliedReportingOverflow(by: Self.powers[shift])
        let bound = UInt64.max / 5
        guard !other.overflow, value.low < bound, other.partialValue < bound else { return false }
        return value.low * 5 >= other.partialValue && other.partialValue * 5 >= value.low
    }

    /// 10^0 to 10^18.
    private static let powers: [UInt64] = (0..<18).reduce(into: [1]) { powers, _ in
        powers.append((powers.last ?? 1) * 10)
    }

    // MARK: learning

    /// The mapper has made one record of the row that `take` left to it, and the sink has taken it: its class may be
    /// prepared. `map` is the mapper.
    func learn(_ aggregate: MarkupAggregate, _ map: (MarkupAggregate) -> OFXMapped?) {
        guard wanted.offset == aggregate.position.offset else { return }
        let wanted = wanted
        self.wanted.offset = -1
        classes[wanted.index].visits += 1
        guard classes[wanted.index].visits >= visitsBefore else { return }
        guard
            let (recordClass, asksWords) = recordClass(
                aggregate, owned[wanted.plan], classes[wanted.index].signs, map),
            let id = forms.prepare(recordClass, plan: wanted.plan, for: sink)
        else {
            classes[wanted.index].visits = -1
            return
        }
        classes[wanted.index].prepared = Int32(truncatingIfNeeded: id)
        classes[wanted.index].asksWords = asksWords
    }

    private func recordClass(
        _ aggregate: MarkupAggregate, _ plan: OFXRowPlan, _ bits: UInt64, _ map: (MarkupAggregate) -> OFXMapped?
    ) -> (RecordClass, Bool)? {
        let signs = (0..<plan.numberCount).map { Int(bits >> UInt64(2 * (plan.numberCount - 1 - $0)) & 3) - 2 }
        guard plan.nothing.allSatisfy({ signs[$0] == 0 }), !plan.isSale || plan.total < 0 || signs[plan.total] >= 0
        else { return nil }
        // The memo says whether turned signs undo something.
        let isTurned = plan.units >= 0 && signs[plan.units] < 0 && plan.total >= 0
        guard !isTurned || !(plan.isReinvestment || (plan.isPurchase && signs[plan.total] > 0)) else { return nil }
        var examples: [RecordClass.Example] = []
        var asksWords = false
        for variant in 0..<2 {
            guard var example = OFXExample(plan, signs, variant) else { return nil }
            guard let mapped = map(aggregate.replacing(example.texts)) else { return nil }
            example.example.record = mapped.record
            examples.append(example.example)
            asksWords = asksWords || mapped.asksWords
        }
        return (RecordClass(examples: (examples[0], examples[1]), signs: signs), asksWords)
    }
}

/// What the mapper makes of a made-up row.
struct OFXMapped {
    var record: Record
    var asksWords: Bool
}

/// A made-up row of a class: numbers of which none is a sum, product or part of others, but for a total that fits units
/// and price.
private struct OFXExample {
    var example = RecordClass.Example(record: Record(), numbers: [], moments: [], texts: [])
    /// The texts of the elements, by their places.
    var texts: [[UInt8]?] = []

    init?(_ plan: OFXRowPlan, _ signs: [Int], _ variant: Int) {
        for index in signs.indices {
            var digits = 104_729 * Int128(index + 1) + 7_919 * Int128(variant) + 1_013
            if index == plan.units { digits = 6_700_417 + 1_299_709 * Int128(variant) }
            if index == plan.price { digits = 5_003 + 104 * Int128(variant) }
            if index == plan.total { digits = 39_916_801 + 1_299_827 * Int128(variant) }
            guard let number = ExactDecimal(coefficient: Int128(signs[index]) * digits, scale: 3) else { return nil }
            example.numbers.append(number)
        }
        for index in 0..<plan.momentCount {
            let seconds = 1_000_000_000 + 86_407 * Int64(index) + 40_000_003 * Int64(variant)
            guard let instant = Instant(secondsSince1970: seconds) else { return nil }
            example.moments.append(instant)
        }
        for index in 0..<plan.textCount { example.texts.append(Array("example \(variant) text \(index)".utf8)) }
        texts = [[UInt8]?](repeating: nil, count: (plan.elements.max() ?? 0) + 1)
        for index in 0..<plan.slots.count {
            let slot = plan.slots[index]
            let element = plan.elements[slot.first]
            switch slot.use {
            case .number:
                var bytes: [UInt8] = []
                example.numbers[slot.place].append(to: &bytes)
                texts[element] = bytes
            case .moment: texts[element] = Self.stamp(example.moments[slot.place])
            case .text: texts[element] = example.texts[slot.place]
            case .name, .memo: texts[element] = example.texts[plan.textCount - 1]
            case .word, .none: break
            }
        }
    }

    /// `YYYYMMDDHHMMSS`: a time of day without a zone is at GMT.
    private static func stamp(_ instant: Instant) -> [UInt8] {
        var bytes: [UInt8] = []
        instant.append(to: &bytes)
        return bytes.filter { $0 &- 0x30 < 10 }
    }
}
