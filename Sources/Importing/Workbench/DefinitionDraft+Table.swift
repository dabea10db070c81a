import OpenAlloc

extension DefinitionDraft {
    /// Words of the action column that are listed at most, known and unknown together.
    private static let mostWords = 80

    mutating func writeTable(_ index: Int) {
        let table = columns[index]
        add(
            "  - name: \(tables.count == 1 ? "rows" : "table\(index + 1)")    # line \(tables[index].header.number): \(tables[index].rows.count) rows"
        )
        add("    columns:")
        for column in table { add("      " + columnLine(column, table)) }
        let required = Self.required(table)
        add("    require: [\(required.joined(separator: ", "))]")
        if required.count < 3 {
            doubt(
                "a fingerprint: the table at line \(tables[index].header.number) has fewer than three telling columns")
        }
        if tables[index].rows.contains(where: { $0.cells.count < tables[index].header.filled }) {
            add("    short: true    # some rows stop before the last column")
        }
        writeSigns(table, tables[index].rows)
        if let action = table.first(where: { $0.variable == "action" }) {
            writeActions(action)
        } else {
            writeKind(table, line: tables[index].header.number)
        }
        writeTotals(index)
    }

    private func columnLine(_ column: DraftColumn, _ table: [DraftColumn]) -> String {
        let name = Self.quoted(column.name)
        let isMoney = ["amount", "marketValue", "price"].contains(column.variable)
        let hasCurrency = table.contains { $0.variable == "currency" }
        var value = name
        if column.occurrence > 1 {
            value = "{names: [\(name)], nth: \(column.occurrence)}"
        } else if isMoney, !hasCurrency, column.currency != nil,
            table.first(where: { $0.currency != nil })?.index == column.index
        {
            value = "{names: [\(name)], currency: currency}"
        }
        var notes: [String] = []
        if !column.doubt.isEmpty { notes.append("check: " + Self.plain(column.doubt)) }
        if column.facts.filled == 0 { notes.append("always empty") }
        if column.facts.isNumeric, numbers == "auto" {
            notes.append("\(column.facts.points) cells with a decimal point, \(column.facts.commas) with a comma")
        }
        if !RecordField.all.contains(column.variable) { notes.append("of no use yet") }
        return "\(column.variable): \(value)" + (notes.isEmpty ? "" : "    # " + notes.joined(separator: "; "))
    }

    /// The columns by which the format is told from others: those that fill a record, at most six.
    private static func required(_ table: [DraftColumn]) -> [String] {
        let order = [
            "date", "action", "symbol", "isin", "units", "price", "amount", "marketValue", "costBasis", "proceeds",
            "account", "currency", "description", "settled", "acquired", "commission", "fees", "id",
        ]
        let known = order.filter { field in table.contains { $0.variable == field && $0.occurrence == 1 } }
        let others = table.map(\.variable).filter { !known.contains($0) }
        return Array((known + others).prefix(max(3, min(6, known.count))))
    }

    private mutating func writeSigns(_ table: [DraftColumn], _ rows: [Sheet.Line]) {
        guard let amount = table.first(where: { $0.variable == "amount" }), amount.facts.numbers > 0 else { return }
        if amount.facts.negatives > 0 {
            add("    amounts: signed    # \(amount.facts.negatives) of \(amount.facts.numbers) are negative")
        } else {
            add("    amounts: unsigned    # check: none of \(amount.facts.numbers) is negative")
            doubt("the sign of amounts: none is negative, so what a row is gives the sign")
        }
        writeCosts(table, rows, amount)
    }

    /// Whether amounts hold the costs: proven by units × price.
    private mutating func writeCosts(_ table: [DraftColumn], _ rows: [Sheet.Line], _ amount: DraftColumn) {
        guard let units = table.first(where: { $0.variable == "units" }),
            let price = table.first(where: { $0.variable == "price" })
        else { return }
        let costs = table.filter { ["commission", "fees", "tax"].contains($0.variable) }
        let style: NumberStyle = numbers == "eu" ? .eu : .us
        let reader = NumberReader(blanks: ["-", "--", "n/a"])
        func number(_ row: Sheet.Line, _ column: DraftColumn) -> ExactDecimal? {
            withView(row.cell(column.index)) { view in
                if case .value(let value, _) = reader.read(view, style) { value.magnitude } else { nil }
            }
        }
        var inside = 0
        var outside = 0
        var exact = 0
        for row in rows {
            guard let amount = number(row, amount), let units = number(row, units), let price = number(row, price),
                let product = units.multiplied(by: price), !product.isZero,
                let difference = amount.subtracting(product)?.magnitude
            else { continue }
            let cost = costs.reduce(ExactDecimal.zero) { sum, column in
                number(row, column).flatMap { sum.adding($0) } ?? sum
            }
            guard let cent = ExactDecimal(coefficient: 2, scale: 2) else { continue }
            if cost.isZero {
                if difference < cent { exact += 1 }
            } else if difference < cent {
                outside += 1
            } else if let rest = difference.subtracting(cost)?.magnitude, rest < cent {
                inside += 1
            }
        }
        if outside > inside {
            add(
                "    costs: outside    # in \(outside) rows the amount is units × price, without the costs; in \(inside) with them"
            )
        } else if inside > 0 {
            add(
                "    costs: inside    # in \(inside) rows the amount is units × price and the costs; in \(outside) without them"
            )
        } else if exact > 0 {
            add("    # units × price is the amount in \(exact) of \(rows.count) rows")
        }
    }

    private mutating func writeActions(_ action: DraftColumn) {
        let words = action.facts.texts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
        var known: [String] = []
        var unknown: [String] = []
        var seen: Set<[UInt8]> = []
        for (word, count) in words.prefix(400) {
            let meaning = vocabulary.meaning(word)
            let pattern = Self.wordPattern(word)
            guard seen.insert(foldedWordBytes(pattern)).inserted, known.count + unknown.count < Self.mostWords else {
                continue
            }
            let rows = count == 1 ? "1 row" : "\(count) rows"
            if let meaning {
                let doubt = meaning.doubt.isEmpty ? "" : "; check: " + Self.plain(meaning.doubt)
                known.append("        \(Self.quoted(pattern)): \(meaning.yaml)    # \(rows)\(doubt)")
            } else {
                unknown.append("        # what is this? \(rows)")
                unknown.append("        # \(Self.quoted(pattern)): ")
            }
        }
        if !unknown.isEmpty {
            doubt(
                "what \(unknown.count / 2) action words mean: see ‘what is this?’; until then their rows are rejected")
        }
        // A table without any word is written as a comment: its rows are rejected, none is guessed.
        let mark = known.isEmpty ? "# " : ""
        add("    \(mark)actions:")
        add("    \(mark)  on: action")
        add("    \(mark)  words:")
        lines += known + unknown
    }

    /// A word as a definition writes it: a number in it, or a long tail, is a wild card.
    private static func wordPattern(_ word: String) -> String {
        let plain = plain(word).split(separator: " ").map { part in
            part.contains(where: \.isNumber) ? "*" : part.replacing("*", with: "\\*").replacing("{", with: "\\{")
        }
        let text = plain.count > 6 ? plain.prefix(4).joined(separator: " ") + " *" : plain.joined(separator: " ")
        return text.replacing("* *", with: "*").replacing("* *", with: "*")
    }

    private mutating func writeKind(_ table: [DraftColumn], line: Int) {
        let fields = Set(table.map(\.variable))
        if fields.contains("proceeds"), !fields.isDisjoint(with: ["acquired", "gainShort", "gainLong", "costBasis"]) {
            add("    kind: closedLot    # check: proceeds and cost of lots")
        } else if !fields.isDisjoint(with: ["marketValue", "unitCost"])
            || fields.contains("units") && !fields.contains("date")
        {
            add("    kind: position    # check: values without an action are positions")
        } else if fields.isSuperset(of: ["date", "units", "amount"]) {
            add("    kind: trade    # check: the sign of the units says bought or sold")
        } else if fields.isSuperset(of: ["date", "amount"]) {
            add("    kind: cash    # check: the sign of the amount says in or out")
        } else {
            doubt(
                "what the rows of the table at line \(line) are: add ‘kind: …’ or ‘actions:’ (Importers/README.md, section 4)"
            )
            return
        }
        doubt("what the rows of the table at line \(line) are: no column says it, so the kind is a guess")
    }

    private mutating func writeTotals(_ index: Int) {
        let totals = ["total", "totals", "summe", "totaal", "totale"]
        let count = tables[index].rows.count { row in
            let words = Vocabulary.words(of: row.first)
            return words.count <= 4 && words.contains { totals.contains($0) }
        }
        guard count > 0 else { return }
        add("    rows:    # \(count) rows begin with a word for a total")
        add("      - when: {first: [\"Total*\", \"* Total\", \"Summe*\", \"Totaal*\"]}")
        add("        is: total")
    }
}
