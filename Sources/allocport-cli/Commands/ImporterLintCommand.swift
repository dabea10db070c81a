import Allocport
import ArgumentParser
import BuiltInDefinitions
import Importing
import OpenAlloc

/// `importer lint`: are definitions right?
struct ImporterLintCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "lint",
        abstract: "Check definitions; without files, the built-in ones and those of your configuration folder.",
        discussion: """
            Example:
              allocport importer lint my-importers/acme/history.yaml --samples my-samples

            Warnings name what is allowed and seldom meant: columns that nothing uses, tables that few columns tell, \
            tables that files of another importer fit too, variables that nothing gives, rules that are never reached, \
            and with --samples action words that no rule knows. They change the exit code with --strict alone.

            Exit codes: 0 all are right, 66 no such file or no definition, 78 a definition is wrong (with --strict: or \
            there is a warning).
            """)

    @Argument(help: "Definition files, and folders of them.", completion: .file(extensions: ["yaml", "yml"]))
    var paths: [String] = []

    @Option(
        help: ArgumentHelp("Exports that the definitions must know every action of.", valueName: "dir"),
        completion: .directory)
    var samples: String?

    @Flag(help: "Show the warnings of the built-in definitions too.")
    var warnings = false

    @Flag(help: "Warnings are errors too.")
    var strict = false

    @Flag(help: "Print which definitions use which construct of the language, as a Markdown table.")
    var constructs = false

    @Flag(help: "Print the JSON Schema of the language, for editors.")
    var schema = false

    @Flag(help: "Print the table of all keys of the language, as Markdown.")
    var reference = false

    @Flag(help: "Print JSON.")
    var json = false

    func validate() throws {
        if [constructs, schema, reference, json].count(where: { $0 }) > 1 {
            throw ValidationError("--constructs, --schema, --reference and --json exclude each other")
        }
    }

    func run() throws {
        if schema {
            Terminal.result(bytes: DefinitionSchema.json)
            return
        }
        if reference {
            Terminal.result(bytes: Array(DefinitionSchema.reference.utf8))
            return
        }
        var lint = Lint(warns: !paths.isEmpty || warnings)
        if paths.isEmpty {
            for part in Catalogue.parts { lint.check(part.text.withUTF8Buffer { Array($0) }, file: "\(part.path)") }
            for entry in Catalogue.definitions.sorted(by: { "\($0.path)" < "\($1.path)" }) {
                lint.check(entry.text.withUTF8Buffer { Array($0) }, file: "\(entry.path)")
            }
            for folder in ImporterSet.userFolders { lint.check(folder: folder) }
        }
        for path in paths {
            switch FileSystem.kind(path) {
            case .folder: lint.check(folder: path)
            case nil: throw Exit.failure(Exit.noInput, "there is no file or folder ‘\(path)’")
            default: lint.check(file: path)
            }
        }
        if lint.checked + lint.checkedParts == 0 {
            throw Exit.failure(
                Exit.noInput, "there are no definitions (.yaml) in \(Words.list(paths.map { "‘\($0)’" }))")
        }
        if constructs {
            Terminal.result(bytes: Array(lint.constructs.markdown.utf8))
        } else {
            if let samples { try lint.check(samples: samples) }
            if json { Terminal.result(bytes: lint.json) } else { lint.say() }
        }
        if !lint.errors.isEmpty || strict && lint.hasWarnings { throw ExitCode(Exit.badDefinition) }
    }
}

/// Definitions that were checked, and what is wrong with them.
struct Lint {
    /// What is wrong, and where.
    struct Problem {
        let file: String
        var line = 1
        var column = 1
        let message: String
        let hint: String
    }

    private(set) var checked = 0
    private(set) var checkedParts = 0
    private(set) var errors: [Problem] = []
    private var files: [String: String] = [:]
    private var twins: [Problem] = []
    private(set) var constructs = ConstructTable()
    private var warnings: [DefinitionWarning] = []
    private var importers: [DefinitionImporter] = []
    private var parts = SharedParts.builtIn
    /// What knows the built-in definitions, for overlaps; nil when warnings are not wanted.
    private let lint: DefinitionLint?

    /// Whether there is anything to think about.
    var hasWarnings: Bool { !warnings.isEmpty || !twins.isEmpty }

    init(warns: Bool) {
        lint = warns ? DefinitionLint(against: Registry.builtIn().importers) : nil
    }

    /// Reads the samples by the definitions that were checked, and notes the action words that no rule knows.
    mutating func check(samples folder: String) throws {
        guard FileSystem.kind(folder) == .folder else {
            throw Exit.failure(Exit.noInput, "--samples: there is no folder ‘\(folder)’")
        }
        let registry = Registry(importers)
        for path in FileSystem.files(below: folder) where !"/\(path)".contains("/expected/") && !path.hasSuffix(".md") {
            let input = try WorkbenchInput.read("\(folder)/\(path)")
            guard let best = Detection(input, registry).best else { continue }
            let trial = try WorkbenchInput.words { () throws(InputError) in try DraftTrial.run(best.importer, input) }
            for (word, count) in trial.unknownActions.sorted(by: { $0.key < $1.key }) {
                let message =
                    "‘\(Words.plain(word))’ is no action of \(best.importer.id) (\(Words.count(count, "line")))"
                warnings.append(
                    DefinitionWarning(
                        file: "\(folder)/\(path)", line: 1, column: 1, message: message,
                        hint: "add it under ‘words’, with what it is"))
            }
        }
    }

    /// Parts come first, wherever they stand among the others.
    mutating func check(folder: String) {
        var definitions: [(String, [UInt8])] = []
        for path in DefinitionFile.paths(in: folder) {
            guard let bytes = note(DefinitionFile.bytes(of: path), of: path) else { continue }
            if SharedParts.isPart(bytes) { check(bytes, file: path) } else { definitions.append((path, bytes)) }
        }
        for (path, bytes) in definitions { check(bytes, file: path) }
    }

    mutating func check(file: String) {
        guard let bytes = note(FileSystem.read(file), of: file) else { return }
        check(bytes, file: file)
    }

    private mutating func note(_ bytes: [UInt8]?, of file: String) -> [UInt8]? {
        if let bytes { return bytes }
        checked += 1
        errors.append(
            Problem(file: file, message: "the definition cannot be read", hint: "is it a file, and may it be read?"))
        return nil
    }

    mutating func check(_ bytes: [UInt8], file: String) {
        let isPart = SharedParts.isPart(bytes)
        if isPart { checkedParts += 1 } else { checked += 1 }
        do throws(DefinitionError) {
            if isPart {
                try parts.add(bytes, file: file)
                return
            }
            let importer = try DefinitionLoader.load(bytes, file: file, parts: parts)
            importers.append(importer)
            constructs.add(bytes, parts: parts)
            warnings += lint?.warnings(bytes, file: file, parts: parts) ?? []
            if let other = files.updateValue(file, forKey: importer.id) {
                twins.append(
                    Problem(
                        file: file, message: "‘\(importer.id)’ is defined in \(other) too; the later one wins",
                        hint: "keep one of them, or give one another id"))
            }
        } catch {
            errors.append(
                Problem(
                    file: error.file, line: error.line, column: error.column, message: error.message, hint: error.hint))
        }
    }

    func say() {
        for error in errors {
            Terminal.say("\(error.file):\(error.line):\(error.column): \(error.message); \(error.hint)")
        }
        for twin in twins { Terminal.say("\(twin.file): \(twin.message)") }
        for warning in warnings {
            Terminal.say(
                "\(warning.file):\(warning.line):\(warning.column): "
                    + Style.yellow.on("warning: ") + "\(warning.message); \(warning.hint)")
        }
        let noted = warnings.isEmpty ? "" : ", \(Words.count(warnings.count, "warning"))"
        let wrong = errors.isEmpty ? "none is wrong" : "\(errors.count) wrong"
        let parts = checkedParts == 0 ? "" : " and \(Words.count(checkedParts, "part"))"
        let counted = Words.count(checked, "definition") + parts
        Terminal.result("\(counted) checked, \(wrong)" + noted)
    }

    var json: [UInt8] {
        var json = JSONWriter(pretty: true)
        json.object { json in
            json.member("valid", errors.isEmpty)
            json.member("checked", checked)
            json.member("parts", checkedParts)
            json.name("errors")
            Lint.write(errors, &json)
            json.name("warnings")
            let others = warnings.map {
                Problem(file: $0.file, line: $0.line, column: $0.column, message: $0.message, hint: $0.hint)
            }
            Lint.write(twins + others, &json)
        }
        return json.bytes + [0x0A]
    }

    private static func write(_ problems: [Problem], _ json: inout JSONWriter) {
        json.array { json in
            for problem in problems {
                json.object { json in
                    json.member("file", problem.file)
                    json.member("line", problem.line)
                    json.member("column", problem.column)
                    json.member("message", problem.message)
                    json.member("suggestion", problem.hint)
                }
            }
        }
    }
}
