import NearWords

/// Near names for a zone that is not there.
enum ZoneNames {
    /// At most three embedded ids, the nearest first.
    static func near(_ id: String) -> [String] {
        let sought = key(id)
        let ids = EmbeddedZones.zones.map(\.id) + EmbeddedZones.links.map(\.id)
        var found: [(id: String, distance: Int)] = []
        for candidate in ids {
            let city = candidate.split(separator: "/").last.map(String.init) ?? candidate
            let distance = min(NearWords.distance(sought, key(candidate)), NearWords.distance(sought, key(city)))
            if distance <= max(1, sought.count / 4) { found.append((candidate, distance)) }
        }
        found.sort { ($0.distance, $0.id) < ($1.distance, $1.id) }
        guard let best = found.first?.distance else { return [] }
        return found.prefix(3).filter { $0.distance <= best + 1 }.map(\.id)
    }

    /// Without case, spaces and underscores: `new york` is near `America/New_York`.
    private static func key(_ id: String) -> [UInt8] {
        id.lowercased().utf8.prefix(64).filter { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "_") }
    }
}
