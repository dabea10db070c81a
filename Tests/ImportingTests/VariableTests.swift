import Testing

@testable import Importing

/// A variable that is read and that nothing sets is a slip of the pen: it would be blank for ever, in silence.
@Suite struct VariableTests {
    @Test(arguments: Catalogue.files)
    func whatIsReadIsSet(_ file: String) throws {
        let definition = try Catalogue.importer(file).definition
        let names = definition.variables.names
        let missing = DefinitionSlips.read(definition).subtracting(DefinitionSlips.given(definition)).map { names[$0] }
        #expect(missing.filter { !["first", "line", "cells", "exported"].contains($0) }.sorted() == [])
    }

    @Test func findsASlip() throws {
        let table = "  - columns: {date: Day, amount: Sum}\n    require: [date, amount]\n"
        let yaml = definition("tables:\n" + table + "    set: {fees: neg(amuont)}\n    kind: cash\n")
        let definition = try importer(yaml).definition
        let missing = DefinitionSlips.read(definition).subtracting(DefinitionSlips.given(definition))
        #expect(missing.map { definition.variables.names[$0] } == ["amuont"])
    }
}
