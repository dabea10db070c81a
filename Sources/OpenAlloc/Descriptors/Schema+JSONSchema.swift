extension Schema {
    /// A JSON Schema (draft 2020-12) of the table: an array of rows; `#/$defs/row` is one row alone.
    ///
    /// - Parameter extended: whether to declare our own columns too; without, they are allowed and say nothing.
    public func jsonSchema(extended: Bool = true) -> String {
        var json = JSONWriter(pretty: true)
        json.object { json in
            json.member("$schema", "https://json-schema.org/draft/2020-12/schema")
            json.member("title", name)
            json.member("description", description)
            json.member("type", "array")
            json.name("items")
            json.object { $0.member("$ref", "#/$defs/row") }
            json.name("$defs")
            json.object { json in
                json.name("row")
                json.object { writeRow(to: &$0, extended ? allColumns : columns) }
            }
        }
        return json.text + "\n"
    }

    private func writeRow(to json: inout JSONWriter, _ columns: [Column]) {
        json.member("type", "object")
        json.name("properties")
        json.object { json in
            for column in columns {
                json.name(column.name)
                json.object { column.writeJSONSchema(to: &$0) }
            }
        }
        json.name("required")
        json.array { json in
            for column in columns where column.isRequired { json.string(column.name) }
        }
    }
}

extension Column {
    fileprivate func writeJSONSchema(to json: inout JSONWriter) {
        json.member("description", description)
        if mayBeBlank {
            json.name("type")
            json.array {
                $0.string(jsonType)
                $0.string("null")
            }
        } else {
            json.member("type", jsonType)
        }
        if type == .date { json.member("format", "date-time") }
        if !allowedValues.isEmpty {
            json.name("enum")
            json.array { json in
                for word in allowedValues { json.string(word) }
                if mayBeBlank {
                    json.string("")
                    json.null()
                }
            }
        } else if type == .string, !mayBeBlank {
            json.member("minLength", 1)
        }
    }

    private var jsonType: String {
        switch type {
        case .string, .date: "string"
        case .double: "number"
        case .int: "integer"
        case .bool: "boolean"
        }
    }
}
