import DefinitionParts
import Foundation
import StrictYAML

// Usage: embed-definitions OUTPUT ROOT FILE…
// Writes a Swift file with each definition: its text, its tree as `YAML.prepared` has it with the parts that it names in
// their places, and what detection must know to leave it unread; and with the texts of the parts.

func fail(_ message: String, _ code: Int32) -> Never {
    FileHandle.standardError.write(Data("embed-definitions: \(message)\n".utf8))
    exit(code)
}

/// A file of the catalogue.
struct Document {
    /// Below the catalogue's folder.
    let path: String
    let text: String
    let root: YAMLNode

    init(_ path: String, below root: String) throws {
        self.path = path.hasPrefix(root) ? String(path.dropFirst(root.count)) : path
        text = try String(contentsOf: URL(fileURLWithPath: path), encoding: .utf8)
        self.root = try YAML.parse(text)
    }
}

/// A definition as the program has it.
struct Entry {
    let path: String
    let text: String
    let root: YAMLNode
    let id: String
    let title: String

    init(_ document: Document, _ parts: DefinitionParts) throws {
        path = document.path
        text = document.text
        root = try parts.expanded(document.root)
        let map = try self.root.mapping()
        id = try map.string("importer") ?? ""
        title = try map.string("title") ?? ""
    }

    /// What every start looks at.
    func head(_ number: Int) throws -> String {
        let parts = [("path", path), ("id", id), ("title", title), ("index", try index(of: root))]
        return "        .init(" + parts.map { "\($0): \(literal($1))" }.joined(separator: ", ")
            + ", number: \(number)),"
    }

    var tree: String { "        " + literal(String(decoding: YAML.prepared(root), as: UTF8.self)) + "," }
}

func literal(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
        switch scalar {
        case "\"": result += "\\\""
        case "\\": result += "\\\\"
        case "\n": result += "\\n"
        case "\r": result += "\\r"
        case "\t": result += "\\t"
        default:
            if scalar.value < 0x20 || scalar.value == 0x7F {
                result += "\\u{\(String(scalar.value, radix: 16))}"
            } else {
                result.unicodeScalars.append(scalar)
            }
        }
    }
    return result + "\""
}

let arguments = CommandLine.arguments
guard arguments.count >= 3 else { fail("usage: embed-definitions OUTPUT ROOT FILE…", 64) }
let root = arguments[2].hasSuffix("/") ? arguments[2] : arguments[2] + "/"
var entries: [Entry] = []
var parts = DefinitionParts()
var shared: [Document] = []

/// Does something with a file; what is wrong with it ends the build.
@MainActor func attempt<Value>(_ path: String, _ work: () throws -> Value) -> Value {
    do {
        return try work()
    } catch {
        // The compiler's own format, so that an editor leads to the place.
        guard let error = error as? YAMLError else { fail("\(path): \(error)", 1) }
        let file = parts.file(of: error.mark).map { root + $0 } ?? path
        fail("\(file):\(error.line):\(error.column): error: \(error.message); \(error.hint)", 1)
    }
}

let documents = arguments.dropFirst(3).map { path in (path, attempt(path) { try Document(path, below: root) }) }
for (path, document) in documents where DefinitionParts.isPart(document.root) {
    attempt(path) { try parts.add(document.root, file: document.path) }
    shared.append(document)
}
for (path, document) in documents where !DefinitionParts.isPart(document.root) {
    entries.append(attempt(path) { try Entry(document, parts) })
}
// In order of their ids, as the program lists them.
entries.sort { $0.id < $1.id }
do {
    // Texts stand in the program as they stand here: those that each start reads lie together.
    var lines = [
        "/// The definitions of the catalogue, made by the build from the folder Importers.",
        "enum BuiltInDefinitions {",
        "    /// Path below Importers, id and title, what detection must know.",
        "    static let all: [Catalogue.Entry] = [",
    ]
    for (number, entry) in entries.enumerated() { lines.append(try entry.head(number)) }
    var whole = CatalogueIndexWriter()
    for (number, entry) in entries.enumerated() { try whole.add(entry.root, number: number) }
    lines += ["    ]", "    /// What detection must know of them all.", "    static let index: StaticString ="]
    lines.append("        " + literal(try whole.text()))
    lines.append("    static let trees: [StaticString] = [")
    for entry in entries { lines.append(entry.tree) }
    lines += ["    ]", "    static let texts: [StaticString] = ["]
    for entry in entries { lines.append("        " + literal(entry.text) + ",") }
    lines += ["    ]", "    static let parts: [Catalogue.Part] = ["]
    for part in shared { lines.append("        .init(path: \(literal(part.path)), text: \(literal(part.text))),") }
    lines += ["    ]", "}", ""]
    try lines.joined(separator: "\n").write(toFile: arguments[1], atomically: true, encoding: .utf8)
} catch {
    fail("\(error)", 1)
}
