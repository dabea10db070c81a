import StrictYAML

/// Why a definition cannot be used: where, what, and what to do.
public struct DefinitionError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The definition's file, as its user named it.
    public let file: String
    /// 1-based.
    public let line: Int
    /// 1-based, in characters.
    public let column: Int
    /// What is wrong.
    public let message: String
    /// What to do about it.
    public let hint: String

    /// `file:line:column: message; hint`.
    public var description: String { "\(file):\(line):\(column): \(message); \(hint)" }
}

/// Makes importers of definitions.
public enum DefinitionLoader {
    /// Reads one definition.
    ///
    /// - Parameter parts: Those that its tables may name.
    /// - Throws: ``DefinitionError`` with file, line, column and remedy; the file is a part's where that is wrong.
    public static func load(
        _ bytes: [UInt8], file: String, parts: SharedParts = SharedParts()
    ) throws(DefinitionError) -> DefinitionImporter {
        try load(file: file, parts) { () throws(YAMLError) in try parts.tree(of: bytes) }
    }

    /// Reads one definition whose tree was prepared.
    ///
    /// - Throws: ``DefinitionError`` with line, column and remedy.
    static func load(prepared tree: StaticString, file: String) throws(DefinitionError) -> DefinitionImporter {
        try load(file: file, SharedParts()) { () throws(YAMLError) in try node(prepared: tree) }
    }

    /// The tree that was prepared.
    static func node(prepared tree: StaticString) throws(YAMLError) -> YAMLNode {
        guard tree.hasPointerRepresentation else { return try YAML.parse([]) }
        return try YAML.read(prepared: UnsafeBufferPointer(start: tree.utf8Start, count: tree.utf8CodeUnitCount))
    }

    private static func load(
        file: String, _ parts: SharedParts, _ tree: () throws(YAMLError) -> YAMLNode
    ) throws(DefinitionError) -> DefinitionImporter {
        do throws(YAMLError) {
            return DefinitionImporter(try DefinitionReader.read(tree(), origin: file))
        } catch {
            throw DefinitionError(error, file: parts.file(of: error.mark, or: file))
        }
    }
}
