/// What the parser may take for granted: valid UTF-8, LF line ends, no control characters, a NUL after the end.
enum Preparation {
    static func prepare(_ bytes: [UInt8]) throws(YAMLError) -> [UInt8] {
        guard bytes.count <= YAML.maximumBytes else {
            throw YAMLError(
                .size, "the text has \(bytes.count) bytes, more than \(YAML.maximumBytes)",
                hint: "split it into several files", at: YAMLMark(line: 1, column: 1))
        }
        let start = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
        let hasReturns = try check(bytes, from: start)
        var prepared: [UInt8] = []
        prepared.reserveCapacity(bytes.count + 4)
        if hasReturns {
            for index in start..<bytes.count {
                if bytes[index] != Byte.carriageReturn {
                    prepared.append(bytes[index])
                } else if index + 1 == bytes.count || bytes[index + 1] != Byte.newline {
                    prepared.append(Byte.newline)
                }
            }
        } else {
            prepared.append(contentsOf: bytes[start...])
        }
        // The parser looks at most three bytes ahead of a byte that is not NUL.
        prepared.append(contentsOf: [0, 0, 0, 0])
        return prepared
    }

    /// Whether there are carriage returns; throws at the first byte that cannot stand in a text.
    private static func check(_ bytes: [UInt8], from start: Int) throws(YAMLError) -> Bool {
        var hasReturns = false
        var index = start
        while index < bytes.count {
            let byte = bytes[index]
            if byte >= 0x20 && byte < 0x7F {
                index += 1
            } else if byte < 0x80 {
                if byte == Byte.carriageReturn { hasReturns = true }
                guard byte == Byte.newline || byte == Byte.tab || byte == Byte.carriageReturn else {
                    throw YAMLError(
                        .controlCharacter, "the control character 0x\(hex(byte)) cannot stand in a text",
                        hint: "remove it, or write it as \\x\(hex(byte)) in double quotes",
                        at: mark(of: index, in: bytes, from: start))
                }
                index += 1
            } else {
                let length = sequenceLength(bytes, at: index)
                guard length > 0 else {
                    throw YAMLError(
                        .encoding, "the byte 0x\(hex(byte)) is not UTF-8", hint: "save the file as UTF-8",
                        at: mark(of: index, in: bytes, from: start))
                }
                index += length
            }
        }
        return hasReturns
    }

    /// The length of the well-formed UTF-8 sequence at `index` (Unicode 15, table 3-7), 0 if there is none.
    private static func sequenceLength(_ bytes: [UInt8], at index: Int) -> Int {
        let first = bytes[index]
        let length = first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4
        guard first >= 0xC2, first <= 0xF4, index + length <= bytes.count else { return 0 }
        let second = bytes[index + 1]
        let low: UInt8 = first == 0xE0 ? 0xA0 : first == 0xF0 ? 0x90 : 0x80
        let high: UInt8 = first == 0xED ? 0x9F : first == 0xF4 ? 0x8F : 0xBF
        guard second >= low, second <= high else { return 0 }
        for offset in 2..<max(length, 2) where bytes[index + offset] & 0xC0 != 0x80 { return 0 }
        return length
    }

    private static func mark(of position: Int, in bytes: [UInt8], from start: Int) -> YAMLMark {
        var line = 1
        var column = 1
        for index in start..<position {
            let byte = bytes[index]
            if byte == Byte.newline || (byte == Byte.carriageReturn && bytes[index + 1] != Byte.newline) {
                line += 1
                column = 1
            } else if byte & 0xC0 != 0x80 {
                column += 1
            }
        }
        return YAMLMark(line: line, column: column)
    }

    private static func hex(_ byte: UInt8) -> String {
        let digits = String(byte, radix: 16, uppercase: true)
        return digits.utf8.count < 2 ? "0" + digits : digits
    }
}

/// The bytes that mean something.
enum Byte {
    static let end: UInt8 = 0
    static let tab = UInt8(ascii: "\t")
    static let newline = UInt8(ascii: "\n")
    static let carriageReturn = UInt8(ascii: "\r")
    static let space = UInt8(ascii: " ")
    static let dash = UInt8(ascii: "-")
    static let colon = UInt8(ascii: ":")
    static let comma = UInt8(ascii: ",")
    static let hash = UInt8(ascii: "#")
    static let question = UInt8(ascii: "?")
    static let single = UInt8(ascii: "'")
    static let double = UInt8(ascii: "\"")
    static let backslash = UInt8(ascii: "\\")
    static let bar = UInt8(ascii: "|")
    static let greater = UInt8(ascii: ">")
    static let openBracket = UInt8(ascii: "[")
    static let closeBracket = UInt8(ascii: "]")
    static let openBrace = UInt8(ascii: "{")
    static let closeBrace = UInt8(ascii: "}")

    /// Space, tab, line end or end of text: what may follow an indicator.
    @inline(__always)
    static func isBlank(_ byte: UInt8) -> Bool { byte == space || byte == newline || byte == tab || byte == end }

    @inline(__always)
    static func isFlowIndicator(_ byte: UInt8) -> Bool {
        byte == comma || byte == openBracket || byte == closeBracket || byte == openBrace || byte == closeBrace
    }
}
