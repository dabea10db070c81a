import Allocport
import ArgumentParser

/// The command line: it reads arguments, lets the library work, and says in words what came of it.
@main
struct AllocportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "allocport",
        abstract:
            "Turns files of brokerages into clean openalloc tables, and accounts for every line.",
        discussion: """
            Start here:
              allocport detect Downloads
              allocport convert Downloads -o tables
            """,
        version: Allocport.version,
        subcommands: [
            ConvertCommand.self, DetectCommand.self, TransformCommand.self, ListCommand.self, SchemaCommand.self,
            AnonymizeCommand.self,
            ImporterCommand.self,
        ])

    /// Runs the command that the arguments name, and ends with its exit code.
    static func main() {
        Terminal.openStreams()
        // The commonest question of scripts needs no parser.
        if CommandLine.argc == 2, CommandLine.arguments[1] == "--version" {
            Terminal.result(Allocport.version)
            return endIfResultsAreLost()
        }
        do {
            // So do the commands that scripts run for every file, when all of their words are plain.
            if let request = PlainWords.request(CommandLine.arguments.dropFirst()) {
                try request.run()
            } else {
                var command = try parseAsRoot()
                try command.run()
            }
        } catch {
            exit(withError: error)
        }
        endIfResultsAreLost()
    }

    private static func endIfResultsAreLost() {
        guard let code = Terminal.resultError else { return }
        exit(withError: Exit.failure(Exit.cannotWrite, "cannot write to standard output: \(FileSystem.message(code))"))
    }
}
