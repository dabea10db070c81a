/// The reader of a strict subset of YAML 1.2.
///
/// Accepted: comments, block and flow mappings and sequences, plain, quoted and block scalars, one leading `---`.
/// Refused with one message that says where and what to do: everything with a second meaning (tags, anchors, aliases,
/// merge keys, complex keys, several documents) and everything that is usually a slip (tabs in indentation, a key
/// twice, text that runs on).
public enum YAML {
    /// The largest text that is read, in bytes.
    public static let maximumBytes = 4 << 20
    /// The deepest nesting of lists and mappings.
    public static let maximumDepth = 64

    /// Reads one document; an empty one is a null at 1:1.
    ///
    /// - Parameter bytes: UTF-8, with or without a byte order mark; line ends LF, CRLF or CR.
    /// - Throws: The first `YAMLError`.
    public static func parse(_ bytes: [UInt8]) throws(YAMLError) -> YAMLNode {
        var parser = Parser(try Preparation.prepare(bytes))
        return try parser.parseDocument()
    }

    /// Reads one document from text; see `parse(_:)` for bytes.
    ///
    /// - Throws: The first `YAMLError`.
    public static func parse(_ text: String) throws(YAMLError) -> YAMLNode {
        try parse(Array(text.utf8))
    }
}
