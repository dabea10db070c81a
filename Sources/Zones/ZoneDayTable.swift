/// The instants of one local time on each day, such as noon: looked up at once for 1970 to 2100, filled as days are asked
/// for. Not shared: each reader has its own.
public struct ZoneDayTable: Sendable {
    /// The zone.
    public let zone: Zone
    /// The local time, in seconds after midnight.
    public let secondOfDay: Int

    // 1970-01-01 to 2100-12-31 in blocks of 256 days; an entry is the instant less its day's start in UTC.
    private static let days = 47_847
    private static let missing = Int32.min
    private var blocks: [[Int32]] = []

    /// A table of one local time, noon by default.
    public init(zone: Zone, secondOfDay: Int = 43_200) {
        self.zone = zone
        self.secondOfDay = secondOfDay
    }

    /// The instant of the table's local time on a day, as `Zone.utcSeconds(daysSinceEpoch:secondOfDay:)` has it.
    public mutating func utcSeconds(daysSinceEpoch day: Int) -> Int64 {
        guard day >= 0, day < Self.days else {
            return zone.utcSeconds(daysSinceEpoch: day, secondOfDay: secondOfDay)
        }
        // Many readers look at a few dates, or at none.
        if blocks.isEmpty { blocks = Array(repeating: [], count: (Self.days + 255) / 256) }
        if blocks[day >> 8].isEmpty { blocks[day >> 8] = Array(repeating: Self.missing, count: 256) }
        let start = Int64(day) * 86_400
        let known = blocks[day >> 8][day & 255]
        if known != Self.missing { return start + Int64(known) }
        let instant = zone.utcSeconds(daysSinceEpoch: day, secondOfDay: secondOfDay)
        fill(from: day, instant)
        return instant
    }

    /// Puts a day in, and those of its block that follow it before clocks change: their time is as far from UTC.
    private mutating func fill(from day: Int, _ instant: Int64) {
        let start = Int64(day) * 86_400
        let entry = Int32(clamping: instant - start)
        blocks[day >> 8][day & 255] = entry
        // A time that clocks jumped over is moved; the next day's is not.
        guard instant == start + Int64(secondOfDay) - Int64(zone.offset(atUTC: instant)) else { return }
        let change = zone.data.firstTransition(after: instant)?.second ?? .max
        // Days whose time is before the change; it may be without end.
        let same = change == .max ? 256 : max(0, (change - instant - 1) / 86_400)
        let first = (day & 255) + 1
        let end = Int(min(256, Int64(first) + same))
        blocks[day >> 8].withUnsafeMutableBufferPointer { block in
            if first < end { block[first..<end].update(repeating: entry) }
        }
    }
}
