// Typed reading: each call says what it wants and throws a `YAMLError` at the node's place when it is not that.
extension YAMLNode {
    /// The text of a scalar.
    ///
    /// - Throws: `wrongType` for a null, a list or a mapping.
    public func string() throws(YAMLError) -> String {
        guard case .scalar(let text, _) = value else {
            throw wrongType(expected: "text", hint: "write text, in quotes")
        }
        return text
    }

    /// The items of a list.
    ///
    /// - Throws: `wrongType` for anything else.
    public func sequence() throws(YAMLError) -> [YAMLNode] {
        guard case .sequence(let items) = value else { throw wrongType(expected: "a list", hint: "write ‘[a, b]’") }
        return items
    }

    /// The items of a list, or the node itself when it is a single scalar or mapping.
    ///
    /// - Throws: `wrongType` for a null.
    public func oneOrMany() throws(YAMLError) -> [YAMLNode] {
        switch value {
        case .sequence(let items): return items
        case .scalar, .mapping: return [self]
        case .null: throw wrongType(expected: "a value or a list", hint: "write ‘[a, b]’, or remove the key")
        }
    }

    /// The texts of a list, or of a single scalar.
    ///
    /// - Throws: `wrongType` for a null, a mapping, and items that are no text.
    public func stringList() throws(YAMLError) -> [String] {
        var texts: [String] = []
        for item in try oneOrMany() { texts.append(try item.string()) }
        return texts
    }

    /// A whole number written in plain decimal digits, with an optional `-`.
    ///
    /// - Throws: `wrongType` if it is no text, `wrongValue` if it is no such number or out of `range`.
    public func int(in range: ClosedRange<Int> = Int.min...Int.max) throws(YAMLError) -> Int {
        let text = try string()
        let digits = text.utf8.first == Byte.dash ? text.dropFirst() : text[...]
        let isDecimal =
            !digits.isEmpty && digits.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        guard isDecimal, let number = Int(text) else {
            throw wrongValue("‘\(text)’ is no whole number", hint: "write digits only")
        }
        guard range.contains(number) else {
            throw wrongValue(
                "\(number) is out of range", hint: "write a number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    /// `true` or `false`, unquoted or quoted; `yes`, `on` and `1` are not.
    ///
    /// - Throws: `wrongType` if it is no text, `wrongValue` if it is another.
    public func bool() throws(YAMLError) -> Bool {
        switch try string() {
        case "true": return true
        case "false": return false
        case let text: throw wrongValue("‘\(text)’ is neither true nor false", hint: "write ‘true’ or ‘false’")
        }
    }

    /// The case of an enumeration with this raw value.
    ///
    /// - Throws: `wrongType` if it is no text, `wrongValue` if there is no such case; the hint names the nearest.
    @inlinable
    public func `enum`<Word>(of type: Word.Type = Word.self) throws(YAMLError) -> Word
    where Word: RawRepresentable & CaseIterable, Word.RawValue == String {
        let text = try string()
        guard let word = Word(rawValue: text) else { throw notAllowed(text, among: Word.allCases.map(\.rawValue)) }
        return word
    }

    @usableFromInline
    func notAllowed(_ text: String, among words: [String]) -> YAMLError {
        wrongValue(
            "‘\(text)’ is not one of the words allowed here", hint: Suggestion.hint(for: text, among: words))
    }

    /// The word itself if it is one of `words`.
    ///
    /// - Throws: `wrongType` if it is no text, `wrongValue` if it is another word; the hint names the nearest.
    public func word(of words: [String]) throws(YAMLError) -> String {
        let text = try string()
        guard words.contains(text) else { throw notAllowed(text, among: words) }
        return text
    }

    /// A mapping with any keys, as where the keys are data.
    ///
    /// - Throws: `wrongType` for anything else.
    public func mapping() throws(YAMLError) -> YAMLMapping {
        guard case .mapping(let entries) = value else {
            throw wrongType(expected: "a mapping", hint: "write lines of ‘key: value’")
        }
        return YAMLMapping(entries: entries, mark: mark)
    }

    /// A mapping with no other keys than `allowed`.
    ///
    /// - Throws: `wrongType` if it is no mapping, `unknownKey` at the first other key; the hint names the nearest.
    public func mapping(allowed: [String]) throws(YAMLError) -> YAMLMapping {
        let mapping = try mapping()
        for entry in mapping.entries where !allowed.contains(entry.key) {
            throw YAMLError(
                .unknownKey, "the key ‘\(entry.key)’ is unknown here",
                hint: Suggestion.hint(for: entry.key, among: allowed), at: entry.keyMark)
        }
        return mapping
    }

    /// An error at this node, for what its reader finds wrong with the value.
    public func wrongValue(_ message: String, hint: String) -> YAMLError {
        YAMLError(.wrongValue, message, hint: hint, at: mark)
    }

    private func wrongType(expected: String, hint: String) -> YAMLError {
        let found =
            switch value {
            case .null: "nothing"
            case .scalar(let text, _): "the text ‘\(text.prefix(24))’"
            case .sequence: "a list"
            case .mapping: "a mapping"
            }
        return YAMLError(.wrongType, "\(expected) is expected here, not \(found)", hint: hint, at: mark)
    }
}
