import Delimited
import OpenAlloc

/// The dates of a table that were read before: a file has many rows and few days.
///
/// Direct-mapped, and larger when two dates want one place; what is not in it is read by the patterns. Only dates of at
/// most 16 bytes without white space and without fractions of a second are kept.
struct DateCache: ~Copyable {
    struct Entry: BitwiseCopyable {
        var first: UInt64 = 0
        var last: UInt64 = 0
        var count = -1
        var moment = RowValues.Moment()
    }

    private var entries: FlatMemory<Entry>
    private let texts = ByteArena()
    private var kept = 0
    private static let smallest = 64
    /// Thirty years of days with half of the places free; also the most dates that are kept.
    private static let largest = 1 << 14

    init() { entries = FlatMemory(repeating: Entry(), count: DateCache.smallest) }

    /// What is known of a cell.
    @inline(__always)
    func known(_ words: (UInt64, UInt64), _ count: Int) -> RowValues.Moment? {
        let entry = entries[place(words)]
        guard entry.count == count, entry.first == words.0, entry.last == words.1 else { return nil }
        return entry.moment
    }

    /// Keeps the reading of a cell, no instant for a blank one. Returns nil when it has made room instead: then all
    /// texts that it gave out for this row are gone.
    mutating func keep(_ words: (UInt64, UInt64), _ count: Int, _ instant: Instant?) -> RowValues.Moment? {
        var moment = RowValues.Moment()
        if let instant {
            if kept == DateCache.largest {
                kept = 0
                texts.reset()
                for index in 0..<entries.count { entries[index] = Entry() }
                return nil
            }
            kept += 1
            var bytes: [UInt8] = []
            instant.append(to: &bytes)
            moment.secondsSince1970 = instant.secondsSince1970
            moment.text = texts.copy(bytes)
        }
        if entries[place(words)].count >= 0, entries.count < DateCache.largest { grow() }
        entries[place(words)] = Entry(first: words.0, last: words.1, count: count, moment: moment)
        return moment
    }

    @inline(__always)
    private func place(_ words: (UInt64, UInt64)) -> Int {
        let wide = (words.0 ^ (words.1 << 1 | words.1 >> 63)).multipliedFullWidth(by: 0x9E37_79B9_7F4A_7C15)
        return Int(truncatingIfNeeded: wide.high ^ wide.low) & (entries.count - 1)
    }

    private mutating func grow() {
        var old = FlatMemory(repeating: Entry(), count: entries.count * 4)
        swap(&old, &entries)
        for index in 0..<old.count {
            let entry = old[index]
            if entry.count >= 0 { entries[place((entry.first, entry.last))] = entry }
        }
    }
}
