import CByteMask

/// Where the cells and the lines of a window end, as far as its records are clean: cells without quotes, or quoted from
/// end to end with no quote or line end within, lines that end in LF or CR LF.
///
/// It stops at the first byte that may be something else; what stands before it is right whatever follows, since a
/// record counts only when its line feed is there.
///
/// Invariant: `separators` and `lineEnds` have room for a byte in each place of a window, and `separators` for one more
/// before the first. As of `BlockIndex`: 64 bytes beyond the end of what is read are readable.
struct SeparatorIndex: ~Copyable {
    /// The most bytes of a window; the index of one lies in the processor's nearest memory.
    static let windowBytes = 8192

    private let memory: UnsafeMutablePointer<UInt32>
    /// The places of the delimiters and line feeds that are not within quotes, from the start of the window. The one
    /// before the first is −1.
    let separators: UnsafeMutablePointer<UInt32>
    private(set) var separatorCount = 0
    /// The places of the line feeds among them.
    let lineEnds: UnsafeMutablePointer<UInt32>
    private(set) var lineCount = 0
    private let delimiter: UInt8
    private let quote: UInt8

    init(_ dialect: Dialect) {
        delimiter = dialect.delimiter
        quote = dialect.quote
        memory = .allocate(capacity: 1 + 2 * SeparatorIndex.windowBytes)
        memory.initialize(to: UInt32.max)
        separators = memory + 1
        lineEnds = separators + SeparatorIndex.windowBytes
    }

    deinit { memory.deallocate() }

    /// Reads the window at `base`, which begins with a record and has `count` bytes or more.
    mutating func read(_ base: UnsafePointer<UInt8>, count: Int) {
        let count = min(count, SeparatorIndex.windowBytes)
        var (found, lines) = (0, 0)
        defer { (separatorCount, lineCount) = (found, lines) }
        /// All ones within quotes.
        var carriedInside: UInt64 = 0
        /// Of the byte before a block, in bit 0: whether it is a separator, a closing quote, a carriage return.
        var (carriedSeparator, carriedClosing, carriedReturn): (UInt64, UInt64, UInt64) = (1, 0, 0)
        var block = 0
        while block < count {
            let marks = byte_marks_of(base + block, delimiter, quote)
            var inside = carriedInside
            if marks.quotes != 0 { inside ^= SeparatorIndex.running(marks.quotes) }
            var separators = (marks.delimiters | marks.line_feeds) & ~inside
            var odd: UInt64 = 0
            var returns: UInt64 = 0
            let controls = marks.controls & ~marks.line_feeds & ~marks.delimiters
            if controls != 0 {
                returns = byte_mask_equal(base + block, Ascii.carriageReturn)
                odd = byte_mask_equal(base + block, 0) | returns & inside
            }
            if returns | carriedReturn != 0 {
                odd |= (returns &<< 1 | carriedReturn) & ~marks.line_feeds
                carriedReturn = returns &>> 63
            }
            if marks.quotes | carriedInside | carriedClosing != 0 {
                let closings = marks.quotes & ~inside
                odd |= marks.line_feeds & inside
                odd |= marks.quotes & inside & ~(separators &<< 1 | carriedSeparator)
                odd |= (closings &<< 1 | carriedClosing) & ~(separators | returns)
                carriedClosing = closings &>> 63
                carriedInside = UInt64(bitPattern: Int64(bitPattern: inside) &>> 63)
            }
            carriedSeparator = separators &>> 63
            // What stands at or after `count` is not input; nor is anything right from the first odd byte on.
            var isLast = false
            if count &- block < 64 {
                separators &= 1 &<< UInt64(truncatingIfNeeded: count &- block) &- 1
            }
            if odd != 0 {
                separators &= odd & (0 &- odd) &- 1
                isLast = true
            }
            var ends = separators & marks.line_feeds
            while separators != 0 {
                let place = separators.trailingZeroBitCount
                self.separators[found] = UInt32(truncatingIfNeeded: block &+ place)
                found &+= 1
                separators &= separators &- 1
            }
            while ends != 0 {
                lineEnds[lines] = UInt32(truncatingIfNeeded: block &+ ends.trailingZeroBitCount)
                lines &+= 1
                ends &= ends &- 1
            }
            if isLast { return }
            block &+= 64
        }
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
