import Delimited
import Digests
import Markup
import OpenAlloc

/// The second pass: every aggregate becomes one unit, and every unit goes to the sink once.
/// One reading owns it and nothing re-enters it, so its accesses need no check at run time.
final class OFXReading: AggregateHandler {
    @exclusivity(unchecked) private var mapper: OFXMapper
    private let sink: any RecordSink
    private let input: MarkupInput
    private let names: NameTable
    private let encoding: MarkupEncoding
    @exclusivity(unchecked) private var envelope: OFXEnvelope
    @exclusivity(unchecked) private var envelopePath: [ElementName]?
    @exclusivity(unchecked) private var envelopeStatement: Int?
    @exclusivity(unchecked) private var statements = 0
    @exclusivity(unchecked) private var opening: ElementName?
    private var log = MarkupIssueLog()
    /// What statements of one account have in common; nil where there is one of each.
    private var repeats: OFXRepeats?
    private var reportsTruncation = true
    /// Whether the end of the file is missing: it ends inside a tag, or inside an element that it should have closed.
    private var isCut = false
    /// Whether an outermost element, but for the sign-on's, was closed by its own tag.
    private var isEnded = false
    /// What was read last, of what is gathered whole.
    @exclusivity(unchecked) private var lastRole = OFXName.Role.none
    /// Whether there was a row that names a security.
    @exclusivity(unchecked) private var hasSecurities = false
    /// Whether reading stopped before the end.
    private var hasStopped = false
    /// Whether an aggregate was rejected because the file ends or breaks inside it.
    private var hasCutAggregate = false
    /// The short road; nil where rows refer to each other.
    private let lane: OFXRowLane?
    /// The same without counting references for each row.
    private let quickLane: Unmanaged<OFXRowLane>?
    /// Whether the list at hand is one whose rows may take it.
    @exclusivity(unchecked) private var mayTakeRows = false
    /// Whether rows of a class that was met here may take it from now on.
    @exclusivity(unchecked) var mayLearn = true
    /// The answer at hand that is not read, and those that were told of.
    @exclusivity(unchecked) private var unread: (name: ElementName, response: OFXResponse)?
    @exclusivity(unchecked) private var told: Set<String> = []
    /// What the position at hand stands in.
    @exclusivity(unchecked) private var containers: [ElementName] = []
    /// Units that are no elements of `OFXName.chosen`, less such elements that are no units.
    @exclusivity(unchecked) private var otherUnits = 0
    /// Whether a mapping went by what all trades of the file come to.
    var asksOptionUnits: Bool { mapper.asksOptionUnits }

    init(mapper: OFXMapper, sink: any RecordSink, input: MarkupInput, names: NameTable, encoding: MarkupEncoding) {
        let numbers = mapper.facts.numbers
        repeats = mapper.facts.repeatsAccounts ? OFXRepeats() : nil
        let isPlain = !mapper.hasReferences && repeats == nil && (numbers.provesPoint || !numbers.provesComma)
        lane = isPlain ? OFXRowLane(sink: sink, dates: mapper.dates, byteCount: input.input.byteCount) : nil
        quickLane = lane.map { .passUnretained($0) }
        self.mapper = mapper
        self.sink = sink
        self.input = input
        self.names = names
        self.encoding = encoding
        envelope = OFXEnvelope(mapper.facts, input, encoding)
    }

    /// Goes by other statements from now on; rows of the one at hand were not made yet.
    func use(_ statements: [OFXStatement]) {
        mapper.use(statements)
        envelope.use(statements)
        envelopePath = nil
    }

    func header(_ header: OFXHeader, at position: MarkupPosition) {}
    func text(_ name: ElementName, _ text: Span<UInt8>) {}
    func issue(_ issue: MarkupIssue) {
        // Nobody knows what the tag would have been.
        if issue.kind == .partialTag { isCut = true }
        log.take(issue)
    }

    func enter(_ name: ElementName, attributes: borrowing MarkupAttributes, at position: MarkupPosition) {
        mayTakeRows = false
        lastRole = .none
        containers.append(name)
        guard opening == nil else { return }
        guard OFXName.statements.contains(name) else { return note(other: name, at: position) }
        lane?.settle()
        opening = name
        mapper.statement = statements
        statements += 1
        otherUnits += 1
        withTag(name, at: position) { sink.mark($0, .section, code: "") }
        envelopePath = nil
    }

    /// The opening tag as a unit.
    private func withTag(_ name: ElementName, at position: MarkupPosition, _ body: (SourceUnit) -> Void) {
        let tag = position.offset..<position.offset + (names.text(name).utf8.count + 2) * (encoding == .utf8 ? 1 : 2)
        input.withRaw(tag, encoding) { body(unit(position, $0)) }
    }

    /// What a server answers besides statements that are read: a unit of its own, and a word about it.
    private func note(other name: ElementName, at position: MarkupPosition) {
        guard unread == nil, OFXResponse.maybe(names.text(name)) else { return }
        let tag = names.text(name).uppercased()
        guard let response = OFXResponse.named(tag) else {
            guard OFXResponse.isStatement(tag) else { return }
            setEnvelope(containers)
            otherUnits += 1
            return withTag(name, at: position) { sink.reject(OFXResponse.unknown(tag), from: [$0]) }
        }
        lane?.settle()
        unread = (name, response)
        otherUnits += 1
        withTag(name, at: position) { sink.mark($0, .skipped, code: response.code) }
        if let warning = response.warning(tag), told.insert(tag).inserted { sink.warn(warning, line: position.line) }
    }

    func leave(_ name: ElementName, closing: MarkupClosing, endOffset: Int) {
        mayTakeRows = false
        let isOutermost = containers.count == 1
        if closing == .truncated, name != OFXName.ofx || isWithoutEnd { isCut = true }
        // What closes no element at all is whole where it ends with a balance or a security.
        if closing == .implied, isOutermost, lastRole != .balance, lastRole != .security { isCut = true }
        let isTold = isOutermost || name == OFXName.ofx || OFXName.lists.contains(name)
        if isTold, isCut || closing == .truncated { tellOfCut(names.text(name)) }
        if isOutermost, closing == .explicit, names.text(name).uppercased() != "SIGNONMSGSRSV1" { isEnded = true }
        _ = containers.popLast()
        if name == unread?.name { unread = nil }
        if name == opening {
            mapper.statement = nil
            opening = nil
        }
    }

    /// Whether more than the last tag is missing, which some programs forget: there is no statement, or securities that
    /// rows name are not there.
    private var isWithoutEnd: Bool {
        hasNothing || hasSecurities && mapper.facts.securities.entries.isEmpty
    }

    /// Whether there is neither a statement nor an answer that is told of.
    private var hasNothing: Bool { statements == 0 && told.isEmpty }

    /// Says once that the end of the file is missing.
    private func tellOfCut(_ tag: String) {
        guard reportsTruncation else { return }
        reportsTruncation = false
        var finding = Finding(
            .markupTruncated, column: tag, reason: "the file ends inside this element; what is whole was read",
            suggestion: "Download the file again: there may be more.")
        finding.isOfCutInput = isCut
        sink.warn(finding, line: nil)
    }

    var takesRows: Bool { lane != nil }
    var digests: DigestSteps { lane?.digests ?? DigestSteps() }

    func row(_ row: MarkupRow) -> Bool {
        guard mayTakeRows, let quickLane, let statement = mapper.statement else { return false }
        // `lane` keeps it for as long as the reading lives.
        return quickLane._withUnsafeGuaranteedRef { $0.take(row, statement: statement) }
    }

    func aggregate(_ aggregate: MarkupAggregate, path: [ElementName]) {
        let start = aggregate.position
        lastRole = OFXName.role(aggregate.name)
        if lastRole == .trade || lastRole == .position { hasSecurities = true }
        lane?.settle()
        switch aggregate.name {
        case OFXName.sonrs, OFXName.status:
            guard Self.holdsRows(aggregate) else {
                otherUnits -= 1
                return status(aggregate)
            }
            setEnvelope(path)
            return reject(swallower: aggregate)
        case OFXName.curdef, OFXLeaf.dtasof:
            otherUnits -= 1
            return
        default: break
        }
        // Leaves of lists (DTSTART, DTEND) are no units, but an amount is one.
        let isKnown = OFXName.role(aggregate.name) != .none
        if !isKnown, !isAmount(aggregate), aggregate.count == 1, path.last.map({ OFXName.lists.contains($0) }) == true {
            otherUnits -= 1
            return
        }
        setEnvelope(path)
        let range = start.offset..<max(start.offset, aggregate.endOffset)
        input.withRaw(range, encoding) { raw in settle(aggregate, path, unit(start, raw.trimmed())) }
    }

    /// Whether what says how the download went holds transactions or positions: then its own close tag is missing.
    static func holdsRows(_ aggregate: MarkupAggregate) -> Bool {
        // Both may hold a status, and a date says nothing of a statement.
        let own = [OFXName.status, OFXName.sonrs, OFXLeaf.dtasof]
        return (1..<max(1, aggregate.count)).contains { index in
            let name = aggregate[index].name
            return OFXName.role(name) != .none && !own.contains(name)
        }
    }

    private func isAmount(_ aggregate: MarkupAggregate) -> Bool {
        aggregate.name == OFXLeaf.trnamt || aggregate.name == OFXLeaf.total
    }

    private func reject(swallower aggregate: MarkupAggregate) {
        let start = aggregate.position
        let range = start.offset..<max(start.offset, aggregate.endOffset)
        input.withRaw(range, encoding) { raw in
            sink.reject(
                Finding(
                    .markupMalformed, column: names.text(aggregate.name),
                    reason: "a close tag is missing, so that rows stand inside this element",
                    suggestion: "Put the close tag before the statement, or download the file again."),
                from: [unit(start, raw.trimmed())])
        }
    }

    private func unit(_ position: MarkupPosition, _ raw: ByteView) -> SourceUnit {
        SourceUnit(line: position.line, column: position.column, byteOffset: position.offset, raw: raw)
    }

    private func settle(_ aggregate: MarkupAggregate, _ path: [ElementName], _ unit: SourceUnit) {
        var tag: String { names.text(aggregate.name) }
        if aggregate.isTruncated {
            hasCutAggregate = true
            return sink.reject(
                Finding(
                    .markupTruncated, column: tag, reason: "the file ends inside this element",
                    suggestion: "Download the file again."),
                from: [unit])
        }
        if aggregate.isIncomplete {
            return sink.reject(
                Finding(.markupMalformed, column: tag, reason: "the element is larger than any that a statement has"),
                from: [unit])
        }
        if let response = unread?.response, response.holdsNothing {
            return sink.mark(unit, .skipped, code: response.code)
        }
        if path.contains(OFXName.banktranlistp) { return sink.mark(unit, .skipped, code: "transaction.pending") }
        if path.last == OFXName.invoolist { return sink.mark(unit, .skipped, code: "order.open") }
        if isAmount(aggregate) {
            return sink.reject(
                Finding(
                    .markupMalformed, column: tag, value: aggregate.root.text,
                    reason: "an amount outside of a transaction: the transaction's open tag is missing",
                    suggestion: "Put the tag where it belongs, or download the file again."), from: [unit])
        }
        if OFXName.role(aggregate.name) == .none {
            return sink.reject(
                Finding(
                    .actionUnknown, column: tag, value: tag,
                    reason: "no such element of OFX is known in \(names.text(path.last ?? .none))",
                    suggestion: "Report it, with an example; the rest of the file was read."), from: [unit])
        }
        if let (element, reason) = Self.damage(in: aggregate) {
            return sink.reject(
                Finding(
                    .markupMalformed, column: names.text(element), reason: reason,
                    suggestion: "Put the tags where they belong, or download the file again."), from: [unit])
        }
        if let statement = mapper.statement, Self.isTransaction(aggregate.name),
            repeats?.take(unit.raw.array, in: statement, of: mapper.facts.statements) == true
        {
            return sink.mark(unit, .skipped, code: "row.repeated")
        }
        mayTakeRows = true
        do throws(Finding) {
            switch try mapper.map(aggregate) {
            case .accepted:
                sink.accept(mapper.records[0..<mapper.count], from: [unit], warnings: mapper.warnings)
                if mayLearn { lane?.learn(aggregate) { example($0) } }
            case .skipped(let code):
                sink.mark(unit, .skipped, code: code)
                // What is owed counts, be the cash a fund's or not.
                if aggregate.name == OFXName.invbal {
                    for warning in mapper.warnings { sink.warn(warning, line: unit.line) }
                }
            }
        } catch {
            sink.reject(error, from: [unit])
        }
    }

    private static func isTransaction(_ name: ElementName) -> Bool {
        let role = OFXName.role(name)
        return role == .trade || role == .other || name == OFXName.stmttrn
    }

    /// What shows that tags of a transaction or a position are missing, so that it says what it does not mean: another one
    /// stands in it, or what it has once stands in it twice, with two texts.
    static func damage(in aggregate: MarkupAggregate) -> (element: ElementName, reason: String)? {
        guard isTransaction(aggregate.name) || OFXName.role(aggregate.name) == .position else { return nil }
        // INVBANKTRAN is around one transaction of a bank.
        var hasBankRow = aggregate.name == OFXName.stmttrn
        for place in 1..<max(1, aggregate.count) {
            let name = aggregate[place].name
            let isBankRow = name == OFXName.stmttrn
            if isTransaction(name) && (!isBankRow || hasBankRow) || OFXName.role(name) == .position {
                return (name, "another row stands inside this one, as where the tags between two rows are missing")
            }
            hasBankRow = hasBankRow || isBankRow
            guard OFXName.single.contains(name) else { continue }
            let text = aggregate.text(at: place)
            if name == OFXLeaf.fitid || name == OFXLeaf.uniqueid,
                text.contains(where: { $0 == UInt8(ascii: "<") || $0 == UInt8(ascii: ">") })
            {
                return (name, "no id has a mark of a tag (< or >): the next tag has lost its own")
            }
            let first = aggregate.first(name)
            if first >= 0, first != place, !text.isEmpty, !text.elementsEqual(aggregate.text(at: first)) {
                return (name, "it stands here twice with two values, as where the tags between two rows are missing")
            }
        }
        return nil
    }

    /// What the mapper makes of a made-up row; nil where it is not one plain record.
    private func example(_ aggregate: MarkupAggregate) -> OFXMapped? {
        guard let verdict = try? mapper.map(aggregate), case .accepted = verdict, mapper.count == 1,
            mapper.warnings.isEmpty, mapper.records[0].priceUnit == .share, !mapper.records[0].isReversal
        else { return nil }
        return OFXMapped(record: mapper.records[0], asksWords: mapper.asksWords)
    }

    /// What a server says of an error stands where the statement would.
    private func status(_ aggregate: MarkupAggregate) {
        func text(_ name: ElementName) -> String { aggregate.root.descendant(name)?.text ?? "" }
        guard text(OFXLeaf.severity).uppercased() == "ERROR" else { return }
        let message = text(OFXLeaf.message)
        sink.warn(
            Finding(
                .valueInvalid, column: "STATUS", value: text(OFXLeaf.code),
                reason: "the server answered with an error" + (message.isEmpty ? "" : ": \(message)"),
                suggestion: "Download the statement again."), line: aggregate.position.line)
    }

    private func setEnvelope(_ path: [ElementName]) {
        if path == envelopePath, mapper.statement == envelopeStatement { return }
        envelopePath = path
        envelopeStatement = mapper.statement
        sink.setEnvelope(envelope.around(path, names, statement: mapper.statement))
    }

    /// Reports what was read around, and how many units there were.
    ///
    /// - Parameter aggregates: how many chosen elements there were.
    func finish(aggregates: Int) {
        lane?.settle()
        // Nothing is open where a file without an outermost element is cut off behind its sign-on.
        if hasNothing, !isEnded, !hasStopped, !hasCutAggregate {
            isCut = true
            tellOfCut("OFX")
        }
        log.report(to: sink)
        sink.hasRead(units: aggregates + otherUnits)
    }

    /// Reading stopped before the end.
    func stopped(_ error: MarkupError) {
        hasStopped = true
        lane?.settle()
        otherUnits += MarkupRest.report(error, isTold: hasCutAggregate, of: input, encoding, sink)
    }

    /// Hands over what was read, however far that was; nothing follows.
    func end() {
        lane?.settle()
        lane?.giveUp()
    }

    /// Forgets what was read.
    func giveUp() { lane?.giveUp() }
}
