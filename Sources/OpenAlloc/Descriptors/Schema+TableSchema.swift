extension Schema {
    /// A Frictionless Table Schema of the delimited file.
    ///
    /// The key is declared where it can be one: rows whose lot may be blank, and events that may be twins, have none.
    public func tableSchema(extended: Bool = true) -> String {
        var json = JSONWriter(pretty: true)
        json.object { json in
            json.member("name", fileStem)
            json.member("title", name)
            json.member("description", description)
            json.name("fields")
            json.array { json in
                for column in extended ? allColumns : columns {
                    json.object { column.writeTableSchema(to: &$0) }
                }
            }
            json.name("missingValues")
            json.array { $0.string("") }
            if keyColumns.allSatisfy({ !$0.mayBeBlank }) {
                json.name("primaryKey")
                json.array { json in
                    for column in keyColumns { json.string(column.name) }
                }
            }
        }
        return json.text + "\n"
    }
}

extension Column {
    fileprivate func writeTableSchema(to json: inout JSONWriter) {
        json.member("name", name)
        json.member("type", tableType)
        json.member("description", description)
        if mayBeBlank, allowedValues.isEmpty { return }
        json.name("constraints")
        json.object { json in
            if !mayBeBlank { json.member("required", true) }
            if !allowedValues.isEmpty {
                json.name("enum")
                json.array { json in
                    for word in allowedValues { json.string(word) }
                }
            }
        }
    }

    private var tableType: String {
        switch type {
        case .string: "string"
        case .double: "number"
        case .int: "integer"
        case .bool: "boolean"
        case .date: "datetime"
        }
    }
}
