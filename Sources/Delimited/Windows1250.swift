import CCodePages

/// Windows-1250 as the WHATWG Encoding Standard has it: the five undefined bytes are C1 controls.
enum Windows1250 {
    /// The code point of a byte.
    static func codePoint(of byte: UInt8) -> UInt32 {
        UInt32(single_byte_character(UInt8(single_byte_page_is_windows_1250.rawValue), byte))
    }

    /// The byte of a character, `?` if there is none.
    static func byte(of scalar: Unicode.Scalar) -> UInt8 {
        if scalar.value < 0x80 { return UInt8(scalar.value) }
        return (0x80...0xFF).first { codePoint(of: $0) == scalar.value } ?? 0x3F
    }

    /// Whether bytes that are no UTF-8 prove to be Windows-1250: they have, within words, what no language that is
    /// written in Windows-1252 has there.
    ///
    /// - `Gie³da`, `spo¿ywczy`, `zwi¹zek`: a superscript or sign between two letters is a Polish letter, but for the `¿`
    ///   of `don¿t` and `Lloyd¿s`, which some programs write for an apostrophe.
    /// - `MA£Y`: the same between two capitals.
    /// - `wartoœæ`: two ligatures in a row.
    /// - `Smìr`, `Mìna`: that letter only ends words in Italian, in Czech it stands within them.
    /// - a letter that Windows-1252 has no character for (Ť, Ź, ť) next to another.
    static func isProven(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard bytes.count > 2 else { return false }
        for position in 1..<(bytes.count - 1) where bytes[position] >= 0x80 {
            let before = isLetter(bytes[position - 1])
            let after = isLetter(bytes[position + 1])
            switch bytes[position] {
            case 0xA3, 0xA5, 0xAF:
                if isCapital(bytes[position - 1]) && isCapital(bytes[position + 1]) { return true }
            case 0xB3, 0xB9, 0xBC, 0xBE: if before && after { return true }
            case 0xBF: if before && after && !endsAsInEnglish(bytes, position + 1) { return true }
            case 0x8D, 0x8F, 0x9D: if before || after { return true }
            case 0x9C, 0x8C: if before && (bytes[position + 1] | 0x20) == 0xE6 { return true }
            case 0xEC: if before && isLower(bytes[position + 1]) { return true }
            default: break
            }
        }
        return false
    }

    /// Whether a byte is a letter in both code pages, or one in Windows-1250 that `isProven` asks about.
    private static func isLetter(_ byte: UInt8) -> Bool {
        isLower(byte | 0x20) || byte >= 0xC0 && byte != 0xD7 && byte != 0xF7
    }

    private static func isCapital(_ byte: UInt8) -> Bool {
        (0x41...0x5A).contains(byte) || (0xC0...0xDE).contains(byte) && byte != 0xD7
    }

    /// Whether a word ends as behind an apostrophe.
    private static func endsAsInEnglish(_ bytes: UnsafeRawBufferPointer, _ start: Int) -> Bool {
        var end = start
        while end < bytes.count, end - start < 3, isLetter(bytes[end]) { end += 1 }
        let rest = bytes[start..<end].map { $0 | 0x20 }
        return ["s", "t", "d", "m", "ll", "re", "ve"].contains { rest.elementsEqual($0.utf8) }
    }

    private static func isLower(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte) }
}
