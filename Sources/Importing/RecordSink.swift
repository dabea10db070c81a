public import Digests
public import OpenAlloc

/// Takes what an importer makes of an input. Every unit of the input is handed over exactly once, by exactly one of
/// `accept`, `acceptRows`, `reject` and `mark`, in the order of the source; only events of several lines, which may
/// stand apart, come when no further line of theirs can follow.
///
/// Records and views are valid only during the call.
public protocol RecordSink: AnyObject {
    /// The units became records. All of them stand or fall together: if one record fails the projection or a rule,
    /// all units are rejected.
    func accept(_ records: ArraySlice<Record>, from units: [SourceUnit], warnings: [Finding])
    /// The unit is rows of openalloc schemas as they stand.
    func acceptRows(_ rows: [TableRow], from unit: SourceUnit, warnings: [Finding])
    /// The units should have become rows and could not.
    func reject(_ finding: Finding, from units: [SourceUnit])
    /// A row that is rejected next would have been a position of a list of several days (`Record.Coverage.days`).
    ///
    /// - Parameter position: its account, its security, and its day if that can be read.
    func lose(_ position: borrowing Record, line: Int)
    /// The unit is no data: preamble, header, section, blank, footer, total, or skipped (then `code` says why).
    func mark(_ unit: SourceUnit, _ outcome: Outcome, code: String)
    /// A line that is no data names an account: the account is known even if no row of it follows.
    func note(account record: borrowing Record, line: Int)
    /// From here on fields of records come from a header: `column` gives its name for that of a field, nil where it has
    /// none. What is found out about a record is said of the column that the file has.
    func readsColumns(_ column: @escaping @Sendable (_ field: String) -> String?)
    /// A finding about the input, not about one unit.
    func warn(_ finding: Finding, line: Int?)
    /// The input is read to its end: it had so many units, as counted where it was cut into them. The sink holds what was
    /// handed over to it, so that an importer that forgets a unit, or hands one over twice, does not do so in silence.
    func hasRead(units: Int)
    /// Markup only: what must stand around a rejected fragment so that the reject file can be converted by itself
    /// (for example the sign-on, the account and the open list; and what closes them). Replaces the former one.
    func setEnvelope(_ envelope: MarkupEnvelope)
    /// The unit, which is handed over besides, tells values that rows elsewhere in the input take from it: rejected
    /// rows are understood only together with it.
    func keepContext(_ unit: SourceUnit)
    /// The row above from which the units that follow take values that they leave out, or nil when they take none: one
    /// of them that is rejected is understood only together with it. Replaces the former one.
    func setRowAbove(_ unit: SourceUnit?)
    /// What inputs of the run keep for each other; nil when every input stands alone.
    var memory: ImportMemory? { get }
    /// What another thread has read of the input; nil when nobody has.
    var guess: InputGuess? { get }
    /// The digests that the thread of the run makes beside its work; nil when they are made at once.
    var desk: DigestDesk? { get }
    /// Whether rows of one class may name different accounts.
    var takesFreeAccounts: Bool { get }
    /// Whether units may be handed over on a guess, to be taken back if it was wrong.
    var takesGuesses: Bool { get }
    /// All that was handed over rests on a wrong guess: the sink forgets it, and the input is read anew, without guesses.
    func takeBack()
    /// The input has no positions and no balances.
    func hasNoHoldings()
    /// The input's positions and balances are of this moment: of the end of what it tells of, which may lie long before
    /// its export.
    func listsHoldings(of moment: Instant)
    /// The input is read in the encoding of this IANA name, whatever its first bytes made it seem.
    func isEncoded(as name: String)
    /// Prepares for rows of a class, of which one was accepted before.
    ///
    /// - Returns: a number for `accept(_:of:from:)` of all sinks with the same `memory`; nil when the class's rows must
    ///   come as records.
    func prepare(_ recordClass: RecordClass) -> Int?
    /// Prepares for rows of all classes of a form, whether or not one of them was accepted.
    ///
    /// - Returns: a number for `prepare(_:of:)` of all sinks with the same `memory`; nil when their rows must come as
    ///   records.
    func prepare(form: RecordClass) -> Int?
    /// Prepares for rows of one class of a form.
    ///
    /// - Parameter records: what a row of the class becomes, with the class's texts.
    /// - Returns: as `prepare(_:)`; nil also when a row must come as a record first.
    func prepare(_ records: [Record], of form: Int) -> Int?
    /// A unit that is a row of a prepared class.
    ///
    /// - Returns: whether it was taken; if not, it must be handed over as a record.
    func accept(_ values: RowValues, of prepared: Int, from unit: SourceUnit) -> Bool
    /// What another thread may do for the sink beside the rows, before all else; nil when there is nothing. Whoever asks for
    /// it says that blocks have passed.
    func workAside() -> (@Sendable () -> Void)?
    /// A block of the input was handed over.
    func passedBlock()
    /// Somebody who takes rows of the classes prepared so far on another thread; nil when all must come here. Before that
    /// thread gets it again, and before it is given up, this one calls its `removeAll`.
    func makeBatch() -> (any RowBatch)?
    /// The units that a batch has taken between two marks; they come in the order of the source.
    func accept(_ batch: any RowBatch, from start: BatchMark, to end: BatchMark)
}

// What a sink does that wants no more than the units themselves.
extension RecordSink {
    /// Marks a unit whose outcome says enough.
    public func mark(_ unit: SourceUnit, _ outcome: Outcome) { mark(unit, outcome, code: "") }
    /// It is a row like others.
    public func lose(_ position: borrowing Record, line: Int) {}
    /// Fields keep their names.
    public func readsColumns(_ column: @escaping @Sendable (_ field: String) -> String?) {}
    /// Counts nothing.
    public func hasRead(units: Int) {}
    /// Passes over accounts that only a line names.
    public func note(account record: borrowing Record, line: Int) {}
    /// Passes over what stands around markup.
    public func setEnvelope(_ envelope: MarkupEnvelope) {}
    /// Keeps none: it writes no reject files.
    public func keepContext(_ unit: SourceUnit) {}
    /// Keeps none: it writes no reject files.
    public func setRowAbove(_ unit: SourceUnit?) {}
    /// Nothing is kept.
    public var memory: ImportMemory? { nil }
    /// Nobody has.
    public var guess: InputGuess? { nil }
    /// They are made at once.
    public var desk: DigestDesk? { nil }
    /// The account is the class's.
    public var takesFreeAccounts: Bool { false }
    /// Nothing can be taken back.
    public var takesGuesses: Bool { false }
    /// Nothing was handed over on a guess.
    public func takeBack() {}
    /// Nothing follows from it.
    public func hasNoHoldings() {}
    /// They are of the export.
    public func listsHoldings(of moment: Instant) {}
    /// Says nothing of it.
    public func isEncoded(as name: String) {}
    /// Every row comes as a record.
    public func prepare(_ recordClass: RecordClass) -> Int? { nil }
    /// Every row comes as a record.
    public func prepare(form: RecordClass) -> Int? { nil }
    /// Every row comes as a record.
    public func prepare(_ records: [Record], of form: Int) -> Int? { nil }
    /// Takes none.
    public func accept(_ values: RowValues, of prepared: Int, from unit: SourceUnit) -> Bool { false }
    /// Nothing.
    public func workAside() -> (@Sendable () -> Void)? { nil }
    /// It is no matter.
    public func passedBlock() {}
    /// Nobody does.
    public func makeBatch() -> (any RowBatch)? { nil }
    /// There is none.
    public func accept(_ batch: any RowBatch, from start: BatchMark, to end: BatchMark) {}
}

/// Rows of prepared classes, taken on a thread of their own and handed to the sink later (`RecordSink.makeBatch`).
/// One thread at a time uses it.
public protocol RowBatch: AnyObject, Sendable {
    /// Takes a unit that is one row of a prepared class; false when it must be handed over as a record.
    func take(_ values: RowValues, of prepared: Int, line: Int) -> Bool
    /// Whether it writes down on which lines its units stand.
    var needsLines: Bool { get }
    /// What was taken so far.
    var mark: BatchMark { get }
    /// Forgets everything.
    func removeAll()
    /// Its rows are made beside the digests of the thread that takes them now.
    ///
    /// - Parameter isAlone: whether that thread, and no other, hands batches to the sink; the desk is the sink's then.
    func use(_ desk: DigestDesk?, isAlone: Bool)
}

/// How much a batch has taken.
public struct BatchMark: Sendable, Hashable {
    /// The bytes, rows and units.
    public var bytes = 0, rows = 0, units = 0

    /// Nothing.
    public init() {}
}

/// A row of an openalloc schema; values in the order of the schema's columns.
public struct TableRow: Sendable, Hashable {
    /// The schema.
    public var schema: SchemaID
    /// One value per column.
    public var values: [AllocValue]

    /// A row.
    public init(_ schema: SchemaID, _ values: [AllocValue]) {
        self.schema = schema
        self.values = values
    }
}
