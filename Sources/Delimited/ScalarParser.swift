/// The length of a line end: LF, CR LF, CR CR LF (what a doubled conversion leaves) or CR.
enum LineEnd {
    /// The length of the line end at `bytes`, or 0 when more input is needed to tell. `bytes[0]` is CR or LF.
    ///
    /// `available` bytes can be read at `bytes`, at least one; `isEnd`: nothing follows them.
    static func length(at bytes: UnsafePointer<UInt8>, available: Int, isEnd: Bool) -> Int {
        if bytes[0] == Ascii.lineFeed { return 1 }
        if available == 1 { return isEnd ? 1 : 0 }
        if bytes[1] == Ascii.lineFeed { return 2 }
        if bytes[1] != Ascii.carriageReturn { return 1 }
        if available == 2 { return isEnd ? 1 : 0 }
        return bytes[2] == Ascii.lineFeed ? 3 : 1
    }
}

/// The grammar, one byte at a time: the definition of what a record is. The fast path must agree with it.
///
/// Invariant: `bytes` can be read at `0 ..< available`; every read is guarded by that or by `peek`.
struct ScalarParser {
    /// How an attempt at one record ended.
    enum Outcome {
        /// The record ends at `length`, its line end at `next`.
        case record
        /// The bytes at hand do not decide it.
        case needMore
        /// A quote has no credible end, or the record is longer than allowed: read its first line alone.
        case broken
    }

    let bytes: UnsafePointer<UInt8>
    let available: Int
    /// Nothing follows the available bytes.
    let isEnd: Bool
    let dialect: Dialect
    /// The largest length of a record, in bytes.
    let limit: Int
    /// The bytes are one line, all of it: a quote that does not close is a plain byte.
    let isLine: Bool

    private(set) var length = 0
    private(set) var next = 0
    private(set) var newlines = 0
    /// How far a broken attempt had looked.
    private(set) var furthest = 0
    private(set) var flags: RecordFlags = []

    /// A parser at the start of a record.
    init(bytes: UnsafePointer<UInt8>, available: Int, isEnd: Bool, dialect: Dialect, limit: Int, isLine: Bool) {
        self.bytes = bytes
        self.available = available
        self.isEnd = isEnd
        self.dialect = dialect
        self.limit = limit
        self.isLine = isLine
    }

    private static let end = -1
    private static let unknown = -2

    /// The byte at a position, `end` after the last one, or `unknown`.
    private func peek(_ position: Int) -> Int {
        if position < available { return Int(bytes[position]) }
        return isEnd ? Self.end : Self.unknown
    }

    private func isDelimiter(_ byte: Int) -> Bool { byte == Int(dialect.delimiter) }
    private func isQuote(_ byte: Int) -> Bool { byte == Int(dialect.quote) }
    private func isLineEnd(_ byte: Int) -> Bool { byte == 0x0A || byte == 0x0D }
    private func isPadding(_ byte: Int) -> Bool { (byte == 0x20 || byte == 0x09) && !isDelimiter(byte) }

    /// Reads one record from position 0 into `cells`.
    mutating func parse(into cells: inout CellStore) -> Outcome {
        cells.removeAll()
        var start = 0
        let first = peek(0)
        if first == Self.unknown { return .needMore }
        if first == Self.end || isLineEnd(first) { return finish(at: 0) }
        while true {
            let cellEnd: Int
            switch cell(from: start, into: &cells) {
            case .ended(let position): cellEnd = position
            case .needMore: return .needMore
            case .broken(let position):
                furthest = position
                return .broken
            }
            let byte = peek(cellEnd)
            if byte == Self.end || isLineEnd(byte) {
                if newlines > 0, hidesRecords(beside: cells.count) { flags.insert(.hidesRecords) }
                return finish(at: cellEnd)
            }
            start = cellEnd + 1
        }
    }

    private mutating func finish(at position: Int) -> Outcome {
        length = position
        next = position
        if position < available {
            let ending = LineEnd.length(at: bytes + position, available: available - position, isEnd: isEnd)
            if ending == 0 { return .needMore }
            next += ending
        }
        return .record
    }

    private enum CellEnd {
        /// At a delimiter, a line end, or the end of the input.
        case ended(Int)
        case needMore
        /// At the position that told.
        case broken(Int)
    }

    private mutating func cell(from start: Int, into cells: inout CellStore) -> CellEnd {
        var position = start
        while isPadding(peek(position)), position < limit { position += 1 }
        if isQuote(peek(position)), position < limit {
            switch quoted(from: position) {
            case .closed(let close, let isDoubled):
                return afterQuote(start: start, open: position, close: close, isDoubled: isDoubled, into: &cells)
            case .needMore: return .needMore
            case .unclosed(let furthest):
                guard isLine else { return .broken(furthest) }
                flags.insert(.unclosedQuote)
                position += 1
            }
        }
        return plain(start: start, from: position, strayQuotes: true, into: &cells)
    }

    private enum QuoteEnd {
        case closed(at: Int, isDoubled: Bool)
        case needMore
        case unclosed(Int)
    }

    private var cellNewlines = 0

    /// Finds the quote that closes the one at `open`.
    private mutating func quoted(from open: Int) -> QuoteEnd {
        var position = open + 1
        var isDoubled = false
        cellNewlines = 0
        while position < limit {
            let byte = peek(position)
            if byte == Self.unknown { return .needMore }
            if byte == Self.end { return .unclosed(position) }
            if isQuote(byte) {
                let following = peek(position + 1)
                if following == Self.unknown { return .needMore }
                if !isQuote(following) { return .closed(at: position, isDoubled: isDoubled) }
                isDoubled = true
                position += 2
            } else if isLineEnd(byte) {
                let ending = LineEnd.length(at: bytes + position, available: available - position, isEnd: isEnd)
                if ending == 0 { return .needMore }
                cellNewlines += 1
                position += ending
            } else {
                if byte == 0 { flags.insert(.nul) }
                position += 1
            }
        }
        return .unclosed(position)
    }

    /// Judges what follows a closing quote.
    private mutating func afterQuote(
        start: Int, open: Int, close: Int, isDoubled: Bool, into cells: inout CellStore
    ) -> CellEnd {
        var position = close + 1
        while isPadding(peek(position)), position < limit { position += 1 }
        let byte = peek(position)
        if byte == Self.unknown { return .needMore }
        if byte == Self.end || isDelimiter(byte) || isLineEnd(byte) {
            if position >= limit, isDelimiter(byte) { return .broken(position) }
            newlines += cellNewlines
            if cellNewlines > 0 { countHidden(open + 1..<close) }
            if isDoubled {
                let content = UnsafeBufferPointer(start: bytes + open + 1, count: close - open - 1)
                cells.appendUndoubled(content, quote: dialect.quote, rawEnd: position)
            } else {
                cells.append(CellSpan(start: open + 1, end: close, rawEnd: position, marks: CellSpan.quoted))
            }
            return .ended(position)
        }
        if cellNewlines > 0 { return .broken(position) }
        flags.insert(.textAfterQuote)
        return plain(start: start, from: position, strayQuotes: false, into: &cells)
    }

    // MARK: Records in a cell

    /// Delimiters in the cells that go over lines, and what stands between two of them and is a number or a date.
    private var hiddenDelimiters = 0
    private var hiddenNumbers = 0

    /// Whether the cells that go over lines hold as many delimiters as a record has, with numbers between them: their
    /// quotes may be two that were left open, on lines below each other.
    private func hidesRecords(beside count: Int) -> Bool {
        count >= 4 && hiddenDelimiters >= count - 1 && hiddenNumbers >= 2
    }

    private mutating func countHidden(_ content: Range<Int>) {
        var digits = 0
        var others = 0
        for position in content {
            let byte = bytes[position]
            if byte == dialect.delimiter || byte == Ascii.lineFeed || byte == Ascii.carriageReturn {
                if byte == dialect.delimiter { hiddenDelimiters += 1 }
                if digits > 0, others == 0 { hiddenNumbers += 1 }
                (digits, others) = (0, 0)
            } else if byte &- 0x30 < 10 {
                digits += 1
            } else if byte > 0x39 && byte != 0x3A || byte < 0x20 {
                others += 1
            }
        }
    }

    /// A cell that is what stands there, up to the next delimiter or line end.
    private mutating func plain(
        start: Int, from: Int, strayQuotes: Bool, into cells: inout CellStore
    ) -> CellEnd {
        var position = from
        var quotes = 0
        while true {
            let byte = peek(position)
            if byte == Self.unknown { return .needMore }
            if byte == Self.end || isLineEnd(byte) { break }
            if position >= limit { return .broken(position) }
            if isDelimiter(byte) { break }
            if isQuote(byte) { quotes += 1 }
            if byte == 0 { flags.insert(.nul) }
            position += 1
        }
        if quotes > 0, strayQuotes, !isFormula(start, position, quotes: quotes) { flags.insert(.strayQuote) }
        cells.append(CellSpan(start: start, end: position, rawEnd: position, marks: 0))
        return .ended(position)
    }

    /// Whether a cell is a spreadsheet's text formula, `="…"`: its quotes are where they belong.
    private func isFormula(_ start: Int, _ end: Int, quotes: Int) -> Bool {
        quotes == 2 && end - start >= 3 && bytes[start] == 0x3D && bytes[start + 1] == dialect.quote
            && bytes[end - 1] == dialect.quote
    }
}
