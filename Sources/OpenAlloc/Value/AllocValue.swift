/// One value of a row: what a cell holds once its column's type is known.
public enum AllocValue: Sendable, Hashable {
    /// Nothing was said.
    case null
    /// Text, as the source says it.
    case string(String)
    /// An exact number.
    case decimal(ExactDecimal)
    /// A whole number.
    case int(Int)
    /// True or false.
    case bool(Bool)
    /// A moment.
    case date(Instant)

    /// Whether nothing was said: null, or text of no characters.
    public var isBlank: Bool {
        switch self {
        case .null: true
        case .string(let text): text.isEmpty
        default: false
        }
    }

    /// The text of a cell: `true`/`false`, RFC 3339, the shortest decimal, blank for null.
    public var text: String {
        if case .string(let text) = self { return text }
        var bytes: [UInt8] = []
        append(to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Appends the text of a cell, without any quoting.
    public func append(to bytes: inout [UInt8]) {
        switch self {
        case .null: break
        case .string(let text): bytes.append(contentsOf: text.utf8)
        case .decimal(let number): number.append(to: &bytes)
        case .int(let number): ExactDecimal(number).append(to: &bytes)
        case .bool(let flag): bytes.append(contentsOf: flag ? "true".utf8 : "false".utf8)
        case .date(let moment): moment.append(to: &bytes)
        }
    }
}
