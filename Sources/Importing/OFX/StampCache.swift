import Delimited
import OpenAlloc

/// Reads the dates of a format.
protocol StampReader {
    mutating func read(_ text: ByteView) -> OFXDateReading
}

extension OFXDates: StampReader {}
extension FlexDates: StampReader {}

/// The dates that were read before, of at most 32 bytes: a file has many rows and few days.
///
/// Direct-mapped, and larger when two dates want one place.
struct StampCache: ~Copyable {
    struct Entry: BitwiseCopyable {
        var first: (UInt64, UInt64) = (0, 0)
        var last: (UInt64, UInt64) = (0, 0)
        var count = -1
        var moment = RowValues.Moment()
    }

    private var entries: FlatMemory<Entry>
    private var kept = 0
    private static let smallest = 64
    /// Also the most texts that are kept.
    private static let largest = 1 << 14

    init() { entries = FlatMemory(repeating: Entry(), count: Self.smallest) }

    /// The moment that a text is; nil for what is no date, or one with a fraction of a second.
    @inline(__always)
    mutating func read(_ text: ByteView, _ dates: inout some StampReader) -> RowValues.Moment? {
        guard text.count <= 32, let last = text.suffix(16).words,
            let first = text.count > 16 ? text.prefix(16).words : (0, 0)
        else { return nil }
        let place = place(first, last)
        let entry = entries[place]
        if entry.count == text.count, entry.last == last, entry.first == first { return entry.moment }
        return keep(text, first, last, &dates)
    }

    @inline(__always)
    private func place(_ first: (UInt64, UInt64), _ last: (UInt64, UInt64)) -> Int {
        let wide = ((first.0 &* 3) ^ (first.1 &* 5) ^ (last.0 &* 7) ^ last.1)
            .multipliedFullWidth(by: 0x9E37_79B9_7F4A_7C15)
        return Int(truncatingIfNeeded: wide.high ^ wide.low) & (entries.count - 1)
    }

    @inline(never)
    private mutating func keep(
        _ text: ByteView, _ first: (UInt64, UInt64), _ last: (UInt64, UInt64), _ dates: inout some StampReader
    ) -> RowValues.Moment? {
        guard case .value(let instant) = dates.read(text), let moment = RowValues.Moment(instant) else { return nil }
        if kept == Self.largest {
            kept = 0
            for index in 0..<entries.count { entries[index] = Entry() }
        }
        kept += 1
        if entries[place(first, last)].count >= 0, entries.count < Self.largest { grow() }
        entries[place(first, last)] = Entry(first: first, last: last, count: text.count, moment: moment)
        return moment
    }

    private mutating func grow() {
        let old = (0..<entries.count).map { entries[$0] }
        entries = FlatMemory(repeating: Entry(), count: old.count * 2)
        for entry in old where entry.count >= 0 { entries[place(entry.first, entry.last)] = entry }
    }
}

/// A cache for each moment of a row.
struct StampCaches: ~Copyable {
    private var first = StampCache()
    private var second = StampCache()

    @inline(__always)
    mutating func read(_ text: ByteView, _ place: Int, _ dates: inout some StampReader) -> RowValues.Moment? {
        switch place {
        case 0: first.read(text, &dates)
        case 1: second.read(text, &dates)
        default: nil
        }
    }
}
