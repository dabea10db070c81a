/// Small things that make counts and names read well.
enum Words {
    /// `1 row`, `2 rows`, `12,345 rows`.
    static func count(_ number: Int, _ one: String, _ many: String? = nil) -> String {
        "\(grouped(number)) \(number == 1 ? one : many ?? one + "s")"
    }

    /// Digits in groups of three.
    static func grouped(_ number: Int) -> String {
        var text = ""
        let digits = Array(String(number.magnitude))
        for (index, digit) in digits.enumerated() {
            if index > 0, (digits.count - index) % 3 == 0 { text.append(",") }
            text.append(digit)
        }
        return (number < 0 ? "-" : "") + text
    }

    /// `a`, `a and b`, `a, b and c`.
    static func list(_ words: [String], _ join: String = "and") -> String {
        guard let last = words.last, words.count > 1 else { return words.first ?? "" }
        return words.dropLast().joined(separator: ", ") + " \(join) " + last
    }

    /// Filled up with blanks to a width.
    static func padded(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - text.count))
    }

    /// A path as it is written in a shell.
    static func shell(_ path: String) -> String {
        let plain = path.utf8.allSatisfy { byte in
            byte > 0x7F || (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
                || "_-./,:@+=".utf8.contains(byte)
        }
        return plain && !path.isEmpty && !path.hasPrefix("-") ? path : "'" + path.replacing("'", with: "'\\''") + "'"
    }

    /// On one line, without characters that a terminal would act on, and not longer than asked.
    static func plain(_ text: String, limit: Int = 160) -> String {
        var result = ""
        for scalar in text.unicodeScalars.prefix(limit + 1) {
            let isControl = scalar.value < 0x20 || (0x7F..<0xA0).contains(scalar.value)
            result.unicodeScalars.append(isControl ? " " : scalar)
        }
        return result.unicodeScalars.count > limit ? String(result.unicodeScalars.prefix(limit - 1)) + "…" : result
    }

    /// A text, such as a file name, in which what may be an account number is cut down to its last three characters.
    ///
    /// A run of letters and digits with six digits or more is taken for one, unless it is a date (`20240131`).
    static func masked(_ text: String, limit: Int = 160) -> String {
        var result = ""
        var run = ""
        for character in plain(text, limit: limit) {
            if character.isASCII, character.isLetter || character.isNumber {
                run.append(character)
            } else {
                result += maskedRun(run)
                result.append(character)
                run = ""
            }
        }
        return result + maskedRun(run)
    }

    private static func maskedRun(_ run: String) -> String {
        let digits = run.filter(\.isNumber).count
        if digits < 6 || (run.count == digits && (isDate(run) || run.allSatisfy { $0 == "0" })) { return run }
        return "…" + run.suffix(3)
    }

    private static func isDate(_ run: String) -> Bool {
        switch run.count {
        case 6: true
        case 8, 12, 14: run.hasPrefix("19") || run.hasPrefix("20")
        default: false
        }
    }
}
