import Foundation

// Usage: embed-definitions OUTPUT ROOT FILE…
// Writes a Swift file with each definition as a literal of bytes in a static string.
let arguments = CommandLine.arguments
guard arguments.count >= 3 else {
    FileHandle.standardError.write(Data("usage: embed-definitions OUTPUT ROOT FILE…\n".utf8))
    exit(64)
}
let root = arguments[2].hasSuffix("/") ? arguments[2] : arguments[2] + "/"
var lines = [
    "/// The definitions of the catalogue, made by the build from the folder Importers.",
    "enum BuiltInDefinitions {", "    /// Path below Importers, and the YAML text.",
    "    static let all: [(path: StaticString, text: StaticString)] = [",
]
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
            if scalar.value < 0x20 || scalar.value == 0x7F { result += "\\u{\(String(scalar.value, radix: 16))}" } else { result.unicodeScalars.append(scalar) }
        }
    }
    return result + "\""
}
do {
    for path in arguments.dropFirst(3) {
        let text = try String(contentsOf: URL(fileURLWithPath: path), encoding: .utf8)
        let name = path.hasPrefix(root) ? String(path.dropFirst(root.count)) : path
        lines.append("        (path: \(literal(name)), text: \(literal(text))),")
    }
    lines += ["    ]", "}", ""]
    try lines.joined(separator: "\n").write(toFile: arguments[1], atomically: true, encoding: .utf8)
} catch {
    FileHandle.standardError.write(Data("embed-definitions: \(error)\n".utf8))
    exit(1)
}
