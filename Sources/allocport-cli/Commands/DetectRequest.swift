import Allocport
import ArgumentParser
import Importing

/// What `detect` was asked to do, and doing it.
struct DetectRequest: PlainRequest {
    var inputs: [String] = []
    var json = false
    var importer: String?
    var importerFolders: [String] = []
    var verbose = false

    mutating func takeOption(_ words: inout PlainWords) -> Bool {
        switch words.name {
        case "--json": words.flag(&json)
        case "--importer": words.value(&importer)
        case "--importers": words.value(addedTo: &importerFolders)
        case "-v", "--verbose": words.flag(&verbose)
        default: false
        }
    }

    mutating func takeInput(_ word: String) -> Bool {
        inputs.append(word)
        return true
    }

    func validate() throws {
        if inputs.isEmpty { throw ValidationError("name at least one file or folder") }
        if inputs.contains("") { throw ValidationError("one of the inputs has no name (an empty argument)") }
        if json, verbose { throw ValidationError("--json and --verbose exclude each other") }
    }

    func run() throws {
        let set = try ImporterSet(folders: importerFolders)
        try set.check(importer)
        let registry = importer.flatMap { set.registry.importer($0) }.map { Registry([$0]) } ?? set.registry
        let found = InputFinder().find(inputs)
        for failure in found.failures { Terminal.complain(failure.words) }
        var detections: [Detection] = []
        for input in found.inputs {
            let detection = Detection(input, registry)
            detections.append(detection)
            guard !json else { continue }
            Terminal.result(detection.text)
            if verbose { RecordDump.print(input, detection) }
        }
        for item in found.passedOver {
            let detection = Detection(name: item.name, decision: .passedOver(item.reason))
            detections.append(detection)
            if !json { Terminal.result(detection.text) }
        }
        detections += found.failures.map { Detection(name: $0.name, decision: .unreadable($0)) }
        if json { Terminal.result(bytes: Detection.json(detections)) }
        let code = Exit.smallest(detections.map(\.exitCode))
        if code != 0 { throw ExitCode(code) }
    }
}
