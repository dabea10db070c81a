public import Delimited

/// One unit of accounting: a physical record of a delimited file, or an aggregate of a marked-up one.
///
/// - Invariant: `raw` is valid only during the call that hands the unit over.
public struct SourceUnit {
    /// 1-based physical line on which it starts.
    public var line: Int
    /// 1-based column (byte) at which it starts; 1 for delimited records.
    public var column: Int
    /// Offset of its first byte in the decoded (UTF-8) stream.
    public var byteOffset: Int
    /// Its bytes, decoded to UTF-8, without the line ending.
    public var raw: ByteView

    /// A unit.
    public init(line: Int, column: Int = 1, byteOffset: Int, raw: ByteView) {
        self.line = line
        self.column = column
        self.byteOffset = byteOffset
        self.raw = raw
    }
}

extension SourceUnit {
    /// Lends a unit of bytes that an importer of one's own has cut out of an input.
    ///
    /// - Parameters:
    ///   - line: 1-based physical line on which it starts.
    ///   - bytes: in UTF-8, without the line ending.
    ///   - body: hands the unit to a sink; it is valid only here.
    public static func with<R, E: Error>(
        line: Int, _ bytes: some Sequence<UInt8>, _ body: (SourceUnit) throws(E) -> R
    ) throws(E) -> R {
        try ByteView.with(Array(bytes)) { (raw: ByteView) throws(E) -> R in
            try body(SourceUnit(line: line, byteOffset: 0, raw: raw))
        }
    }

    /// Its bytes as text.
    public var text: String { raw.string }
}
