import Delimited
import Importing
import OpenAlloc

/// Which files of a folder an earlier run has written.
enum EarlierRun {
    /// The names that tables may have.
    static let tables: [String] = SchemaID.allCases.flatMap { schema in
        RunOptions.Format.allCases.map { "\(schema.fileStem).\($0.rawValue)" }
    }

    /// Names relative to the folder: the tables and lists that are there, and the reject files that the earlier
    /// `rejects.csv` speaks of. A file of another name is somebody else's.
    static func names(in folder: String) -> [String] {
        var names = ["rejects.csv", "rows.ndjson"] + tables
        names += rejectFiles("\(folder)/rejects.csv").map { "rejects/\($0)" }
        return names.filter { POSIX.status("\(folder)/\($0)", followingLinks: false)?.kind == .file }
    }

    /// The names that reject files of a list's inputs may have.
    private static func rejectFiles(_ list: String) -> [String] {
        guard let input = try? FileInput(path: list), let stream = try? input.open() else { return [] }
        var names: Set<String> = []
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
                    let name = RejectsWriter.sanitized(record.cell(1).string)
                    names.insert(name)
                    names.insert(RejectsWriter.marked(name, record.cell(0).string))
                }
            }
            if count == 0 { return names.sorted() }
        }
    }
}
