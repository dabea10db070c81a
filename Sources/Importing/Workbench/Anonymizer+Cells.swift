import Delimited
import OpenAlloc

// What stands for one cell.
extension Anonymizer {
    mutating func anonymous(
        _ text: String, column: Int, slot: Int?, line: AnonymousLine, hasSecurity: Bool,
        captured: [Part], units: [String]
    ) -> String {
        let made = replaced(
            text, column: column, slot: slot, line: line, hasSecurity: hasSecurity, captured: captured, units: units)
        guard let slot, made != text, let patterns = line.binding.flatMap({ tests[$0.table][slot] }) else {
            return made
        }
        // A pattern that a rule holds against the cell must hold against the copy, and no other.
        func signature(_ text: String) -> [Bool] {
            withView(text) { view in patterns.map { $0.template.matches(view) } }
        }
        let wanted = signature(text)
        guard signature(made) != wanted else { return made }
        for (pattern, matches) in zip(patterns, wanted) where matches {
            var parts: [String] = []
            let keepsWords = !["account", "id"].contains(definition.variables.names[slot])
            for (part, isLiteral) in pattern.template.pieces(of: text) {
                parts.append(
                    isLiteral ? part : keepsWords ? free(part, [], keepsWords: false) : pseudonyms.code(part))
            }
            let other = parts.joined()
            if signature(other) == wanted { return other }
        }
        return made
    }

    private mutating func replaced(
        _ text: String, column: Int, slot: Int?, line: AnonymousLine, hasSecurity: Bool,
        captured: [Part], units: [String]
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
            // A value that stands in the wrong column is one of its own.
            let own = slot.map { binding.columns[$0] } ?? column
            let header = binding.header.indices.contains(own) ? binding.header[own] : ""
            if let slot, let made = measured(text, slot: slot, units, table.numbers ?? definition.numbers) {
                return made
            }
            if let made = value(text, name: name, slot: slot, header: header, table, binding, line, line.cells[column])
            {
                return made
            }
            if let slot {
                let found = captures(text, templates(slot, binding.table))
                if !found.isEmpty { return free(text, found, keepsWords: hasSecurity && !isNote(slot, binding)) }
            }
        }
        if let slot, let binding = line.binding, isActionWord(text, slot, binding) {
            return free(text, [], keepsWords: true)
        }
        let here = captured.filter { text.contains($0.text) }.map { Part(slot: $0.slot, text: $0.text) }
        let isNamed = ["description", "action"].contains(name)
        let keeps = hasSecurity && isNamed && !(slot.flatMap { slot in line.binding.map { isNote(slot, $0) } } ?? false)
        return free(text, here, keepsWords: keeps)
    }

    /// What may stand behind a number of the line as its unit.
    func units(_ line: AnonymousLine) -> [String] {
        slots(line).filter { part in
            flow.coding.contains(part.slot) && part.text.utf8.count <= 12 && part.text.contains(where: \.isLetter)
        }.map(\.text).sorted { ($1.count, $0) < ($0.count, $1) }
    }

    /// A number with a unit that only the line explains: `1201INCH` is 120 of `1INCH`.
    private func measured(_ text: String, slot: Int, _ units: [String], _ style: NumberStyle) -> String? {
        guard flow.amounting.contains(slot), text.first.map({ $0.isNumber || "+-.".contains($0) }) ?? false else {
            return nil
        }
        var ends = units.filter { text.count > $0.count && text.lowercased().hasSuffix($0.lowercased()) }
        ends.append(String(text.reversed().prefix { $0.isLetter }.reversed()))
        guard withView(text, { if case .value = reader.read($0, style) { false } else { true } }) else { return nil }
        for end in ends where !end.isEmpty && end.count <= 12 {
            let head = String(text.dropLast(end.count))
            if let made = scale.scale(head, reader, style, mayGroup: false) { return made + text.suffix(end.count) }
        }
        return nil
    }

    /// A cell that is one value: a date, a number, an identifier; nil when it is text.
    private mutating func value(
        _ text: String, name: String, slot: Int?, header: String, _ table: TableDefinition, _ binding: TableBinding,
        _ line: AnonymousLine, _ cell: AnonymousLine.Cell
    ) -> String? {
        if Self.codes.contains(name) {
            // Rows below an order may have their time in the column of its symbol.
            return text.contains(":") ? dates.shift(text) ?? text : text
        }
        if ["account", "id", "accountTitle"].contains(name) { return replacement(text, name) }
        if let slot, !numberSlots.contains(slot), words[binding.table][slot]?.contains(Array(text.utf8)) == true {
            return text
        }
        if RecordField.moments[name] != nil || name == "exported" {
            if let moved = dates.shift(text, (table.dates ?? definition.dates) + definition.exported) { return moved }
            // A day that does not exist must not become one that does.
            if let slot, captures(text, templates(slot, binding.table)).isEmpty { return text }
        }
        if name == "time" { return text }
        let style = slot.map { survey.style(table: binding.table, slot: $0) } ?? .auto
        let declared = table.numbers ?? definition.numbers
        let proven = declared.decimal != nil ? declared : style.decimal == nil ? line.style ?? style : style
        // Of numbers that are not read nobody has proven the mark.
        let isRead = proven.decimal != nil || slot.map(numberSlots.contains) ?? false
        let used = (isRead ? [proven] : [proven, .us, .eu]).first { style in
            withView(text) { view in
                if case .value = reader.read(view, style) { true } else { false }
            }
        }
        if let used {
            if Self.unscaled.contains(name) || slot.map({ flow.pricing.contains($0) }) ?? false { return text }
            if isPartOfSecurity(text, slot, name) { return text }
            let isKnown = RecordField.numbers[name] != nil
            if !isKnown, Self.isRate(header) || Self.isRate(name) || text.contains("%") { return text }
            // `Order Value` is money though it is of an order.
            let isAmount = slot.map(flow.amounting.contains) ?? false
            if !isKnown, !isAmount, Self.isReference(header, text) { return pseudonyms.code(text) }
            return scale.scale(text, reader, used, mayGroup: cell.isQuoted && text.contains(","))
        }
        // What has parts is replaced part by part.
        if let slot, !captures(text, templates(slot, binding.table)).isEmpty { return nil }
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
        if let slot, flow.coding.contains(slot) { return text }
        return nil
    }

    /// A strike, an expiry, a WKN: what a security is made of says nothing of its owner.
    private func isPartOfSecurity(_ text: String, _ slot: Int?, _ name: String) -> Bool {
        guard let slot, flow.coding.contains(slot), !numberSlots.contains(slot), !flow.amounting.contains(slot),
            !RecordField.all.contains(name)
        else { return false }
        // An expiry is a day, a moment is none.
        if text.contains(":"), dates.shift(text) != nil { return false }
        if isTerm(text, slot) { return true }
        return text.utf8.count <= 24 && (!text.contains(where: \.isWhitespace) || dates.shift(text) != nil)
    }

    /// `17 APR 26 47`: terms of a contract, which serve the symbol alone.
    private func isTerm(_ text: String, _ slot: Int) -> Bool {
        flow.coding.contains(slot) && !flow.naming.contains(slot) && !flow.amounting.contains(slot)
            && text.utf8.count <= 32 && text.contains(where: \.isNumber)
            // `Transaction ID: 4711`, `****1234` and `1,000.00 EUR` are none.
            && !text.contains("*") && !text.contains(": ") && amount(text[...], of: text) == nil
    }

    /// Texts that name a security or a currency stay.
    static let codes: Set<String> = [
        "symbol", "isin", "cusip", "sedol", "currency", "priceCurrency", "securityKind", "assetID", "accountKind",
        "isTaxable", "canTrade",
    ]
    /// Numbers that stay: with units and amounts multiplied alike, units × price is still the amount.
    static let unscaled: Set<String> = ["price", "unitCost", "multiplier", "exchangeRate"]

    /// What stands for a value of a variable in a text.
    mutating func replacement(_ text: String, _ name: String) -> String? {
        switch name {
        case "account", "id": return pseudonyms.code(text)
        case "exported", "date", "settled", "acquired", "priced", "posted": return dates.shift(text)
        case "accountTitle":
            pseudonyms.isOfPeople = true
            defer { pseudonyms.isOfPeople = false }
            return words(text, keepsWords: false)
        default: break
        }
        if Self.codes.contains(name) || Self.unscaled.contains(name) { return text }
        let known = definition.variables.known(name)
        let hasPoint = known.map { slot in definition.tables.contains { $0.points.contains(slot) } } ?? false
        let style = hasPoint ? .us : definition.numbers
        if RecordField.numbers[name] != nil {
            return scaled(text, style.decimal == nil ? known.flatMap(provenStyle) ?? style : style) ?? text
        }
        guard let slot = known else { return nil }
        if isPartOfSecurity(text, slot, name) { return text }
        if isTerm(text, slot) { return text }
        if flow.pricing.contains(slot) || numberSlots.contains(slot) && Self.isRate(name) { return text }
        if numberSlots.contains(slot) || flow.amounting.contains(slot) {
            if let made = scaled(text, style) { return made }
        }
        let isCode = !text.contains(where: \.isWhitespace) && text.count(where: \.isNumber) < 5
        return isCode && flow.coding.contains(slot) ? text : nil
    }

    /// Both marks are tried: a text beside the numbers may be written in another style than they.
    private func scaled(_ text: String, _ style: NumberStyle) -> String? {
        [style, .us, .eu].lazy.compactMap { scale.scale(text, reader, $0, mayGroup: false) }.first
    }

    /// The style that the file has proven for a variable.
    private func provenStyle(_ slot: Int) -> NumberStyle? {
        definition.tables.indices.lazy.map { survey.style(table: $0, slot: slot) }.first { $0.decimal != nil }
    }

    /// A text of words: what was captured is replaced by its meaning, the rest word by word.
    mutating func free(_ text: String, _ captured: [Part], keepsWords: Bool) -> String {
        var result = ""
        var rest = text[...]
        let parts = captured.compactMap { part -> (range: Range<String.Index>, part: Part)? in
            guard let start = part.start else { return rest.firstRange(of: part.text).map { ($0, part) } }
            let lower = text.utf8.index(text.startIndex, offsetBy: start)
            return (lower..<text.utf8.index(lower, offsetBy: part.text.utf8.count), part)
        }.sorted { $0.range.lowerBound < $1.range.lowerBound }
        for (range, part) in parts where range.lowerBound >= rest.startIndex {
            guard let made = replacement(part.text, definition.variables.names[part.slot]) else { continue }
            result += words(String(rest[..<range.lowerBound]), keepsWords: keepsWords) + made
            rest = rest[range.upperBound...]
        }
        return result + words(String(rest), keepsWords: keepsWords)
    }

    /// Replaces accounts, dates, long numbers and words that are not plain.
    private mutating func words(_ text: String, keepsWords: Bool) -> String {
        var pieces: [(text: String, isCode: Bool)] = [(text, false)]
        for account in accounts where !account.isEmpty && text.contains(account) {
            var parts: [(text: String, isCode: Bool)] = []
            for piece in pieces {
                var rest = piece.text[...]
                while !piece.isCode, let range = rest.firstRange(of: account) {
                    parts.append((String(rest[..<range.lowerBound]), false))
                    parts.append((pseudonyms.code(account), true))
                    rest = rest[range.upperBound...]
                }
                parts.append((String(rest), piece.isCode))
            }
            pieces = parts
        }
        var result = ""
        for piece in pieces {
            result += piece.isCode ? piece.text : otherWords(piece.text, keepsWords: keepsWords)
        }
        return result
    }

    /// The same of a text without accounts.
    private mutating func otherWords(_ text: String, keepsWords: Bool) -> String {
        var result = ""
        var rest = text[...]
        var keepsWords = keepsWords
        let keeps = keepsWords
        while let first = rest.first {
            let isStart = result.last.map { !$0.isNumber && !$0.isLetter && !".,:/".contains($0) } ?? true
            if !keepsWords, isStart, dateRun(rest) == nil, let made = amount(rest, of: text) {
                result += made.text
                rest = rest.dropFirst(made.length)
                continue
            }
            if first.isWhitespace || "()[]\",;:".contains(first) {
                if "(),;".contains(first) { keepsWords = keeps }
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
            // Whoever gave or took something is named behind such a word.
            if Self.directions.contains(token.lowercased()) { keepsWords = false }
        }
        return result
    }

    private static let directions: Set<String> = ["from", "to", "by", "von", "an", "aan", "till", "payee", "c/o"]

    /// An amount at the beginning of a text, multiplied, with its length: what has decimals, or is the whole text, or has
    /// a currency behind it.
    private func amount(_ rest: Substring, of text: String) -> (text: String, length: Int)? {
        let sign = rest.prefix { "+-\u{2212}$€£".contains($0) }
        guard let run = NumberRun(rest.dropFirst(sign.count)) else { return nil }
        let length = sign.count + run.text.count
        let behind = rest.dropFirst(length).drop { $0 == " " }.prefix { $0.isLetter || "$€£".contains($0) }
        let isAmount =
            run.hasMark || length == text.count || behind.count == 3 && Currency.isKnown(behind.uppercased())
            || ["$", "€", "£"].contains(behind)
        guard isAmount, let made = run.scaled(scale, reader) else { return nil }
        return (sign + made, length)
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

    /// A long number in a text: neither a security's, nor a day, nor one with decimals.
    private func isReference(_ text: String) -> Bool {
        guard text.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") }) else { return false }
        let isSecurity = withView(text) { view in
            view.count == 12 && CheckDigit.isin(view) == view[11] || CheckDigit.isCUSIP(view)
        }
        return !isSecurity && dates.shift(text) == nil && !Self.isContract(text)
    }

    /// `ACME260117C00150000`: letters, a day, a side, a strike.
    private static func isContract(_ text: String) -> Bool {
        let parts = text.split { !$0.isLetter }
        return parts.count == 2 && parts[1].count == 1 && "CPcp".contains(parts[1]) && text.first?.isLetter ?? false
    }

    private mutating func token(_ token: Substring, keepsWords: Bool) -> String {
        let text = String(token)
        let digits = token.count { $0.isNumber }
        if digits >= 4, !keepsWords, let moved = dates.shift(text) { return moved }
        if digits >= 4, !keepsWords { return pseudonyms.code(text) }
        if keepsWords, digits >= 5, isReference(text) { return pseudonyms.code(text) }
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
