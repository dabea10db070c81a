/// A tag as it stands in the source; the bytes hold only during the call.
struct MarkupTag {
    var name: UnsafeBufferPointer<UInt8>
    var attributes: UnsafeBufferPointer<UInt8>
    var selfClosing = false
    /// Where it begins and ends in the stream.
    var start: Int
    var end: Int
}

/// What the lexer tells.
protocol MarkupSink: AnyObject {
    var wantsMore: Bool { get }
    /// The names that the quick way through plain tags may take for granted; nil where it is not wanted.
    var names: NameTable? { get }
    /// Takes the text since the last tag together with the tag that follows it, if both are of the plain sort: no
    /// references, nothing implied but the end of a leaf. False, with nothing done, if they are not.
    func quickOpen(_ name: ElementName, after text: UnsafeBufferPointer<UInt8>, at start: Int, end: Int) -> Bool
    func quickClose(_ name: ElementName, after text: UnsafeBufferPointer<UInt8>, at start: Int, end: Int) -> Bool
    func openTag(_ tag: MarkupTag)
    func closeTag(_ tag: MarkupTag)
    /// A piece of text; literal text (CDATA) has no references.
    func text(_ bytes: UnsafeBufferPointer<UInt8>, isLiteral: Bool, at offset: Int)
    /// Comments, declarations and processing instructions.
    func skipped(_ bytes: UnsafeBufferPointer<UInt8>)
    func unterminated(at offset: Int)
    func partialTag(at offset: Int)
    func finish(at offset: Int)
    /// Whether a row of a list has just ended, so that `takeRows` is worth a try.
    var isAfterRow: Bool { get }
    func takeRows(
        _ bytes: UnsafeBufferPointer<UInt8>, from index: Int, stream base: Int, isFinal: Bool
    ) -> (index: Int, waits: Bool)
}

extension MarkupSink {
    var isAfterRow: Bool { false }
    func takeRows(
        _ bytes: UnsafeBufferPointer<UInt8>, from index: Int, stream base: Int, isFinal: Bool
    ) -> (index: Int, waits: Bool) { (index, false) }
}

/// UTF-8 chunks → tags and text, tolerant: what cannot be a tag is text, and every byte belongs to something.
///
/// Invariant of the unsafe reads: all indices lie in `0..<count` of the work buffer, which lives for the whole call.
struct MarkupLexer<Sink: MarkupSink> {
    private enum State { case content, comment, cdata }

    private let sink: Sink
    private let locator: Locator?
    private let names: NameTable?
    private var pending: [UInt8] = []
    private var base = 0
    private var state = State.content
    private var sectionStart = 0
    /// A row has begun whose end is not there yet.
    private var waits = false
    /// Is shown every byte but those of rows that go the short way.
    private let witness: XMLChecker?
    /// How much of the buffer it has seen.
    private var witnessed = 0
    private let unterminatedFrom: Int
    private let maximumTag: Int
    /// How many declarations were searched for their end in vain.
    private var endless = 0
    /// How far the end of a declaration may be: after many without one, no farther than any real one's.
    private var declarationReach: Int { endless < 64 ? 4096 : 128 }

    /// Without a locator, nobody asks for positions.
    init(
        sink: Sink, locator: Locator?, unterminatedFrom: Int?, limits: MarkupLimits, witness: XMLChecker? = nil
    ) {
        self.sink = sink
        self.witness = witness
        self.locator = locator
        names = sink.names
        self.unterminatedFrom = unterminatedFrom ?? .max
        maximumTag = limits.textBytes
    }

    /// Takes the next chunk; the last one is `isFinal` (and may be empty).
    mutating func feed(_ chunk: UnsafeBufferPointer<UInt8>, isFinal: Bool) {
        var rest = chunk
        var size = MarkupPass.joinedBytes
        // What has begun is put together with what follows it, not with the whole chunk.
        while !pending.isEmpty {
            let count = min(size, rest.count)
            let isAll = count == rest.count
            var work: [UInt8] = []
            swap(&work, &pending)
            work.append(contentsOf: rest[..<count])
            let used = work.withUnsafeBufferPointer { run($0, isFinal && isAll) }
            base += used
            let left = work.count - used
            if !isAll, left <= count {
                rest = UnsafeBufferPointer(rebasing: rest[(count - left)...])
                break
            }
            work.removeFirst(used)
            pending = work
            rest = UnsafeBufferPointer(rebasing: rest[count...])
            size *= 2
            if isAll { break }
        }
        if pending.isEmpty {
            let used = run(rest, isFinal)
            if !isFinal { pending.append(contentsOf: rest[used...]) }
            base += used
        }
        if isFinal {
            witness?.feed(UnsafeBufferPointer(start: nil, count: 0), isFinal: true)
            sink.finish(at: base)
        }
    }

    private mutating func run(_ bytes: UnsafeBufferPointer<UInt8>, _ isFinal: Bool) -> Int {
        locator?.hold(bytes, from: base)
        var index = 0
        witnessed = 0
        if waits { index = rows(bytes, index, isFinal) }
        while index < bytes.count, sink.wantsMore, !waits {
            let next: Int
            switch state {
            case .content:
                index = quick(bytes, index, isFinal)
                next = index < bytes.count && sink.wantsMore && !waits ? content(bytes, index, isFinal) : index
            case .comment: next = section(bytes, index, isFinal, end: 0x2D)
            case .cdata: next = section(bytes, index, isFinal, end: 0x5D)
            }
            if next == index { break }
            index = next
            if sink.isAfterRow { index = rows(bytes, index, isFinal) }
        }
        locator?.release(at: base + index)
        if let witness {
            // Where nothing more is wanted, the witness still hears everything.
            if isFinal || !sink.wantsMore { index = bytes.count }
            witness.feed(slice(bytes, witnessed, index), isFinal: false)
        }
        return index
    }

    private mutating func rows(_ bytes: UnsafeBufferPointer<UInt8>, _ start: Int, _ isFinal: Bool) -> Int {
        let (end, waits) = sink.takeRows(bytes, from: start, stream: base, isFinal: isFinal)
        self.waits = waits
        if end > start, let witness {
            witness.feed(slice(bytes, witnessed, start), isFinal: false)
            witnessed = end
        }
        return end
    }

    // MARK: - Plain tags

    /// Takes as many plain tags, with the text before each, as there are: `<NAME>` and `</NAME>` of a known name of at
    /// most 16 bytes. Where it stops, the slow way goes on.
    ///
    /// Invariant of the unsafe loads: they begin at `index` to `less + 10`, and are of 8 bytes, while
    /// `less + 18 <= bytes.count`.
    private mutating func quick(_ bytes: UnsafeBufferPointer<UInt8>, _ start: Int, _ isFinal: Bool) -> Int {
        guard let names, let memory = bytes.baseAddress else { return start }
        let limit = bytes.count - 18
        var index = start
        while index <= limit {
            var less = index
            var marks = Words.marks(Words.load(memory + less), 0x3C)
            while marks == 0 {
                less += 8
                if less > limit { return index }
                marks = Words.marks(Words.load(memory + less), 0x3C)
            }
            less += Words.first(marks)
            if less > limit { return index }
            let closes = memory[less + 1] == 0x2F
            let name = less + (closes ? 2 : 1)
            var low = Words.load(memory + name)
            var high: UInt64 = 0
            var length: Int
            marks = Words.marks(low, 0x3E)
            if marks != 0 {
                length = Words.first(marks)
                low = Words.prefix(low, length)
            } else {
                high = Words.load(memory + name + 8)
                marks = Words.marks(high, 0x3E)
                if marks == 0 { return index }
                length = Words.first(marks)
                high = Words.prefix(high, length)
                length += 8
            }
            guard let known = names.known(low, high) else { return index }
            let text = UnsafeBufferPointer(start: memory + index, count: less - index)
            let after = name + length + 1
            let isTaken =
                closes
                ? sink.quickClose(known, after: text, at: base + less, end: base + after)
                : sink.quickOpen(known, after: text, at: base + less, end: base + after)
            if !isTaken { return index }
            index = after
            if closes, sink.isAfterRow {
                index = rows(bytes, index, isFinal)
                if waits { return index }
            }
        }
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
            if end > start { sink.text(slice(bytes, start, end), isLiteral: false, at: base + start) }
            return end
        }
        guard less + 1 < bytes.count else {
            if isFinal { sink.partialTag(at: base + less) }
            return isFinal ? bytes.count : start
        }
        switch bytes[less + 1] {
        case 0x21: return declaration(bytes, less, isFinal)
        case 0x3F: return instruction(bytes, less, isFinal)
        case 0x2F: return tag(bytes, less, nameAt: less + 2, isFinal)
        default: return tag(bytes, less, nameAt: less + 1, isFinal)
        }
    }

    private mutating func literal(_ bytes: UnsafeBufferPointer<UInt8>, _ less: Int) -> Int {
        sink.text(slice(bytes, less, less + 1), isLiteral: true, at: base + less)
        return less + 1
    }

    private mutating func tag(
        _ bytes: UnsafeBufferPointer<UInt8>, _ less: Int, nameAt: Int, _ isFinal: Bool
    ) -> Int {
        let closes = nameAt == less + 2
        guard nameAt < bytes.count else {
            if isFinal { sink.partialTag(at: base + less) }
            return isFinal ? bytes.count : less
        }
        var name = nameAt
        while closes, name < bytes.count, bytes[name] == 0x20 { name += 1 }
        if name == bytes.count, !isFinal, name - less < maximumTag { return less }
        guard name < bytes.count, NameByte.starts(bytes[name]) else { return literal(bytes, less) }
        var nameEnd = name
        while nameEnd < bytes.count, NameByte.isName(bytes[nameEnd]) { nameEnd += 1 }
        let hasAttributes = !closes && nameEnd < bytes.count && bytes[nameEnd] <= 0x20
        var end = hasAttributes ? Self.tagEnd(bytes, nameEnd) : nameEnd
        while end < bytes.count, bytes[end] != 0x3E, bytes[end] != 0x3C { end += 1 }
        if end == bytes.count {
            if end - less > maximumTag || nameEnd - name > 128 { return literal(bytes, less) }
            if !isFinal { return less }
            guard Self.areAttributes(slice(bytes, nameEnd, end)) else { return literal(bytes, less) }
            sink.partialTag(at: base + less)
            return bytes.count
        }
        let lost = bytes[end] == 0x3C
        var rest = slice(bytes, nameEnd, end)
        let selfClosing = !closes && rest.last == 0x2F
        if selfClosing { rest = UnsafeBufferPointer(rebasing: rest.dropLast()) }
        // A close tag may have lost its `>`; an open tag without it would be a guess.
        let fits = closes ? rest.allSatisfy { $0 <= 0x20 } : (!lost && Self.areAttributes(rest))
        guard nameEnd - name <= 128, fits else { return literal(bytes, less) }
        let start = base + less
        let after = lost ? end : end + 1
        let tag = MarkupTag(
            name: slice(bytes, name, nameEnd), attributes: rest, selfClosing: selfClosing, start: start,
            end: base + after)
        if closes { sink.closeTag(tag) } else { sink.openTag(tag) }
        return after
    }

    /// Where a tag with attributes ends: a `>` within quotes is none of it. What is not quoted as XML has it, with a `<` in
    /// a value or without a second quote, is left to who looks for the first mark.
    private static func tagEnd(_ bytes: UnsafeBufferPointer<UInt8>, _ nameEnd: Int) -> Int {
        var end = nameEnd
        while end < bytes.count, bytes[end] != 0x3E, bytes[end] != 0x3C {
            let quote = bytes[end]
            let isOpen = (quote == 0x22 || quote == 0x27) && bytes[end - 1] == 0x3D
            end += 1
            guard isOpen else { continue }
            while end < bytes.count, bytes[end] != quote {
                if bytes[end] == 0x3C { return nameEnd }
                end += 1
            }
            if end < bytes.count { end += 1 }
        }
        return end
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
                sink.unterminated(at: base + less)
            } else {
                sectionStart = base + less
                state = isComment ? .comment : .cdata
            }
            sink.skipped(slice(bytes, less, less + length))
            return less + length
        }
        guard head.count > 2, NameByte.starts(head[2]) else { return literal(bytes, less) }
        var end = less + 2
        var quote: UInt8 = 0
        while end < bytes.count, quote != 0 || (bytes[end] != 0x3E && bytes[end] != 0x5B) {
            if quote == 0, bytes[end] == 0x22 || bytes[end] == 0x27 {
                quote = bytes[end]
            } else if bytes[end] == quote {
                quote = 0
            }
            end += 1
            if end - less > declarationReach {
                endless += 1
                return literal(bytes, less)
            }
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
                deliver(slice(bytes, start, index), at: base + start)
                state = .content
                return index + 3
            }
            index += 1
        }
        var end = isFinal ? bytes.count : max(start, bytes.count - 2)
        if state == .cdata, !isFinal, end > start, bytes[end - 1] == 0x0D { end -= 1 }
        if end > start { deliver(slice(bytes, start, end), at: base + start) }
        if isFinal { sink.unterminated(at: sectionStart) }
        return end
    }

    private func deliver(_ bytes: UnsafeBufferPointer<UInt8>, at offset: Int) {
        if state == .cdata {
            sink.text(bytes, isLiteral: true, at: offset)
        } else {
            sink.skipped(bytes)
        }
    }

    // MARK: - Characters

    private func slice(_ bytes: UnsafeBufferPointer<UInt8>, _ start: Int, _ end: Int) -> UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(rebasing: bytes[start..<end])
    }

    /// Nothing, or something that begins as `name =`.
    static func areAttributes(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        var index = 0
        while index < bytes.count, bytes[index] <= 0x20 { index += 1 }
        if index == bytes.count || (bytes[index] == 0x2F && index + 1 == bytes.count) { return true }
        guard index > 0, NameByte.starts(bytes[index]) else { return false }
        while index < bytes.count, NameByte.isName(bytes[index]) { index += 1 }
        while index < bytes.count, bytes[index] <= 0x20 { index += 1 }
        return index < bytes.count && bytes[index] == 0x3D
    }
}
