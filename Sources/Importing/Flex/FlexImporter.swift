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

    /// Hands every unit to the sink.
    ///
    /// - Throws: what reading the input throws; markup that cannot be read is a warning, and what stands before it is read.
    public func read(
        _ input: any InputSource, sample: InputSample, context: InputContext, options: ImportOptions,
        into sink: any RecordSink
    ) throws(InputError) {
        guard let dates = try? FlexDates(options: options) else {
            return sink.warn(
                Finding(.valueInvalid, value: options.timeZone ?? "", reason: "this time zone is not known."), line: nil
            )
        }
        let source = MarkupInput(input)
        var survey = FlexSurvey(dates: dates)
        var plan: MarkupPlan?
        let broken = try Self.pass(source, &plan, survey)
        if case .malformed = broken {
            // Cut off or damaged: the tolerant reader gets past it, row by row.
            plan?.usesXML = false
            survey = FlexSurvey(dates: dates)
            _ = try Self.pass(source, &plan, survey)
        }
        let reading = FlexReading(
            mapper: FlexMapper(facts: survey.facts, options: options, dates: dates), sink: sink, input: source,
            encoding: plan?.encoding ?? .utf8)
        let failure = try Self.pass(source, &plan, reading)
        reading.finish()
        if let broken { sink.warn(Self.finding(broken), line: Self.line(broken)) }
        if let failure, broken == nil { sink.warn(OFXImporter.finding(failure), line: Self.line(failure)) }
    }

    /// One pass; what stopped it early.
    private static func pass(
        _ input: MarkupInput, _ plan: inout MarkupPlan?, _ pass: any FlexPass
    ) throws(InputError) -> MarkupError? {
        var source = InputMarkupSource(input: input)
        let names = NameTable(ofx: false)
        do throws(MarkupError) {
            let known = if let plan { plan } else { try MarkupDocument.plan(&source, verify: false) }
            plan = known
            try MarkupDocument.read(&source, plan: known, names: names, handler: FlexReader(pass, names))
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
