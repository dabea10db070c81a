import BuiltInDefinitions
import Delimited
import Foundation
import Importing
import Testing

/// The catalogue, loaded once.
enum Known {
    static let importers: [DefinitionImporter] = Catalogue.definitions.compactMap { entry in
        try? DefinitionLoader.load(entry.text.withUTF8Buffer { Array($0) }, file: "\(entry.path)")
    }
    static let vocabulary = Vocabulary(importers)
    static let registry = Registry(importers)
}

/// Places in the repository.
enum Repository {
    static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().path

    static func text(_ path: String) throws -> String { try String(contentsOfFile: root + "/" + path, encoding: .utf8) }

    /// The invented exports under SampleData, as inputs with their paths.
    static let samples: [String] = {
        let paths = (try? FileManager.default.subpathsOfDirectory(atPath: root + "/SampleData")) ?? []
        return paths.filter { path in
            path.lowercased().hasSuffix(".csv") && !path.contains("/expected/") && !path.contains("/.")
        }.sorted().map { "SampleData/" + $0 }
    }()

    /// All invented exports of any format.
    static let exports: [String] = {
        let paths = (try? FileManager.default.subpathsOfDirectory(atPath: root + "/SampleData")) ?? []
        let ends = [".csv", ".txt", ".ofx", ".qfx", ".xml"]
        return paths.filter { path in
            ends.contains { path.lowercased().hasSuffix($0) } && !path.contains("/expected/") && !path.contains("/.")
        }.sorted().map { "SampleData/" + $0 }
    }()

    static func input(_ path: String) throws -> MemoryInput {
        let data = try Data(contentsOf: URL(fileURLWithPath: root + "/" + path))
        return MemoryInput(name: String(path.split(separator: "/").last ?? ""), bytes: Array(data))
    }
}

func memory(_ name: String, _ text: String) -> MemoryInput { MemoryInput(name: name, bytes: Array(text.utf8)) }

/// A small seeded generator (SplitMix64), so that a failure can be had again.
struct SplitMix64: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }
}

/// The built program, run as a user runs it.
enum Binary {
    static let path: String? = {
        if let path = ProcessInfo.processInfo.environment["ALLOCPORT"] { return path }
        let places =
            CommandLine.arguments.filter { $0.contains(".xctest") || $0.contains("/.build/") } + [
                Bundle.main.bundlePath
            ]
        for place in places {
            var folder = URL(fileURLWithPath: place).deletingLastPathComponent()
            while folder.pathComponents.count > 2 {
                let candidate = folder.appendingPathComponent("allocport").path
                var isFolder: ObjCBool = false
                if FileManager.default.fileExists(atPath: candidate, isDirectory: &isFolder), !isFolder.boolValue {
                    return candidate
                }
                folder.deleteLastPathComponent()
            }
        }
        return nil
    }()

    /// Runs to the end in a folder; output goes through files, so that no pipe can fill up.
    static func run(_ arguments: [String], folder: String) throws -> (code: Int32, output: String, words: String) {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: try #require(path, "build the product allocport first"))
        process.arguments = arguments
        process.currentDirectoryURL = URL(fileURLWithPath: folder)
        process.environment = ["HOME": "/nonexistent", "TMPDIR": FileManager.default.temporaryDirectory.path]
        let base = FileManager.default.temporaryDirectory.path + "/allocport-tests-" + UUID().uuidString
        defer { for end in [".out", ".err"] { try? FileManager.default.removeItem(atPath: base + end) } }
        func handle(_ end: String) throws -> FileHandle {
            try Data().write(to: URL(fileURLWithPath: base + end))
            return try #require(FileHandle(forUpdatingAtPath: base + end))
        }
        process.standardOutput = try handle(".out")
        process.standardError = try handle(".err")
        process.standardInput = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        let output = try String(contentsOfFile: base + ".out", encoding: .utf8)
        let words = try String(contentsOfFile: base + ".err", encoding: .utf8)
        return (process.terminationReason == .exit ? process.terminationStatus : -1, output, words)
    }
}
