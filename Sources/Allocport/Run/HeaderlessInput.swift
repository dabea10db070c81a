import Importing

extension Finding {
    /// A line of a file in which the importer that was asked for finds no header: what the line is, nobody knows.
    static let noHeader = Finding(
        .rowUnplaced, reason: "no header that the importer knows stands above this line",
        suggestion: "Check the names in the header, or leave --importer out to have the file recognised.")
}
