/// Where the events of a side with some key stand, in the order of days: eight to twelve bytes an event.
struct EventChains {
    /// By hash: the first of a chain.
    private var heads: [Int32] = []
    /// By event: the next of its chain.
    private var next: [Int32] = []
    private(set) var isEmpty = true

    private static let none: Int32 = -1
    /// Of more events that have the key none is looked at, so that the time grows with the rows alone.
    private static let mostTries = 64

    /// Of those that have a key, and units, and are not matched.
    init(_ events: [RowMatch.Event], _ key: (RowMatch.Event) -> RowMatch.Key?) {
        for place in events.indices.reversed() {
            guard !events[place].isMatched, events[place].units != nil, let key = key(events[place]) else { continue }
            if isEmpty {
                isEmpty = false
                let count = 1 << (Int.bitWidth - events.count.leadingZeroBitCount)
                heads = Array(repeating: EventChains.none, count: count)
                next = Array(repeating: EventChains.none, count: events.count)
            }
            let slot = slot(of: key)
            next[place] = heads[slot]
            heads[slot] = Int32(truncatingIfNeeded: place)
        }
    }

    /// The first event of those days that fits; `fits` tells nothing of one that has another key. What is matched, or
    /// stands before those days, is left out from then on: the next call is of the same day or a later one.
    mutating func first(
        of key: RowMatch.Key, _ events: [RowMatch.Event], since: Int32, until: Int32,
        fits: (RowMatch.Event) -> Bool?
    ) -> Int? {
        let slot = slot(of: key)
        var (before, link) = (EventChains.none, heads[slot])
        var tries = 0
        while link != EventChains.none, tries < EventChains.mostTries {
            let place = Int(link)
            link = next[place]
            if events[place].isMatched || events[place].day < since {
                if before == EventChains.none { heads[slot] = link } else { next[Int(before)] = link }
                continue
            }
            if events[place].day > until { return nil }
            if let isFit = fits(events[place]) {
                if isFit { return place }
                tries += 1
            }
            before = Int32(truncatingIfNeeded: place)
        }
        return nil
    }

    private func slot(of key: RowMatch.Key) -> Int { key.hashValue & (heads.count - 1) }
}
