import Allocport
import BuiltInDefinitions
import Delimited
import Foundation
import Importing
import TestSupport
import Testing

/// The catalogue, loaded once.
enum Known {
    static let importers: [DefinitionImporter] = Catalogue.definitions.compactMap { entry in
        try? DefinitionLoader.load(entry.text.withUTF8Buffer { Array($0) }, file: "\(entry.path)", parts: .builtIn)
    }
    static let vocabulary = Vocabulary(importers)
    static let registry = Registry(importers)
}

extension Repository {
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
