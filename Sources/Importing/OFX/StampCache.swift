import Delimited
import OpenAlloc

/// The dates that were read before, of at most 32 bytes: a file has many rows and few days.
///
/// Direct-mapped. Every place of a row has a cache of its own, so that reading one date of a row never overwrites the
/// text of another.
struct StampCache: ~Copyable {
    struct Entry: BitwiseCopyable {
        var first: (UInt64, UInt64) = (0, 0)
        var last: (UInt64, UInt64) = (0, 0)
        var count = -1
        var moment = RowValues.Moment()
    }

    private var entries: FlatMemory<Entry>
    private var texts: FlatMemory<UInt8>
    private static let size = 4096
    /// `2024-01-31T14:30:00Z`
    private static let textBytes = 20

    init() {
        entries = FlatMemory(repeating: Entry(), count: Self.size)
        texts = FlatMemory(repeating: 0, count: Self.size * Self.textBytes)
    }

    /// The moment that a text is; nil for what is no date, or one with a fraction of a second.
    @inline(__always)
    mutating func read(_ text: ByteView, _ dates: inout OFXDates) -> RowValues.Moment? {
        guard text.count <= 32, let last = text.suffix(16).words,
            let first = text.count > 16 ? text.prefix(16).words : (0, 0)
        else { return nil }
        let wide = ((first.0 &* 3) ^ (first.1 &* 5) ^ (last.0 &* 7) ^ last.1)
            .multipliedFullWidth(by: 0x9E37_79B9_7F4A_7C15)
        let place = Int(truncatingIfNeeded: wide.high ^ wide.low) & (Self.size - 1)
        let entry = entries[place]
        if entry.count == text.count, entry.last == last, entry.first == first { return entry.moment }
        return keep(text, first, last, at: place, &dates)
    }

    @inline(never)
    private mutating func keep(
        _ text: ByteView, _ first: (UInt64, UInt64), _ last: (UInt64, UInt64), at place: Int, _ dates: inout OFXDates
    ) -> RowValues.Moment? {
        guard case .value(let instant) = dates.read(text), instant.nanoseconds == 0 else { return nil }
        var bytes: [UInt8] = []
        instant.append(to: &bytes)
        guard bytes.count == Self.textBytes else { return nil }
        let start = place * Self.textBytes
        for index in bytes.indices { texts[start + index] = bytes[index] }
        var moment = RowValues.Moment()
        moment.secondsSince1970 = instant.secondsSince1970
        moment.text = texts.view(start, bytes.count)
        entries[place] = Entry(first: first, last: last, count: text.count, moment: moment)
        return moment
    }
}
