import BuiltInDefinitions
import Delimited
import Foundation
import TestSupport
import Testing

@testable import Importing

/// All and only: every sample of the repository is claimed by exactly the definition whose folder it stands in, across
/// the whole catalogue, whatever its brokerage may do to the columns.
struct ClaimTests {
    /// A sample below `SampleData/<brokerage>/<report>/`, as it is or changed.
    struct Case: Sendable, CustomTestStringConvertible {
        let path: String
        let id: String
        let change: ColumnChange?
        var testDescription: String {
            "\(path.split(separator: "/").dropFirst().joined(separator: "/")), \(change?.rawValue ?? "as it is")"
        }
    }

    static let samples: [(path: String, id: String)] = {
        let root = Repository.root + "/SampleData"
        let paths = (try? FileManager.default.subpathsOfDirectory(atPath: root)) ?? []
        return paths.sorted().compactMap { path in
            let parts = path.split(separator: "/")
            var isFolder: ObjCBool = false
            guard parts.count >= 4, !parts.contains("expected"), !parts.contains(where: { $0.hasPrefix(".") }),
                !path.hasSuffix(".md"),
                FileManager.default.fileExists(atPath: root + "/" + path, isDirectory: &isFolder),
                !isFolder.boolValue
            else { return nil }
            return ("SampleData/" + path, "\(parts[0]).\(parts[1])")
        }
    }()

    static let cases: [Case] = samples.flatMap { sample -> [Case] in
        let changes: [ColumnChange?] = [nil] + ColumnChange.allCases
        return changes.map { Case(path: sample.path, id: sample.id, change: $0) }
    }

    /// The registry as the program has it.
    static let registry = freshRegistry()

    /// One that has seen nothing yet.
    static func freshRegistry() -> Registry {
        Registry(
            Catalogue.definitions.map { entry in
                EmbeddedImporter(
                    path: entry.path, id: entry.id, title: entry.title, index: entry.index, tree: entry.tree)
            } + CodeImporters.all)
    }

    @Test func everyDefinitionHasASample() {
        let proven = Set(Self.samples.map(\.id))
        #expect(Known.importers.map(\.id).filter { !proven.contains($0) } == [])
    }

    @Test(arguments: cases) func claimedByItsOwnAlone(_ sample: Case) throws {
        let input = try Repository.input(sample.path)
        guard let change = sample.change else {
            #expect(try Self.claimant(input) == sample.id)
            return
        }
        let importer = try #require(Self.registry.importer(sample.id))
        // Markup has no columns.
        guard let changed = try change.applied(to: input, readBy: importer) else { return }
        #expect(try Self.claimant(changed) == sample.id)
    }

    /// Changes reach the headers of almost all samples: else the test above would say little.
    /// Names in capitals are reached by small letters, those without letters of two cases by neither.
    @Test(arguments: [([ColumnChange.shuffled], 85), ([.widened], 95), ([.upperCase, .lowerCase], 95)])
    func changesReachTheHeaders(_ changes: [ColumnChange], least: Int) throws {
        func bytes(_ input: MemoryInput) throws -> [UInt8] { try input.bytes(at: 0, count: input.byteCount) }
        var changed = 0
        var delimited = 0
        for sample in Self.samples {
            let input = try Repository.input(sample.path)
            let importer = try #require(Self.registry.importer(sample.id))
            guard let plain = try ColumnChange.renamed.applied(to: input, readBy: importer) else { continue }
            let others = try changes.compactMap { try $0.applied(to: input, readBy: importer) }
            if others.isEmpty { continue }
            delimited += 1
            let original = try bytes(plain)
            if try others.contains(where: { try bytes($0) != original }) { changed += 1 }
        }
        #expect(delimited > 150)
        #expect(changed * 100 >= delimited * least, "\(changed) of \(delimited)")
    }

    /// The id of the importer that claims an input; several or none in words.
    private static func claimant(_ input: MemoryInput) throws -> String {
        var sample = try InputSample(input)
        return switch try sample.decide(of: input, by: { registry.decide($0) }) {
        case .recognised(let best, _), .refused(let best): best.importer.id
        case .ambiguous(let several): "several: " + several.map(\.importer.id).joined(separator: ", ")
        case .unknown(let nearest): "none; nearest \(nearest.first?.importer.id ?? "none")"
        }
    }
}
