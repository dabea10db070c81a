internal import CLibXML2

/// What libxml2's events go to.
protocol XMLSink: AnyObject {
    var table: NameTable { get }
    var error: MarkupError? { get }
    var attributes: MarkupAttributes { get set }
    func skipped(_ bytes: UnsafeBufferPointer<UInt8>)
    func open(_ name: ElementName, at offset: Int)
    func close(_ name: ElementName, at offset: Int, end: Int, selfClosing: Bool)
    func text(_ bytes: UnsafeBufferPointer<UInt8>, isLiteral: Bool, at offset: Int)
    func finish(at offset: Int)
    /// The short way of rows that are one tag each.
    var tagLane: RowLane? { get }
    func row(_ row: MarkupRow) -> Bool
}

extension ElementStack: XMLSink {}

/// Elements, attributes and text of well-formed XML through libxml2's push parser. It is always given UTF-8, never loads
/// anything, and stops before the first declaration of a document type of its own, so that no entity but the five
/// predefined ones exists.
///
/// Invariant: libxml2 calls back only inside `feed`, while `self` is alive and the parser exists; the pointers that it
/// passes are read during the call alone. `held` is `window` during that call.
final class XMLReader {
    let stack: any XMLSink
    let locator: Locator
    private let limits: MarkupLimits
    @exclusivity(unchecked) private var context: xmlParserCtxtPtr?
    /// The bytes from `windowStart` on that libxml2 may still point into.
    @exclusivity(unchecked) private var window: [UInt8] = []
    @exclusivity(unchecked) private var held = UnsafeBufferPointer<UInt8>(start: nil, count: 0)
    @exclusivity(unchecked) private var windowStart = 0
    @exclusivity(unchecked) private var prolog: [UInt8] = []
    @exclusivity(unchecked) private(set) var fed = 0
    @exclusivity(unchecked) private(set) var lastEvent = 0
    @exclusivity(unchecked) private var lastOffset = 0
    @exclusivity(unchecked) private(set) var depth = 0
    /// The element that began last.
    @exclusivity(unchecked) private(set) var lastStart = (name: ElementName.none, offset: 0)
    /// Bytes of rows that libxml2 was not given.
    @exclusivity(unchecked) private var passed = 0
    /// The begin of a row whose end is not there yet.
    @exclusivity(unchecked) var pending: [UInt8] = []
    @exclusivity(unchecked) private var emptyTag = false
    @exclusivity(unchecked) private var sawRoot = false
    @exclusivity(unchecked) private(set) var error: MarkupError?

    init(stack: any XMLSink, locator: Locator, limits: MarkupLimits) throws(MarkupError) {
        self.stack = stack
        self.locator = locator
        self.limits = limits
        var handler = xmlSAXHandler()
        handler.initialized = UInt32(XML_SAX2_MAGIC)
        handler.startElementNs = { user, name, prefix, _, _, _, count, _, attributes in
            XMLReader.from(user)?.start(name, prefix, Int(count), attributes)
        }
        handler.endElementNs = { user, name, prefix, _ in XMLReader.from(user)?.end(name, prefix) }
        handler.characters = { user, bytes, count in XMLReader.from(user)?.characters(bytes, Int(count)) }
        handler.ignorableWhitespace = handler.characters
        handler.cdataBlock = handler.characters
        handler.internalSubset = { user, _, _, _ in XMLReader.from(user)?.declaration() }
        context = xmlCreatePushParserCtxt(&handler, Unmanaged.passUnretained(self).toOpaque(), nil, 0, nil)
        guard context != nil else { throw .parserUnavailable }
        Self.setOptions(context)
    }

    /// No network, no words on stderr, and the encoding is known already.
    static func setOptions(_ context: xmlParserCtxtPtr?) {
        let options =
            XML_PARSE_NONET.rawValue | XML_PARSE_NOERROR.rawValue | XML_PARSE_NOWARNING.rawValue
            | XML_PARSE_IGNORE_ENC.rawValue
        xmlCtxtUseOptions(context, Int32(bitPattern: options))
    }

    deinit { if let context { xmlFreeParserCtxt(context) } }

    private static func from(_ user: UnsafeMutableRawPointer?) -> XMLReader? {
        user.map { Unmanaged<XMLReader>.fromOpaque($0).takeUnretainedValue() }
    }

    /// Takes the next UTF-8 bytes; after `isFinal` the document must be complete.
    func feed(_ bytes: UnsafeBufferPointer<UInt8>, isFinal: Bool) {
        if let lane = stack.tagLane {
            feedRows(bytes, lane, isFinal: isFinal)
            return feedWhole(UnsafeBufferPointer(start: nil, count: 0), isFinal: isFinal)
        }
        feedWhole(bytes, isFinal: isFinal)
    }

    /// Rows were taken that libxml2 does not see; all before them it has seen.
    func pass(_ count: Int) {
        fed += count
        passed += count
        window.removeAll(keepingCapacity: true)
        windowStart = fed
        lastEvent = fed
    }

    private func feedWhole(_ bytes: UnsafeBufferPointer<UInt8>, isFinal: Bool) {
        if bytes.isEmpty, !isFinal { return }
        var index = 0
        repeat {
            let end = min(bytes.count, index + 1 << 16)
            feedPart(UnsafeBufferPointer(rebasing: bytes[index..<end]), isFinal: isFinal && end == bytes.count)
            index = end
        } while index < bytes.count && error == nil
        if isFinal { stack.finish(at: min(fed, consumed)) }
    }

    func feedPart(_ bytes: UnsafeBufferPointer<UInt8>, isFinal: Bool) {
        guard error == nil else { return }
        window.append(contentsOf: bytes)
        if !sawRoot, prolog.count < 1 << 14 { prolog.append(contentsOf: bytes) }
        fed += bytes.count
        let used = window.withUnsafeBufferPointer { window in
            held = window
            locator.hold(window, from: windowStart)
            let start = UnsafeRawPointer(bytes.baseAddress)?.assumingMemoryBound(to: CChar.self)
            let code = xmlParseChunk(context, start, Int32(bytes.count), isFinal ? 1 : 0)
            if let failure = stack.error { error = error ?? failure }
            if error == nil, code != 0 || context?.pointee.wellFormed == 0 { readError() }
            // libxml2 does not look back beyond what it has consumed, but for the start of the tag that it stands in.
            let used = max(windowStart, min(consumed, fed))
            locator.release(at: used)
            held = UnsafeBufferPointer(start: nil, count: 0)
            return used
        }
        window.removeFirst(min(used - windowStart, window.count))
        windowStart = used
        if error == nil, fed - max(lastEvent, 0) > limits.tagBytes {
            stop(.tooLong(at: locator.last, limit: limits.textBytes))
        }
    }

    private func readError() {
        guard let (code, message) = Self.lastError(context) else { return }
        let place = locator.position(at: min(consumed, fed))
        error = .malformed(at: place, code: code, message: message)
    }

    /// What made the document not well-formed, if it is so.
    static func lastError(_ context: xmlParserCtxtPtr?) -> (code: Int, message: String)? {
        // Namespace prefixes without a declaration are tolerated: the document is well-formed without them.
        guard let last = xmlCtxtGetLastError(context), context?.pointee.wellFormed != 1 else { return nil }
        let words = last.pointee.message.map { String(cString: $0) } ?? ""
        return (Int(last.pointee.code), words.split(separator: "\n").first.map(String.init) ?? "")
    }

    private func stop(_ reason: MarkupError) {
        error = error ?? reason
        xmlStopParser(context)
    }

    /// How many bytes of the stream libxml2 has taken.
    var consumed: Int { Self.consumed(context).map { $0 + passed } ?? fed }

    static func consumed(_ context: xmlParserCtxtPtr?) -> Int? {
        guard let input = context?.pointee.input, let base = input.pointee.base else { return nil }
        return Int(input.pointee.consumed) + (input.pointee.cur - base)
    }

    // MARK: - Callbacks

    private func start(
        _ name: UnsafePointer<UInt8>?, _ prefix: UnsafePointer<UInt8>?, _ count: Int,
        _ attributes: UnsafeMutablePointer<UnsafePointer<UInt8>?>?
    ) {
        guard error == nil, let name else { return }
        lastEvent = consumed
        depth += 1
        if depth > limits.depth { return stop(.tooDeep(at: locator.last, limit: limits.depth)) }
        // A start tag holds no second `<`, so the nearest one before the cursor begins it.
        var less = min(lastEvent - windowStart, held.count)
        while less > 0, held[less - 1] != 0x3C { less -= 1 }
        lastOffset = windowStart + max(0, less - 1)
        if !sawRoot {
            sawRoot = true
            prolog.prefix(lastOffset).withUnsafeBufferPointer { stack.skipped($0) }
            prolog = []
        }
        stack.attributes.removeAll()
        if let attributes { read(attributes, count, into: stack) }
        lastStart = (intern(name, prefix, stack), lastOffset)
        stack.open(lastStart.name, at: lastOffset)
        // After the attributes the cursor stands at `>` or `/>`.
        let cursor = lastEvent - windowStart
        emptyTag = cursor < held.count && held[cursor] == 0x2F
        if let failure = stack.error { stop(failure) }
    }

    /// Each attribute is five pointers: local name, prefix, namespace, value and the value's end.
    private func read(
        _ attributes: UnsafeMutablePointer<UnsafePointer<UInt8>?>, _ count: Int, into stack: any XMLSink
    ) {
        for index in 0..<count {
            guard let name = attributes[index * 5], let value = attributes[index * 5 + 3],
                let end = attributes[index * 5 + 4]
            else { continue }
            guard end - value <= limits.textBytes else {
                return stop(.tooLong(at: locator.last, limit: limits.textBytes))
            }
            let interned = intern(name, attributes[index * 5 + 1], stack)
            // libxml2 leaves `&amp;` as `&#38;` where it does not expand entities.
            let text = UnsafeBufferPointer(start: value, count: end - value)
            stack.attributes.append(interned, text, decode: true)
        }
    }

    private func intern(
        _ name: UnsafePointer<UInt8>, _ prefix: UnsafePointer<UInt8>?, _ stack: any XMLSink
    ) -> ElementName {
        guard let prefix else { return stack.table.intern(bytes(name)) }
        let full = Array(bytes(prefix)) + [0x3A] + Array(bytes(name))
        return full.withUnsafeBufferPointer { stack.table.intern($0) }
    }

    private func bytes(_ text: UnsafePointer<UInt8>) -> UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(start: text, count: Int(xmlStrlen(text)))
    }

    private func end(_ name: UnsafePointer<UInt8>?, _ prefix: UnsafePointer<UInt8>?) {
        guard error == nil, let name else { return }
        let wasEmpty = emptyTag
        emptyTag = false
        depth -= 1
        let start = lastOffset
        lastEvent = consumed
        lastOffset = lastEvent
        stack.close(intern(name, prefix, stack), at: start, end: lastEvent, selfClosing: wasEmpty)
        if let failure = stack.error { stop(failure) }
    }

    private func characters(_ text: UnsafePointer<UInt8>?, _ count: Int) {
        guard error == nil, let text else { return }
        emptyTag = false
        lastEvent = consumed
        stack.text(UnsafeBufferPointer(start: text, count: count), isLiteral: true, at: lastOffset)
        if let failure = stack.error { stop(failure) }
    }

    /// A document type with an internal subset ends the reading before its first declaration.
    private func declaration() {
        guard let cursor = context?.pointee.input?.pointee.cur else { return }
        if cursor.pointee == 0x5B { stop(.declarations(at: locator.position(at: min(consumed, fed)))) }
    }
}
