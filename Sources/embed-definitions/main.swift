import Foundation
import StrictYAML

// Usage: embed-definitions OUTPUT ROOT FILE…
// Writes a Swift file with each definition as a literal, and before it what detection must know to leave it unread.

/// What detection must know of a definition: id, title, aliases, and per table the names of its required columns.
///
/// One line each: `I id`, `N title`, `A alias`, `L pattern` of lines of which one must be there, `T` opens a table, `C name<0x1F>key<0x1F>key` is a required column: its
/// first name for people, then each name as it is compared, `=` and the hash of 16 hex digits, or the name itself where
/// folding it takes more than ASCII. A column that is not found by plain names is left out: it may be there.
func index(of text: String, path: String) throws -> String {
    let root = try YAML.parse(text).mapping()
    var lines = ["I \(try root.string("importer") ?? "")", "N \(try root.string("title") ?? "")"]
    for alias in try root.stringList("aliases") { lines.append("A \(alias)") }
    if let node = root["detect"] { for line in try node.mapping().stringList("line") { lines.append("L \(line)") } }
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
            lines.append("C " + ([folded[0]] + folded.map(key)).joined(separator: "\u{1F}"))
        }
    }
    return lines.joined(separator: "\n")
}

/// A name as the index has it. The hash (FNV-1a of the folded name) is that of `NameHash` in Sources/Importing.
func key(_ name: String) -> String {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    var last: UInt8 = 0x20
    for byte in name.utf8 {
        guard byte >= 0x20, byte < 0x7F, byte != UInt8(ascii: "<"), byte != UInt8(ascii: "&"),
            byte != 0x20 || last != 0x20
        else { return name }
        last = byte
        hash = (hash ^ UInt64(byte &- 0x41 < 26 ? byte | 0x20 : byte)) &* 0x100_0000_01B3
    }
    if ") $#*:".utf8.contains(last) || name.utf8.count > 512 { return name }
    let digits = String(hash, radix: 16)
    return "=" + String(repeating: "0", count: 16 - digits.count) + digits
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
