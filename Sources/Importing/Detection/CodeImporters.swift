/// The importers that are code: formats that are no tables of cells, and openalloc's own.
public enum CodeImporters {
    /// One of each.
    public static var all: [any Importer] { [TabularImporter(), OFXImporter(), FlexImporter()] }
}

// What they say of delimited text without markup comes of its headers alone.
extension TabularImporter {
    /// None.
    public func decidingRows(in sample: InputSample) -> DecidingRows? { DecidingRows.none }
}

extension OFXImporter {
    /// None.
    public func decidingRows(in sample: InputSample) -> DecidingRows? { DecidingRows.none }
}

extension FlexImporter {
    /// None.
    public func decidingRows(in sample: InputSample) -> DecidingRows? { DecidingRows.none }
}
