/// A tag as it stands in the source; the bytes hold only during the call.
struct MarkupTag {
    var name: UnsafeBufferPointer<UInt8>
    var attributes: UnsafeBufferPointer<UInt8>
    var selfClosing = false
    var start: MarkupPosition
    var end: MarkupPosition
}

/// What the lexer tells.
protocol MarkupSink: AnyObject {
    var wantsMore: Bool { get }
    var needsPositions: Bool { get }
    func openTag(_ tag: MarkupTag)
    func closeTag(_ tag: MarkupTag)
    /// A piece of text; literal text (CDATA) has no references.
    func text(_ bytes: UnsafeBufferPointer<UInt8>, isLiteral: Bool, at position: MarkupPosition)
    /// Comments, declarations and processing instructions.
    func skipped(_ bytes: UnsafeBufferPointer<UInt8>)
    func unterminated(streamOffset: Int, at position: MarkupPosition)
    func partialTag(at position: MarkupPosition)
    func finish(at position: MarkupPosition)
}

/// UTF-8 chunks → tags and text, tolerant: what cannot be a tag is text, and every byte belongs to something.
///
/// Invariant of the unsafe reads: all indices lie in `0..<count` of the work buffer, which lives for the whole call.
struct MarkupLexer<Sink: MarkupSink> {
    private enum State { case content, comment, cdata }

    private let sink: Sink
    private var tracker: PositionTracker
    private var pending: [UInt8] = []
    private var base = 0
    private var state = State.content
    private var sectionStart = 0
    private let unterminatedFrom: Int
    private let maximumTag: Int

    init(sink: Sink, encoding: MarkupEncoding, skipped: Int, unterminatedFrom: Int?, limits: MarkupLimits) {
        self.sink = sink
        tracker = PositionTracker(encoding: encoding, skipped: skipped)
        self.unterminatedFrom = unterminatedFrom ?? .max
        maximumTag = limits.textBytes
    }

    /// Takes the next chunk; the last one is `isFinal` (and may be empty).
    mutating func feed(_ chunk: [UInt8], isFinal: Bool) {
        var work: [UInt8] = []
        swap(&work, &pending)
        work.append(contentsOf: chunk)
        let used = work.withUnsafeBufferPointer { run($0, isFinal) }
        base += used
        work.removeFirst(used)
        pending = work
        if isFinal { sink.finish(at: tracker.position) }
    }

    private mutating func run(_ bytes: UnsafeBufferPointer<UInt8>, _ isFinal: Bool) -> Int {
        var index = 0
        while index < bytes.count, sink.wantsMore {
            let next: Int
            switch state {
            case .content: next = content(bytes, index, isFinal)
            case .comment: next = section(bytes, index, isFinal, end: 0x2D)
            case .cdata: next = section(bytes, index, isFinal, end: 0x5D)
            }
            if next == index { break }
            index = next
        }
        locate(bytes, index)
        return index
    }

    // MARK: - Content

    private mutating func content(_ bytes: UnsafeBufferPointer<UInt8>, _ start: Int, _ isFinal: Bool) -> Int {
        var less = start
        while less < bytes.count, bytes[less] != 0x3C { less += 1 }
        if less > start {
            var end = less
            // A reference or CRLF may go on in the next chunk.
            if less == bytes.count && !isFinal {
                if bytes[end - 1] == 0x0D { end -= 1 }
                var amp = end
                while amp > max(start, end - 12), bytes[amp - 1] != 0x26 { amp -= 1 }
                if amp > start, bytes[amp - 1] == 0x26 { end = amp - 1 }
            }
            if end > start { sink.text(slice(bytes, start, end), isLiteral: false, at: at(bytes, start)) }
            return end
        }
        guard less + 1 < bytes.count else { return isFinal ? literal(bytes, less) : start }
        switch bytes[less + 1] {
        case 0x21: return declaration(bytes, less, isFinal)
        case 0x3F: return instruction(bytes, less, isFinal)
        case 0x2F: return tag(bytes, less, nameAt: less + 2, isFinal)
        default: return tag(bytes, less, nameAt: less + 1, isFinal)
        }
    }

    private mutating func literal(_ bytes: UnsafeBufferPointer<UInt8>, _ less: Int) -> Int {
        sink.text(slice(bytes, less, less + 1), isLiteral: true, at: at(bytes, less))
        return less + 1
    }

    private mutating func tag(
        _ bytes: UnsafeBufferPointer<UInt8>, _ less: Int, nameAt: Int, _ isFinal: Bool
    ) -> Int {
        let closes = nameAt == less + 2
        guard nameAt < bytes.count else {
            if isFinal { sink.partialTag(at: at(bytes, less)) }
            return isFinal ? bytes.count : less
        }
        var name = nameAt
        while closes, name < bytes.count, bytes[name] == 0x20 { name += 1 }
        guard name < bytes.count, Self.startsName(bytes[name]) else { return literal(bytes, less) }
        var nameEnd = name
        while nameEnd < bytes.count, Self.isName(bytes[nameEnd]) { nameEnd += 1 }
        var end = nameEnd
        while end < bytes.count, bytes[end] != 0x3E, bytes[end] != 0x3C { end += 1 }
        if end == bytes.count {
            if end - less > maximumTag || nameEnd - name > 128 { return literal(bytes, less) }
            if !isFinal { return less }
            guard Self.areAttributes(slice(bytes, nameEnd, end)) else { return literal(bytes, less) }
            sink.partialTag(at: at(bytes, less))
            return bytes.count
        }
        let lost = bytes[end] == 0x3C
        var rest = slice(bytes, nameEnd, end)
        let selfClosing = !closes && rest.last == 0x2F
        if selfClosing { rest = UnsafeBufferPointer(rebasing: rest.dropLast()) }
        // A close tag may have lost its `>`; an open tag without it would be a guess.
        let fits = closes ? rest.allSatisfy { $0 <= 0x20 } : (!lost && Self.areAttributes(rest))
        guard nameEnd - name <= 128, fits else { return literal(bytes, less) }
        let start = at(bytes, less)
        let after = lost ? end : end + 1
        let tag = MarkupTag(
            name: slice(bytes, name, nameEnd), attributes: rest, selfClosing: selfClosing, start: start,
            end: at(bytes, after))
        if closes { sink.closeTag(tag) } else { sink.openTag(tag) }
        return after
    }

    private mutating func instruction(_ bytes: UnsafeBufferPointer<UInt8>, _ less: Int, _ isFinal: Bool) -> Int {
        var end = less + 2
        while end < bytes.count, bytes[end] != 0x3E, bytes[end] != 0x3C { end += 1 }
        if end == bytes.count && !isFinal && end - less < maximumTag { return less }
        if end < bytes.count, bytes[end] == 0x3E { end += 1 }
        sink.skipped(slice(bytes, less, end))
        return end
    }

    private mutating func declaration(_ bytes: UnsafeBufferPointer<UInt8>, _ less: Int, _ isFinal: Bool) -> Int {
        if bytes.count - less < 9 && !isFinal { return less }
        let head = slice(bytes, less, min(less + 9, bytes.count))
        let isComment = head.starts(with: [0x3C, 0x21, 0x2D, 0x2D])
        if isComment || head.elementsEqual("<![CDATA[".utf8) {
            let length = isComment ? 4 : 9
            if base + less >= unterminatedFrom {
                sink.unterminated(streamOffset: base + less, at: at(bytes, less))
            } else {
                sectionStart = base + less
                state = isComment ? .comment : .cdata
            }
            sink.skipped(slice(bytes, less, less + length))
            return less + length
        }
        guard head.count > 2, Self.startsName(head[2]) else { return literal(bytes, less) }
        var end = less + 2
        var quote: UInt8 = 0
        while end < bytes.count, quote != 0 || (bytes[end] != 0x3E && bytes[end] != 0x5B) {
            if quote == 0, bytes[end] == 0x22 || bytes[end] == 0x27 {
                quote = bytes[end]
            } else if bytes[end] == quote {
                quote = 0
            }
            end += 1
            if end - less > 4096 { return literal(bytes, less) }
        }
        if end == bytes.count { return isFinal ? literal(bytes, less) : less }
        sink.skipped(slice(bytes, less, end + 1))
        return end + 1
    }

    // MARK: - Comments and CDATA

    private mutating func section(
        _ bytes: UnsafeBufferPointer<UInt8>, _ start: Int, _ isFinal: Bool, end mark: UInt8
    ) -> Int {
        var index = start
        while index + 2 < bytes.count {
            if bytes[index + 2] == 0x3E, bytes[index] == mark, bytes[index + 1] == mark {
                deliver(slice(bytes, start, index), at: at(bytes, start))
                state = .content
                return index + 3
            }
            index += 1
        }
        var end = isFinal ? bytes.count : max(start, bytes.count - 2)
        if state == .cdata, !isFinal, end > start, bytes[end - 1] == 0x0D { end -= 1 }
        if end > start { deliver(slice(bytes, start, end), at: at(bytes, start)) }
        if isFinal { sink.unterminated(streamOffset: sectionStart, at: tracker.position) }
        return end
    }

    private func deliver(_ bytes: UnsafeBufferPointer<UInt8>, at position: MarkupPosition) {
        if state == .cdata {
            sink.text(bytes, isLiteral: true, at: position)
        } else {
            sink.skipped(bytes)
        }
    }

    // MARK: - Positions and characters

    private mutating func at(_ bytes: UnsafeBufferPointer<UInt8>, _ index: Int) -> MarkupPosition {
        if sink.needsPositions { locate(bytes, index) }
        return tracker.position
    }

    private mutating func locate(_ bytes: UnsafeBufferPointer<UInt8>, _ index: Int) {
        guard sink.needsPositions else { return }
        let known = tracker.streamOffset - base
        if index > known { tracker.advance(slice(bytes, known, index)) }
    }

    private func slice(_ bytes: UnsafeBufferPointer<UInt8>, _ start: Int, _ end: Int) -> UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(rebasing: bytes[start..<end])
    }

    static func startsName(_ byte: UInt8) -> Bool {
        (byte | 0x20 >= 0x61 && byte | 0x20 <= 0x7A) || byte == 0x5F || byte >= 0x80
    }

    static func isName(_ byte: UInt8) -> Bool {
        startsName(byte) || (byte >= 0x30 && byte <= 0x3A) || byte == 0x2E || byte == 0x2D
    }

    /// Nothing, or something that begins as `name =`.
    static func areAttributes(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        var index = 0
        while index < bytes.count, bytes[index] <= 0x20 { index += 1 }
        if index == bytes.count || (bytes[index] == 0x2F && index + 1 == bytes.count) { return true }
        guard index > 0, startsName(bytes[index]) else { return false }
        while index < bytes.count, isName(bytes[index]) { index += 1 }
        while index < bytes.count, bytes[index] <= 0x20 { index += 1 }
        return index < bytes.count && bytes[index] == 0x3D
    }
}
