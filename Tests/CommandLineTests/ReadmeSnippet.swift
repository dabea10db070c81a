// The example of the README, compiled and run by ReadmeTests.
// snippet:
import Allocport
import Importing
import OpenAlloc

func convert(_ text: String) throws -> [String] {
    // A definition of your own, besides those that come with the library.
    let mine = try DefinitionLoader.load(Array(myDefinition.utf8), file: "acme.yaml")

    var options = RunOptions()
    options.columns = .core
    options.account = "A1"
    let run = Run(options: options, catalog: Registry.builtIn(and: [mine]))
    let input = MemoryInput(name: "export.csv", bytes: Array(text.utf8))
    let (table, _, report) = try run.transform(input, schema: .transaction)

    for input in report.inputs {
        print(input.name, input.importer ?? "unknown", input.outcomes[.accepted], input.outcomes[.rejected])
    }
    return String(decoding: table, as: UTF8.self).split(separator: "\n").map(String.init)
}

/// Row by row, typed; when the task is cancelled, reading stops.
func trades(_ input: MemoryInput) async throws -> [MTransaction] {
    let run = Run(options: RunOptions(), catalog: Registry.builtIn())
    var trades: [MTransaction] = []
    for try await row in run.rows(of: input, as: MTransaction.self) where row.txnAction == .buysell {
        trades.append(row)
    }
    return trades
}
// end of snippet

let myDefinition = Fixture.definition
