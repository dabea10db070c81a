public import Importing

/// What the run needs of a registry of importers.
public protocol ImporterCatalog: Sendable {
    /// The importer that fits, or why none does.
    func recognise(_ sample: InputSample) -> Recognition
    /// The importer of an id or alias; nil when there is none.
    func importer(id: String) -> (any Importer)?
    /// What holds for all inputs that begin like one that was recognised; nil when nothing does.
    func likeness(of sample: InputSample, readBy importer: any Importer, _ scanner: PlainRowScanner) -> InputLikeness?
}

extension ImporterCatalog {
    /// Unless a catalogue knows better, every input is looked at by itself.
    public func likeness(
        of sample: InputSample, readBy importer: any Importer, _ scanner: PlainRowScanner
    ) -> InputLikeness? { nil }
}

/// Which importer fits an input.
public enum Recognition: Sendable {
    /// One fits; the others that came close follow, best first.
    case recognised(any Importer, Examination, runnersUp: [Candidate])
    /// Several fit equally well.
    case ambiguous([Candidate])
    /// None fits; the nearest follow, best first.
    case unknown(nearest: [Candidate])
    /// An importer knows the file and says what to download instead.
    case refused(Candidate, reason: String)
}

/// An importer that was considered for an input.
public struct Candidate: Sendable, Hashable {
    /// The importer's id.
    public var importerID: String
    /// How well it fits.
    public var examination: Examination

    /// A candidate.
    public init(importerID: String, examination: Examination) {
        self.importerID = importerID
        self.examination = examination
    }
}

extension Registry: ImporterCatalog {
    /// The registry's decision in the run's words.
    public func recognise(_ sample: InputSample) -> Recognition {
        switch decide(sample) {
        case .recognised(let best, let runnersUp):
            .recognised(best.importer, best.examination, runnersUp: runnersUp.map(RunCandidate.init))
        case .ambiguous(let candidates): .ambiguous(candidates.map(RunCandidate.init))
        case .unknown(let nearest): .unknown(nearest: nearest.map(RunCandidate.init))
        case .refused(let best): .refused(RunCandidate(best), reason: best.examination.refusal ?? "")
        }
    }

    /// The importer of an id or alias.
    public func importer(id: String) -> (any Importer)? { importer(id) }
}

extension Candidate {
    /// Without the importer itself.
    init(_ candidate: Registry.Candidate) {
        self.init(importerID: candidate.importer.id, examination: candidate.examination)
    }
}

/// Within `Registry` the plain name means its own candidates.
private typealias RunCandidate = Candidate
