/// The importers of a run, and the decision which of them reads an input.
public struct Registry: Sendable {
    /// All importers, in order of their ids.
    public let importers: [any Importer]
    private let aliases: [String: String]

    /// A registry of these importers; of equal ids the last one wins (a user's own stand last).
    public init(_ importers: [any Importer]) {
        var byID: [String: any Importer] = [:]
        for importer in importers { byID[importer.id] = importer }
        self.importers = byID.values.sorted { $0.id < $1.id }
        var aliases: [String: String] = [:]
        for importer in self.importers { for alias in importer.aliases { aliases[alias] = importer.id } }
        self.aliases = aliases
    }

    /// The importer of an id or alias.
    public func importer(_ id: String) -> (any Importer)? {
        let wanted = aliases[id] ?? id
        return importers.first { $0.id == wanted }
    }

    /// A candidate of a decision.
    public struct Candidate: Sendable {
        /// The importer.
        public let importer: any Importer
        /// How well it fits.
        public let examination: Examination
    }

    /// The decision about an input.
    public enum Decision: Sendable {
        /// One importer fits; then others that were considered, best first.
        case recognised(Candidate, runnersUp: [Candidate])
        /// Several fit equally well.
        case ambiguous([Candidate])
        /// It is a known file of another purpose.
        case refused(Candidate)
        /// None fits; the nearest, best first.
        case unknown(nearest: [Candidate])
    }

    /// Decides which importer reads an input.
    public func decide(_ sample: InputSample) -> Decision {
        var candidates: [Candidate] = []
        for importer in importers {
            if let examination = importer.examine(sample) {
                candidates.append(Candidate(importer: importer, examination: examination))
            }
        }
        let fitting = candidates.filter { $0.examination.score >= Examination.threshold }.sorted(by: Self.isBefore)
        guard let best = fitting.first else { return .unknown(nearest: candidates.sorted(by: Self.isBefore)) }
        let equals = fitting.filter {
            $0.examination.specificity == best.examination.specificity && $0.examination.score == best.examination.score
        }
        if equals.count > 1 { return .ambiguous(equals) }
        if best.examination.refusal != nil { return .refused(best) }
        return .recognised(
            best, runnersUp: candidates.filter { $0.importer.id != best.importer.id }.sorted(by: Self.isBefore))
    }

    /// The more specific first, then the higher score, then by id.
    private static func isBefore(_ a: Candidate, _ b: Candidate) -> Bool {
        let fits = (a.examination.score >= Examination.threshold, b.examination.score >= Examination.threshold)
        if fits.0 != fits.1 { return fits.0 }
        if fits.0, a.examination.specificity != b.examination.specificity {
            return a.examination.specificity > b.examination.specificity
        }
        if a.examination.score != b.examination.score { return a.examination.score > b.examination.score }
        return a.importer.id < b.importer.id
    }
}
