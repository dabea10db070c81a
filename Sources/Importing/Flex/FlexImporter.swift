import Markup
public import OpenAlloc
import Zones

/// Interactive Brokers Flex queries in XML.
///
/// Two passes: details make sums superfluous, and which a report has shows only at its end.
public struct FlexImporter: Importer {
    /// An importer of Flex reports.
    public init() {}

    /// Its id.
    public var id: String { "ibkr.flex_xml" }
    /// What it reads.
    public var title: String { "Interactive Brokers Flex query (XML)" }
    /// Other ids for it.
    public var aliases: [String] { ["flex"] }
    /// What it can fill.
    public var schemas: [SchemaID] { [.account, .holding, .security, .transaction, .metaSource] }
    /// Whether a record can be a closed lot.
    public var yieldsClosedLots: Bool { false }

    /// Fits what is such markup, whatever the name.
    public func examine(_ sample: InputSample) -> Examination? {
        sample.format == .flex ? Examination(score: 1, specificity: 1, evidence: ["It is an IBKR Flex report."]) : nil
    }

    /// When it was exported, as it says itself.
    public func context(
        of input: any InputSource, sample: InputSample, options: ImportOptions
    ) throws(InputError) -> InputContext {
        var context = InputContext()
        guard let dates = try? FlexDates(options: options) else { return context }
        // The date stands in the first statement's tag; the head may well be cut in the middle of a row.
        let survey = FlexSurvey(dates: dates)
        var source = BytesSource(sample.head)
        if let plan = try? MarkupDocument.plan(&source, verify: false) {
            let names = NameTable(ofx: false)
            try? MarkupDocument.read(&source, plan: plan, names: names, handler: FlexReader(survey, names))
        }
        context.exportedAt = survey.facts.exportedAt
        return context
    }

    /// Learns which details a report has.
    ///
    /// - Throws: what reading the input throws.
    public func survey(
        _ input: any InputSource, sample: InputSample, options: ImportOptions
    ) throws(InputError) -> InputSurvey? {
        guard let dates = try? FlexDates(options: options) else { return nil }
        return InputSurvey(try Self.survey(MarkupInput(input), dates))
    }

    private struct Survey {
        var facts: FlexFacts
        /// Nil where the input could not be looked through.
        var plan: MarkupPlan?
        /// What stopped the first pass.
        var broken: MarkupError?
    }

    private static func survey(_ input: MarkupInput, _ dates: FlexDates) throws(InputError) -> Survey {
        var source = InputMarkupSource(input: input)
        var survey = FlexSurvey(dates: dates)
        let first: (plan: MarkupPlan, error: MarkupError?)
        do throws(MarkupError) {
            first = try MarkupDocument.plan(&source) { names in
                survey = FlexSurvey(dates: dates)
                return FlexReader(survey, names)
            }
        } catch {
            if let failure = input.failure { throw failure }
            return Survey(facts: survey.facts, plan: nil, broken: error)
        }
        if let failure = input.failure { throw failure }
        var plan: MarkupPlan? = first.plan
        switch first.error {
        case .malformed, .declarations, .tooLong:
            // Cut off, damaged or odd: the tolerant reader gets past it, row by row.
            plan?.usesXML = false
            survey = FlexSurvey(dates: dates)
            _ = try Self.pass(input, &plan, FlexReader(survey, NameTable(ofx: false)))
        case nil, .tooDeep, .tooManyNames, .notMarkup, .source, .parserUnavailable: break
        }
        return Survey(facts: survey.facts, plan: plan, broken: first.error)
    }

    /// Hands every unit to the sink.
    ///
    /// - Throws: what reading the input throws; where markup cannot be read on, what stands before is read and the rest is
    ///   one reject.
    public func read(
        _ input: any InputSource, sample: InputSample, context: InputContext, options: ImportOptions,
        into sink: any RecordSink
    ) throws(InputError) {
        guard let dates = try? FlexDates(options: options) else {
            return sink.warn(
                Finding(.valueInvalid, value: options.timeZone ?? "", reason: "this time zone is not known."), line: nil
            )
        }
        let source = MarkupInput(input, desk: sink.desk)
        var found = context.survey?.take(as: Survey.self)
        if found == nil { found = try Self.survey(source, dates) }
        guard let survey = found else { return }
        if survey.plan != nil, survey.broken == nil, !survey.facts.hasHoldings { sink.hasNoHoldings() }
        if survey.facts.hasHoldings, let end = survey.facts.lastEnd(dates) { sink.listsHoldings(of: end) }
        if let plan = survey.plan { sink.isEncoded(as: plan.encoding.rawValue) }
        let reading = FlexReading(
            mapper: FlexMapper(facts: survey.facts, options: options, dates: dates), sink: sink, input: source,
            encoding: survey.plan?.encoding ?? .utf8)
        defer { reading.end() }
        var plan = survey.plan
        let reader = FlexReader(reading, NameTable(ofx: false))
        let failure = try Self.pass(source, &plan, reader)
        let rest = failure.map { reading.stopped($0) } ?? 0
        reading.finish()
        sink.hasRead(units: reader.unitCount + rest)
        if let broken = survey.broken, plan?.usesXML == false {
            sink.warn(Self.finding(broken), line: Self.line(broken))
        }
    }

    /// One pass; what stopped it early.
    private static func pass(
        _ input: MarkupInput, _ plan: inout MarkupPlan?, _ reader: FlexReader
    ) throws(InputError) -> MarkupError? {
        var source = InputMarkupSource(input: input)
        do throws(MarkupError) {
            let known = if let plan { plan } else { try MarkupDocument.plan(&source, verify: false) }
            plan = known
            try MarkupDocument.read(&source, plan: known, names: reader.names, handler: reader)
            return nil
        } catch {
            if let failure = input.failure { throw failure }
            return error
        }
    }

    private static func finding(_ error: MarkupError) -> Finding {
        Finding(
            .markupMalformed,
            reason: "the XML is not well-formed here (\(error.asIssue.detail)); the tolerant reader was used",
            suggestion: "Download the report again.")
    }

    private static func line(_ error: MarkupError) -> Int? {
        if case .malformed(let position, _, _) = error { return position.line }
        return nil
    }
}
