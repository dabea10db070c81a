import Allocport
import ArgumentParser
import Importing
import OpenAlloc

/// `importer new`: a definition drafted from an export.
struct ImporterNewCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "new",
        abstract: "Draft a definition from an export of a brokerage that is not known yet.",
        discussion: """
            Example:
              allocport importer new export.csv --id acme.history -o my-importers/history.yaml

            What the draft could not know is said at the end; Importers/ADDING.md leads through the rest. \
            The draft holds no value of the file. ‘-’ reads standard input.

            Exit codes: 0 a draft was made, 3 no table was found, 65 the file is no delimited text, 66 no such file, \
            74 the draft cannot be written.
            """)

    @Argument(help: "The export; ‘-’ is standard input.", completion: .file())
    var file: String

    @Option(help: ArgumentHelp("The id of the new importer.", valueName: "brokerage.report"))
    var id: String = "mine.export"

    @OptionGroup var place: DefinitionPlace

    @Flag(help: "Print JSON: what is known of the draft, and the draft itself when no file is named.")
    var json = false

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
        try place.refuse(input: file)
        let input = try WorkbenchInput.read(file)
        let vocabulary = Vocabulary(set.registry.importers)
        let found = try WorkbenchInput.words { () throws(InputError) in
            try Sheet(input, vocabulary.sample(of: input))
        }
        guard let sheet = found else {
            throw Exit.failure(
                Exit.notText, "‘\(input.name)’ is no table of delimited text, so no definition can read it")
        }
        guard let draft = DefinitionDraft(sheet, id: id, vocabulary: vocabulary) else {
            throw Exit.failure(Exit.unrecognised, "no line of ‘\(input.name)’ looks like a header with rows below it")
        }
        let bytes = Array(draft.yaml.utf8)
        let importer = try DefinitionFile.load(bytes, file: place.path ?? "draft")
        if let path = place.path { try WorkbenchInput.write(bytes, to: path) }
        let trial = try DraftReport(draft, importer, input, set)
        if json {
            Terminal.result(bytes: trial.json(place.path))
        } else {
            if place.path == nil { Terminal.result(bytes: bytes) }
            trial.say()
        }
    }

}

/// What is said of a draft.
private struct DraftReport {
    let draft: DefinitionDraft
    /// The importer that reads the file already.
    let recognisedBy: String?
    let isIDTaken: Bool
    let trial: DefinitionTrial

    init(
        _ draft: DefinitionDraft, _ importer: DefinitionImporter, _ input: MemoryInput, _ set: ImporterSet
    ) throws {
        self.draft = draft
        recognisedBy = Detection(input, set.registry).best?.importer.id
        isIDTaken = set.registry.importer(draft.id) != nil
        trial = try DefinitionTrial(importer, input, set)
    }

    func say() {
        if let recognisedBy {
            Terminal.say("\(recognisedBy) recognises this file already: a draft may not be needed")
        }
        if isIDTaken { Terminal.say("‘\(draft.id)’ is the id of an importer already; yours would win") }
        trial.say("the draft")
        guard !draft.unknowns.isEmpty else { return }
        Terminal.say("What the draft cannot know:")
        for sentence in draft.unknowns { Terminal.say("  - \(Words.plain(sentence))") }
    }

    /// The same for programs, with the draft itself when no file has it.
    func json(_ path: String?) -> [UInt8] {
        var json = JSONWriter(pretty: true)
        json.object { json in
            json.member("id", draft.id)
            json.member("output", path.map { .string($0) } ?? .null)
            json.member("definition", path == nil ? .string(draft.yaml) : .null)
            json.member("recognisedBy", recognisedBy.map { .string($0) } ?? .null)
            json.member("isIDTaken", isIDTaken)
            trial.write(&json)
            json.texts("unknowns", draft.unknowns)
        }
        return json.bytes + [0x0A]
    }
}
