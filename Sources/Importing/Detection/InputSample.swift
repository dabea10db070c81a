public import Delimited

/// The beginning of an input, decoded: what detection looks at.
public struct InputSample: Sendable {
    /// The file name alone.
    public var name: String
    /// The first bytes as they are.
    public var head: [UInt8]
    /// Whether `head` is the whole input.
    public var isWhole: Bool
    /// The encoding of the text.
    public var encoding: TextEncoding
    /// Bytes of the byte order mark before the text.
    public var bomLength: Int

    /// How many bytes a sample has at most.
    public static let length = 1 << 16

    /// Reads the beginning of an input.
    ///
    /// - Throws: `InputError.notText` for what is no text.
    public init(of input: any InputSource) throws(InputError) {
        name = input.name
        head = try input.bytes(at: 0, count: InputSample.length)
        isWhole = head.count == input.byteCount
        switch EncodingDetector.detect(head, isWhole: isWhole) {
        case .text(let found, let mark): (encoding, bomLength) = (found, mark)
        case .binary(let kind): throw .notText(name: input.name, kind: kind.rawValue)
        }
    }
}
