import Allocport
import ArgumentParser
import Importing

/// What `convert` was asked to do, and doing it.
struct ConvertRequest: PlainRequest {
    var inputs: [String] = []
    var output: String?
    var format = RunOptions.Format.csv
    var columns = RunOptions.Columns.extended
    var fees = RunOptions.Fees.column
    var sourceURL: String?
    var importer: String?
    var importerFolders: [String] = []
    var account: String?
    var timeZone: String?
    var timeOfDay: String?
    var maxRejects = 0
    var verdicts = false
    var force = false
    var jobs: Int?
    var dryRun = false
    var csvSafe = false
    var json = false
    var quiet = false
    var verbose = false

    mutating func takeOption(_ words: inout PlainWords) -> Bool {
        switch words.name {
        case "-o", "--output": words.value(&output)
        case "--format": words.value(&format)
        case "--columns": words.value(&columns)
        case "--fees": words.value(&fees)
        case "--source-url": words.value(&sourceURL)
        case "--importer": words.value(&importer)
        case "--importers": words.value(addedTo: &importerFolders)
        case "--account": words.value(&account)
        case "--time-zone": words.value(&timeZone)
        case "--time-of-day": words.value(&timeOfDay)
        case "--max-rejects": words.value(&maxRejects)
        case "--verdicts": words.flag(&verdicts)
        case "--force": words.flag(&force)
        case "--jobs": words.value(&jobs)
        case "-n", "--dry-run": words.flag(&dryRun)
        case "--csv-safe": words.flag(&csvSafe)
        case "--json": words.flag(&json)
        case "-q", "--quiet": words.flag(&quiet)
        case "-v", "--verbose": words.flag(&verbose)
        default: false
        }
    }

    mutating func takeInput(_ word: String) -> Bool {
        inputs.append(word)
        return true
    }

    func validate() throws {
        if inputs.isEmpty { throw ValidationError("name at least one file or folder to convert") }
        if inputs.contains("") { throw ValidationError("one of the inputs has no name (an empty argument)") }
        if output == nil, !dryRun {
            throw ValidationError("say where to write with --output DIR (or -n to write nothing)")
        }
        if output == "" { throw ValidationError("--output: the folder has no name") }
        if output == "-" {
            throw ValidationError("--output: several files are written, so name a folder; for one table use transform")
        }
        if inputs.filter({ $0 == "-" }).count > 1 { throw ValidationError("standard input (-) can be read only once") }
        if let output, FileSystem.kind(output) == .folder,
            let same = inputs.first(where: { FileSystem.isSame($0, output) })
        {
            throw ValidationError("--output: ‘\(same)’ is the folder to read; choose another one to write to")
        }
        if maxRejects < 0 { throw ValidationError("--max-rejects: \(maxRejects) is no count; write 0 or more") }
        if let jobs, jobs < 1 { throw ValidationError("--jobs: ‘\(jobs)’ is no number of threads; write 1 or more") }
        if quiet, verbose { throw ValidationError("--quiet and --verbose exclude each other") }
        if let account, account.allSatisfy(\.isWhitespace) {
            throw ValidationError("--account: the account has no name")
        }
        _ = try options()
    }

    /// The options of the run.
    func options() throws -> RunOptions {
        var options = RunOptions(outputFolder: output)
        options.format = format
        options.columns = columns
        options.fees = fees
        options.sourceURL = sourceURL
        options.importerID = importer
        options.account = account
        options.timeZone = try timeZone.map { try OptionValues.timeZone($0, option: "--time-zone") }
        options.secondOfDay = try timeOfDay.map { try OptionValues.secondOfDay($0, option: "--time-of-day") }
        options.maxRejects = maxRejects
        options.verdicts = verdicts
        options.force = force
        options.isDryRun = dryRun
        options.jobs = jobs ?? FileSystem.processors
        options.csvSafe = csvSafe
        return options
    }

    func run() throws {
        let set = try ImporterSet(folders: importerFolders)
        try set.check(importer)
        let conversion = try Conversion(set: set, options: options(), showsProgress: !quiet, endsProcess: true)
        let report = try conversion.convert(inputs)
        if json { Terminal.result(bytes: report.json(version: Allocport.version)) }
        if !quiet {
            Terminal.sayPart(Summary(report: report, folder: dryRun ? nil : output, isVerbose: verbose).text)
        } else {
            Summary(report: report, folder: nil, isVerbose: false).complain()
        }
        if report.exitCode != 0 { throw ExitCode(report.exitCode) }
    }
}
