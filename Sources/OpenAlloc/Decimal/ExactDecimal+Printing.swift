extension ExactDecimal: CustomStringConvertible {
    /// The shortest text that reads back as this number: no exponent, no trailing zero, never `-0`.
    public var description: String {
        var bytes: [UInt8] = []
        append(to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Appends the shortest text that reads back as this number, in ASCII.
    public func append(to bytes: inout [UInt8]) {
        // 38 digits, or 76 decimals, with a sign, a zero and a point: 79 bytes at the most.
        var text = InlineArray<80, UInt8>(repeating: 0x30)
        let first = write(endOf: &text)
        text.span.withUnsafeBufferPointer { bytes.append(contentsOf: $0[first...]) }
    }

    /// Writes the text so that it ends the buffer, which holds zeros; returns the index of its first byte.
    private func write(endOf text: inout InlineArray<80, UInt8>) -> Int {
        var index = 80
        // A point may stand before this digit, counted from the last; none where there are no decimals.
        var untilPoint = scale == 0 ? -1 : Int(scale)
        var rest = coefficient.magnitude
        // Division of 128 bits is slow, so two 19-digit halves are printed with 64-bit arithmetic.
        if rest > UInt128(UInt64.max) {
            let (high, low) = rest.quotientAndRemainder(dividingBy: 10_000_000_000_000_000_000)
            ExactDecimal.write(UInt64(low), digits: 19, endOf: &text, &index, &untilPoint)
            rest = high
        }
        ExactDecimal.write(UInt64(rest), digits: 1, endOf: &text, &index, &untilPoint)
        // Zeros between the point and the first digit are in the buffer already.
        if untilPoint > 0 {
            index -= untilPoint + 1
            text[index] = 0x2E
            untilPoint = 0
        }
        if untilPoint == 0 {
            index -= 1
            text[index] = 0x30
        }
        if coefficient < 0 {
            index -= 1
            text[index] = 0x2D
        }
        return index
    }

    /// Writes at least `digits` digits before `index`, and the point where it falls between two.
    ///
    /// `untilPoint` ends as 0 when the point was written last, so that a digit must precede it; negative when done.
    private static func write(
        _ number: UInt64, digits: Int, endOf text: inout InlineArray<80, UInt8>, _ index: inout Int,
        _ untilPoint: inout Int
    ) {
        var rest = number
        var left = digits
        while rest != 0 || left > 0 {
            index -= 1
            text[index] = 0x30 + UInt8(truncatingIfNeeded: rest % 10)
            rest /= 10
            left -= 1
            untilPoint -= 1
            if untilPoint == 0 {
                index -= 1
                text[index] = 0x2E
            }
        }
    }
}
