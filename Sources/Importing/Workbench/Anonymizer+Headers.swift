// What the name of a column says of its cells.
extension Anonymizer {
    /// Whether people write into the column, or may be named there.
    func isNote(_ slot: Int, _ binding: TableBinding) -> Bool {
        let notes = [
            "note", "notes", "notiz", "comment", "comments", "memo", "remark", "remarks", "message", "details",
        ]
        return Vocabulary.words(of: binding.columnName(slot)).contains { notes.contains($0) }
    }

    /// An action that the definition does not know: it is what the copy is shown for.
    func isActionWord(_ text: String, _ slot: Int, _ binding: TableBinding) -> Bool {
        guard let actions = definition.tables[binding.table].actions, actions.on.contains(slot),
            !text.contains(where: \.isNumber), text.split(separator: " ").count <= 3
        else { return false }
        let names = ["action", "type", "typ", "tipo", "soort", "side", "operation", "activity", "code", "category"]
        return Vocabulary.words(of: binding.columnName(slot)).contains { word in
            names.contains { word.hasPrefix($0) || word.hasSuffix($0) }
        }
    }

    /// Whether a header names what one unit costs, or a share of something: such a number stays.
    static func isRate(_ header: String) -> Bool {
        // `Kurswert` is what the units were worth at the price.
        let words = Vocabulary.words(of: header).filter { !$0.hasSuffix("wert") && !$0.hasSuffix("value") }
        let rates = [
            "price", "rate", "percent", "kurs", "prix", "prijs", "precio", "prezzo", "koers", "nav", "fairmarketvalue",
            "fmv", "ratio", "average", "pct",
        ]
        return header.contains("%")
            || words.contains { word in rates.contains { word.hasPrefix($0) || word.hasSuffix($0) } }
            || words.contains("per")
    }

    /// Whether a number under a header names something instead of counting it.
    static func isReference(_ header: String, _ text: String) -> Bool {
        let words = Vocabulary.words(of: header)
        let marks = [
            "id", "number", "no", "nr", "reference", "ref", "order", "orderid", "tradeid", "wkn", "nummer", "code",
        ]
        return text.allSatisfy { $0.isNumber || $0 == "-" } && words.contains { marks.contains($0) }
    }
}
