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
        // Without any words it would be the help, and a success.
        if CommandLine.argc == 0 {
            exit(withError: Exit.failure(Exit.cannotWrite, "the system does not say what the arguments are"))
        }
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
            end(error)
        }
        endIfResultsAreLost()
    }

    /// Ends with what reading or doing has thrown. Help and completions are thrown too: they are results, so that it is
    /// seen to that they arrive.
    private static func end(_ error: any Error) -> Never {
        let (code, text) = (exitCode(for: error), fullMessage(for: error))
        if code == .success || code == .validationFailure,
            let hint = UnknownCommand.hint(Array(CommandLine.arguments.dropFirst()))
        {
            exit(withError: Exit.failure(Exit.usage, hint))
        }
        if code == .success, let hint = UnknownCommand.hint(asHelp: Array(CommandLine.arguments.dropFirst())) {
            exit(withError: Exit.failure(Exit.usage, hint))
        }
        if code == .success {
            if !text.isEmpty { Terminal.result(text) }
            endIfResultsAreLost()
        } else if !text.isEmpty {
            Terminal.say(text)
        }
        // A code that speaks of the inputs does not say that the report has not arrived.
        if let lost = Terminal.resultError {
            Terminal.complain("cannot write to standard output: \(FileSystem.message(lost))")
        }
        exit(withError: code)
    }

    private static func endIfResultsAreLost() {
        guard let code = Terminal.resultError else { return }
        exit(withError: Exit.failure(Exit.cannotWrite, "cannot write to standard output: \(FileSystem.message(code))"))
    }
}
