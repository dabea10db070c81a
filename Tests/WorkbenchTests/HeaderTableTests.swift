import Allocport
import BuiltInDefinitions
import Testing

@testable import Importing

/// The table in a definition's header comment says which actions exist and what each becomes.
struct HeaderTableTests {
    @Test(arguments: Catalogue.definitions.map { "\($0.path)" }) func saysWhatEachActionBecomes(_ path: String) throws {
        let entry = try #require(Catalogue.definitions.first { "\($0.path)" == path })
        let text = entry.text.withUTF8Buffer { String(decoding: $0, as: UTF8.self) }
        let bytes = Array(text.utf8)
        let definition = try DefinitionLoader.load(bytes, file: path, parts: .builtIn).definition
        guard definition.refusal == nil else { return }
        let header = text.split(separator: "\n", omittingEmptySubsequences: false).prefix { $0.hasPrefix("#") }
        let table = header.filter { $0.hasPrefix("# |") }
        let words = Set(table.joined(separator: " ").split { !$0.isLetter }.map(String.init))
        let used = Self.kinds(definition)
        let missing = used.filter { !words.contains($0.rawValue) }.map(\.rawValue).sorted()
        #expect(missing == [], "kinds that no line of the table has")
        // A kind of two words in one is nothing else.
        let unused = RecordKind.allCases.filter { kind in
            kind.rawValue.contains(where: \.isUppercase) && words.contains(kind.rawValue) && !used.contains(kind)
        }
        #expect(unused == [], "kinds of the table that no rule makes")
        #expect(definition.tables.allSatisfy { $0.emit.isEmpty } ? !table.isEmpty : true)
    }

    private static func kinds(_ definition: Definition) -> Set<RecordKind> {
        var rules: [ActionRule] = []
        var kinds: Set<RecordKind> = []
        for table in definition.tables {
            rules += table.actions?.allRules ?? []
            if let always = table.always { rules.append(always) }
            for rule in table.rows { if case .record(let action) = rule.verdict { rules.append(action) } }
            kinds.formUnion((table.group?.alone ?? [:]).values)
        }
        return kinds.union(rules.flatMap(\.records).map(\.kind))
    }
}
