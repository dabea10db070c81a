import Allocport
import ArgumentParser
import Importing
import OpenAlloc

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

    func validate() throws {
        if inputs.isEmpty { throw ValidationError("name at least one file or folder") }
        if json, verbose { throw ValidationError("--json and --verbose exclude each other") }
    }

    func run() throws {
        let set = try importers.load()
        try set.check(importer)
        let registry = importer.flatMap { set.registry.importer($0) }.map { Registry([$0]) } ?? set.registry
        let found = InputFinder().find(inputs)
        for failure in found.failures { Terminal.complain(failure.words) }
        var detections: [Detection] = []
        for input in found.inputs {
            let detection = Detection(input, registry)
            detections.append(detection)
            guard !json else { continue }
            Terminal.result(detection.text)
            if verbose { RecordDump.print(input, detection) }
        }
        for item in found.passedOver {
            let detection = Detection(name: item.name, decision: .passedOver(item.reason))
            detections.append(detection)
            if !json { Terminal.result(detection.text) }
        }
        if json { Terminal.result(bytes: Detection.json(detections)) }
        let code = Exit.smallest(detections.map(\.exitCode) + found.failures.map(\.exitCode))
        if code != 0 { throw ExitCode(code) }
    }
}
