import Importing
import OpenAlloc

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

    /// Of more files of one kind it is not asked whether the brokerage has written some in another way.
    private static let mostHeaders = 8, mostAlike = 24

    /// Whether two inputs may tell of the same in rows that are not equal: two kinds of reports of one brokerage, one and
    /// OFX, files of one kind with other headers, OFX files, whose ids a brokerage may make anew, Flex reports, whose
    /// fields each query chooses, and a table beside exports that its rows may be of.
    static func mayTellTwice(_ plans: [InputPlan], _ importers: [String: any Importer]) -> Bool {
        if plans.count < 2 { return false }
        // By importer, in the order of the inputs: thousands of one kind stand beside each other.
        var places: [String: [Int]] = [:]
        for (place, plan) in plans.enumerated() {
            if let importer = plan.report.importer { places[importer, default: []].append(place) }
        }
        places = places.filter { importers[$0.key]?.schemas.contains(.transaction) == true }
        let brokerages = Set(places.keys.map { $0.prefix { $0 != "." } })
        if brokerages.count < places.count { return true }
        let formats = places.values.map { of in of.lazy.compactMap { plans[$0].sample?.format }.first }
        if brokerages.count > 1, brokerages.contains("openalloc") || formats.contains(.ofx) { return true }
        return places.values.contains { mayTellTwice($0.map { plans[$0].sample }) }
    }

    /// Whether inputs of one kind may.
    private static func mayTellTwice(_ samples: [InputSample?]) -> Bool {
        guard (2...mostAlike).contains(samples.count) else { return false }
        // The rows of two files may differ, though their headers do not.
        if samples.contains(where: { $0?.format == .ofx || $0?.format == .flex }) { return true }
        return (2...mostHeaders).contains(Set(samples.compactMap { $0?.headerHash }).count)
    }

    /// Whether of files of one kind some name their account and others do not.
    static func someNameNoAccount(_ inputs: [InputReport]) -> Bool {
        var (named, unnamed): (Set<String>, Set<String>) = ([], [])
        for input in inputs where input.outcomes[.accepted] > 0 {
            guard let importer = input.importer else { continue }
            if input.warningCounts[FindingCode.accountAssumed.rawValue, default: 0] > 0 {
                unnamed.insert(importer)
            } else {
                named.insert(importer)
            }
        }
        return !named.isDisjoint(with: unnamed)
    }
}
