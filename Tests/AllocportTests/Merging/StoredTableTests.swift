import OpenAlloc
import Testing

@testable import Allocport

struct StoredTableTests {
    /// A definition's own rows have the model's columns alone, those of an openalloc table ours too.
    @Test(arguments: [SchemaID.security, .account, .holding, .strategy])
    func rowsOfTheModelsColumnsTakeOursToo(_ id: SchemaID) {
        let schema = id.schema
        func value(_ column: Column, _ number: Int) -> AllocValue { .string(column.isKey ? "k" : "v\(number)") }
        let short = StoredRow(values: schema.columns.map { value($0, 1) }, input: 0, line: 1, ordinal: 0)
        let long = StoredRow(values: schema.allColumns.map { value($0, 1) }, input: 1, line: 7, ordinal: 0)
        var table = StoredTable(id)
        guard case .added = table.take(short), case .merged = table.take(long) else {
            Issue.record("the rows do not merge")
            return
        }
        #expect(table.rows.count == 1)
        // Where a row is from stays with the row that says it.
        let provenance: Set<String> = ["sourceMetaID", "sourceLine", "rowID"]
        for (index, column) in schema.allColumns.enumerated() where !provenance.contains(column.name) {
            #expect(index < table.rows[0].values.count && table.rows[0].values[index] == long.values[index])
        }
        // A newer value brings its place with it.
        var newer = long
        if let moved = schema.columns.firstIndex(where: { !$0.isKey }) { newer.values[moved] = .string("v2") }
        _ = table.take(newer)
        #expect(table.rows[0].line == 7 || schema.columns.allSatisfy(\.isKey))
    }
}
