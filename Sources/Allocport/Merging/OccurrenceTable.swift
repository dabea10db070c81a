import CByteMask
import Synchronization

/// Counts equal rows: how many an input has had so far, and how many of them the run has kept.
///
/// Open addressing in parts that grow one by one, so that growing takes no second table: 16 bytes a slot, 20 to 30 a
/// row. Of a row's 128-bit key 96 bits and the choice of the part are kept: two of a billion rows are taken for one
/// with odds of about 1 in 10^13.
///
/// Invariant: each part has `capacity` slots at `slots`, of which `used` are taken and at least one is free; a free one
/// has `count` 0.
final class OccurrenceTable {
    private struct Slot: BitwiseCopyable {
        var low: UInt64 = 0
        var high: UInt32 = 0
        /// `Count.packed`, 0 in a free slot.
        var count: UInt32 = 0
    }

    private struct Part: BitwiseCopyable {
        var slots: UnsafeMutablePointer<Slot>
        var capacity: Int
        var used = 0
    }

    /// What is known of a key.
    private struct Count: BitwiseCopyable {
        /// How many the run has kept; at least 1.
        var kept: UInt32
        /// How many the input `input` has had.
        var seen: UInt32
        var input: UInt32

        /// In one word if they are small. Of most rows there is one, whatever its input; else kept, seen and the input
        /// have ten bits each.
        var packed: UInt32? {
            if kept == 1, seen == 1, input < Count.isOne { return Count.isOne | input }
            let number = input == .max ? Count.most : input
            guard kept <= Count.most, seen <= Count.most, input < Count.most || input == .max else { return nil }
            return kept | seen << 10 | number << 20
        }

        static let isOne: UInt32 = 1 << 30
        private static let most: UInt32 = 1023

        init(kept: UInt32, seen: UInt32, input: UInt32) { (self.kept, self.seen, self.input) = (kept, seen, input) }

        init(packed word: UInt32) {
            if word & Count.isOne != 0 {
                self.init(kept: 1, seen: 1, input: word & ~Count.isOne)
            } else {
                let number = word >> 20
                self.init(
                    kept: word & Count.most, seen: word >> 10 & Count.most, input: number == Count.most ? .max : number)
            }
        }
    }

    /// How much of all inputs was read so far: what is to come is thought to be like it.
    let read = ReadShare()

    private static let partCount = 8
    /// Parts of fewer rows say nothing of those to come, and none grows to more than so many times its size.
    private static let leastTelling = 64, mostGrowth = 16.0
    /// Slots for every row that is expected.
    private static let room = 1.35

    private static let smallest = 8
    private static let elsewhere: UInt32 = 1 << 31

    private let parts: UnsafeMutablePointer<Part>
    /// Counts that do not fit into a slot, which has their place.
    @exclusivity(unchecked) private var large: [Count] = []

    init() {
        parts = .allocate(capacity: OccurrenceTable.partCount)
        for index in 0..<OccurrenceTable.partCount {
            (parts + index).initialize(to: OccurrenceTable.part(OccurrenceTable.smallest))
        }
    }

    deinit {
        for index in 0..<OccurrenceTable.partCount { UnsafeMutableRawPointer(parts[index].slots).deallocate() }
        parts.deallocate()
    }

    /// Counts one more row of an input.
    ///
    /// - Returns: the row's number among its equals in the input, from 1, and whether it is kept: it is when no
    ///   earlier input had so many. That makes the result the multiset union, whatever the order of the inputs.
    func count(_ key: StableHash, input: Int) -> (occurrence: Int, isKept: Bool) {
        let input = UInt32(truncatingIfNeeded: input)
        let index = OccurrenceTable.index(key)
        if parts[index].used &* 5 >= parts[index].capacity &* 4 { grow(index) }
        let slot = OccurrenceTable.slot(key.low, UInt32(truncatingIfNeeded: key.high), parts[index])
        // Most rows are the first of their kind.
        if slot.pointee.count == 0 {
            if input < Count.isOne {
                slot.pointee = Slot(
                    low: key.low, high: UInt32(truncatingIfNeeded: key.high), count: Count.isOne | input)
                parts[index].used &+= 1
            } else {
                take(slot, key, Count(kept: 1, seen: 1, input: input))
            }
            return (1, true)
        }
        return countAgain(slot, input)
    }

    /// So many rows ahead of the one that is counted the table is loaded.
    private static var rowsAhead: Int { 12 }

    /// Counts rows for as long as each is the first of its kind.
    ///
    /// - Returns: the first row that is not, which is not counted; the end of the range when there is none.
    func countFirsts(_ rows: borrowing BatchRows, _ range: Range<Int>, input: Int) -> Int {
        let input = UInt32(truncatingIfNeeded: input)
        if input >= Count.isOne { return range.lowerBound }
        for row in range {
            if row &+ OccurrenceTable.rowsAhead < range.upperBound {
                prefetch(rows.key(row &+ OccurrenceTable.rowsAhead))
            }
            let key = rows.key(row)
            let index = OccurrenceTable.index(key)
            if parts[index].used &* 5 >= parts[index].capacity &* 4 { grow(index) }
            let high = UInt32(truncatingIfNeeded: key.high)
            let slot = OccurrenceTable.slot(key.low, high, parts[index])
            if slot.pointee.count != 0 { return row }
            slot.pointee = Slot(low: key.low, high: high, count: Count.isOne | input)
            parts[index].used &+= 1
        }
        return range.upperBound
    }

    /// Counts a row that has equals.
    @inline(never)
    private func countAgain(_ slot: UnsafeMutablePointer<Slot>, _ input: UInt32) -> (occurrence: Int, isKept: Bool) {
        var count = read(slot)
        if count.input != input {
            count.input = input
            count.seen = 0
        }
        count.seen += 1
        let isKept = count.seen > count.kept
        if isKept { count.kept = count.seen }
        write(count, to: slot)
        return (Int(count.seen), isKept)
    }

    /// Counts a row whose number among its equals is known: whether it is kept.
    func keep(_ key: StableHash, upTo occurrence: Int) -> Bool {
        let occurrence = UInt32(truncatingIfNeeded: occurrence)
        let slot = find(key)
        if slot.pointee.count == 0 {
            take(slot, key, Count(kept: occurrence, seen: 0, input: .max))
            return true
        }
        var count = read(slot)
        if occurrence <= count.kept { return false }
        count.kept = occurrence
        write(count, to: slot)
        return true
    }

    /// Begins to load what `count` will look at: a large table is not in the processor's caches.
    @inline(__always)
    func prefetch(_ key: StableHash) {
        let part = parts[OccurrenceTable.index(key)]
        byte_prefetch(part.slots + OccurrenceTable.place(key.low, part.capacity))
    }

    // MARK: slots

    @inline(__always)
    private static func index(_ key: StableHash) -> Int { Int(truncatingIfNeeded: key.high >> 61) }

    /// Where a key is looked for first: its share of the capacity.
    @inline(__always)
    private static func place(_ low: UInt64, _ capacity: Int) -> Int {
        Int(truncatingIfNeeded: ((low >> 32) &* UInt64(truncatingIfNeeded: capacity)) >> 32)
    }

    private static func part(_ capacity: Int) -> Part {
        let byteCount = capacity * MemoryLayout<Slot>.stride
        let isLarge = byteCount >= POSIX.largePage
        let memory = UnsafeMutableRawPointer.allocate(
            byteCount: byteCount, alignment: isLarge ? POSIX.largePage : MemoryLayout<Slot>.alignment)
        // Slots are looked for all over it: with few pages the processor knows where each is.
        if isLarge { POSIX.prefersLargePages(memory, byteCount) }
        let slots = memory.bindMemory(to: Slot.self, capacity: capacity)
        slots.initialize(repeating: Slot(), count: capacity)
        return Part(slots: slots, capacity: capacity)
    }

    /// The slot of a key, or the free one where it belongs; there is room for one more.
    @inline(__always)
    private func find(_ key: StableHash) -> UnsafeMutablePointer<Slot> {
        let index = OccurrenceTable.index(key)
        if parts[index].used * 5 >= parts[index].capacity * 4 { grow(index) }
        return OccurrenceTable.slot(key.low, UInt32(truncatingIfNeeded: key.high), parts[index])
    }

    @inline(__always)
    private static func slot(_ low: UInt64, _ high: UInt32, _ part: Part) -> UnsafeMutablePointer<Slot> {
        var place = OccurrenceTable.place(low, part.capacity)
        while true {
            let slot = part.slots + place
            if slot.pointee.count == 0 || (slot.pointee.low == low && slot.pointee.high == high) { return slot }
            place += 1
            if place == part.capacity { place = 0 }
        }
    }

    private func take(_ slot: UnsafeMutablePointer<Slot>, _ key: StableHash, _ count: Count) {
        slot.pointee.low = key.low
        slot.pointee.high = UInt32(truncatingIfNeeded: key.high)
        write(count, to: slot)
        parts[OccurrenceTable.index(key)].used += 1
    }

    @inline(never)
    private func grow(_ index: Int) {
        let old = parts[index]
        var new = OccurrenceTable.part(capacity(after: old))
        new.used = old.used
        for place in 0..<old.capacity {
            let slot = old.slots[place]
            if slot.count != 0 { OccurrenceTable.slot(slot.low, slot.high, new).pointee = slot }
        }
        UnsafeMutableRawPointer(old.slots).deallocate()
        parts[index] = new
    }

    /// Half as many slots again, or as many as all rows will take.
    private func capacity(after old: Part) -> Int {
        let usual = old.capacity + old.capacity / 2
        let share = read.value
        guard old.used >= OccurrenceTable.leastTelling, share > 0 else { return usual }
        let expected = Double(old.used) / share * OccurrenceTable.room
        return max(usual, Int(min(expected, Double(old.capacity) * OccurrenceTable.mostGrowth)))
    }

    // MARK: counts

    @inline(__always)
    private func read(_ slot: UnsafeMutablePointer<Slot>) -> Count {
        let word = slot.pointee.count
        return word & OccurrenceTable.elsewhere == 0
            ? Count(packed: word) : large[Int(word & ~OccurrenceTable.elsewhere)]
    }

    @inline(__always)
    private func write(_ count: Count, to slot: UnsafeMutablePointer<Slot>) {
        let word = slot.pointee.count
        if word & OccurrenceTable.elsewhere != 0 {
            large[Int(word & ~OccurrenceTable.elsewhere)] = count
        } else if let packed = count.packed {
            slot.pointee.count = packed
        } else {
            slot.pointee.count = OccurrenceTable.elsewhere | UInt32(truncatingIfNeeded: large.count)
            large.append(count)
        }
    }
}

/// How much of a run's inputs was read, 0 to 1; whoever reads them says it.
final class ReadShare: Sendable {
    private let share = Atomic<Double>(0)

    var value: Double { share.load(ordering: .relaxed) }

    func note(_ done: Int, of total: Int) {
        if total > 0 { share.store(min(1, Double(done) / Double(total)), ordering: .relaxed) }
    }
}
