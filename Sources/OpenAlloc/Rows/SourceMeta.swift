// Where rows came from.

/// A file that rows came from.
public struct MSourceMeta: AllocRow {
    /// The file's id: 32 hexadecimal digits of the SHA-256 of its bytes.
    public var sourceMetaID: String = ""
    /// The file's name, or where it was downloaded.
    public var url: String = ""
    /// The importer that read it.
    public var importerID: String = ""
    /// When the brokerage made it.
    public var exportedAt: Instant?

    /// A row that says nothing.
    public init() {}

    /// The schema's one declaration.
    public static let table = RowTable<MSourceMeta>(
        .metaSource, "A file that rows came from",
        [
            Field(
                "sourceMetaID", \.sourceMetaID, [.required, .key],
                "The file's id: 32 hexadecimal digits of the SHA-256 of its bytes"),
            Field("url", \.url, "The file's name, or where it was downloaded"),
            Field("importerID", \.importerID, "The importer that read it"),
            Field("exportedAt", \.exportedAt, "When the brokerage made it"),
        ])
}
