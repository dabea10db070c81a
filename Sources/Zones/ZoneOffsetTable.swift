/// The instants of local times: on days on which a zone's clocks do not change, how far it is from UTC is looked up once
/// a day. Not shared: each reader has its own.
public struct ZoneOffsetTable: Sendable {
    /// The zone.
    public let zone: Zone

    // 1970-01-01 to 2100-12-31 in blocks of 256 days.
    private static let days = 47_847
    private static let missing = Int32.min, changing = Int32.max
    private var blocks: [[Int32]] = []

    /// A table that knows no day yet.
    public init(zone: Zone) { self.zone = zone }

    /// The instant of a local time, as `Zone.utcSeconds(daysSinceEpoch:secondOfDay:)` has it.
    public mutating func utcSeconds(daysSinceEpoch day: Int, secondOfDay second: Int) -> Int64 {
        guard day >= 0, day < Self.days, second >= 0, second < 86_400 else {
            return zone.utcSeconds(daysSinceEpoch: day, secondOfDay: second)
        }
        if blocks.isEmpty { blocks = Array(repeating: [], count: (Self.days + 255) / 256) }
        if blocks[day >> 8].isEmpty { blocks[day >> 8] = Array(repeating: Self.missing, count: 256) }
        var offset = blocks[day >> 8][day & 255]
        if offset == Self.missing {
            offset = offsetOfDay(day)
            blocks[day >> 8][day & 255] = offset
        }
        if offset == Self.changing { return zone.utcSeconds(daysSinceEpoch: day, secondOfDay: second) }
        return Int64(day) * 86_400 + Int64(second) - Int64(offset)
    }

    /// The offset that all times of a day have.
    private func offsetOfDay(_ day: Int) -> Int32 {
        let start = Int64(day) * 86_400
        // The first of a time that comes twice is before the change; one that clocks jump over has another offset.
        let first = zone.utcSeconds(daysSinceEpoch: day, secondOfDay: 0)
        let offset = start - first
        guard Int64(zone.offset(atUTC: first)) == offset,
            zone.data.firstTransition(after: first)?.second ?? .max >= first + 86_400
        else { return Self.changing }
        return Int32(clamping: offset)
    }
}
