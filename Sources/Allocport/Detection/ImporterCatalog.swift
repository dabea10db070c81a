public import Delimited
public import Importing

/// What the run needs of a registry of importers.
public protocol ImporterCatalog: Sendable {
    /// The importer that fits, or why none does.
    func recognise(_ sample: InputSample) -> Recognition
    /// The importer of an id or alias; nil when there is none.
    func importer(id: String) -> (any Importer)?
    /// How the sampled input is written: for the report and for the reject file.
    func facts(of sample: InputSample) -> InputFacts
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

/// How an input is written.
public struct InputFacts: Sendable, Hashable {
    /// `csv`, `tsv`, `ofx`, `xml`, …
    public var format: String
    /// The encoding of its text.
    public var encoding: TextEncoding
    /// Whether a byte order mark begins it.
    public var hasByteOrderMark: Bool
    /// Delimiter and line end; for markup only the line end counts.
    public var dialect: Dialect

    /// Facts.
    public init(format: String, encoding: TextEncoding, hasByteOrderMark: Bool = false, dialect: Dialect = .csv) {
        self.format = format
        self.encoding = encoding
        self.hasByteOrderMark = hasByteOrderMark
        self.dialect = dialect
    }
}
