/// Character references of XML and HTML. What is none of them stays as it stands (`R&D`, `&custom;`), and nothing is
/// resolved twice (`&amp;lt;` is the text `&lt;`).
enum Entities {
    /// The longest name, with room for `#x10FFFF`.
    static let longest = 10

    /// Appends text with references resolved, line ends as LF, and without NULs.
    static func decode(_ bytes: UnsafeBufferPointer<UInt8>, into output: inout [UInt8]) {
        var index = 0
        while index < bytes.count {
            let byte = bytes[index]
            if byte == 0x26, let end = reference(bytes, index, into: &output) {
                index = end
                continue
            }
            var end = index
            while end < bytes.count, bytes[end] != 0x26, bytes[end] != 0x0D, bytes[end] != 0 { end += 1 }
            if end > index {
                output.append(contentsOf: UnsafeBufferPointer(rebasing: bytes[index..<end]))
                index = end
                continue
            }
            if byte == 0x0D {
                output.append(0x0A)
                if index + 1 < bytes.count && bytes[index + 1] == 0x0A { index += 1 }
            } else if byte != 0 {
                output.append(byte)
            }
            index += 1
        }
    }

    private static func reference(
        _ bytes: UnsafeBufferPointer<UInt8>, _ start: Int, into output: inout [UInt8]
    ) -> Int? {
        var end = start + 1
        while end < bytes.count, end - start <= longest, bytes[end] != 0x3B { end += 1 }
        guard end < bytes.count, bytes[end] == 0x3B, end > start + 1 else { return nil }
        let name = bytes[(start + 1)..<end]
        let scalar = name.first == 0x23 ? number(name.dropFirst()) : named[String(decoding: name, as: UTF8.self)]
        guard let scalar else { return nil }
        // A line end of any kind is an LF, as in text that stands as it is.
        UTF8Writer.append(scalar == 0x0D ? 0x0A : scalar, to: &output)
        return end + 1
    }

    private static func number(_ digits: Slice<UnsafeBufferPointer<UInt8>>) -> UInt32? {
        let hex = digits.first == 0x78
        var value: UInt32 = 0
        let rest = hex ? digits.dropFirst() : digits
        guard !rest.isEmpty else { return nil }
        for byte in rest {
            let digit: UInt32
            switch byte {
            case 0x30...0x39: digit = UInt32(byte - 0x30)
            case 0x41...0x46 where hex: digit = UInt32(byte - 0x41) + 10
            case 0x61...0x66 where hex: digit = UInt32(byte - 0x61) + 10
            default: return nil
            }
            value = value * (hex ? 16 : 10) + digit
            guard value <= 0x10FFFF else { return nil }
        }
        // The characters that XML 1.0 allows.
        let allowed =
            value == 9 || value == 10 || value == 13 || (0x20...0xD7FF).contains(value)
            || (0xE000...0xFFFD).contains(value) || value >= 0x10000
        return allowed ? value : nil
    }

    private static let named: [String: UInt32] = {
        var table: [String: UInt32] = [
            "amp": 0x26, "lt": 0x3C, "gt": 0x3E, "quot": 0x22, "apos": 0x27, "OElig": 0x152, "oelig": 0x153,
            "Scaron": 0x160, "scaron": 0x161, "Yuml": 0x178, "fnof": 0x192, "circ": 0x2C6, "tilde": 0x2DC,
            "ensp": 0x2002, "emsp": 0x2003, "thinsp": 0x2009, "ndash": 0x2013, "mdash": 0x2014, "lsquo": 0x2018,
            "rsquo": 0x2019, "sbquo": 0x201A, "ldquo": 0x201C, "rdquo": 0x201D, "bdquo": 0x201E, "dagger": 0x2020,
            "Dagger": 0x2021, "bull": 0x2022, "hellip": 0x2026, "permil": 0x2030, "prime": 0x2032, "lsaquo": 0x2039,
            "rsaquo": 0x203A, "euro": 0x20AC, "trade": 0x2122, "minus": 0x2212,
        ]
        for (index, name) in latin.split(separator: " ").enumerated() { table[String(name)] = UInt32(0xA0 + index) }
        return table
    }()

    /// U+00A0…U+00FF in order (HTML 4.01, section 24.2).
    private static let latin = """
        nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute \
        micro para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring \
        AElig Ccedil Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml \
        times Oslash Ugrave Uacute Ucirc Uuml Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ccedil \
        egrave eacute ecirc euml igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash \
        ugrave uacute ucirc uuml yacute thorn yuml
        """
}
