/// A JSON value and where it stands in the text that it was read from.
public struct JSONNode: Sendable, Hashable {
    /// The value.
    public enum Kind: Sendable, Hashable {
        /// `null`
        case null
        /// `true` or `false`
        case bool(Bool)
        /// The token's own text, so that no digit is lost.
        case number(String)
        /// The text, with its escapes resolved.
        case string(String)
        /// The elements in order.
        case array([JSONNode])
        /// The members in the order of the text; no name occurs twice.
        case object([JSONMember])
    }

    /// The value.
    public let kind: Kind
    /// The bytes that the value takes.
    public let range: Range<Int>
    /// The line on which it begins, from 1.
    public let line: Int

    /// A member's value; `nil` when this is no object or has no such member.
    public subscript(name: String) -> JSONNode? {
        guard case .object(let members) = kind else { return nil }
        return members.first { $0.name == name }?.value
    }
}

/// A name and its value.
public struct JSONMember: Sendable, Hashable {
    /// The name.
    public let name: String
    /// The value.
    public let value: JSONNode
}

/// Why a text is not JSON, and where.
public struct JSONError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What is wrong.
    public enum Code: String, Sendable, Hashable, CaseIterable {
        /// The text ends within a value.
        case endOfText = "the text ends too soon"
        /// A byte that cannot stand here.
        case unexpected = "this cannot stand here"
        /// Something follows the value.
        case trailing = "something follows the value"
        /// A number such as `01`, `1.` or `+1`.
        case badNumber = "this is no JSON number"
        /// An escape that JSON does not have, or half of a surrogate pair.
        case badEscape = "this escape is not JSON's"
        /// A control character that must be escaped.
        case controlCharacter = "a control character must be escaped in a string"
        /// A string that is not UTF-8.
        case notUTF8 = "this string is not UTF-8"
        /// A name that the object already has.
        case duplicateName = "the object has this name twice"
        /// More nesting than is allowed.
        case tooDeep = "this is nested too deep"
    }

    /// What is wrong.
    public let code: Code
    /// The byte at which it is wrong, from 0.
    public let offset: Int
    /// Its line, from 1.
    public let line: Int
    /// Its place in the line, in bytes from 1.
    public let column: Int

    /// Line, column and reason in words.
    public var description: String { "line \(line), column \(column): \(code.rawValue)" }
}
