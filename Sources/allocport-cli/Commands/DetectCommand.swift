import ArgumentParser

/// `detect`: which importer reads an input, and why.
struct DetectCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "detect",
        abstract: "Say what files are: importer, schemas, score, evidence, what differs, and the runners-up.",
        discussion: """
            Example:
              allocport detect ~/Downloads

            With -v every record of the inputs is shown too. Exit codes: 0 all recognised, 3 an input was not recognised, \
            4 an input fits several importers, 65 an input is no text, 66 no such input.
            """)

    @Argument(help: "Files and folders; ‘-’ is standard input.", completion: .file())
    var inputs: [String] = []

    @Flag(help: "Print JSON.")
    var json = false

    @Option(help: ArgumentHelp("Hold the inputs against this importer alone.", valueName: "id"))
    var importer: String?

    @OptionGroup var importers: ImporterOptions

    @Flag(name: [.short, .long], help: "Also show every record that the inputs hold.")
    var verbose = false

    /// What is asked for.
    var request: DetectRequest {
        var request = DetectRequest()
        request.inputs = inputs
        request.json = json
        request.importer = importer
        request.importerFolders = importers.folders
        request.verbose = verbose
        return request
    }

    func validate() throws { try request.validate() }

    func run() throws { try request.run() }
}
