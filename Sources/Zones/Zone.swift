import Synchronization

/// A time zone of the tz database. Days count from 1970-01-01, seconds of instants from 1970-01-01T00:00:00Z.
public struct Zone: Sendable, Hashable, CustomStringConvertible {
    /// The id in the tz database, of the zone itself where it was named by a link; a fixed zone's is such as `+05:30`.
    public let id: String
    let data: ZoneData

    /// The embedded zones that were read.
    private static let known = Mutex<[String: Zone]>([:])

    /// Universal time.
    public static let utc = Zone(fixedOffset: 0)

    /// A zone that is always `seconds` east of UTC; beyond 26 hours it is cut to that.
    public init(fixedOffset seconds: Int) {
        let offset = min(max(seconds, -93_600), 93_600)
        let name = Self.name(ofOffset: offset)
        id = name
        data = ZoneData(initial: LocalType(offset: offset, abbreviation: name), transitions: [], rule: nil)
    }

    private init(id: String, data: ZoneData) {
        self.id = id
        self.data = data
    }

    /// The zone of an id or link, from the embedded table, else from the system's database.
    ///
    /// Embedded data is read once a process.
    /// - Throws: `ZoneError.unknown` with near names, `ZoneError.damaged` for a broken file of the system.
    public static func named(_ id: String) throws(ZoneError) -> Zone {
        // The table of links is long; only embedded zones are kept, under the ids that they have themselves.
        if let known = known.withLock({ $0[id] }) { return known }
        if let embedded = embeddedData(id) {
            if embedded.id == "UTC" { return utc }
            if let known = known.withLock({ $0[embedded.id] }) { return known }
            guard let data = ZoneData(embedded: embedded.data) else { throw .damaged(id: id) }
            let zone = Zone(id: embedded.id, data: data)
            known.withLock { $0[embedded.id] = zone }
            return zone
        }
        guard isPlainPath(id), let bytes = ZoneData.systemFile(id) else {
            throw .unknown(id: id, suggestions: ZoneNames.near(id))
        }
        guard let data = ZoneData(tzif: bytes) else {
            // Other files lie in the database's folder too.
            guard bytes.starts(with: "TZif".utf8) else { throw .unknown(id: id, suggestions: ZoneNames.near(id)) }
            throw .damaged(id: id)
        }
        return Zone(id: id, data: data)
    }

    /// Seconds east of UTC at an instant.
    public func offset(atUTC second: Int64) -> Int { data.type(at: clamp(second)).offset }

    /// What the zone's time is called at an instant, such as `EST`.
    public func abbreviation(atUTC second: Int64) -> String { data.type(at: clamp(second)).abbreviation }

    /// The instant of a local time, which never fails and keeps the calendar day where that day has any instant.
    ///
    /// A time that occurs twice is the first of the two. A time that clocks jump over is moved on by the jump (02:30
    /// becomes 03:30); if that would be another day, it becomes the day's last second before the jump, and on a day that
    /// a zone left out as a whole, the first instant after it.
    /// - Parameters:
    ///   - day: Days since 1970-01-01; beyond ±4,000,000 it is cut to that.
    ///   - secondOfDay: 0 to 86 399; other values count on from the day's start.
    public func utcSeconds(daysSinceEpoch day: Int, secondOfDay: Int) -> Int64 {
        let time = min(max(secondOfDay, -1_000_000), 1_000_000)
        let local = Int64(min(max(day, -4_000_000), 4_000_000)) * 86_400 + Int64(time)
        // No zone is more than 26 hours off, so this is before every instant that the local time can be.
        var cursor = local - 93_601
        var offset = data.type(at: cursor).offset
        var offsetBefore = offset
        while true {
            let candidate = local - Int64(offset)
            if candidate < cursor { return resolveGap(local: local, change: cursor, offsetBefore: offsetBefore) }
            guard let change = data.firstTransition(after: cursor), candidate >= change.second else { return candidate }
            offsetBefore = offset
            offset = change.type.offset
            cursor = change.second
        }
    }

    private func resolveGap(local: Int64, change: Int64, offsetBefore: Int) -> Int64 {
        let day = CivilDay.day(ofSecond: local)
        let moved = local - Int64(offsetBefore)
        if localDay(atUTC: moved) == day { return moved }
        return localDay(atUTC: change - 1) == day ? change - 1 : change
    }

    /// The calendar day of an instant in the zone, as days since 1970-01-01.
    public func localDay(atUTC second: Int64) -> Int {
        let second = clamp(second)
        return CivilDay.day(ofSecond: second + Int64(offset(atUTC: second)))
    }

    /// Far beyond any date of a file; keeps the arithmetic from overflowing.
    private func clamp(_ second: Int64) -> Int64 { min(max(second, -400_000_000_000), 400_000_000_000) }

    /// Zones are the same if their ids are.
    public static func == (left: Zone, right: Zone) -> Bool { left.id == right.id }

    /// Hashes the id.
    public func hash(into hasher: inout Hasher) { hasher.combine(id) }

    /// The id.
    public var description: String { id }
}

extension Zone {
    private static func embeddedData(_ id: String) -> (id: String, data: String)? {
        let zone = EmbeddedZones.links.first { $0.id == id }?.zone ?? id
        return EmbeddedZones.zones.first { $0.id == zone }
    }

    /// Letters, digits, `_`, `+`, `-` and single slashes inside: nothing that leaves the database's folder.
    static func isPlainPath(_ id: String) -> Bool {
        var last = UInt8(ascii: "/")
        for byte in id.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "+"), UInt8(ascii: "-"):
                break
            case UInt8(ascii: "/") where last != UInt8(ascii: "/"): break
            default: return false
            }
            last = byte
        }
        return last != UInt8(ascii: "/") && id.utf8.count <= 64
    }

    private static func name(ofOffset offset: Int) -> String {
        if offset == 0 { return "UTC" }
        func two(_ number: Int) -> String { (number < 10 ? "0" : "") + String(number) }
        let size = abs(offset)
        let seconds = size % 60 == 0 ? "" : ":" + two(size % 60)
        return (offset < 0 ? "-" : "+") + two(size / 3600) + ":" + two(size / 60 % 60) + seconds
    }
}
