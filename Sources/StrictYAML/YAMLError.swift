/// Why a text is not YAML of the accepted subset, or not what the reader asked for.
public struct YAMLError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The stable name of what is wrong. Names may grow, never change.
    public enum Code: String, Sendable, Hashable, CaseIterable {
        case encoding
        case controlCharacter
        case size
        case depth
        case tab
        case indentation
        case duplicateKey
        case anchor
        case alias
        case tag
        case mergeKey
        case directive
        case severalDocuments
        case complexKey
        case missingColon
        case missingSpace
        case reservedCharacter
        case unclosedQuote
        case unclosedFlow
        case flowSeparator
        case escape
        case trailingText
        case inlineBlock
        case blockHeader
        case unknownKey
        case missingKey
        case wrongType
        case wrongValue
    }

    /// The stable name of what is wrong.
    public let code: Code
    /// What is wrong, one sentence without a full stop.
    public let message: String
    /// What to do about it, one sentence without a full stop; never empty.
    public let hint: String
    /// Where it is.
    public let mark: YAMLMark

    /// The line, from 1.
    public var line: Int { mark.line }
    /// The column in Unicode scalars, from 1.
    public var column: Int { mark.column }

    /// An error at `mark`. Public so that a reader of definitions can report its own findings in the same shape.
    public init(_ code: Code, _ message: String, hint: String, at mark: YAMLMark) {
        self.code = code
        self.message = message
        self.hint = hint
        self.mark = mark
    }

    /// `line:column: message; hint`.
    public var description: String { "\(mark): \(message); \(hint)" }
}
