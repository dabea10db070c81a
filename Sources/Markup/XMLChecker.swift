internal import CLibXML2

/// Whether a source is well-formed XML, as libxml2's push parser sees it, and what it holds besides elements and text.
/// Nothing is delivered, so that this costs hardly more than libxml2 itself: the callbacks count in one raw struct.
///
/// Invariant: `state` lives from `init` to `deinit`, and libxml2 calls back only inside `feed`.
final class XMLChecker {
    private struct State {
        var tally = MarkupTally()
        var depth = 0
        var limit: Int
        var hasMore = false
        var isTooDeep = false
        var declaresMore = false
        var context: xmlParserCtxtPtr?
    }

    /// Why it is not, and at which byte of the stream; the error's own position is still to be found.
    struct Failure {
        var error: MarkupError
        var offset: Int
    }

    private let state: UnsafeMutablePointer<State>
    private let limits: MarkupLimits
    private var fed = 0
    private var lastEvent = 0
    private(set) var failure: Failure?

    init(limits: MarkupLimits) throws(MarkupError) {
        self.limits = limits
        state = .allocate(capacity: 1)
        state.initialize(to: State(limit: limits.depth))
        var handler = xmlSAXHandler()
        // Names as they stand: prefixes without a declaration are no matter of form.
        handler.startElement = { user, _, attributes in
            guard let state = user?.assumingMemoryBound(to: State.self) else { return }
            state.pointee.depth += 1
            state.pointee.tally.add(state.pointee.depth)
            if attributes != nil { state.pointee.hasMore = true }
            if state.pointee.depth > state.pointee.limit {
                state.pointee.isTooDeep = true
                xmlStopParser(state.pointee.context)
            }
        }
        handler.endElement = { user, _ in user?.assumingMemoryBound(to: State.self).pointee.depth -= 1 }
        // The tokenizer ends an instruction at its first `>`, for OFX 2 headers lose their `?`.
        handler.processingInstruction = { user, _, data in
            guard let state = user?.assumingMemoryBound(to: State.self), var data else { return }
            while data.pointee != 0 {
                if data.pointee == 0x3C || data.pointee == 0x3E { state.pointee.hasMore = true }
                data += 1
            }
        }
        handler.internalSubset = { user, _, _, _ in
            guard let state = user?.assumingMemoryBound(to: State.self) else { return }
            state.pointee.hasMore = true
            // A document type with an internal subset ends the reading before its first declaration.
            guard state.pointee.context?.pointee.input?.pointee.cur?.pointee == 0x5B else { return }
            state.pointee.declaresMore = true
            xmlStopParser(state.pointee.context)
        }
        let context = xmlCreatePushParserCtxt(&handler, state, nil, 0, nil)
        state.pointee.context = context
        guard context != nil else { throw .parserUnavailable }
        XMLReader.setOptions(context)
    }

    deinit {
        if let context = state.pointee.context { xmlFreeParserCtxt(context) }
        state.deinitialize(count: 1)
        state.deallocate()
    }

    /// How many elements there are, and how deep.
    var tally: MarkupTally { state.pointee.tally }
    /// Whether there are attributes, prefixes' declarations or a document type.
    var hasMore: Bool { state.pointee.hasMore }

    /// Takes the next UTF-8 bytes; after `isFinal` the document must be complete.
    func feed(_ bytes: UnsafeBufferPointer<UInt8>, isFinal: Bool) {
        guard failure == nil, !bytes.isEmpty || isFinal else { return }
        let before = state.pointee.tally
        fed += bytes.count
        let start = UnsafeRawPointer(bytes.baseAddress)?.assumingMemoryBound(to: CChar.self)
        let code = xmlParseChunk(state.pointee.context, start, Int32(bytes.count), isFinal ? 1 : 0)
        if state.pointee.isTooDeep { return fail(.tooDeep(at: .start, limit: limits.depth)) }
        if state.pointee.declaresMore { return fail(.declarations(at: .start)) }
        if code != 0 || state.pointee.context?.pointee.wellFormed == 0 { readError() }
        if state.pointee.tally != before { lastEvent = fed }
        if fed - lastEvent > limits.tagBytes { fail(.tooLong(at: .start, limit: limits.textBytes)) }
    }

    private func fail(_ error: MarkupError) {
        guard failure == nil else { return }
        let used = XMLReader.consumed(state.pointee.context) ?? fed
        failure = Failure(error: error, offset: min(used, fed))
    }

    private func readError() {
        guard let (code, message) = XMLReader.lastError(state.pointee.context) else { return }
        fail(.malformed(at: .start, code: code, message: message))
    }
}

extension MarkupError {
    /// The same error, elsewhere.
    func moved(to position: MarkupPosition) -> MarkupError {
        switch self {
        case .malformed(_, let code, let message): .malformed(at: position, code: code, message: message)
        case .declarations: .declarations(at: position)
        case .tooDeep(_, let limit): .tooDeep(at: position, limit: limit)
        case .tooLong(_, let limit): .tooLong(at: position, limit: limit)
        case .tooManyNames(_, let limit): .tooManyNames(at: position, limit: limit)
        case .notMarkup, .source, .parserUnavailable: self
        }
    }
}
