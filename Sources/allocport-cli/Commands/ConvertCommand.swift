import Allocport
import ArgumentParser

/// `convert`: the main job.
struct ConvertCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "convert",
        abstract: "Convert files and folders into openalloc tables, with a report on every line.",
        discussion: """
            Example:
              allocport convert ~/Downloads/History.csv ~/Downloads/Positions.csv -o tables

            Writes one table per schema, rejects.csv, the rejected lines of each input in rejects/ (correct them there and \
            convert them again), and report.json. Inputs are never changed. ‘-’ reads standard input.

            Exit codes: 0 all lines accounted for and none rejected; 1 lines were rejected; 3 an input was not recognised; \
            4 an input fits several importers; 64 wrong arguments; 65 an input is no text; 66 no such input; 70 internal \
            error; 73 and 74 output cannot be written; 78 a definition is wrong; 130 interrupted.
            """)

    @Argument(help: "Files and folders; ‘-’ is standard input.", completion: .file())
    var inputs: [String] = []

    @Option(
        name: [.short, .long],
        help: ArgumentHelp("The folder to write to; it is made when it is not there.", valueName: "dir"),
        completion: .directory)
    var output: String?

    @Option(help: "How tables are written.")
    var format = RunOptions.Format.csv

    @Option(help: "The model's columns alone (core), or ours after them too (extended).")
    var columns = RunOptions.Columns.extended

    @Option(help: "Fees in a column of their own (column), or also as rows (miscflow) so that cash adds up.")
    var fees = RunOptions.Fees.column

    @Option(help: ArgumentHelp("The url to note in openalloc/meta/source instead of the file name.", valueName: "url"))
    var sourceURL: String?

    @Option(help: ArgumentHelp("Read all inputs with this importer instead of recognising each.", valueName: "id"))
    var importer: String?

    @OptionGroup var importers: ImporterOptions

    @Option(help: ArgumentHelp("The account of exports that do not name one.", valueName: "id"))
    var account: String?

    @Option(help: ArgumentHelp("The zone of dates without one, instead of the brokerage's own.", valueName: "id"))
    var timeZone: String?

    @Option(help: ArgumentHelp("The time of dates without one, instead of noon.", valueName: "HH:MM"))
    var timeOfDay: String?

    @Option(parsing: .unconditional, help: ArgumentHelp("So many rejected lines are no failure.", valueName: "n"))
    var maxRejects = 0

    @Flag(help: "Also write rows.ndjson: what became of every single line.")
    var verdicts = false

    @Flag(help: "Replace files that are there already.")
    var force = false

    // A number with a dash in front is a wrong number, not a missing one.
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Threads to use (default: as many as there are processors).", valueName: "n"))
    var jobs: Int?

    @Flag(name: [.customShort("n"), .long], help: "Do everything but write.")
    var dryRun = false

    @Flag(help: "Put a single quote before cells that a spreadsheet would run.")
    var csvSafe = false

    @Flag(help: "Print report.json to standard output too.")
    var json = false

    @Flag(name: [.short, .long], help: "Say nothing but errors.")
    var quiet = false

    @Flag(name: [.short, .long], help: "Say more: evidence, drift and every kind of warning.")
    var verbose = false

    /// What is asked for.
    var request: ConvertRequest {
        var request = ConvertRequest()
        request.inputs = inputs
        request.output = output
        request.format = format
        request.columns = columns
        request.fees = fees
        request.sourceURL = sourceURL
        request.importer = importer
        request.importerFolders = importers.folders
        request.account = account
        request.timeZone = timeZone
        request.timeOfDay = timeOfDay
        request.maxRejects = maxRejects
        request.verdicts = verdicts
        request.force = force
        request.jobs = jobs
        request.dryRun = dryRun
        request.csvSafe = csvSafe
        request.json = json
        request.quiet = quiet
        request.verbose = verbose
        return request
    }

    func validate() throws { try request.validate() }

    func run() throws { try request.run() }
}
