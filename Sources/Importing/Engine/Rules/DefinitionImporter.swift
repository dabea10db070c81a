import Delimited
public import OpenAlloc
import Zones

/// An importer made of a definition.
public struct DefinitionImporter: Importer {
    /// An importer is handed about for every input: what it is made of stays where it is.
    private final class Parts: Sendable {
        let definition: Definition
        let binder: HeaderBinder
        let yieldsClosedLots: Bool

        init(_ definition: Definition) {
            self.definition = definition
            yieldsClosedLots = SchemaInference.yieldsClosedLots(definition)
            binder = HeaderBinder(definition)
        }
    }

    private let parts: Parts
    var definition: Definition { parts.definition }
    var binder: HeaderBinder { parts.binder }
    /// Whether a record can be a closed lot.
    public var yieldsClosedLots: Bool { parts.yieldsClosedLots }

    init(_ definition: Definition) { parts = Parts(definition) }

    /// `<brokerage>.<report>`.
    public var id: String { definition.id }
    /// What it reads, for a person.
    public var title: String { definition.title }
    /// The schemas that it can fill.
    public var schemas: [SchemaID] { SchemaInference.schemas(of: definition) }
    /// Other ids that `--importer` takes for it.
    public var aliases: [String] { definition.aliases }

    /// Judges the beginning of an input; nil when nothing of it fits.
    public func examine(_ sample: InputSample) -> Examination? {
        guard sample.format == .delimited else { return nil }
        return DefinitionDetector(definition: definition, binder: binder, sample: sample).examination()
    }

    /// What it says of headers that lack some of what it requires.
    func nearest(_ sample: InputSample) -> Examination? {
        DefinitionDetector(definition: definition, binder: binder, sample: sample).nearest()
    }

    /// The names of the first header of its own for which it has no use.
    func foreignNames(_ sample: InputSample) -> [String] {
        for row in sample.headerRows {
            guard let found = binder.bind(row.header) else { continue }
            return found.unknown.filter { !definition.knows($0, in: definition.tables[found.table]) }
        }
        return []
    }

    /// Those that its rules for lines speak of, and that look like names.
    public func decidingRows(in sample: InputSample) -> DecidingRows? { DecidingRows(self) }

    /// What the input says of itself besides its rows.
    public func context(
        of input: any InputSource, sample: InputSample, options: ImportOptions
    ) throws(InputError) -> InputContext {
        var context = InputContext()
        let null = NullSink()
        guard let dates = dates(options) else { return context }
        let run = makeRun(.context, Survey(), dates, options, null, name: sample.name)
        if let records = sample.records {
            records.forEachWhile { (record: borrowing RecordView) -> Bool in
                run.take(record)
                return true
            }
        } else {
            var reader = DelimitedReader(dialect: sample.dialect)
            reader.read(sample.head) { (record: borrowing RecordView) in run.take(record) }
        }
        var exported = run.contextText("exported")
        if exported.isEmpty, !sample.tail.isEmpty {
            var bytes: [UInt8] = []
            for row in sample.tail { bytes += Self.line(row, sample.dialect) }
            var tail = DelimitedReader(dialect: sample.dialect)
            tail.read(bytes) { (record: borrowing RecordView) in run.take(record) }
            exported = run.contextText("exported")
        }
        let patterns = definition.exported.isEmpty ? definition.dates : definition.exported
        if !exported.isEmpty {
            context.exportedAt = withView(exported) { dates.instant($0, time: .empty, patterns: patterns) }
        }
        let values = definition.files.isEmpty ? [] : FileNameContext.values(of: sample.name, definition)
        let account = definition.variables.known("account")
        context.isNamed = values.contains { $0.slot == account }
        if context.exportedAt == nil, let slot = definition.variables.known("exported"),
            let text = values.first(where: { $0.slot == slot })?.text
        {
            let patterns = definition.fileDates + definition.exported + definition.dates
            context.exportedAt = withView(text) { dates.instant($0, time: .empty, patterns: patterns) }
        }
        return context
    }

    /// A row of the tail written as a line again: what the rules for lines look at survives.
    private static func line(_ row: InputSample.Row, _ dialect: Dialect) -> [UInt8] {
        var bytes: [UInt8] = []
        for (index, cell) in row.cells.enumerated() {
            if index > 0 { bytes.append(dialect.delimiter) }
            bytes.append(dialect.quote)
            for byte in cell.utf8 {
                bytes.append(byte)
                if byte == dialect.quote { bytes.append(byte) }
            }
            bytes.append(dialect.quote)
        }
        bytes.append(UInt8(ascii: "\n"))
        return bytes
    }

    /// Whether several threads read an input in blocks.
    public func readsInBlocks(_ input: any InputSource, sample: InputSample, options: ImportOptions) -> Bool {
        options.jobs > 1
            && SplitFeed.suits(input, DelimitedReader(dialect: sample.dialect), sample.encoding, options)
    }

    /// Reads the whole input and hands every unit to the sink.
    public func read(
        _ input: any InputSource, sample: InputSample, context: InputContext, options: ImportOptions,
        into sink: any RecordSink
    ) throws(InputError) {
        if let guess = sink.guess, let opening = guess.followed, let memory = sink.memory {
            guess.feed(sink, opening)
            memory.note(isRight: true, of: sample, importer: id)
            return warn(opening.drift, sink)
        }
        guard let dates = dates(options) else {
            sink.warn(
                Finding(
                    .valueInvalid, value: options.timeZone ?? definition.zone, reason: "this time zone is not known."),
                line: nil)
            return
        }
        let survey = Survey()
        if needsSurvey {
            let first = makeRun(.survey, survey, dates, options, NullSink(), name: sample.name)
            _ = try Self.feed(input, sample, first, ImportOptions())
            first.finish()
        }
        let run = makeRun(
            .records, survey, dates, options, sink, name: sample.name, exportedAt: context.exportedAt,
            memory: sharesMemory(input, sample, options) ? sink.memory : nil)
        let units = try Self.feed(input, sample, run, options)
        run.finish()
        sink.hasRead(units: units)
        if context.exportedAt == nil { warnOfDay(run, sink) }
        if let (finding, line) = try run.doubled.finding(input, sample) { sink.warn(finding, line: line) }
        if let guess = sink.guess, guess.isUsable {
            run.memory?.note(isRight: guess.acceptedUnits > 0, of: sample, importer: id)
        }
        run.memory?.keep(run.lane, of: sample, importer: id)
        let drift = run.drift.texts
        warn(drift, sink)
        if let guess = sink.guess, guess.isUsable { keepOpening(guess, run, sample, drift) }
    }

    /// What the file says of the day on which it was made, where that is no date that the definition knows. Names of files
    /// are anybody's.
    private func warnOfDay(_ run: DefinitionRun, _ sink: any RecordSink) {
        let text = run.contextText("exported")
        let slot = definition.variables.known("exported")
        if text.isEmpty || run.nameContext.contains(where: { $0.slot == slot && $0.text == text }) { return }
        sink.warn(
            Finding(
                .dateInvalid, value: text,
                reason: "the day on which the file was made cannot be read: what is held has no day, so that a newer "
                    + "list of positions may not take the place of an older one.",
                suggestion: "Convert the file as it was downloaded."), line: nil)
    }

    private func warn(_ drift: [String], _ sink: any RecordSink) {
        let advice =
            definition.isFallback
            ? "" : "If it is a column that had another name before: allocport importer adapt FILE."
        for text in drift { sink.warn(Finding(.headerDrift, reason: text, suggestion: advice), line: nil) }
        if definition.isFallback {
            sink.warn(
                Finding(
                    .importerFallback,
                    reason: "read by the plain names of its columns, for it is no brokerage's export that is known.",
                    suggestion: "Look through the rows before you rely on them."), line: nil)
        }
    }

    /// Keeps what the first line was, where the run has read no other and nothing else plays a part: all lines behind it
    /// were guessed.
    private func keepOpening(_ guess: InputGuess, _ run: DefinitionRun, _ sample: InputSample, _ drift: [String]) {
        guard let memory = run.memory, let line = guess.soleLine, line.first != 0xEF, !needsSurvey,
            definition.layout == nil, run.hasSeenHeader, let lane = run.openLane, guess.isOf(lane),
            guess.acceptedUnits == guess.units
        else { return }
        memory.keep(
            ImportMemory.Opening(
                line: Array(line), context: FileNameContext.values(of: sample.name, definition), lane: lane,
                drift: drift), of: sample, importer: id)
    }

    /// Whether an input may use what others have left: a large one has enough rows of its own, and threads that read it
    /// together go by classes of their own.
    private func sharesMemory(_ input: any InputSource, _ sample: InputSample, _ options: ImportOptions) -> Bool {
        // What one file says of its dates is not what another says.
        guard input.byteCount < 1 << 22, !definition.asksForDayOrder else { return false }
        return !readsInBlocks(input, sample: sample, options: options)
    }

    private var needsSurvey: Bool {
        definition.numbers.decimal == nil || definition.asksForDayOrder
            || definition.tables.contains {
                $0.provides != nil || !$0.anywhere.isEmpty
                    || ($0.numbers != nil && $0.numbers?.decimal == nil)
            }
    }

    private func dates(_ options: ImportOptions) -> DateResolver? {
        try? DateResolver(definition: definition, options: options)
    }

    private func makeRun(
        _ purpose: DefinitionRun.Purpose, _ survey: Survey, _ dates: DateResolver, _ options: ImportOptions,
        _ sink: any RecordSink, name: String, exportedAt: Instant? = nil, memory: ImportMemory? = nil
    ) -> DefinitionRun {
        let run = DefinitionRun(
            purpose == .records ? definition.settled(survey) : definition, binder: binder, purpose: purpose,
            survey: survey, dates: dates, options: options,
            exportedAt: exportedAt, sink: sink, memory: memory)
        run.usesRecipes = !options.readsByRules
        run.nameContext = FileNameContext.values(of: name, definition)
        run.setContext(run.nameContext)
        return run
    }

    /// Hands a run all records of an input, and counts them.
    private static func feed(
        _ input: any InputSource, _ sample: InputSample, _ run: DefinitionRun, _ options: ImportOptions
    ) throws(InputError) -> Int {
        (run.dialect, run.encoding, run.source) = (sample.dialect, sample.encoding, input)
        var reader = DelimitedReader(dialect: sample.dialect, encoding: sample.encoding)
        if SplitFeed.suits(input, reader, sample.encoding, options) {
            return try SplitFeed.read(input, run, reader, options)
        }
        if let guess = run.sink.guess, guess.hasLines {
            guess.feed(run, &reader)
            return reader.recordCount
        }
        let stream = try input.open()
        // One byte more than a small input has, so that it is read at once.
        let size = min(64 * 1024, max(4096, input.byteCount + 1))
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: size, alignment: 64)
        defer { buffer.deallocate() }
        while true {
            let count = try stream.read(into: buffer)
            let chunk = UnsafeRawBufferPointer(rebasing: buffer[0..<count])
            reader.feed(chunk, isLast: count == 0) { (record: borrowing RecordView) in run.take(record) }
            if count == 0 { return reader.recordCount }
        }
    }
}

/// Takes everything and keeps nothing.
final class NullSink: RecordSink {
    func accept(_ records: ArraySlice<Record>, from units: [SourceUnit], warnings: [Finding]) {}
    func acceptRows(_ rows: [TableRow], from unit: SourceUnit, warnings: [Finding]) {}
    func reject(_ finding: Finding, from units: [SourceUnit]) {}
    func mark(_ unit: SourceUnit, _ outcome: Outcome, code: String) {}
    func warn(_ finding: Finding, line: Int?) {}
}
