import ArgumentParser

/// What to say when the first word, or the one after `importer` or `help`, is no command.
///
/// The parser would count the words that it did not expect, and help with something else.
enum UnknownCommand {
    /// The complaint; nil when the words name a command.
    static func hint(_ words: [String]) -> String? {
        var command: any ParsableCommand.Type = AllocportCommand.self
        var path = ""
        let asksForHelp = words.first == "help"
        for word in words.dropFirst(asksForHelp ? 1 : 0) {
            let commands = command.configuration.subcommands
            let names = commands.compactMap { $0.configuration.commandName }
            if names.isEmpty || word.hasPrefix("-") || word == "help" { return nil }
            if let next = commands.first(where: { $0.configuration.commandName == word }) {
                command = next
                path += " " + word
                continue
            }
            if path.isEmpty, !asksForHelp, FileSystem.kind(word) != nil {
                return "‘\(word)’ is no command; to convert it: allocport convert \(Words.shell(word)) -o DIR"
            }
            return "there is no command ‘\((path + " " + word).dropFirst())’"
                + "\(Nearest.hint(word, among: names)) `allocport\(path) --help` shows all"
        }
        return nil
    }

    /// The complaint about a word with a dash that the parser took for a call for help, because an `h` is in it: a file
    /// such as `-dash.csv` would be left out with a good exit code.
    static func hint(asHelp words: [String]) -> String? {
        if words.contains(where: { $0 == "-h" || $0 == "--help" || $0 == "--" }) { return nil }
        let word = words.first {
            $0.hasPrefix("-") && !$0.hasPrefix("--") && $0.contains("h") && !$0.dropFirst().allSatisfy("hnqvo".contains)
        }
        return word.map {
            "‘\($0)’ is no option; if it is a file, write \(Words.shell("./" + $0)), or put -- before the names of files"
        }
    }
}
