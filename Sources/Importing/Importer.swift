public import OpenAlloc
import Zones

/// Reads one kind of export.
public protocol Importer: Sendable {
    /// `<brokerage>.<report>`, for example `fidelity.history`.
    var id: String { get }
    /// What it reads, for a person: "Fidelity account history".
    var title: String { get }
    /// Other ids that `--importer` takes for it.
    var aliases: [String] { get }
    /// The schemas that it can fill.
    var schemas: [SchemaID] { get }
    /// Whether it may yield records of kind `closedLot`. A run keeps its sales in mind only where one of its inputs can.
    var yieldsClosedLots: Bool { get }
    /// Judges the beginning of an input. Nil when nothing of it fits.
    func examine(_ sample: InputSample) -> Examination?
    /// Which rows below the headers may change what `examine` and `context` say of inputs of the same headers; nil
    /// where all may.
    func decidingRows(in sample: InputSample) -> DecidingRows?
    /// What the input says of itself without reading its rows: the export's own date, accounts named by its context.
    func context(
        of input: any InputSource, sample: InputSample, options: ImportOptions
    ) throws(InputError) -> InputContext
    /// Looks through the whole input ahead of `read`, if it needs to: what it finds goes into the context. The bytes that
    /// it is given are read for other reasons too, so that one reading does.
    func survey(
        _ input: any InputSource, sample: InputSample, options: ImportOptions
    ) throws(InputError) -> InputSurvey?
    /// Whether several threads read an input in blocks, so that one of them can do something else first
    /// (``RecordSink/workAside()``).
    func readsInBlocks(_ input: any InputSource, sample: InputSample, options: ImportOptions) -> Bool
    /// Reads the whole input and hands every unit to the sink.
    func read(
        _ input: any InputSource, sample: InputSample, context: InputContext, options: ImportOptions,
        into sink: any RecordSink
    ) throws(InputError)
}

extension Importer {
    /// Unless an importer knows better, it may.
    public var yieldsClosedLots: Bool { true }

    /// Unless an importer knows better, all may.
    public func decidingRows(in sample: InputSample) -> DecidingRows? { nil }

    /// Unless an importer does, one thread reads all.
    public func readsInBlocks(_ input: any InputSource, sample: InputSample, options: ImportOptions) -> Bool { false }

    /// Unless an importer does, it needs no look ahead.
    public func survey(
        _ input: any InputSource, sample: InputSample, options: ImportOptions
    ) throws(InputError) -> InputSurvey? { nil }
}

/// What a user sets for all inputs of a run.
public struct ImportOptions: Sendable, Hashable {
    /// Account id for exports that do not name one.
    public var account: String?
    /// IANA time-zone id that replaces the definition's.
    public var timeZone: String?
    /// Seconds after midnight for dates without a time, instead of noon.
    public var secondOfDay: Int?

    /// How many threads may read the input; what comes out does not depend on it.
    public var jobs: Int
    /// How many bytes a thread reads at a time; inputs of a few of these are read by one.
    package var blockBytes = 1 << 16
    /// How much of the begin and the end of an input tells enough of the rest to make a guess; of sixteen times that at
    /// least.
    package var guessBytes = 1 << 15
    /// Whether every row goes by the definition's rules: on for those that hold the shorter roads to them.
    package var readsByRules = false

    /// Whether dates can be read in a zone: who reads an input in another one reads nothing of it.
    public static func isKnown(timeZone: String) -> Bool { (try? Zone.named(timeZone)) != nil }

    /// Options; nil leaves the definition's own rule.
    public init(account: String? = nil, timeZone: String? = nil, secondOfDay: Int? = nil, jobs: Int = 1) {
        self.jobs = jobs
        self.account = account
        self.timeZone = timeZone
        self.secondOfDay = secondOfDay
    }
}

/// What an input says of itself besides its rows.
public struct InputContext: Sendable, Hashable {
    /// When the brokerage made the export: from the content, else from the file name, else nil.
    public var exportedAt: Instant?
    /// Whether the name of the input says whose it is.
    public var isNamed = false
    /// Findings about the input as a whole, e.g. `header.drift`.
    public var warnings: [Finding] = []
    /// What the importer found when it looked through the input, if it has done so already.
    public var survey: InputSurvey?

    /// An empty context.
    public init() {}
}

/// What an importer found when it looked through an input; nobody else looks into it.
///
/// Invariant of `@unchecked`: it is made on one thread and handed to another, and `take` is called by one at a time.
public final class InputSurvey: @unchecked Sendable, Hashable {
    private var found: Any?

    init(_ found: Any? = nil) { self.found = found }

    /// Keeps what was found for who reads the input next.
    func keep(_ found: some Any) { self.found = found }

    /// What was found, once: it may be large, and its reader may change it. Nil if it is something else.
    func take<Found>(as _: Found.Type) -> Found? {
        guard let known = found as? Found else { return nil }
        found = nil
        return known
    }

    /// Whether they are one and the same.
    public static func == (left: InputSurvey, right: InputSurvey) -> Bool { left === right }
    /// Feeds which one it is to the hasher.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
