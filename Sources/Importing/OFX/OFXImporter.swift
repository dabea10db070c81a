import Markup
public import OpenAlloc
import Zones

/// OFX and QFX statements of banks, cards and brokerages, 1.x and 2.x.
///
/// Two passes: the securities stand behind the transactions, so the first pass learns them (and what corrections refer
/// to), the second hands every statement, transaction, position, security, account and balance to the sink. Of large
/// files, what the first pass would find is guessed, and checked while the second is made (`OFXTrial`).
public struct OFXImporter: Importer {
    /// An importer of OFX.
    public init() {}

    /// Its id.
    public var id: String { "ofx.statement" }
    /// What it reads.
    public var title: String { "OFX or QFX statement" }
    /// Other ids for it.
    public var aliases: [String] { ["ofx", "qfx"] }
    /// What it can fill.
    public var schemas: [SchemaID] { [.account, .holding, .security, .transaction, .metaSource] }
    /// Whether a record can be a closed lot.
    public var yieldsClosedLots: Bool { false }

    /// Fits what is such markup, whatever the name.
    public func examine(_ sample: InputSample) -> Examination? {
        let isOFX = sample.format == .ofx || Self.isHidden(sample)
        return isOFX ? Examination(score: 1, specificity: 1, evidence: ["It is OFX."]) : nil
    }

    /// OFX behind words that belong to no header.
    private static func isHidden(_ sample: InputSample) -> Bool {
        guard sample.format == .xml || sample.format == .delimited,
            sample.head.prefix(4096).withUnsafeBytes({ place(of: UInt8(ascii: "<"), in: $0) }) != nil
        else {
            return false
        }
        return MarkupSniffer.kind(of: Array(sample.head.prefix(MarkupSniffer.prefixLength))).isOFX
    }

    /// When it was exported, as it says itself.
    public func context(
        of input: any InputSource, sample: InputSample, options: ImportOptions
    ) throws(InputError) -> InputContext {
        var context = InputContext()
        guard let dates = try? OFXDates(options: options) else { return context }
        // Where a guess was wrong, what was found by it serves for reading anew.
        if OFXGuess.isWorthwhile(input, options) { context.survey = InputSurvey() }
        // The sign-on stands first; only a file without one must be read to its end.
        for size in [4096, sample.head.count] where context.exportedAt == nil {
            var head = OFXSurvey(dates: dates)
            var source = BytesSource(Array(sample.head.prefix(size)))
            _ = try? MarkupDocument.plan(&source) {
                head = OFXSurvey(dates: dates)
                return Self.reader(head)
            }
            context.exportedAt = head.facts.exportedAt
        }
        if context.exportedAt == nil {
            let survey = try survey(MarkupInput(input), dates)
            context.exportedAt = survey?.facts.exportedAt ?? survey?.facts.statements.compactMap(\.asOf).max()
        }
        return context
    }

    /// Learns what stands behind the transactions and must be known before them, or guesses it.
    ///
    /// - Throws: what reading the input throws.
    public func survey(
        _ input: any InputSource, sample: InputSample, options: ImportOptions
    ) throws(InputError) -> InputSurvey? {
        guard let dates = try? OFXDates(options: options) else { return nil }
        if let guess = OFXGuess(input, options, dates) { return InputSurvey(guess) }
        return try survey(MarkupInput(input), dates).map { InputSurvey($0) }
    }

    /// Hands every unit to the sink.
    ///
    /// - Throws: what reading the input throws; where markup cannot be read on, what stands before is read and the rest is
    ///   one reject.
    public func read(
        _ input: any InputSource, sample: InputSample, context: InputContext, options: ImportOptions,
        into sink: any RecordSink
    ) throws(InputError) {
        guard let dates = try? OFXDates(options: options) else {
            return sink.warn(
                Finding(.valueInvalid, value: options.timeZone ?? "", reason: "this time zone is not known."), line: nil
            )
        }
        let source = MarkupInput(input, desk: sink.desk)
        var found = context.survey?.take(as: Survey.self)
        if found == nil, sink.takesGuesses,
            let guess = context.survey?.take(as: OFXGuess.self) ?? OFXGuess(input, options, dates)
        {
            guard let known = try read(source, by: guess, dates, options, into: sink) else { return }
            context.survey?.keep(known)
            return
        }
        if found == nil { found = try survey(source, dates) }
        guard let survey = found else {
            sink.warn(
                Finding(
                    .markupMalformed, reason: "the file holds no OFX that can be read", suggestion: "Download it again."
                ), line: nil)
            return sink.hasRead(units: MarkupRest.report(.notMarkup, isTold: false, of: source, .utf8, sink))
        }
        if !survey.facts.hasHoldings { sink.hasNoHoldings() }
        if let moment = survey.facts.listedAt { sink.listsHoldings(of: moment) }
        sink.isEncoded(as: survey.plan.encoding.rawValue)
        let names = NameTable(ofx: true)
        let reading = OFXReading(
            mapper: OFXMapper(facts: survey.facts, options: options, dates: dates), sink: sink, input: source,
            names: names,
            encoding: survey.plan.encoding)
        defer { reading.end() }
        let reader = Self.reader(reading)
        let failure = try Self.pass(source, survey.plan, names, reader)
        if let failure { reading.stopped(failure) }
        reading.finish(aggregates: reader.count)
    }

    /// The only pass, or none at all when the guess was wrong: then, if it was only that, what the survey has found.
    private func read(
        _ input: MarkupInput, by guess: OFXGuess, _ dates: OFXDates, _ options: ImportOptions,
        into sink: any RecordSink
    ) throws(InputError) -> Survey? {
        if !guess.facts.hasHoldings { sink.hasNoHoldings() }
        if let moment = guess.facts.listedAt { sink.listsHoldings(of: moment) }
        let names = NameTable(ofx: true)
        let reading = OFXReading(
            mapper: OFXMapper(facts: guess.facts, options: options, dates: dates), sink: sink, input: input,
            names: names, encoding: .utf8)
        defer { reading.giveUp() }
        let trial = OFXTrial(guess.facts, dates, reading)
        var source = InputMarkupSource(input: input)
        let reader = Self.reader(trial)
        let plan = try? MarkupDocument.readOnTrust(&source, names: names, handler: reader)
        if plan != nil, trial.isRight {
            reading.finish(aggregates: reader.count)
            return nil
        }
        sink.takeBack()
        if let failure = input.failure { throw failure }
        return try plan.map { plan throws(InputError) in try completed(trial.facts, plan, input, dates) }
    }

    // MARK: passes

    private struct Survey {
        var facts: OFXFacts
        var plan: MarkupPlan
    }

    /// The first pass, and where transactions refer to others, a look for those. Nil when there is no OFX.
    private func survey(_ input: MarkupInput, _ dates: OFXDates) throws(InputError) -> Survey? {
        var source = InputMarkupSource(input: input)
        var first = OFXSurvey(dates: dates)
        let plan: MarkupPlan
        do throws(MarkupError) {
            plan = try MarkupDocument.plan(&source) {
                first = OFXSurvey(dates: dates)
                return Self.reader(first)
            }
        } catch {
            if let failure = input.failure { throw failure }
            return nil
        }
        guard plan.kind != .none, plan.kind != .html else { return nil }
        if !plan.kind.isOFX { _ = try Self.pass(input, plan, NameTable(ofx: true), Self.reader(first)) }
        return try completed(first.facts, plan, input, dates)
    }

    /// The survey, with what transactions refer to.
    private func completed(
        _ facts: OFXFacts, _ plan: MarkupPlan, _ input: MarkupInput, _ dates: OFXDates
    ) throws(InputError) -> Survey {
        if facts.targets.isEmpty { return Survey(facts: facts, plan: plan) }
        let second = OFXSurvey(dates: dates, facts: facts, seeksTargets: true)
        _ = try Self.pass(input, plan, NameTable(ofx: true), Self.reader(second))
        return Survey(facts: second.facts, plan: plan)
    }

    /// One pass; what stopped it early.
    private static func pass(
        _ input: MarkupInput, _ plan: MarkupPlan, _ names: NameTable, _ reader: AggregateReader
    ) throws(InputError) -> MarkupError? {
        var source = InputMarkupSource(input: input)
        do throws(MarkupError) {
            try MarkupDocument.read(&source, plan: plan, names: names, handler: reader)
            return nil
        } catch {
            if let failure = input.failure { throw failure }
            return error
        }
    }

    static func reader(_ handler: any AggregateHandler) -> AggregateReader {
        AggregateReader(OFXName.chosen, childrenOf: OFXName.lists, handler: handler)
    }
}
