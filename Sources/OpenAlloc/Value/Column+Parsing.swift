extension Column {
    /// Reads the text of a cell by the column's type. Blanks around a value that is not text are passed over.
    ///
    /// - Throws: ``RowCode``; a required column that is blank throws ``RowCode/fieldMissing``.
    public func parse(_ bytes: UnsafeBufferPointer<UInt8>) throws(RowCode) -> AllocValue {
        let trimmed = trimmingBlanks(bytes)
        if trimmed.isEmpty {
            if !mayBeBlank { throw .fieldMissing }
            return type == .string ? .string(String(decoding: bytes, as: UTF8.self)) : .null
        }
        switch type {
        case .string: return try choice(String(decoding: bytes, as: UTF8.self))
        case .double: return .decimal(try number(trimmed))
        case .int: return .int(try integer(trimmed))
        case .bool: return .bool(try flag(trimmed))
        case .date:
            guard let moment = Instant.parse(trimmed) else { throw .dateInvalid }
            return .date(moment)
        }
    }

    /// Reads the text of a cell by the column's type; see the form that takes bytes.
    public func parse(_ text: String) throws(RowCode) -> AllocValue {
        var copy = text
        let result: Result<AllocValue, RowCode> = copy.withUTF8 { bytes in
            do throws(RowCode) { return .success(try parse(bytes)) } catch { return .failure(error) }
        }
        return try result.get()
    }

    /// Whether a typed value is one that the column can hold; null only where it may be blank.
    ///
    /// - Throws: ``RowCode``.
    public func check(_ value: AllocValue) throws(RowCode) {
        switch (value, type) {
        case (.null, _): if !mayBeBlank { throw .fieldMissing }
        case (.string(let text), .string):
            if text.isEmpty || text.allSatisfy(\.isWhitespace) {
                if !mayBeBlank { throw .fieldMissing }
            } else {
                _ = try choice(text)
            }
        case (.decimal, .double), (.int, .int), (.bool, .bool), (.date, .date): break
        default: throw .valueInvalid
        }
    }

    private func choice(_ text: String) throws(RowCode) -> AllocValue {
        if allowedValues.isEmpty || allowedValues.contains(text) { return .string(text) }
        let folded = foldedKeyText(text)
        guard let word = allowedValues.first(where: { foldedKeyText($0) == folded }) else {
            throw name == "txnAction" ? .actionUnknown : .valueInvalid
        }
        return .string(word)
    }

    private func number(_ bytes: UnsafeBufferPointer<UInt8>) throws(RowCode) -> ExactDecimal {
        do throws(ExactDecimal.ParseError) {
            return try ExactDecimal.parse(bytes)
        } catch {
            throw error == .outOfRange ? .numberRange : .numberInvalid
        }
    }

    private func integer(_ bytes: UnsafeBufferPointer<UInt8>) throws(RowCode) -> Int {
        let value = try number(bytes)
        guard value.isInteger else { throw .numberInvalid }
        guard let integer = value.asInt else { throw .numberRange }
        return integer
    }

    private func flag(_ bytes: UnsafeBufferPointer<UInt8>) throws(RowCode) -> Bool {
        if bytes.count <= 5 {
            switch String(decoding: bytes, as: UTF8.self).lowercased() {
            case "true", "yes", "1": return true
            case "false", "no", "0": return false
            default: break
            }
        }
        throw .valueInvalid
    }
}

/// The bytes without blanks and tabs at either end.
private func trimmingBlanks(_ bytes: UnsafeBufferPointer<UInt8>) -> UnsafeBufferPointer<UInt8> {
    var start = 0
    var end = bytes.count
    while start < end, bytes[start] == 0x20 || bytes[start] == 0x09 { start += 1 }
    while end > start, bytes[end - 1] == 0x20 || bytes[end - 1] == 0x09 { end -= 1 }
    return UnsafeBufferPointer(rebasing: bytes[start..<end])
}
