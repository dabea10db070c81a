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
              allocport importer lint my-importers/acme/history.yaml

            Exit codes: 0 all are right, 66 no such file, 78 a definition is wrong.
            """)

    @Argument(help: "Definition files, and folders of them.", completion: .file(extensions: ["yaml", "yml"]))
    var paths: [String] = []

    @Flag(help: "Print JSON.")
    var json = false

    func run() throws {
        var lint = Lint()
        if paths.isEmpty {
            for (path, _, text) in Catalogue.definitions {
                lint.check(text.withUTF8Buffer { Array($0) }, file: "\(path)")
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
        if json { Terminal.result(bytes: lint.json) } else { lint.say() }
        if !lint.errors.isEmpty { throw ExitCode(Exit.badDefinition) }
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
    private(set) var errors: [Problem] = []
    private var files: [String: String] = [:]
    private var twins: [String] = []

    mutating func check(folder: String) {
        for path in DefinitionFile.paths(in: folder) { check(file: path) }
    }

    mutating func check(file: String) {
        guard let bytes = FileSystem.read(file) else {
            checked += 1
            errors.append(Problem(file: file, message: "the file cannot be read", hint: "check its permissions"))
            return
        }
        check(bytes, file: file)
    }

    mutating func check(_ bytes: [UInt8], file: String) {
        checked += 1
        do throws(DefinitionError) {
            let importer = try DefinitionLoader.load(bytes, file: file)
            if let other = files.updateValue(file, forKey: importer.id) {
                twins.append("\(file): ‘\(importer.id)’ is defined in \(other) too; the later one wins")
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
        for twin in twins { Terminal.say(twin) }
        let wrong = errors.isEmpty ? "none is wrong" : "\(errors.count) wrong"
        Terminal.result("\(Words.count(checked, "definition")) checked, \(wrong)")
    }

    var json: [UInt8] {
        var json = JSONWriter(pretty: true)
        json.object { json in
            json.member("valid", errors.isEmpty)
            json.member("checked", checked)
            json.name("errors")
            json.array { json in
                for error in errors {
                    json.object { json in
                        json.member("file", error.file)
                        json.member("line", error.line)
                        json.member("column", error.column)
                        json.member("message", error.message)
                        json.member("suggestion", error.hint)
                    }
                }
            }
            json.texts("warnings", twins)
        }
        return json.bytes + [0x0A]
    }
}
