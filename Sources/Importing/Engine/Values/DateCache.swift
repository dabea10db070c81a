import Delimited

/// The dates of a table that were read before: a file has many rows and few days.
///
/// Only dates of at most 16 bytes are kept; in files of many days those of a common shape in a `DayTable` too.
struct DateCache: ~Copyable {
    struct Entry: BitwiseCopyable {
        var first: UInt64
        var last: UInt64
        var count: Int
        var moment: RowValues.Moment
    }

    private var entries = FlatMemory<Entry>([])
    /// Open addressing: the entry, or −1 in a free place; half of them at least are free.
    private var places = FlatMemory<Int16>(repeating: -1, count: 64)
    /// Thirty years of days; when there are more, all are forgotten.
    private static let largest = 1 << 14

    private var days = DayTable()
    /// A table of days is worth its memory when there are more dates.
    private static let few = 64

    /// What is known of a cell.
    @inline(__always)
    mutating func known(_ words: (UInt64, UInt64), _ count: Int) -> RowValues.Moment? {
        days.known(words, count) ?? found(words, count)
    }

    /// What is known of a cell whose day is not known.
    @inline(never)
    private mutating func found(_ words: (UInt64, UInt64), _ count: Int) -> RowValues.Moment? {
        guard let moment = kept(words, count) else { return nil }
        if entries.count > DateCache.few { days.keep(words, count, moment) }
        return moment
    }

    @inline(__always)
    private func kept(_ words: (UInt64, UInt64), _ count: Int) -> RowValues.Moment? {
        var place = place(words)
        while true {
            let index = Int(places[place])
            if index < 0 { return nil }
            let entry = entries[index]
            if entry.first == words.0, entry.last == words.1, entry.count == count { return entry.moment }
            place = (place &+ 1) & (places.count &- 1)
        }
    }

    /// Keeps the reading of a cell that is not known.
    mutating func keep(_ words: (UInt64, UInt64), _ count: Int, _ moment: RowValues.Moment) {
        if entries.count == DateCache.largest {
            entries.removeAll()
            places = FlatMemory(repeating: -1, count: places.count)
        }
        entries.append(Entry(first: words.0, last: words.1, count: count, moment: moment))
        if entries.count * 2 > places.count {
            places = FlatMemory(repeating: -1, count: places.count * 2)
            for index in 0..<entries.count { insert(index) }
        } else {
            insert(entries.count - 1)
        }
    }

    private mutating func insert(_ index: Int) {
        var place = place((entries[index].first, entries[index].last))
        while places[place] >= 0 { place = (place &+ 1) & (places.count &- 1) }
        places[place] = Int16(truncatingIfNeeded: index)
    }

    @inline(__always)
    private func place(_ words: (UInt64, UInt64)) -> Int {
        let wide = (words.0 ^ (words.1 &<< 1 | words.1 &>> 63)).multipliedFullWidth(by: 0x9E37_79B9_7F4A_7C15)
        return Int(truncatingIfNeeded: wide.high ^ wide.low) & (places.count &- 1)
    }
}
