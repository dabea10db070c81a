import CByteMask
import Synchronization

/// Counts equal rows: how many an input has had so far, and how many of them the run has kept.
///
/// Open addressing in groups of 16 slots, which have a tag of one byte each: of most rows the tags alone say that they
/// are new, and where they go. In parts that grow one by one, so that growing takes no second table: 17 bytes a slot, 21
/// to 31 a row. Of a row's 128-bit key 96 bits and the choice of the part are kept: two of a billion rows are taken for
/// one with odds of about 1 in 10^13.
///
/// Invariant: each part has `groups` groups of tags and of slots, of which `used` are taken and at least one is free. A
/// slot is initialised if its tag is not 0, which tells of a free one. A key is in the first group from its own on (they
/// go round) that has it or a free slot.
final class OccurrenceTable {
    private struct Slot: BitwiseCopyable {
        var low: UInt64 = 0
        var high: UInt32 = 0
        /// `Count.packed`.
        var count: UInt32 = 0
    }

    private struct Part: BitwiseCopyable {
        var tags: UnsafeMutablePointer<UInt8>
        var slots: UnsafeMutablePointer<Slot>
        var groups: Int
        var used = 0

        var capacity: Int { groups &* OccurrenceTable.groupSize }
        /// Whether there is no room for another key.
        var isFull: Bool { used &* 5 >= capacity &* 4 }
    }

    private static var groupSize: Int { 16 }

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

    private static let elsewhere: UInt32 = 1 << 31

    private let parts: UnsafeMutablePointer<Part>
    /// Counts that do not fit into a slot, which has their place.
    @exclusivity(unchecked) private var large: [Count] = []

    init() {
        parts = .allocate(capacity: OccurrenceTable.partCount)
        for index in 0..<OccurrenceTable.partCount {
            (parts + index).initialize(to: OccurrenceTable.part(groups: 1))
        }
    }

    deinit {
        for index in 0..<OccurrenceTable.partCount { OccurrenceTable.free(parts[index]) }
        parts.deallocate()
    }

    /// Counts one more row of an input.
    ///
    /// - Returns: the row's number among its equals in the input, from 1, and whether it is kept: it is when no
    ///   earlier input had so many. That makes the result the multiset union, whatever the order of the inputs.
    func count(_ key: StableHash, input: Int) -> (occurrence: Int, isKept: Bool) {
        let input = UInt32(truncatingIfNeeded: input)
        let (slot, isNew) = find(key)
        // Most rows are the first of their kind.
        if isNew {
            write(Count(kept: 1, seen: 1, input: input), to: slot)
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
            let group = OccurrenceTable.group(key.low, parts[index].groups)
            let found = row_tags_of(
                parts[index].tags + group &* OccurrenceTable.groupSize, OccurrenceTable.tag(key.low))
            guard found.same == 0, found.free != 0, !parts[index].isFull else {
                let (slot, isNew) = find(key)
                if !isNew { return row }
                slot.pointee.count = Count.isOne | input
                continue
            }
            let slot = OccurrenceTable.take(key, &parts[index], group, found.free)
            slot.pointee.count = Count.isOne | input
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
        let (slot, isNew) = find(key)
        if isNew {
            write(Count(kept: occurrence, seen: 0, input: .max), to: slot)
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
        byte_prefetch(part.tags + OccurrenceTable.group(key.low, part.groups) &* OccurrenceTable.groupSize)
    }

    // MARK: slots

    @inline(__always)
    private static func index(_ key: StableHash) -> Int { Int(truncatingIfNeeded: key.high >> 61) }

    /// The group of a key: its share of them all, so that growing keeps their order.
    @inline(__always)
    private static func group(_ low: UInt64, _ groups: Int) -> Int {
        Int(truncatingIfNeeded: ((low >> 32) &* UInt64(truncatingIfNeeded: groups)) >> 32)
    }

    /// The tag of a key's slot, from bits that do not choose the group; never 0.
    @inline(__always)
    private static func tag(_ low: UInt64) -> UInt8 { max(1, UInt8(truncatingIfNeeded: low)) }

    private static func part(groups: Int) -> Part {
        let capacity = groups * groupSize
        let byteCount = capacity * MemoryLayout<Slot>.stride
        let isLarge = byteCount >= POSIX.largePage
        let memory = UnsafeMutableRawPointer.allocate(
            byteCount: byteCount, alignment: isLarge ? POSIX.largePage : MemoryLayout<Slot>.alignment)
        // Slots are looked for all over it: with few pages the processor knows where each is.
        if isLarge { POSIX.prefersLargePages(memory, byteCount) }
        let tags = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity)
        tags.initialize(repeating: 0, count: capacity)
        return Part(tags: tags, slots: memory.bindMemory(to: Slot.self, capacity: capacity), groups: groups)
    }

    private static func free(_ part: Part) {
        part.tags.deallocate()
        UnsafeMutableRawPointer(part.slots).deallocate()
    }

    /// The slot of a key, which gets one if it has none: then its count is 0, and still to be set.
    private func find(_ key: StableHash) -> (slot: UnsafeMutablePointer<Slot>, isNew: Bool) {
        let index = OccurrenceTable.index(key)
        if parts[index].isFull { grow(index) }
        let part = parts[index]
        let (high, tag) = (UInt32(truncatingIfNeeded: key.high), OccurrenceTable.tag(key.low))
        var group = OccurrenceTable.group(key.low, part.groups)
        while true {
            let found = row_tags_of(part.tags + group * OccurrenceTable.groupSize, tag)
            var same = found.same
            while same != 0 {
                let slot = part.slots + group * OccurrenceTable.groupSize + same.trailingZeroBitCount
                if slot.pointee.low == key.low, slot.pointee.high == high { return (slot, false) }
                same &= same - 1
            }
            if found.free != 0 { return (OccurrenceTable.take(key, &parts[index], group, found.free), true) }
            group = group + 1 == part.groups ? 0 : group + 1
        }
    }

    /// Takes the first free slot of a group for a key.
    @inline(__always)
    private static func take(_ key: StableHash, _ part: inout Part, _ group: Int, _ free: UInt32)
        -> UnsafeMutablePointer<Slot>
    {
        let place = group &* groupSize &+ free.trailingZeroBitCount
        part.tags[place] = tag(key.low)
        part.used &+= 1
        let slot = part.slots + place
        slot.initialize(to: Slot(low: key.low, high: UInt32(truncatingIfNeeded: key.high)))
        return slot
    }

    @inline(never)
    private func grow(_ index: Int) {
        let old = parts[index]
        var new = OccurrenceTable.part(groups: groups(after: old))
        for place in 0..<old.capacity where old.tags[place] != 0 {
            let slot = old.slots[place]
            var group = OccurrenceTable.group(slot.low, new.groups)
            var free = row_tags_of(new.tags + group * OccurrenceTable.groupSize, 0).free
            while free == 0 {
                group = group + 1 == new.groups ? 0 : group + 1
                free = row_tags_of(new.tags + group * OccurrenceTable.groupSize, 0).free
            }
            let key = StableHash(high: UInt64(slot.high), low: slot.low)
            OccurrenceTable.take(key, &new, group, free).pointee.count = slot.count
        }
        OccurrenceTable.free(old)
        parts[index] = new
    }

    /// Half as many groups again, or as many as all rows will take.
    private func groups(after old: Part) -> Int {
        let usual = old.groups + (old.groups + 1) / 2
        let share = read.value
        guard old.used >= OccurrenceTable.leastTelling, share > 0 else { return usual }
        let expected = Double(old.used) / share * OccurrenceTable.room / Double(OccurrenceTable.groupSize)
        return max(usual, Int(min(expected, Double(old.groups) * OccurrenceTable.mostGrowth)))
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
