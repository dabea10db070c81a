import StrictYAML

/// Which definitions use which construct of the language.
public struct ConstructTable: Sendable {
    private var users: [String: Set<String>] = [:]

    /// An empty table.
    public init() {}

    /// Adds a definition with the parts that it names; one that is no YAML adds nothing.
    public mutating func add(_ bytes: [UInt8], parts: SharedParts = SharedParts()) {
        for tree in [try? YAML.parse(bytes), try? parts.tree(of: bytes)] {
            guard let root = try? tree?.mapping(), let id = try? root.string("importer") else { return }
            walk(root, DefinitionSchema.root, "", id)
        }
    }

    /// More definitions than this are counted, not named.
    private static let most = 30

    /// The constructs that exactly one definition uses, in the order of their names.
    public var lonely: [String] { users.filter { $0.value.count == 1 }.keys.sorted() }

    /// A document: one row a construct, in the order of their names.
    public var markdown: String {
        var text = """
            # Which definitions use which construct

            Made by `allocport importer lint --constructs`; a test holds it to the catalogue. The words themselves are
            explained in [README.md](README.md).

            | construct | definitions | which |
            |---|---|---|

            """
        for (construct, ids) in users.sorted(by: { $0.key < $1.key }) {
            let names = ids.count > Self.most ? "" : ids.sorted().joined(separator: ", ")
            text += "| `\(construct)` | \(ids.count) | \(names) |\n"
        }
        return text
    }

    private mutating func walk(_ map: YAMLMapping, _ shape: DefinitionSchema.Shape, _ path: String, _ id: String) {
        guard case .object(let keys) = shape else { return }
        for entry in map.entries {
            guard let key = keys.first(where: { $0.name == entry.key }) else { continue }
            if !key.isRequired { users[path + entry.key, default: []].insert(id) }
            descend(entry.value, key.shape, path + entry.key + ".", id)
        }
    }

    private mutating func descend(_ node: YAMLNode, _ shape: DefinitionSchema.Shape, _ path: String, _ id: String) {
        switch (node.value, DefinitionSchema.resolved(shape)) {
        case (_, .either(let shapes)): for shape in shapes { descend(node, shape, path, id) }
        case (.mapping, .object):
            if let map = try? node.mapping() { walk(map, DefinitionSchema.resolved(shape), path, id) }
        case (.mapping(let entries), .map(let value)): for entry in entries { descend(entry.value, value, path, id) }
        case (.sequence(let items), .list(let item)): for node in items { descend(node, item, path, id) }
        default: break
        }
    }
}
