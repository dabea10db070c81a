extension JSONReader {
    /// The string whose opening quote is next, with its escapes resolved.
    mutating func string() throws(JSONError) -> String {
        let opening = position
        position += 1
        let start = position
        let end = try plainEnd()
        if bytes[end] == 0x22 {
            position = end + 1
            guard let text = String(validating: bytes[start..<end], as: UTF8.self) else {
                throw failure(.notUTF8, at: opening)
            }
            return text
        }
        return try escapedString(opening: opening)
    }

    /// The index of the next quote or backslash; what lies before it stands for itself.
    private func plainEnd() throws(JSONError) -> Int {
        var index = position
        while index < bytes.count {
            let byte = bytes[index]
            if byte == 0x22 || byte == 0x5C { return index }
            if byte < 0x20 { throw failure(.controlCharacter, at: index) }
            index += 1
        }
        throw failure(.endOfText, at: index)
    }

    private mutating func escapedString(opening: Int) throws(JSONError) -> String {
        var text: [UInt8] = []
        while true {
            let end = try plainEnd()
            text.append(contentsOf: bytes[position..<end])
            position = end + 1
            if bytes[end] == 0x22 { break }
            try escape(into: &text)
        }
        guard let string = String(validating: text, as: UTF8.self) else { throw failure(.notUTF8, at: opening) }
        return string
    }

    /// Resolves the escape whose backslash was just read.
    private mutating func escape(into text: inout [UInt8]) throws(JSONError) {
        guard let byte = peek() else { throw failure(.endOfText) }
        let plain: UInt8
        switch byte {
        case 0x22, 0x5C, 0x2F: plain = byte
        case 0x62: plain = 0x08
        case 0x66: plain = 0x0C
        case 0x6E: plain = 0x0A
        case 0x72: plain = 0x0D
        case 0x74: plain = 0x09
        case 0x75:
            position += 1
            text.append(contentsOf: Character(try scalar()).utf8)
            return
        default: throw failure(.badEscape)
        }
        text.append(plain)
        position += 1
    }

    /// The scalar of `XXXX`, or of a surrogate pair `XXXX\uXXXX`.
    private mutating func scalar() throws(JSONError) -> Unicode.Scalar {
        let start = position
        let first = try fourHexDigits()
        if let scalar = Unicode.Scalar(first) { return scalar }
        guard (0xD800...0xDBFF).contains(first), take(0x5C), take(0x75) else { throw failure(.badEscape, at: start) }
        let second = try fourHexDigits()
        guard (0xDC00...0xDFFF).contains(second),
            let scalar = Unicode.Scalar(0x10000 + ((first - 0xD800) << 10) + (second - 0xDC00))
        else { throw failure(.badEscape, at: start) }
        return scalar
    }

    private mutating func fourHexDigits() throws(JSONError) -> UInt32 {
        var value: UInt32 = 0
        for _ in 0..<4 {
            guard let byte = peek() else { throw failure(.endOfText) }
            let digit: UInt8
            switch byte {
            case 0x30...0x39: digit = byte - 0x30
            case 0x41...0x46: digit = byte - 0x37
            case 0x61...0x66: digit = byte - 0x57
            default: throw failure(.badEscape)
            }
            value = value << 4 | UInt32(digit)
            position += 1
        }
        return value
    }
}
