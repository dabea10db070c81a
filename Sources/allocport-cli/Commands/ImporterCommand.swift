import ArgumentParser

/// `importer`: for people who write definitions.
struct ImporterCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "importer",
        abstract: "Draft, adapt, show and check importer definitions, and run their samples.",
        discussion: """
            Example:
              allocport importer lint my-importers
            """,
        subcommands: [
            ImporterNewCommand.self, ImporterAdaptCommand.self, ImporterShowCommand.self, ImporterLintCommand.self,
            ImporterTestCommand.self,
        ])
}
