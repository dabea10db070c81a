import Digests
import Synchronization

/// The folder that a run writes to: files are made beside their places and moved there together at the end.
final class OutputFolder {
    /// Makes a file that must not be there yet and opens it for reading and writing: the descriptor, or -1 with `errno`.
    typealias FileMaker = @Sendable (String) -> Int32

    private let path: String?
    /// Whether what is written can be read again.
    var isOnDisk: Bool { path != nil }
    private let force: Bool
    private let inMemory: Bool
    private let makeFile: FileMaker
    private var spools: [(name: String, spool: Spool)] = []
    private var kept: [(name: String, spool: Spool)] = []
    /// Of temporary names none comes twice: a spool that was given up removes its own file alone, however late.
    private var madeCount = 0
    /// The folders in it that the run has made.
    private var madeFolders: [String] = []
    /// The folder and those above it, if they were not there.
    private var newFolders: [String] = []
    /// Whether files may be written on other threads than the run's.
    var writesAside = false
    /// Where the run's thread makes digests beside its other work.
    var desk: DigestDesk?
    /// Raised by the first write that fails, so that reading can stop.
    let trouble = Trouble()

    /// Makes the folder; nil writes nothing, or keeps the files in memory.
    init(
        path: String?, force: Bool, inMemory: Bool = false, makeFile: @escaping FileMaker = POSIX.create
    ) throws(RunError) {
        self.path = path
        self.inMemory = inMemory
        self.force = force
        self.makeFile = makeFile
        guard let path else { return }
        let code = POSIX.makeFolder(path, made: &newFolders)
        if code != 0 {
            abandon()
            throw .creating(path, code)
        }
        // Every run writes these two: if they are there, nothing needs to be read to know that the run would overwrite.
        try refuse(["report.json", "rejects.csv"])
    }

    private func refuse(_ names: [String]) throws(RunError) {
        guard let path, !force else { return }
        let there = names.filter { POSIX.status("\(path)/\($0)", followingLinks: false) != nil }
        if !there.isEmpty { throw .wouldOverwrite(there) }
    }

    /// Inputs stay as they are, whatever is asked for: a corrected reject file would be replaced by what is left of it.
    private func refuse(replacing inputs: Set<POSIX.Identity>, in path: String) throws(RunError) {
        let read = spools.map(\.name).filter { name in
            POSIX.identity("\(path)/\(name)").map { inputs.contains($0) } ?? false
        }
        if !read.isEmpty { throw .wouldReplaceInput(read) }
    }

    /// Corrections stay too, unless they have been read: then they are in the tables, and the files stay where they are.
    private func refuse(losingCorrectionsIn path: String, inputs: Set<POSIX.Identity>) throws(RunError) {
        let changed = ChangedRejects.names(in: path, new: spools.map(\.name)).filter { name in
            POSIX.identity("\(path)/\(name)").map { !inputs.contains($0) } ?? false
        }
        if !changed.isEmpty { throw .wouldLoseCorrections(changed) }
    }

    /// A new file; `name` may stand in a folder of its own.
    func spool(_ name: String, isHashed: Bool = true) throws(RunError) -> Spool {
        guard let path else {
            let spool = try Spool(inMemory: inMemory)
            spool.isHashed = isHashed
            spools.append((name, spool))
            return spool
        }
        var folder = path
        var file = name
        if let slash = name.lastIndex(of: "/") {
            folder += "/" + name[..<slash]
            file = String(name[name.index(after: slash)...])
            if POSIX.status(folder, followingLinks: false)?.kind == .link { throw .linkInOutput(path: folder) }
            let code = POSIX.makeFolder(folder, made: &madeFolders)
            if code != 0 { throw .creating(folder, code) }
        }
        // A file name may have 255 bytes; the temporary one must not be longer.
        let stem = String(decoding: file.utf8.suffix(200), as: UTF8.self)
        madeCount += 1
        let spool = try Spool(
            path: "\(folder)/.\(stem).\(POSIX.processID).\(madeCount).partial", for: "\(path)/\(name)",
            makeFile: makeFile, trouble: trouble, isAside: writesAside, desk: desk)
        spool.isHashed = isHashed
        spools.append((name, spool))
        return spool
    }

    /// Whether a file's name is a temporary one of `spool`: a run that was killed leaves such files, with half of its rows.
    static func isPartial(_ name: String) -> Bool {
        guard name.hasPrefix("."), name.hasSuffix(".partial") else { return false }
        let numbers = name.dropLast(".partial".count).split(separator: ".").suffix(2)
        return numbers.count == 2 && numbers.allSatisfy { $0.utf8.allSatisfy { (48...57).contains($0) } }
    }

    /// Moves all files into place, in the order in which they were asked for, the report last.
    ///
    /// - Parameter inputs: gives the files that the run has read; none of them is replaced, or removed as a left-over of
    ///   an earlier run.
    func commit(keeping inputs: () -> Set<POSIX.Identity> = { [] }) throws(RunError) {
        guard let path else {
            kept = spools
            return
        }
        try refuse(spools.map(\.name))
        if force {
            let inputs = inputs()
            try refuse(replacing: inputs, in: path)
            try refuse(losingCorrectionsIn: path, inputs: inputs)
        }
        // A report says that the run is complete: an old one must not stand beside new tables.
        POSIX.remove("\(path)/report.json")
        if force { removeLeftovers(of: path, inputs()) }
        for (name, spool) in spools { try spool.move(to: "\(path)/\(name)") }
        for (_, spool) in spools { spool.keep() }
        spools = []
    }

    /// What an earlier run has written and this one does not would pass for a result of this one.
    private func removeLeftovers(of path: String, _ inputs: Set<POSIX.Identity>) {
        let own = Set(spools.map(\.name))
        for name in EarlierRun.names(in: path) where !own.contains(name) {
            guard let identity = POSIX.identity("\(path)/\(name)"), !inputs.contains(identity) else { continue }
            POSIX.remove("\(path)/\(name)")
        }
        // Goes only when nothing is left in it.
        POSIX.removeFolder("\(path)/rejects")
    }

    /// The content of a finished file that is kept in memory.
    func content(_ name: String) -> [UInt8]? { kept.last { $0.name == name }?.spool.content }

    /// Gives up: removes everything that was begun, and the folder if the run has made it and nothing else is in it.
    func abandon() {
        discard()
        for folder in newFolders.reversed() { POSIX.removeFolder(folder) }
        newFolders = []
    }

    /// Removes everything that was begun, also files that stand in their places already.
    func discard() {
        for (_, spool) in spools { spool.discard() }
        spools = []
        for folder in madeFolders { POSIX.removeFolder(folder) }
        madeFolders = []
    }

    /// A flag that other threads may look at.
    final class Trouble: Sendable {
        private let raised = Atomic(false)
        /// Whether a write has failed.
        var isRaised: Bool { raised.load(ordering: .relaxed) }
        /// A write has failed.
        func raise() { raised.store(true, ordering: .relaxed) }
    }

    /// The first write that failed.
    var failure: RunError? { spools.lazy.compactMap(\.spool.failure).first }
}
