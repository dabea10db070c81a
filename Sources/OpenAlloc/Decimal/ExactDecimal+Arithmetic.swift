extension ExactDecimal {
    /// The exact sum, or `nil` when it needs more than 38 digits.
    @inlinable
    public func adding(_ other: ExactDecimal) -> ExactDecimal? {
        if scale == other.scale, scale <= 18, let mine = Int64(exactly: coefficient),
            let theirs = Int64(exactly: other.coefficient)
        {
            let (sum, overflow) = mine.addingReportingOverflow(theirs)
            if !overflow { return ExactDecimal(normalizing: sum, scale: Int(scale)) }
        }
        return addingWide(other)
    }

    /// The exact difference, or `nil` when it needs more than 38 digits.
    @inlinable
    public func subtracting(_ other: ExactDecimal) -> ExactDecimal? { adding(other.negated) }

    @usableFromInline
    func addingWide(_ other: ExactDecimal) -> ExactDecimal? {
        if isZero { return other }
        if other.isZero { return self }
        let decimals = Int(max(scale, other.scale))
        // Where one side must be scaled up, the other's last digit is not 0, and neither is the sum's: the sum needs
        // all its digits, stays below 10^38, and so both sides stay below 2 × 10^38, which 128 bits hold.
        guard let mine = scaledUp(by: decimals - Int(scale)),
            let theirs = other.scaledUp(by: decimals - Int(other.scale))
        else { return nil }
        if isNegative == other.isNegative {
            let (sum, overflow) = mine.addingReportingOverflow(theirs)
            return overflow ? nil : ExactDecimal(wide: sum, isNegative: isNegative, scale: decimals)
        }
        return mine >= theirs
            ? ExactDecimal(wide: mine - theirs, isNegative: isNegative, scale: decimals)
            : ExactDecimal(wide: theirs - mine, isNegative: other.isNegative, scale: decimals)
    }

    /// The exact product, or `nil` when it needs more than 38 digits or 76 decimals.
    @inlinable
    public func multiplied(by other: ExactDecimal) -> ExactDecimal? {
        let decimals = Int(scale) + Int(other.scale)
        if decimals <= 18, let mine = Int64(exactly: coefficient), let theirs = Int64(exactly: other.coefficient) {
            let (product, overflow) = mine.multipliedReportingOverflow(by: theirs)
            if !overflow { return ExactDecimal(normalizing: product, scale: decimals) }
        }
        return multipliedWide(by: other)
    }

    @usableFromInline
    func multipliedWide(by other: ExactDecimal) -> ExactDecimal? {
        var left = coefficient.magnitude
        var right = other.coefficient.magnitude
        var decimals = Int(scale) + Int(other.scale)
        // A product may be too wide only because of zeros that its decimals end with: take those tens out first.
        var (product, overflow) = left.multipliedReportingOverflow(by: right)
        while overflow, decimals > 0, removeTen(&left, &right) {
            decimals -= 1
            (product, overflow) = left.multipliedReportingOverflow(by: right)
        }
        return overflow ? nil : ExactDecimal(wide: product, isNegative: isNegative != other.isNegative, scale: decimals)
    }

    /// The quotient: exact where it terminates within 38 digits, else rounded half-even to 12 decimals.
    ///
    /// - Returns: `nil` when `other` is 0 or the quotient needs more than 38 digits even when rounded.
    public func divided(by other: ExactDecimal) -> (value: ExactDecimal, exact: Bool)? {
        if other.isZero { return nil }
        if isZero { return (.zero, true) }
        if let value = terminatingQuotient(by: other) { return (value, true) }
        guard let value = roundedQuotient(by: other, decimals: 12) else { return nil }
        return (value, false)
    }

    /// The quotient when its decimals end and it fits.
    private func terminatingQuotient(by other: ExactDecimal) -> ExactDecimal? {
        let (own, theirs) = (coefficient.magnitude, other.coefficient.magnitude)
        // Most numbers have few digits.
        if let own = UInt64(exactly: own), let theirs = UInt64(exactly: theirs) {
            return terminatingQuotient(of: own, by: theirs, other)
        }
        return terminatingQuotient(of: own, by: theirs, other)
    }

    private func terminatingQuotient<Whole: FixedWidthInteger & UnsignedInteger>(
        of own: Whole, by theirs: Whole, _ other: ExactDecimal
    ) -> ExactDecimal? {
        var twos = theirs.trailingZeroBitCount
        var divisor = theirs >> Whole(twos)
        var fives = 0
        while divisor.isMultiple(of: 5) {
            divisor /= 5
            fives += 1
        }
        // Decimals end if nothing but twos and fives is left of the divisor.
        let (quotient, remainder) = own.quotientAndRemainder(dividingBy: divisor)
        guard remainder == 0 else { return nil }
        var reduced = quotient
        let common = min(twos, reduced.trailingZeroBitCount)
        reduced >>= Whole(common)
        twos -= common
        while fives > 0, reduced.isMultiple(of: 5) {
            reduced /= 5
            fives -= 1
        }
        // 2 and 5 are paired up to make it a power of ten.
        let places = max(twos, fives)
        var digits = UInt128(reduced)
        for _ in 0..<(places - twos) where !multiply(&digits, by: 2) { return nil }
        for _ in 0..<(places - fives) where !multiply(&digits, by: 5) { return nil }
        let decimals = places + Int(scale) - Int(other.scale)
        return ExactDecimal(wide: digits, isNegative: isNegative != other.isNegative, scale: decimals)
    }

    /// The quotient rounded half-even to `decimals` digits after the point, by long division.
    private func roundedQuotient(by other: ExactDecimal, decimals: Int) -> ExactDecimal? {
        var divisor = other.coefficient.magnitude
        var places = decimals + Int(other.scale) - Int(scale)
        if places < 0 {
            // A divisor beyond 128 bits is more than twice any coefficient: the quotient rounds to 0.
            guard let power = powerOfTen(-places) else { return .zero }
            let (product, overflow) = divisor.multipliedReportingOverflow(by: power)
            if overflow { return .zero }
            divisor = product
            places = 0
        }
        var (quotient, remainder) = coefficient.magnitude.quotientAndRemainder(dividingBy: divisor)
        // The last digits are kept apart, so that zeros among them do not take the quotient beyond 128 bits.
        let last = min(places, decimals)
        while places > last {
            let step = min(places - last, 18)
            let digits = longDivision(&remainder, by: divisor, digits: step)
            let (shifted, overflow) = quotient.multipliedReportingOverflow(by: UInt128(smallPowerOfTen(step)))
            let (sum, carry) = shifted.addingReportingOverflow(digits)
            if overflow || carry { return nil }
            quotient = sum
            places -= step
        }
        var tail = longDivision(&remainder, by: divisor, digits: last)
        let isOdd = (last == 0 ? quotient : tail) & 1 == 1
        if isPastHalf(remainder, of: divisor, isOdd: isOdd) { tail += 1 }
        let isBelowZero = isNegative != other.isNegative
        let head = ExactDecimal(wide: quotient, isNegative: isBelowZero, scale: decimals - last)
        let rest = ExactDecimal(wide: tail, isNegative: isBelowZero, scale: decimals)
        guard let head, let rest else { return nil }
        return head.adding(rest)
    }

    /// The number rounded half-even to at most `scale` digits after the point; a negative scale counts as 0.
    public func rounded(scale places: Int) -> ExactDecimal {
        let drop = Int(scale) - max(places, 0)
        if drop <= 0 { return self }
        guard let power = powerOfTen(drop) else { return .zero }
        var (quotient, remainder) = coefficient.magnitude.quotientAndRemainder(dividingBy: power)
        if isPastHalf(remainder, of: power, isOdd: quotient & 1 == 1) { quotient += 1 }
        // At least one digit was dropped, so that a carry fits.
        return ExactDecimal(wide: quotient, isNegative: isNegative, scale: max(places, 0)) ?? .zero
    }
}

/// Whether half-even rounding goes up: the remainder is over half the divisor, or half and the quotient odd.
private func isPastHalf(_ remainder: UInt128, of divisor: UInt128, isOdd: Bool) -> Bool {
    let rest = divisor - remainder
    return remainder > rest || (remainder == rest && isOdd)
}

/// The next digits (at most 18) of a long division; the remainder is below the divisor before and after.
private func longDivision(_ remainder: inout UInt128, by divisor: UInt128, digits: Int) -> UInt128 {
    if let short = UInt64(exactly: divisor), let rest = UInt64(exactly: remainder) {
        let (quotient, left) = short.dividingFullWidth(rest.multipliedFullWidth(by: smallPowerOfTen(digits)))
        remainder = UInt128(left)
        return UInt128(quotient)
    }
    let wide = remainder.multipliedFullWidth(by: UInt128(smallPowerOfTen(digits)))
    let (quotient, rest) = divisor.dividingFullWidth(wide)
    remainder = rest
    return quotient
}

/// Takes one factor of ten out of a product of two; false when there is none.
private func removeTen(_ left: inout UInt128, _ right: inout UInt128) -> Bool {
    let even = (left.isMultiple(of: 2), right.isMultiple(of: 2))
    let five = (left.isMultiple(of: 5), right.isMultiple(of: 5))
    guard even.0 || even.1, five.0 || five.1 else { return false }
    if even.0 { left /= 2 } else { right /= 2 }
    if five.0 { left /= 5 } else { right /= 5 }
    return true
}

private func multiply(_ digits: inout UInt128, by factor: UInt128) -> Bool {
    let (product, overflow) = digits.multipliedReportingOverflow(by: factor)
    digits = product
    return !overflow
}
