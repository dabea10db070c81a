import Allocport
import ArgumentParser
import Importing
import OpenAlloc

/// `importer adapt`: a copy of a definition for an export whose columns have new names.
struct ImporterAdaptCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "adapt",
        abstract: "Adapt a copy of a definition to an export whose columns were renamed.",
        discussion: """
            Example:
              allocport importer adapt export.csv -o my-importers/history.yaml
              allocport convert export.csv --importers my-importers -o tables

            Which definition the export is near, and which columns would get its new names, `allocport detect` says too. \
            The copy keeps the id, so that it wins over the built-in one; the old names stay in it. Look at what it adds: \
            a column is proposed because its values have the right shape. ‘-’ reads standard input.

            Exit codes: 0 a copy was made, 3 there is nothing to adapt, or no definition is near, 65 the file is no \
            delimited text, 66 no such file, 74 the copy cannot be written.
            """)

    @Argument(help: "The export; ‘-’ is standard input.", completion: .file())
    var file: String

    @Option(help: ArgumentHelp("The definition to adapt, instead of the nearest.", valueName: "id"))
    var importer: String?

    @OptionGroup var place: DefinitionPlace

    @Flag(help: "Print JSON: what was added, and the copy itself when no file is named.")
    var json = false

    @OptionGroup var importers: ImporterOptions

    func run() throws {
        let set = try importers.load()
        try set.check(importer)
        try place.refuse(input: file)
        let path = place.path
        let input = try WorkbenchInput.read(file)
        let patch = try patch(input, set)
        let text = try set.text(of: patch.importer)
        guard let adapted = AdaptedDefinition(text, adding: patch, parts: set.parts) else {
            throw Exit.failure(
                Exit.unrecognised,
                "\(patch.importer) has its columns in a form that must be changed by hand: print it with "
                    + "`allocport importer show \(patch.importer)` and write in it: \(patch.lines.joined(separator: ", "))"
            )
        }
        let bytes = Array(adapted.text.utf8)
        let definition = try DefinitionFile.load(bytes, file: path ?? "copy", parts: set.parts)
        let sample = try WorkbenchInput.words { () throws(InputError) in try InputSample(input) }
        guard let examination = definition.examine(sample), examination.score >= Examination.threshold else {
            throw Exit.failure(
                Exit.unrecognised,
                "‘\(input.name)’ is near \(patch.importer), but new names of columns alone do not mend it; "
                    + "draft a new definition: allocport importer new FILE")
        }
        if let path { try WorkbenchInput.write(bytes, to: path) }
        let trial = try DefinitionTrial(definition, input, set)
        if json {
            Terminal.result(bytes: report(patch, adapted, trial, path))
            return
        }
        if path == nil { Terminal.result(bytes: bytes) }
        Terminal.say("Adapted a copy of \(patch.importer):")
        for line in patch.lines { Terminal.say("  " + Words.plain(line, limit: 300)) }
        trial.say("the copy")
    }

    private func patch(_ input: MemoryInput, _ set: ImporterSet) throws -> DriftPatch {
        let vocabulary = Vocabulary(set.registry.importers)
        let found = try WorkbenchInput.words { () throws(InputError) in
            try Sheet(input, vocabulary.sample(of: input))
        }
        guard let sheet = found else {
            throw Exit.failure(
                Exit.notText, "‘\(input.name)’ is no table of delimited text, so no definition can read it")
        }
        if let importer {
            if let chosen = set.registry.importer(importer), let patch = DriftPatch(chosen, for: sheet) { return patch }
            throw Exit.failure(
                Exit.unrecognised, "‘\(input.name)’ lacks no column of \(importer), or more than new names can mend")
        }
        let detection = Detection(input, set.registry)
        if let patch = detection.patch { return patch }
        if let best = detection.best {
            let id = best.importer.id
            guard let drift = best.examination.drift.first else {
                throw Exit.failure(
                    Exit.unrecognised, "\(id) reads ‘\(input.name)’ as it is: there is nothing to adapt")
            }
            throw Exit.failure(
                Exit.unrecognised,
                "\(id) reads ‘\(input.name)’, and which of its columns has another name now cannot be told "
                    + "(\(Words.plain(drift))): print it with `allocport importer show \(id)`, write the new name beside "
                    + "the old one, and convert with --importers")
        }
        throw Exit.failure(
            Exit.unrecognised,
            "no definition comes near enough to ‘\(input.name)’; draft a new one: allocport importer new FILE")
    }

    /// What was made, for programs.
    private func report(
        _ patch: DriftPatch, _ adapted: AdaptedDefinition, _ trial: DefinitionTrial, _ path: String?
    ) -> [UInt8] {
        var json = JSONWriter(pretty: true)
        json.object { json in
            json.member("id", patch.importer)
            json.member("output", path.map { .string($0) } ?? .null)
            json.member("definition", path == nil ? .string(adapted.text) : .null)
            json.texts("added", patch.lines)
            trial.write(&json)
        }
        return json.bytes + [0x0A]
    }
}
