import Delimited

/// Texts that a delimited table has as they are, told eight bytes at a time. `DelimitedTableWriter.text` decides of all
/// texts; it writes those that are plain here no other way.
enum PlainCell {
    /// Whether a text has at least eight bytes or few enough to be looked at at once, and among them nothing that might
    /// need quotes or an apostrophe; false also of some texts that are written as they are.
    @inline(__always)
    static func isPlain(_ text: ByteView, delimiter: UInt8) -> Bool {
        let count = text.count
        guard count >= 4 else { return false }
        let (first, last) = (text[0], text[count &- 1])
        // Below are the signs that formulas begin with.
        if first <= 0x2F || first == 0x3D || first == 0x40 || first == 0xEF || last == 0x20 { return false }
        if count < 8 {
            // Four to seven bytes fill two halves of a word.
            return text.words.map { !isMarked($0.0, delimiter) } ?? false
        }
        var marks = 0 as UInt64
        var place = 0
        while place < count &- 8 {
            marks |= self.marks(text.word(at: place), delimiter)
            place &+= 8
        }
        return marks | self.marks(text.word(at: count &- 8), delimiter) == 0
    }

    @inline(__always)
    private static func isMarked(_ word: UInt64, _ delimiter: UInt8) -> Bool { marks(word, delimiter) != 0 }

    /// Not 0 if one of eight bytes is below 0x20, a quote or the delimiter.
    @inline(__always)
    private static func marks(_ word: UInt64, _ delimiter: UInt8) -> UInt64 {
        let (ones, tops): (UInt64, UInt64) = (0x0101_0101_0101_0101, 0x8080_8080_8080_8080)
        let quote = word ^ (ones &* 0x22)
        let other = word ^ (ones &* UInt64(delimiter))
        return (((word &- ones &* 0x20) & ~word) | ((quote &- ones) & ~quote) | ((other &- ones) & ~other)) & tops
    }
}
