import CByteMask
import Digests

/// Where the cells and the lines of a window end, as far as its records are clean: cells without quotes, or quoted from
/// end to end with no quote or line end within, lines that end in LF or CR LF.
///
/// It stops at the first byte that may be something else; what stands before it is right whatever follows, since a
/// record counts only when its line feed is there.
///
/// Invariant: `separators` and `lineEnds` have room for a place for each byte of a window and `SEPARATOR_SLACK` more, and
/// `separators` for one before the first. As of `BlockIndex`: 64 bytes beyond the end of what is read are readable.
struct SeparatorIndex: ~Copyable {
    /// The most bytes of a window; the index of one lies in the processor's nearest memory.
    static let windowBytes = 8192

    /// So many bytes are read between two steps of the digests.
    private static let pieceBytes = 256

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
        let room = SeparatorIndex.windowBytes + Int(SEPARATOR_SLACK)
        memory = .allocate(capacity: 1 + 2 * room)
        memory.initialize(to: UInt32.max)
        separators = memory + 1
        lineEnds = separators + room
    }

    deinit { memory.deallocate() }

    /// Reads the window at `base`, which begins with a record and has `count` bytes or more, beside digests.
    mutating func read(_ base: UnsafePointer<UInt8>, count: Int, beside digests: borrowing DigestSteps) {
        let count = min(count, SeparatorIndex.windowBytes)
        var scan = separator_scan(
            separators: separators, line_feeds: lineEnds,
            before: clean_state(inside: 0, after_separator: 1, after_closing: 0, after_return: 0),
            position: 0, delimiter: delimiter, quote: quote, has_high: false, is_over: false)
        var position = 0
        while position < count, !scan.is_over {
            // More steps are taken with the rows.
            digests.take()
            let piece = min(SeparatorIndex.pieceBytes, count &- position)
            separator_scan_on(&scan, base + position, UInt32(truncatingIfNeeded: piece))
            position &+= piece
        }
        separatorCount = scan.separators - separators
        lineCount = scan.line_feeds - lineEnds
        hasHigh = scan.has_high
    }
}
