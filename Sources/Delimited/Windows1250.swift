/// Windows-1250 as the WHATWG Encoding Standard has it: the five undefined bytes are C1 controls.
enum Windows1250 {
    /// The characters of the bytes 0x80 to 0xFF.
    private static let upper: [UInt16] = [
        0x20AC, 0x0081, 0x201A, 0x0083, 0x201E, 0x2026, 0x2020, 0x2021,
        0x0088, 0x2030, 0x0160, 0x2039, 0x015A, 0x0164, 0x017D, 0x0179,
        0x0090, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014,
        0x0098, 0x2122, 0x0161, 0x203A, 0x015B, 0x0165, 0x017E, 0x017A,
        0x00A0, 0x02C7, 0x02D8, 0x0141, 0x00A4, 0x0104, 0x00A6, 0x00A7,
        0x00A8, 0x00A9, 0x015E, 0x00AB, 0x00AC, 0x00AD, 0x00AE, 0x017B,
        0x00B0, 0x00B1, 0x02DB, 0x0142, 0x00B4, 0x00B5, 0x00B6, 0x00B7,
        0x00B8, 0x0105, 0x015F, 0x00BB, 0x013D, 0x02DD, 0x013E, 0x017C,
        0x0154, 0x00C1, 0x00C2, 0x0102, 0x00C4, 0x0139, 0x0106, 0x00C7,
        0x010C, 0x00C9, 0x0118, 0x00CB, 0x011A, 0x00CD, 0x00CE, 0x010E,
        0x0110, 0x0143, 0x0147, 0x00D3, 0x00D4, 0x0150, 0x00D6, 0x00D7,
        0x0158, 0x016E, 0x00DA, 0x0170, 0x00DC, 0x00DD, 0x0162, 0x00DF,
        0x0155, 0x00E1, 0x00E2, 0x0103, 0x00E4, 0x013A, 0x0107, 0x00E7,
        0x010D, 0x00E9, 0x0119, 0x00EB, 0x011B, 0x00ED, 0x00EE, 0x010F,
        0x0111, 0x0144, 0x0148, 0x00F3, 0x00F4, 0x0151, 0x00F6, 0x00F7,
        0x0159, 0x016F, 0x00FA, 0x0171, 0x00FC, 0x00FD, 0x0163, 0x02D9,
    ]

    /// The code point of a byte.
    static func codePoint(of byte: UInt8) -> UInt32 {
        byte < 0x80 ? UInt32(byte) : UInt32(upper[Int(byte & 0x7F)])
    }

    /// The byte of a character, `?` if there is none.
    static func byte(of scalar: Unicode.Scalar) -> UInt8 {
        if scalar.value < 0x80 { return UInt8(scalar.value) }
        for (offset, candidate) in upper.enumerated() where UInt32(candidate) == scalar.value {
            return 0x80 + UInt8(offset)
        }
        return 0x3F
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
