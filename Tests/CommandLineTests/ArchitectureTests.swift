import TestSupport
import Testing

/// The rules that hold the sources in shape.
struct ArchitectureTests {
    /// What each target may import of ours: only what lies below it.
    static let below: [String: Set<String>] = [
        "OpenAlloc": [], "CAllocator": [], "CByteMask": [], "CCodePages": [], "CDigest": [], "CProcessor": [],
        "Digests": ["CDigest"],
        "Delimited": ["CByteMask", "CCodePages", "Digests"],
        "CurrencyCodes": [], "NearWords": [], "StrictYAML": ["NearWords"], "Zones": ["NearWords"],
        "DefinitionParts": ["StrictYAML"],
        "Markup": ["CByteMask", "CCodePages", "CLibXML2", "Digests"], "CLibXML2": [],
        "Importing": [
            "CProcessor", "CurrencyCodes", "DefinitionParts", "Delimited", "Digests", "Markup", "NearWords",
            "OpenAlloc", "StrictYAML", "Zones",
        ],
        "Allocport": [
            "Importing", "CByteMask", "Delimited", "Digests", "Markup", "OpenAlloc", "Zones", "BuiltInDefinitions",
        ],
        "ImporterConformance": ["Allocport", "Importing"],
        "allocport-cli": [
            "Allocport", "CAllocator", "Importing", "Delimited", "NearWords", "OpenAlloc", "Zones",
            "BuiltInDefinitions",
        ],
        "embed-definitions": ["CurrencyCodes", "DefinitionParts", "StrictYAML"], "EmbedDefinitionsPlugin": [],
    ]
    /// Files that may import Foundation: the build's own tool and the library for tests, no part of the program.
    static let foundation: Set<String> = [
        "Sources/embed-definitions/main.swift", "Sources/EmbedDefinitionsPlugin/EmbedDefinitions.swift",
        "Sources/ImporterConformance/Folder.swift",
    ]

    /// Files that wait to be split; who does it takes them off this list.
    static let tooLong: Set<String> = []

    static let sources = Repository.files("Sources", suffix: ".swift")

    @Test func thereAreSources() { #expect(Self.sources.count > 50) }

    @Test func everyTargetIsKnown() {
        for path in Self.sources { #expect(Self.below[Self.target(path)] != nil, "\(path)") }
    }

    @Test(arguments: sources) func importsPointDownward(_ path: String) throws {
        let allowed = try #require(Self.below[Self.target(path)])
        let ours = Set(Self.below.keys).union(["BuiltInDefinitions"])
        for module in try Self.imports(path) where ours.contains(module) {
            #expect(allowed.contains(module), "\(path) imports \(module)")
        }
    }

    @Test(arguments: sources) func foundationStaysWhereItIsNamed(_ path: String) throws {
        let found = try Self.imports(path).contains { $0.hasPrefix("Foundation") }
        #expect(found == Self.foundation.contains(path), "\(path)")
    }

    @Test(arguments: sources) func filesStayShort(_ path: String) throws {
        let lines = try Repository.text(path).split(separator: "\n", omittingEmptySubsequences: false).count
        // Tables of data are as long as the data.
        if path.hasSuffix("EmbeddedZones.swift") { return }
        #expect((lines <= 401) != Self.tooLong.contains(path), "\(path) has \(lines) lines")
    }

    @Test(arguments: sources) func nothingBelowTheCommandLineAsksForTheTimeOrThePlace(_ path: String) throws {
        guard Self.target(path) != "allocport-cli" else { return }
        let text = try Repository.text(path)
        for word in ["Date()", "TimeZone.current", "Locale.current", "UUID()", "fatalError(", "try!"] {
            #expect(!text.contains(word), "\(path) has \(word)")
        }
    }

    @Test func theRulesCanFail() {
        #expect(
            Self.imports(
                of: "public import Foundation\n  @testable import Zones\nimport struct Delimited.X\n// import A") == [
                    "Foundation", "Zones", "Delimited",
                ])
    }

    static func target(_ path: String) -> String { String(path.split(separator: "/").dropFirst().first ?? "") }

    static func imports(_ path: String) throws -> [String] { imports(of: try Repository.text(path)) }

    static func imports(of text: String) -> [String] {
        let kinds: Set<Substring> = ["struct", "enum", "class", "protocol", "func", "var", "let", "typealias"]
        return text.split(separator: "\n").compactMap { line -> String? in
            var words = line.split(separator: " ")[...]
            while let first = words.first,
                first.hasPrefix("@") || ["public", "internal", "package", "private", "fileprivate"].contains(first)
            {
                words.removeFirst()
            }
            guard words.first == "import" else { return nil }
            words.removeFirst()
            if let kind = words.first, kinds.contains(kind) { words.removeFirst() }
            return words.first.flatMap { $0.split(separator: ".").first }.map(String.init)
        }
    }
}
