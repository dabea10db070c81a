/// Counts equal rows: how many an input has had so far, and how many of them the run has kept.
///
/// Open addressing over flat arrays: 28 bytes a slot, no allocation a row.
struct OccurrenceTable: Sendable {
    private struct Slot {
        var high: UInt64 = 0
        var low: UInt64 = 0
        /// How many the run has kept; 0 marks a free slot.
        var kept: UInt32 = 0
        /// How many the input `input` has had.
        var seen: UInt32 = 0
        var input: UInt32 = 0
    }

    private var slots: [Slot] = []
    private var used = 0

    /// Counts one more row of an input.
    ///
    /// - Returns: the row's number among its equals in the input, from 1, and whether it is kept: it is when no
    ///   earlier input had so many. That makes the result the multiset union, whatever the order of the inputs.
    mutating func count(_ key: StableHash, input: Int) -> (occurrence: Int, isKept: Bool) {
        if used * 4 >= slots.count * 3 { grow() }
        let place = find(key)
        if slots[place].kept == 0 {
            slots[place] = Slot(high: key.high, low: key.low, kept: 1, seen: 1, input: UInt32(input))
            used += 1
            return (1, true)
        }
        if slots[place].input != UInt32(input) {
            slots[place].input = UInt32(input)
            slots[place].seen = 0
        }
        slots[place].seen += 1
        let occurrence = slots[place].seen
        if occurrence <= slots[place].kept { return (Int(occurrence), false) }
        slots[place].kept = occurrence
        return (Int(occurrence), true)
    }

    /// Counts a row whose number among its equals is known: whether it is kept.
    mutating func keep(_ key: StableHash, upTo occurrence: Int) -> Bool {
        if used * 4 >= slots.count * 3 { grow() }
        let place = find(key)
        if slots[place].kept == 0 {
            slots[place] = Slot(high: key.high, low: key.low, kept: UInt32(occurrence), seen: 0, input: .max)
            used += 1
            return true
        }
        if occurrence <= slots[place].kept { return false }
        slots[place].kept = UInt32(occurrence)
        return true
    }

    private func find(_ key: StableHash) -> Int {
        let mask = slots.count - 1
        var place = Int(truncatingIfNeeded: key.low) & mask
        while slots[place].kept != 0, slots[place].high != key.high || slots[place].low != key.low {
            place = (place + 1) & mask
        }
        return place
    }

    private mutating func grow() {
        let old = slots
        slots = [Slot](repeating: Slot(), count: max(1024, old.count * 2))
        for slot in old where slot.kept != 0 {
            var key = StableHash([])
            (key.high, key.low) = (slot.high, slot.low)
            slots[find(key)] = slot
        }
    }
}
