import Delimited
public import Importing

extension InputError: CustomStringConvertible {
    /// The input, what is wrong with it, and what to do.
    public var description: String { "\(name): \(reason)" + (advice.isEmpty ? "" : ". \(advice)") }

    /// What is wrong, in a sentence for a person.
    var reason: String {
        switch self {
        case .notFound(let name) where name.contains("\u{FFFD}"): "its name is not in UTF-8"
        case .notFound: "there is no such file"
        case .notPermitted: "the file may not be opened"
        case .notAFile: "this is no regular file"
        case .unreadable(_, let number): "reading failed: \(POSIX.message(number))"
        case .changed: "the file was changed while it was read"
        case .noTemporaryFile(_, let folder, let number):
            "there can be no temporary file in ‘\(folder)’: \(POSIX.message(number))"
        case .notText(_, let kind): InputError.reason(kind: kind)
        }
    }

    /// The name of the input, without folders where it was found.
    public var name: String {
        switch self {
        case .notFound(let name), .notPermitted(let name), .notAFile(let name), .changed(let name): name
        case .unreadable(let name, _), .notText(let name, _), .noTemporaryFile(let name, _, _): name
        }
    }

    /// What to do about it, in a sentence for a person; empty when there is nothing to advise.
    public var advice: String {
        switch self {
        case .notFound(let name):
            name.contains("\u{FFFD}")
                ? "Rename the file, or read it through standard input: allocport convert - -o DIR < FILE." : ""
        case .notPermitted: "Check the permissions of the file and of the folders above it."
        case .notAFile: "Read it through standard input: allocport convert - -o DIR < FILE."
        case .unreadable: "Run again; if that does not help, copy the file elsewhere and convert the copy."
        case .changed: "Wait until nothing writes to it any more (a download that has not ended?), and run again."
        case .noTemporaryFile: "Set TMPDIR to a folder where files can be made, or name the file instead of ‘-’."
        case .notText(let name, let kind): InputError.advice(name, kind: kind)
        }
    }

    private static func advice(_ name: String, kind: String) -> String {
        let ending = name.split(separator: ".").last?.lowercased() ?? ""
        return switch kind {
        case "zip", "compoundFile":
            ["xlsx", "xlsm", "xls", "ods", "numbers"].contains(ending)
                ? "Open it and save its sheet as CSV, or download the CSV, OFX or QFX version instead."
                : "If it is a workbook, save its sheet as CSV; if it is an archive, unpack it first."
        case "gzip", "bzip2", "xz", "zstandard", "sevenZip": "Unpack it first."
        case "appleDouble": "It only describes another file; give that one."
        case "png", "jpeg", "gif": "Leave it out; of an export download the CSV, OFX or QFX version."
        default: "Download the CSV, OFX or QFX version instead."
        }
    }

    /// Why a file of this kind cannot be read, in a sentence for a person.
    ///
    /// - Parameter kind: as in ``notText(name:kind:)``.
    public static func reason(kind: String) -> String {
        let what =
            switch kind {
            case "zip": "an archive or a workbook"
            case "compoundFile": "an old Excel or Word file"
            case "gzip", "bzip2", "xz", "zstandard", "sevenZip": "compressed"
            case "pdf": "a PDF file"
            case "png", "jpeg", "gif": "a picture"
            case "sqlite": "a database"
            case "appleDouble": "what macOS notes beside a file"
            default: "binary"
            }
        return "this is \(what), not text (\(kind))"
    }
}

extension Finding {
    /// That a fallback reads a file, with the importer that has likely read such files before.
    func naming(_ likelier: ConsideredImporter) -> Finding {
        let lacks = likelier.examination.missing.map { "‘\($0)’" }.joined(separator: ", ")
        return Finding(
            code, column: column, value: value,
            reason: "read by the plain names of its columns; \(likelier.importerID) comes nearest, for which it lacks "
                + "\(lacks).",
            suggestion: "If the brokerage has renamed columns, adapt a copy of that definition (allocport importer "
                + "adapt FILE); else look through the rows before you rely on them.")
    }
}
