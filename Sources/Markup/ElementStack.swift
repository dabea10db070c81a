/// Tags and text of either reader → balanced events: closes what the file leaves open, one text for each leaf.
/// One reading owns it and nothing re-enters it, so its accesses need no check at run time.
///
/// Invariant of the unsafe accesses: `frames` has room for `room` frames, of which the first `count` are initialized.
final class ElementStack<Handler: MarkupHandler>: MarkupSink {
    /// What is known of how the tags of the source balance.
    enum Balance {
        /// It is well-formed XML: all do.
        case wellFormed
        /// Nothing: reading stops where it would be needed.
        case unknown
        /// They were counted.
        case counted(TagCensus)
    }

    struct Frame {
        var name: ElementName
        var kind: OFXSchema.Kind
        var hasText = false
        var hasChildren = false
    }

    let table: NameTable
    let locator: Locator
    let handler: Handler
    /// The short way of rows; nil where there is none.
    let lane: RowLane?
    /// The same of rows that are one tag each, in XML that libxml2 reads.
    let tagLane: RowLane?
    private let limits: MarkupLimits
    private let census: TagCensus?
    private let isWellFormed: Bool
    private let guesses: Bool
    private let schema: OFXSchema?
    let frames: UnsafeMutablePointer<Frame>
    private let room: Int
    @exclusivity(unchecked) private(set) var count = 0
    @exclusivity(unchecked) private var text: [UInt8] = []
    /// Text has begun, even if nothing of it is left after decoding.
    @exclusivity(unchecked) private(set) var isGathering = false
    @exclusivity(unchecked) private var textStart = MarkupPosition.start
    @exclusivity(unchecked) private var prolog: [UInt8] = []
    @exclusivity(unchecked) private var documents = 0
    /// How often each name (by id) was closed without a close tag.
    @exclusivity(unchecked) private var closed: [Int] = []
    @exclusivity(unchecked) var lastHoisted = ElementName.none
    @exclusivity(unchecked) private var isCut = false
    @exclusivity(unchecked) var endsLine = true
    @exclusivity(unchecked) var closesAggregates = false
    @exclusivity(unchecked) private(set) var error: MarkupError?
    /// Whether reading stopped because it takes a census to go on.
    @exclusivity(unchecked) private(set) var needsCensus = false
    @exclusivity(unchecked) var attributes = MarkupAttributes()
    /// How many elements there were, and the sum of their depths: what two readers must agree in.
    @exclusivity(unchecked) private(set) var tally = MarkupTally()

    init(
        handler: Handler, names: NameTable, balance: Balance, locator: Locator, limits: MarkupLimits,
        takesRows: Bool = true
    ) {
        self.handler = handler
        self.table = names
        self.locator = locator
        self.limits = limits
        switch balance {
        case .wellFormed: (census, isWellFormed, guesses) = (nil, true, false)
        case .unknown: (census, isWellFormed, guesses) = (nil, false, true)
        case .counted(let census): (self.census, isWellFormed, guesses) = (census, false, false)
        }
        schema = names.foldsCase ? .shared : nil
        tagLane = !names.foldsCase && locator.isUTF8 ? handler.lane : nil
        // What counted tags mean may change from row to row.
        lane = takesRows && names.foldsCase && census == nil && locator.isUTF8 ? handler.lane : nil
        room = max(1, limits.depth)
        frames = .allocate(capacity: room)
    }

    deinit { frames.deallocate() }

    var wantsMore: Bool { error == nil && !needsCensus }
    var names: NameTable? { schema == nil ? nil : table }

    func fail(_ reason: MarkupError) { error = error ?? reason }

    private var top: UnsafeMutablePointer<Frame>? { count > 0 ? frames + (count - 1) : nil }

    @inline(__always)
    private func push(_ name: ElementName, at offset: Int, hasAttributes: Bool) {
        frames[count] = Frame(name: name, kind: schema?.kind(name) ?? .unknown)
        count += 1
        tally.add(count)
        let position =
            handler.wantsLines
            ? locator.position(at: offset) : MarkupPosition(line: 0, column: 0, offset: locator.source(offset))
        if hasAttributes {
            handler.start(name, attributes: attributes, at: position)
        } else {
            handler.start(name, at: position)
        }
    }

    // MARK: - Plain tags

    func quickOpen(_ name: ElementName, after text: UnsafeBufferPointer<UInt8>, at start: Int, end: Int) -> Bool {
        guard let schema, count > 0, count < room, !isGathering else { return false }
        let top = frames + (count - 1)
        let value = Self.plain(text)
        switch top.pointee.kind {
        case .unknown: return false
        case .aggregate:
            guard let value, value.isEmpty, isWellFormed || fits(name, in: top.pointee, schema) else { return false }
            lastHoisted = .none
            top.pointee.hasChildren = true
        case .leaf:
            // The next tag ends an open leaf.
            guard let value, count > 1 else { return false }
            let parent = frames + (count - 2)
            guard parent.pointee.kind == .aggregate, isWellFormed || fits(name, in: parent.pointee, schema) else {
                return false
            }
            if !value.isEmpty { handler.text(value.span) }
            lastHoisted = top.pointee.name
            if census != nil { countClosed(lastHoisted) }
            count -= 1
            handler.end(lastHoisted, closing: .implied, endOffset: locator.source(start))
            parent.pointee.hasChildren = true
        }
        noteLineEnd(text)
        push(name, at: start, hasAttributes: false)
        return true
    }

    func quickClose(_ name: ElementName, after text: UnsafeBufferPointer<UInt8>, at start: Int, end: Int) -> Bool {
        guard count > 0, !isGathering, let value = Self.plain(text) else { return false }
        let top = frames[count - 1]
        if top.kind == .unknown || (top.kind == .aggregate && !value.isEmpty) { return false }
        if top.name != name {
            guard top.kind == .leaf, count > 1, frames[count - 2].name == name, frames[count - 2].kind == .aggregate
            else { return false }
        }
        if !value.isEmpty { handler.text(value.span) }
        noteLineEnd(text)
        if top.name != name {
            if census != nil { countClosed(top.name) }
            count -= 1
            handler.end(top.name, closing: .implied, endOffset: locator.source(start))
        }
        if frames[count - 1].kind == .aggregate { closesAggregates = true }
        count -= 1
        handler.end(name, closing: .explicit, endOffset: locator.source(end))
        return true
    }

    @inline(__always)
    private func fits(_ name: ElementName, in parent: Frame, _ schema: OFXSchema) -> Bool {
        schema.holds(parent.name, name) || !schema.isKnown(name)
    }

    @inline(__always)
    private func noteLineEnd(_ text: UnsafeBufferPointer<UInt8>) {
        if let last = text.last { endsLine = last == 0x0A || last == 0x0D }
    }

    private func countClosed(_ name: ElementName) {
        let id = Int(name.id)
        if id >= closed.count { closed.append(contentsOf: repeatElement(0, count: id + 1 - closed.count)) }
        closed[id] += 1
    }

    // MARK: - Start

    func openTag(_ tag: MarkupTag) {
        attributes.removeAll()
        if !tag.attributes.isEmpty, !attributes.parse(tag.attributes, table) {
            fail(.tooManyNames(at: locator.position(at: tag.start), limit: limits.names))
        }
        open(table.intern(tag.name), at: tag.start)
        if needsCensus { return }
        if tag.selfClosing { pop(.selfClosing, at: tag.end) }
    }

    /// Opens an element with the attributes gathered in `attributes`.
    func open(_ name: ElementName, at offset: Int) {
        guard error == nil else { return }
        guard name != .none else {
            return fail(.tooManyNames(at: locator.position(at: offset), limit: limits.names))
        }
        lastHoisted = .none
        makeRoom(for: name, at: offset)
        if needsCensus { return }
        flush()
        if count == 0 { begin(at: locator.position(at: offset)) }
        guard count < limits.depth else {
            return fail(.tooDeep(at: locator.position(at: offset), limit: limits.depth))
        }
        top?.pointee.hasChildren = true
        push(name, at: offset, hasAttributes: attributes.count > 0)
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
    private func makeRoom(for name: ElementName, at offset: Int) {
        guard let schema else { return }
        if let top, top.pointee.kind == .leaf {
            lastHoisted = top.pointee.name
            imply(at: offset)
        }
        guard !isWellFormed, let top else { return }
        if schema.isKnown(name), schema.holds(top.pointee.name, name) { return }
        guard let census else {
            // Where an element is out of its place, how the file's tags balance decides what that means.
            if schema.isKnown(name) || top.pointee.kind == .unknown { needsCensus = true }
            return
        }
        if schema.isKnown(name) {
            let isRoot = name == ElementName(.ofx)
            let home = isRoot ? -1 : (lastFrame { schema.holds($0.name, name) } ?? count)
            if isRoot || (home < count && allFrames(after: home) { isOpenEnded($0.name) }) {
                while count - 1 > home { imply(at: offset) }
                return
            }
        }
        // An element that the schema does not know: a leaf if it has text, or if the file never closes it.
        if top.pointee.kind == .unknown, isOpenEnded(top.pointee.name), !top.pointee.hasChildren {
            flush()
            if top.pointee.hasText || !census.hasCloses(top.pointee.name) { imply(at: offset) }
        }
    }

    private func isOpenEnded(_ name: ElementName) -> Bool {
        (census?.deficit(name) ?? 0) > (Int(name.id) < closed.count ? closed[Int(name.id)] : 0)
    }

    private func lastFrame(_ fits: (Frame) -> Bool) -> Int? {
        var index = count - 1
        while index >= 0 {
            if fits(frames[index]) { return index }
            index -= 1
        }
        return nil
    }

    private func allFrames(after index: Int, _ fits: (Frame) -> Bool) -> Bool {
        var next = index + 1
        while next < count {
            if !fits(frames[next]) { return false }
            next += 1
        }
        return true
    }

    // MARK: - End

    func closeTag(_ tag: MarkupTag) { close(table.intern(tag.name), at: tag.start, end: tag.end) }

    /// Closes the innermost element of that name, and what is still open in it.
    func close(_ name: ElementName, at offset: Int, end: Int, selfClosing: Bool = false) {
        guard error == nil else { return }
        if schema?.isAggregate(name) == true { closesAggregates = true }
        guard let index = lastFrame({ $0.name == name }), !crosses(index, name) else {
            if name != lastHoisted || name == .none {
                report(.strayClose, at: locator.position(at: offset), "</" + table.text(name) + ">")
            }
            lastHoisted = .none
            return
        }
        while count - 1 > index { imply(at: offset) }
        pop(selfClosing ? .selfClosing : .explicit, at: end)
    }

    /// A leaf's late close tag never closes the aggregates opened since.
    private func crosses(_ index: Int, _ name: ElementName) -> Bool {
        guard let schema, schema.isLeaf(name) else { return false }
        return !allFrames(after: index) { $0.kind != .aggregate }
    }

    private func imply(at offset: Int) {
        guard let frame = top?.pointee else { return }
        countClosed(frame.name)
        if frame.kind == .aggregate {
            report(.impliedClose, at: locator.position(at: offset), "</" + table.text(frame.name) + ">")
        }
        pop(.implied, at: offset)
    }

    private func pop(_ closing: MarkupClosing, at end: Int) {
        guard error == nil else { return }
        flush()
        guard let frame = top?.pointee else { return }
        count -= 1
        handler.end(frame.name, closing: closing, endOffset: locator.source(end))
    }

    func finish(at offset: Int) {
        // A value that stops at the very end of the input, where a leaf would need its close tag or a line's end.
        if !endsLine, let top, top.pointee.kind == .leaf { isCut = true }
        // XML that is no OFX closes all that it opens.
        let cut = isCut || isWellFormed || schema == nil || (census?.closesAggregates ?? closesAggregates)
        // Events stay balanced also when reading stopped at an error.
        let stopped = error
        error = nil
        while count > 0 { pop(cut || stopped != nil ? .truncated : .implied, at: offset) }
        error = stopped
        reportProlog(at: locator.last)
    }

    // MARK: - Text

    func text(_ bytes: UnsafeBufferPointer<UInt8>, isLiteral: Bool, at offset: Int) {
        guard error == nil else { return }
        if count == 0 { return skipped(bytes) }
        if !isGathering { textStart = locator.position(at: offset) }
        isGathering = true
        noteLineEnd(bytes)
        if isLiteral {
            appendLiteral(bytes)
        } else {
            Entities.decode(bytes, into: &text)
        }
        if text.count > limits.textBytes { fail(.tooLong(at: textStart, limit: limits.textBytes)) }
    }

    private func appendLiteral(_ bytes: UnsafeBufferPointer<UInt8>) {
        var previous: UInt8 = 0
        for byte in bytes {
            if byte == 0x0D {
                text.append(0x0A)
            } else if byte != 0, !(byte == 0x0A && previous == 0x0D) {
                text.append(byte)
            }
            previous = byte
        }
    }

    /// Delivers the gathered text; blank text is nobody's.
    private func flush() {
        isGathering = false
        guard !text.isEmpty else { return }
        defer { text.removeAll(keepingCapacity: true) }
        guard let first = text.firstIndex(where: { $0 > 0x20 }), let top,
            let last = text.lastIndex(where: { $0 > 0x20 })
        else { return }
        top.pointee.hasText = true
        if top.pointee.kind == .aggregate { report(.strayText, at: textStart, table.text(top.pointee.name)) }
        let range = schema == nil ? 0..<text.count : first..<(last + 1)
        text.withUnsafeBufferPointer { handler.text(UnsafeBufferPointer(rebasing: $0[range]).span) }
    }

    func skipped(_ bytes: UnsafeBufferPointer<UInt8>) {
        guard count == 0, prolog.count < 1 << 14 else { return }
        prolog.append(contentsOf: bytes.prefix(1 << 14))
    }

    private func reportProlog(at position: MarkupPosition) {
        if documents > 0, prolog.contains(where: { $0 > 0x20 }) {
            report(.textOutside, at: position, "text outside the document")
        }
        prolog.removeAll(keepingCapacity: true)
    }

    // MARK: - The rest

    func unterminated(at offset: Int) {
        if guesses {
            needsCensus = true
        } else {
            report(.unterminated, at: locator.position(at: offset), "comment or CDATA section without end")
        }
    }

    func partialTag(at offset: Int) {
        isCut = true
        report(.partialTag, at: locator.position(at: offset), "the input ends inside a tag")
    }

    private func report(_ kind: MarkupIssue.Kind, at position: MarkupPosition, _ detail: String) {
        handler.issue(MarkupIssue(kind, at: position, detail: detail))
    }
}
