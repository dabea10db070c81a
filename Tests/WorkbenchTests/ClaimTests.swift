import BuiltInDefinitions
import Delimited
import Foundation
import Testing

@testable import Importing

/// All and only: every sample of the repository is claimed by exactly the definition whose folder it stands in, across
/// the whole catalogue, whatever its brokerage may do to the columns.
struct ClaimTests {
    /// What may happen to a file that says the same.
    enum Change: String, CaseIterable, Sendable {
        case none, renamed, shuffled, reversed, widened, upperCase, lowerCase
    }

    /// A sample below `SampleData/<brokerage>/<report>/`.
    struct Case: Sendable, CustomTestStringConvertible {
        let path: String
        let id: String
        let change: Change
        var testDescription: String { "\(path.split(separator: "/").dropFirst().joined(separator: "/")), \(change)" }
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

    static let cases = samples.flatMap { sample in
        Change.allCases.map { Case(path: sample.path, id: sample.id, change: $0) }
    }

    /// The registry as the program has it.
    static let registry = Registry(
        Catalogue.definitions.map { EmbeddedImporter(path: $0.path, index: $0.index, text: $0.text) }
            + CodeImporters.all)

    @Test func everyDefinitionHasASample() {
        let proven = Set(Self.samples.map(\.id))
        #expect(Known.importers.map(\.id).filter { !proven.contains($0) } == [])
    }

    @Test(arguments: cases) func claimedByItsOwnAlone(_ sample: Case) throws {
        let input = try Repository.input(sample.path)
        let looked = try InputSample(input)
        guard looked.format == .delimited else {
            // Markup has no columns.
            guard sample.change == .none else { return }
            #expect(try Self.claimant(input) == sample.id)
            return
        }
        guard sample.change != .none else {
            #expect(try Self.claimant(input) == sample.id)
            return
        }
        let definition = try #require(Known.importers.first { $0.id == sample.id })
        let changed = try Self.changed(input, looked, definition, sample.change)
        #expect(try Self.claimant(changed) == sample.id)
    }

    /// Changes reach the headers of almost all samples: else the test above would say little.
    @Test(arguments: [(Change.shuffled, 85), (.widened, 95), (.upperCase, 95)])
    func changesReachTheHeaders(_ change: Change, least: Int) throws {
        func bytes(_ input: MemoryInput) throws -> [UInt8] { try input.bytes(at: 0, count: input.byteCount) }
        var changed = 0
        var delimited = 0
        for sample in Self.samples {
            let input = try Repository.input(sample.path)
            let looked = try InputSample(input)
            guard looked.format == .delimited, let definition = Known.importers.first(where: { $0.id == sample.id })
            else { continue }
            delimited += 1
            let plain = try Self.changed(input, looked, definition, .renamed)
            let other = try Self.changed(input, looked, definition, change)
            if try bytes(plain) != bytes(other) { changed += 1 }
        }
        #expect(delimited > 150)
        #expect(changed * 100 >= delimited * least, "\(changed) of \(delimited)")
    }

    // MARK: Who claims

    /// The id of the importer that claims an input; several or none in words.
    private static func claimant(_ input: MemoryInput) throws -> String {
        switch registry.decide(try InputSample(input)) {
        case .recognised(let best, _), .refused(let best): best.importer.id
        case .ambiguous(let several): "several: " + several.map(\.importer.id).joined(separator: ", ")
        case .unknown(let nearest): "none; nearest \(nearest.first?.importer.id ?? "none")"
        }
    }

    // MARK: Changes

    /// The sample's cells, changed, in the same dialect as UTF-8.
    private static func changed(
        _ input: MemoryInput, _ looked: InputSample, _ importer: DefinitionImporter, _ change: Change
    ) throws -> MemoryInput {
        let sheet = try #require(try Sheet(input))
        let layout = importer.definition.layout
        var random = SplitMix64(state: 17)
        var rows = sheet.lines.map(\.cells)
        /// The columns' new order, and their number, of the table that a row belongs to.
        var order: [Int] = []
        for index in rows.indices {
            let cells = rows[index]
            let start = layout?.width ?? 0
            if let header = header(cells, importer) {
                order = Array(start..<max(start, header.cells.count))
                if let table = importer.binder.bind(header, section: section(cells, layout))?.table,
                    isBoundByPlace(importer.definition.tables[table])
                {
                    order = []
                }
                switch change {
                case .shuffled: order.shuffle(using: &random)
                case .reversed: order.reverse()
                case .upperCase: rows[index] = cells.map { cased($0, $0.uppercased()) }
                case .lowerCase: rows[index] = cells.map { cased($0, $0.lowercased()) }
                case .widened:
                    guard cells.count > start else { continue }
                    rows[index].insert("Qwertz Uiop", at: start + (cells.count - start) / 2)
                    rows[index].append("Asdf")
                case .none, .renamed: break
                }
            }
            guard change == .shuffled || change == .reversed, cells.count >= order.count + start, order.count > 1,
                cells.count > 1
            else {
                if change == .widened, cells.count > start + 1, rows[index].count == cells.count, !order.isEmpty {
                    rows[index].insert("zzz", at: start + (cells.count - start) / 2)
                    rows[index].append("1.50")
                }
                continue
            }
            rows[index] = Array(cells[..<start]) + order.map { cells[$0] } + cells[(start + order.count)...]
        }
        let delimiter = String(decoding: [looked.dialect.delimiter], as: UTF8.self)
        let text = rows.map { $0.map { quoted($0, delimiter) }.joined(separator: delimiter) }.joined(separator: "\n")
        return MemoryInput(name: "export.csv", bytes: Array(text.utf8))
    }

    private static func section(_ cells: [String], _ layout: Layout?) -> [UInt8]? {
        layout.map { cells.count > $0.section ? foldedWordBytes(cells[$0.section]) : [] }
    }

    /// The cells as a header, when a table of the definition is bound to them.
    private static func header(_ cells: [String], _ importer: DefinitionImporter) -> HeaderCells? {
        guard cells.count > 1 else { return nil }
        let header = HeaderCells(cells)
        if let layout = importer.definition.layout {
            guard cells.count > layout.width, layout.kinds[foldedWordBytes(cells[layout.kind])] == .header else {
                return nil
            }
            return header
        }
        return importer.binder.bind(header) == nil ? nil : header
    }

    /// Columns without a name are found by their place: such a table cannot be in another order.
    private static func isBoundByPlace(_ table: TableDefinition) -> Bool {
        table.columns.contains { column in
            switch column.place {
            case .names: column.occurrence > 1
            case .after, .position: true
            }
        }
    }

    /// Another case, where it can be undone: `ß` has none.
    private static func cased(_ text: String, _ other: String) -> String {
        other.lowercased() == text.lowercased() ? other : text
    }

    private static func quoted(_ cell: String, _ delimiter: String) -> String {
        guard cell.contains(delimiter) || cell.contains("\"") || cell.contains(where: \.isNewline) else { return cell }
        return "\"" + cell.replacing("\"", with: "\"\"") + "\""
    }
}
