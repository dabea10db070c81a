import Delimited
import OpenAlloc

/// The dates of a table that were read before: a file has many rows and few days.
///
/// Each date has two places, and the cache grows when both are taken; what is not in it is read by the patterns. Only
/// dates of at most 16 bytes without white space and without fractions of a second are kept.
struct DateCache: ~Copyable {
    struct Entry: BitwiseCopyable {
        var first: UInt64 = 0
        var last: UInt64 = 0
        var count = -1
        var moment = RowValues.Moment()
    }

    private var entries: FlatMemory<Entry>
    private var kept = 0
    private static let smallest = 64
    /// Thirty years of days with half of the places free; also the most dates that are kept.
    private static let largest = 1 << 14

    init() { entries = FlatMemory(repeating: Entry(), count: DateCache.smallest) }

    /// What is known of a cell.
    @inline(__always)
    func known(_ words: (UInt64, UInt64), _ count: Int) -> RowValues.Moment? {
        let place = place(words)
        let entry = entries[place]
        if entry.count == count, entry.first == words.0, entry.last == words.1 { return entry.moment }
        let other = entries[place ^ 1]
        guard other.count == count, other.first == words.0, other.last == words.1 else { return nil }
        return other.moment
    }

    /// Keeps the reading of a cell, no instant for a blank one; nil for an instant that cannot be kept.
    mutating func keep(_ words: (UInt64, UInt64), _ count: Int, _ instant: Instant?) -> RowValues.Moment? {
        var moment = RowValues.Moment()
        if let instant {
            guard let read = RowValues.Moment(instant) else { return nil }
            if kept == DateCache.largest {
                kept = 0
                for index in 0..<entries.count { entries[index] = Entry() }
            }
            kept += 1
            moment = read
        }
        let entry = Entry(first: words.0, last: words.1, count: count, moment: moment)
        while !insert(entry, isForced: entries.count >= DateCache.largest) { grow() }
        return moment
    }

    /// Puts an entry into a free place of its two; without one, only by force.
    private mutating func insert(_ entry: Entry, isForced: Bool) -> Bool {
        let place = place((entry.first, entry.last))
        if entries[place].count < 0 {
            entries[place] = entry
        } else if entries[place ^ 1].count < 0 {
            entries[place ^ 1] = entry
        } else if isForced {
            entries[place] = entry
        } else {
            return false
        }
        return true
    }

    @inline(__always)
    private func place(_ words: (UInt64, UInt64)) -> Int {
        let wide = (words.0 ^ (words.1 << 1 | words.1 >> 63)).multipliedFullWidth(by: 0x9E37_79B9_7F4A_7C15)
        return Int(truncatingIfNeeded: wide.high ^ wide.low) & (entries.count - 1)
    }

    /// Makes it four times as large; dates that still want one place may drive each other out.
    private mutating func grow() {
        var old = FlatMemory(repeating: Entry(), count: entries.count * 4)
        swap(&old, &entries)
        for index in 0..<old.count {
            let entry = old[index]
            if entry.count >= 0 { _ = insert(entry, isForced: true) }
        }
    }
}
