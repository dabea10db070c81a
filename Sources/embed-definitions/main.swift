import Foundation
import StrictYAML

// Usage: embed-definitions OUTPUT ROOT FILE…
// Writes a Swift file with each definition as a literal, and before it what detection must know to leave it unread.

/// What detection must know of a definition: id, title, aliases, and per table the names of its required columns.
///
/// One line each: `I id`, `N title`, `A alias`, `T` opens a table, `C name<0x1F>name` is a required column. A column
/// that is not found by plain names is left out: it may be there.
func index(of text: String, path: String) throws -> String {
    let root = try YAML.parse(text).mapping()
    var lines = ["I \(try root.string("importer") ?? "")", "N \(try root.string("title") ?? "")"]
    for alias in try root.stringList("aliases") { lines.append("A \(alias)") }
    for node in try root["tables"]?.sequence() ?? [] {
        let table = try node.mapping()
        lines.append("T")
        let columns = try table["columns"]?.mapping()
        for variable in try table.stringList("require") {
            guard let column = columns?[variable] else { continue }
            var names: [String] = []
            if case .mapping = column.value {
                names = try column.mapping().stringList("names")
            } else {
                names = try column.stringList()
            }
            if names.isEmpty || names.contains(where: { $0.contains("{") }) { continue }
            // Names are compared folded; what stands in parentheses may mean another thing in small letters.
            let folded = names.map { $0.contains("(") ? $0 : $0.lowercased() }
            lines.append("C " + folded.joined(separator: "\u{1F}"))
        }
    }
    return lines.joined(separator: "\n")
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

func fail(_ message: String, _ code: Int32) -> Never {
    FileHandle.standardError.write(Data("embed-definitions: \(message)\n".utf8))
    exit(code)
}

let arguments = CommandLine.arguments
guard arguments.count >= 3 else { fail("usage: embed-definitions OUTPUT ROOT FILE…", 64) }
let root = arguments[2].hasSuffix("/") ? arguments[2] : arguments[2] + "/"
var lines = [
    "/// The definitions of the catalogue, made by the build from the folder Importers.",
    "enum BuiltInDefinitions {",
    "    /// Path below Importers, what detection must know, and the YAML text.",
    "    static let all: [(path: StaticString, index: StaticString, text: StaticString)] = [",
]
for path in arguments.dropFirst(3) {
    let name = path.hasPrefix(root) ? String(path.dropFirst(root.count)) : path
    do {
        let text = try String(contentsOf: URL(fileURLWithPath: path), encoding: .utf8)
        let known = try index(of: text, path: name)
        lines.append("        (path: \(literal(name)), index: \(literal(known)), text: \(literal(text))),")
    } catch {
        // The compiler's own format, so that an editor leads to the place.
        let place = (error as? YAMLError).map { "\(path):\($0.line):\($0.column): error: \($0.message); \($0.hint)" }
        fail(place ?? "\(path): \(error)", 1)
    }
}
lines += ["    ]", "}", ""]
do {
    try lines.joined(separator: "\n").write(toFile: arguments[1], atomically: true, encoding: .utf8)
} catch {
    fail("\(error)", 1)
}
