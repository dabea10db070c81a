import ArgumentParser

/// `importer`: for people who write definitions.
struct ImporterCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "importer",
        abstract: "Check importer definitions and run their samples.",
        discussion: """
            Example:
              allocport importer lint my-importers
            """,
        subcommands: [ImporterLintCommand.self, ImporterTestCommand.self])
}
