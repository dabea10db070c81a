import Allocport
import Importing
import OpenAlloc

/// What `convert` would make of a file with a definition that was just made, checks of the values included.
struct DefinitionTrial {
    private let report: RunReport

    /// - Throws: `ExitCode`; the reason is said.
    init(_ importer: DefinitionImporter, _ input: MemoryInput, _ set: ImporterSet) throws {
        var options = RunOptions()
        options.importerID = importer.id
        options.isDryRun = true
        options.maxRejects = .max
        var found = FoundInputs()
        found.inputs = [input]
        do throws(RunError) {
            report = try Run(options: options, catalog: Registry(set.registry.importers + [importer])).convert(found)
        } catch {
            throw Exit.failure(error.exitCode, error.message)
        }
    }

    private var rejects: [(code: String, count: Int)] {
        report.rejectsByCode.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map { ($0.key, $0.value) }
    }

    /// Says how many lines it reads; `what` is it.
    func say(_ what: String) {
        let outcomes = report.outcomes
        Terminal.say(
            "Read with \(what): \(Words.count(outcomes[.accepted], "line")) accepted, "
                + "\(Words.grouped(outcomes[.rejected])) rejected.")
        for (code, count) in rejects { Terminal.say("  \(code): \(Words.grouped(count))") }
    }

    /// The same for programs, as members of an object.
    func write(_ json: inout JSONWriter) {
        json.member("accepted", report.outcomes[.accepted])
        json.member("rejected", report.outcomes[.rejected])
        json.name("rejects")
        json.object { json in for (code, count) in rejects { json.member(code, count) } }
    }
}
