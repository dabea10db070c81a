/// Reads delimited text of any origin as a stream of records, in bounded memory.
///
/// It never fails: it always finds a parse, and says by flags what was odd. The records are the same however the input
/// is cut into chunks. Feed it chunks; it calls back for each record:
///
///     var reader = DelimitedReader(dialect: .csv)
///     reader.feed(bytes, isLast: true) { record in print(record.line, record.cell(0).string) }
///
/// The grammar is that of RFC 4180, made tolerant:
/// - Lines end with LF, CR LF, CR CR LF or CR, also mixed. A quoted line end does not end the record.
/// - A quote opens a cell only as its first byte after spaces or tabs. Elsewhere it is a plain byte (`strayQuote`).
/// - Spaces and tabs around a quoted cell are padding. Other text after the closing quote makes the cell what stands
///   in the source, quotes included, up to the next delimiter (`textAfterQuote`).
/// - A record is read again as its first line alone, with the quotes that do not close on it as plain bytes
///   (`unclosedQuote`), when a quote does not close within the input or within `maxRecordBytes`, or closes on another
///   line with text after it.
/// - A line longer than `maxRecordBytes` is cut there (`tooLong`), and the rest of it is passed over.
public struct DelimitedReader: ~Copyable {
    /// The dialect.
    public let dialect: Dialect
    /// The longest record, in bytes of UTF-8.
    public let maxRecordBytes: Int
    /// The physical lines read so far.
    public private(set) var lineCount = 0
    /// The records given out so far.
    public private(set) var recordCount = 0

    /// How many bytes or UTF-16 units were not valid so far.
    public var invalidCount: Int { decoder.invalidCount }

    private var decoder: TextDecoder
    private var input = InputBuffer()
    private var cells = CellStore()
    private let usesFastPath: Bool

    /// The offset in the decoded stream of the byte at `input.start`.
    private var offset = 0
    private var bomLength = 0
    private var isBomChecked = false
    /// The stream offsets of bytes that were not valid and are not yet read; from `firstInvalid` on.
    private var invalidOffsets: [Int] = []
    private var firstInvalid = 0
    /// The stream offset of the first byte that was replaced: beyond it, offsets in the input are not known.
    private var firstReplaced = Int.max
    /// Unread bytes below this number were seen to be too few: trying again would only cost time.
    private var enough = 1
    /// The rest of a line that was too long is being passed over.
    private var isSkipping = false
    private var isEnded = false

    /// Looking ahead in vain for a closing quote is paid from this credit, which reading earns back; without credit
    /// a record is its first line. It bounds the work on hostile input to a constant factor of its size.
    private var credit: Int

    /// A reader at the start of a stream.
    ///
    /// - Parameters:
    ///   - encoding: the encoding of what is fed; a byte order mark at the start is passed over.
    ///   - maxRecordBytes: the longest record, 16 bytes to 1 GiB.
    public init(dialect: Dialect, encoding: TextEncoding = .utf8, maxRecordBytes: Int = 1 << 20) {
        self.init(dialect: dialect, encoding: encoding, maxRecordBytes: maxRecordBytes, usesFastPath: true)
    }

    /// The same; without the fast path it is the oracle in tests.
    init(dialect: Dialect, encoding: TextEncoding = .utf8, maxRecordBytes: Int = 1 << 20, usesFastPath: Bool) {
        self.dialect = dialect
        self.maxRecordBytes = min(max(maxRecordBytes, 16), 1 << 30)
        self.usesFastPath = usesFastPath && FastScanner.suits(dialect)
        decoder = TextDecoder(encoding: encoding)
        credit = 8 * self.maxRecordBytes
    }

    /// Reads a chunk, calling `body` with each record that is complete.
    ///
    /// - Parameters:
    ///   - chunk: the next bytes of the input, any number of them.
    ///   - isLast: whether the input ends with this chunk.
    /// - Throws: what `body` throws. The record that it was given counts as read.
    @inlinable
    public mutating func feed<E: Error>(
        _ chunk: UnsafeRawBufferPointer, isLast: Bool, _ body: (borrowing RecordView) throws(E) -> Void
    ) throws(E) {
        _ = try feedWhile(chunk, isLast: isLast) { (record: borrowing RecordView) throws(E) -> Bool in
            try body(record)
            return true
        }
    }

    /// Reads a chunk for as long as `body` returns true; returns false if it stopped.
    ///
    /// A reader that was stopped can be fed again only if the whole chunk was read; take it for done.
    public mutating func feedWhile<E: Error>(
        _ chunk: UnsafeRawBufferPointer, isLast: Bool, _ body: (borrowing RecordView) throws(E) -> Bool
    ) throws(E) -> Bool {
        var position = 0
        repeat {
            let size = min(chunk.count - position, Self.pieceBytes)
            let piece = UnsafeRawBufferPointer(rebasing: chunk[position..<position + size])
            position += size
            isEnded = isLast && position == chunk.count
            fill(piece)
            guard try drain(body) else { return false }
        } while position < chunk.count
        return true
    }

    /// Whether everything that was fed is read, so that the next byte begins a record.
    public var isAtRecord: Bool { input.count == 0 && !isSkipping && isBomChecked && decoder.isIdle }

    /// Counts records that somebody else has read in place of this reader, which must be at a record.
    ///
    /// - Parameters:
    ///   - bytes: their bytes, valid UTF-8.
    ///   - lines: their physical lines.
    ///   - records: how many they are.
    public mutating func pass(bytes: Int, lines: Int, records: Int) {
        precondition(isAtRecord, "passing over bytes in the middle of a record")
        lineCount += lines
        recordCount += records
        credit = min(credit + 32 * bytes, 8 * maxRecordBytes)
        offset += bytes
        enough = 1
    }

    /// Reads a whole input that is in memory.
    ///
    /// - Throws: what `body` throws.
    public mutating func read<E: Error>(
        _ bytes: [UInt8], _ body: (borrowing RecordView) throws(E) -> Void
    ) throws(E) {
        try bytes.withUnsafeBufferPointer { (buffer: UnsafeBufferPointer<UInt8>) throws(E) in
            try feed(UnsafeRawBufferPointer(buffer), isLast: true, body)
        }
    }

    /// Chunks are taken in pieces of this size, so that the buffer stays small whatever is fed.
    private static var pieceBytes: Int { 1 << 16 }

    private mutating func fill(_ piece: UnsafeRawBufferPointer) {
        input.reserve(TextDecoder.room(for: piece.count))
        if firstInvalid > 0 {
            invalidOffsets.removeFirst(firstInvalid)
            firstInvalid = 0
        }
        let known = invalidOffsets.count
        let base = offset + input.count
        input.advance(by: decoder.decode(piece, isLast: isEnded, to: input.tail, invalid: &invalidOffsets))
        for index in known..<invalidOffsets.count { invalidOffsets[index] += base }
    }

    /// Passes over byte order marks: a program that puts one before a file that has one leaves two. Returns false if too
    /// little is there to tell.
    private mutating func checkBom() -> Bool {
        if isBomChecked { return true }
        while input.count >= 3 {
            let bytes = input.base + input.start
            guard bytes[0] == 0xEF, bytes[1] == 0xBB, bytes[2] == 0xBF else { break }
            bomLength += 3
            input.start += 3
            for index in invalidOffsets.indices { invalidOffsets[index] -= 3 }
        }
        if input.count < 3, !isEnded { return false }
        isBomChecked = true
        return true
    }

    /// Gives out the records that are complete.
    private mutating func drain<E: Error>(_ body: (borrowing RecordView) throws(E) -> Bool) throws(E) -> Bool {
        guard checkBom() else { return true }
        var fast = FastScanner(
            dialect: dialect, base: UnsafePointer(input.base), start: input.start, end: input.end,
            limit: maxRecordBytes)
        while input.count > 0, input.count >= enough || isEnded {
            if isSkipping {
                guard skipLine() else { break }
                continue
            }
            if usesFastPath {
                if fast.next != input.start { fast.seek(input.start) }
                if fast.scan(into: &cells) {
                    enough = 1
                    let found = Found(length: fast.length, next: fast.next - input.start, lines: 1, flags: [])
                    guard try give(found, to: body) else { return false }
                    continue
                }
                fast.lose()
            }
            guard let found = scan() else {
                // At least half as much again, so that the repeated work stays in proportion to the input.
                enough = input.count + max(input.count / 2, 1)
                break
            }
            enough = 1
            guard try give(found, to: body) else { return false }
        }
        return true
    }

    /// One record, before it is given out.
    private struct Found {
        var length: Int
        var next: Int
        var lines: Int
        var flags: RecordFlags
    }

    /// Finds the next record, or nil if more input is needed.
    private mutating func scan() -> Found? {
        if credit > 0 {
            var parser = makeParser(available: input.count, isEnd: isEnded, limit: maxRecordBytes, isLine: false)
            switch parser.parse(into: &cells) {
            case .record:
                return Found(
                    length: parser.length, next: parser.next, lines: parser.newlines + 1, flags: parser.flags)
            case .needMore: return nil
            case .broken: credit -= parser.furthest
            }
        }
        return scanLine()
    }

    /// Finds the next record as the first line alone.
    private mutating func scanLine() -> Found? {
        let bytes = input.base + input.start
        var end = 0
        while end < input.count, end <= maxRecordBytes, !Ascii.isLineEnd(bytes[end]) { end += 1 }
        var next = end
        var flags: RecordFlags = []
        if end > maxRecordBytes {
            flags = .tooLong
            end = maxRecordBytes
            // Not within a character.
            while end > maxRecordBytes - 3, bytes[end] & 0xC0 == 0x80 { end -= 1 }
            next = end
            isSkipping = true
        } else if end < input.count {
            let ending = LineEnd.length(at: bytes + end, available: input.count - end, isEnd: isEnded)
            if ending == 0 { return nil }
            next += ending
        } else if !isEnded {
            return nil
        }
        var parser = makeParser(available: end, isEnd: true, limit: .max, isLine: true)
        _ = parser.parse(into: &cells)
        return Found(length: end, next: next, lines: 1, flags: flags.union(parser.flags))
    }

    private func makeParser(available: Int, isEnd: Bool, limit: Int, isLine: Bool) -> ScalarParser {
        ScalarParser(
            bytes: UnsafePointer(input.base + input.start), available: available, isEnd: isEnd, dialect: dialect,
            limit: limit, isLine: isLine)
    }

    /// Passes over the rest of a line. Returns false if it does not end yet.
    private mutating func skipLine() -> Bool {
        let bytes = input.base + input.start
        var end = 0
        while end < input.count, !Ascii.isLineEnd(bytes[end]) { end += 1 }
        var ending = 0
        if end < input.count {
            ending = LineEnd.length(at: bytes + end, available: input.count - end, isEnd: isEnded)
        }
        isSkipping = ending == 0
        advance(by: end + ending)
        return ending > 0
    }

    private mutating func advance(by length: Int) {
        input.start += length
        offset += length
        while firstInvalid < invalidOffsets.count, invalidOffsets[firstInvalid] < offset {
            firstReplaced = min(firstReplaced, invalidOffsets[firstInvalid])
            firstInvalid += 1
        }
    }

    private mutating func give<E: Error>(
        _ found: Found, to body: (borrowing RecordView) throws(E) -> Bool
    ) throws(E) -> Bool {
        let bytes = UnsafePointer(input.base + input.start)
        let start = offset
        let isMoved = firstReplaced < start || decoder.encoding != .utf8
        var flags = found.flags
        if firstInvalid < invalidOffsets.count, invalidOffsets[firstInvalid] < start + found.next {
            flags.insert(.invalidEncoding)
        }
        let record = RecordView(
            base: bytes, length: found.length, cells: cells.cells, scratch: cells.scratch, count: cells.count,
            line: lineCount + 1, lineCount: found.lines, byteOffset: start,
            sourceOffset: isMoved ? nil : start + bomLength, flags: flags,
            isUnended: isEnded && found.next == found.length && found.next == input.count)
        lineCount += found.lines
        recordCount += 1
        credit = min(credit + 32 * found.next, 8 * maxRecordBytes)
        advance(by: found.next)
        return try body(record)
    }
}
