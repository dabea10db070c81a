import Delimited

/// Rows by the hashes of their keys: open addressing; the upper half of a row's tag is that of
/// its key's hash.
///
/// Invariant: the number of slots is a power of two, of which a quarter is free at least. A key is in the first slot from
/// its own on that has it or is free.
struct RowIndex: ~Copyable {
    // Not private: the debug compiler cannot destroy the list elsewhere.
    struct Slot: BitwiseCopyable {
        var low: UInt64 = 0
        var row: StoredRow?
    }

    private var slots = FlatMemory<Slot>(repeating: Slot(), count: 16)
    private var used = 0

    /// The slot of a key: that of its row, or the free one where it goes.
    func slot(of key: StableHash) -> Int {
        let mask = slots.count - 1
        var place = Int(truncatingIfNeeded: key.low) & mask
        while let row = slots[place].row {
            if slots[place].low == key.low, row.head.pointee.tag >> 32 == key.high >> 32 { return place }
            place = (place + 1) & mask
        }
        return place
    }

    /// The row of a slot; nil if it is free.
    subscript(_ slot: Int) -> StoredRow? { slots[slot].row }

    /// Puts a row into the slot of its key.
    mutating func put(_ row: StoredRow, _ key: StableHash, at slot: Int) {
        if slots[slot].row == nil { used += 1 }
        slots[slot] = Slot(low: key.low, row: row)
        if used * 4 > slots.count * 3 { grow() }
    }

    private mutating func grow() {
        var larger = FlatMemory<Slot>(repeating: Slot(), count: slots.count * 2)
        let mask = larger.count - 1
        for index in 0..<slots.count {
            guard slots[index].row != nil else { continue }
            var place = Int(truncatingIfNeeded: slots[index].low) & mask
            while larger[place].row != nil { place = (place + 1) & mask }
            larger[place] = slots[index]
        }
        slots = larger
    }
}
