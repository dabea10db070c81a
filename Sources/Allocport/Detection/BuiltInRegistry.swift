import BuiltInDefinitions
public import Importing

extension Registry {
    /// All importers that come with the library: the catalogue's definitions, OFX, Flex, and openalloc's own tables.
    public static func builtIn() -> Registry { builtIn(and: []) }

    /// The same with others; of equal ids the others win.
    public static func builtIn(and others: [any Importer]) -> Registry {
        Registry(
            embedded: embedded, index: CatalogueIndex(Catalogue.index), others: CodeImporters.all + others)
    }

    /// The text of a definition that comes with the library, comments and all; nil where none has that id.
    public static func builtInText(of id: String) -> String? {
        Catalogue.definitions.first { $0.id == id }.map { "\($0.text)" }
    }

    /// Made once: what a definition was read for is kept, and nothing is taken apart at the end.
    private static let embedded = EmbeddedImporters(
        count: Catalogue.definitions.count, id: { Catalogue.definitions[$0].id },
        make: { number in
            let entry = Catalogue.definitions[number]
            return EmbeddedImporter(
                path: entry.path, id: entry.id, title: entry.title, index: entry.index, tree: entry.tree)
        })
}

extension SharedParts {
    /// Those of the catalogue, which definitions of one's own may name too.
    public static let builtIn: SharedParts = {
        var parts = SharedParts()
        for part in Catalogue.parts {
            // Their tests hold that they can be read.
            try? parts.add(part.text.withUTF8Buffer { Array($0) }, file: "\(part.path)")
        }
        return parts
    }()
}
