import BuiltInDefinitions
import TestSupport
import Testing

@testable import Importing

/// The index of the whole catalogue says of a header what each definition's own says.
struct CatalogueIndexTests {
    private static let importers = Catalogue.definitions.map { entry in
        EmbeddedImporter(path: entry.path, id: entry.id, title: entry.title, index: entry.index, tree: entry.tree)
    }

    /// For each table of the catalogue a header that has all of its columns.
    private static let headers: [[String]] = Known.importers.flatMap { importer in
        importer.definition.tables.map { table in
            table.columns.compactMap { column in
                guard case .names(let patterns) = column.place, case .name(let name) = patterns.first else {
                    return nil
                }
                return name.full
            }
        }
    }

    private static func expectEqual(_ headers: [[String]]) {
        let cells = headers.map { HeaderCells($0) }
        let names = HeaderNames(cells)
        let found = CatalogueIndex(Catalogue.index).find(cells, names, count: importers.count)
        for (number, importer) in importers.enumerated() {
            #expect(found.fits[number] == importer.mayFit(names), "\(importer.id): \(headers)")
            let (all, own) = (found.nearest[number], importer.nearness(names))
            #expect(
                all?.missing == own?.missing && all?.required == own?.required && all?.table == own?.table
                    && all?.header == own?.header, "\(importer.id): \(headers)")
        }
    }

    @Test func agreesOnHeadersOfTheCatalogue() {
        #expect(Self.headers.count > 400)
        for header in Self.headers { Self.expectEqual([header]) }
    }

    @Test func agreesOnSeveralHeadersWithCellsLeftOut() {
        var random = SplitMix64(seed: 24)
        for _ in 0..<300 {
            let headers = (0..<Int.random(in: 1...24, using: &random)).map { _ in
                let header = Self.headers.randomElement(using: &random) ?? []
                return header.filter { _ in Int.random(in: 0..<4, using: &random) > 0 }
            }
            Self.expectEqual(headers)
        }
    }

    @Test(arguments: [[], [[]], [["Nothing", "of", "it"]], [["Date"]], [["  DATE ($) ", "symbol *", "Value (£)"]]])
    func agreesOnOddHeaders(_ headers: [[String]]) {
        Self.expectEqual(headers)
    }

    /// Folding a name takes as long as looking up a whole header: each start would pay for it.
    @Test func noNameIsFoldedAtAStart() {
        #expect(CatalogueIndex(Catalogue.index).lateNames == [])
    }
}
