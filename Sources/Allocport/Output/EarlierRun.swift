import Delimited
import Importing
import OpenAlloc

/// Which files of a folder an earlier run has written.
enum EarlierRun {
    /// Whether a name is one that tables have: `openalloc.transaction.csv`.
    static func isTable(_ name: String) -> Bool {
        guard name.utf8.starts(with: "openalloc.".utf8), let dot = name.utf8.lastIndex(of: UInt8(ascii: ".")) else {
            return false
        }
        let (stem, ending) = (name[..<dot], name[name.utf8.index(after: dot)...])
        return RunOptions.Format(rawValue: String(ending)) != nil && SchemaID.allCases.contains { $0.fileStem == stem }
    }

    /// Names relative to the folder: the tables and lists that are there, and the reject files that the earlier
    /// `rejects.csv` speaks of. A file of another name is somebody else's.
    static func names(in folder: String) -> [String] {
        let files = POSIX.entries(in: folder).map { $0.filter { $0.kind == .file }.map(\.name) }
        let names = files ?? mayBe.filter { POSIX.status("\(folder)/\($0)", followingLinks: false)?.kind == .file }
        return names.filter { lists.contains($0) || isTable($0) } + rejectFiles(in: folder).map { "rejects/\($0)" }
    }

    private static let lists = ["rejects.csv", "rows.ndjson"]

    /// All names that there may be, for a folder that may be written to but not listed.
    private static var mayBe: [String] {
        lists
            + SchemaID.allCases.flatMap { schema in
                RunOptions.Format.allCases.map { "\(schema.fileStem).\($0.rawValue)" }
            }
    }

    private static func rejectFiles(in folder: String) -> [String] {
        // What a link leads to is not the run's.
        guard POSIX.status("\(folder)/rejects", followingLinks: false)?.kind == .folder,
            let entries = POSIX.entries(in: "\(folder)/rejects")
        else { return [] }
        let own = rejectFileNames("\(folder)/rejects.csv")
        return entries.filter { $0.kind == .file && own.contains($0.name) }.map(\.name)
    }

    /// The names that reject files of a list's inputs may have.
    private static func rejectFileNames(_ list: String) -> Set<String> {
        guard let input = try? FileInput(path: list), let stream = try? input.open() else { return [] }
        var inputs: Set<[String]> = []
        var isOurs = false
        var reader = DelimitedReader(dialect: .csv)
        var piece = [UInt8](repeating: 0, count: min(1 << 16, max(1, input.byteCount)))
        while true {
            let count = piece.withUnsafeMutableBytes { (try? stream.read(into: $0)) ?? 0 }
            piece.withUnsafeBytes { bytes in
                reader.feed(UnsafeRawBufferPointer(rebasing: bytes[..<count]), isLast: count == 0) {
                    (record: borrowing RecordView) in
                    if record.line == 1 { isOurs = RejectsWriter.isHeader(record.rawBytes) }
                    guard isOurs, record.line > 1, record.count > 1 else { return }
                    inputs.insert([record.cell(1).string, record.cell(0).string])
                }
            }
            if count == 0 { return Set(inputs.flatMap { RejectFileNames.candidates($0[0], $0[1]) }) }
        }
    }
}
