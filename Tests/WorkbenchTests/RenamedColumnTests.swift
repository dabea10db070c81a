import Foundation
import TestSupport
import Testing

@testable import Importing

/// A brokerage gives a column another name: of a file that nothing fits any more its own importer is named first.
struct RenamedColumnTests {
    /// Of two columns one says nothing of whose they are.
    private static let fewest = 5

    @Test func itsOwnImporterComesFirst() throws {
        var (unknown, first) = (0, 0)
        for (number, sample) in ClaimTests.samples.enumerated() where number % 6 == 0 {
            for changed in try Self.renamed(sample.path, sample.id) {
                guard case .unknown(let nearest) = ClaimTests.registry.decide(try InputSample(changed)) else {
                    continue
                }
                unknown += 1
                if nearest.first?.importer.id == sample.id { first += 1 }
            }
        }
        #expect(unknown > 300)
        #expect(first * 100 >= unknown * 95, "\(first) of \(unknown)")
    }

    /// What it requires tells little of a history whose names others have as well: those that are known besides decide.
    @Test(arguments: ["Action", "Symbol", "Amount ($)"]) func knownColumnsCount(_ name: String) throws {
        let header =
            "Run Date,Action,Symbol,Description,Type,Quantity,Price ($),Commission ($),Fees ($),Accrued Interest ($),Amount ($),Settlement Date\n"
        let file = MemoryInput(name: "History.csv", bytes: Array(header.replacing(name, with: "Zquxor").utf8))
        guard case .unknown(let nearest) = ClaimTests.registry.decide(try InputSample(file)) else {
            Issue.record("recognised")
            return
        }
        #expect(nearest.first?.importer.id == "fidelity.history" && nearest.first?.examination.missing.count == 1)
        #expect(
            nearest.first?.examination.evidence == [
                "3 of 4 required columns are there, and 11 of the header's 12 columns are known"
            ])
        #expect(nearest.allSatisfy { $0.examination.score < Examination.threshold })
    }

    /// A sample with each of the columns that its table requires renamed.
    private static func renamed(_ path: String, _ id: String) throws -> [MemoryInput] {
        let input = try Repository.input(path)
        guard let importer = Known.importers.first(where: { $0.id == id }), importer.definition.layout == nil,
            let text = String(validating: try input.bytes(at: 0, count: input.byteCount), as: UTF8.self)
        else { return [] }
        let sample = try InputSample(input)
        var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        for row in sample.headerRows {
            guard let binding = importer.binder.bind(row.header), lines.indices.contains(row.line - 1),
                row.header.cells.count(where: { !$0.isEmpty }) >= fewest
            else { continue }
            let line = lines[row.line - 1]
            return importer.definition.tables[binding.table].required.compactMap { slot in
                let column = binding.columns[slot]
                guard column >= 0, line.ranges(of: row.header.cells[column]).count == 1 else { return nil }
                lines[row.line - 1] = line.replacing(row.header.cells[column], with: "Zquxor")
                return MemoryInput(name: input.name, bytes: Array(lines.joined(separator: "\n").utf8))
            }
        }
        return []
    }
}
