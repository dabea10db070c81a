import Delimited
import OpenAlloc

/// Reads the dates of a format.
protocol StampReader {
    mutating func read(_ text: ByteView) -> OFXDateReading
    /// Whether what stands after the first eight digits of a date that was read says the same of every other date.
    func isFixed(after text: ByteView) -> Bool
}

extension OFXDates: StampReader {}
extension FlexDates: StampReader {
    func isFixed(after text: ByteView) -> Bool { false }
}

/// The dates that were read before, of at most 32 bytes: a file has many rows and few days. Those that begin with eight
/// digits and end as few others do have the shortest way (`DayCache`); the rest stand one after the other.
struct StampCache: ~Copyable {
    struct Entry: BitwiseCopyable {
        var first: (UInt64, UInt64)
        var last: (UInt64, UInt64)
        var count: Int
        var moment: RowValues.Moment
    }

    private var days = DayCache()
    private var entries = FlatMemory<Entry>([])
    /// The entries by open addressing: −1 is a free place. There are twice as many at least.
    private var places = FlatMemory<Int32>(repeating: -1, count: 64)
    /// The most that are kept.
    private static let largest = 1 << 13

    /// The moment that a text is; nil for what is no date, or one with a fraction of a second.
    @inline(__always)
    mutating func read(_ text: ByteView, _ dates: inout some StampReader) -> RowValues.Moment? {
        if let known = days.known(text) { return known }
        return readOther(text, &dates)
    }

    @inline(never)
    private mutating func readOther(_ text: ByteView, _ dates: inout some StampReader) -> RowValues.Moment? {
        if let next = days.extend(text) { return next }
        guard text.count <= 32, let last = text.suffix(16).words,
            let first = text.count > 16 ? text.prefix(16).words : (0, 0)
        else { return nil }
        var place = place(first, last)
        while true {
            let index = Int(places[place])
            if index < 0 { return keep(text, first, last, &dates) }
            if entries[index].last == last, entries[index].count == text.count, entries[index].first == first {
                return entries[index].moment
            }
            place = (place + 1) & (places.count - 1)
        }
    }

    @inline(__always)
    private func place(_ first: (UInt64, UInt64), _ last: (UInt64, UInt64)) -> Int {
        let wide = ((first.0 &* 3) ^ (first.1 &* 5) ^ (last.0 &* 7) ^ last.1)
            .multipliedFullWidth(by: 0x9E37_79B9_7F4A_7C15)
        return Int(truncatingIfNeeded: wide.high ^ wide.low) & (places.count - 1)
    }

    @inline(never)
    private mutating func keep(
        _ text: ByteView, _ first: (UInt64, UInt64), _ last: (UInt64, UInt64), _ dates: inout some StampReader
    ) -> RowValues.Moment? {
        guard case .value(let instant) = dates.read(text), let moment = RowValues.Moment(instant) else { return nil }
        if days.keep(text, moment, isFixed: dates.isFixed(after: text)) { return moment }
        if entries.count == Self.largest {
            entries.removeAll()
            for place in 0..<places.count { places[place] = -1 }
        }
        entries.append(Entry(first: first, last: last, count: text.count, moment: moment))
        if entries.count * 2 > places.count {
            places = FlatMemory(repeating: -1, count: places.count * 2)
            for index in 0..<entries.count { put(index) }
        } else {
            put(entries.count - 1)
        }
        return moment
    }

    private mutating func put(_ index: Int) {
        var place = place(entries[index].first, entries[index].last)
        while places[place] >= 0 { place = (place + 1) & (places.count - 1) }
        places[place] = Int32(truncatingIfNeeded: index)
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
