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
    /// - Throws: ``DefinitionError`` with line, column and remedy.
    public static func load(_ bytes: [UInt8], file: String) throws(DefinitionError) -> DefinitionImporter {
        do throws(YAMLError) {
            return DefinitionImporter(try DefinitionReader.read(bytes, origin: file))
        } catch {
            throw DefinitionError(
                file: file, line: error.line, column: error.column, message: error.message, hint: error.hint)
        }
    }
}
