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
        var headers: [String: Set<UInt64>] = [:]
        var counts: [String: Int] = [:]
        // Of which kinds the rows of two files may differ, though their headers do not.
        var varied: Set<String> = []
        var hasOFX = false
        for plan in plans {
            guard let importer = plan.report.importer, importers[importer]?.schemas.contains(.transaction) == true
            else { continue }
            counts[importer, default: 0] += 1
            if plan.sample?.format == .ofx { hasOFX = true }
            if plan.sample?.format == .ofx || plan.sample?.format == .flex { varied.insert(importer) }
            if let sample = plan.sample, headers[importer]?.count ?? 0 <= mostHeaders {
                headers[importer, default: []].insert(sample.headerHash)
            }
        }
        let brokerages = Set(counts.keys.map { $0.prefix { $0 != "." } })
        let isAnybodys = hasOFX || brokerages.contains("openalloc")
        return brokerages.count < counts.count || brokerages.count > 1 && isAnybodys
            || counts.contains { importer, count in
                guard (2...mostAlike).contains(count) else { return false }
                return varied.contains(importer) || (2...mostHeaders).contains(headers[importer]?.count ?? 0)
            }
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
