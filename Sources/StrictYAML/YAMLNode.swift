/// A place in a text: line and column start at 1.
public struct YAMLMark: Sendable, Hashable, CustomStringConvertible {
    // 32 bits are enough: a text has at most `YAML.maximumBytes` bytes.
    private let storedLine: UInt32
    private let storedColumn: UInt32
    /// The text it is in, where a tree is put together of several; 0 is its own. For who puts it together to tell.
    public let source: UInt16

    /// The line, from 1.
    public var line: Int { Int(storedLine) }
    /// The column in Unicode scalars, from 1.
    public var column: Int { Int(storedColumn) }

    /// A mark; numbers out of range are brought into range.
    public init(line: Int, column: Int, source: UInt16 = 0) {
        storedLine = UInt32(clamping: line)
        storedColumn = UInt32(clamping: column)
        self.source = source
    }

    /// `line:column`.
    public var description: String { "\(line):\(column)" }
}

/// How a scalar was written. Only `plain` can mean something else than its text (`~`).
public enum YAMLStyle: Sendable, Hashable {
    /// Without quotes.
    case plain
    /// In single or double quotes.
    case quoted
    /// As a literal `|` or folded `>` block.
    case block
}

/// One key with its value, in the order of the text.
public struct YAMLEntry: Sendable, Hashable {
    /// The key's text; keys are never typed.
    public let key: String
    /// Where the key starts.
    public let keyMark: YAMLMark
    /// What stands after the colon.
    public let value: YAMLNode

    /// An entry.
    public init(key: String, keyMark: YAMLMark, value: YAMLNode) {
        self.key = key
        self.keyMark = keyMark
        self.value = value
    }
}

/// A node of the tree with its place. Scalars are text: `NO`, `1.0` and `037833100` stay what they are.
public struct YAMLNode: Sendable, Hashable {
    /// What a node is.
    public enum Value: Sendable, Hashable {
        /// Nothing after the colon or dash, or an unquoted `~`.
        case null
        /// Text and how it was written.
        case scalar(String, YAMLStyle)
        /// A list.
        case sequence([YAMLNode])
        /// Keys with values, in order; no key twice.
        case mapping([YAMLEntry])
    }

    /// What the node is.
    public let value: Value
    /// Where it starts; for a null, where its value was expected.
    public let mark: YAMLMark

    /// A node.
    public init(_ value: Value, at mark: YAMLMark) {
        self.value = value
        self.mark = mark
    }
}
