import Delimited
import OpenAlloc

/// Holds rows back for a short while, so that rows with one key become one event: fees fold into their trade.
///
/// The rows of an event stand or fall together: half of it, kept as if it were whole, would be another event.
final class GroupQueue {
    /// What is known of the event of a row that was rejected.
    enum Membership {
        /// It is of the event of its key.
        case certain
        /// It may be: the others stand if they make a whole event without it.
        case possible
        /// What is wrong with it is its key: half an event in the next line may be the other half.
        case lost
        /// It has no key: it is of no event, or that is what is wrong with it. Only what stands beside it may be its rest.
        case keyless
    }

    /// A line of an event that was rejected.
    private struct BrokenLine {
        var unit: SourceUnit
        var finding: Finding
        var membership: Membership
    }

    /// Rows of one key, with memory of their own that the next entry uses again.
    private final class Entry {
        @exclusivity(unchecked) var key: [UInt8] = []
        @exclusivity(unchecked) var records: [Record] = []
        /// How many of them are in use.
        @exclusivity(unchecked) var count = 0
        @exclusivity(unchecked) var units: [SourceUnit] = []
        @exclusivity(unchecked) var broken: [BrokenLine] = []
        /// How many events began before it.
        @exclusivity(unchecked) var number = 0
        private let arena = ByteArena()

        func begin(key: [UInt8], number: Int) {
            self.number = number
            self.key.removeAll(keepingCapacity: true)
            self.key += key
            count = 0
            units.removeAll(keepingCapacity: true)
            broken.removeAll()
            arena.reset()
        }

        /// Takes the first records and leaves others in their places.
        func take(_ new: inout [Record], count: Int) {
            for index in 0..<count {
                if records.count == self.count { records.append(Record()) }
                swap(&records[self.count], &new[index])
                self.count += 1
            }
        }

        func keep(_ unit: SourceUnit) {
            var kept = unit
            kept.raw = arena.copy(unit.raw)
            units.append(kept)
        }

        func keep(_ unit: SourceUnit, _ finding: Finding, _ membership: Membership) {
            var kept = unit
            kept.raw = arena.copy(unit.raw)
            broken.append(BrokenLine(unit: kept, finding: finding, membership: membership))
        }
    }

    /// Rows of one event stand near each other; further apart they are taken for separate events. Rejected lines do not
    /// move others apart, unless there are many.
    private static let window = 256
    private let rule: GroupRule
    private let sink: any RecordSink
    /// Those from `head` on are queued, the oldest first.
    @exclusivity(unchecked) private var entries: [Entry] = []
    /// Of their keys; 0 for none.
    @exclusivity(unchecked) private var hashes: [UInt64] = []
    @exclusivity(unchecked) private var head = 0
    @exclusivity(unchecked) private var spare: [Entry] = []
    @exclusivity(unchecked) private var key: [UInt8] = []
    /// How many entries have records, and how many only lines that were rejected.
    @exclusivity(unchecked) private var whole = 0
    @exclusivity(unchecked) private var broken = 0
    /// The rejected lines whose keys are lost.
    @exclusivity(unchecked) private var lostLines: Set<Int> = []
    /// The same with how many events began before each, and the lines that may be the rest of its event.
    @exclusivity(unchecked) private var lost: [(line: Int, number: Int, halves: [Int])] = []
    @exclusivity(unchecked) private var begun = 0
    /// Whether rejected lines are queued.
    @exclusivity(unchecked) private(set) var hasBroken = false

    init(rule: GroupRule, sink: any RecordSink) {
        self.rule = rule
        self.sink = sink
    }

    /// Begins the key of a row.
    func beginKey() { key.removeAll(keepingCapacity: true) }

    /// Appends a part of it.
    func addKey(_ part: ByteView) {
        part.withUnsafeBytes { key.append(contentsOf: $0) }
        key.append(0)
    }

    /// Takes the first records of a row and leaves others in their places. Without units, the row's own stands for it.
    func add(_ records: inout [Record], count: Int, _ units: [SourceUnit]?, _ unit: SourceUnit) {
        let entry = entry()
        if entry.count == 0 { whole += 1 }
        if entry.count == 0, !entry.broken.isEmpty { broken -= 1 }
        entry.take(&records, count: count)
        if let units {
            for unit in units { entry.keep(unit) }
        } else {
            entry.keep(unit)
        }
        while whole > Self.window { emitFirst() }
    }

    /// Takes the lines of a row that was rejected, so that those of its event fall with it.
    func add(broken units: [SourceUnit], _ finding: Finding, _ membership: Membership) {
        hasBroken = true
        let entry = entry()
        if membership == .lost || membership == .keyless { lostLines.formUnion(units.map(\.line)) }
        if membership == .lost, let first = units.first { lost.append((first.line, entry.number, [])) }
        if entry.count == 0, entry.broken.isEmpty { broken += 1 }
        for unit in units { entry.keep(unit, finding, membership) }
        while broken > Self.window { emitFirst() }
    }

    /// The last entry of the key, or a new one.
    private func entry() -> Entry {
        let hash = key.isEmpty ? 0 : ByteView.with(key) { $0.mix(into: 0) } | 1
        if hash != 0 {
            var index = entries.count - 1
            while index >= head {
                if hashes[index] == hash, entries[index].key == key { return entries[index] }
                index -= 1
            }
        }
        let entry = spare.popLast() ?? Entry()
        entry.begin(key: key, number: begun)
        begun += 1
        entries.append(entry)
        hashes.append(hash)
        return entry
    }

    private func emitFirst() {
        let entry = entries[head]
        head += 1
        if entry.count > 0 { whole -= 1 } else { broken -= 1 }
        emit(entry)
        spare.append(entry)
        if head == 4 * Self.window {
            entries.removeFirst(head)
            hashes.removeFirst(head)
            head = 0
        }
    }

    func flush() {
        while head < entries.count { emitFirst() }
        for line in lost where !line.halves.isEmpty { sink.warn(Self.perhaps(line.halves), line: line.line) }
        entries.removeAll()
        hashes.removeAll()
        head = 0
        hasBroken = false
        lostLines.removeAll()
        lost.removeAll()
    }

    private func emit(_ entry: Entry) {
        if hasBroken, fall(entry) || entry.count == 0 { return }
        if entry.count == 1 {
            let kind = entry.records[0].kind
            if rule.leaders.contains(kind), entry.records[0][.amount] == nil, let kind = rule.alone[kind] {
                entry.records[0].kind = kind
            }
            sink.accept(entry.records[0..<1], from: entry.units, warnings: [])
            return
        }
        var records = Array(entry.records[0..<entry.count])
        let pairable = pairsAmounts(records) || FillSum(rule).merge(&records)
        if let leader = records.firstIndex(where: { rule.leaders.contains($0.kind) }) {
            var kept: [Record] = []
            for index in records.indices where index != leader {
                let folds = pairable || rule.folds[records[index].kind] != .amount
                if !folds || !fold(records[index], into: &records[leader]) { kept.append(records[index]) }
            }
            kept.insert(records[leader], at: min(leader, kept.count))
            records = kept
            for index in records.indices where records[index][.amount] == nil {
                if let kind = rule.alone[records[index].kind] { records[index].kind = kind }
            }
        }
        sink.accept(records[...], from: entry.units, warnings: [])
    }

    /// Rejects the broken lines of an event.
    ///
    /// - Returns: whether the others fell with them.
    private func fall(_ entry: Entry) -> Bool {
        let records = entry.records[0..<entry.count]
        let isCertain = entry.broken.contains { $0.membership == .certain }
        var cause = entry.broken.first?.unit.line ?? lostNeighbour(of: entry)
        var isNear = true
        if cause == nil, let far = lostNearby(entry), !isWhole(records) {
            // Which lines belong to it nobody knows: what may stand by itself stands, with a word about it.
            if needsMore(records) {
                (cause, isNear) = (lost[far].line, false)
            } else if let line = entry.units.first?.line, lost[far].halves.count < Self.mostNamed {
                lost[far].halves.append(line)
            }
        }
        let falls = isCertain ? isComposed(records) : cause != nil && !isWhole(records)
        var lines = entry.broken.map { (unit: $0.unit, finding: $0.finding) }
        if falls, let cause { lines += entry.units.map { (unit: $0, finding: Self.half(without: cause, isNear)) } }
        for line in lines.sorted(by: { $0.unit.line < $1.unit.line }) { sink.reject(line.finding, from: [line.unit]) }
        return falls
    }

    private static func half(without line: Int, _ isNear: Bool) -> Finding {
        Finding(
            .eventIncomplete,
            reason: isNear
                ? "the line belongs to the event of line \(line), which was rejected; alone it would mean something else."
                : "the line is a part of an event alone; line \(line), which was rejected, may be the rest of it.",
            suggestion: "Correct line \(line); this line then counts together with it.")
    }

    private static let mostNamed = 8

    private static func perhaps(_ lines: [Int]) -> Finding {
        let more = lines.count == mostNamed ? " and perhaps others" : ""
        return Finding(
            .eventIncomplete,
            reason: "the line may belong to an event of several lines, and nothing tells to which; of "
                + "lines \(lines.map(String.init).joined(separator: ", "))\(more), which stand alone, one may be its rest",
            suggestion: "Correct the line in the original file and convert that, so that the event is put together.")
    }

    /// The place in `lost` of the nearest line that may be of the event.
    private func lostNearby(_ entry: Entry) -> Int? {
        if lost.isEmpty || entry.key.isEmpty { return nil }
        // They stand in the order in which they came.
        var (low, high) = (0, lost.count)
        while low < high {
            let middle = (low + high) / 2
            if lost[middle].number < entry.number { low = middle + 1 } else { high = middle }
        }
        func distance(_ place: Int) -> Int { abs(lost[place].number - entry.number) }
        let nearest = low == lost.count || (low > 0 && distance(low - 1) <= distance(low)) ? low - 1 : low
        return distance(nearest) <= Self.window ? nearest : nil
    }

    /// A line next to the event's whose key is lost.
    private func lostNeighbour(of entry: Entry) -> Int? {
        if lostLines.isEmpty || entry.key.isEmpty { return nil }
        return entry.units.flatMap { [$0.line - 1, $0.line + 1] }.first(where: lostLines.contains)
    }

    /// Whether the records of an event mean together something else than each by itself.
    private func isComposed(_ records: ArraySlice<Record>) -> Bool {
        records.contains { rule.leaders.contains($0.kind) || rule.folds[$0.kind] != nil }
    }

    /// Whether nothing is missing: each part has its leader, and each leader its amount.
    private func isWhole(_ records: ArraySlice<Record>) -> Bool {
        let leaders = records.filter { rule.leaders.contains($0.kind) }
        let parts = records.filter { rule.folds[$0.kind] != nil }
        if leaders.isEmpty { return parts.isEmpty }
        // Of several fills nobody sees that one is missing: together they would have another price.
        if !pairsAmounts(records) { return false }
        return leaders.allSatisfy { $0[.amount] != nil } || parts.contains { rule.folds[$0.kind] == .amount }
    }

    /// Whether a leader is there that by the definition never stands without its amount.
    private func needsMore(_ records: ArraySlice<Record>) -> Bool {
        records.contains { rule.leaders.contains($0.kind) && $0[.amount] == nil && rule.alone[$0.kind] == nil }
            && !records.contains { rule.folds[$0.kind] == .amount }
    }

    /// Whether it is plain which amount belongs to which leader: not with several of either (fills of one second).
    private func pairsAmounts(_ records: some Collection<Record>) -> Bool {
        let leaders = records.count { rule.leaders.contains($0.kind) && $0[.amount] == nil }
        let amounts = records.count { rule.folds[$0.kind] == .amount && $0[.amount] != nil }
        return leaders < 2 && amounts < 2
    }

    /// Whether a leader has costs in a currency that is not the amount's, and would be taken for it.
    private func hasForeignCosts(_ leader: Record, _ amount: Record) -> Bool {
        if leader.isBlank(.currency) || leader.bytes(.currency).elementsEqual(amount.bytes(.currency)) { return false }
        return Record.Number.allCases.contains { $0.isCost && leader[$0]?.isZero == false }
    }

    /// Whether units and money both come in, or both go out: neither pays for the other.
    private func goesTheSameWay(_ leader: Record, _ amount: ExactDecimal) -> Bool {
        guard leader.kind.shape == .traded, let units = leader[.units] else { return false }
        return (leader.isReversal ? -1 : 1) * units.signum * amount.signum > 0
    }

    /// Adds a row to its leader; false when it stands on its own (another currency, or not of a kind that folds).
    private func fold(_ record: Record, into leader: inout Record) -> Bool {
        guard let field = rule.folds[record.kind], let amount = record[.amount] else { return false }
        if field == .amount {
            guard leader[.amount] == nil, !hasForeignCosts(leader, record), !goesTheSameWay(leader, amount) else {
                return false
            }
            leader[.amount] = amount
            leader.set(.currency, utf8: record.bytes(.currency))
            for cost in [Record.Number.commission, .fees, .tax] {
                if let part = record[cost] { leader[cost] = (leader[cost] ?? .zero).adding(part) }
            }
            return true
        }
        guard record.bytes(.currency).elementsEqual(leader.bytes(.currency)),
            let total = (leader[field] ?? .zero).subtracting(amount)
        else { return false }
        leader[field] = total
        if let sum = leader[.amount]?.adding(amount) {
            leader[.amount] = sum
            leader.costsInAmount = true
        } else {
            leader.costsInAmount = false
        }
        return true
    }
}
