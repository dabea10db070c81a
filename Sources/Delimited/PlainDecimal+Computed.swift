extension PlainDecimal {
    /// A number that no cell says; nil when it has more than 18 digits or decimals.
    ///
    /// - Parameters:
    ///   - coefficient: without a zero at the end of its decimals; zero has scale 0.
    ///   - scratch: ``scratchBytes`` bytes for its text, which must stay as they are for as long as the number is used.
    public init?(_ coefficient: Int64, scale: Int, scratch: UnsafeMutablePointer<UInt8>) {
        guard coefficient.magnitude < 1_000_000_000_000_000_000, scale >= 0, scale <= 18 else { return nil }
        var digits = coefficient.magnitude
        var count = 1
        var power: UInt64 = 10
        while count < 18, power <= digits {
            count += 1
            power *= 10
        }
        // At most 18 decimals, a mark and a zero before it: 20 bytes.
        let whole = max(count, scale + 1)
        var place = whole + (scale > 0 ? 1 : 0)
        let length = place
        for index in 0..<whole {
            if index == scale, scale > 0 {
                place -= 1
                scratch[place] = 0x2E
            }
            place -= 1
            scratch[place] = UInt8(truncatingIfNeeded: digits % 10) + 0x30
            digits /= 10
        }
        self.init(coefficient, scale: scale, digits: UnsafePointer(scratch), count: length)
    }
}
