import OpenAlloc

/// When a list of positions was made: the day that it is of, then the moment of its export. A report of a past period
/// that is downloaded later is no newer than one of a later day.
struct ListTime: Hashable, Comparable {
    /// Days since 1970-01-01.
    let day: Int
    let exportedAt: Instant

    /// - Parameter listedAt: the moment that the positions are of, where the export says it.
    init(listedAt: Instant? = nil, exportedAt: Instant) {
        day = (listedAt.map { min($0, exportedAt) } ?? exportedAt).civil.date.daysSinceEpoch
        self.exportedAt = exportedAt
    }

    static func < (left: ListTime, right: ListTime) -> Bool {
        (left.day, left.exportedAt) < (right.day, right.exportedAt)
    }
}
