/// One column of a schema.
public struct Column: Sendable, Hashable {
    /// The types that openalloc knows. The raw value is the model's own word for it.
    public enum ValueType: String, Sendable, Hashable, CaseIterable {
        /// Any text.
        case string
        /// A number with decimals: `double` on the wire, an ``ExactDecimal`` in memory.
        case double
        /// A whole number.
        case int
        /// `true` or `false`.
        case bool
        /// A moment, RFC 3339 in UTC.
        case date
    }

    /// What a row must say in a column.
    public struct Flags: OptionSet, Sendable, Hashable {
        /// The bits.
        public let rawValue: UInt8
        /// Takes the bits.
        public init(rawValue: UInt8) { self.rawValue = rawValue }

        /// Every row has the column.
        public static let required = Flags(rawValue: 1)
        /// The column is part of the row's key.
        public static let key = Flags(rawValue: 2)
        /// The column is required, but blank stands for "none", as with lot ids.
        public static let blankable = Flags(rawValue: 4)
    }

    /// The name in headers.
    public let name: String
    /// The type of every value that is not blank.
    public let type: ValueType
    /// What a row must say here.
    public let flags: Flags
    /// The words that are allowed, where the column is a choice; else empty.
    public let allowedValues: [String]
    /// What the column means, in one sentence.
    public let description: String

    /// Declares a column.
    public init(
        _ name: String, _ type: ValueType, _ flags: Flags, allowedValues: [String] = [], _ description: String
    ) {
        self.name = name
        self.type = type
        self.flags = flags
        self.allowedValues = allowedValues
        self.description = description
    }

    /// Declares a column that a row may leave out and that is not part of the key.
    public init(_ name: String, _ type: ValueType, allowedValues: [String] = [], _ description: String) {
        self.init(name, type, [], allowedValues: allowedValues, description)
    }

    /// Whether every row has the column.
    public var isRequired: Bool { flags.contains(.required) }
    /// Whether the column is part of the row's key.
    public var isKey: Bool { flags.contains(.key) }
    /// Whether a row may leave the column blank: it is not required, or blank stands for "none".
    public var mayBeBlank: Bool { !isRequired || flags.contains(.blankable) }
}
