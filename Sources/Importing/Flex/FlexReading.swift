import Delimited
import Digests
import Markup
import OpenAlloc

/// The second pass: every row becomes one unit, and every unit goes to the sink once.
/// One reading owns it and nothing re-enters it, so its accesses need no check at run time.
final class FlexReading: FlexPass {
    private enum Verdict {
        case accepted
        case skipped(String)
        case rejected(Finding)
    }

    @exclusivity(unchecked) private var mapper: FlexMapper
    private let sink: any RecordSink
    private let input: MarkupInput
    private let encoding: MarkupEncoding
    @exclusivity(unchecked) private var verdict = Verdict.skipped("")
    /// Whether the row is a booking: what it is may hang on its units, which are no part of a class.
    @exclusivity(unchecked) private var isBooking = false
    @exclusivity(unchecked) private var isUnclassed = false
    @exclusivity(unchecked) private var isInPence = false
    private var log = MarkupIssueLog()
    @exclusivity(unchecked) private var envelopePath: [FlexContainer]?
    private var answers: [String: String] = [:]
    /// What was passed over.
    private var gaps: FlexGaps
    @exclusivity(unchecked) private var section = ""
    /// Whether a row was rejected because the file ends or breaks inside it.
    private var hasCutRow = false
    /// Whether it was said that a close tag is missing.
    private var isUnfinished = false

    let takesRows: Bool
    var digests: DigestSteps { rowLane.digests }
    /// The short road.
    private let rowLane: FlexRowLane
    @exclusivity(unchecked) private var statements = 0

    init(
        mapper: FlexMapper, sink: any RecordSink, input: MarkupInput, encoding: MarkupEncoding, takesRows: Bool = true
    ) {
        self.takesRows = takesRows
        gaps = FlexGaps(mapper.facts)
        self.mapper = mapper
        self.sink = sink
        self.input = input
        self.encoding = encoding
        rowLane = FlexRowLane(sink: sink, dates: mapper.dates, seen: mapper.seen, byteCount: input.input.byteCount)
    }

    /// A row is one tag: where the file ends inside a tag, it ends inside a row.
    func issue(_ issue: MarkupIssue, path: [FlexContainer]) {
        guard issue.kind == .partialTag else { return log.take(issue) }
        rowLane.settle()
        setEnvelope(path)
        hasCutRow = true
        let position = issue.position
        let start = min(position.offset, input.input.byteCount)
        input.withRaw(start..<input.input.byteCount, encoding) { raw in
            sink.reject(
                Finding(
                    .markupTruncated, reason: "the file ends inside this element", suggestion: "Download it again."),
                from: [SourceUnit(line: position.line, column: position.column, byteOffset: start, raw: raw)])
        }
    }

    func lost(_ range: Range<Int>, after position: MarkupPosition, path: [FlexContainer]) {
        rowLane.settle()
        setEnvelope(path)
        FlexLostText(input: input, encoding: encoding).withUnit(range, after: position) { unit in
            sink.reject(path.isEmpty ? FlexLostText.root : FlexLostText.row, from: [unit])
        }
    }

    func unfinished(_ element: String, isCut: Bool) {
        guard !isUnfinished else { return }
        isUnfinished = true
        var finding = Finding(
            .markupTruncated, column: element, reason: "the close tag is missing; what is whole was read",
            suggestion: "Download the file again: there may be more.")
        // Before the first statement nothing else tells that all is missing.
        finding.isOfCutInput = isCut || statements == 0
        sink.warn(finding, line: nil)
    }

    func answer(_ element: String, _ text: String) { answers[element] = text }

    func statement(_ row: inout FlexRow, at position: MarkupPosition) {
        rowLane.settle()
        mapper.statementAccount = row.with(.accountId) { $0.array }
        mapper.statement = statements
        statements += 1
        let tag = startTag(at: position.offset)
        ByteView.with(tag) {
            sink.mark(
                SourceUnit(line: position.line, column: position.column, byteOffset: position.offset, raw: $0),
                .section, code: "")
        }
        envelopePath = nil
    }

    func row(_ row: inout FlexRow, section: String) {
        self.section = section
        swap(&mapper.row, &row)
        defer { swap(&mapper.row, &row) }
        isBooking = mapper.row.says(.transactionType, "BookTrade")
        isUnclassed = mapper.row.isUnclassed
        isInPence = mapper.row.isInPence
        do throws(Finding) {
            switch try mapper.map(section: section) {
            case .accepted: verdict = .accepted
            case .skipped(let code): verdict = .skipped(code)
            }
        } catch {
            verdict = .rejected(error)
        }
    }

    func ended(_ position: MarkupPosition, endOffset: Int, path: [FlexContainer], isTruncated: Bool) {
        rowLane.settle()
        setEnvelope(path)
        input.withRaw(position.offset..<max(endOffset, position.offset), encoding) { raw in
            let unit = SourceUnit(
                line: position.line, column: position.column, byteOffset: position.offset, raw: raw.trimmed())
            if isTruncated {
                hasCutRow = true
                return sink.reject(
                    Finding(
                        .markupTruncated, reason: "the file ends or breaks inside this element",
                        suggestion: "Download it again."),
                    from: [unit])
            }
            switch verdict {
            case .accepted:
                if mapper.isOfFunds { gaps.noteFunds(line: position.line) }
                if isUnclassed { gaps.noteUnclassed(line: position.line) }
                if mapper.isOfCost { gaps.noteCost(line: position.line) }
                if mapper.isOfLostSettlement { gaps.noteLostSettlement(line: position.line) }
                sink.accept(mapper.records[0..<mapper.count], from: [unit], warnings: [])
            case .skipped(let code):
                gaps.note(code, section, line: position.line)
                sink.mark(unit, .skipped, code: code)
            case .rejected(let finding): sink.reject(finding, from: [unit])
            }
        }
    }

    // MARK: the short road

    func meet(_ shape: FlexShape) { rowLane.meet(shape) }

    func take(_ row: MarkupRow) -> Bool { rowLane.take(row, statement: statements) }

    func learn(_ row: MarkupRow) {
        guard case .accepted = verdict, mapper.count == 1, !isBooking, !isInPence, !mapper.isOfCost else { return }
        // Which movements of cash count depends on their ids, which are no part of a class.
        if mapper.records[0].kind == .cash, !mapper.facts.transfers.isEmpty { return }
        rowLane.learn(row) { example($0) }
    }

    /// What the mapper makes of a made-up row; nil where it is not one plain record.
    private func example(_ row: FlexRow) -> Record? {
        mapper.row = row
        // The section says nothing of rows that take the short road.
        guard let verdict = try? mapper.mapRow(section: ""), case .accepted = verdict, mapper.count == 1,
            mapper.records[0].priceUnit == .share, !mapper.records[0].isReversal,
            !mapper.records[0].isMarkedToMarket || !row.isBlank(.tradePrice)
        else { return nil }
        return mapper.records[0]
    }

    // MARK: envelope

    private func setEnvelope(_ path: [FlexContainer]) {
        if path == envelopePath { return }
        envelopePath = path
        sink.setEnvelope(
            MarkupEnvelope(
                path.map { container in
                    MarkupEnvelope.Level(
                        id: container.offset, opening: startTag(at: container.offset) + [0x0A],
                        closing: Array("</\(container.name)>\n".utf8))
                }))
    }

    /// The tag that starts at an offset, to its `>` outside of quotes.
    private func startTag(at offset: Int) -> [UInt8] {
        let bytes = input.raw(offset..<offset + 4096, encoding)
        var quote: UInt8?
        for (place, byte) in bytes.enumerated() {
            if let open = quote {
                if byte == open { quote = nil }
            } else if byte == 0x22 || byte == 0x27 {
                quote = byte
            } else if byte == 0x3E {
                return Array(bytes[...place])
            }
        }
        return bytes
    }

    // MARK: the end

    /// Reading stopped before the end; how many units that made.
    func stopped(_ error: MarkupError) -> Int {
        rowLane.settle()
        return MarkupRest.report(error, isTold: hasCutRow, of: input, encoding, sink)
    }

    /// Hands over what was read, however far that was; nothing follows.
    func end() {
        rowLane.settle()
        rowLane.giveUp()
    }

    /// Reports what was read around, and what a server says instead of a report.
    func finish() {
        rowLane.settle()
        log.report(to: sink)
        gaps.report(to: sink)
        guard !answers.isEmpty else { return }
        let message = answers["ErrorMessage"] ?? ""
        if let code = answers["ErrorCode"] {
            sink.warn(
                Finding(
                    .valueInvalid, column: "ErrorCode", value: code,
                    reason: "this is no report but IBKR's answer that it could not be made"
                        + (message.isEmpty ? "" : ": \(message)"),
                    suggestion: "Run the Flex query again."), line: nil)
        } else if answers["ReferenceCode"] != nil {
            sink.warn(
                Finding(
                    .valueInvalid, column: "ReferenceCode",
                    reason: "this is no report but the ticket with which to fetch it",
                    suggestion: "Fetch the report with the reference code, and convert that."), line: nil)
        }
    }
}
