/// How one kind of delimited text is laid out: what separates its cells, what quotes them, what ends its lines.
public struct Dialect: Sendable, Hashable {
    /// What ends a line. Reading accepts every kind, also mixed; this one is for writing.
    public enum LineEnding: String, Sendable, Hashable, CaseIterable {
        case lf
        case crlf
        case cr

        /// The bytes of the line end.
        public var bytes: [UInt8] {
            switch self {
            case .lf: [Ascii.lineFeed]
            case .crlf: [Ascii.carriageReturn, Ascii.lineFeed]
            case .cr: [Ascii.carriageReturn]
            }
        }
    }

    /// The byte between two cells; ASCII, and none of quote, CR, LF.
    public var delimiter: UInt8
    /// The byte around a cell that may hold delimiters and line ends.
    public var quote: UInt8
    /// The line end to write.
    public var lineEnding: LineEnding

    /// Makes a dialect.
    public init(delimiter: UInt8 = 0x2C, quote: UInt8 = 0x22, lineEnding: LineEnding = .lf) {
        self.delimiter = delimiter
        self.quote = quote
        self.lineEnding = lineEnding
    }

    /// Comma-separated (RFC 4180).
    public static let csv = Dialect()
    /// Semicolon-separated, as spreadsheets write it where the comma is the decimal sign.
    public static let semicolon = Dialect(delimiter: 0x3B)
    /// Tab-separated.
    public static let tsv = Dialect(delimiter: 0x09)
    /// Separated by vertical bars.
    public static let pipe = Dialect(delimiter: 0x7C)
}

/// The ASCII bytes that the grammar names.
@usableFromInline
enum Ascii {
    @usableFromInline static let tab: UInt8 = 0x09
    @usableFromInline static let lineFeed: UInt8 = 0x0A
    @usableFromInline static let carriageReturn: UInt8 = 0x0D
    @usableFromInline static let space: UInt8 = 0x20
    @usableFromInline static let quote: UInt8 = 0x22
    @usableFromInline static let comma: UInt8 = 0x2C

    /// Whether the byte ends a line.
    @inlinable
    static func isLineEnd(_ byte: UInt8) -> Bool { byte == lineFeed || byte == carriageReturn }

    /// The byte in lower case, if it is an ASCII letter.
    @inlinable
    static func lowered(_ byte: UInt8) -> UInt8 { byte &- 0x41 < 26 ? byte | 0x20 : byte }
}
