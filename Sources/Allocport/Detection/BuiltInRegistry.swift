import BuiltInDefinitions
public import Importing

extension Registry {
    /// All importers that come with the library: the catalogue's definitions, OFX, Flex, and openalloc's own tables.
    public static func builtIn() -> Registry { Registry(builtInImporters()) }

    /// The same with others; of equal ids the others win.
    public static func builtIn(and others: [any Importer]) -> Registry { Registry(builtInImporters() + others) }

    private static func builtInImporters() -> [any Importer] {
        CodeImporters.all
            + Catalogue.definitions.map { EmbeddedImporter(path: $0.path, index: $0.index, text: $0.text) }
    }
}
