public import Importing

/// What the run needs of a registry of importers.
public protocol ImporterCatalog: Sendable {
    /// Which importer reads an input, or why none does.
    func decide(_ sample: InputSample) -> Registry.Decision
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

/// An importer that was considered for an input, as a report names it.
public struct ConsideredImporter: Sendable, Hashable {
    /// The importer's id.
    public var importerID: String
    /// How well it fits.
    public var examination: Examination

    /// An importer by its id.
    public init(importerID: String, examination: Examination) {
        self.importerID = importerID
        self.examination = examination
    }

    init(_ candidate: Registry.Candidate) {
        self.init(importerID: candidate.importer.id, examination: candidate.examination)
    }
}

extension Registry: ImporterCatalog {
    /// The importer of an id or alias.
    public func importer(id: String) -> (any Importer)? { importer(id) }
}
