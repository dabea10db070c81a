extension DefinitionSchema {
    /// The table of all keys, as it stands in Importers/REFERENCE.md.
    public static var reference: String {
        var text = """
            # All keys of the definition language

            Made of the same source as `definition.schema.json`; how they work together is told in
            [README.md](README.md). Keys in bold are required. A *kind* is one of the words of section 4 there.


            """
        section("", "The file", root, &text)
        for entry in shared where entry.name != "texts" && entry.name != "kind" {
            section(entry.name, "`\(entry.name)`", entry.shape, &text)
        }
        section("part", "A part: what tables share", part(table: .shared("tables")), &text)
        while text.hasSuffix("\n\n") { text.removeLast() }
        return text
    }

    /// Every object of the language with where it stands.
    static func objects(_ shape: Shape, _ scope: String) -> [(scope: String, keys: [Key])] {
        switch shape {
        case .object(let keys):
            [(scope, keys)]
                + keys.flatMap { objects($0.shape, scope.isEmpty ? $0.name : scope + "." + $0.name) }
        case .list(let item), .map(let item): objects(item, scope)
        case .either(let shapes): shapes.flatMap { objects($0, scope) }
        default: []
        }
    }

    private static func section(_ scope: String, _ title: String, _ shape: Shape, _ text: inout String) {
        var seen: Set<String> = []
        for (place, keys) in objects(shape, scope) where seen.insert(place).inserted {
            text += "## \(place == scope ? title : "`\(place)`")\n\n| key | value | what |\n|---|---|---|\n"
            for key in keys {
                let name = key.isRequired ? "**`\(key.name)`**" : "`\(key.name)`"
                let inner = place.isEmpty ? key.name : place + "." + key.name
                text += "| \(name) | \(value(key.shape, inner)) | \(DefinitionNotes.text(place, key.name) ?? "") |\n"
            }
            text += "\n"
        }
    }

    private static func value(_ shape: Shape, _ scope: String) -> String {
        switch shape {
        case .text: "text"
        case .bool: "`true`"
        case .word(let words): words.map { "`\($0)`" }.joined(separator: " ")
        case .list(let item): "list of: \(value(item, scope))"
        case .map(let item): "names → \(value(item, scope))"
        case .either(let shapes): shapes.map { value($0, scope) }.joined(separator: ", or ")
        case .object: "the keys of `\(scope)`"
        case .condition: "condition"
        case .shared("texts"): "text, or a list"
        case .shared("kind"): "kind"
        case .shared(let name): "`\(name)`"
        }
    }
}
