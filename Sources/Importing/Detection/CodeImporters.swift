/// The importers that are code: formats that are no tables of cells, and openalloc's own.
public enum CodeImporters {
    /// One of each.
    public static var all: [any Importer] { [TabularImporter(), OFXImporter(), FlexImporter()] }
}
