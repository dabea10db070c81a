/// How a source is to be read: found by looking through it once or twice without delivering anything, so that nothing
/// delivered must ever be taken back.
public struct MarkupPlan: Sendable {
    /// What the source is.
    public var kind: MarkupKind
    /// The encoding that its bytes are in: strict UTF-8 if they are that, whatever is declared, else UTF-16 by its
    /// mark, else Windows-1252.
    public var encoding: MarkupEncoding
    /// Whether libxml2 reads it; else the tolerant reader does.
    public var usesXML: Bool
    /// Where the XML breaks, for markup that says it is XML and is not well-formed.
    public var breaksAt: MarkupError?
    var skip: Int
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
        let encoding = found.encoding ?? (validator.isValid ? .utf8 : .windows1252)
        var plan = MarkupPlan(kind: kind, encoding: encoding, usesXML: false, skip: found.skip)
        switch kind {
        case .none, .html, .ofxSGML: return plan
        case .ofxXML, .flexXML, .xml: plan.usesXML = true
        }
        if verify {
            let reader = try XMLReader(stack: nil, encoding: encoding, skipped: found.skip, limits: limits)
            plan.breaksAt = try pump(&source, plan) {
                reader.feed($0, isFinal: $1); return reader.error
            }
            // Depth is a bound for both readers, and not a matter of form.
            if case .tooDeep(let position, let limit) = plan.breaksAt {
                throw .tooDeep(at: position, limit: limit)
            }
            plan.usesXML = plan.breaksAt == nil || !kind.isOFX
        }
        return plan
    }

    /// Reads a source as planned. `names` must be made for the plan's kind (`NameTable(ofx: plan.kind.isOFX)`).
    ///
    /// The events are balanced also when an error is thrown; the elements then open end as truncated.
    public static func read(
        _ source: inout some MarkupSource, plan: MarkupPlan, names: NameTable, handler: some MarkupHandler,
        limits: MarkupLimits = MarkupLimits()
    ) throws(MarkupError) {
        if plan.kind == .none || plan.kind == .html { throw .notMarkup }
        if let broken = plan.breaksAt, plan.kind.isOFX { handler.issue(broken.asIssue) }
        if plan.usesXML {
            let stack = ElementStack(handler: handler, names: names, census: nil, limits: limits)
            let reader = try XMLReader(stack: stack, encoding: plan.encoding, skipped: plan.skip, limits: limits)
            let failure = try pump(&source, plan) {
                reader.feed($0, isFinal: $1); return reader.error
            }
            if let failure = failure {
                stack.finish(at: .start)
                throw failure
            }
        } else {
            let census = try census(&source, plan, names, limits)
            let stack = ElementStack(handler: handler, names: names, census: census, limits: limits)
            var lexer = MarkupLexer(
                sink: stack, encoding: plan.encoding, skipped: plan.skip, unterminatedFrom: census.unterminatedFrom,
                limits: limits)
            let failure = try pump(&source, plan) {
                lexer.feed($0, isFinal: $1); return stack.error
            }
            if let failure = failure {
                stack.finish(at: .start)
                throw failure
            }
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

    private static func census(
        _ source: inout some MarkupSource, _ plan: MarkupPlan, _ names: NameTable, _ limits: MarkupLimits
    ) throws(MarkupError) -> TagCensus {
        var unterminated: Int?
        while true {
            let census = TagCensus(names: names, unterminatedFrom: unterminated)
            var lexer = MarkupLexer(
                sink: census, encoding: plan.encoding, skipped: plan.skip, unterminatedFrom: unterminated,
                limits: limits)
            _ = try pump(&source, plan) {
                lexer.feed($0, isFinal: $1); return nil
            }
            if unterminated != nil || census.unterminatedFrom == nil { return census }
            unterminated = census.unterminatedFrom
        }
    }

    /// Feeds the whole source as UTF-8, until the body gives an error.
    private static func pump(
        _ source: inout some MarkupSource, _ plan: MarkupPlan, _ body: ([UInt8], Bool) -> MarkupError?
    ) throws(MarkupError) -> MarkupError? {
        try source.rewind()
        var transcoder = Transcoder(encoding: plan.encoding, skip: plan.skip)
        while let chunk = try source.next() {
            var text: [UInt8] = []
            chunk.withUnsafeBufferPointer { transcoder.convert($0, into: &text) }
            if !text.isEmpty, let error = body(text, false) { return error }
        }
        return body([], true)
    }
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
        case .notMarkup, .source, .parserUnavailable:
            MarkupIssue(.notWellFormed, at: .start, detail: "\(self)")
        }
    }
}
