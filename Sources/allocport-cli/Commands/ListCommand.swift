import Allocport
import ArgumentParser
import Importing
import OpenAlloc

/// `list`: what there is.
struct ListCommand: ParsableCommand {
    /// What can be listed.
    enum Subject: String, CaseIterable, ExpressibleByArgument { case importers, schemas, formats }

    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List the importers, the schemas or the formats.",
        discussion: """
            Example:
              allocport list importers
            """)

    @Argument(help: "What to list.")
    var subject: Subject

    @Flag(help: "Print JSON.")
    var json = false

    @Flag(help: "Print a Markdown table.")
    var markdown = false

    @OptionGroup var importers: ImporterOptions

    func validate() throws {
        if json, markdown { throw ValidationError("--json and --markdown exclude each other") }
    }

    func run() throws {
        let table =
            switch subject {
            case .importers: ListTable(try importers.load(), fullNames: json)
            case .schemas: ListTable.schemas
            case .formats: ListTable.formats
            }
        Terminal.result(bytes: json ? table.json : Array((markdown ? table.markdown : table.text).utf8))
    }
}

/// A list as aligned words, and as JSON.
struct ListTable {
    /// A cell: one text, or several, or a number.
    enum Cell {
        case text(String)
        case number(Int)
        case texts([String])

        var words: String {
            switch self {
            case .text(let text): text
            case .number(let number): String(number)
            case .texts(let texts): texts.joined(separator: ", ")
            }
        }
    }

    let columns: [String]
    var rows: [[Cell]] = []

    /// The importers of a set. Programs want the schemas as they are called everywhere else; for people it goes without
    /// saying that they are openalloc's.
    init(_ set: ImporterSet, fullNames: Bool) {
        columns = ["id", "title", "schemas", "aliases", "origin"]
        for importer in set.registry.importers {
            let schemas = importer.schemas.map { String($0.rawValue.dropFirst(fullNames ? 0 : "openalloc/".count)) }
            rows.append([
                .text(importer.id), .text(importer.title), .texts(schemas), .texts(importer.aliases),
                .text(set.origins[importer.id] ?? "built in"),
            ])
        }
    }

    private init(_ columns: [String], _ rows: [[Cell]]) {
        self.columns = columns
        self.rows = rows
    }

    /// The sixteen schemas.
    static var schemas: ListTable {
        ListTable(
            ["schema", "file", "columns", "description"],
            SchemaID.allCases.map { id in
                [
                    .text(id.rawValue), .text(id.fileStem + ".csv"), .number(id.schema.columns.count),
                    .text(id.schema.description),
                ]
            })
    }

    /// What is read and written.
    static var formats: ListTable {
        let read = [
            (
                "csv",
                "comma, semicolon, tab or pipe between cells; UTF-8, UTF-16, Windows-1252, Windows-1250, Shift_JIS, GBK, "
                    + "EUC-KR, Big5, Windows-1255; any line end"
            ),
            ("json", "openalloc tables as an array of objects"),
            ("ndjson", "openalloc tables, one object a line"),
            ("ofx", "OFX 1.x and 2.x, also QFX"),
            ("flex", "Interactive Brokers Flex XML"),
        ]
        let written = [
            ("csv", "RFC 4180, UTF-8 without byte order mark"), ("tsv", "tabs between cells"),
            ("json", "an array of objects"), ("ndjson", "one object a line"),
        ]
        return ListTable(
            ["direction", "format", "description"],
            read.map { [.text("input"), .text($0.0), .text($0.1)] }
                + written.map { [.text("output"), .text($0.0), .text($0.1)] })
    }

    /// Aligned columns under their names; the last is not padded.
    var text: String {
        let lines = [columns] + rows.map { $0.map(\.words) }
        let widths = columns.indices.map { column in lines.map { $0[column].count }.max() ?? 0 }
        return lines.map { line in
            var text = ""
            for (index, cell) in line.enumerated() {
                text += index == line.count - 1 ? cell : Words.padded(cell, widths[index] + 2)
            }
            while text.last == " " { text.removeLast() }
            return text + "\n"
        }.joined()
    }

    /// A Markdown table; the first column is code.
    var markdown: String {
        let head = "| " + columns.joined(separator: " | ") + " |\n|" + columns.map { _ in "---|" }.joined() + "\n"
        return rows.reduce(into: head) { text, row in
            let cells = row.enumerated().map { $0.offset == 0 ? "`\($0.element.words)`" : $0.element.words }
            text += "| " + cells.joined(separator: " | ") + " |\n"
        }
    }

    /// An array of objects.
    var json: [UInt8] {
        var json = JSONWriter(pretty: true)
        json.array { json in
            for row in rows {
                json.object { json in
                    for (name, cell) in zip(columns, row) {
                        switch cell {
                        case .text(let text): json.member(name, text)
                        case .number(let number): json.member(name, number)
                        case .texts(let texts): json.texts(name, texts)
                        }
                    }
                }
            }
        }
        return json.bytes + [0x0A]
    }
}
