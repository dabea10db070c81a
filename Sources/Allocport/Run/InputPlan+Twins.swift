import Importing
import OpenAlloc

// Inputs of equal bytes count once, with what any of their names says.
extension InputPlan {
    /// By input, the time that all twins of it are sorted by and whether another one stands for it; nil where all differ.
    ///
    /// The one that stands for its twins has a name that says whose it is, if one has; it gets the time that another
    /// one's name says.
    static func twins(of plans: [InputPlan]) -> [Int: (exportedAt: Instant?, isSecond: Bool)]? {
        // Digests are compared where their first digits are equal.
        var openings = plans.map { opening(of: $0.report.sha256) }
        openings.sort()
        guard zip(openings, openings.dropFirst()).contains(where: { $0 == $1 && $0 != 0 }) else { return nil }
        var groups: [String: [Int]] = [:]
        for (index, plan) in plans.enumerated() where plan.importer != nil {
            groups[plan.report.sha256, default: []].append(index)
        }
        var found: [Int: (exportedAt: Instant?, isSecond: Bool)] = [:]
        for group in groups.values where group.count > 1 {
            func isBetter(_ a: Int, _ b: Int) -> Bool {
                let (left, right) = (plans[a].context, plans[b].context)
                if left.isNamed != right.isNamed { return left.isNamed }
                if (left.exportedAt == nil) != (right.exportedAt == nil) { return right.exportedAt == nil }
                return plans[a].report.name < plans[b].report.name
            }
            guard let first = group.min(by: isBetter) else { continue }
            let told = group.compactMap { plans[$0].context.exportedAt }.min()
            let exportedAt = plans[first].context.exportedAt ?? told
            plans[first].context.exportedAt = exportedAt
            plans[first].report.exportedAt = exportedAt
            for index in group { found[index] = (exportedAt, index != first) }
        }
        return found
    }

    /// The first eight digits of a digest as a number; 0 where there is none.
    static func opening(of sha256: String) -> UInt64 {
        let digits = sha256.utf8
        return digits.withContiguousStorageIfAvailable { $0.prefix(8).reduce(0) { $0 &<< 8 | UInt64($1) } }
            ?? digits.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
    }
}
