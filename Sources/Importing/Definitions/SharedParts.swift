import DefinitionParts
import StrictYAML

/// What several definitions share, as `parts:` of their tables name it; see Importers/README.md.
public struct SharedParts: Sendable {
    private var parts = DefinitionParts()

    /// No parts.
    public init() {}

    /// Whether a document is a part, and no definition; one that is no YAML is none.
    public static func isPart(_ bytes: [UInt8]) -> Bool {
        // A definition is told by a look at its lines, without being read twice.
        let lines = bytes.split(separator: UInt8(ascii: "\n"))
        guard lines.contains(where: { $0.starts(with: "part:".utf8) }), let root = try? YAML.parse(bytes) else {
            return false
        }
        return DefinitionParts.isPart(root)
    }

    /// Adds a part; of two with one name the later stands.
    ///
    /// - Throws: ``DefinitionError`` with line, column and remedy. What its maps and its table say is read with the
    ///   definitions that take it.
    public mutating func add(_ bytes: [UInt8], file: String) throws(DefinitionError) {
        do throws(YAMLError) {
            try parts.add(YAML.parse(bytes), file: file)
        } catch {
            throw DefinitionError(error, file: file)
        }
    }

    /// A definition's tree with its parts in their places.
    ///
    /// - Throws: `YAMLError` where it is no YAML, or names a part that is not there.
    func tree(of bytes: [UInt8]) throws(YAMLError) -> YAMLNode { try parts.expanded(YAML.parse(bytes)) }

    /// The file that a mark is in: that of a part, or the definition's own.
    func file(of mark: YAMLMark, or own: String) -> String { parts.file(of: mark) ?? own }
}

extension DefinitionError {
    /// What is wrong with a text.
    init(_ error: YAMLError, file: String) {
        self.init(file: file, line: error.line, column: error.column, message: error.message, hint: error.hint)
    }
}
