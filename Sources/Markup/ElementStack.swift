/// Tags and text of either reader → balanced events: closes what the file leaves open, one text for each leaf.
/// One reading owns it and nothing re-enters it, so its accesses need no check at run time.
final class ElementStack: MarkupSink {
    private struct Frame {
        var name: ElementName
        var hasText = false
        var hasChildren = false
    }

    let names: NameTable
    private let handler: any MarkupHandler
    private let limits: MarkupLimits
    private let census: TagCensus?
    private let schema: OFXSchema?
    @exclusivity(unchecked) private var frames: [Frame] = []
    @exclusivity(unchecked) private var text: [UInt8] = []
    @exclusivity(unchecked) private var textStart = MarkupPosition.start
    @exclusivity(unchecked) private var prolog: [UInt8] = []
    @exclusivity(unchecked) private var documents = 0
    /// How often each name (by id) was closed without a close tag.
    @exclusivity(unchecked) private var closed: [Int] = []
    @exclusivity(unchecked) private var lastHoisted = ElementName.none
    @exclusivity(unchecked) private var isCut = false
    @exclusivity(unchecked) private var endsLine = true
    @exclusivity(unchecked) private(set) var error: MarkupError?
    @exclusivity(unchecked) var attributes = MarkupAttributes()

    /// `census`: how the tags of a tolerantly read file balance; nil for XML, where all do.
    init(handler: any MarkupHandler, names: NameTable, census: TagCensus?, limits: MarkupLimits) {
        self.handler = handler
        self.names = names
        self.census = census
        self.limits = limits
        schema = names.foldsCase ? .shared : nil
    }

    var wantsMore: Bool { error == nil }
    var needsPositions: Bool { true }
    var depth: Int { frames.count }

    func fail(_ reason: MarkupError) { error = error ?? reason }

    // MARK: - Start

    func openTag(_ tag: MarkupTag) {
        attributes.removeAll()
        if !tag.attributes.isEmpty { parseAttributes(tag.attributes, at: tag.start) }
        open(names.intern(tag.name), at: tag.start)
        if tag.selfClosing { pop(.selfClosing, endOffset: tag.end.offset) }
    }

    /// Opens an element with the attributes gathered in `attributes`.
    func open(_ name: ElementName, at position: MarkupPosition) {
        guard error == nil else { return }
        guard name != .none else { return fail(.tooManyNames(at: position, limit: limits.names)) }
        lastHoisted = .none
        makeRoom(for: name, at: position)
        flush()
        if frames.isEmpty { begin(at: position) }
        guard frames.count < limits.depth else { return fail(.tooDeep(at: position, limit: limits.depth)) }
        if let top = frames.indices.last { frames[top].hasChildren = true }
        frames.append(Frame(name: name))
        handler.start(name, attributes: attributes, at: position)
    }

    /// A document's first element: its header is what stood before.
    private func begin(at position: MarkupPosition) {
        let header = OFXHeader(prolog: prolog)
        if documents == 0 || !header.fields.isEmpty {
            handler.header(header, at: position)
        } else {
            reportProlog(at: position)
        }
        documents += 1
        prolog.removeAll(keepingCapacity: true)
    }

    /// Closes what cannot hold the element that opens.
    private func makeRoom(for name: ElementName, at position: MarkupPosition) {
        guard let schema else { return }
        if let top = frames.last, schema.isLeaf(top.name) {
            lastHoisted = top.name
            imply(at: position)
        }
        guard let census, let top = frames.last else { return }
        if schema.isKnown(name) {
            if schema.holds(top.name, name) { return }
            let isRoot = names.text(name) == "OFX"
            let home = isRoot ? -1 : (frames.lastIndex { schema.holds($0.name, name) } ?? frames.count)
            if isRoot || (home < frames.count && frames[(home + 1)...].allSatisfy { isOpenEnded($0.name) }) {
                while frames.count - 1 > home { imply(at: position) }
                return
            }
        }
        // An element that the schema does not know: a leaf if it has text, or if the file never closes it.
        if !schema.isKnown(top.name), isOpenEnded(top.name), !top.hasChildren {
            flush()
            if frames.last?.hasText == true || !census.hasCloses(top.name) { imply(at: position) }
        }
    }

    private func isOpenEnded(_ name: ElementName) -> Bool {
        (census?.deficit(name) ?? 0) > (Int(name.id) < closed.count ? closed[Int(name.id)] : 0)
    }

    // MARK: - End

    func closeTag(_ tag: MarkupTag) {
        close(names.intern(tag.name), at: tag.start, endOffset: tag.end.offset)
    }

    /// Closes the innermost element of that name, and what is still open in it.
    func close(_ name: ElementName, at position: MarkupPosition, endOffset: Int, selfClosing: Bool = false) {
        guard error == nil else { return }
        guard let index = frames.lastIndex(where: { $0.name == name }), !crosses(index, name) else {
            if name != lastHoisted || name == .none {
                report(.strayClose, at: position, "</" + names.text(name) + ">")
            }
            lastHoisted = .none
            return
        }
        while frames.count - 1 > index { imply(at: position) }
        pop(selfClosing ? .selfClosing : .explicit, endOffset: endOffset)
    }

    /// A leaf's late close tag never closes the aggregates opened since.
    private func crosses(_ index: Int, _ name: ElementName) -> Bool {
        guard let schema, schema.isLeaf(name) else { return false }
        return frames[(index + 1)...].contains { schema.isAggregate($0.name) }
    }

    private func imply(at position: MarkupPosition) {
        guard let frame = frames.last else { return }
        let id = Int(frame.name.id)
        if id >= closed.count { closed.append(contentsOf: repeatElement(0, count: id + 1 - closed.count)) }
        closed[id] += 1
        if schema?.isAggregate(frame.name) == true {
            report(.impliedClose, at: position, "</" + names.text(frame.name) + ">")
        }
        pop(.implied, endOffset: position.offset)
    }

    private func pop(_ closing: MarkupClosing, endOffset: Int) {
        guard error == nil else { return }
        flush()
        guard let frame = frames.popLast() else { return }
        handler.end(frame.name, closing: closing, endOffset: endOffset)
    }

    func finish(at position: MarkupPosition) {
        // A value that stops at the very end of the input, where a leaf would need its close tag or a line's end.
        if !endsLine, let top = frames.last, schema?.isLeaf(top.name) == true { isCut = true }
        let cut = isCut || census?.closesAggregates != false
        // Events stay balanced also when reading stopped at an error.
        let stopped = error
        error = nil
        while !frames.isEmpty { pop(cut || stopped != nil ? .truncated : .implied, endOffset: position.offset) }
        error = stopped
        reportProlog(at: position)
    }

    // MARK: - Text

    func text(_ bytes: UnsafeBufferPointer<UInt8>, isLiteral: Bool, at position: MarkupPosition) {
        guard error == nil else { return }
        if frames.isEmpty { return skipped(bytes) }
        if text.isEmpty { textStart = position }
        endsLine = bytes.last.map { $0 == 0x0A || $0 == 0x0D } ?? endsLine
        if isLiteral {
            appendLiteral(bytes)
        } else {
            Entities.decode(bytes, into: &text)
        }
        if text.count > limits.textBytes { fail(.tooLong(at: textStart, limit: limits.textBytes)) }
    }

    private func appendLiteral(_ bytes: UnsafeBufferPointer<UInt8>) {
        var previous: UInt8 = 0
        for byte in bytes where byte != 0 {
            if byte == 0x0D {
                text.append(0x0A)
            } else if !(byte == 0x0A && previous == 0x0D) {
                text.append(byte)
            }
            previous = byte
        }
    }

    /// Delivers the gathered text; blank text is nobody's.
    private func flush() {
        guard !text.isEmpty else { return }
        defer { text.removeAll(keepingCapacity: true) }
        guard let first = text.firstIndex(where: { $0 > 0x20 }), let top = frames.indices.last,
            let last = text.lastIndex(where: { $0 > 0x20 })
        else { return }
        frames[top].hasText = true
        if schema?.isAggregate(frames[top].name) == true {
            report(.strayText, at: textStart, names.text(frames[top].name))
        }
        let range = schema == nil ? 0..<text.count : first..<(last + 1)
        text.withUnsafeBufferPointer { handler.text(UnsafeBufferPointer(rebasing: $0[range]).span) }
    }

    func skipped(_ bytes: UnsafeBufferPointer<UInt8>) {
        guard frames.isEmpty, prolog.count < 1 << 14 else { return }
        prolog.append(contentsOf: bytes.prefix(1 << 14))
    }

    private func reportProlog(at position: MarkupPosition) {
        if documents > 0, prolog.contains(where: { $0 > 0x20 }) {
            report(.textOutside, at: position, "text outside the document")
        }
        prolog.removeAll(keepingCapacity: true)
    }

    // MARK: - The rest

    func unterminated(streamOffset: Int, at position: MarkupPosition) {
        report(.unterminated, at: position, "comment or CDATA section without end")
    }

    func partialTag(at position: MarkupPosition) {
        isCut = true
        report(.partialTag, at: position, "the input ends inside a tag")
    }

    private func report(_ kind: MarkupIssue.Kind, at position: MarkupPosition, _ detail: String) {
        handler.issue(MarkupIssue(kind, at: position, detail: detail))
    }

    private func parseAttributes(_ bytes: UnsafeBufferPointer<UInt8>, at position: MarkupPosition) {
        var index = 0
        while true {
            while index < bytes.count, bytes[index] <= 0x20 { index += 1 }
            let start = index
            while index < bytes.count, MarkupLexer<ElementStack>.isName(bytes[index]) { index += 1 }
            guard index > start else { return }
            let name = names.intern(UnsafeBufferPointer(rebasing: bytes[start..<index]))
            guard name != .none else { return fail(.tooManyNames(at: position, limit: limits.names)) }
            while index < bytes.count, bytes[index] <= 0x20 || bytes[index] == 0x3D { index += 1 }
            var value = index
            var end = index
            if index < bytes.count, bytes[index] == 0x22 || bytes[index] == 0x27 {
                value += 1
                end = value
                while end < bytes.count, bytes[end] != bytes[index] { end += 1 }
                index = min(end + 1, bytes.count)
            } else {
                while end < bytes.count, bytes[end] > 0x20 { end += 1 }
                index = end
            }
            attributes.append(name, UnsafeBufferPointer(rebasing: bytes[value..<end]), decode: true)
        }
    }
}
