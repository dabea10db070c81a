import ArgumentParser
import OpenAlloc

/// `importer test`: do samples still become what they became?
struct ImporterTestCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "test",
        abstract: "Convert the samples below a folder and compare with what is expected, byte for byte.",
        discussion: """
            Example:
              allocport importer test SampleData/fidelity

            A sample is a folder with the export, and what it must become in expected/ beside it. --record writes \
            expected/ and always exits with 1, so that a recording is never taken for a test that passed.

            Exit codes: 0 all are the same, 1 some differ, or --record, 66 no samples, 78 a definition is wrong.
            """)

    @Argument(help: "A folder with samples.", completion: .directory)
    var folder: String

    @Flag(help: "Write what comes out into expected/.")
    var record = false

    @Flag(help: "Print JSON.")
    var json = false

    @OptionGroup var importers: ImporterOptions

    func run() throws {
        let set = try importers.load()
        let path = folder.count > 1 && folder.hasSuffix("/") ? String(folder.dropLast()) : folder
        if FileSystem.kind(path) == nil { throw Exit.failure(Exit.noInput, "there is no folder ‘\(folder)’") }
        let cases = SampleCase.find(in: path, bare: true)
        if cases.isEmpty { throw Exit.failure(Exit.noInput, "there are no samples in ‘\(folder)’") }
        var results: [(path: String, word: String, differences: [String])] = []
        for sample in cases {
            switch try sample.run(set, record: record) {
            case .same: results.append((sample.path, "same", []))
            case .unchanged: results.append((sample.path, "unchanged", []))
            case .recorded: results.append((sample.path, "recorded", []))
            case .different(let differences): results.append((sample.path, "different", differences))
            }
            if !json, let last = results.last { say(last) }
        }
        let good = results.filter { $0.word == "same" || $0.word == "unchanged" }.count
        if json {
            Terminal.result(bytes: ImporterTestCommand.json(results))
        } else if record {
            let recorded = results.count { $0.word == "recorded" }
            Terminal.result(
                "\(recorded) of \(Words.count(results.count, "sample")) recorded, the others unchanged; without --record they are tested"
            )
        } else {
            Terminal.result("\(good) of \(Words.count(results.count, "sample")) as expected")
        }
        // A recording run that changed nothing proves nothing either: it must not stand in for a test.
        if record || good < results.count { throw ExitCode(1) }
    }

    private func say(_ result: (path: String, word: String, differences: [String])) {
        guard result.word == "different" || result.word == "recorded" else { return }
        Terminal.say("\(result.path): \(result.word)")
        for difference in result.differences { Terminal.say("  \(difference)") }
    }

    private static func json(_ results: [(path: String, word: String, differences: [String])]) -> [UInt8] {
        var json = JSONWriter(pretty: true)
        json.array { json in
            for result in results {
                json.object { json in
                    json.member("sample", result.path)
                    json.member("result", result.word)
                    json.texts("differences", result.differences)
                }
            }
        }
        return json.bytes + [0x0A]
    }
}
