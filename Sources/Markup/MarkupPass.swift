/// One way through a source, from its first byte to its last.
enum MarkupPass {
    /// How many bytes of a chunk are put behind what the one before has left, at first.
    static let joinedBytes = 4096

    static func locator(_ plan: MarkupPlan) -> Locator { Locator(encoding: plan.encoding, skipped: plan.skip) }

    /// Feeds the whole source as UTF-8, until the body wants no more.
    static func pump(
        _ source: inout any MarkupSource, _ plan: MarkupPlan, _ body: (UnsafeBufferPointer<UInt8>, Bool) -> Bool
    ) throws(MarkupError) {
        try source.rewind()
        var transcoder = Transcoder(encoding: plan.encoding, skip: plan.skip)
        var skip = plan.skip
        while let chunk = try source.next() {
            let goesOn: Bool
            if plan.encoding == .utf8 {
                let drop = min(skip, chunk.count)
                skip -= drop
                goesOn = chunk.withUnsafeBufferPointer {
                    drop == $0.count || body(UnsafeBufferPointer(rebasing: $0[drop...]), false)
                }
            } else {
                var text: [UInt8] = []
                chunk.withUnsafeBufferPointer { transcoder.convert($0, into: &text) }
                goesOn = text.isEmpty || text.withUnsafeBufferPointer { body($0, false) }
            }
            if !goesOn { return }
        }
        _ = body(UnsafeBufferPointer(start: nil, count: 0), true)
    }

    /// What makes the source no XML, and where: the line is looked for only when there is something to tell.
    static func error(
        of checker: XMLChecker, _ source: inout any MarkupSource, _ plan: MarkupPlan
    ) throws(MarkupError) -> MarkupError? {
        guard let failure = checker.failure else { return nil }
        var tracker = PositionTracker(encoding: plan.encoding, skipped: plan.skip)
        try pump(&source, plan) { bytes, _ in
            let left = failure.offset - tracker.streamOffset
            tracker.advance(UnsafeBufferPointer(rebasing: bytes.prefix(max(0, left))))
            return left > bytes.count
        }
        return failure.error.moved(to: tracker.position)
    }

    // MARK: - Reading

    static func read<Handler: MarkupHandler>(
        _ source: inout any MarkupSource, _ plan: MarkupPlan, _ names: NameTable, _ handler: Handler,
        _ limits: MarkupLimits
    ) throws(MarkupError) {
        if plan.kind == .none || plan.kind == .html { throw .notMarkup }
        if let broken = plan.breaksAt, plan.kind.isOFX { handler.issue(broken.asIssue) }
        if plan.usesXML, !plan.isPlain { return try readXML(&source, plan, names, handler, limits) }
        var balance = plan.usesXML ? ElementStack<Handler>.Balance.wellFormed : .unknown
        var unterminated: Int?
        if !plan.usesXML, !plan.isRegular {
            let census = try census(&source, plan, names, limits)
            unterminated = census.unterminatedFrom
            balance = .counted(census)
        }
        let stack = ElementStack(
            handler: handler, names: names, balance: balance, locator: locator(plan), limits: limits)
        var lexer = MarkupLexer(sink: stack, locator: stack.locator, unterminatedFrom: unterminated, limits: limits)
        try pump(&source, plan) {
            lexer.feed($0, isFinal: $1)
            return stack.wantsMore
        }
        // What the plan was made of is no longer there.
        if stack.needsCensus {
            stack.fail(.malformed(at: stack.locator.last, code: 0, message: "the source changed while it was read"))
        }
        if let failure = stack.error {
            stack.finish(at: stack.locator.offset)
            throw failure
        }
    }

    /// XML without a mark, as UTF-8, in one pass that also proves that it is; nil for what must be read in another way.
    static func readOnTrust<Handler: MarkupHandler>(
        _ source: inout any MarkupSource, _ limits: MarkupLimits, _ handler: (NameTable) -> Handler
    ) throws(MarkupError) -> (plan: MarkupPlan, error: MarkupError?)? {
        let (kind, mark, _) = try sniff(&source)
        guard mark.encoding == nil, mark.skip == 0, kind != .none, kind != .html, !kind.isOFX
        else { return nil }
        let plan = MarkupPlan(kind: kind, encoding: .utf8, usesXML: true, skip: 0)
        let names = NameTable(ofx: false)
        let stack = ElementStack(
            handler: handler(names), names: names, balance: .wellFormed, locator: locator(plan), limits: limits)
        let reader = try XMLReader(stack: stack, locator: stack.locator, limits: limits)
        var validator = UTF8Validator()
        try pump(&source, plan) { bytes, isFinal in
            validator.feed(bytes)
            // The encoding is proven to the end also where the elements are not.
            if reader.error == nil { reader.feed(bytes, isFinal: isFinal) }
            return !validator.hasFailed
        }
        guard validator.isValid else { return nil }
        guard let failure = reader.error else { return (plan, nil) }
        stack.finish(at: stack.locator.offset)
        return (plan, stack.tagLane == nil ? failure : try wholeError(&source, plan, limits) ?? failure)
    }

    /// What a source begins as, and its first bytes.
    private static func sniff(
        _ source: inout any MarkupSource
    ) throws(MarkupError) -> (kind: MarkupKind, mark: (encoding: MarkupEncoding?, skip: Int), prefix: [UInt8]) {
        try source.rewind()
        var prefix = try source.next() ?? []
        while prefix.count < MarkupSniffer.prefixLength, let chunk = try source.next() {
            prefix.append(contentsOf: chunk)
        }
        return (
            MarkupSniffer.kind(of: prefix), prefix.withUnsafeBufferPointer { MarkupEncoding.mark($0) },
            prefix
        )
    }

    private static func readXML<Handler: MarkupHandler>(
        _ source: inout any MarkupSource, _ plan: MarkupPlan, _ names: NameTable, _ handler: Handler,
        _ limits: MarkupLimits
    ) throws(MarkupError) {
        let stack = ElementStack(
            handler: handler, names: names, balance: .wellFormed, locator: locator(plan), limits: limits)
        let reader = try XMLReader(stack: stack, locator: stack.locator, limits: limits)
        try pump(&source, plan) {
            reader.feed($0, isFinal: $1)
            return reader.error == nil
        }
        if let failure = reader.error {
            stack.finish(at: stack.locator.offset)
            throw stack.tagLane == nil ? failure : try wholeError(&source, plan, limits) ?? failure
        }
    }

    /// What is wrong with XML, and where libxml2 sees it when it is given large pieces.
    private static func wholeError(
        _ source: inout any MarkupSource, _ plan: MarkupPlan, _ limits: MarkupLimits
    ) throws(MarkupError) -> MarkupError? {
        let stack = ElementStack(
            handler: HandlerBox(Nobody()), names: NameTable(ofx: plan.kind.isOFX), balance: .wellFormed,
            locator: locator(plan), limits: limits)
        let reader = try XMLReader(stack: stack, locator: stack.locator, limits: limits)
        try pump(&source, plan) {
            reader.feed($0, isFinal: $1)
            return reader.error == nil
        }
        return reader.error
    }

    /// Passes over everything.
    private final class Nobody: MarkupHandler {
        func header(_ header: OFXHeader, at position: MarkupPosition) {}
        func start(_ name: ElementName, attributes: borrowing MarkupAttributes, at position: MarkupPosition) {}
        func text(_ text: Span<UInt8>) {}
        func end(_ name: ElementName, closing: MarkupClosing, endOffset: Int) {}
        func issue(_ issue: MarkupIssue) {}
    }

    private static func census(
        _ source: inout any MarkupSource, _ plan: MarkupPlan, _ names: NameTable, _ limits: MarkupLimits
    ) throws(MarkupError) -> TagCensus {
        // A comment without an end is known only at the end; then what it seemed to hide counts after all.
        var unterminated: Int?
        while true {
            let census = TagCensus(names: names, unterminatedFrom: unterminated)
            var lexer = MarkupLexer(sink: census, locator: nil, unterminatedFrom: unterminated, limits: limits)
            try pump(&source, plan) {
                lexer.feed($0, isFinal: $1)
                return true
            }
            if unterminated != nil || census.unterminatedFrom == nil { return census }
            unterminated = census.unterminatedFrom
        }
    }

    // MARK: - Looking through

    /// What reading on trust goes by.
    private struct Trust {
        /// Whether it is to be proven that the bytes are UTF-8.
        var checksText: Bool
        var takesRows = true
        /// Whether lines are told, and not only offsets.
        var tellsLines = false
    }

    /// What came of reading on trust.
    private enum Outcome {
        /// All was read, unless it broke a bound.
        case done(isWhole: Bool)
        /// The bytes are not UTF-8.
        case notUTF8
        case notWellFormed(MarkupError)
        case needsCensus
        /// It is not well-formed without the rows that were passed over, but is with them: none may be.
        case hasGaps
        /// The tokenizer and libxml2 see different things.
        case differs
    }

    static func plan(
        _ source: inout any MarkupSource, _ limits: MarkupLimits, _ handler: () -> AggregateReader
    ) throws(MarkupError) -> MarkupPlan {
        let (kind, mark, prefix) = try sniff(&source)
        var plan = MarkupPlan(kind: kind, encoding: mark.encoding ?? .utf8, usesXML: false, skip: mark.skip)
        guard plan.kind.isOFX else {
            // Elements of OFX may stand without their root; what they are written in is to be proven all the same.
            if mark.encoding == nil, try !isUTF8(&source, plan) { plan.encoding = MarkupSniffer.page(in: prefix) }
            return plan
        }
        var trust = Trust(checksText: mark.encoding == nil)
        plan.usesXML = plan.kind == .ofxXML
        while true {
            switch try attempt(&source, plan, handler(), NameTable(ofx: true), trust, limits) {
            case .done:
                plan.isPlain = plan.usesXML
                plan.isRegular = !plan.usesXML
                return plan
            case .notUTF8:
                trust.checksText = false
                plan.encoding = MarkupSniffer.page(in: prefix)
                plan.usesXML = plan.kind == .ofxXML
                plan.breaksAt = nil
            case .notWellFormed(let error):
                // Depth is a bound for both readers, and not a matter of form.
                if case .tooDeep = error { throw error }
                plan.usesXML = false
                plan.breaksAt = error
            case .hasGaps: trust.takesRows = false
            case .needsCensus, .differs:
                // An error is met again, and told, when the source is read.
                do throws(MarkupError) {
                    try read(&source, plan, NameTable(ofx: true), handler(), limits)
                } catch {
                    if case .source = error { throw error }
                }
                return plan
            }
        }
    }

    /// Whether all bytes are UTF-8.
    private static func isUTF8(_ source: inout any MarkupSource, _ plan: MarkupPlan) throws(MarkupError) -> Bool {
        var validator = UTF8Validator()
        try pump(&source, plan) { bytes, _ in
            validator.feed(bytes)
            return !validator.hasFailed
        }
        return validator.isValid
    }

    /// Reads OFX in one pass; nil when it cannot be.
    static func readOnTrust(
        _ source: inout any MarkupSource, _ names: NameTable, _ handler: AggregateReader, _ limits: MarkupLimits
    ) throws(MarkupError) -> MarkupPlan? {
        let (kind, mark, _) = try sniff(&source)
        guard kind.isOFX, mark.encoding == nil else { return nil }
        var plan = MarkupPlan(kind: kind, encoding: .utf8, usesXML: kind == .ofxXML, skip: mark.skip)
        let trust = Trust(checksText: true, tellsLines: true)
        guard case .done(isWhole: true) = try attempt(&source, plan, handler, names, trust, limits) else {
            return nil
        }
        plan.isPlain = plan.usesXML
        plan.isRegular = !plan.usesXML
        return plan
    }

    /// Reads on trust: as UTF-8, as well-formed where it says it is XML, and as regular where it does not.
    private static func attempt(
        _ source: inout any MarkupSource, _ plan: MarkupPlan, _ handler: AggregateReader, _ names: NameTable,
        _ trust: Trust, _ limits: MarkupLimits
    ) throws(MarkupError) -> Outcome {
        var validator = UTF8Validator()
        let checker = plan.usesXML ? try XMLChecker(limits: limits) : nil
        let stack = ElementStack(
            handler: handler, names: names, balance: plan.usesXML ? .wellFormed : .unknown,
            locator: Locator(encoding: plan.encoding, skipped: plan.skip, countsLines: trust.tellsLines),
            limits: limits, takesRows: trust.takesRows)
        var lexer = MarkupLexer(
            sink: stack, locator: stack.locator, unterminatedFrom: nil, limits: limits, witness: checker)
        var isText = true
        try pump(&source, plan) { bytes, isFinal in
            if trust.checksText {
                validator.feed(bytes)
                isText = isFinal ? validator.isValid : !validator.hasFailed
                if !isText { return false }
            }
            if stack.wantsMore || checker != nil { lexer.feed(bytes, isFinal: isFinal) }
            if let checker, checker.failure != nil { return false }
            // The encoding is proven to the end also where the elements are not.
            return stack.wantsMore || trust.checksText || checker != nil
        }
        if !isText { return .notUTF8 }
        if let checker, checker.failure != nil {
            if trust.tellsLines { return .differs }
            // Where libxml2 sees an error depends on the pieces that it is given: it is asked again, with whole chunks.
            let whole = try XMLChecker(limits: limits)
            try pump(&source, plan) {
                whole.feed($0, isFinal: $1)
                return whole.failure == nil
            }
            guard let error = try error(of: whole, &source, plan) else { return .hasGaps }
            return .notWellFormed(error)
        }
        if stack.needsCensus { return .needsCensus }
        if let checker, checker.hasMore || checker.tally != stack.tally || stack.error != nil { return .differs }
        return .done(isWhole: stack.error == nil)
    }
}
