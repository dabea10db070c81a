import ArgumentParser
import OpenAlloc

/// `schema`: the columns of a table.
struct SchemaCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "schema",
        abstract: "Print the columns of a schema: as Markdown, JSON Schema or Table Schema.",
        discussion: """
            Example:
              allocport schema openalloc/transaction
            """)

    @Argument(help: "The schema, for example openalloc/transaction, or transaction.")
    var name: String

    @Flag(help: "Print a JSON Schema (draft 2020-12).")
    var json = false

    @Flag(help: "Print a Frictionless Table Schema.")
    var tableSchema = false

    @Option(help: "The model's columns alone (core), or ours after them too (extended).")
    var columns = Columns.extended

    /// Which columns.
    enum Columns: String, CaseIterable, ExpressibleByArgument { case core, extended }

    func validate() throws {
        if json, tableSchema { throw ValidationError("--json and --table-schema exclude each other") }
        _ = try OptionValues.schema(name)
    }

    func run() throws {
        let schema = try OptionValues.schema(name).schema
        let extended = columns == .extended
        let text =
            json
            ? schema.jsonSchema(extended: extended)
            : tableSchema ? schema.tableSchema(extended: extended) : schema.markdown(extended: extended)
        Terminal.result(bytes: Array(text.utf8))
    }
}
