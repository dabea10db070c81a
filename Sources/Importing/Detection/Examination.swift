/// How well an importer fits an input, and why.
public struct Examination: Sendable, Hashable {
    /// 0 to 1. Below ``Examination/threshold`` nothing is guessed.
    public var score: Double
    /// Below this score an importer does not fit.
    public static let threshold = 0.6
    /// How many independent things the importer required and found: breaks ties in favour of the more specific one.
    public var specificity: Int
    /// What speaks for it, one sentence each.
    public var evidence: [String]
    /// What differs from the definition: columns added, missing, moved, renamed.
    public var drift: [String]
    /// What it required and did not find (then the score is below the threshold).
    public var missing: [String]
    /// Set when the importer knows the file and refuses it: what it is, and what to download instead.
    public var refusal: String?

    /// Set where it reads what no other fits: the id of one that the input has likely been read by before columns were
    /// renamed. It is the first of the runners-up, and lacks what its own examination says.
    public internal(set) var likelier: String?

    /// An examination.
    public init(
        score: Double, specificity: Int, evidence: [String] = [], drift: [String] = [], missing: [String] = [],
        refusal: String? = nil
    ) {
        self.score = score
        self.specificity = specificity
        self.evidence = evidence
        self.drift = drift
        self.missing = missing
        self.refusal = refusal
    }

    /// What an importer says of an input that lacks some of what it requires.
    static func nearest(missing: [String], required: Int) -> Examination {
        Examination(
            score: nearness(missing: missing.count, required: required), specificity: 0,
            evidence: ["\(required - missing.count) of \(required) required columns are there"], missing: missing)
    }

    /// The same of a header of which it knows so many columns: that of a file whose header has changed since it knows most.
    static func nearest(missing: [String], required: Int, known: Int, of named: Int) -> Examination {
        var examination = nearest(missing: missing, required: required)
        guard named > 0 else { return examination }
        let share = Double(known) / Double(named) * Double(required - missing.count) / Double(required)
        examination.score = max(examination.score, (share * 0.5 * 1000).rounded() / 1000)
        examination.evidence[0] += ", and \(known) of the header's \(named) columns are known"
        return examination
    }

    /// Whether naming the importer helps who reads a message: the input has as much of what it requires as two columns
    /// of four say.
    public var isNear: Bool { score >= Self.nearness(missing: 2, required: 4) }

    /// The score of an importer that lacks so many of what it requires: four columns of six say more than two of three.
    static func nearness(missing: Int, required: Int) -> Double {
        let share = Double(required - missing) / Double(required + 4)
        return (share * 0.5 * 1000).rounded() / 1000
    }
}
