import Delimited
import OpenAlloc

// What stands for one cell.
extension Anonymizer {
    mutating func anonymous(
        _ text: String, column: Int, slot: Int?, line: AnonymousLine, hasSecurity: Bool,
        captured: [(slot: Int, text: String)]
    ) -> String {
        if withView(text, { reader.isBlank($0) }) { return text }
        var name = slot.map { definition.variables.names[$0] } ?? ""
        if let captures = line.binding.flatMap({ definition.tables[$0.table].captures }), let binding = line.binding {
            if slot != captures.to { return text }
            let from = binding.columns[captures.from]
            let key = from >= 0 && from < line.cells.count ? foldedWordBytes(line.cells[from].text) : []
            guard let target = captures.keys[key] else { return free(text, [], keepsWords: false) }
            name = definition.variables.names[target]
            return replacement(text, name) ?? free(text, [], keepsWords: false)
        }
        if let binding = line.binding {
            let table = definition.tables[binding.table]
            let header = column < binding.header.count ? binding.header[column] : ""
            if let made = value(text, name: name, slot: slot, header: header, table, binding, line.cells[column]) {
                return made
            }
            if let slot {
                let found = captures(text, templates(slot, binding.table))
                if !found.isEmpty { return free(text, found, keepsWords: hasSecurity) }
            }
        }
        let here = captured.filter { text.contains($0.text) }
        let keeps = hasSecurity && ["description", "action"].contains(name)
        return free(text, here, keepsWords: keeps)
    }

    /// A cell that is one value: a date, a number, an identifier; nil when it is text.
    private mutating func value(
        _ text: String, name: String, slot: Int?, header: String, _ table: TableDefinition, _ binding: TableBinding,
        _ cell: AnonymousLine.Cell
    ) -> String? {
        if Self.codes.contains(name) { return text }
        if ["account", "id", "accountTitle"].contains(name) { return replacement(text, name) }
        if RecordField.moments[name] != nil || name == "exported" {
            if let moved = dates.shift(text, (table.dates ?? definition.dates) + definition.exported) { return moved }
            // A day that does not exist must not become one that does.
            if let slot, captures(text, templates(slot, binding.table)).isEmpty { return text }
        }
        if name == "time" { return text }
        let style = slot.map { survey.style(table: binding.table, slot: $0) } ?? .auto
        let declared = table.numbers ?? definition.numbers
        let used = declared.decimal == nil ? style : declared
        let isNumber = withView(text) { view in
            if case .value = reader.read(view, used) { true } else { false }
        }
        if isNumber {
            if Self.unscaled.contains(name) || slot.map({ pricing.contains($0) }) ?? false { return text }
            if isPartOfSecurity(text, slot, name) { return text }
            let isKnown = RecordField.numbers[name] != nil
            if !isKnown, Self.isRate(header) || Self.isRate(name) || text.contains("%") { return text }
            if !isKnown, Self.isReference(header, text) { return pseudonyms.code(text) }
            return scale.scale(text, reader, used, mayGroup: cell.isQuoted && text.contains(","))
        }
        if isPartOfSecurity(text, slot, name) { return text }
        if let slot, !templates(slot, binding.table).isEmpty { return nil }
        if let moved = dates.shift(text) { return moved }
        if text.utf8.count == 3, Currency.isKnown(text.uppercased()) { return text }
        let digits = text.count { $0.isNumber }
        let isCode = text.allSatisfy { $0.isASCII && !$0.isWhitespace }
        guard isCode, name != "description" else { return nil }
        if let slot, grouping.contains(slot) { return pseudonyms.code(text) }
        if digits >= 5 {
            let isSecurity = withView(text) { view in
                view.count == 12 && CheckDigit.isin(view) == view[11] || CheckDigit.isCUSIP(view)
            }
            return isSecurity ? text : pseudonyms.code(text)
        }
        if let slot, coding.contains(slot) { return text }
        return nil
    }

    /// A strike, an expiry, a WKN: what a security is made of says nothing of its owner.
    private func isPartOfSecurity(_ text: String, _ slot: Int?, _ name: String) -> Bool {
        guard let slot, coding.contains(slot), !numberSlots.contains(slot), !amounting.contains(slot),
            !RecordField.all.contains(name)
        else { return false }
        return text.utf8.count <= 24 && (!text.contains(where: \.isWhitespace) || dates.shift(text) != nil)
    }

    /// Texts that name a security or a currency stay.
    static let codes: Set<String> = [
        "symbol", "isin", "cusip", "sedol", "currency", "priceCurrency", "securityKind", "assetID", "accountKind",
        "isTaxable", "canTrade",
    ]
    /// Numbers that stay: with units and amounts multiplied alike, units × price is still the amount.
    static let unscaled: Set<String> = ["price", "unitCost", "multiplier", "exchangeRate"]

    private static func isRate(_ header: String) -> Bool {
        let words = Vocabulary.words(of: header)
        let rates = [
            "price", "rate", "percent", "kurs", "prix", "prijs", "precio", "prezzo", "koers", "nav", "fairmarketvalue",
            "fmv", "ratio", "average", "pct",
        ]
        return header.contains("%")
            || words.contains { word in rates.contains { word.hasPrefix($0) || word.hasSuffix($0) } }
            || words.contains("per")
    }

    private static func isReference(_ header: String, _ text: String) -> Bool {
        let words = Vocabulary.words(of: header)
        let marks = [
            "id", "number", "no", "nr", "reference", "ref", "order", "orderid", "tradeid", "wkn", "nummer", "code",
        ]
        return text.allSatisfy { $0.isNumber || $0 == "-" } && words.contains { marks.contains($0) }
    }

    /// What stands for a value of a variable in a text.
    mutating func replacement(_ text: String, _ name: String) -> String? {
        switch name {
        case "account", "id": return pseudonyms.code(text)
        case "exported", "date", "settled", "acquired", "priced", "posted": return dates.shift(text)
        case "accountTitle": return words(text, keepsWords: false)
        default: break
        }
        if Self.codes.contains(name) || Self.unscaled.contains(name) { return text }
        let style = definition.numbers
        if RecordField.numbers[name] != nil { return scale.scale(text, reader, style, mayGroup: false) ?? text }
        guard let slot = definition.variables.known(name) else { return nil }
        if isPartOfSecurity(text, slot, name) { return text }
        if numberSlots.contains(slot), !Self.isRate(name) {
            // Both marks are tried: a text beside the numbers may be written in another style than they.
            for style in [style, .us, .eu] {
                if let made = scale.scale(text, reader, style, mayGroup: false) { return made }
            }
        }
        let isCode = !text.contains(where: \.isWhitespace) && text.count(where: \.isNumber) < 5
        return isCode && coding.contains(slot) ? text : nil
    }

    /// A text of words: what was captured is replaced by its meaning, the rest word by word.
    private mutating func free(_ text: String, _ captured: [(slot: Int, text: String)], keepsWords: Bool) -> String {
        var result = ""
        var rest = text[...]
        let parts = captured.compactMap { part in rest.firstRange(of: part.text).map { (range: $0, part: part) } }
            .sorted { $0.range.lowerBound < $1.range.lowerBound }
        for (range, part) in parts where range.lowerBound >= rest.startIndex {
            guard let made = replacement(part.text, definition.variables.names[part.slot]) else { continue }
            result += words(String(rest[..<range.lowerBound]), keepsWords: keepsWords) + made
            rest = rest[range.upperBound...]
        }
        return result + words(String(rest), keepsWords: keepsWords)
    }

    /// Replaces accounts, dates, long numbers and words that are not plain.
    private mutating func words(_ text: String, keepsWords: Bool) -> String {
        for account in accounts {
            guard let range = text.firstRange(of: account) else { continue }
            return words(String(text[..<range.lowerBound]), keepsWords: keepsWords) + pseudonyms.code(account)
                + words(String(text[range.upperBound...]), keepsWords: keepsWords)
        }
        var result = ""
        var rest = text[...]
        while let first = rest.first {
            if first.isWhitespace || "()[]\",;:".contains(first) {
                result.append(first)
                rest = rest.dropFirst()
                continue
            }
            if !keepsWords, let (moved, length) = dateRun(rest) {
                result += moved
                rest = rest.dropFirst(length)
                continue
            }
            let token = rest.prefix { !$0.isWhitespace && !"()[]\",;:".contains($0) }
            rest = rest.dropFirst(token.count)
            result += self.token(token, keepsWords: keepsWords)
        }
        return result
    }

    /// The longest run of words at the beginning of a text that is a date, moved, with its length.
    private func dateRun(_ text: Substring) -> (moved: String, length: Int)? {
        var ends: [Substring.Index] = []
        var rest = text
        while ends.count < 6, let space = rest.firstIndex(of: " ") {
            ends.append(space)
            rest = rest[rest.index(after: space)...].drop { $0 == " " }
        }
        if ends.count < 6 { ends.append(text.endIndex) }
        for end in ends.reversed() {
            let run = text[..<end]
            guard run.utf8.count <= 48, run.count(where: \.isNumber) >= 3 else { continue }
            if let moved = dates.shift(String(run)) { return (moved, run.count) }
        }
        return nil
    }

    private mutating func token(_ token: Substring, keepsWords: Bool) -> String {
        let text = String(token)
        let digits = token.count { $0.isNumber }
        if digits >= 4, !keepsWords, let moved = dates.shift(text) { return moved }
        if digits >= 4, !keepsWords { return pseudonyms.code(text) }
        if keepsWords || digits > 0 && !token.contains(where: \.isLetter) { return text }
        var result = ""
        var rest = token
        while let first = rest.first {
            var part = rest.prefix { $0.isLetter == first.isLetter }
            // `flatexDEGIRO` is two words.
            if !pseudonyms.plainWords.contains(part.lowercased()),
                let bend = zip(part.indices, part.dropFirst().indices).first(where: {
                    part[$0].isLowercase && part[$1].isUppercase
                })
            {
                part = part[..<bend.1]
            }
            result += first.isLetter ? pseudonyms.word(part) : String(part)
            rest = rest.dropFirst(part.count)
        }
        return result
    }
}
