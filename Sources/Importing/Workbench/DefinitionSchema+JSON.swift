import OpenAlloc

extension DefinitionSchema {
    /// The JSON Schema (draft 2020-12) of the language, as it stands in Importers/definition.schema.json.
    public static var json: [UInt8] {
        var json = JSONWriter(pretty: true)
        json.object { json in
            json.member("$schema", "https://json-schema.org/draft/2020-12/schema")
            json.member("title", "Allocport importer definition, or a part that several share")
            write(.either([.shared("definition"), .shared("part")]), "", &json)
            json.name("$defs")
            json.object { json in
                nested("definition", root, "", &json)
                nested("part", part, "part", &json)
                for entry in shared { nested(entry.name, entry.shape, entry.name, &json) }
            }
        }
        return json.bytes + [0x0A]
    }

    /// Values are text; what YAML readers of editors take for numbers and truth is allowed too.
    private static func write(_ shape: Shape, _ scope: String, _ json: inout JSONWriter) {
        switch shape {
        case .text: types(["string", "number", "boolean"], &json)
        case .bool: json.member("type", "boolean")
        case .word(let words):
            json.name("enum")
            json.array { json in for word in words { json.string(word) } }
        case .list(let item):
            json.member("type", "array")
            nested("items", item, scope, &json)
        case .map(let value):
            json.member("type", "object")
            nested("additionalProperties", value, scope, &json)
        case .condition: json.member("type", "object")
        case .either(let shapes):
            json.name("anyOf")
            json.array { json in for shape in shapes { json.object { json in write(shape, scope, &json) } } }
        case .object(let keys): write(keys, scope, &json)
        case .shared(let name): json.member("$ref", "#/$defs/\(name)")
        }
    }

    private static func types(_ names: [String], _ json: inout JSONWriter) {
        json.name("type")
        json.array { json in for name in names { json.string(name) } }
    }

    private static func nested(
        _ name: String, _ shape: Shape, _ scope: String, note: String? = nil, _ json: inout JSONWriter
    ) {
        json.name(name)
        json.object { json in
            if let note { json.member("description", note) }
            write(shape, scope, &json)
        }
    }

    private static func write(_ keys: [Key], _ scope: String, _ json: inout JSONWriter) {
        json.member("type", "object")
        json.member("additionalProperties", false)
        let required = keys.filter(\.isRequired)
        if !required.isEmpty {
            json.name("required")
            json.array { json in for key in required { json.string(key.name) } }
        }
        json.name("properties")
        json.object { json in
            for key in keys {
                let inner = scope.isEmpty ? key.name : scope + "." + key.name
                nested(key.name, key.shape, inner, note: DefinitionNotes.text(scope, key.name), &json)
            }
        }
    }
}
