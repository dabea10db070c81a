/// Counts lines, characters and source bytes over the UTF-8 that the readers see.
struct PositionTracker {
    /// The next byte of the UTF-8 stream.
    private(set) var streamOffset = 0
    private(set) var position: MarkupPosition
    private let width: MarkupEncoding
    private var afterCR = false

    init(encoding: MarkupEncoding, skipped: Int) {
        width = encoding
        position = MarkupPosition(line: 1, column: 1, offset: skipped)
    }

    /// Counts `bytes`, which follow those counted so far.
    mutating func advance(_ bytes: UnsafeBufferPointer<UInt8>) {
        // Source bytes of UTF-8 are those of the stream: lines can be counted without looking at every character.
        if width == .utf8 { return advanceLines(bytes) }
        streamOffset += bytes.count
        let extra = advanceCharacters(bytes)
        position.offset += width.isUTF16 ? extra * 2 : extra
    }

    /// Goes on at the begin of a line, of which the bytes before are known to have so many.
    mutating func jump(to offset: Int, line: Int) {
        position.offset += offset - streamOffset
        streamOffset = offset
        position.line = line
        position.column = 1
        afterCR = false
    }

    /// Character by character; the UTF-16 units or single bytes that they are in the source.
    private mutating func advanceCharacters(_ bytes: UnsafeBufferPointer<UInt8>) -> Int {
        var line = position.line
        var column = position.column
        var extra = 0
        for byte in bytes {
            if byte >= 0x20 && byte < 0x80 {
                afterCR = false
                column += 1
                extra += 1
            } else if byte == 0x0A {
                if !afterCR { line += 1 }
                column = 1
                afterCR = false
                extra += 1
            } else if byte == 0x0D {
                line += 1
                column = 1
                afterCR = true
                extra += 1
            } else {
                afterCR = false
                let leads = byte & 0xC0 != 0x80
                column += leads ? 1 : 0
                extra += leads ? 1 : 0
                // Above the basic plane: two UTF-16 units.
                if byte >= 0xF0 && width.isUTF16 { extra += 1 }
            }
        }
        position.line = line
        position.column = column
        return extra
    }

    private mutating func advanceLines(_ bytes: UnsafeBufferPointer<UInt8>) {
        guard let start = bytes.baseAddress, !bytes.isEmpty else { return }
        let count = bytes.count
        streamOffset += count
        position.offset += count
        var lines = 0
        var index = 0
        // Eight at a time; `index + 9 <= count` keeps the load one further on inside the buffer too.
        while index + 9 <= count {
            let here = Words.load(start + index)
            // A line ends at each LF, and at each CR that no LF follows.
            var ends = Words.exact(here, 0x0A)
            let returns = Words.exact(here, 0x0D)
            if returns != 0 { ends |= returns & ~Words.exact(Words.load(start + index + 1), 0x0A) }
            if ends != 0 { lines += Words.count(ends) }
            index += 8
        }
        while index < count {
            let byte = start[index]
            if byte == 0x0A {
                lines += 1
            } else if byte == 0x0D, index + 1 == count || start[index + 1] != 0x0A {
                lines += 1
            }
            index += 1
        }
        // The CR that ended the bytes before was counted as an end already.
        if afterCR, start[0] == 0x0A { lines -= 1 }
        afterCR = start[count - 1] == 0x0D
        position.line += lines
        var first = count
        while first > 0, start[first - 1] != 0x0A, start[first - 1] != 0x0D { first -= 1 }
        var column = first == 0 ? position.column : 1
        for place in first..<count where start[place] & 0xC0 != 0x80 { column += 1 }
        position.column = column
    }
}

/// Says where bytes of the UTF-8 stream stand in the source: lines are counted only up to what somebody asks for.
///
/// Invariant: `buffer` is what the reader has under its hand, from `start` of the stream on; it is set before events are
/// made of it and let go, counted to its used end, before the reader gives it up.
final class Locator {
    @exclusivity(unchecked) private var tracker: PositionTracker
    @exclusivity(unchecked) private var buffer = UnsafeBufferPointer<UInt8>(start: nil, count: 0)
    @exclusivity(unchecked) private var start = 0
    let isUTF8: Bool
    private let skipped: Int
    let countsLines: Bool

    /// - Parameter countsLines: whether anybody will ask for more than offsets.
    init(encoding: MarkupEncoding, skipped: Int, countsLines: Bool = true) {
        self.countsLines = countsLines || encoding != .utf8
        tracker = PositionTracker(encoding: encoding, skipped: skipped)
        isUTF8 = encoding == .utf8
        self.skipped = skipped
    }

    func hold(_ buffer: UnsafeBufferPointer<UInt8>, from start: Int) {
        self.buffer = buffer
        self.start = start
    }

    /// Counts up to an offset of the stream, and lets the buffer go.
    func release(at offset: Int) {
        if countsLines { _ = position(at: offset) }
        buffer = UnsafeBufferPointer(start: nil, count: 0)
    }

    /// The position of a byte of the buffer at or after the one asked for last.
    func position(at offset: Int) -> MarkupPosition {
        guard countsLines else { return MarkupPosition(line: 0, column: 0, offset: offset + skipped) }
        let known = tracker.streamOffset
        let end = min(offset - start, buffer.count)
        if known >= start, end > known - start {
            tracker.advance(UnsafeBufferPointer(rebasing: buffer[(known - start)..<end]))
        }
        return tracker.position
    }

    /// Goes on at the begin of a line of the buffer that was counted elsewhere.
    func jump(to offset: Int, line: Int) { tracker.jump(to: offset, line: line) }

    /// The byte of the source.
    @inline(__always)
    func source(_ offset: Int) -> Int { isUTF8 ? offset + skipped : position(at: offset).offset }

    /// The first byte of the stream that was not counted.
    var offset: Int { tracker.streamOffset }

    /// The end of what was counted.
    var last: MarkupPosition { tracker.position }
}
