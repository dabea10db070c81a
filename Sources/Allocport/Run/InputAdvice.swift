public import Importing

extension InputError {
    /// What to do about it, in a sentence for a person; empty when there is nothing to say.
    public var advice: String {
        switch self {
        case .notFound(let name):
            name.contains("\u{FFFD}") ? "Its name is not in UTF-8: rename the file, or read it with ‘-’." : ""
        case .notPermitted: "Check the permissions of the file and of the folders above it."
        case .notAFile: "Read it through standard input: allocport convert - -o DIR < FILE."
        case .unreadable: ""
        case .notText(_, let kind): InputError.advice(kind: kind)
        }
    }

    private static func advice(kind: String) -> String {
        switch kind {
        case "zip", "compoundFile":
            "If it is a workbook, save its sheet as CSV; if it is an archive, unpack it first."
        case "gzip", "bzip2", "xz", "zstandard", "sevenZip": "Unpack it first."
        case "appleDouble": "It only describes another file; give that one."
        default: "Download the CSV, OFX or QFX version instead."
        }
    }
}
