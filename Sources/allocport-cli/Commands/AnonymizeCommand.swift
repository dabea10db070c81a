import Allocport
import ArgumentParser
import Importing
import OpenAlloc

/// `anonymize`: an export that can be shown to others.
struct AnonymizeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "anonymize",
        abstract:
            "Copy an export with other names, accounts, ids, amounts and days, so that it can be shown to others.",
        discussion: """
            Example:
              allocport anonymize History.csv -o shown.csv

            The copy keeps format, encoding, action words, securities and prices. All days move back by the same number of \
            weeks, all amounts and units grow by the same factor, so that everything still adds up. Both files are \
            converted, and the copy is written only when every line has the same outcome. Who knows one real amount, or \
            that all units were whole numbers, can find the factor: look through the copy before you show it. ‘-’ reads \
            standard input.

            Exit codes: 0 the copy is proven and written, 1 it could not be proven, 3 the file is not recognised or no \
            delimited text, 65 it is no text, 66 no such file, 74 the copy cannot be written.
            """)

    @Argument(help: "The export; ‘-’ is standard input.", completion: .file())
    var file: String

    @Option(
        name: [.short, .long],
        help: ArgumentHelp(
            "Where to write the copy; ‘-’ is standard output. Without it: here, under an anonymous name.",
            valueName: "out"),
        completion: .file())
    var output: String?

    @Option(help: ArgumentHelp("Read the file as this kind.", valueName: "id"))
    var importer: String?

    @Flag(help: "Replace the file that is there already.")
    var force = false

    @Flag(help: "Print JSON: what was compared, and where the copy is.")
    var json = false

    @OptionGroup var importers: ImporterOptions

    func validate() throws {
        if json, output == "-" { throw ValidationError("--json and -o - would both write to standard output") }
    }

    func run() throws {
        let set = try importers.load()
        try set.check(importer)
        try WorkbenchInput.refuse(output, force: force, input: file)
        let input = try WorkbenchInput.read(file)
        let registry = importer.flatMap { set.registry.importer($0) }.map { Registry([$0]) } ?? set.registry
        let detection = Detection(input, registry)
        if case .registry(.refused(let found)) = detection.decision {
            throw Exit.failure(
                Exit.unrecognised,
                "‘\(Words.masked(input.name))’ is \(found.importer.title), of which no row is read: there is nothing to "
                    + "prove a copy by")
        }
        if case .binary(let kind) = detection.decision {
            throw Exit.failure(
                Exit.notText, InputError.notText(name: input.name, kind: kind).words)
        }
        guard let best = detection.best else {
            throw Exit.failure(
                Exit.unrecognised,
                "‘\(Words.masked(input.name))’ is not recognised, so nothing is known of what to replace")
        }
        let vocabulary = Vocabulary(set.registry.importers)
        var differences: [String] = []
        for attempt in 0..<Anonymizer.attempts {
            let proven = try WorkbenchInput.words { () throws(InputError) in
                try ProvenCopy.make(input, by: best.importer, vocabulary: vocabulary, attempt: attempt)
            }
            guard let proven else {
                throw Exit.failure(
                    Exit.unrecognised,
                    "a file of \(best.importer.id) cannot be anonymised: it is no text, or its importer is no definition"
                )
            }
            let (made, proof) = (proven.copy, proven.proof)
            let copy = MemoryInput(name: made.name, bytes: made.bytes)
            differences = proof.differences
            guard proof.holds else { continue }
            differences = try Verdicts.differences(input, copy, set, importer: best.importer.id)
            guard differences.isEmpty else { continue }
            if !json { say(proof) }
            let path = try write(made)
            if json { Terminal.result(bytes: Self.json(proof, path)) }
            return
        }
        if json { Terminal.result(bytes: Self.json(nil, nil, differences)) }
        Terminal.complain("the copy cannot be proven to read like the original, so it is not written")
        for difference in differences.prefix(20) { Terminal.say("  " + Words.plain(difference)) }
        throw ExitCode(Exit.rejected)
    }

    private func say(_ proof: AnonymityProof) {
        Terminal.say("                              original      copy")
        for entry in proof.verdicts {
            let name = Words.padded(entry.verdict, 28)
            Terminal.say("  \(name) \(Self.right(entry.original)) \(Self.right(entry.copy))")
        }
        Terminal.say(
            "Every line has the same outcome; \(Words.count(proof.records, "record")) compared field by field.")
    }

    private static func right(_ number: Int) -> String {
        let text = Words.grouped(number)
        return String(repeating: " ", count: max(0, 9 - text.count)) + text
    }

    /// What was found out, for programs; without a proof no copy was written.
    private static func json(
        _ proof: AnonymityProof?, _ path: String?, _ differences: [String] = []
    ) -> [UInt8] {
        var json = JSONWriter(pretty: true)
        json.object { json in
            json.member("proven", proof != nil)
            json.member("output", path.map { .string($0) } ?? .null)
            json.member("records", proof?.records ?? 0)
            json.name("outcomes")
            json.array { json in
                for entry in proof?.verdicts ?? [] {
                    json.object { json in
                        json.member("outcome", entry.verdict)
                        json.member("original", entry.original)
                        json.member("copy", entry.copy)
                    }
                }
            }
            json.texts("differences", differences)
        }
        return json.bytes + [0x0A]
    }

    /// Writes the copy; where to, if to a file.
    private func write(_ copy: Anonymizer.Copy) throws -> String? {
        if output == "-" {
            Terminal.result(bytes: copy.bytes)
            return nil
        }
        let path = output ?? copy.name
        try WorkbenchInput.refuse(path, force: force, input: file)
        try WorkbenchInput.write(copy.bytes, to: path)
        if json { return path }
        Terminal.say("Written to \(path). Look through it before you show it.")
        if let output, !output.hasSuffix(copy.name), !copy.name.hasPrefix("anonymous.") {
            Terminal.say(
                "Its account may be read from the name: ‘\(Words.plain(copy.name))’ would be read like the original’s.")
        }
        return path
    }
}
