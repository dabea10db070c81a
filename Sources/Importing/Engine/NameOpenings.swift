import Delimited

/// How the header names of a definition begin: most cells of rows are none of them at first sight.
struct NameOpenings: Sendable {
    /// A bit for the first two bytes, and one for a hash of the first four where those are letters and digits.
    private var pairs = [UInt64](repeating: 0, count: 1024)
    private var fours = [UInt64](repeating: 0, count: 1024)

    /// - Parameter names: folded.
    init(_ names: Set<String>) {
        for name in names {
            withView(name) { name in
                NameOpenings.set(NameOpenings.pair(name), in: &pairs)
                if let four = NameOpenings.four(name) { NameOpenings.set(four, in: &fours) }
            }
        }
    }

    /// Whether a cell may be a name; its name begins as it does where that is plain.
    func mayOpen(_ cell: ByteView) -> Bool {
        guard let first = cell.first else { return false }
        // Letters beyond ASCII and markup fold to something else than their bytes.
        if first >= 0x80 || first == UInt8(ascii: "<") { return true }
        guard NameOpenings.has(NameOpenings.pair(cell), pairs) else { return false }
        guard let four = NameOpenings.four(cell) else { return true }
        return NameOpenings.has(four, fours)
    }

    private static func pair(_ text: ByteView) -> Int {
        guard let first = text.first else { return 0 }
        return Int(asciiLower(first)) << 8 | (text.count > 1 && text[1] < 0x80 ? Int(asciiLower(text[1])) : 0)
    }

    /// Nil where the four bytes are not all that counts: a mark behind a letter may make another one of it.
    private static func four(_ text: ByteView) -> Int? {
        guard text.count >= 4, text.count == 4 || text[4] < 0x80 else { return nil }
        var word: UInt32 = 0
        for place in 0..<4 {
            guard isLetter(text[place]) || isDigit(text[place]) else { return nil }
            word = word << 8 | UInt32(asciiLower(text[place]))
        }
        return Int(truncatingIfNeeded: (word &* 0x9E37_79B1) >> 16)
    }

    private static func set(_ place: Int, in bits: inout [UInt64]) { bits[place >> 6] |= 1 << UInt64(place & 63) }

    @inline(__always)
    private static func has(_ place: Int, _ bits: [UInt64]) -> Bool { bits[place >> 6] >> UInt64(place & 63) & 1 == 1 }
}
