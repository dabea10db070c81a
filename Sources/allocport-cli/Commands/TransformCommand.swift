import ArgumentParser

/// `transform`: one table of one input on standard output.
struct TransformCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "transform",
        abstract: "Write one table of one file to standard output: the model's columns, as CSV.",
        discussion: """
            Example:
              allocport transform History.csv --output-schema openalloc/transaction > transactions.csv

            Takes the arguments of `finport transform`, and its importer ids. Warnings stand on standard error. Rejected \
            lines are counted there and make the exit code 1; --show-rejected-rows lists them.
            """)

    @Argument(help: "The file; ‘-’ is standard input.", completion: .file())
    var input: String

    @Option(help: ArgumentHelp("Read the file with this importer instead of recognising it.", valueName: "id"))
    var importer: String?

    @Option(help: ArgumentHelp("The table to write; needed when the file fills several.", valueName: "schema"))
    var outputSchema: String?

    @Option(help: ArgumentHelp("The time of dates without one, instead of noon.", valueName: "HH:MM"))
    var defTimeOfDay: String?

    @Option(help: ArgumentHelp("The zone of dates without one, instead of the brokerage's own.", valueName: "id"))
    var timeZoneID: String?

    @Flag(help: "List the rejected lines on standard error.")
    var showRejectedRows = false

    @OptionGroup var importers: ImporterOptions

    /// What is asked for.
    var request: TransformRequest {
        var request = TransformRequest()
        request.inputs = [input]
        request.importer = importer
        request.outputSchema = outputSchema
        request.defTimeOfDay = defTimeOfDay
        request.timeZoneID = timeZoneID
        request.showRejectedRows = showRejectedRows
        request.importerFolders = importers.folders
        return request
    }

    func validate() throws { try request.validate() }

    func run() throws { try request.run() }
}
