import OpenAlloc
import Testing

@Suite struct DescriptorTests {
    @Test(arguments: SchemaID.allCases)
    func jsonSchemaSaysWhatTheSchemaSays(id: SchemaID) throws {
        let schema = id.schema
        let node = try JSONReader.parse(schema.jsonSchema())
        #expect(node["$schema"]?.kind == .string("https://json-schema.org/draft/2020-12/schema"))
        #expect(node["title"]?.kind == .string(schema.name))
        let row = try #require(node["$defs"]?["row"])
        #expect(names(row["properties"]) == schema.allColumns.map(\.name))
        #expect(strings(row["required"]) == schema.columns.filter(\.isRequired).map(\.name))
        #expect(
            try names(JSONReader.parse(schema.jsonSchema(extended: false))["$defs"]?["row"]?["properties"])
                == schema.columns.map(\.name))
    }

    @Test(arguments: SchemaID.allCases)
    func tableSchemaSaysWhatTheSchemaSays(id: SchemaID) throws {
        let schema = id.schema
        let node = try JSONReader.parse(schema.tableSchema())
        guard case .array(let fields) = node["fields"]?.kind else {
            Issue.record("no fields")
            return
        }
        #expect(fields.map { $0["name"]?.kind } == schema.allColumns.map { .string($0.name) })
        let required = zip(fields, schema.allColumns).allSatisfy { field, column in
            (field["constraints"]?["required"]?.kind == .bool(true)) == !column.mayBeBlank
        }
        #expect(required)
        let hasNoKey: Set<SchemaID> = [.holding, .transaction, .rebalanceSale]
        #expect((node["primaryKey"] == nil) == hasNoKey.contains(id))
    }

    @Test func propertiesHaveTheirTypes() throws {
        let row = try #require(JSONReader.parse(Schema.transaction.jsonSchema())["$defs"]?["row"]?["properties"])
        #expect(strings(row["txnAction"]?["enum"]) == ["buysell", "income", "transfer", "miscflow"])
        #expect(row["txnTransactedAt"]?["format"]?.kind == .string("date-time"))
        #expect(row["txnShareCount"]?["type"]?.kind == .string("number"))
        #expect(strings(row["txnSharePrice"]?["type"]) == ["number", "null"])
        #expect(strings(row["txnSecurityID"]?["type"]) == ["string", "null"])
        #expect(row["txnAccountID"]?["minLength"]?.kind == .number("1"))
    }

    @Test func markdownIsATable() {
        #expect(
            Schema.strategy.markdown() == """
                # openalloc/strategy

                A strategy: a set of target slices.

                | column | type | required | key | what it says |
                |---|---|---|---|---|
                | `strategyID` | string | yes | yes | The strategy's id |
                | `title` | string |  |  | A name for people |

                """)
        #expect(
            Schema.transaction.markdown().contains(
                "| `txnLotID` | string | may be blank | yes | The lot; blank if none |\n"))
        #expect(Schema.transaction.markdown().contains("| `rowID` |"))
        #expect(!Schema.transaction.markdown(extended: false).contains("| `rowID` |"))
    }
}

private func names(_ node: JSONNode?) -> [String] {
    guard case .object(let members) = node?.kind else { return [] }
    return members.map(\.name)
}

private func strings(_ node: JSONNode?) -> [String] {
    guard case .array(let elements) = node?.kind else { return [] }
    return elements.compactMap { element in
        if case .string(let text) = element.kind { return text }
        return nil
    }
}
