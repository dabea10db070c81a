import ArgumentParser

/// Where a definition that a command makes goes.
struct DefinitionPlace: ParsableArguments {
    @Option(
        name: [.short, .long],
        help: ArgumentHelp("Where to write the definition; without it, standard output.", valueName: "def.yaml"),
        completion: .file(extensions: ["yaml"]))
    var output: String?

    @Flag(help: "Replace the definition that is there already.")
    var force = false

    /// The file to write; nil when the definition goes to standard output.
    var path: String? { output == "-" ? nil : output }

    /// Ends the call when a file is there that may not be replaced: the input itself never is.
    func refuse(input: String) throws { try WorkbenchInput.refuse(path, force: force, input: input) }
}
