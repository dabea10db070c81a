import Delimited

/// How header names begin: a test that tells most cells of rows from names without folding them.
///
/// Names are compared folded and without decorations, which leaves a name's first letters and digits as they are, in
/// small letters. Only where markup, an entity or a letter beyond ASCII follows on them, the name may have more of them.
struct NameOpenings: Sendable {
    /// Hashes of the first letters and digits, open addressing; 0 in a free place.
    private var places: [UInt64]

    init(_ names: Set<String>) {
        var size = 64
        while size < names.count * 4 { size *= 2 }
        places = [UInt64](repeating: 0, count: size)
        for name in names {
            let hash = withView(name) { NameOpenings.hash($0).hash }
            var place = Int(truncatingIfNeeded: hash >> 32) & (size - 1)
            while places[place] != 0, places[place] != hash { place = (place + 1) & (size - 1) }
            places[place] = hash
        }
    }

    /// Whether a name may begin as the cell does.
    func mayBegin(_ cell: ByteView) -> Bool {
        let (hash, isWhole) = NameOpenings.hash(cell)
        if !isWhole { return true }
        var place = Int(truncatingIfNeeded: hash >> 32) & (places.count - 1)
        while places[place] != 0 {
            if places[place] == hash { return true }
            place = (place + 1) & (places.count - 1)
        }
        return false
    }

    /// FNV-1a of the first letters and digits, never 0, and whether nothing behind them may change them.
    private static func hash(_ text: ByteView) -> (hash: UInt64, isWhole: Bool) {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for place in 0..<text.count {
            let byte = text[place]
            guard isLetter(byte) || isDigit(byte) else {
                // A sign in front is part of the name, too.
                if place == 0 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
                return (hash | 1, byte < 0x80 && byte != UInt8(ascii: "<") && byte != UInt8(ascii: "&"))
            }
            hash = (hash ^ UInt64(asciiLower(byte))) &* 0x100_0000_01B3
        }
        return (hash | 1, true)
    }
}
