import Allocport
import ArgumentParser
import Importing

/// `importer new`: a definition drafted from an export.
struct ImporterNewCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "new",
        abstract: "Draft a definition from an export of a brokerage that is not known yet.",
        discussion: """
            Example:
              allocport importer new export.csv --id acme.history -o my-importers/history.yaml

            What the draft could not know is said at the end; Importers/ADDING.md leads through the rest. \
            The draft holds no value of the file.

            Exit codes: 0 a draft was made, 3 no table was found, 65 the file is no delimited text, 66 no such file, \
            74 the draft cannot be written.
            """)

    @Argument(help: "The export.", completion: .file())
    var file: String

    @Option(help: ArgumentHelp("The id of the new importer.", valueName: "brokerage.report"))
    var id: String = "mine.export"

    @Option(
        name: [.short, .long],
        help: ArgumentHelp("Where to write the draft; without it, standard output.", valueName: "def.yaml"),
        completion: .file(extensions: ["yaml"]))
    var output: String?

    @Flag(help: "Replace the definition that is there already.")
    var force = false

    @OptionGroup var importers: ImporterOptions

    func validate() throws {
        let parts = id.split(separator: ".", omittingEmptySubsequences: false)
        let isRight =
            parts.count == 2
            && parts.allSatisfy { part in
                !part.isEmpty && part.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") }
            }
        if !isRight {
            throw ValidationError("--id: ‘\(id)’ is no importer id; write brokerage.report, for example acme.history")
        }
    }

    func run() throws {
        let set = try importers.load()
        let input = try WorkbenchInput.read(file)
        if let output, !force, FileSystem.kind(output) != nil {
            throw Exit.failure(Exit.cannotWrite, "‘\(output)’ is there already; use --force to replace it")
        }
        guard let sheet = try WorkbenchInput.words({ () throws(InputError) in try Sheet(input) }) else {
            throw Exit.failure(
                Exit.notText, "‘\(input.name)’ is no table of delimited text, so no definition can read it")
        }
        guard let draft = DefinitionDraft(sheet, id: id, vocabulary: Vocabulary(set.registry.importers)) else {
            throw Exit.failure(Exit.unrecognised, "no line of ‘\(input.name)’ looks like a header with rows below it")
        }
        let bytes = Array(draft.yaml.utf8)
        let importer = try DefinitionFile.load(bytes, file: output ?? "draft")
        if let output {
            let code = FileSystem.write(bytes, to: output)
            if code != 0 { throw Exit.failure(Exit.cannotWrite, "cannot write \(output): \(FileSystem.message(code))") }
        } else {
            Terminal.result(bytes: bytes)
        }
        try say(draft, importer, input, set)
    }

    private func say(
        _ draft: DefinitionDraft, _ importer: DefinitionImporter, _ input: any InputSource, _ set: ImporterSet
    ) throws {
        if let best = Detection(input, set.registry).best {
            Terminal.say("\(best.importer.id) recognises this file already: a draft may not be needed")
        }
        if set.registry.importer(draft.id) != nil {
            Terminal.say("‘\(draft.id)’ is the id of an importer already; yours would win")
        }
        // What `convert` would say, checks of the values included.
        var options = RunOptions()
        options.importerID = draft.id
        options.isDryRun = true
        options.maxRejects = .max
        do throws(RunError) {
            let run = Run(options: options, catalog: Registry(set.registry.importers + [importer]))
            let report = try run.convert(paths: [file])
            let outcomes = report.outcomes
            Terminal.say(
                "Read with the draft: \(Words.count(outcomes[.accepted], "line")) accepted, \(Words.grouped(outcomes[.rejected])) rejected."
            )
            for (code, count) in report.rejectsByCode.sorted(by: { ($1.value, $0.key) < ($0.value, $1.key) }) {
                Terminal.say("  \(code): \(Words.grouped(count))")
            }
        } catch {
            throw Exit.failure(error.exitCode, error.message)
        }
        guard !draft.unknowns.isEmpty else { return }
        Terminal.say("What the draft cannot know:")
        for sentence in draft.unknowns { Terminal.say("  - \(Words.plain(sentence))") }
    }
}

/// One file that a person works on.
enum WorkbenchInput {
    /// The bytes of a file, under its name.
    ///
    /// - Throws: `ExitCode`; the reason is said.
    static func read(_ path: String) throws -> MemoryInput {
        guard FileSystem.kind(path) == .file else { throw Exit.failure(Exit.noInput, "there is no file ‘\(path)’") }
        guard let bytes = FileSystem.read(path) else {
            throw Exit.failure(Exit.noInput, "‘\(path)’ may not be read; check its permissions")
        }
        return MemoryInput(name: String(path.split(separator: "/").last ?? ""), bytes: bytes)
    }

    /// What the work gives; an error that reading throws is said in words.
    static func words<Value>(_ work: () throws(InputError) -> Value) throws -> Value {
        do throws(InputError) {
            return try work()
        } catch {
            throw Exit.failure(error.exitCode, error.words)
        }
    }
}
