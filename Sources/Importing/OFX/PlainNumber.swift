import Delimited
import Markup

/// Numbers of rows that go the short way: digits with a sign and a point, which can be read in one way only.
enum PlainNumber {
    /// Nil for a number of another shape.
    ///
    /// - Parameters:
    ///   - scratch: `PlainDecimal.scratchBytes` bytes.
    ///   - isPadded: vouches that `PlainDecimal.textRoom` bytes are readable from each byte of the cell on.
    @inline(__always)
    static func read(_ cell: ByteView, _ scratch: UnsafeMutablePointer<UInt8>, isPadded: Bool) -> PlainDecimal? {
        // Most are short and have nothing but digits, a minus sign and a point.
        if isPadded, let number = PlainDecimal.readBare(cell, mark: UInt8(ascii: ".")) { return number }
        return readOther(cell, scratch, isPadded: isPadded)
    }

    @inline(never)
    private static func readOther(
        _ cell: ByteView, _ scratch: UnsafeMutablePointer<UInt8>, isPadded: Bool
    ) -> PlainDecimal? {
        guard isPlain(cell) else { return nil }
        return isPadded
            ? PlainDecimal.readPadded(cell, mark: UInt8(ascii: "."), scratch: scratch)
            : PlainDecimal.read(cell, mark: UInt8(ascii: "."), scratch: scratch)
    }

    /// Whether the cells of a row are padded so.
    @inline(__always)
    static func isPadded(_ row: MarkupRow) -> Bool { row.readableAfter >= PlainDecimal.textRoom }

    /// Whether a cell is short and has neither a comma nor a dollar sign.
    @inline(__always)
    static func isPlain(_ cell: ByteView) -> Bool {
        guard let words = cell.words else { return false }
        return !isMarked(words.0) && !isMarked(words.1)
    }

    /// Whether a comma or a dollar sign is among eight bytes.
    @inline(__always)
    private static func isMarked(_ word: UInt64) -> Bool {
        let (ones, tops): (UInt64, UInt64) = (0x0101_0101_0101_0101, 0x8080_8080_8080_8080)
        let comma = word ^ (ones &* UInt64(UInt8(ascii: ",")))
        let dollar = word ^ (ones &* UInt64(UInt8(ascii: "$")))
        return ((comma &- ones) & ~comma | (dollar &- ones) & ~dollar) & tops != 0
    }
}
