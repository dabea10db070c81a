import CByteMask
import Digests

/// Where the cells and the lines of a window end, as far as its records are clean: cells without quotes, or quoted from
/// end to end with no quote or line end within, lines that end in LF or CR LF.
///
/// It stops at the first byte that may be something else; what stands before it is right whatever follows, since a
/// record counts only when its line feed is there.
///
/// Invariant: `separators` and `lineEnds` have room for a byte in each place of a window and `slack` more, and `separators`
/// for one before the first. As of `BlockIndex`: 64 bytes beyond the end of what is read are readable.
struct SeparatorIndex: ~Copyable {
    /// The most bytes of a window; the index of one lies in the processor's nearest memory.
    static let windowBytes = 8192

    /// So many blocks are read at a time.
    private static let runBlocks = 2
    /// So many places are written beyond what is found.
    private static let slack = 8

    private let memory: UnsafeMutablePointer<UInt32>
    /// The places of the delimiters and line feeds that are not within quotes, from the start of the window. The one
    /// before the first is −1.
    let separators: UnsafeMutablePointer<UInt32>
    private(set) var separatorCount = 0
    /// The places of the line feeds among them.
    let lineEnds: UnsafeMutablePointer<UInt32>
    private(set) var lineCount = 0
    /// Whether a byte of the window is not ASCII.
    private(set) var hasHigh = false
    private let delimiter: UInt8
    private let quote: UInt8

    init(_ dialect: Dialect) {
        delimiter = dialect.delimiter
        quote = dialect.quote
        let room = SeparatorIndex.windowBytes + SeparatorIndex.slack
        memory = .allocate(capacity: 1 + 2 * room)
        memory.initialize(to: UInt32.max)
        separators = memory + 1
        lineEnds = separators + room
    }

    deinit { memory.deallocate() }

    /// Reads the window at `base`, which begins with a record and has `count` bytes or more, beside digests.
    mutating func read(_ base: UnsafePointer<UInt8>, count: Int, beside digests: borrowing DigestSteps) {
        let count = min(count, SeparatorIndex.windowBytes)
        let (separators, lineEnds) = (separators, lineEnds)
        let (delimiter, quote) = (delimiter, quote)
        var (found, lines) = (0, 0)
        var quoting = Quoting()
        var block = 0
        var end = count
        var hasHigh = false
        while block < end {
            // More steps are taken with the rows.
            digests.take()
            let whole = min(SeparatorIndex.runBlocks, (count &- block) / 64)
            if !quoting.isOpen, whole > 0 {
                let run = byte_run_of(
                    base + block, UInt32(truncatingIfNeeded: whole), delimiter, quote,
                    UInt32(truncatingIfNeeded: block), separators + found, lineEnds + lines)
                found &+= Int(run.separators)
                lines &+= Int(run.line_feeds)
                block &+= 64 &* Int(run.blocks)
                if run.blocks > 0 { quoting.endsInSeparator = run.ends_in_separator ? 1 : 0 }
                if Int(run.blocks) == whole { continue }
            }
            let marks = byte_marks_of(base + block, delimiter, quote)
            var left = marks.separators
            hasHigh = hasHigh || byte_mask_has_high(base + block)
            // Nothing is right from the first odd byte on.
            let odd = quoting.read(base + block, quote: quote, &left, marks.line_feeds)
            if odd != 0 {
                left &= odd & (0 &- odd) &- 1
                end = block &+ 1
            }
            // What stands at or after `count` is not input.
            if count &- block < 64 { left &= 1 &<< UInt64(truncatingIfNeeded: count &- block) &- 1 }
            let start = UInt32(truncatingIfNeeded: block)
            found &+= Int(byte_mask_places(left, start, separators + found))
            lines &+= Int(byte_mask_places(left & marks.line_feeds, start, lineEnds + lines))
            block &+= 64
        }
        (separatorCount, lineCount) = (found, lines)
        self.hasHigh = hasHigh
    }
}

/// What the bytes before a block say of it.
private struct Quoting {
    /// All ones within quotes.
    private var inside: UInt64 = 0
    /// In bit 0, whether the byte before is a separator, a closing quote, a carriage return.
    var endsInSeparator: UInt64 = 1
    private var endsInClosing: UInt64 = 0
    private var endsInReturn: UInt64 = 0

    /// Whether a block without quotes and control bytes depends on what stands before it.
    var isOpen: Bool {
        @inline(__always) get { inside | endsInClosing | endsInReturn != 0 }
    }

    /// Takes the separators within quotes out; returns the bytes that are not as in a clean record.
    @inline(never)
    mutating func read(
        _ block: UnsafePointer<UInt8>, quote: UInt8, _ separators: inout UInt64, _ lineFeeds: UInt64
    ) -> UInt64 {
        let quotes = byte_mask_equal(block, quote)
        let returns = byte_mask_equal(block, Ascii.carriageReturn)
        let inside = inside ^ Quoting.running(quotes)
        separators &= ~inside
        let closings = quotes & ~inside
        var odd = byte_mask_equal(block, 0) | (lineFeeds | returns) & inside
        odd |= (returns &<< 1 | endsInReturn) & ~lineFeeds
        odd |= quotes & inside & ~(separators &<< 1 | endsInSeparator)
        odd |= (closings &<< 1 | endsInClosing) & ~(separators | returns)
        self.inside = UInt64(bitPattern: Int64(bitPattern: inside) &>> 63)
        endsInSeparator = separators &>> 63
        endsInClosing = closings &>> 63
        endsInReturn = returns &>> 63
        return odd
    }

    /// Ones from each first quote to the byte before its second.
    @inline(__always)
    private static func running(_ quotes: UInt64) -> UInt64 {
        var inside = quotes
        inside ^= inside &<< 1
        inside ^= inside &<< 2
        inside ^= inside &<< 4
        inside ^= inside &<< 8
        inside ^= inside &<< 16
        inside ^= inside &<< 32
        return inside
    }
}
