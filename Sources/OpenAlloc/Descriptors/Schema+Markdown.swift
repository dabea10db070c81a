extension Schema {
    /// The columns as a Markdown table under a heading.
    public func markdown(extended: Bool = true) -> String {
        var text = "# \(name)\n\n\(description).\n\n" + Schema.head
        for column in columns { text += column.markdownLine }
        guard extended, !extendedColumns.isEmpty else { return text }
        text += "\nExtended columns, after those of the model:\n\n" + Schema.head
        for column in extendedColumns { text += column.markdownLine }
        return text
    }

    private static let head = "| column | type | required | key | what it says |\n|---|---|---|---|---|\n"
}

extension Column {
    fileprivate var markdownLine: String {
        let required = !isRequired ? "" : mayBeBlank ? "may be blank" : "yes"
        let choice = allowedValues.isEmpty ? "" : " (\(allowedValues.map { "`\($0)`" }.joined(separator: ", ")))"
        return "| `\(name)` | \(type.rawValue) | \(required) | \(isKey ? "yes" : "") | \(description)\(choice) |\n"
    }
}
