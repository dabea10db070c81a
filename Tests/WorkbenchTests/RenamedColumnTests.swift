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

    /// Where the plain names of columns are enough for a generic definition, the brokerage's own is named all the same; of
    /// a list of one's own none is.
    @Test(
        arguments: [
            ("TransactionDate,TransactionType,SecurityType,Symbol,Quantity,Amount,Price,Zquxor,Description", "etrade"),
            ("Date,Action,Symbol,Quantity,Price,Amount,Mood,Colour", nil), ("Date,Action,Symbol,Quantity,Price", nil),
        ] as [(String, String?)]) func whatAFallbackReadsNamesItsBrokerage(_ header: String, _ brokerage: String?)
        throws
    {
        let row = header.split(separator: ",").map { $0 == "Date" || $0 == "TransactionDate" ? "01/05/2026" : "7" }
        let file = memory("in.csv", header + "\n" + row.joined(separator: ",") + "\n")
        guard case .recognised(let best, let others) = ClaimTests.registry.decide(try InputSample(file)) else {
            Issue.record("not recognised")
            return
        }
        #expect(best.importer.id == "generic.transactions")
        #expect(best.examination.likelier?.split(separator: ".").first.map(String.init) == brokerage)
        if let likelier = best.examination.likelier { #expect(others.first?.importer.id == likelier) }
    }

    /// What is remembered of a header holds for another file that has it: whether the lines are there that a definition
    /// asks for is that file's own.
    @Test(arguments: ["nabtrade.cash", "superhero.cash"]) func filesOfOneHeaderAreToldApart(
        _ id: String
    ) throws {
        func names(_ registry: Registry, _ sample: InputSample) -> [String] {
            guard case .unknown(let nearest) = registry.decide(sample) else { return ["recognised"] }
            return nearest.map { "\($0.importer.id) \($0.examination.score)" }
        }
        var differences = 0
        for sample in ClaimTests.samples where sample.id == id {
            guard let changed = try Self.renamed(sample.path, sample.id).first else { continue }
            let text = String(decoding: try changed.bytes(at: 0, count: changed.byteCount), as: UTF8.self)
            var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
            let header = lines.firstIndex { $0.contains("Zquxor") } ?? 0
            for place in lines.indices where place > header {
                lines[place] = String(lines[place].map { $0.isLetter ? "q" : $0 })
            }
            let whole = try InputSample(changed)
            let other = try InputSample(
                MemoryInput(name: changed.name, bytes: Array(lines.joined(separator: "\n").utf8)))
            let registries = [ClaimTests.freshRegistry(), ClaimTests.freshRegistry()]
            let there = [names(registries[0], whole), names(registries[0], other)]
            let back = [names(registries[1], other), names(registries[1], whole)]
            #expect(there == back.reversed(), "\(sample.path)")
            let isOfOneHeader = whole.headerRows.map(\.header.cells) == other.headerRows.map(\.header.cells)
            if isOfOneHeader, there[0] != there[1] { differences += 1 }
        }
        #expect(differences > 0)
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
                "4 of 5 required columns are there, and 11 of the header's 12 columns are known"
            ])
        #expect(nearest.allSatisfy { $0.examination.score < Examination.threshold })
    }

    /// A sample with each of the columns that its table requires renamed.
    static func renamed(_ path: String, _ id: String) throws -> [MemoryInput] {
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
