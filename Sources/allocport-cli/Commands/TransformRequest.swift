import Allocport
import ArgumentParser
import Importing
import OpenAlloc

/// What `transform` was asked to do, and doing it.
struct TransformRequest: PlainRequest {
    /// One.
    var inputs: [String] = []
    var importer: String?
    var outputSchema: String?
    var defTimeOfDay: String?
    var timeZoneID: String?
    var showRejectedRows = false
    var importerFolders: [String] = []

    private var input: String { inputs.first ?? "" }

    mutating func takeOption(_ words: inout PlainWords) -> Bool {
        switch words.name {
        case "--importer": words.value(&importer)
        case "--importers": words.value(addedTo: &importerFolders)
        case "--output-schema": words.value(&outputSchema)
        case "--def-time-of-day": words.value(&defTimeOfDay)
        case "--time-zone-id": words.value(&timeZoneID)
        case "--show-rejected-rows": words.flag(&showRejectedRows)
        default: false
        }
    }

    mutating func takeInput(_ word: String) -> Bool {
        inputs.append(word)
        return inputs.count == 1
    }

    func validate() throws {
        if inputs.isEmpty { throw ValidationError("name the file to transform") }
        _ = try options()
    }

    private func options() throws -> RunOptions {
        var options = RunOptions()
        options.columns = .core
        options.importerID = importer
        options.timeZone = try timeZoneID.map { try OptionValues.timeZone($0, option: "--time-zone-id") }
        options.secondOfDay = try defTimeOfDay.map { try OptionValues.secondOfDay($0, option: "--def-time-of-day") }
        if let outputSchema { _ = try OptionValues.schema(outputSchema) }
        return options
    }

    func run() throws {
        let set = try ImporterSet(folders: importerFolders)
        try set.check(importer)
        let source = try open()
        let schema = try schema(of: source, set)
        var options = try options()
        let isOldLayout = FinporterLayout.applies(importer: importer, schema: schema)
        if isOldLayout { options.columns = .extended }
        let result = try Conversion(set: set, options: options, showsProgress: true).transform(source, schema: schema)
        if let importer = result.report.inputs.lazy.compactMap(\.importer).first {
            try check(schema, of: importer, set)
            let code = Terminal.result(bytes: isOldLayout ? FinporterLayout.accounts(result.table) : result.table)
            if code != 0 { throw Exit.failure(Exit.cannotWrite, "cannot write the table: \(FileSystem.message(code))") }
        }
        say(result.report, rejects: result.rejects)
        if result.report.exitCode != 0 { throw ExitCode(result.report.exitCode) }
    }

    /// An empty table would look as if the file had no rows for it.
    private func check(_ schema: SchemaID, of importer: String, _ set: ImporterSet) throws {
        guard let schemas = set.registry.importer(importer)?.schemas, !schemas.contains(schema) else { return }
        let names = schemas.map(\.rawValue).joined(separator: ", ")
        throw Exit.failure(Exit.usage, "\(importer) does not fill \(schema.rawValue); --output-schema may be \(names)")
    }

    private func open() throws -> any InputSource {
        if FileSystem.kind(input) == .folder {
            throw Exit.failure(
                Exit.noInput, "‘\(input)’ is a folder; transform reads one file, and convert reads folders")
        }
        do throws(InputError) {
            if input == "-" { return try StdinInput.spool() }
            return try FileInput(path: input)
        } catch {
            throw Exit.failure(error.exitCode, error.words)
        }
    }

    /// The schema asked for, or the only one that the importer fills.
    private func schema(of source: any InputSource, _ set: ImporterSet) throws -> SchemaID {
        if let outputSchema { return try OptionValues.schema(outputSchema) }
        let reader: any Importer
        if let forced = importer.flatMap({ set.registry.importer($0) }) {
            reader = forced
        } else {
            let detection = Detection(source, set.registry)
            guard let best = detection.best else {
                Terminal.complain(detection.text)
                throw ExitCode(detection.exitCode)
            }
            reader = best.importer
        }
        let choices = choices(reader, source)
        guard let only = choices.first, choices.count == 1 else {
            let names = choices.map(\.rawValue).joined(separator: ", ")
            throw Exit.failure(
                Exit.usage, "\(reader.id) fills several tables; choose one with --output-schema: \(names)")
        }
        return only
    }

    /// What the file fills: an openalloc table its own schema alone.
    private func choices(_ reader: any Importer, _ source: any InputSource) -> [SchemaID] {
        if reader.id == TabularImporter().id, let sample = try? InputSample(source),
            let examination = reader.examine(sample),
            let schema = SchemaID.allCases.first(where: { id in
                examination.evidence.contains { $0.hasSuffix("columns of \(id.rawValue)") }
            })
        {
            return [schema]
        }
        let schemas = reader.schemas.filter { $0 != .metaSource }
        // Transactions bring their accounts along; they are what the file is about.
        return schemas.contains(.transaction) && !schemas.contains(.holding) ? [.transaction] : schemas
    }

    private func say(_ report: RunReport, rejects: [UInt8]) {
        for input in report.inputs {
            for issue in input.errors where issue.line == nil {
                Terminal.complain(Words.plain(issue.message, limit: 400))
                if !issue.suggestion.isEmpty { Terminal.say(Words.plain(issue.suggestion, limit: 400)) }
            }
        }
        for input in report.inputs {
            for line in Summary.warnings(of: input) { Terminal.say(line) }
        }
        let count = report.outcomes[.rejected]
        if count > 0 {
            Terminal.complain(
                "\(Words.count(count, "line")) rejected"
                    + (showRejectedRows ? ":" : "; --show-rejected-rows lists them"))
        }
        if showRejectedRows, count > 0 { Terminal.sayPart(String(decoding: rejects, as: UTF8.self)) }
    }
}
