import Importing

/// How many inputs of a run begin alike: the first of many is read in its turn, as the others go by what it teaches.
struct InputKinds: Sendable {
    private let counts: [UInt64: Int]
    private static let few = 2

    init(_ plans: [InputPlan]) {
        var counts: [UInt64: Int] = [:]
        for plan in plans {
            if let hash = plan.sample?.headerHash { counts[hash, default: 0] += 1 }
        }
        self.counts = counts
    }

    /// Whether more than a few begin like one.
    func isFrequent(_ sample: InputSample) -> Bool { counts[sample.headerHash, default: 0] > InputKinds.few }
}
