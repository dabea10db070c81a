import Allocport
import ArgumentParser
import Importing

/// `importer show`: the text of a definition.
struct ImporterShowCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Print a definition: one that is built in, or one of your own.",
        discussion: """
            Example:
              allocport importer show fidelity.history > my-importers/history.yaml

            Yours wins over the built-in one as long as it keeps the id, with --importers or in \
            ~/.config/allocport/importers. `allocport list importers` shows all ids.

            Exit codes: 0 printed, 64 no definition has this id.
            """)

    @Argument(help: "The id of an importer, or another name that it has.")
    var id: String

    @OptionGroup var importers: ImporterOptions

    func run() throws {
        Terminal.result(bytes: Array(try importers.load().text(of: id).utf8))
    }
}

extension ImporterSet {
    /// The text of a definition.
    ///
    /// - Throws: `ExitCode` where there is none; the reason is said.
    func text(of id: String) throws -> String {
        guard let importer = registry.importer(id) else {
            throw Exit.failure(
                Exit.usage,
                "there is no importer ‘\(id)’\(Nearest.hint(id, among: names)) `allocport list importers` shows all")
        }
        if let path = origins[importer.id] {
            guard let bytes = DefinitionFile.bytes(of: path), let text = String(validating: bytes, as: UTF8.self) else {
                throw Exit.failure(Exit.badDefinition, "\(path): the definition cannot be read any more")
            }
            return text
        }
        guard let text = Registry.builtInText(of: importer.id) else {
            throw Exit.failure(Exit.usage, "‘\(importer.id)’ is a part of the program, and has no definition")
        }
        return text
    }
}
