/// How a source is to be read: found by looking through it without delivering anything that must be taken back.
public struct MarkupPlan: Sendable {
    /// What the source is.
    public var kind: MarkupKind
    /// The encoding that its bytes are in: strict UTF-8 if they are that, whatever is declared, else UTF-16 by its
    /// mark, else the code page that it declares, else Windows-1252.
    public var encoding: MarkupEncoding
    /// Whether libxml2 vouches for it; else the tolerant reader takes what there is.
    public var usesXML: Bool
    /// Where the XML breaks, for markup that says it is XML and is not well-formed.
    public var breaksAt: MarkupError?
    var skip: Int
    /// libxml2 found it well-formed and nothing in it but elements and text, and the tokenizer found as many elements at
    /// the same depths: it may deliver them, being several times as fast.
    var isPlain = false
    /// The tokenizer got through without knowing how the tags balance.
    var isRegular = false
    /// Whether `readOnTrust` would read it: OFX in UTF-8, and either plain or regular.
    public var isTrusted: Bool { kind.isOFX && encoding == .utf8 && (isPlain || isRegular) }
}

/// Markup from bytes to events.
public enum MarkupDocument {
    /// Looks through a source: kind, encoding, and whether what says that it is XML is well-formed.
    ///
    /// - Parameter verify: whether XML is checked to its end; without, `read` may throw in the middle.
    public static func plan(
        _ source: inout some MarkupSource, verify: Bool = true, limits: MarkupLimits = MarkupLimits()
    ) throws(MarkupError) -> MarkupPlan {
        try source.rewind()
        var prefix: [UInt8] = []
        var validator = UTF8Validator()
        var mark: (encoding: MarkupEncoding?, skip: Int)?
        while let chunk = try source.next() {
            if prefix.count < MarkupSniffer.prefixLength { prefix.append(contentsOf: chunk) }
            if mark == nil, prefix.count >= 4 { mark = prefix.withUnsafeBufferPointer { MarkupEncoding.mark($0) } }
            if mark?.encoding != nil || validator.hasFailed, prefix.count >= MarkupSniffer.prefixLength { break }
            chunk.withUnsafeBufferPointer { validator.feed($0) }
        }
        let found = mark ?? prefix.withUnsafeBufferPointer { MarkupEncoding.mark($0) }
        let kind = MarkupSniffer.kind(of: prefix)
        let encoding =
            found.encoding ?? (validator.isValid ? .utf8 : MarkupSniffer.page(in: prefix))
        var plan = MarkupPlan(kind: kind, encoding: encoding, usesXML: false, skip: found.skip)
        switch kind {
        case .none, .html, .ofxSGML: return plan
        case .ofxXML, .flexXML, .xml: plan.usesXML = true
        }
        if verify {
            var any: any MarkupSource = source
            let checker = try XMLChecker(limits: limits)
            try MarkupPass.pump(&any, plan) {
                checker.feed($0, isFinal: $1)
                return checker.failure == nil
            }
            plan.breaksAt = try MarkupPass.error(of: checker, &any, plan)
            // Depth is a bound for both readers, and not a matter of form.
            if case .tooDeep(let position, let limit) = plan.breaksAt {
                throw .tooDeep(at: position, limit: limit)
            }
            plan.usesXML = plan.breaksAt == nil || !kind.isOFX
        }
        return plan
    }

    /// Looks through OFX and reads it in the same pass. `handler` makes a reader; where the source turns out to be other
    /// than it seemed, it is asked for a fresh one, and the last one made has met the whole source. Of positions only the
    /// offsets are told.
    public static func plan(
        _ source: inout some MarkupSource, limits: MarkupLimits = MarkupLimits(), reading handler: () -> AggregateReader
    ) throws(MarkupError) -> MarkupPlan {
        var any: any MarkupSource = source
        return try MarkupPass.plan(&any, limits, handler)
    }

    /// Reads OFX from its first byte to its last on trust: that it is UTF-8, well-formed where it says that it is XML,
    /// and regular where it does not. Then everything was delivered, and as `read` would have after `plan`.
    ///
    /// - Returns: the plan that `plan` would have made; nil when it is not so, and what was delivered is worth nothing.
    public static func readOnTrust(
        _ source: inout some MarkupSource, names: NameTable, handler: AggregateReader,
        limits: MarkupLimits = MarkupLimits()
    ) throws(MarkupError) -> MarkupPlan? {
        var any: any MarkupSource = source
        return try MarkupPass.readOnTrust(&any, names, handler, limits)
    }

    /// Looks through markup that is not OFX and reads it in the same pass, on trust that it is UTF-8. `handler` makes a
    /// reader; where the source turns out to be in another encoding it is asked for a fresh one, and the last one made has
    /// met the whole source, up to what stopped it.
    ///
    /// - Returns: the plan without a verdict on its form, and what stopped the reading.
    public static func plan<Handler: MarkupHandler>(
        _ source: inout some MarkupSource, limits: MarkupLimits = MarkupLimits(),
        reading handler: (NameTable) -> Handler
    ) throws(MarkupError) -> (plan: MarkupPlan, error: MarkupError?) {
        var any: any MarkupSource = source
        if let found = try MarkupPass.readOnTrust(&any, limits, handler) { return found }
        let found = try plan(&source, verify: false, limits: limits)
        let names = NameTable(ofx: false)
        do throws(MarkupError) {
            try read(&source, plan: found, names: names, handler: handler(names), limits: limits)
            return (found, nil)
        } catch {
            return (found, error)
        }
    }

    /// Reads a source as planned. `names` must be made for the plan's kind (`NameTable(ofx: plan.kind.isOFX)`).
    ///
    /// The events are balanced also when an error is thrown; the elements then open end as truncated.
    public static func read(
        _ source: inout some MarkupSource, plan: MarkupPlan, names: NameTable, handler: some MarkupHandler,
        limits: MarkupLimits = MarkupLimits()
    ) throws(MarkupError) {
        var any: any MarkupSource = source
        if let reader = handler as? AggregateReader {
            try MarkupPass.read(&any, plan, names, reader, limits)
        } else {
            try MarkupPass.read(&any, plan, names, HandlerBox(handler), limits)
        }
    }

    /// Plans and reads bytes in memory; the plan that was made.
    @discardableResult
    public static func read(
        _ bytes: [UInt8], names: NameTable? = nil, handler: some MarkupHandler, limits: MarkupLimits = MarkupLimits()
    ) throws(MarkupError) -> MarkupPlan {
        var source = BytesSource(bytes)
        let plan = try plan(&source, limits: limits)
        try read(&source, plan: plan, names: names ?? NameTable(ofx: plan.kind.isOFX), handler: handler, limits: limits)
        return plan
    }
}

/// Any handler behind one type, so that the readers exist in two kinds only and the compiler knows both.
final class HandlerBox: MarkupHandler {
    private let handler: any MarkupHandler

    init(_ handler: any MarkupHandler) { self.handler = handler }

    var wantsLines: Bool { handler.wantsLines }
    var lane: RowLane? { handler.lane }
    func row(_ row: MarkupRow) -> Bool { handler.row(row) }
    func header(_ header: OFXHeader, at position: MarkupPosition) { handler.header(header, at: position) }
    func start(_ name: ElementName, attributes: borrowing MarkupAttributes, at position: MarkupPosition) {
        handler.start(name, attributes: attributes, at: position)
    }
    func start(_ name: ElementName, at position: MarkupPosition) { handler.start(name, at: position) }
    func text(_ text: Span<UInt8>) { handler.text(text) }
    func end(_ name: ElementName, closing: MarkupClosing, endOffset: Int) {
        handler.end(name, closing: closing, endOffset: endOffset)
    }
    func issue(_ issue: MarkupIssue) { handler.issue(issue) }
}

extension MarkupError {
    /// Where and why XML broke, as an issue.
    public var asIssue: MarkupIssue {
        switch self {
        case .malformed(let position, _, let message): MarkupIssue(.notWellFormed, at: position, detail: message)
        case .declarations(let position): MarkupIssue(.notWellFormed, at: position, detail: "declarations are not read")
        case .tooDeep(let position, _): MarkupIssue(.notWellFormed, at: position, detail: "too deep")
        case .tooLong(let position, _): MarkupIssue(.notWellFormed, at: position, detail: "too long")
        case .tooManyNames(let position, _): MarkupIssue(.notWellFormed, at: position, detail: "too many names")
        case .notMarkup: MarkupIssue(.notWellFormed, at: .start, detail: "no markup that can be read")
        case .source, .parserUnavailable:
            MarkupIssue(.notWellFormed, at: .start, detail: "\(self)")
        }
    }
}
