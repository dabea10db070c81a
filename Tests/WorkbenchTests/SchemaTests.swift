import Allocport
import BuiltInDefinitions
import DefinitionParts
import Foundation
import StrictYAML
import TestSupport
import Testing

@testable import Importing

struct SchemaTests {
    @Test func isTheFileBesideTheDefinitions() throws {
        #expect(
            try Repository.text("Importers/definition.schema.json")
                == String(decoding: DefinitionSchema.json, as: UTF8.self),
            "allocport importer lint --schema writes it anew")
        let parsed = try JSONSerialization.jsonObject(with: Data(DefinitionSchema.json)) as? [String: Any]
        let kinds = parsed?["$defs"] as? [String: Any]
        func keys(_ kind: String) -> Int? {
            ((kinds?[kind] as? [String: Any])?["properties"] as? [String: Any])?.count
        }
        #expect(keys("definition") == DefinitionReader.rootKeys.count)
        #expect(keys("part") == DefinitionParts.rootKeys.count)
    }

    @Test func everyKeyIsExplained() throws {
        let places =
            DefinitionSchema.objects(DefinitionSchema.root, "")
            + DefinitionSchema.objects(DefinitionSchema.part, "part")
            + DefinitionSchema.shared.flatMap { DefinitionSchema.objects($0.shape, $0.name) }
        #expect(places.count > 15)
        for (scope, keys) in places {
            for key in keys { #expect(DefinitionNotes.text(scope, key.name)?.isEmpty == false, "\(scope).\(key.name)") }
        }
        #expect(
            try Repository.text("Importers/REFERENCE.md") == DefinitionSchema.reference,
            "allocport importer lint --reference > Importers/REFERENCE.md brings it up to date")
    }

    @Test func hasAShapeForEveryKeyOfTheReader() {
        #expect(Set(DefinitionReader.rootKeys) == Set(DefinitionSchema.rootShapes.keys))
        #expect(Set(DefinitionReader.tableKeys) == Set(DefinitionSchema.tableShapes.keys))
        #expect(Set(DefinitionReader.ruleKeys) == Set(DefinitionSchema.ruleShapes.keys))
    }

    private static let unknown = "qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqq"

    /// Where each object of the language stands, and the keys that the schema gives it.
    private static let places: [(yaml: String, path: [String])] = [
        ("lines: [{@: x}]", ["lines"]), ("layout: {@: x}", ["layout"]), ("detect: {@: x}", ["detect"]),
        ("tables: [{columns: {a: {@: x}}}]", ["tables", "columns"]),
        ("tables: [{columns: {a: A}, require: [a], repair: [{@: x}]}]", ["tables", "repair"]),
        ("tables: [{columns: {a: A}, require: [a], extract: [{@: x}]}]", ["tables", "extract"]),
        ("tables: [{columns: {a: A}, require: [a], actions: {@: x}}]", ["tables", "actions"]),
        (
            "tables: [{columns: {a: A}, require: [a], actions: {on: a, words: {B: {@: x}}}}]",
            ["tables", "actions", "words"]
        ),
        (
            "tables: [{columns: {a: A}, require: [a], actions: {on: a, words: {B: {records: [{@: x}]}}}}]",
            ["tables", "actions", "words", "records"]
        ),
        ("tables: [{columns: {a: A}, require: [a], rows: [{@: x}]}]", ["tables", "rows"]),
        ("tables: [{columns: {a: A}, require: [a], priceUnits: [{@: x}]}]", ["tables", "priceUnits"]),
        ("tables: [{columns: {a: A}, require: [a], group: {@: x}}]", ["tables", "group"]),
        ("tables: [{columns: {a: A}, require: [a], lookup: {@: x}}]", ["tables", "lookup"]),
        ("tables: [{columns: {a: A}, require: [a], provides: {@: x}}]", ["tables", "provides"]),
        ("tables: [{columns: {a: A}, require: [a], captures: {@: x}}]", ["tables", "captures"]),
        ("tables: [{columns: {a: A}, require: [a], emit: [{@: x}]}]", ["tables", "emit"]),
    ]

    /// The reader names the keys that it allows: the schema must have the same.
    @Test(arguments: places.indices) func agreesWithTheReader(_ index: Int) throws {
        let place = Self.places[index]
        let yaml = "importer: a.b\nversion: 1\ntitle: A\nzone: UTC\n" + place.yaml.replacing("@", with: Self.unknown)
        var hint = ""
        do {
            _ = try DefinitionReader.read(Array(yaml.utf8), origin: "a.yaml")
        } catch {
            #expect(error.message.contains("is unknown here"), "\(error)")
            hint = error.hint
        }
        let allowed = Set(hint.replacing("use one of: ", with: "").split(separator: ", ").map(String.init))
        var shapes: [DefinitionSchema.Shape] = [DefinitionSchema.root]
        for step in place.path {
            shapes = shapes.flatMap { Self.objects($0) }.flatMap { $0 }.filter { $0.name == step }.map(\.shape)
        }
        let keys = shapes.flatMap { Self.objects($0) }.map { Set($0.map(\.name)) }
        #expect(keys.contains(allowed), "\(allowed)")
    }

    /// The objects that may stand in a place: the place itself, the items of a list, the values of a map.
    private static func objects(_ shape: DefinitionSchema.Shape) -> [[DefinitionSchema.Key]] {
        switch DefinitionSchema.resolved(shape) {
        case .object(let keys): [keys]
        case .list(let item): objects(item)
        case .map(let value): objects(value)
        case .either(let shapes): shapes.flatMap { objects($0) }
        default: []
        }
    }

    @Test func knowsAllThatTheCatalogueWrites() throws {
        for entry in Catalogue.definitions {
            let root = try YAML.parse(entry.text.withUTF8Buffer { Array($0) })
            let problem = Self.problem(root, DefinitionSchema.root)
            #expect(problem == nil, "\(entry.path): \(problem ?? "")")
        }
        for entry in Catalogue.parts {
            let root = try YAML.parse(entry.text.withUTF8Buffer { Array($0) })
            let problem = Self.problem(root, DefinitionSchema.part)
            #expect(problem == nil, "\(entry.path): \(problem ?? "")")
        }
    }

    private static func problem(_ node: YAMLNode, _ shape: DefinitionSchema.Shape) -> String? {
        switch (DefinitionSchema.resolved(shape), node.value) {
        case (.either(let shapes), _):
            let all = shapes.map { problem(node, $0) }
            return all.contains(nil) ? nil : all.compactMap { $0 }.last
        case (.text, .scalar), (.condition, .mapping): return nil
        case (.bool, .scalar(let text, _)): return text == "true" || text == "false" ? nil : "\(node.mark): ‘\(text)’"
        case (.word(let words), .scalar(let text, _)): return words.contains(text) ? nil : "\(node.mark): ‘\(text)’"
        case (.list(let item), .sequence(let items)): return items.lazy.compactMap { problem($0, item) }.first
        case (.map(let value), .mapping(let entries)): return entries.lazy.compactMap { problem($0.value, value) }.first
        case (.object(let keys), .mapping(let entries)):
            if let lack = keys.first(where: { key in key.isRequired && !entries.contains { $0.key == key.name } }) {
                return "\(node.mark): ‘\(lack.name)’ is missing"
            }
            return entries.lazy.compactMap { entry in
                guard let key = keys.first(where: { $0.name == entry.key }) else {
                    return "\(entry.keyMark): ‘\(entry.key)’"
                }
                return problem(entry.value, key.shape)
            }.first
        default: return "\(node.mark): another shape"
        }
    }

    @Test func constructsAreCounted() {
        var table = ConstructTable()
        table.add(
            Array("importer: a.b\nversion: 1\ntitle: A\ntables: [{columns: {a: {names: A, nth: 2}}, rows: []}]\n".utf8))
        #expect(table.markdown.contains("| `tables.columns.nth` | 1 | a.b |"))
        #expect(!table.markdown.contains("layout"))
    }
}

/// What the words of the language are used for.
struct ConstructTests {
    private var table: ConstructTable {
        var table = ConstructTable()
        for entry in Catalogue.definitions { table.add(entry.text.withUTF8Buffer { Array($0) }, parts: .builtIn) }
        return table
    }

    @Test func theDocumentIsTheCataloguesOwn() throws {
        #expect(
            try Repository.text("Importers/CONSTRUCTS.md") == table.markdown,
            "allocport importer lint --constructs > Importers/CONSTRUCTS.md brings it up to date")
    }

    /// What one definition alone uses must be a word that any other could use: a new one has to be looked at.
    @Test func whatOneDefinitionAloneUsesIsGeneral() {
        let general: [String: String] = [
            "lines.why": "as of a row", "tables.actions.else": "a meaning for every other word",
            "tables.actions.words.costs": "as of a table", "tables.actions.words.paid": "as of a table",
            "tables.actions.words.records.amounts": "as of an action",
            "tables.anywhere": "what the whole file says of each row", "tables.covers": "positions of one security",
            "tables.dates": "as of the file", "tables.emit.once": "rows of any schema",
            "tables.emit.set": "rows of any schema",
            "tables.fill": "blank cells below a filled one", "tables.lookup": "two tables of one file",
            "tables.numbers": "as of the file",
            "tables.points": "numbers in texts, which no locale touches",
            "tables.provides": "two tables of one file", "tables.provides.values": "two tables of one file",
            "tables.rows.reverse": "as of an action",
        ]
        #expect(Set(table.lonely).subtracting(general.keys) == [])
    }

    /// No word of the language names a brokerage.
    @Test func noWordNamesABrokerage() {
        let slugs = Set(Known.importers.map { String($0.id.prefix { $0 != "." }).filter(\.isLetter) })
        #expect(slugs.count > 70)
        let words =
            DefinitionReader.rootKeys + DefinitionReader.tableKeys + DefinitionReader.ruleKeys
            + RecordKind.allCases.map(\.rawValue) + RecordField.all + Condition.Test.allCases.map(\.rawValue)
        for word in words.map({ $0.lowercased() }) {
            for slug in slugs where slug.count > 3 { #expect(!word.contains(slug), "\(word) names \(slug)") }
        }
    }
}
