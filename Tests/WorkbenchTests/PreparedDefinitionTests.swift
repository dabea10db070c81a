import Allocport
import BuiltInDefinitions
import OpenAlloc
import StrictYAML
import Testing

@testable import Importing

/// What the build prepares of a definition says what its text says.
struct PreparedDefinitionTests {
    static let paths = Catalogue.definitions.map { "\($0.path)" }

    static func entry(_ path: String) throws -> Catalogue.Entry {
        try #require(Catalogue.definitions.first { "\($0.path)" == path })
    }

    /// A definition is a function of its tree, so that the tree being equal, marks and all, is the whole proof.
    @Test(arguments: paths) func treesAreThoseOfTheTexts(_ path: String) throws {
        let entry = try Self.entry(path)
        let read = try SharedParts.builtIn.tree(of: entry.text.withUTF8Buffer { Array($0) })
        #expect(try DefinitionLoader.node(prepared: entry.tree) == read)
    }

    @Test(arguments: paths) func namesAreThoseOfTheTexts(_ path: String) throws {
        let entry = try Self.entry(path)
        let importer = EmbeddedImporter(
            path: entry.path, id: entry.id, title: entry.title, index: entry.index, tree: entry.tree)
        let text = entry.text.withUTF8Buffer { Array($0) }
        let definition = try DefinitionLoader.load(text, file: path, parts: .builtIn).definition
        #expect(importer.id == definition.id)
        #expect(importer.title == definition.title)
        #expect(importer.aliases == definition.aliases)
        #expect(NameIndex(entry.index).lines == definition.detectLines.map(\.template.source))
        #expect(String(describing: try importer.definition().definition.tables.count) == "\(definition.tables.count)")
    }

    /// For each table the names of its required columns that are found by plain names.
    private static func required(_ table: TableDefinition) -> [[HeaderName]] {
        table.required.compactMap { slot in
            guard let column = table.columns.first(where: { $0.slot == slot }), case .names(let patterns) = column.place
            else { return nil }
            var names: [HeaderName] = []
            for pattern in patterns {
                guard case .name(let name) = pattern else { return nil }
                names.append(name)
            }
            return names
        }
    }

    /// A header may be a table's exactly when it has one name of each required column: so say index and definition.
    @Test(arguments: paths) func indexesSayWhatIsRequired(_ path: String) throws {
        let entry = try Self.entry(path)
        let index = NameIndex(entry.index)
        let definition = try DefinitionLoader.load(
            entry.text.withUTF8Buffer { Array($0) }, file: path, parts: .builtIn
        ).definition
        let tables = definition.tables.map(Self.required)
        func fits(_ header: HeaderCells) -> Bool {
            tables.contains { table in table.allSatisfy { $0.contains { header.keys.contains($0.key) } } }
        }
        var refused = 0
        for table in tables {
            for column in table.indices {
                for name in table[column] {
                    var cells = table.map { $0[0].full }
                    cells[column] = name.full
                    let header = HeaderNames([HeaderCells(cells)])
                    #expect(index.mayFit(header), "\(cells)")
                    #expect(index.nearest(header)?.missing ?? 0 == 0)
                    // Without the column it is this table's no more.
                    let less = HeaderCells(cells.indices.filter { $0 != column }.map { cells[$0] })
                    #expect(index.mayFit(HeaderNames([less])) == fits(less), "\(cells) without \(name.full)")
                    refused += fits(less) ? 0 : 1
                }
            }
        }
        #expect(refused > 0 || tables.contains { $0.isEmpty }, "something is required")
        if !tables.contains(where: \.isEmpty) {
            #expect(!index.mayFit(HeaderNames([HeaderCells(["Nothing", "of", "it"])])))
        }
    }

    @Test func everySchemaRequiresAnID() {
        for schema in SchemaID.allCases {
            let required = schema.schema.allColumns.filter { $0.isRequired && !$0.mayBeBlank }
            #expect(required.contains { $0.name.hasSuffix("ID") }, "\(schema.rawValue)")
        }
    }

    @Test func idsAreInOrder() {
        let ids = Catalogue.definitions.map { "\($0.id)" }
        #expect(ids == ids.sorted())
        #expect(ids.count > 100)
    }
}
