import OpenAlloc

/// Reject files of an earlier run that somebody has worked on since: what was corrected in them is nowhere else.
enum ChangedRejects {
    /// A report of so many bytes is of hundreds of thousands of inputs; nobody corrects by hand beside it.
    private static let maximumReport = 256 << 20

    /// Names relative to the folder: files whose bytes are not those that the folder's `report.json` states, and those of
    /// `new` that are there and of which it states nothing.
    static func names(in folder: String, new: [String]) -> [String] {
        // What a link leads to is not the run's.
        guard POSIX.status("\(folder)/rejects", followingLinks: false)?.kind == .folder,
            let written = written(in: folder)
        else { return [] }
        return Set(written.keys).union(new).filter { name in
            guard name.hasPrefix("rejects/"), !name.dropFirst("rejects/".count).contains("/"),
                POSIX.status("\(folder)/\(name)", followingLinks: false)?.kind == .file
            else { return false }
            // A file that cannot be read may be a corrected one all the same.
            let sha256 = try? InputPlan.digest(FileInput(path: "\(folder)/\(name)"))
            return sha256 == nil || sha256 != written[name]
        }.sorted()
    }

    /// The digests of the reject files that the report of a folder names; nil where there is no report that tells.
    private static func written(in folder: String) -> [String: String]? {
        guard let report = try? FileInput(path: "\(folder)/report.json"), report.byteCount <= maximumReport,
            let bytes = try? report.bytes(at: 0, count: report.byteCount),
            let node = bytes.withUnsafeBufferPointer({ try? JSONReader.parse($0) }),
            case .array(let files)? = node["rejectFiles"]?.kind
        else { return nil }
        var digests: [String: String] = [:]
        for file in files {
            guard case .string(let name)? = file["file"]?.kind, case .string(let sha256)? = file["sha256"]?.kind else {
                continue
            }
            digests[name] = sha256
        }
        return digests
    }
}
