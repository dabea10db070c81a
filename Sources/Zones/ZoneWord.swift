/// What a zone word beside a time in a file means.
public enum ZoneWord: Sendable, Hashable {
    /// Always so many seconds east of UTC.
    case offset(Int)
    /// The zone's own time of that day: `ET` says nothing of summer.
    case zone(String)

    /// The meaning of a word as files write it, in any case; nil if it has none, or several (`IST`).
    ///
    /// `CST` and `BST` are read as North America's and Britain's, as brokerages mean them.
    public init?(_ word: String) {
        guard let meaning = Self.meanings[word.uppercased()] else { return nil }
        self = meaning
    }

    /// The zone that the word stands for.
    ///
    /// - Throws: A `ZoneError`; not for any word of the built-in list.
    public func resolved() throws(ZoneError) -> Zone {
        switch self {
        case .offset(let seconds): Zone(fixedOffset: seconds)
        case .zone(let id): try Zone.named(id)
        }
    }

    private static let meanings: [String: ZoneWord] = {
        var meanings: [String: ZoneWord] = [
            "ET": .zone("America/New_York"), "CT": .zone("America/Chicago"), "MT": .zone("America/Denver"),
            "PT": .zone("America/Los_Angeles"), "AKT": .zone("America/Anchorage"), "HT": .zone("Pacific/Honolulu"),
            "AT": .zone("America/Halifax"), "EASTERN": .zone("America/New_York"), "CENTRAL": .zone("America/Chicago"),
            "MOUNTAIN": .zone("America/Denver"), "PACIFIC": .zone("America/Los_Angeles"),
        ]
        let halfHours: [(words: String, count: Int)] = [
            ("UTC GMT Z UT ZULU WET", 0), ("BST CET WEST MEZ MET", 2), ("CEST EET SAST MESZ MEST", 4), ("EEST MSK", 6),
            ("GST", 8), ("SGT HKT AWST", 16), ("JST KST", 18), ("ACST", 19), ("AEST", 20), ("ACDT", 21), ("AEDT", 22),
            ("NZST", 24), ("NZDT", 26), ("BRT", -6), ("NDT", -5), ("NST", -7), ("ADT", -6), ("AST EDT", -8),
            ("EST CDT", -10), ("CST MDT", -12), ("MST PDT", -14), ("PST AKDT", -16), ("AKST", -18), ("HST", -20),
        ]
        for (words, count) in halfHours {
            for word in words.split(separator: " ") { meanings[String(word)] = .offset(count * 1800) }
        }
        return meanings
    }()
}
