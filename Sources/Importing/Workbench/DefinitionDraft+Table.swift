import OpenAlloc

extension DefinitionDraft {
    /// Words of the action column that are listed at most, known and unknown together.
    private static let mostWords = 80

    mutating func writeTable(_ index: Int) {
        let table = columns[index]
        add(
            "  - name: \(tables.count == 1 ? "rows" : "table\(index + 1)")    # line \(tables[index].header.number): \(Self.count(tables[index].rows.count, "row", "rows"))"
        )
        let required = Self.required(table)
        let used = table.filter { RecordField.all.contains($0.variable) || required.contains($0.variable) }
        add("    columns:")
        for column in used { add("      " + columnLine(column, table)) }
        add("    require: [\(required.joined(separator: ", "))]")
        writeKnown(table.filter { column in !used.contains { $0.index == column.index } })
        if required.count < 3 {
            doubt(
                "a fingerprint: the table at line \(tables[index].header.number) has fewer than three telling columns")
        }
        if tables[index].rows.contains(where: { $0.cells.count < tables[index].header.filled }) {
            add("    short: true    # some rows stop before the last column")
        }
        writeSigns(table, tables[index].rows)
        if let action = table.first(where: { $0.variable == "action" }) {
            doubtAmount(table)
            doubtUnits(table)
            doubtSecurity(table)
            writeActions(action, table, tables[index].rows)
        } else {
            writeKind(table, line: tables[index].header.number)
        }
        writeTotals(index)
    }

    /// Events without an amount are mostly such whose amount has a name that nobody knows.
    private mutating func doubtAmount(_ table: [DraftColumn]) {
        guard !table.contains(where: { $0.variable == "amount" }) else { return }
        let names = table.filter { column in
            column.facts.isNumeric && column.facts.filled > 0 && !RecordField.all.contains(column.variable)
        }.map { "‘\(Self.plain($0.name))’" }
        guard !names.isEmpty else { return }
        let both =
            names.count < 2
            ? ""
            : "; if one has what came in and another what went out, they go there as ‘moneyIn’ and ‘moneyOut’, with "
                + "‘set: {amount: \"sum(moneyIn, neg(moneyOut))\"}’ in the table"
        doubt(
            "which column has the money paid or received: if it is \(names.prefix(3).joined(separator: " or ")), it goes "
                + "from ‘known’ to ‘columns’, under the name ‘amount’" + both)
    }

    /// A price is one of units.
    private mutating func doubtUnits(_ table: [DraftColumn]) {
        let fields = Set(table.map(\.variable))
        guard fields.contains("price"), !fields.contains("units") else { return }
        let names = table.filter { column in
            column.facts.isNumeric && column.facts.filled > 0 && !RecordField.all.contains(column.variable)
        }.map { "‘\(Self.plain($0.name))’" }
        guard !names.isEmpty else { return }
        doubt(
            "which column has the units: if it is \(names.prefix(3).joined(separator: " or ")), it goes from ‘known’ to "
                + "‘columns’, under the name ‘units’")
    }

    /// What moves units is rejected where nothing names the security.
    private mutating func doubtSecurity(_ table: [DraftColumn]) {
        let fields = Set(table.map(\.variable))
        guard fields.contains("units"), fields.isDisjoint(with: ["symbol", "isin", "cusip"]) else { return }
        let names = table.filter { column in
            !column.facts.isDate && column.facts.filled > 0 && !RecordField.all.contains(column.variable)
        }.map { "‘\(Self.plain($0.name))’" }
        var which = ""
        if !names.isEmpty {
            which = ": if it is \(names.prefix(3).joined(separator: " or ")), it goes from ‘known’ to ‘columns’, under "
            which += "the name ‘symbol’"
        }
        doubt("which column names the security" + which)
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
            notes.append(
                "\(Self.count(column.facts.points, "cell", "cells")) with a decimal point, \(column.facts.commas) with a comma"
            )
        }
        if !RecordField.all.contains(column.variable) { notes.append("of no use yet") }
        return "\(column.variable): \(value)" + (notes.isEmpty ? "" : "    # " + notes.joined(separator: "; "))
    }

    /// Columns of no use yet: one line, so that they are no news when the file is read.
    private mutating func writeKnown(_ columns: [DraftColumn]) {
        var names: [String] = []
        for column in columns where !names.contains(Self.quoted(column.name)) { names.append(Self.quoted(column.name)) }
        guard !names.isEmpty else { return }
        add(
            "    # Of no use yet. A column that is needed gets a line under ‘columns’ instead, with a name that you choose."
        )
        add("    known: [\(names.joined(separator: ", "))]")
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
        var hundredfold = 0
        var hundredth = 0
        for row in rows {
            guard let amount = number(row, amount), let units = number(row, units), let price = number(row, price),
                let product = units.multiplied(by: price), !product.isZero,
                let difference = amount.subtracting(product)?.magnitude
            else { continue }
            let cost = costs.reduce(ExactDecimal.zero) { sum, column in
                number(row, column).flatMap { sum.adding($0) } ?? sum
            }
            guard let cent = ExactDecimal(coefficient: 2, scale: 2) else { continue }
            // A cost of a cent is within the tolerance either way: the nearer one counts.
            let rest = difference.subtracting(cost)?.magnitude ?? difference
            if cost.isZero {
                if difference < cent { exact += 1 }
            } else if difference < cent, difference < rest {
                outside += 1
            } else if rest < cent, rest < difference {
                inside += 1
            }
            let slack = cost.adding(cent) ?? cent
            guard difference > slack, let hundred = ExactDecimal(coefficient: 100, scale: 0) else { continue }
            if let times = product.multiplied(by: hundred)?.subtracting(amount)?.magnitude, times < slack {
                hundredfold += 1
            } else if let times = amount.multiplied(by: hundred)?.subtracting(product)?.magnitude,
                let most = slack.multiplied(by: hundred), times < most
            {
                hundredth += 1
            }
        }
        if outside > inside {
            add(
                "    costs: outside    # in \(Self.count(outside, "row", "rows")) the amount is units × price, without the costs; in \(inside) with them"
            )
        } else if inside > 0 {
            add(
                "    costs: inside    # in \(Self.count(inside, "row", "rows")) the amount is units × price and the costs; in \(outside) without them"
            )
        } else if exact > 0 {
            add("    # units × price is the amount in \(exact) of \(rows.count) rows")
        }
        writeScales(hundredfold, hundredth)
    }

    /// Options count a hundred each; bonds are priced in percent, British shares in pence.
    private mutating func writeScales(_ hundredfold: Int, _ hundredth: Int) {
        guard hundredfold + hundredth > 0 else { return }
        add("    # priceUnits:    # check: say which rows; other conditions are in Importers/README.md, section 5")
        if hundredfold > 0 {
            add(
                "    #   # in \(Self.count(hundredfold, "row", "rows")) the amount is 100 × units × price, as options have it"
            )
            add("    #   - {when: {description: [\"* Call\", \"* Put\"]}, unit: contract, multiplier: 100}")
            doubt("which rows are options: in \(hundredfold) the amount is 100 × units × price; see ‘priceUnits’")
        }
        if hundredth > 0 {
            add(
                "    #   # in \(Self.count(hundredth, "row", "rows")) the amount is units × price / 100: bonds in percent, or pence"
            )
            add("    #   - {when: {description: \"* BOND *\"}, unit: percentOfPar}")
            doubt(
                "which rows are bonds or in pence: in \(hundredth) the amount is units × price / 100; see ‘priceUnits’")
        }
    }

    /// For each action word, how many of its rows have units.
    private func moving(_ action: DraftColumn, _ table: [DraftColumn], _ rows: [Sheet.Line]) -> [String: Int] {
        guard let units = table.first(where: { $0.variable == "units" }) else { return [:] }
        let reader = NumberReader(blanks: ["-", "--", "n/a"])
        var counts: [String: Int] = [:]
        for row in rows {
            withView(row.cell(units.index)) { view in
                guard case .value(let value, _) = reader.read(view, numbers == "eu" ? .eu : .us), !value.isZero else {
                    return
                }
                counts[row.cell(action.index), default: 0] += 1
            }
        }
        return counts
    }

    private mutating func writeActions(_ action: DraftColumn, _ table: [DraftColumn], _ rows: [Sheet.Line]) {
        let moving = moving(action, table, rows)
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
            var rows = Self.count(count, "row", "rows")
            let moved = min(moving[word] ?? 0, count)
            let isCash = ["cash", "deposit", "withdrawal"].contains(meaning?.yaml)
            if meaning == nil || isCash, moved > 0 {
                rows += ", \(moved) of which \(moved == 1 ? "has" : "have") units"
                if isCash { doubt("whether ‘\(Self.plain(word))’ moves money or units: it may mean two things") }
            }
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
                unknown.count == 2
                    ? "what 1 action word means: see ‘what is this?’; until then its rows are rejected"
                    : "what \(unknown.count / 2) action words mean: see ‘what is this?’; until then their rows are rejected"
            )
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
        var patterns: [String: Int] = [:]
        for row in tables[index].rows {
            guard let pattern = DraftContext.totalPattern(ofRow: row) else { continue }
            patterns[pattern, default: 0] += 1
        }
        guard !patterns.isEmpty else { return }
        let count = patterns.values.reduce(0, +)
        add("    rows:    # \(Self.count(count, "row begins", "rows begin")) with a word for a total")
        add("      - when: {first: [\(patterns.keys.sorted().map { "\"\($0)\"" }.joined(separator: ", "))]}")
        add("        is: total")
    }
}
