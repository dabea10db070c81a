public import StrictYAML

/// What several definitions share, under a name: maps, and keys of the tables that name it.
///
/// A part is a document of its own (`part: <name>`); a table of a definition takes it with `parts: <name>`. It is put in
/// before the definition is read, so that nothing else of the language knows of it.
public struct DefinitionParts: Sendable {
    private struct Part {
        let maps: YAMLNode?
        let table: YAMLNode?
    }

    private var parts: [String: Part] = [:]
    /// The files of the parts, by the number that their marks have, less 1.
    private var files: [String] = []

    /// No parts.
    public init() {}

    /// The keys of a part.
    public static let rootKeys = ["part", "version", "maps", "table"]
    /// So many fit into a mark.
    private static let most = 4095

    /// Whether a document is a part.
    public static func isPart(_ root: YAMLNode) -> Bool {
        guard case .mapping(let entries) = root.value else { return false }
        return entries.contains { $0.key == "part" }
    }

    /// Adds a part; of two with one name the later stands.
    ///
    /// - Parameter file: The part's file, as its user named it.
    /// - Throws: `YAMLError` when it has other keys than a part, or they are not what they must be. What its maps and its
    ///   table say is read with the definitions that take it.
    public mutating func add(_ root: YAMLNode, file: String) throws(YAMLError) {
        let map = try root.mapping(allowed: Self.rootKeys)
        let name = try map.required("part")
        let text = try name.string()
        guard !text.isEmpty, text.utf8.allSatisfy(Self.isWordByte) else {
            throw name.wrongValue("‘\(text)’ is no name of a part", hint: "write small letters, digits and ‘_’")
        }
        let version = try map.required("version")
        guard try version.int() == 1 else {
            throw version.wrongValue("this version of the language is not known", hint: "write ‘version: 1’")
        }
        _ = try map["maps"]?.mapping()
        let table = try map["table"]?.mapping()
        guard map["maps"] != nil || table != nil else {
            throw root.wrongValue("the part has nothing to share", hint: "write ‘maps:’ or ‘table:’, or both")
        }
        guard table?["parts"] == nil else {
            throw root.wrongValue("a part takes no other parts", hint: "name both in the tables that need them")
        }
        guard files.count < Self.most else {
            throw root.wrongValue("there are more than \(Self.most) parts", hint: "leave out those that nothing takes")
        }
        files.append(file)
        let source = UInt16(files.count)
        parts[text] = Part(maps: map["maps"]?.inSource(source), table: map["table"]?.inSource(source))
    }

    /// A definition with the parts that its tables name in their places: what the table says itself comes first, and
    /// stands where both say something.
    ///
    /// - Throws: `YAMLError` at the name of a part that is not there, and where one has a list and the other a mapping. A tree that is no definition stays as it is.
    public func expanded(_ root: YAMLNode) throws(YAMLError) -> YAMLNode {
        guard case .mapping(var entries) = root.value,
            let place = entries.firstIndex(where: { $0.key == "tables" }),
            case .sequence(var tables) = entries[place].value.value
        else { return root }
        var maps: [YAMLNode] = []
        var takesParts = false
        for index in tables.indices {
            guard case .mapping(let keys) = tables[index].value, let names = keys.first(where: { $0.key == "parts" })
            else { continue }
            takesParts = true
            var table = YAMLNode(.mapping(keys.filter { $0.key != "parts" }), at: tables[index].mark)
            for name in try names.value.oneOrMany() {
                let part = try part(name)
                if let more = part.table { table = try table.merged(with: more) }
                if let more = part.maps { maps.append(more) }
            }
            tables[index] = table
        }
        guard takesParts else { return root }
        entries[place] = YAMLEntry(
            key: "tables", keyMark: entries[place].keyMark,
            value: YAMLNode(.sequence(tables), at: entries[place].value.mark))
        for more in maps {
            if let own = entries.firstIndex(where: { $0.key == "maps" }) {
                let value = try entries[own].value.merged(with: more)
                entries[own] = YAMLEntry(key: "maps", keyMark: entries[own].keyMark, value: value)
            } else {
                entries.append(YAMLEntry(key: "maps", keyMark: more.mark, value: more))
            }
        }
        return YAMLNode(.mapping(entries), at: root.mark)
    }

    /// The file of the part that a mark is in; nil when it is in the definition itself.
    public func file(of mark: YAMLMark) -> String? {
        let number = Int(mark.source)
        return files.indices.contains(number - 1) ? files[number - 1] : nil
    }

    private func part(_ name: YAMLNode) throws(YAMLError) -> Part {
        let text = try name.string()
        guard let part = parts[text] else {
            let known = parts.keys.sorted()
            let hint = known.isEmpty ? "no part is there" : "the parts are \(known.joined(separator: ", "))"
            throw name.wrongValue("there is no part ‘\(text)’", hint: hint)
        }
        return part
    }

    private static func isWordByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"): true
        default: false
        }
    }
}
