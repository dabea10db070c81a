/// Where an element stands in the source file as it was given (before any change of encoding).
public struct MarkupPosition: Sendable, Hashable {
    /// The line, from 1; LF, CRLF and a lone CR each end a line.
    public var line: Int
    /// The character in the line, from 1.
    public var column: Int
    /// The byte offset in the source, from 0.
    public var offset: Int

    /// Makes a position; a line and column of 1 and offset 0 is the first byte.
    public init(line: Int, column: Int, offset: Int) {
        self.line = line
        self.column = column
        self.offset = offset
    }

    /// The first byte of a source.
    public static let start = MarkupPosition(line: 1, column: 1, offset: 0)
}

/// How an element came to its end.
public enum MarkupClosing: Sendable, Hashable {
    /// By its own close tag.
    case explicit
    /// By `/>`.
    case selfClosing
    /// By what follows: SGML lets leaves stay open, careless writers leave aggregates open too.
    case implied
    /// By the end of the input, in a file that does close its aggregates, or that stops inside a tag or value.
    case truncated
}

/// Something that was read around, and where; never a reason to stop.
public struct MarkupIssue: Sendable, Hashable {
    /// What was found.
    public enum Kind: Sendable, Hashable {
        /// A close tag with no open element of that name; it is passed over.
        case strayClose
        /// Text directly inside an aggregate; it is delivered as the aggregate's text.
        case strayText
        /// Text after the last element of the document.
        case textOutside
        /// `<!--` or `<![CDATA[` without its end; the content is read as if the opening were not there.
        case unterminated
        /// The input stops inside a tag.
        case partialTag
        /// An aggregate whose close tag is missing was closed by what follows.
        case impliedClose
        /// An aggregate too large for its tree; what is beyond the bound was left out.
        case aggregateTooLarge
        /// The XML is not well-formed here, so that the tolerant reader was used.
        case notWellFormed
    }

    /// What was found.
    public var kind: Kind
    /// Where.
    public var position: MarkupPosition
    /// The name or words concerned; for people.
    public var detail: String

    /// Makes an issue.
    public init(_ kind: Kind, at position: MarkupPosition, detail: String) {
        self.kind = kind
        self.position = position
        self.detail = detail
    }
}

/// Why reading stopped.
public enum MarkupError: Error, Sendable, Hashable {
    /// XML that is not well-formed, with libxml2's words.
    case malformed(at: MarkupPosition, code: Int, message: String)
    /// A document type with declarations of its own: never read, since entities could expand without bound.
    case declarations(at: MarkupPosition)
    /// Elements nested deeper than the limit.
    case tooDeep(at: MarkupPosition, limit: Int)
    /// A text, attribute or tag longer than the limit.
    case tooLong(at: MarkupPosition, limit: Int)
    /// More different element names than the limit.
    case tooManyNames(at: MarkupPosition, limit: Int)
    /// The sniffer found no markup that can be read (an HTML page, or no markup at all).
    case notMarkup
    /// The source could not be read; `errno`.
    case source(code: Int32)
    /// libxml2 could not make a parser.
    case parserUnavailable
}

/// Bounds that keep memory small whatever the input.
public struct MarkupLimits: Sendable, Hashable {
    /// How deep elements may nest.
    public var depth = 64
    /// The longest text of one element, attribute value or tag, in bytes.
    public var textBytes = 1 << 20
    /// The longest tag or comment that libxml2 gets to read, in bytes: it compares each attribute of a tag with all others.
    public var tagBytes = 1 << 18
    /// How many different element and attribute names a document may have.
    public var names = 8192
    /// The most nodes in one aggregate's tree.
    public var aggregateNodes = 4096

    /// The default bounds.
    public init() {}
}
