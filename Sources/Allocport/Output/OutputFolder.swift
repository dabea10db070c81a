/// The folder that a run writes to: files are made beside their places and moved there together at the end.
final class OutputFolder {
    private let path: String?
    private let force: Bool
    private var spools: [(name: String, spool: Spool)] = []
    private var kept: [(name: String, spool: Spool)] = []

    private let inMemory: Bool

    /// Makes the folder; nil writes nothing, or keeps the files in memory.
    init(path: String?, force: Bool, inMemory: Bool = false) throws(RunError) {
        self.path = path
        self.inMemory = inMemory
        self.force = force
        guard let path else { return }
        let code = POSIX.makeFolder(path)
        if code != 0 { throw .cannotCreate(path: path, code: code) }
        // Every run writes these two: if they are there, nothing needs to be read to know that the run would overwrite.
        try refuse(["report.json", "rejects.csv"])
    }

    private func refuse(_ names: [String]) throws(RunError) {
        guard let path, !force else { return }
        let there = names.filter { POSIX.status("\(path)/\($0)", followingLinks: false) != nil }
        if !there.isEmpty { throw .wouldOverwrite(there) }
    }

    /// A new file; `name` may stand in a folder of its own.
    func spool(_ name: String) throws(RunError) -> Spool {
        guard let path else {
            let spool = try Spool(path: nil, inMemory: inMemory)
            spools.append((name, spool))
            return spool
        }
        var folder = path
        var file = name
        if let slash = name.lastIndex(of: "/") {
            folder += "/" + name[..<slash]
            file = String(name[name.index(after: slash)...])
            let code = POSIX.makeFolder(folder)
            if code != 0 { throw .cannotCreate(path: folder, code: code) }
        }
        // A file name may have 255 bytes; the temporary one must not be longer.
        let stem = String(decoding: file.utf8.suffix(200), as: UTF8.self)
        let spool = try Spool(path: "\(folder)/.\(stem).\(POSIX.processID).\(spools.count).partial")
        spools.append((name, spool))
        return spool
    }

    /// Moves all files into place, in the order in which they were asked for, the report last.
    func commit() throws(RunError) {
        guard let path else {
            kept = spools
            return
        }
        try refuse(spools.map(\.name))
        // A report says that the run is complete: an old one must not stand beside new tables.
        POSIX.remove("\(path)/report.json")
        for (name, spool) in spools { try spool.move(to: "\(path)/\(name)") }
        spools = []
    }

    /// The content of a finished file that is kept in memory.
    func content(_ name: String) -> [UInt8]? { kept.last { $0.name == name }?.spool.content }

    /// Removes everything that was begun.
    func discard() {
        for (_, spool) in spools { spool.discard() }
        spools = []
    }
}
