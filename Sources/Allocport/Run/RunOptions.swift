import Importing

/// What a user may ask of a conversion.
public struct RunOptions: Sendable, Hashable {
    /// How tables are written.
    public enum Format: String, Sendable, Hashable, CaseIterable { case csv, tsv, json, ndjson }
    /// Which columns tables have.
    public enum Columns: String, Sendable, Hashable, CaseIterable {
        /// The model's columns alone.
        case core
        /// … and our own after them.
        case extended
    }
    /// Where fees go.
    public enum Fees: String, Sendable, Hashable, CaseIterable {
        /// Into the extended columns.
        case column
        /// … and into rows of their own, so that cash adds up.
        case miscflow
    }

    /// The folder that the files are written to; nil writes nothing (a dry run).
    public var outputFolder: String?
    /// How tables are written.
    public var format = Format.csv
    /// Which columns tables have.
    public var columns = Columns.extended
    /// Where fees go.
    public var fees = Fees.column
    /// The `url` of `openalloc/meta/source`; nil gives the file name.
    public var sourceURL: String?
    /// The importer of all inputs (id or alias); nil recognises each.
    public var importerID: String?
    /// Account for exports that name none.
    public var account: String?
    /// IANA time zone that replaces the definitions', for example `America/New_York`.
    public var timeZone: String?
    /// Seconds after midnight for dates without a time, 0 to 86,399; nil leaves the definitions' own, mostly noon.
    public var secondOfDay: Int?
    /// So many rejected units are no failure; 0 or more.
    public var maxRejects = 0
    /// Whether to write `rows.ndjson`.
    public var verdicts = false
    /// Whether files that are there may be replaced.
    public var force = false
    /// Whether to write nothing.
    public var isDryRun = false
    /// Threads to use, 1 or more; what comes out does not depend on it.
    public var jobs = 1
    /// How many bytes a thread reads at a time, where a test wants few.
    var blockBytes: Int?
    /// Off in tests that hold inputs that are read ahead to reading line by line.
    var readsAhead = true
    /// How much of an input a guess is made of, where a test wants little.
    var guessBytes: Int?
    /// On in tests that hold the shorter roads of rows to the rules.
    var readsByRules = false
    /// A lone input of at most so many bytes goes by the rules: it has too few rows for shorter roads to pay. None where
    /// these are tested, as by samples.
    package var bytesByRules = 32 << 10
    /// Whether cells that a spreadsheet would run get a single quote before them (csv and tsv).
    public var csvSafe = false

    /// The defaults of the command line.
    public init(outputFolder: String? = nil) { self.outputFolder = outputFolder }

    /// Holds the options that may be wrong against what there is.
    ///
    /// - Throws: ``RunError/invalidOption(_:value:)``, of the first that is wrong.
    func check() throws(RunError) {
        if let timeZone, !ImportOptions.isKnown(timeZone: timeZone) {
            throw .invalidOption("timeZone", value: timeZone)
        }
        if let secondOfDay, !(0..<86_400).contains(secondOfDay) {
            throw .invalidOption("secondOfDay", value: String(secondOfDay))
        }
        if maxRejects < 0 { throw .invalidOption("maxRejects", value: String(maxRejects)) }
        if jobs < 1 { throw .invalidOption("jobs", value: String(jobs)) }
    }

    /// As many threads as there will be: each takes about 1 MB, so that a number without sense would take all memory.
    var threads: Int { min(jobs, RunOptions.mostThreads) }
    private static let mostThreads = 256

    var importOptions: ImportOptions {
        var options = ImportOptions(account: account, timeZone: timeZone, secondOfDay: secondOfDay, jobs: threads)
        if let blockBytes { options.blockBytes = blockBytes }
        if let guessBytes { options.guessBytes = guessBytes }
        options.readsByRules = readsByRules
        return options
    }
}

/// How far a run is.
public struct RunProgress: Sendable, Hashable {
    /// The input that is being read, from 0, and how many there are.
    public var input: Int, inputCount: Int
    /// Its file name.
    public var name: String
    /// Bytes read of all inputs, and how many there are.
    public var bytesRead: Int, byteCount: Int
}

/// Why a run did not finish. What goes wrong with one input is not an error of the run: see ``RunReport``.
public enum RunError: Error, Sendable, Hashable, CustomStringConvertible {
    /// Files that would be written are there already; `--force` replaces them.
    case wouldOverwrite([String])
    /// Files that would be written are inputs of the run, which are never replaced, not even with `--force`.
    case wouldReplaceInput([String])
    /// Reject files of an earlier run would be replaced or removed, and were changed since, so that corrections would be
    /// lost, `--force` or not.
    case wouldLoseCorrections([String])
    /// A folder of the output is a link: nothing is written to where it leads.
    case linkInOutput(path: String)
    /// The output folder or a file in it cannot be made; `code` is errno.
    case cannotCreate(path: String, code: Int32)
    /// Writing failed; `code` is errno.
    case writeFailed(path: String, code: Int32)
    /// No importer has that id.
    case unknownImporter(String)
    /// An option has a value that it cannot have: no such time zone, or a number out of its range.
    case invalidOption(String, value: String)
    /// The run was told to stop; nothing is left behind.
    case interrupted

    /// Making a file or folder failed. A disk without room is no matter of the place: it fails like any other write.
    static func creating(_ path: String, _ code: Int32) -> RunError {
        POSIX.isFull(code) ? .writeFailed(path: path, code: code) : .cannotCreate(path: path, code: code)
    }

    /// The exit code (sysexits).
    public var exitCode: Int32 {
        switch self {
        case .wouldOverwrite, .wouldReplaceInput, .wouldLoseCorrections, .linkInOutput, .cannotCreate: 73
        case .writeFailed: 74
        case .unknownImporter, .invalidOption: 64
        case .interrupted: 130
        }
    }

    /// The same as `message`.
    public var description: String { message }

    /// One sentence for a person, with what to do.
    public var message: String {
        switch self {
        case .wouldOverwrite(let names):
            "these files are there already: \(names.joined(separator: ", ")); use --force to replace them"
        case .wouldReplaceInput(let names):
            "\(names.joined(separator: ", ")) in the output folder would be replaced, and the run has read it; "
                + "nothing was written, name another folder"
        case .wouldLoseCorrections(let names):
            "\(names.joined(separator: ", ")) in the output folder was changed since it was written, and the corrections "
                + "would be lost; nothing was written, convert it together with the files that it came from into another "
                + "folder, or move it away"
        case .linkInOutput(let path):
            "\(path) is a link, and nothing is written to where it leads; remove it, or name another folder"
        case .cannotCreate(let path, let code): "cannot create \(path): \(POSIX.message(code))"
        case .writeFailed(let path, let code) where POSIX.isFull(code):
            "no space is left to write \(path) (\(POSIX.message(code))); nothing was written, make room and run again"
        case .writeFailed(let path, let code): "cannot write \(path): \(POSIX.message(code)); nothing was written"
        case .unknownImporter(let id): "there is no importer \(id); `allocport list importers` shows all"
        case .invalidOption(let name, let value): "the option \(name) cannot be ‘\(value)’"
        case .interrupted: "interrupted; nothing was written"
        }
    }
}
