extension ExactDecimal: CustomStringConvertible {
    /// The shortest text that reads back as this number: no exponent, no trailing zero, never `-0`.
    public var description: String {
        var bytes: [UInt8] = []
        append(to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Appends the shortest text that reads back as this number, in ASCII.
    public func append(to bytes: inout [UInt8]) {
        var digits = InlineArray<40, UInt8>(repeating: 0x30)
        let first = ExactDecimal.write(coefficient.magnitude, endOf: &digits)
        let count = 40 - first
        let decimals = Int(scale)
        if coefficient < 0 { bytes.append(0x2D) }
        if count <= decimals {
            bytes.append(0x30)
            bytes.append(0x2E)
            for _ in 0..<(decimals - count) { bytes.append(0x30) }
        }
        for index in first..<40 {
            if index == 40 - decimals, index > first { bytes.append(0x2E) }
            bytes.append(digits[index])
        }
    }

    /// Writes the digits of `magnitude` (below 10^38) so that they end the buffer; returns the index of the first.
    private static func write(_ magnitude: UInt128, endOf digits: inout InlineArray<40, UInt8>) -> Int {
        var index = 40
        var rest = magnitude
        // Division of 128 bits is slow, so two 19-digit halves are printed with 64-bit arithmetic.
        if rest > UInt128(UInt64.max) {
            let (high, low) = rest.quotientAndRemainder(dividingBy: 10_000_000_000_000_000_000)
            var part = UInt64(low)
            for _ in 0..<19 {
                index -= 1
                digits[index] = 0x30 + UInt8(part % 10)
                part /= 10
            }
            rest = high
        }
        var part = UInt64(rest)
        repeat {
            index -= 1
            digits[index] = 0x30 + UInt8(part % 10)
            part /= 10
        } while part != 0
        return index
    }
}
