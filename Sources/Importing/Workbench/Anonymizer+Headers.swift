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

    /// A cell's copy, in which numbers that an earlier copy had as they were are multiplied; prices stay.
    func remultiplied(_ made: String, of text: String, slot: Int?, _ line: AnonymousLine) -> String {
        guard let numbers = unchanged.numbers[line.number] else { return made }
        if let slot, !unchanged.isOfPrices,
            flow.pricing.contains(slot) || Self.unscaled.contains(definition.variables.names[slot])
        {
            return made
        }
        var result = ""
        var rest = made[...]
        while let first = rest.first {
            // A currency's code may follow right behind.
            let head = rest.prefix { $0.isNumber || ".,'".contains($0) }
            if Self.mayBeginNumber(after: result), let run = NumberRun(head), run.isOne(of: numbers, reader),
                let scaled = run.scaled(scale, reader)
            {
                result += scaled
                rest = rest.dropFirst(run.text.count)
            } else {
                result.append(first)
                rest = rest.dropFirst()
            }
        }
        return result
    }

    /// Whether a number may begin there: neither within another one nor in a day such as `2026-01-20`.
    private static func mayBeginNumber(after text: String) -> Bool {
        guard let last = text.last else { return true }
        if last == "-" { return !(text.dropLast().last?.isNumber ?? false) }
        return !last.isNumber && !last.isLetter && !".,:/".contains(last)
    }
}
